"""Answers to popular queries: kept without text, and gone with the next write in their scope."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from local.servers import AwsServer, Cache
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.ranking.helpfulness import QUERY_LINES
from remembrancer.domain.retrieval.intents import TIERS
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from remembrancer.usecases.usage.apply_side_effects import SideEffects
from tests.builders import SetClock
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.query_bench import QueryBench, ids, query_bench
from tests.integration.engine.tenant import Tenant

COFFEE = "The coffee machine is in the kitchen."
LIFT = "The lift is out of order."
QUESTION = "Where does the coffee machine stand?"


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient) -> QueryBench:
    stored = await tenant.remember_texts(COFFEE, LIFT)
    await tenant.embed(stored)
    return query_bench(tenant, redis)


async def work(bench: QueryBench) -> None:
    """What the side-effects worker does with the messages that were sent."""
    effects = SideEffects(PostgresUsage(bench.tenant.database), bench.cache, bench.popular, SystemClock())
    events = [
        UsageEvent(
            UUID(str(message["event_id"])),
            UUID(str(message["org_id"])),
            bench.tenant.agent_id,
            tuple(UUID(one) for one in message["memory_ids"]),
            "query",
            datetime.fromisoformat(str(message["at"])),
            message["session_id"],
            message["user_id"],
            message["query_key"],
        )
        for message in bench.sent.messages
    ]
    bench.sent.messages.clear()
    assert await effects.apply(events) == {}


async def ask(bench: QueryBench, times: int = 1, **fields: Any) -> dict[str, Any]:
    """The last answer; each is worked off before the next question."""
    for _ in range(times):
        answer = await bench.ask(QUESTION, **fields)
        await work(bench)
    return answer


def hit(answer: dict[str, Any]) -> bool:
    return bool(answer["routing_info"]["result_cache"]["hit"])


async def test_the_third_time_an_answer_is_kept_and_the_next_one_is_the_same(bench: QueryBench) -> None:
    answers = [await ask(bench) for _ in range(4)]

    assert [hit(answer) for answer in answers] == [False, False, False, True]
    third, fourth = answers[2:]
    assert fourth["memories"] == [memory | {"usage_count": memory["usage_count"] + 1} for memory in third["memories"]]
    assert fourth["explanations"] == third["explanations"]
    assert fourth["routing_info"]["factor_ranges"] == third["routing_info"]["factor_ranges"]
    assert fourth["degraded"] == []


async def test_a_kept_answer_that_was_cut_ends_the_same(bench: QueryBench) -> None:
    others = [
        f"The {thing} was repaired in May." for thing in ("boiler", "roof", "gate", "boat", "pump", "shed", "oven")
    ]
    await bench.tenant.embed(await bench.tenant.remember_texts("Tea is served at five.", "The cook is off.", *others))

    third, fourth = [await ask(bench, times, k=10, thoroughness="lean") for times in (3, 1)]
    whole = await ask(bench, k=10, thoroughness="all")

    assert hit(fourth)
    assert [memory["content"] for memory in fourth["memories"]] == [COFFEE]
    assert (fourth["ended_by"], fourth["left_out"]) == (third["ended_by"], third["left_out"]) == ("line", 9)
    assert fourth["routing_info"]["line"] == third["routing_info"]["line"] == QUERY_LINES["lean"]
    assert fourth["routing_info"]["helpfulness"] == third["routing_info"]["helpfulness"]
    assert fourth["explanations"] == third["explanations"]
    assert len(whole["memories"]) == 10


async def test_a_kept_answer_counts_as_use_like_any_other(bench: QueryBench) -> None:
    await ask(bench, 4)

    assert {row[0] for row in await bench.tenant.fetch("SELECT usage_count FROM memories")} == {4}


async def test_a_write_in_the_scope_makes_it_miss(bench: QueryBench) -> None:
    assert hit(await ask(bench, 4))

    (new,) = await bench.tenant.remember_texts("A second coffee machine is in the attic.")
    answer = await ask(bench)

    assert not hit(answer)
    assert new in ids(answer)
    assert hit(await ask(bench))


class Written(PostgresRecall):
    """A store in which something is written just before its state is read."""

    def __init__(self, tenant: Tenant) -> None:
        super().__init__(tenant.database)
        self.tenant = tenant

    async def state(self, scope: Scope, *, now: datetime) -> int:
        # So that a search that runs beside has its end before the write.
        await asyncio.sleep(0.2)
        await self.tenant.remember_texts("A second coffee machine is in the attic.")
        return await super().state(scope, now=now)


@pytest.mark.parametrize("has_current_map", [True, False])
async def test_what_a_search_began_too_early_to_find_is_not_kept_as_complete(
    bench: QueryBench, has_current_map: bool
) -> None:
    """Where the embedding is free, searches run beside the look-up, which reads the scope's state."""
    bench = bench.searching(embedding=QueryEmbedding(bench.embedder, last=HashEmbedder()))
    await bench.announce()
    # The low tier has no time to search again where the store contradicts the map.
    await ask(bench, 2, computation_tier="low")
    if not has_current_map:
        await bench.tenant.fetch("UPDATE agents SET removals = removals + 1, version = version + 1 RETURNING version")
        await bench.announce()
    written = replace(bench.queries.popular, store=Written(bench.tenant))

    third = await ask(replace(bench, queries=replace(bench.queries, popular=written)), computation_tier="low")
    fourth = await ask(bench, computation_tier="low")

    assert third["routing_info"]["result_cache"]["popular"]
    assert third["routing_info"]["vector_strategy"] == ("map" if has_current_map else "exact")
    assert len(third["memories"]) == 2
    assert not hit(fourth)


