"""The pool: what it survives, how it fails, and that it never loses a place."""

import asyncio
import gc
import os
import signal
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any
from uuid import uuid4

import numpy as np
import psycopg
import pytest
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection import database as module
from remembrancer.adapters.postgres.connection.arrays import BigIntegers, Integers, Uuids
from remembrancer.adapters.postgres.connection.database import IDLE_SECONDS, Database
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable
from tests.integration.engine.tenant import Tenant

ONE = ("SELECT 1", ())
SLEEP = ("SELECT pg_sleep(30)", ())
_BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = %s"


class Watched:
    """A pool whose backends the observer can tell from all others."""

    def __init__(self, url: str, observer: AsyncConnection[Any], **options: Any) -> None:
        self.name = f"watched-{uuid4()}"
        self.database = Database(f"{url}?application_name={self.name}", **options)
        self._observer = observer

    async def backends(self, condition: str = "") -> int:
        cursor = await self._observer.execute(_BACKENDS.encode() + condition.encode(), [self.name])
        row = await cursor.fetchone()
        assert row is not None
        return int(row[0])

    async def ids(self) -> set[int]:
        cursor = await self._observer.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = %s", [self.name]
        )
        return {row[0] for row in await cursor.fetchall()}

    async def wait_for_backends(self, count: int, condition: str = "") -> None:
        async with asyncio.timeout(20):
            while await self.backends(condition) != count:
                await asyncio.sleep(0.01)


SLEEPING = " AND query LIKE '%%pg_sleep%%' AND state = 'active'"


@pytest.fixture
async def watched(migrated: PostgresServer, observer: AsyncConnection[Any]) -> AsyncIterator[Watched]:
    watched = Watched(migrated.app_url, observer, connections=2)
    yield watched
    await watched.database.close()


async def test_statements_of_one_read_answer_in_their_order(database: Database) -> None:
    rows = await database.read(None, ("SELECT 1, 'one'", ()), ("SELECT generate_series(1, %s)", (3,)), ("SELECT 2", ()))

    assert rows == [[(1, "one")], [(1,), (2,), (3,)], [(2,)]]


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_restart_of_the_server_is_survived_by_the_next_call(
    stoppable_postgres: PostgresServer, tenant: Tenant, mode: Any
) -> None:
    await tenant.database.warm()

    stoppable_postgres.restart(mode)

    for _ in range(4):
        assert await tenant.fetch("SELECT org_id FROM organizations") == [(tenant.org_id,)]


async def test_a_server_that_refuses_is_unavailable_and_usable_when_it_is_back(
    stoppable_postgres: PostgresServer, tenant: Tenant
) -> None:
    stoppable_postgres.stop()

    for _ in range(5):
        with pytest.raises(StoreUnavailable) as raised:
            await tenant.database.ping()
        assert raised.value.cause == "OperationalError"
    stoppable_postgres.start()

    assert await tenant.fetch("SELECT org_id FROM organizations") == [(tenant.org_id,)]


async def test_a_connection_that_ends_under_a_statement_is_unavailable(
    watched: Watched, observer: AsyncConnection[Any]
) -> None:
    async def end() -> None:
        await watched.wait_for_backends(1, SLEEPING)
        await observer.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [watched.name]
        )

    ending = asyncio.ensure_future(end())
    with pytest.raises(StoreUnavailable):
        await watched.database.read(None, SLEEP)
    await ending

    assert await watched.database.read(None, ONE) == [[(1,)]]


async def test_a_connection_that_ends_inside_a_transaction_is_unavailable(
    watched: Watched, observer: AsyncConnection[Any]
) -> None:
    async def lose_the_connection() -> None:
        async with watched.database.transaction(None) as transaction:
            await observer.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [watched.name]
            )
            await transaction.fetch("SELECT 1")

    with pytest.raises(StoreUnavailable):
        await lose_the_connection()

    assert await watched.database.read(None, ONE) == [[(1,)]]


async def test_a_statement_beyond_its_bound_times_out(database: Database) -> None:
    for _ in range(5):
        with pytest.raises(StoreTimeout) as raised:
            await database.read(None, SLEEP, statement_ms=20)
        assert raised.value.cause == "QueryCanceled"

    assert await database.read(None, ONE) == [[(1,)]]


async def test_the_first_of_several_statements_beyond_its_bound_times_out_the_read(database: Database) -> None:
    with pytest.raises(StoreTimeout):
        await database.read(None, SLEEP, ONE, ONE, statement_ms=20)


