"""What was true at a time: by default what still is, and what has ended for who asks about then."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.usecases.retrieval.hot_set import entry
from tests.builders import SetClock, message
from tests.integration.engine.assembly.bench import Bench, injected
from tests.integration.engine.later import LaterWork

BEGAN, ENDED = datetime(2021, 5, 1, tzinfo=UTC), datetime(2024, 3, 31, tzinfo=UTC)
HALL, CELLAR, PARTY = (
    "The coffee machine is in the hall.",
    "The coffee machine stands in the cellar.",
    "The coffee machine was given a party.",
)


async def remembered(bench: Bench) -> tuple[UUID, UUID, UUID]:
    """What was so until 2024, what is so since then, and what happened in 2022."""
    tenant = bench.tenant
    (hall,) = await tenant.remember_texts(HALL, occurred_from=BEGAN, occurred_to=ENDED)
    (cellar,) = await tenant.remember_texts(CELLAR, occurred_from=ENDED)
    party = datetime(2022, 6, 1, tzinfo=UTC)
    (gone,) = await tenant.remember_texts(PARTY, category="episodic", occurred_from=party, occurred_to=party)
    await tenant.embed([hall, cellar, gone])
    return hall, cellar, gone


async def ready(bench: Bench, place: str, *ids: UUID) -> tuple[str, ...]:
    """Prepares the place that is to answer; returns the sources to skip."""
    if place == "map":
        work = LaterWork()
        await bench.assemble(later=work)
        await work.do("memory_map")
    if place == "hot":
        tenant = bench.tenant
        source = bench.assembler.retriever.retrieval.searcher.source
        rows = await source.rows(tenant.org_id, tenant.agent_id, ids)
        change = await source.change(tenant.org_id, tenant.agent_id)
        assert change is not None
        now = SystemClock().now()
        await bench.cache.put_hot(tenant.org_id, tenant.agent_id, [entry(row, now) for row in rows], change)
    return {"hot": ("cold", "lexical"), "words": ("hot", "cold"), "vectors": ("hot", "lexical")}.get(place, ("hot",))


@pytest.mark.parametrize("place", ["postgres", "vectors", "words", "map", "hot"])
async def test_what_has_ended_is_injected_when_the_question_or_the_request_asks_for_its_time(
    bench: Bench, place: str
) -> None:
    hall, cellar, party = ids = await remembered(bench)
    options = AssemblyOptions(skip=await ready(bench, place, *ids), relevance_floor=0.0)
    then = [message("Where was the coffee machine in 2023?")]

    now = await bench.assemble(bench.request(options=options))
    asked = await bench.assemble(bench.request(options=options, messages=then))
    as_of = await bench.assemble(bench.request(options=replace(options, as_of=datetime(2022, 1, 1, tzinfo=UTC))))

    assert {*ids} & {*now.memory_ids} == {cellar, party}
    assert {*ids} & {*asked.memory_ids} == {hall, cellar, party}
    assert {*ids} & {*as_of.memory_ids} == {hall}
    assert f"{HALL} (until Mar 2024)" in injected(asked)
    assert place not in {"postgres", "map"} or {now.tier, asked.tier, as_of.tier} == {place}


@pytest.mark.parametrize("place", ["postgres", "map", "hot"])
async def test_what_ends_leaves_by_itself(bench: Bench, place: str) -> None:
    """No write happens, and nothing is read anew."""
    soon = SystemClock().now() + timedelta(hours=1)
    (over,) = await bench.tenant.remember_texts(HALL, occurred_to=soon)
    await bench.tenant.embed([over])
    options = AssemblyOptions(skip=await ready(bench, place, over, bench.coffee))
    later = replace(bench, assembler=replace(bench.assembler, clock=SetClock(start=None, seconds=2 * 3600)))

    before = await bench.assemble(bench.request(options=options))
    after = await later.assemble(later.request(options=options))

    assert over in before.memory_ids
    assert over not in after.memory_ids
    assert bench.coffee in after.memory_ids


async def test_a_turn_is_remembered_for_each_time_that_is_asked_for(bench: Bench) -> None:
    hall, cellar, _ = await remembered(bench)
    turn = bench.request(session_id="session", turn_id="turn", options=AssemblyOptions(relevance_floor=0.0))
    then = replace(turn, options=replace(turn.options, as_of=datetime(2022, 1, 1, tzinfo=UTC)))
    answers = {}
    for name, request in (("now", turn), ("then", then)):
        work = LaterWork()
        await bench.assemble(request, later=work)
        await work.do("turn_cache")
        answers[name] = await bench.assemble(request)

    assert {one.tier for one in answers.values()} == {"turn_cache"}
    assert {hall, cellar} & {*answers["now"].memory_ids} == {cellar}
    assert {hall, cellar} & {*answers["then"].memory_ids} == {hall}


async def test_a_memory_that_ends_meanwhile_leaves_the_turn_that_it_was_in(bench: Bench) -> None:
    (over,) = await bench.tenant.remember_texts(HALL, occurred_to=SystemClock().now() + timedelta(hours=1))
    turn, work = bench.request(session_id="session", turn_id="turn"), LaterWork()
    first = await bench.assemble(turn, later=work)
    await work.do("turn_cache")
    later = replace(bench, assembler=replace(bench.assembler, clock=SetClock(start=None, seconds=2 * 3600)))

    again = await later.assemble(turn)

    assert (over in first.memory_ids, over in again.memory_ids, again.tier) == (True, False, "turn_cache")


async def test_a_refilled_hot_set_has_what_is_still_true(bench: Bench) -> None:
    ids = await remembered(bench)
    work = LaterWork()
    await bench.assemble(later=work)
    await work.do("refill_hot_set")

    hot = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, bench.request().end_user, 50)

    assert {one.id for one in hot.hot} & {*ids} == {*ids[1:]}