async def test_over_all_agents_a_write_to_any_of_them_makes_it_miss(bench: QueryBench) -> None:
    other = await bench.tenant.with_agent("other")
    elsewhere = await bench.tenant.with_agent("elsewhere", environment="staging")
    assert hit(await ask(bench, 4, agent_id=None))

    await elsewhere.remember_texts("Another environment is another scope.")
    unchanged = await ask(bench, agent_id=None)
    (new,) = await other.remember_texts("Their coffee machine is broken.")
    changed = await ask(bench, agent_id=None)

    assert hit(unchanged)
    assert not hit(changed)
    assert new in ids(changed)


async def test_what_expires_meanwhile_makes_it_miss(bench: QueryBench) -> None:
    """No write says so; the row does."""
    tenant = bench.tenant
    soon = datetime.now(UTC) + timedelta(hours=1)
    (tea,) = await tenant.remember_texts("Tea comes out of the coffee machine too.", expires_at=soon)
    first = await ask(bench, 4)
    later = replace(bench, queries=replace(bench.queries, clock=SetClock(start=None, seconds=2 * 3600)))

    answer = await ask(later)

    assert hit(first)
    assert tea in ids(first)
    assert not hit(answer)
    assert tea not in ids(answer)


async def test_what_becomes_valid_meanwhile_makes_it_miss(bench: QueryBench) -> None:
    """No write says so, nor any row of the answer."""
    tenant = bench.tenant
    soon = datetime.now(UTC) + timedelta(hours=1)
    (tea,) = await tenant.remember_texts("Tea comes out of the coffee machine too.", valid_from=soon)
    first = await ask(bench, 4)
    later = replace(bench, queries=replace(bench.queries, clock=SetClock(start=None, seconds=2 * 3600)))

    answers = [await ask(later), await ask(later)]

    assert hit(first)
    assert tea not in ids(first)
    assert [hit(answer) for answer in answers] == [False, True]
    assert all(tea in ids(answer) for answer in answers)


async def test_custom_weights_never_use_it(bench: QueryBench) -> None:
    await ask(bench, 4)

    weighted = [await ask(bench, weights={"recency": 1}) for _ in range(4)]

    assert not any(hit(answer) for answer in weighted)
    assert weighted[-1]["routing_info"]["result_cache"] == {"hit": False, "skipped": "custom weights"}


@pytest.mark.parametrize(
    "fields",
    [
        {"k": 1},
        {"thoroughness": "lean"},
        {"filters": {"categories": ["factual"]}},
        {"session_id": "s"},
        {"traversal_depth": 2},
        {"agent_id": None},
    ],
    ids=lambda fields: next(iter(fields)),
)
async def test_another_question_is_another_answer(bench: QueryBench, fields: dict[str, Any]) -> None:
    await ask(bench, 4)

    assert not hit(await ask(bench, **fields))


async def test_it_is_never_shared_between_end_users_projects_and_organizations(
    bench: QueryBench, stranger: Tenant, redis: RedisClient
) -> None:
    principal = bench.tenant.principal
    await ask(bench, 4, agent_id=None)

    others = [replace(principal, user_id="ada"), replace(principal, environment="staging")]
    answers = [await ask(bench, agent_id=None, principal=other) for other in others]
    foreign = await query_bench(stranger, redis).ask(QUESTION, agent_id=None)

    assert not any(hit(answer) for answer in [*answers, foreign])
    assert foreign["memories"] == []


