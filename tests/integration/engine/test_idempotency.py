"""Requests with an `Idempotency-Key`: one effect and one answer, whoever else asks, and whatever breaks in between."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.query_cache import RedisQueryCache
from remembrancer.domain.erasure.erasure import Asking
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.prepared_write import MemoryWrite, Revision
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.requests import idempotency
from remembrancer.domain.requests.idempotency import Once
from remembrancer.errors import Conflict, StoreError
from remembrancer.ports.memories import WriteReport
from remembrancer.usecases.memories.idempotent_reads import Repeats
from tests.builders import NOW
from tests.integration.engine.tenant import Tenant

COFFEE = "The office has a coffee machine."
LIFT = "The lift is out of order."


def asked(principal: Principal, key: str = "key", body: str = "body") -> Once:
    return idempotency.parse(key, principal, method="POST", path="/v1/memories", body=body.encode())


@pytest.fixture
async def other_instance(migrated: PostgresServer) -> AsyncIterator[Database]:
    database = Database(migrated.app_url)
    yield database
    await database.close()


async def write(tenant: Tenant, request: Once | None, *writes: MemoryWrite, database: Database | None = None) -> Any:
    memories = PostgresMemories(database or tenant.database)
    return await memories.write(tenant.principal, dict(enumerate(writes)), once=request)


async def count(tenant: Tenant, table: str = "memories") -> int:
    return int((await tenant.fetch(f"SELECT count(*) FROM {table}"))[0][0])


async def test_a_repeated_write_is_answered_as_before_by_every_instance_and_writes_nothing(
    tenant: Tenant, other_instance: Database
) -> None:
    request = asked(tenant.principal)

    first = await write(tenant, request, tenant.write(COFFEE), tenant.write(LIFT))
    # Its duplicate would be answered otherwise: the text may be gone from among the active ones meanwhile.
    await PostgresMemoryLife(tenant.database).forget(tenant.principal, first.results[0].memory_id, NOW)
    again = await write(tenant, request, tenant.write(COFFEE), tenant.write(LIFT), database=other_instance)

    assert [result.status for result in first.results.values()] == ["accepted", "accepted"]
    assert again == WriteReport(first.results)
    assert await count(tenant) == 2


async def test_a_key_is_good_for_one_request_and_says_so_to_another(tenant: Tenant) -> None:
    await write(tenant, asked(tenant.principal), tenant.write(COFFEE))

    with pytest.raises(Conflict) as refused:
        await write(tenant, asked(tenant.principal, body="another"), tenant.write(LIFT))

    assert (refused.value.code, list(refused.value.fields)) == ("idempotency_key_reused", ["Idempotency-Key"])
    assert await count(tenant) == 1


async def test_everybody_has_keys_of_their_own(tenant: Tenant, stranger: Tenant) -> None:
    """Another organization, credential, end user, project or environment."""
    own = tenant.principal
    development = await tenant.with_agent("agent", environment="development")
    others = [
        stranger,
        replace(tenant, principal=replace(own, key_id=uuid4())),
        replace(tenant, principal=replace(own, user_id="ann")),
        replace(tenant, principal=replace(own, user_id="")),
        development,
    ]
    await write(tenant, asked(own), tenant.write(COFFEE))

    reports = [
        await write(other, asked(other.principal, body=str(number)), other.write(f"Text {number}."))
        for number, other in enumerate(others)
    ]

    assert [report.results[0].status for report in reports] == ["accepted"] * len(others)


async def test_what_was_refused_leaves_the_key_free(tenant: Tenant) -> None:
    request = asked(tenant.principal)
    stray = tenant.write(COFFEE)
    stray = replace(stray, memory=replace(stray.memory, agent_id=uuid4()))

    refused = await write(tenant, request, stray)
    with pytest.raises(Exception, match="out of range"):
        await write(tenant, request, replace(tenant.write(LIFT), tokens={"o200k_base": 2**40, "cl100k_base": 1}))
    kept = await count(tenant, "idempotency_keys")
    accepted = await write(tenant, request, tenant.write(COFFEE))

    assert (refused.results[0].status, kept) == ("unknown_agent", 0)
    assert accepted.results[0].status == "accepted"


async def test_a_batch_keeps_what_each_of_its_memories_came_to(tenant: Tenant) -> None:
    """Places that were refused before they came here are left out."""
    other = await tenant.with_agent("other")
    stray = replace(tenant.write(LIFT), memory=replace(tenant.new_memory(LIFT), agent_id=uuid4()))
    writes = {
        0: tenant.write(COFFEE),
        2: other.write(COFFEE),
        3: stray,
        5: tenant.write(COFFEE),
        6: tenant.write("Two.", supersedes=uuid4()),
    }
    memories, request = PostgresMemories(tenant.database), asked(tenant.principal)

    first = await memories.write(tenant.principal, writes, once=request)
    again = await memories.write(tenant.principal, writes, once=request)

    statuses = {place: result.status for place, result in first.results.items()}
    assert statuses == {0: "accepted", 2: "accepted", 3: "unknown_agent", 5: "duplicate", 6: "unknown_supersedes"}
    assert first.changes.keys() == {tenant.agent_id, other.agent_id}
    assert again == WriteReport(first.results)


async def test_a_writer_that_dies_before_its_commit_has_done_nothing_and_its_key_is_free(
    tenant: Tenant, other_instance: Database, observer: AsyncConnection[Any]
) -> None:
    request = asked(tenant.principal)
    async with tenant.database.transaction(tenant.org_id) as blocking:
        await blocking.fetch("SELECT 1 FROM agents WHERE agent_id = %s FOR UPDATE", [tenant.agent_id])
        dying = asyncio.create_task(write(tenant, request, tenant.write(COFFEE), database=other_instance))
        await terminate_who_waits(observer)

        with pytest.raises(StoreError):
            await dying
    again = await write(tenant, request, tenant.write(COFFEE))

    assert again.results[0].status == "accepted"
    assert await count(tenant) == 1


async def terminate_who_waits(observer: AsyncConnection[Any]) -> None:
    """Ends the one that waits for the agent's row, its claim made."""
    while True:
        cursor = await observer.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE wait_event_type = 'Lock' AND query LIKE '%FOR NO KEY UPDATE%' AND query LIKE '%next_document%'"
        )
        if (await cursor.fetchone() or (0,))[0]:
            return
        await asyncio.sleep(0.01)


