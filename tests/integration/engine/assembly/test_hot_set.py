"""The agent's hot set: filled after a response, used by the next request, never instead of relevance."""

from dataclasses import replace
from datetime import timedelta

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.errors import StoreTimeout
from remembrancer.usecases.retrieval.background_reads import REST, BackgroundReads
from remembrancer.usecases.retrieval.hot_set import entry
from tests.builders import SetClock
from tests.integration.engine.assembly.bench import COFFEE, Bench, injected, retrieving, warmed
from tests.integration.engine.later import LaterWork


async def test_a_cold_hot_set_is_refilled_after_the_response_and_serves_the_next_request(bench: Bench) -> None:
    later = LaterWork()

    first = await bench.assemble(later=later)
    await later.do("refill_hot_set")
    again = LaterWork()
    second = await bench.assemble(bench.request(options=AssemblyOptions(skip=("cold", "lexical"))), later=again)

    assert first.sources["hot"].count == 0
    assert second.sources["hot"].count == 1
    assert second.memory_ids == (bench.coffee,)
    assert "refill_hot_set" not in again.names


async def test_a_refill_that_failed_is_left_alone_for_a_while_and_maps_are_made_all_the_same(bench: Bench) -> None:
    clock = SetClock()
    refills = BackgroundReads(clock)

    async def failing() -> None:
        clock.seconds += 1
        raise StoreTimeout("too many to look through", cause="QueryCanceled")

    with pytest.raises(StoreTimeout):
        await refills.read(failing())
    resting, rested = LaterWork(), LaterWork()
    here = retrieving(bench, hot_sets=replace(bench.assembler.retriever.retrieval.hot_sets, reads=refills))

    await here.assemble(later=resting)
    clock.seconds += REST + 1
    await here.assemble(later=rested)

    assert "refill_hot_set" not in resting.names
    assert "memory_map" in resting.names
    assert "refill_hot_set" in rested.names


async def test_a_hot_memory_that_was_edited_is_answered_as_it_is_now_by_an_instance_whose_map_is_older(
    bench: Bench,
) -> None:
    """Also where no search finds it, whose row would replace the hot one."""
    tenant = bench.tenant
    hot_alone = bench.request(options=AssemblyOptions(skip=("cold", "lexical")))
    await warmed(bench, bench.request(session_id="warm"))
    before = await bench.assemble(hot_alone)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, bench.coffee)
    assert stored is not None
    write = replace(tenant.write("The coffee machine is in the cellar."), memory_id=bench.coffee)
    revised = await PostgresMemoryLife(tenant.database).revise(
        tenant.principal, Revision(stored, write, "active", text_changed=True)
    )
    await tenant.embed([bench.coffee])
    change = await bench.assembler.retriever.retrieval.searcher.source.change(tenant.org_id, tenant.agent_id)
    assert revised.status == "done"
    assert change is not None
    await bench.cache.changed(tenant.org_id, tenant.agent_id, change, [bench.coffee])
    await bench.assembler.retriever.retrieval.hot_sets.refill(tenant.org_id, tenant.agent_id, SystemClock().now())

    after = await bench.assemble(hot_alone)

    assert COFFEE in injected(before)
    assert after.memory_ids == (bench.coffee,)
    assert "cellar" in injected(after)
    assert COFFEE not in injected(after)


async def test_a_hot_memory_needs_relevance_of_its_own(bench: Bench) -> None:
    """Its hot score must never stand in for the question."""
    (other,) = await bench.tenant.remember_texts("Bananas ripen quickly.")
    await bench.tenant.embed([other])
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")

    # With the cold search its own similarity would replace whatever the hot set says.
    assembly = await bench.assemble(bench.request(options=AssemblyOptions(skip=("cold",), explain=True)))

    assert other not in assembly.memory_ids
    dispositions = {one.scored.memory.id: (one.disposition, one.evidence.hot) for one in assembly.candidates or ()}
    assert dispositions[other] == ("floor", True)
    assert dispositions[bench.coffee] == ("included", True)


async def test_memories_expire_in_the_hot_set_too(bench: Bench) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    snapshot_before = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 9)
    await later.do("refill_hot_set")
    expired = SystemClock().now() - timedelta(seconds=1)
    store = PostgresEmbeddingStore(bench.tenant.database)
    as_of, (memory,) = await store.hot_candidates(bench.tenant.org_id, bench.tenant.agent_id, SystemClock().now(), 9)
    await bench.cache.put_hot(
        bench.tenant.org_id, bench.tenant.agent_id, [entry(replace(memory, expires_at=expired), expired)], as_of
    )

    assembly = await bench.assemble(bench.request(options=AssemblyOptions(skip=("cold", "lexical"), explain=True)))

    assert snapshot_before.hot == []
    assert assembly.memory_ids == ()
    assert [one.disposition for one in assembly.candidates or ()] == ["filtered"]
