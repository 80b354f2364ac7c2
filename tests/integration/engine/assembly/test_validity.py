"""Memories that are valid only from a moment on, or until one."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.usecases.retrieval.hot_set import entry
from tests.builders import SetClock
from tests.integration.engine.assembly.bench import TEA, Bench
from tests.integration.engine.later import LaterWork


async def test_what_expired_or_was_superseded_is_not_injected(bench: Bench) -> None:
    soon = SystemClock().now() - timedelta(seconds=1)
    await bench.tenant.remember(bench.tenant.write("An expired coffee machine.", expires_at=soon))
    (new,) = await bench.tenant.remember(
        bench.tenant.write("The coffee machine is in the cellar.", supersedes=bench.coffee)
    )

    assembly = await bench.assemble()

    assert set(assembly.memory_ids) == {bench.tea, new.memory_id}


@pytest.mark.parametrize("tier", ["postgres", "map", "hot"])
async def test_what_is_not_valid_yet_is_injected_from_the_moment_it_is(bench: Bench, tier: str) -> None:
    """And what is valid until then no longer: no write happens in between, and nothing is read anew."""
    tenant, soon = bench.tenant, SystemClock().now() + timedelta(hours=1)
    (early,) = await tenant.remember_texts("The coffee machine moves to the cellar.", valid_from=soon)
    (over,) = await tenant.remember_texts("The coffee machine is in the hall.", expires_at=soon)
    await tenant.embed([early, over])
    later = replace(bench, assembler=replace(bench.assembler, clock=SetClock(start=None, seconds=2 * 3600)))
    if tier == "map":
        work = LaterWork()
        await bench.assemble(later=work)
        await work.do("memory_map")
    if tier == "hot":
        source = bench.assembler.retriever.retrieval.searcher.source
        rows = await source.rows(tenant.org_id, tenant.agent_id, [early, over, bench.coffee])
        change = await source.change(tenant.org_id, tenant.agent_id)
        assert change is not None
        now = SystemClock().now()
        await bench.cache.put_hot(tenant.org_id, tenant.agent_id, [entry(row, now) for row in rows], change)
    skip = ("cold", "lexical") if tier == "hot" else ("hot",)

    before = await bench.assemble(bench.request(options=AssemblyOptions(skip=skip)))
    after = await later.assemble(later.request(options=AssemblyOptions(skip=skip)))

    assert {early, over} & set(before.memory_ids) == {over}
    assert {early, over} & set(after.memory_ids) == {early}
    assert tier == "hot" or (before.tier, after.tier) == (tier, tier)


async def test_a_memory_that_is_put_off_leaves_the_turn_that_it_was_in(bench: Bench) -> None:
    work, tenant = LaterWork(), bench.tenant
    turn = bench.request(session_id=str(UUID(int=7)), turn_id="turn")
    await bench.assemble(turn, later=work)
    await work.do("turn_cache")
    life = PostgresMemoryLife(tenant.database)
    stored = await PostgresMemories(tenant.database).get(tenant.principal, bench.tea)
    assert stored is not None
    put_off = tenant.write(TEA, valid_from=SystemClock().now() + timedelta(hours=1))
    revision = Revision(stored, replace(put_off, memory_id=bench.tea), "active", text_changed=False)
    outcome = await life.revise(tenant.principal, revision)
    assert outcome.change is not None
    await bench.cache.changed(tenant.org_id, tenant.agent_id, outcome.change, [bench.tea])

    again = await bench.assemble(turn)

    assert (again.tier, again.memory_ids) == ("turn_cache", (bench.coffee,))