async def test_of_many_at_once_one_does_it_and_the_others_get_its_answer(
    tenant: Tenant, other_instance: Database
) -> None:
    request, life = asked(tenant.principal), PostgresMemoryLife(tenant.database)
    (memory_id,) = await tenant.remember_texts(COFFEE)
    lives = [life, PostgresMemoryLife(other_instance)] * 6

    rated = await asyncio.gather(
        *(one.rate(tenant.principal, memory_id, uuid4(), positive=True, once=request) for one in lives)
    )

    assert {(one.positive_count, one.negative_count) for one in rated} == {(1, 0)}
    assert Counter(one.outcome.status for one in rated) == {"done": 1, "again": 11}
    assert await count(tenant, "feedback") == 1


async def test_batches_over_the_same_agents_in_any_order_never_wait_for_each_other_in_a_circle(
    tenant: Tenant, other_instance: Database
) -> None:
    others = [tenant, *[await tenant.with_agent(f"agent {number}") for number in range(3)]]

    def batch(number: int) -> list[MemoryWrite]:
        order = others if number % 2 else others[::-1]
        return [one.write(f"Text {number} of {one.agent_id}.") for one in order]

    reports = await asyncio.gather(
        *(
            write(tenant, asked(tenant.principal, f"key {number}"), *batch(number), database=database)
            for number in range(8)
            for database in [tenant.database if number % 3 else other_instance]
        )
    )

    assert {result.status for report in reports for result in report.results.values()} == {"accepted"}
    assert await count(tenant) == 8 * len(others)


REQUESTS = st.lists(
    st.tuples(st.sampled_from(["one", "two"]), st.sampled_from("ab"), st.sampled_from([None, "ann", "bob"])),
    min_size=2,
    max_size=12,
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests=REQUESTS)
async def test_however_requests_mix_each_key_has_one_effect(
    tenant: Tenant, requests: list[tuple[str, str, str | None]]
) -> None:
    """All at once: of the bodies that come with one key of one end user, one takes effect, and the others are told."""
    credential = uuid4()

    async def ask(key: str, body: str, user: str | None) -> UUID | None:
        acting = replace(tenant, principal=replace(tenant.principal, key_id=credential, user_id=user))
        text = acting.write(f"Text {key} {body} of {credential}.", user_id=user)
        try:
            report = await write(acting, asked(acting.principal, key, body), text)
        except Conflict:
            return None
        return UUID(str(report.results[0].memory_id))

    before = await count(tenant)
    answers = await asyncio.gather(*(ask(*request) for request in requests))

    effects: dict[tuple[str, str | None], set[tuple[str, UUID]]] = {}
    for (key, body, user), answer in zip(requests, answers, strict=True):
        effects.setdefault((key, user), set()).update({(body, answer)} if answer else set())
    assert all(len(of_key) == 1 for of_key in effects.values())
    winners = {key: body for key, ((body, _),) in effects.items()}
    assert [answer is not None for answer in answers] == [winners[key, user] == body for key, body, user in requests]
    assert await count(tenant) == before + len(effects)


