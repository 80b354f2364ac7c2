"""Assembly while Redis, Postgres, both, or the check of the credential fail."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from local.servers import PostgresServer, ValkeyServer
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import Directive
from remembrancer.domain.retrieval.turn_key import turn_key
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.cache import AgentSnapshot
from remembrancer.usecases.retrieval.deadline import Deadline
from tests.integration.engine.assembly.bench import (
    DIRECTIVE,
    EVERYTHING,
    WIDE,
    Bench,
    injected,
    retrieving,
    searching,
    statuses,
)
from tests.integration.engine.later import LaterWork


async def test_with_redis_down_the_store_serves_and_the_reason_names_the_hot_set(
    bench: Bench, stoppable_valkey: ValkeyServer
) -> None:
    stoppable_valkey.stop()
    later = LaterWork()

    assembly = await bench.assemble(later=later)

    assert assembly.fallback_reason == "hot_error:ConnectionError"
    assert statuses(assembly) == EVERYTHING | {"hot": "error"}
    assert DIRECTIVE in injected(assembly)
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
    assert "refill_hot_set" not in later.names
    for name in later.names:
        if name not in {"usage", "memory_map"}:
            with pytest.raises(StoreUnavailable):
                await later.do(name)


async def test_with_redis_down_a_map_answers_by_the_stores_word_and_stays_current(
    bench: Bench, stoppable_valkey: ValkeyServer
) -> None:
    stoppable_valkey.stop()
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("memory_map")

    from_map = await bench.assemble(later=LaterWork())
    await bench.tenant.remember_texts("The coffee machine was repaired.")
    with_addition = await bench.assemble()
    await bench.tenant.remember(bench.tenant.write("The tea is in the cellar.", supersedes=bench.tea))
    without = await bench.assemble()

    assert (from_map.tier, from_map.fallback_reason) == ("map", "hot_error:ConnectionError")
    assert set(from_map.memory_ids) == {bench.coffee, bench.tea}
    assert with_addition.tier == "map"
    assert len(with_addition.memory_ids) == 3
    assert without.tier == "postgres"
    assert bench.tea not in without.memory_ids


async def test_with_postgres_down_the_cache_serves_and_the_reason_names_both_searches(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    for name in ("cache_directive", "refill_hot_set"):
        await later.do(name)
    stoppable_postgres.stop()

    assembly = await bench.assemble()

    assert assembly.fallback_reason == (
        "cold_error:OperationalError,lexical_error:OperationalError,pinned_error:OperationalError,"
        "unconfirmed:OperationalError"
    )
    assert statuses(assembly) == EVERYTHING | dict.fromkeys(("cold", "lexical", "pinned"), "error")
    assert DIRECTIVE in injected(assembly)
    assert assembly.memory_ids == (bench.coffee,)
    assert assembly.tier == "none"


async def test_with_both_down_the_clients_messages_pass_unchanged_and_the_reason_says_why(
    bench: Bench, stoppable_postgres: PostgresServer, stoppable_valkey: ValkeyServer
) -> None:
    stoppable_postgres.stop()
    stoppable_valkey.stop()
    request = bench.request()
    later = LaterWork()

    assembly = await bench.assemble(request, later=later)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason == "credential_error:OperationalError"
    assert (assembly.memory_ids, assembly.directive_injected, assembly.total_tokens_injected) == ((), False, 0)
    assert later.names == []


async def test_with_both_down_a_caller_who_is_still_known_gets_every_cause(
    bench: Bench, stoppable_postgres: PostgresServer, stoppable_valkey: ValkeyServer
) -> None:
    await bench.assembler.directory.agent(bench.tenant.org_id, bench.tenant.agent_id)
    stoppable_postgres.stop()
    stoppable_valkey.stop()
    request = bench.request()

    assembly = await bench.assemble(request)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason.split(",") == [
        "directive_error:OperationalError",
        "hot_error:ConnectionError",
        "cold_error:OperationalError",
        "lexical_error:OperationalError",
        "pinned_error:OperationalError",
    ]


async def test_a_credential_that_could_not_be_checked_releases_nothing(bench: Bench) -> None:
    async def unresolved() -> Principal:
        raise StoreUnavailable("Postgres is unavailable", cause="OperationalError")

    request = bench.request()

    assembly = await bench.assembler.assemble(
        request,
        bench.tenant.principal,
        asyncio.ensure_future(unresolved()),
        Deadline.begin(SystemClock(), WIDE.assembly_ms),
        LaterWork(),
    )

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason == "credential_error:OperationalError"
    assert (dict(assembly.sources), set(assembly.timings_ms)) == ({}, {"total"})


class SilentStates(PostgresDirectory):
    """A store that is asked and does not answer, or fails."""

    def __init__(self, database: Database, *, fails: bool) -> None:
        super().__init__(database)
        self.asked = asyncio.Event()
        self._fails = fails

    async def state(self, org_id: UUID, agent_id: UUID) -> AgentState | None:
        self.asked.set()
        if self._fails:
            raise StoreUnavailable("down", cause="OperationalError")
        await asyncio.Event().wait()
        return None


class LastCache(RedisAgentCache):
    """Answers only when the store was asked too."""

    def __init__(self, redis: RedisClient, asked: asyncio.Event) -> None:
        super().__init__(redis)
        self._asked = asked

    async def read(self, *arguments: Any, **named: Any) -> AgentSnapshot:
        await self._asked.wait()
        return await super().read(*arguments, **named)


@pytest.mark.parametrize("fails", [False, True], ids=["hangs", "fails"])
async def test_a_directive_that_the_cache_has_late_counts_where_the_store_says_nothing(
    bench: Bench, fails: bool
) -> None:
    states = SilentStates(bench.tenant.database, fails=fails)
    await bench.cache.put_directive(bench.tenant.org_id, bench.tenant.agent_id, Directive(5, "From the cache."))
    here = retrieving(searching(bench, cache=LastCache(bench.redis, states.asked)), states=states)
    # What hangs never answers, and is given up after the directive.
    bounds = replace(WIDE, directive_ms=2_000, cold_ms=2_200)

    assembly = await here.bounded(bounds).assemble()

    why = "OperationalError" if fails else "timeout"
    assert assembly.directive_version == 5
    # This instance was never told that the hot set is right.
    pinned = "pinned_error:OperationalError" if fails else "pinned_timeout"
    assert assembly.fallback_reason == f"hot_error:Unconfirmed,{pinned},unconfirmed:{why}"


async def test_the_map_goes_on_without_the_store_and_the_answer_says_so(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    for name in ("cache_directive", "memory_map"):
        await later.do(name)
    stoppable_postgres.stop()

    assembly = await bench.assemble()

    assert (assembly.tier, assembly.fallback_reason) == ("map", "unconfirmed:OperationalError")
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}


async def test_a_partial_retrieval_is_not_remembered_for_the_turn_as_if_it_were_complete(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    warm = LaterWork()
    await bench.assemble(later=warm)
    for name in ("cache_directive", "refill_hot_set"):
        await warm.do(name)
    stoppable_postgres.stop()
    later = LaterWork()

    request = bench.request(session_id=str(uuid4()), turn_id="turn")

    assembly = await bench.assemble(request, later=later)
    await later.do("turn_cache")

    assert assembly.memory_ids == (bench.coffee,)
    assert assembly.fallback_reason != ""
    key = (bench.tenant.org_id, bench.tenant.agent_id)
    turn = (await bench.cache.read(*key, request.end_user, 20, turn=turn_key(request))).turn
    assert turn is not None
    assert [one.memory_id for one in turn.found] == [bench.coffee]
    assert ",".join(turn.missing) == assembly.fallback_reason


async def test_nothing_found_for_lack_of_every_source_is_not_remembered_for_the_turn(
    bench: Bench, stoppable_postgres: PostgresServer
) -> None:
    stoppable_postgres.stop()
    later = LaterWork()

    assembly = await bench.assemble(bench.request(session_id=str(uuid4()), turn_id="turn"), later=later)

    assert (assembly.memory_ids, assembly.fallback_reason != "") == ((), True)
    assert "turn_cache" not in later.names


async def test_warming_needs_no_organization_and_no_server(
    bench: Bench, stoppable_postgres: PostgresServer, stoppable_valkey: ValkeyServer
) -> None:
    await bench.assembler.warm()
    stoppable_postgres.stop()
    stoppable_valkey.stop()

    await bench.assembler.warm()