async def test_nothing_of_a_memorys_text_is_kept(
    tenant: Tenant, redis: RedisClient, valkey_server: Cache, aws_server: AwsServer
) -> None:
    """Not even of words: and what was sealed is opened for each answer anew."""
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    await vault.remember_texts(COFFEE)
    bench = query_bench(tenant, redis, opener=vault.ring, organizations=vault.ring)
    answer = await ask(bench, 4)

    async with Redis.from_url(valkey_server.url) as raw:
        (kept,) = [await raw.get(key) async for key in raw.scan_iter(f"{tenant.org_id}:query:*")]

    assert hit(answer)
    assert [memory["content"] for memory in answer["memories"]] == [COFFEE]
    assert answer["explanations"][0]["matched_terms"]
    assert [word for word in ("coffe", "machin", "kitchen") if word in repr(kept)] == []


async def test_a_silent_store_does_not_take_a_popular_querys_time(bench: QueryBench) -> None:
    kept = await ask(bench, 4)
    counted = await ask(bench, 2, k=7)
    silent = bench.with_hanging_postgres(dict.fromkeys(TIERS, 2_000.0))

    answers = [await silent.ask(QUESTION), await silent.ask(QUESTION, k=7)]

    assert hit(kept) and not hit(counted)
    assert [ids(answer) for answer in answers] == [ids(kept), ids(counted)]
    assert [answer["degraded"] for answer in answers] == [["history_timeout", "unconfirmed:timeout"]] * 2
    assert [answer["routing_info"]["vector_strategy"] for answer in answers] == ["map"] * 2


async def test_an_incomplete_answer_is_not_kept(bench: QueryBench) -> None:
    bench.embedder.failures = 99

    answers = [await ask(bench) for _ in range(5)]

    assert [answer["degraded"] for answer in answers] == [["hash_embedding"]] * 5
    assert not any(hit(answer) for answer in answers)


@pytest.mark.parametrize(
    "damaged",
    [b"", b"{}", b"\xff", b"[]", b'{"schema": 1}', b'{"schema": 1, "state": 0, "results": [{"id": 7}], "ranges": {}}'],
)
async def test_what_cannot_be_read_is_a_miss(bench: QueryBench, damaged: bytes) -> None:
    await bench.ask(QUESTION)
    key = str(bench.sent.messages[0]["query_key"])
    await bench.popular.put(bench.tenant.org_id, key, damaged)

    answer = await bench.ask(QUESTION)

    assert not hit(answer)
    assert len(answer["memories"]) == 2


@pytest.mark.parametrize("user_id", ["ada", None])
async def test_what_another_end_user_has_asked_is_not_told_by_where_an_answer_comes_from(
    bench: QueryBench, user_id: str | None
) -> None:
    principal = replace(bench.tenant.principal, user_id=user_id)
    await ask(bench, times=5, principal=replace(principal, user_id="bob"))

    first, second = await ask(bench, principal=principal), await ask(bench, principal=principal)

    assert [one["routing_info"]["embedding"]["origin"] for one in (first, second)] == ["embedder", "cache"]
    assert [one["routing_info"]["result_cache"] for one in (first, second)] == [
        {"hit": False, "asked": 0, "popular": False},
        {"hit": False, "asked": 1, "popular": False},
    ]


async def test_redelivered_events_count_once(bench: QueryBench) -> None:
    await bench.ask(QUESTION)
    message = dict(bench.sent.messages[0])
    await work(bench)
    for _ in range(3):
        bench.sent.messages.append(message)
        await work(bench)

    _, asked = await bench.popular.find(bench.tenant.org_id, str(message["query_key"]))

    assert asked == 1
    assert uuid4() not in ids(await bench.ask(QUESTION))


class LateDirectory:
    """Serves the Directory port of a store that does not answer."""

    async def organization(self, org_id: UUID) -> Organization | None:
        await asyncio.Event().wait()
        return None


async def test_a_query_whose_organization_comes_late_counts_as_any_other(bench: QueryBench) -> None:
    await bench.ask(QUESTION)
    (usual,) = bench.sent.messages
    organization = await bench.queries.directory.organization(bench.tenant.principal.org_id)
    late = bench.searching(remembered=lambda _: organization)
    popular = replace(bench.queries.popular, directory=LateDirectory(), cache_ms=1.0)  # type: ignore[arg-type]
    late = replace(late, queries=replace(late.queries, popular=popular))
    bench.sent.messages.clear()

    answer = await late.ask(QUESTION)

    assert answer["routing_info"]["result_cache"] == {"hit": False, "skipped": "late"}
    assert usual["query_key"]
    assert [message["query_key"] for message in bench.sent.messages] == [usual["query_key"]]