async def two(tenant: Tenant) -> tuple[UUID, UUID]:
    first, second = await tenant.remember_texts(COFFEE, LIFT)
    return first, second


Effect = Callable[[Tenant, UUID, UUID, Once], Awaitable[Any]]


async def restored(tenant: Tenant, first: UUID, second: UUID, request: Once) -> object:
    life = PostgresMemoryLife(tenant.database)
    if not await life.was_done(tenant.principal, request):
        await life.forget(tenant.principal, first, NOW)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, first, deleted=True)
    assert stored is not None
    revision = Revision(stored, replace(tenant.write(COFFEE), memory_id=first), "active")
    return (await life.restore(tenant.principal, revision, once=request)).status in {"done", "again"}


async def unsuperseded(tenant: Tenant, first: UUID, second: UUID, request: Once) -> object:
    life = PostgresMemoryLife(tenant.database)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, first)
    if not await life.was_done(tenant.principal, request):
        await tenant.remember(tenant.write("The kettle is new.", supersedes=first))
        stored = await PostgresMemories(tenant.database).get(tenant.principal, first)
    assert stored is not None
    revision = Revision(stored, replace(tenant.write(COFFEE), memory_id=first), "active")
    return (await life.unsupersede(tenant.principal, revision, uuid4(), once=request)).status in {"done", "again"}


async def related(tenant: Tenant, first: UUID, second: UUID, request: Once) -> object:
    relation = Relation(uuid4(), first, second, "similar", 0.5)
    found = await PostgresMemoryLife(tenant.database).relate(tenant.principal, relation, once=request)
    assert found is not None
    return found.relation, found.new


async def rated(tenant: Tenant, first: UUID, request: Once) -> object:
    found = await PostgresMemoryLife(tenant.database).rate(tenant.principal, first, uuid4(), True, once=request)
    return found.positive_count, found.negative_count


def asking(tenant: Tenant) -> Asking:
    own = tenant.principal
    return Asking(own.org_id, own.project_id, own.environment, own.key_id)


async def erasure(tenant: Tenant, request: Once) -> object:
    """Done by the time that it is asked for again, when it would be another one."""
    erasures = PostgresErasures(tenant.database)
    asked_for = await erasures.request(asking(tenant), uuid4(), "user", "ann", once=request)
    assert asked_for is not None
    if asked_for.state == "running":
        await erasures.finish(asked_for)
    return asked_for.erasure_id


EFFECTS: dict[str, Effect] = {
    "a relation": related,
    "feedback": lambda tenant, first, second, request: rated(tenant, first, request),
    "restoring": restored,
    "the undoing of a supersession": unsuperseded,
    "an agent": lambda tenant, first, second, request: PostgresDirectory(tenant.database).create(
        tenant.principal, uuid4(), "new", once=request
    ),
    "a key": lambda tenant, first, second, request: PostgresApiKeys(tenant.database).create(
        tenant.principal, uuid4(), uuid4().bytes, KeyRequest("new", ("query",)), once=request
    ),
    "an erasure": lambda tenant, first, second, request: erasure(tenant, request),
}


TABLES = ("memories", "memory_relations", "feedback", "agents", "api_keys", "erasures", "idempotency_keys")


@pytest.mark.parametrize("effect", EFFECTS.values(), ids=list(EFFECTS))
async def test_everything_else_that_is_posted_is_done_once_too(tenant: Tenant, effect: Effect) -> None:
    first, second = await two(tenant)
    request = asked(tenant.principal)

    answers = [await effect(tenant, first, second, request)]
    after_one = [await count(tenant, table) for table in TABLES]
    answers += [await effect(tenant, first, second, request) for _ in range(2)]

    assert answers == answers[:1] * 3
    assert [await count(tenant, table) for table in TABLES] == after_one
    with pytest.raises(Conflict):
        await effect(tenant, first, second, asked(tenant.principal, body="another"))


async def test_two_erasures_asked_for_at_once_with_keys_do_not_wait_for_each_other_in_a_circle(tenant: Tenant) -> None:
    erasures = PostgresErasures(tenant.database)
    await tenant.database.warm()

    asked_for = await asyncio.gather(
        *(
            erasures.request(asking(tenant), uuid4(), "user", "ann", once=asked(tenant.principal, f"key {number}"))
            for number in range(6)
        )
    )

    (erasure,) = {one.erasure_id: one for one in asked_for if one}.values()
    await erasures.finish(erasure)


