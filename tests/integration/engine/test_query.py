"""The memory query from the use case down to the servers: its steps, their order and their account."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from psycopg import AsyncConnection

from local.servers import AwsServer
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.ranking.score_boosts import RELATION_BOOSTS
from remembrancer.domain.retrieval.intents import TIERS
from remembrancer.errors import NotFound
from remembrancer.ports.usage import UsageEvent
from remembrancer.usecases.retrieval.hot_set import entry
from tests.builders import SetClock
from tests.integration.engine import strangers
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.query_bench import (
    CountingEmbedder,
    OtherModel,
    QueryBench,
    ids,
    query_bench,
    without_maps,
)
from tests.integration.engine.tenant import Tenant

COFFEE = "The coffee machine is in the kitchen."
TEA = "The tea is beside the coffee machine in the kitchen."
LIFT = "The lift is out of order."
QUESTION = "Where does the coffee machine stand?"


@pytest.fixture
async def bench(tenant: Tenant, redis: RedisClient) -> QueryBench:
    return query_bench(tenant, redis)


async def remember(bench: QueryBench, *contents: str, **changes: Any) -> list[UUID]:
    """With vectors."""
    stored = await bench.tenant.remember_texts(*contents, **changes)
    await bench.tenant.embed(stored)
    return stored


ROUNDING = 0.0005
"""What each shown number may be off by."""


def recomputed(explanation: dict[str, Any], ranges: dict[str, list[float]]) -> float:
    """The final score from raw values, ranges, weights and edges alone; every number on the way must agree."""
    hybrid = 0.0
    for name, factor in explanation["factors"].items():
        low, high = ranges[name]
        if high - low >= 10 * ROUNDING:
            scaled = min(max((factor["raw"] - low) / (high - low), 0.0), 1.0)
            assert factor["normalised"] == pytest.approx(scaled, abs=ROUNDING + 3 * ROUNDING / (high - low)), name
        product = factor["weight"] * factor["normalised"]
        assert factor["contribution"] == pytest.approx(product, abs=3 * ROUNDING), name
        hybrid += factor["contribution"]
    assert explanation["hybrid_score"] == pytest.approx(hybrid, abs=ROUNDING * (len(explanation["factors"]) + 1))
    totals: dict[str, float] = {}
    for boost in explanation["boosts"]:
        if boost["kind"] == "relation":
            value = boost["boost"] * boost["confidence"] * 0.5 ** (boost["depth"] - 1)
        elif boost["kind"] == "personalisation":
            value = 0.10 * sum(boost["affinity"].values()) / 3
        else:
            value = {"session": 0.03, "own": 0.2}[boost["kind"]]
        assert boost["value"] == pytest.approx(value, abs=2 * ROUNDING)
        totals[boost["kind"]] = totals.get(boost["kind"], 0.0) + value
    if "relation" in totals:
        totals["relation"] = min(max(totals["relation"], -0.15), 0.15)
    assert explanation["boost_totals"] == pytest.approx(totals, abs=2 * ROUNDING)
    return hybrid + sum(totals.values())


def explained(answer: dict[str, Any], memory_id: UUID) -> dict[str, Any]:
    (found,) = [one for one in answer["explanations"] if one["id"] == str(memory_id)]
    return dict(found)


async def test_the_answer_says_what_each_of_the_twelve_steps_did(bench: QueryBench) -> None:
    stored = await remember(bench, COFFEE, TEA, LIFT)

    answer = await bench.ask(QUESTION, k=2)

    assert set(ids(answer)) == set(stored[:2])
    assert [step["step"] for step in answer["steps"]] == list(range(1, 13))
    assert answer["degraded"] == []
    assert answer["routing_info"]["candidates"] == 3
    assert bench.sent.messages[0]["memory_ids"] == [str(one) for one in ids(answer)]


async def test_only_results_that_are_answered_with_are_counted_also_of_a_kept_answer(bench: QueryBench) -> None:
    await remember(bench, COFFEE, TEA, LIFT)

    answers = [await bench.ask(QUESTION, k=2, most=1) for _ in range(5)]

    assert [len(ids(answer)) for answer in answers] == [1] * 5
    assert [answer["adjusted"] for answer in answers] == [{"k": {"given": 2, "used": 1}}] * 5
    assert [message["memory_ids"] for message in bench.sent.messages] == [[str(ids(answer)[0])] for answer in answers]


async def test_every_number_of_the_explanations_recomputes_to_the_final_score(bench: QueryBench) -> None:
    tenant = bench.tenant
    principal = replace(tenant.principal, user_id="ada")
    coffee, tea, lift = await remember(bench, COFFEE, TEA, LIFT, tags=("office",), user_id="ada")
    (stairs,) = await remember(bench, "The stairs are wet.", category="preference", created_at=datetime.now(UTC))
    await bench.relate(coffee, lift, "references", 0.7)
    await bench.relate(tea, coffee, "contradicts", 0.9)
    await bench.relate(lift, stairs, "supports", 0.8)
    await PostgresUsage(tenant.database).apply(
        tenant.org_id,
        [UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, (tea,), "query", datetime.now(UTC), "session-1", "ada")],
    )

    answer = await bench.ask(QUESTION, k=2, traversal_depth=3, session_id="session-1", principal=principal)

    kinds = {boost["kind"] for one in answer["explanations"] for boost in one["boosts"]}
    final = [recomputed(one, answer["routing_info"]["factor_ranges"]) for one in answer["explanations"]]
    assert kinds == {"relation", "personalisation", "session"}
    assert len(final) == 4
    scores = [memory["score"] for memory in answer["memories"]]
    assert [one["final_score"] for one in answer["explanations"]] == scores == sorted(scores, reverse=True)
    assert scores == pytest.approx(final, abs=0.01)


async def test_what_the_session_was_given_before_and_what_its_user_uses_is_lifted(bench: QueryBench) -> None:
    tenant = bench.tenant
    ada, bo = (replace(tenant.principal, user_id=name) for name in ("ada", "bo"))
    coffee, tea = await remember(bench, COFFEE, TEA)
    used = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, (tea,), "query", datetime.now(UTC), "monday", "ada")
    await PostgresUsage(tenant.database).apply(tenant.org_id, [used])

    again = await bench.ask(QUESTION, session_id="monday", principal=ada)
    later = await bench.ask(QUESTION, session_id="tuesday", principal=ada)
    other = await bench.ask(QUESTION, session_id="monday", principal=bo)

    assert explained(again, tea)["boost_totals"] == {"personalisation": 0.033, "session": 0.03}
    assert explained(again, coffee)["boost_totals"] == {"personalisation": 0.033}
    assert explained(later, tea)["boost_totals"] == {"personalisation": 0.033}
    assert explained(other, tea)["boost_totals"] == {}


async def test_the_own_memories_come_first_where_own_things_are_asked_for(bench: QueryBench) -> None:
    ada = replace(bench.tenant.principal, user_id="ada")
    shared = await remember(bench, "The bike of the month is a red bike.", "A bike needs air each month.")
    (own,) = await remember(bench, "Rides a blue Brompton with a dented mudguard.", user_id="ada")
    await remember(bench, "Rides a green bike.", user_id="bo")

    mine = await bench.ask("What colour is my bike?", principal=ada)
    any_ = await bench.ask("What colour is the bike of the month?", principal=ada)

    assert set(ids(mine)) == set(ids(any_)) == {own, *shared}
    assert explained(mine, own)["boost_totals"] == {"own": 0.2}
    assert [explained(mine, one)["boost_totals"] for one in shared] == [{}, {}]
    assert explained(any_, own)["boost_totals"] == {}
    for one in mine["explanations"]:
        assert recomputed(one, mine["routing_info"]["factor_ranges"]) == pytest.approx(one["final_score"], abs=0.01)


async def test_neighbours_of_the_best_join_them_with_the_path_that_led_there(bench: QueryBench) -> None:
    tenant = bench.tenant
    (coffee,) = await remember(bench, COFFEE)
    # Without vectors and without a word of the question, no search finds them.
    plumber, invoice, court = await tenant.remember_texts("Mrs Bell mends pipes.", "She sent a bill.", "She sued us.")
    await bench.relate(plumber, coffee, "supports", 0.5)
    await bench.relate(plumber, invoice, "caused_by", 0.8)
    await bench.relate(invoice, court, "continuation", 0.3)
    await bench.relate(court, coffee, "derived_from", 0.4)

    near, far = [await bench.ask(QUESTION, k=1, traversal_depth=depth) for depth in (1, 2)]
    everybody = await bench.ask(QUESTION, k=5, traversal_depth=3)

    assert ids(near) == [coffee]
    assert coffee in ids(far)
    assert len(ids(far)) == 2
    assert set(ids(everybody)) == {coffee, plumber, invoice, court}
    assert [(step["type"], step["confidence"]) for step in explained(everybody, invoice)["path"]] == [
        ("supports", 0.5),
        ("caused_by", 0.8),
    ]
    (from_plumber,) = [one for one in explained(everybody, invoice)["boosts"] if one["with"] == str(plumber)]
    assert from_plumber["depth"] == 2
    assert from_plumber["value"] == pytest.approx(RELATION_BOOSTS["caused_by"] * 0.8 * 0.5, abs=ROUNDING)
    assert everybody["routing_info"]["traversal"] == {"depth": 3, "reached": 3}


async def test_a_contradicting_edge_lowers_and_a_supporting_one_lifts(bench: QueryBench) -> None:
    coffee, tea = await remember(bench, COFFEE, TEA)
    before = await bench.ask(QUESTION)
    await bench.relate(coffee, tea, "contradicts", 0.6)
    lowered = await bench.ask(QUESTION)
    await bench.relate(coffee, tea, "supports", 1.0)
    both = await bench.ask(QUESTION)

    def score(answer: dict[str, Any]) -> float:
        return float(explained(answer, tea)["boost_totals"].get("relation", 0.0))

    assert (score(before), score(lowered), score(both)) == pytest.approx((0.0, -0.03, 0.03))


async def test_an_organization_has_its_own_table_of_boosts(bench: QueryBench, observer: AsyncConnection[Any]) -> None:
    coffee, tea = await remember(bench, COFFEE, TEA)
    await bench.relate(coffee, tea, "similar")
    await observer.execute(
        'UPDATE organizations SET settings = settings || \'{"relation_boosts": {"similar": 0.12}}\' WHERE org_id = %s',
        [bench.tenant.org_id],
    )

    answer = await bench.ask(QUESTION)

    assert explained(answer, tea)["boost_totals"] == pytest.approx({"relation": 0.12})


async def test_a_superseded_neighbour_is_replaced_by_the_newest_of_its_chain(bench: QueryBench) -> None:
    tenant = bench.tenant
    (coffee,) = await remember(bench, COFFEE)
    (first,) = await tenant.remember_texts("Mrs Bell mends pipes.")
    await bench.relate(coffee, first, "references", 0.9)
    (second,) = await tenant.remember_texts("Mr Orr mends pipes.", supersedes=first)
    (third,) = await tenant.remember_texts("Nobody mends pipes.", supersedes=second)

    answer = await bench.ask(QUESTION, traversal_depth=2)

    assert ids(answer) == [coffee, third]
    assert explained(answer, third)["path"] == [
        {"from": str(coffee), "to": str(third), "type": "references", "confidence": 0.9, "replaced": str(first)}
    ]


async def test_no_edge_leads_out_of_the_end_user_the_filters_or_the_agent(bench: QueryBench) -> None:
    tenant = bench.tenant
    ada = replace(tenant.principal, user_id="ada")
    (coffee,) = await remember(bench, COFFEE)
    (private,) = await tenant.remember_texts("Bo owes money.", user_id="bo")
    (own,) = await tenant.remember_texts("Ada owes money.", user_id="ada")
    (guess,) = await tenant.remember_texts("Somebody owes money.", confidence=0.1)
    behind = await tenant.remember_texts("Behind Bo.", "Behind the guess.")
    other = await tenant.with_agent("other")
    (elsewhere,) = await other.remember_texts("The others owe money.")
    for far in (private, own, guess, elsewhere):
        await bench.relate(coffee, far, "references")
    await bench.relate(private, behind[0], "references")
    await bench.relate(guess, behind[1], "references")

    answer = await bench.ask(QUESTION, traversal_depth=3, filters={"min_confidence": 0.5}, principal=ada)
    project = await bench.ask(QUESTION, k=9, traversal_depth=3, agent_id=None)

    assert set(ids(answer)) == {coffee, own}
    assert set(ids(project)) == {coffee, private, own, guess, elsewhere, *behind}


async def test_a_cluster_counts_by_its_centroid_and_without_one_its_memory_does(
    bench: QueryBench, observer: AsyncConnection[Any]
) -> None:
    tenant = bench.tenant
    coffee, tea = await remember(bench, COFFEE, TEA)
    (centroid,) = await bench.embedder.embed([LIFT])
    cluster_id = uuid4()
    await observer.execute(
        "INSERT INTO memory_clusters (cluster_id, org_id, agent_id, category, owner, centroid, members, "
        "embedding_model) VALUES (%s, %s, %s, 'factual', '', %s::text::halfvec, 1, 'hash')",
        [cluster_id, tenant.org_id, tenant.agent_id, str(centroid.tolist())],
    )
    await observer.execute("UPDATE memories SET cluster_id = %s WHERE memory_id = %s", [cluster_id, tea])

    answer = await bench.ask(QUESTION)

    (query,) = await bench.embedder.embed([QUESTION])
    factors = {one: explained(answer, one)["factors"] for one in (coffee, tea)}
    assert factors[tea]["cluster"]["raw"] == pytest.approx(max(float(query @ centroid), 0.0), abs=2e-3)
    assert factors[coffee]["cluster"]["raw"] == factors[coffee]["semantic"]["raw"]


async def test_what_is_deleted_meanwhile_is_dropped_and_counted(
    bench: QueryBench, observer: AsyncConnection[Any]
) -> None:
    """The hot set still has it when its row is gone."""
    tenant = bench.tenant
    coffee, tea = await remember(bench, COFFEE, TEA)
    search = bench.queries.retrieval.searcher.store
    (vector,) = await bench.embedder.embed([QUESTION])
    filters = replace(bench.filters(), tiers=())
    found = await search.nearest(tenant.scope(), vector, filters, model="hash", limit=9, now=datetime.now(UTC))
    await bench.warm_hot_set([entry(similar.memory, datetime.now(UTC)) for similar in found.found])
    await observer.execute("DELETE FROM memories WHERE memory_id = %s", [tea])

    answer = await bench.ask(QUESTION)

    assert ids(answer) == [coffee]
    assert answer["routing_info"]["dropped_rows"] == 1


async def test_what_does_not_open_is_redacted_below_everything_readable(
    tenant: Tenant, redis: RedisClient, aws_server: AwsServer, observer: AsyncConnection[Any]
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    bench = query_bench(tenant, redis, opener=vault.ring, organizations=vault.ring)
    coffee, lift = await vault.remember_texts(COFFEE, LIFT)
    await observer.execute("UPDATE memories SET sealed = sealed || 'x' WHERE memory_id = %s", [coffee])

    answer = await bench.ask("coffee machine lift")
    best = await bench.ask("coffee machine lift", k=1)

    assert ids(answer) == [lift, coffee]
    assert [memory["content"] for memory in answer["memories"]] == [LIFT, UNREADABLE_TEXT]
    assert answer["memories"][0]["score"] < answer["memories"][1]["score"]
    assert answer["degraded"] == ["decrypt_error:InvalidTag"]
    assert ids(best) == [lift]


async def test_the_summary_is_left_out_when_summaries_are_not_wanted(bench: QueryBench) -> None:
    await remember(bench, COFFEE, summary="Coffee: kitchen")

    answers = [await bench.ask(QUESTION, filters={"include_summaries": wanted}) for wanted in (True, False)]

    assert [answer["memories"][0]["summary"] for answer in answers] == ["Coffee: kitchen", None]


@pytest.mark.parametrize("tier", TIERS)
async def test_the_agents_map_answers_once_it_is_there_as_the_store_would(
    tenant: Tenant, redis: RedisClient, tier: str
) -> None:
    bench = query_bench(tenant, redis)
    stored = await remember(bench, COFFEE, TEA, LIFT)

    first, second = [await bench.ask("coffee machine", k=3, computation_tier=tier) for _ in range(2)]
    (new,) = await remember(bench, "A coffee machine of the newest kind.")
    await bench.announce()
    third = await bench.ask("coffee machine", k=4, computation_tier=tier)

    strategies = [answer["routing_info"]["vector_strategy"] for answer in (first, second, third)]
    assert strategies == ["exact", "map", "map"]
    assert ids(first) == ids(second)
    assert set(ids(first)) == set(stored)
    assert new in ids(third)
    assert second["explanations"][0]["matched_terms"] == ["coffe", "machin"]


@pytest.mark.parametrize("tier", ["medium", "high"])
async def test_a_write_that_the_cache_was_not_told_of_is_found_all_the_same(
    tenant: Tenant, redis: RedisClient, tier: str
) -> None:
    bench = query_bench(tenant, redis)
    await remember(bench, COFFEE, TEA)
    await bench.ask("coffee machine", computation_tier=tier)

    (new,) = await remember(bench, "A coffee machine of the newest kind.")
    answers = [await bench.ask("coffee machine", computation_tier=tier) for _ in range(2)]

    assert [answer["routing_info"]["vector_strategy"] for answer in answers] == ["exact", "map"]
    assert [new in ids(answer) for answer in answers] == [True, True]


async def test_what_a_map_cannot_read_in_time_is_asked_of_the_store(
    tenant: Tenant, redis: RedisClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = query_bench(tenant, redis)
    await remember(bench, COFFEE, TEA)
    await bench.ask("coffee machine", computation_tier="low")
    (new,) = await remember(bench, "A coffee machine of the newest kind.")
    await bench.announce()
    maps = bench.queries.retrieval.searcher.maps
    page = maps._source.page

    async def late(*arguments: Any, **named: Any) -> Any:
        await asyncio.sleep(0.5)
        return await page(*arguments, **named)

    monkeypatch.setattr(maps._source, "page", late)

    hurried = replace(bench, queries=replace(bench.queries, map_ms=200.0))
    answer = await hurried.ask("coffee machine", k=3, computation_tier="low")

    assert answer["routing_info"]["vector_strategy"] == "exact"
    assert new in ids(answer)


async def test_a_memory_of_the_map_counts_its_use_of_now(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis)
    await remember(bench, COFFEE, TEA)
    before = await bench.ask(QUESTION)
    used_at = datetime.now(UTC) - timedelta(hours=1)
    await tenant.fetch("UPDATE memories SET usage_count = 7, last_accessed_at = %s RETURNING 1", used_at)

    after = await bench.ask(QUESTION)

    assert after["routing_info"]["vector_strategy"] == "map"
    assert [[memory["usage_count"] for memory in answer["memories"]] for answer in (before, after)] == [[0, 0], [7, 7]]
    assert after["explanations"][0]["factors"]["usage"]["raw"] == round(math.log1p(7) / 5, 3)


async def cluster(
    bench: QueryBench, observer: AsyncConnection[Any], text: str, owner: str, memory_ids: Sequence[UUID]
) -> None:
    """Puts memories into one cluster, whose centroid is the vector of a text."""
    (centroid,) = await bench.embedder.embed([text])
    cluster_id = uuid4()
    await observer.execute(
        "INSERT INTO memory_clusters (cluster_id, org_id, agent_id, category, owner, centroid, members, "
        "embedding_model) VALUES (%s, %s, %s, 'factual', %s, %s::text::halfvec, %s, 'hash')",
        [cluster_id, bench.tenant.org_id, bench.tenant.agent_id, owner, str(centroid.tolist()), len(memory_ids)],
    )
    await observer.execute(
        "UPDATE memories SET cluster_id = %s WHERE memory_id = ANY(%s) AND coalesce(user_id, '') = %s",
        [cluster_id, list(memory_ids), owner],
    )


def origin_of_history(answer: dict[str, Any]) -> str | None:
    """`instance` where ranking data was kept, None where the store was read."""
    origin: str | None = answer["routing_info"]["sources"]["history"].get("origin")
    return origin


async def asked_until_kept(bench: QueryBench, question: str = QUESTION, **fields: Any) -> dict[str, Any]:
    """The first answer whose ranking data this instance has kept."""
    for _ in range(4):
        answer = await bench.ask(question, **fields)
        if origin_of_history(answer) == "instance":
            return answer
    raise AssertionError("nothing was kept")


async def test_ranking_data_is_kept_for_an_agent_that_is_asked_again(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis)
    await remember(bench, COFFEE, TEA)

    answers = [await bench.ask(f"{QUESTION} {number}") for number in range(4)]

    assert [origin_of_history(one) for one in answers] == [None, None, None, "instance"]
    assert answers[3]["routing_info"]["sources"]["history"]["count"] == 2
    assert answers[3]["degraded"] == []


async def test_what_was_removed_is_dropped_though_the_cache_was_not_told_and_ranking_data_is_kept(
    tenant: Tenant, redis: RedisClient
) -> None:
    bench = query_bench(tenant, redis)
    coffee, tea = await remember(bench, COFFEE, TEA)
    await asked_until_kept(bench)
    assert await PostgresMemoryLife(tenant.database).forget(tenant.principal, tea, datetime.now(UTC))

    answer = await bench.ask(QUESTION)

    assert ids(answer) == [coffee]
    assert origin_of_history(answer) is None


async def test_a_new_relation_counts_at_once_though_ranking_data_is_kept(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis)
    coffee, tea = await remember(bench, COFFEE, TEA)
    await asked_until_kept(bench)
    await bench.relate(coffee, tea, "supports")
    await bench.announce()

    answer = await bench.ask(QUESTION)

    assert {boost["type"] for one in (coffee, tea) for boost in explained(answer, one)["boosts"]} == {"supports"}


async def test_a_request_that_weighs_use_itself_gets_the_use_of_now(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis)
    await remember(bench, COFFEE, TEA)
    await asked_until_kept(bench)
    await tenant.fetch("UPDATE memories SET usage_count = 7 RETURNING 1")

    answers = [await bench.ask(QUESTION, weights=weights) for weights in ({"usage": 0.5}, {"semantic": 0.7})]

    assert [{one["usage_count"] for one in answer["memories"]} for answer in answers] == [{7}, {0}]


async def test_session_and_end_user_are_read_beside_kept_ranking_data(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis)
    coffee, tea = await remember(bench, COFFEE, TEA)
    ann = replace(tenant.principal, user_id="ann")
    first = await asked_until_kept(bench, principal=ann, session_id="s")
    used = UsageEvent(uuid4(), tenant.org_id, tenant.agent_id, (tea,), "query", datetime.now(UTC), "s", "ann")
    await PostgresUsage(tenant.database).apply(tenant.org_id, [used])

    answer = await bench.ask("coffee machine", principal=ann, session_id="s")

    assert first["explanations"][0]["boosts"] == []
    assert origin_of_history(answer) == "instance"
    assert explained(answer, tea)["boost_totals"] == {"personalisation": 0.033, "session": 0.03}
    assert explained(answer, coffee)["boost_totals"] == {"personalisation": 0.033}


PEOPLE = ("Ada", "Bo", "Cleo")
THINGS = ("goose", "eagle", "judo", "karate", "coffee", "tea", "library", "ferry", "storm", "kitchen", "bird", "garden")


async def test_map_and_postgres_rank_the_same_memories_by_the_same_numbers(
    tenant: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    """Every memory is a candidate: of those with next to no similarity, rounding would decide which are left out."""
    bench = query_bench(tenant, redis)
    without_map = bench.searching(maps=without_maps(bench))
    random = np.random.default_rng(4)
    writes = [
        tenant.write(
            f"{random.choice(PEOPLE)}: {number} {' '.join(random.choice(THINGS, random.integers(1, 9)))}",
            context=" ".join(random.choice(THINGS, 4)) if number % 3 else None,
            session_id=f"session {number // 9}" if number % 4 else None,
            user_id=(None, "ann", "bob")[number % 3],
            importance=float(np.float32(random.uniform())),
            created_at=datetime.now(UTC) - timedelta(days=float(random.uniform(0, 60))),
        )
        for number in range(75)
    ]
    stored = [result.memory_id for result in await tenant.remember(*writes) if result.memory_id]
    await tenant.embed([identifier for number, identifier in enumerate(stored) if number % 7])
    await cluster(bench, observer, THINGS[0], "", stored[0::6])
    await cluster(bench, observer, THINGS[4], "ann", stored[1::6])
    used = datetime.now(UTC) - timedelta(days=2)
    await tenant.fetch(
        "UPDATE memories SET usage_count = 3, last_accessed_at = %s WHERE memory_id = ANY(%s) RETURNING 1",
        used,
        stored[::5],
    )
    for first, second, kind in ((0, 3, "supports"), (1, 4, "contradicts"), (6, 9, "refines"), (1, 2, "extends")):
        await bench.relate(stored[first], stored[second], kind, 0.8)
    ann = replace(tenant.principal, user_id="ann")
    for _ in range(3):
        await bench.ask("anything", computation_tier="low")

    for question, tier in (
        ("Which birds did Ada see yesterday?", "low"),
        ("martial arts in the library", "medium"),
        ("storm", "high"),
        ("when did bo have tea", "medium"),
    ):
        for fields in ({"k": 20}, {"k": 5, "principal": ann}, {"k": 50, "filters": {"min_confidence": 0.2}}):
            mapped = await bench.ask(question, computation_tier=tier, **fields)
            kept = await without_map.ask(question, computation_tier=tier, **fields)

            assert [one["routing_info"]["vector_strategy"] for one in (mapped, kept)] == ["map", "exact"]
            assert [origin_of_history(one) for one in (mapped, kept)] == ["instance", None]
            finals = [{one["id"]: one["final_score"] for one in answer["explanations"]} for answer in (mapped, kept)]
            assert finals[0] == pytest.approx(finals[1], abs=3 * ROUNDING)
            assert ids(mapped) == ids(kept)
            for one, other in zip(mapped["explanations"], kept["explanations"], strict=True):
                assert one["matched_terms"] == other["matched_terms"]
                assert one["boosts"] == other["boosts"]
                for name, factor in one["factors"].items():
                    assert factor["raw"] == pytest.approx(other["factors"][name]["raw"], abs=3 * ROUNDING), name


async def test_the_hot_set_answers_where_postgres_cannot_in_time(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis)
    (coffee,) = await remember(bench, COFFEE)
    (vector,) = await bench.embedder.embed([QUESTION])
    found = await bench.queries.retrieval.searcher.store.nearest(
        tenant.scope(), vector, bench.filters(), model="hash", limit=9, now=datetime.now(UTC)
    )
    await bench.warm_hot_set([entry(similar.memory, datetime.now(UTC)) for similar in found.found])
    slow = bench.with_hanging_postgres(dict.fromkeys(TIERS, 1_000.0))

    unconfirmed = await slow.ask(QUESTION)
    await bench.ask(QUESTION)
    bench.queries.retrieval.searcher.maps.drop(tenant.org_id, tenant.agent_id)
    answer = await slow.ask(QUESTION)

    late = ["vector_timeout", "lexical_timeout"]
    # An instance to which Postgres has never said that the hot set of this agent is right.
    missing = [*late, "hot_error:Unconfirmed", "history_timeout", "unconfirmed:timeout"]
    assert (ids(unconfirmed), unconfirmed["degraded"]) == ([], missing)
    assert ids(answer) == [coffee]
    assert answer["degraded"] == [*late, "history_timeout", "unconfirmed:timeout"]
    assert answer["memories"][0]["score"] > 0


async def test_while_postgres_is_silent_a_query_goes_by_what_another_instance_heard(
    tenant: Tenant, redis: RedisClient
) -> None:
    bench = query_bench(tenant, redis)
    (coffee,) = await remember(bench, COFFEE)
    await bench.ask(QUESTION)
    await bench.announce()
    await bench.ask(QUESTION)
    other = query_bench(tenant, redis)
    other.queries.retrieval.searcher.maps.drop(tenant.org_id, tenant.agent_id)
    slow = replace(other, queries=replace(other.queries, retrieval=bench.queries.retrieval)).with_hanging_postgres(
        dict.fromkeys(TIERS, 1_000.0)
    )

    answer = await slow.ask(QUESTION)

    assert ids(answer) == [coffee]
    assert answer["degraded"] == ["history_timeout", "unconfirmed:timeout"]


async def test_an_answer_after_its_target_says_so(tenant: Tenant, redis: RedisClient) -> None:
    bench = query_bench(tenant, redis, embedder=CountingEmbedder(), targets_ms=dict.fromkeys(TIERS, 0.0))

    answer = await bench.ask(QUESTION, computation_tier="low")

    assert answer["memories"] == []
    assert {"vector_timeout", "lexical_timeout"} <= set(answer["degraded"])
    assert answer["sla_target_ms"] == 100


async def test_another_projects_agent_is_not_found(bench: QueryBench, stranger: Tenant) -> None:
    with pytest.raises(NotFound):
        await bench.ask(QUESTION, agent_id=str(stranger.agent_id))


class TestEmbedding:
    async def test_a_query_asked_again_is_not_embedded_again(self, bench: QueryBench) -> None:
        await remember(bench, COFFEE)
        bench.embedder.calls.clear()

        answers = [await bench.ask(QUESTION) for _ in range(2)]

        assert [answer["routing_info"]["embedding"]["origin"] for answer in answers] == ["embedder", "cache"]
        assert bench.embedder.calls == [[QUESTION]]
        first, second = (answer["explanations"][0]["factors"]["semantic"] for answer in answers)
        assert first == second

    async def test_another_organization_does_not_share_the_vector(
        self, bench: QueryBench, stranger: Tenant, redis: RedisClient
    ) -> None:
        await bench.ask(QUESTION)

        answer = await query_bench(stranger, redis).ask(QUESTION)

        assert answer["routing_info"]["embedding"]["origin"] == "embedder"

    async def test_a_failing_embedder_is_tried_again(self, tenant: Tenant, redis: RedisClient) -> None:
        bench = query_bench(tenant, redis, embedder=CountingEmbedder(failures=2), packaged=OtherModel())

        answer = await bench.ask(QUESTION)

        assert answer["routing_info"]["embedding"] == {"origin": "embedder", "model": "hash", "attempts": 3}
        assert answer["degraded"] == []

    async def test_after_five_attempts_the_packaged_model_steps_in_and_the_answer_says_so(
        self, tenant: Tenant, redis: RedisClient
    ) -> None:
        bench = query_bench(tenant, redis, embedder=CountingEmbedder(failures=99), packaged=OtherModel())
        stored = await tenant.remember_texts(COFFEE)
        await tenant.embed(stored)

        answer = await bench.ask(QUESTION)

        assert len(bench.embedder.calls) == 5
        assert answer["routing_info"]["embedding"] == {"origin": "packaged", "model": "other", "attempts": 5}
        assert answer["degraded"] == ["packaged_embedding"]
        # Vectors of another model are not compared: the words have found it.
        assert ids(answer) == stored
        assert answer["explanations"][0]["factors"]["semantic"]["raw"] == 0.0

    async def test_with_nothing_else_left_words_are_hashed_and_lexical_evidence_decides(
        self, tenant: Tenant, redis: RedisClient
    ) -> None:
        bench = query_bench(tenant, redis, embedder=FailingOther())
        coffee, lift = await tenant.remember_texts(COFFEE, LIFT)
        await tenant.set_vectors([coffee, lift], np.eye(2, 384, dtype=np.float32))

        answer = await bench.ask(QUESTION)
        bench.embedder.failures = 0
        back = await bench.ask(QUESTION)

        assert answer["degraded"] == ["hash_embedding"]
        assert ids(answer)[0] == coffee
        assert back["routing_info"]["embedding"]["origin"] == "embedder"


class FailingOther(CountingEmbedder):
    """A configured model that never answers, whose vectors are none of hashed words."""

    def __init__(self) -> None:
        super().__init__(failures=99)

    @property
    def model(self) -> str:
        return "configured"


async def test_recency_decays_by_the_time_sensitivity_of_the_question(bench: QueryBench) -> None:
    await remember(bench, COFFEE, created_at=datetime.now(UTC) - timedelta(hours=24))

    questions = ("When was the coffee machine moved?", "Where is the coffee machine?", "the coffee machine please")
    raw = [(await bench.ask(question))["explanations"][0]["factors"]["recency"]["raw"] for question in questions]

    assert raw == pytest.approx([2**-1, 2 ** (-24 / 168), 2 ** (-24 / 72)], abs=1e-3)


@pytest.mark.parametrize("where", ["exact", "map"])
@pytest.mark.parametrize("merged", [False, True])
async def test_what_another_end_user_writes_changes_no_number_of_an_answer(
    bench: QueryBench, monkeypatch: pytest.MonkeyPatch, where: str, merged: bool
) -> None:
    tenant, queries = bench.tenant, replace(bench.queries, clock=SetClock(strangers.MOMENT))
    if where == "exact":
        queries = replace(queries, retrieval=bench.searching(maps=without_maps(bench)).queries.retrieval)
    here = replace(bench, queries=queries)
    ada = replace(tenant.principal, user_id="ada")
    await strangers.furnish(tenant)

    async def ask() -> dict[str, Any]:
        await here.announce()
        return await here.ask(strangers.QUESTION, principal=ada, computation_tier="medium", k=50)

    await ask()
    before = await ask()
    await strangers.bob_writes(tenant)
    if merged:
        await strangers.merge(tenant, monkeypatch)
    after = await ask()

    assert before["routing_info"]["vector_strategy"] == after["routing_info"]["vector_strategy"] == where
    assert before["routing_info"]["sources"]["names"]["count"] == 0
    assert len(before["memories"]) == len(strangers.SHARED) + len(strangers.OF_ADA)
    assert strangers.numbers(after) == strangers.numbers(before)
    bob = await here.ask(strangers.QUESTION, principal=replace(tenant.principal, user_id="bob"))
    assert bob["routing_info"]["sources"]["names"]["count"] == 1


async def test_what_postgres_itself_found_stays_where_it_does_not_say_again_whether_it_is_there(
    tenant: Tenant, redis: RedisClient
) -> None:
    bench = query_bench(tenant, redis)
    (coffee,) = await remember(bench, COFFEE)
    hanging = bench.with_hanging_postgres(dict.fromkeys(TIERS, 1_000.0)).queries.rows
    queries = replace(bench.queries, rows=hanging, targets_ms=dict.fromkeys(TIERS, 1_000.0))

    answer = await replace(bench, queries=queries).ask(QUESTION)

    assert ids(answer) == [coffee]
    assert answer["degraded"] == ["history_timeout"]