async def test_a_statement_in_a_transaction_is_bounded_too(migrated: PostgresServer) -> None:
    database = Database(migrated.app_url, statement_ms=20)

    with pytest.raises(StoreTimeout):
        async with database.transaction(None) as transaction:
            await transaction.fetch("SELECT pg_sleep(30)")

    assert await database.read(None, ONE) == [[(1,)]]
    await database.close()


@pytest.mark.parametrize("number", [0, 1, 3, 400])
async def test_many_ids_arrive_as_they_were_sent(database: Database, number: int) -> None:
    sent = [uuid4() for _ in range(number)]

    ((row,),) = await database.read(None, ("SELECT %s, 'x' = ANY(%s::text[])", (Uuids(sent), ["x"])))

    assert row == (sent, True)


@pytest.mark.parametrize("number", [0, 1, 100])
async def test_many_numbers_arrive_as_they_were_sent(database: Database, number: int) -> None:
    sent = np.arange(number) * 1_000_003 - 7

    ((row,),) = await database.read(None, ("SELECT %s", (Integers(sent),)))

    assert row == (sent.tolist(),)


@pytest.mark.parametrize("sent", [(), (-(1 << 63), -1, 0, (1 << 63) - 1)])
async def test_numbers_of_64_bits_arrive_as_they_were_sent(database: Database, sent: tuple[int, ...]) -> None:
    ((row,),) = await database.read(None, ("SELECT %s, pg_typeof(%s)::text", (BigIntegers(sent), BigIntegers(sent))))

    assert row == (list(sent), "bigint[]")


async def test_a_wrong_statement_is_a_bug_and_flies(database: Database) -> None:
    for _ in range(5):
        with pytest.raises(psycopg.errors.UndefinedTable):
            await database.read(None, ONE, ("SELECT * FROM nowhere", ()), ONE)
        with pytest.raises(psycopg.errors.UndefinedTable):
            async with database.transaction(None) as transaction:
                await transaction.fetch("SELECT * FROM nowhere")

    assert await database.read(None, ONE) == [[(1,)]]


async def test_an_error_inside_a_transaction_rolls_it_back_and_passes_unchanged(tenant: Tenant) -> None:
    async def change_and_fail() -> None:
        async with tenant.database.transaction(tenant.org_id) as transaction:
            assert await transaction.execute("UPDATE organizations SET name = 'changed'") == 1
            raise KeyError("ours")

    with pytest.raises(KeyError, match="ours"):
        await change_and_fail()

    assert await tenant.fetch("SELECT name FROM organizations") == [("Organization",)]


async def test_prepared_reads_survive_a_rollback_on_their_connection(migrated: PostgresServer) -> None:
    """The driver deallocates every prepared statement of a connection after a rollback."""
    database = Database(migrated.app_url, connections=1, prepare_threshold=1)

    async def be_refused() -> None:
        async with database.transaction(None) as transaction:
            for _ in range(3):
                await transaction.fetch("SELECT 2")
            raise ValueError("refused")

    await database.read(None, ONE)
    with pytest.raises(ValueError, match="refused"):
        await be_refused()
    rows = await database.read(None, ONE)
    await database.close()

    assert rows == [[(1,)]]


async def test_a_transaction_commits_at_its_end(tenant: Tenant) -> None:
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE organizations SET name = 'changed'")

    assert await tenant.fetch("SELECT name FROM organizations") == [("changed",)]


async def test_callers_beyond_the_pool_wait_for_a_place(watched: Watched) -> None:
    inside = 0
    most = 0

    async def use() -> None:
        nonlocal inside, most
        async with watched.database.transaction(None) as transaction:
            inside += 1
            most = max(most, inside)
            await transaction.fetch("SELECT pg_sleep(0.005)")
            inside -= 1

    await asyncio.gather(*(use() for _ in range(20)))

    assert most == 2
    assert await watched.backends() == 2


async def test_warming_opens_every_connection_and_no_more(watched: Watched) -> None:
    await watched.database.warm()
    await asyncio.gather(*(watched.database.read(None, ONE) for _ in range(20)))

    assert await watched.backends() == 2


async def test_closing_ends_the_connections(watched: Watched) -> None:
    await watched.database.warm()

    await watched.database.close()

    await watched.wait_for_backends(0)


