"""Redis was not told of a change: Postgres says it in time."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.domain.context.assembly import AssemblyOptions
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.prepared_write import Revision
from tests.integration.engine.assembly.bench import DIRECTIVE, Bench, injected, warmed
from tests.integration.engine.later import LaterWork


@pytest.mark.parametrize("announced", [True, False])
async def test_a_memory_that_was_superseded_comes_neither_from_the_map_nor_from_the_turn_cache(
    bench: Bench, announced: bool
) -> None:
    """Also when the cache has lost the counter that would have told."""
    request = bench.request(session_id=str(uuid4()), turn_id="turn")
    later = LaterWork()
    await bench.assemble(request, later=later)
    for name in ("cache_directive", "refill_hot_set", "memory_map", "turn_cache"):
        await later.do(name)
    writer = PostgresMemories(bench.tenant.database)
    replacing = bench.tenant.write("The coffee machine is in the cellar.", supersedes=bench.coffee)
    report = await writer.write(bench.tenant.principal, {0: replacing})
    org_id, agent_id = bench.tenant.org_id, bench.tenant.agent_id
    await bench.cache.changed(org_id, agent_id, report.changes[agent_id], [bench.coffee])
    if not announced:
        await bench.redis.drop(f"{org_id}:change:{{{agent_id}}}")

    of_turn = await bench.assemble(request)
    of_another = await bench.assemble(replace(request, turn_id="another"))

    assert (of_turn.tier, of_another.tier) == ("turn_cache", "postgres")
    assert of_turn.memory_ids == (bench.tea,)
    assert bench.coffee not in of_another.memory_ids
    assert replacing.memory_id in of_another.memory_ids


FORGETTING: dict[str, Callable[[Bench], Awaitable[object]]] = {
    "deleted": lambda bench: PostgresMemoryLife(bench.tenant.database).forget(
        bench.tenant.principal, bench.coffee, SystemClock().now()
    ),
    "superseded": lambda bench: bench.tenant.remember(bench.tenant.write("Elsewhere.", supersedes=bench.coffee)),
}


@pytest.mark.parametrize("how", FORGETTING)
@pytest.mark.parametrize("skip", [(), ("cold", "lexical")], ids=["searched", "hot only"])
async def test_what_is_forgotten_while_the_cache_cannot_be_told_is_in_no_answer_after_it(
    bench: Bench, how: str, skip: tuple[str, ...]
) -> None:
    request = bench.request(session_id=str(uuid4()), turn_id="turn", options=AssemblyOptions(skip=skip))
    await warmed(bench, replace(request, options=AssemblyOptions()))
    before = await bench.assemble(request)

    await FORGETTING[how](bench)
    later = LaterWork()
    of_turn = await bench.assemble(request, later=later)
    of_another = await bench.assemble(replace(request, turn_id="another"))
    await later.do("tell_cache")
    told = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 9)

    assert bench.coffee in before.memory_ids
    assert bench.coffee not in of_turn.memory_ids
    assert bench.coffee not in of_another.memory_ids
    assert told.hot == []
    assert told.change is not None and told.change.removals == 1


async def test_a_text_that_changed_while_the_cache_could_not_be_told_is_the_new_one(bench: Bench) -> None:
    request = bench.request(options=AssemblyOptions(skip=("cold", "lexical")))
    await warmed(bench, bench.request(session_id=str(uuid4())))
    stored = await PostgresMemories(bench.tenant.database).get(bench.tenant.principal, bench.coffee)
    assert stored is not None
    write = replace(bench.tenant.write("The coffee machine is in the attic."), memory_id=bench.coffee)
    life = PostgresMemoryLife(bench.tenant.database)
    await life.revise(bench.tenant.principal, Revision(stored, write, "active", text_changed=True))

    assembly = await bench.assemble(request)

    assert "kitchen" not in injected(assembly)


async def test_a_directive_that_was_written_while_the_cache_could_not_be_told_is_in_force(bench: Bench) -> None:
    await warmed(bench, bench.request(session_id=str(uuid4())))
    await PostgresDirectory(bench.tenant.database).put_directive(
        bench.tenant.org_id, bench.tenant.agent_id, "Answer in verse.", "system_first"
    )

    later = LaterWork()
    assembly = await bench.assemble(later=later)
    await later.do("cache_directive")
    told = await bench.cache.read(bench.tenant.org_id, bench.tenant.agent_id, EVERYBODY, 9)

    assert "Answer in verse." in injected(assembly)
    assert DIRECTIVE not in injected(assembly)
    assert told.directive is not None and told.directive.version == 2


@pytest.mark.parametrize("skip", [(), ("hot",), ("cold", "lexical")], ids=str)
async def test_a_cache_that_knows_of_more_than_the_store_is_not_believed_whatever_is_skipped(
    bench: Bench, skip: tuple[str, ...]
) -> None:
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")
    await bench.cache.changed(bench.tenant.org_id, bench.tenant.agent_id, Change(1_000_000, 1_000_000))

    assembly = await bench.assemble(bench.request(options=AssemblyOptions(skip=skip)))

    assert assembly.fallback_reason == ""
    assert (bench.coffee in assembly.memory_ids) == ("cold" not in skip)