async def test_after_24_hours_a_key_is_new(tenant: Tenant, observer: AsyncConnection[Any]) -> None:
    first = await write(tenant, asked(tenant.principal), tenant.write(COFFEE))
    await write(tenant, asked(tenant.principal, "young"), tenant.write(LIFT))

    async def age(key: str, hours: int) -> None:
        await observer.execute(
            "UPDATE idempotency_keys k SET created_at = now() - %s FROM organizations o WHERE o.org_id = k.org_id "
            "AND k.org_id = %s AND k.idempotency_key = sha256(o.subject_key || %s)",
            (timedelta(hours=hours), tenant.org_id, asked(tenant.principal, key).key),
        )

    await age("young", 23)
    await age("key", 25)
    second = await write(tenant, asked(tenant.principal, body="another"), tenant.write("Another text."))
    taken_over = await count(tenant, "idempotency_keys")
    await age("key", 25)
    swept = await PostgresUpkeep(tenant.database).forget(tenant.org_id, (await now(tenant)), 100)

    assert [report.results[0].status for report in (first, second)] == ["accepted", "accepted"]
    assert (taken_over, swept["answers"]) == (2, 1)
    assert await count(tenant, "idempotency_keys") == 1


async def now(tenant: Tenant) -> Any:
    return (await tenant.fetch("SELECT now()"))[0][0]


async def test_the_erasure_of_a_person_or_an_agent_takes_the_answers_about_it_along(tenant: Tenant) -> None:
    ann = replace(tenant, principal=replace(tenant.principal, user_id="ann"))
    other = await tenant.with_agent("other")
    (of_bob,) = await tenant.remember_texts(COFFEE, user_id="bob")
    (of_other,) = await other.remember_texts(LIFT)
    relation = Relation(uuid4(), of_bob, of_other, "similar", 0.5)
    requests = [asked(tenant.principal, f"key {number}") for number in range(4)]
    life = PostgresMemoryLife(tenant.database)

    await write(ann, asked(ann.principal), ann.write("Of nobody."))
    await write(tenant, requests[0], tenant.write("Of Ann.", user_id="ann"))
    await life.rate(ann.principal, of_other, uuid4(), True, once=asked(ann.principal, "rating"))
    await PostgresMemoryLife(tenant.database).relate(tenant.principal, relation, once=requests[1])
    await life.rate(tenant.principal, of_bob, uuid4(), True, once=requests[2])
    left = [await count(tenant, "idempotency_keys")]
    for kind, subject in (("user", "ann"), ("user", "bob"), ("agent", str(other.agent_id))):
        erasures = PostgresErasures(tenant.database)
        running = await erasures.request(asking(tenant), uuid4(), kind, subject, once=asked(ann.principal, subject))
        assert running is not None
        while await erasures.erase_memories(running, 100):
            pass
        while await erasures.erase_records(running, 100):
            pass
        await erasures.finish(running)
        left.append(await count(tenant, "idempotency_keys"))

    # Each erasure leaves its own answer, which names nobody.
    assert left == [5, 3, 2, 3]
    ((answers,),) = await tenant.fetch("SELECT string_agg(answer::text, ' ') FROM idempotency_keys")
    assert "ann" not in answers


async def test_what_is_kept_holds_no_word_of_anybody(tenant: Tenant) -> None:
    secret = "xylophone"
    texts = {"summary": secret, "context": secret, "tags": (secret,), "client_ref": secret, "user_id": secret}
    acting = replace(tenant, principal=replace(tenant.principal, user_id=secret))

    await write(acting, asked(acting.principal, secret, secret), acting.write(f"The {secret}.", **texts))
    rows = await tenant.fetch("SELECT idempotency_keys::text, idempotency_key, request FROM idempotency_keys")

    assert len(rows) == 1
    assert secret not in json.dumps(rows, default=str)
    # Whoever reads the table cannot look for what they know, either.
    own = asked(acting.principal, secret, secret)
    assert own.key not in map(bytes, rows[0][1:])
    assert own.request not in map(bytes, rows[0][1:])


async def test_a_read_with_a_key_is_told_from_another_and_goes_on_without_redis(
    tenant: Tenant, redis: RedisClient
) -> None:
    keys = RedisQueryCache(redis)
    first, other = asked(tenant.principal), asked(tenant.principal, body="another")

    known = [await keys.is_same(tenant.org_id, request) for request in (first, first, other, first)]
    await redis.put(f"{tenant.org_id}:request:{{{first.key.hex()}}}", b"2 of another version", seconds=5)
    unreadable = await keys.is_same(tenant.org_id, other)
    gone = RedisClient("redis://127.0.0.1:1/0")
    await Repeats(RedisQueryCache(gone)).require_same(tenant.org_id, other)
    await gone.close()

    assert (known, unreadable) == ([True, True, False, True], True)