async def test_an_abandoned_statement_ends_on_the_server_and_gives_its_place_back(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(4):
        task = asyncio.ensure_future(watched.database.read(None, SLEEP))
        await watched.wait_for_backends(1, SLEEPING)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    await watched.wait_for_backends(0, SLEEPING)
    async with asyncio.timeout(20):
        answers = await asyncio.gather(*(watched.database.read(None, ONE) for _ in range(6)))
    assert answers == [[[(1,)]]] * 6
    assert await watched.backends() <= 2
    assert caplog.records == []  # the driver saw the cancellation through and kept the connection


async def test_a_late_answer_costs_no_connection(migrated: PostgresServer, observer: AsyncConnection[Any]) -> None:
    watched = Watched(migrated.app_url, observer, connections=2, unread_ms=20_000)
    await watched.database.warm()
    before = await watched.ids()

    for _ in range(6):
        late = asyncio.ensure_future(watched.database.read(None, ("SELECT pg_sleep(0.01), 'late'", ())))
        await asyncio.sleep(0)  # it is sent
        late.cancel()
        assert await watched.database.read(None, ONE, ("SELECT 2", ())) == [[(1,)], [(2,)]]
    answers = await asyncio.gather(*(watched.database.read(None, ONE) for _ in range(6)))
    after = await watched.ids()
    await watched.database.close()

    assert answers == [[[(1,)]]] * 6
    assert after == before


async def test_a_connection_that_was_opened_for_who_gave_up_serves_the_next(watched: Watched) -> None:
    first = asyncio.ensure_future(watched.database.read(None, ONE))
    await asyncio.sleep(0)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first

    assert await watched.database.read(None, ONE) == [[(1,)]]
    assert await watched.backends() == 1


async def test_an_abandoned_transaction_rolls_back_and_gives_its_place_back(tenant: Tenant, watched: Watched) -> None:
    async def change() -> None:
        async with watched.database.transaction(tenant.org_id) as transaction:
            await transaction.execute("UPDATE organizations SET name = 'changed'")
            await transaction.fetch("SELECT pg_sleep(30)")

    for _ in range(3):
        task = asyncio.ensure_future(change())
        await watched.wait_for_backends(1, SLEEPING)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async with asyncio.timeout(20):
        assert await tenant.fetch("SELECT name FROM organizations") == [("Organization",)]
        assert await watched.database.read(None, ONE) == [[(1,)]]


async def test_giving_up_at_any_step_of_a_first_call_loses_neither_place_nor_connection(watched: Watched) -> None:
    for steps in range(60):
        task = asyncio.ensure_future(watched.database.read(None, ONE))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await watched.database.close()
    gc.collect()  # a connection that was lost open warns here, and a warning fails the test

    async with asyncio.timeout(20):
        answers = await asyncio.gather(*(watched.database.read(None, ONE) for _ in range(6)))
    assert answers == [[[(1,)]]] * 6
    await watched.wait_for_backends(2)


async def test_warming_a_server_that_refuses_loses_nothing(
    stoppable_postgres: PostgresServer, migrated: PostgresServer
) -> None:
    database = Database(migrated.app_url, connections=3)
    stoppable_postgres.stop()

    with pytest.raises(StoreUnavailable):
        await database.warm()
    stoppable_postgres.start()

    assert await database.read(None, ONE) == [[(1,)]]
    await database.close()


async def test_backends_that_hang_are_given_up_by_the_caller_without_harm(
    watched: Watched, observer: AsyncConnection[Any]
) -> None:
    """As retrieval does it: cancelled at its bound, whatever the driver then needs to let go."""
    await watched.database.warm()
    cursor = await observer.execute("SELECT pid FROM pg_stat_activity WHERE application_name = %s", [watched.name])
    backends = [row[0] for row in await cursor.fetchall()]
    for backend in backends:
        os.kill(backend, signal.SIGSTOP)
    try:
        tasks = [asyncio.ensure_future(watched.database.read(None, ONE)) for _ in range(3)]
        done, late = await asyncio.wait(tasks, timeout=0.1)
        for task in late:
            task.cancel()
    finally:
        for backend in backends:
            os.kill(backend, signal.SIGCONT)
    results = await asyncio.gather(*late, return_exceptions=True)

    assert len(backends) == 2
    assert not done
    assert all(isinstance(result, asyncio.CancelledError | StoreError) for result in results)
    async with asyncio.timeout(20):
        assert await watched.database.read(None, ONE) == [[(1,)]]


async def test_what_is_under_way_when_it_is_closed_is_closed_when_it_comes_back(migrated: PostgresServer) -> None:
    database = Database(migrated.app_url, connections=2)
    await database.warm()
    given_up, going_on = (asyncio.ensure_future(database.read(None, ("SELECT pg_sleep(0.2)", ()))) for _ in range(2))
    await asyncio.sleep(0.05)
    given_up.cancel()
    await asyncio.wait({given_up})

    await database.close()
    await going_on

    # An open connection that nobody holds is a ResourceWarning, which is an error here.
    assert gc.collect() >= 0


async def test_a_connection_that_was_idle_for_too_long_is_opened_anew_between_requests(
    migrated: PostgresServer, observer: AsyncConnection[Any]
) -> None:
    clock = [1000.0]
    watched = Watched(migrated.app_url, observer, connections=2, now=lambda: clock[0])
    await watched.database.warm()
    before = await watched.ids()
    clock[0] += IDLE_SECONDS + 1

    assert watched.database.is_worn()
    await watched.database.read(None, ONE)
    during = await watched.ids()
    await watched.database.renew()

    await watched.wait_for_backends(2)
    assert during == before
    assert len(await watched.ids() & before) == 1
    assert not watched.database.is_worn()
    await watched.database.close()


async def test_a_read_on_a_connection_that_died_while_idle_is_asked_again(
    migrated: PostgresServer, observer: AsyncConnection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The instance has just thawed: nothing of what the server said meanwhile has been noticed.
    monkeypatch.setattr(module, "_has_unread", lambda connection: False)
    clock = [1000.0]
    watched = Watched(migrated.app_url, observer, connections=2, now=lambda: clock[0])
    await watched.database.warm()
    clock[0] += IDLE_SECONDS + 1
    await observer.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [watched.name]
    )
    await watched.wait_for_backends(0)

    assert await watched.database.read(None, ONE) == [[(1,)]]
    await watched.database.close()


async def test_the_second_connection_is_opened_between_requests_for_who_waited(
    migrated: PostgresServer, observer: AsyncConnection[Any]
) -> None:
    watched = Watched(migrated.app_url, observer, connections=2, at_first=1)
    await watched.database.warm()
    await asyncio.gather(*(watched.database.read(None, ONE) for _ in range(5)))
    alone = await watched.backends()

    await watched.database.renew()

    assert alone == 1
    assert await watched.backends() == 2
    assert not watched.database.is_worn()
    await asyncio.gather(*(watched.database.read(None, ONE) for _ in range(20)))
    assert await watched.backends() == 2
    await watched.database.close()


async def test_nobody_waits_long_for_a_connection_that_could_be_opened(
    migrated: PostgresServer, observer: AsyncConnection[Any]
) -> None:
    watched = Watched(migrated.app_url, observer, connections=2, at_first=1)

    async with asyncio.timeout(5), watched.database.transaction(None):
        rows = await watched.database.read(None, ONE)

    assert rows == [[(1,)]]
    assert await watched.backends() == 2
    await watched.database.close()


SESSION = """
    SELECT 'setting ' || name FROM pg_settings WHERE source = 'session'
    UNION ALL SELECT 'prepared ' || name FROM pg_prepared_statements
    UNION ALL SELECT 'cursor ' || name FROM pg_cursors WHERE name <> ''
    UNION ALL SELECT 'channel ' || channel FROM pg_listening_channels() channel
    UNION ALL SELECT 'temporary ' || relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()
    UNION ALL SELECT 'lock ' || objid FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
"""


async def test_behind_a_proxy_a_transaction_leaves_nothing_of_a_session(
    tenant: Tenant, migrated: PostgresServer
) -> None:
    """What DISCARD ALL would take away is not there: a proxy may give the connection to any client."""
    database = Database(migrated.app_url, connections=1, prepare_threshold=0)
    for _ in range(10):
        await database.read(tenant.org_id, ("SELECT count(*) FROM memories WHERE org_id = %s", [tenant.org_id]))
        async with database.transaction(tenant.org_id) as transaction:
            await transaction.fetch("SELECT pg_advisory_xact_lock(%s)", [7])
            plans = await transaction.fetch("SHOW plan_cache_mode")
    (once,) = await database.read(None, ("SHOW plan_cache_mode", ()), plan_once=True)
    with suppress(StoreError):
        await database.read(None, ("SELECT pg_sleep(5)", ()), statement_ms=20)

    # Seen from outside of the scope that every transaction sets for itself.
    (connection,) = database._idle
    left = await (await connection.execute(SESSION.encode())).fetchall()

    # What is not kept is not planned for any parameters, which takes longer.
    assert plans == once == [("force_custom_plan",)]
    assert left == []
    await database.close()


async def test_connections_that_cannot_be_opened_anew_lose_no_place(migrated: PostgresServer) -> None:
    clock = [1000.0]
    database = Database(migrated.app_url, connections=2, now=lambda: clock[0])
    await database.warm()
    clock[0] += IDLE_SECONDS + 1
    migrated.stop()
    try:
        with pytest.raises(StoreUnavailable):
            await database.renew()
    finally:
        migrated.start()

    async with asyncio.timeout(20):
        answers = await asyncio.gather(*(database.read(None, ONE) for _ in range(10)))

    assert answers == [[[(1,)]]] * 10
    await database.close()
