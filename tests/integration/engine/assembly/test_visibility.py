"""Whose memories an answer may hold, and who may ask for them."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.domain.context.assembly import Assembly, AssemblyOptions
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.memories.memory import Change
from remembrancer.errors import Forbidden, InvalidRequest, NotFound
from remembrancer.usecases.assembly.plan import AssemblyPlan
from remembrancer.usecases.assembly.retriever import Retriever
from remembrancer.usecases.retrieval.deadline import Deadline
from tests.builders import SetClock, message, profile
from tests.integration.engine import strangers
from tests.integration.engine.assembly.bench import WIDE, Bench, injected
from tests.integration.engine.later import LaterWork
from tests.integration.engine.tenant import Tenant


async def test_an_end_user_gets_the_own_memories_and_nobodys_from_every_source(bench: Bench) -> None:
    texts = {user: f"The coffee machine of {user} is in the kitchen." for user in ("ann", "bob")}
    ids = [(await bench.tenant.remember_texts(text, user_id=user))[0] for user, text in texts.items()]
    await bench.tenant.embed(ids)
    warm = LaterWork()
    await bench.assemble(later=warm)
    await warm.do("refill_hot_set")

    for skip in ((), ("hot",), ("cold",), ("lexical",), ("hot", "cold"), ("hot", "lexical"), ("cold", "lexical")):
        assembly = await bench.assemble(bench.request(end_user=EndUser("ann"), options=AssemblyOptions(skip=skip)))

        assert ids[0] in assembly.memory_ids, skip
        assert bench.coffee in assembly.memory_ids, skip
        assert ids[1] not in assembly.memory_ids, skip
        assert "bob" not in injected(assembly), skip


async def test_another_end_users_memories_take_no_place_among_the_candidates(bench: Bench) -> None:
    """Left out by the searches themselves, not only afterwards: a limit counts what may be shown."""
    of_bob = await bench.tenant.remember_texts(*(f"Coffee machine {n}." for n in range(5)), user_id="bob")
    await bench.tenant.embed(of_bob)
    later = LaterWork()
    await bench.assemble(later=later)
    await later.do("refill_hot_set")

    request, deadline = bench.request(end_user=EndUser("ann")), Deadline.begin(SystemClock(), WIDE.retrieval_ms)
    plan = AssemblyPlan(request, profile(), SystemClock().now(), deadline, WIDE)

    retrieved = await bench.assembler.retriever.retrieve(plan, LaterWork(), rows=2)

    assert {evidence.memory.id for evidence in retrieved.candidates} == {bench.coffee, bench.tea}


async def test_nothing_of_another_agent_or_organization_is_injected(bench: Bench, stranger: Tenant) -> None:
    neighbour = await bench.tenant.with_agent("neighbour")
    for foreign in (neighbour, stranger):
        await foreign.embed(await foreign.remember_texts("The coffee machine of somebody else."))
        await PostgresDirectory(foreign.database).put_directive(
            foreign.org_id, foreign.agent_id, "Foreign.", "system_first"
        )

    assembly = await bench.assemble()

    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
    assert "somebody else" not in injected(assembly)
    assert "Foreign." not in injected(assembly)


async def test_another_organization_or_its_agent_is_refused_and_nothing_is_released(
    bench: Bench, stranger: Tenant
) -> None:
    with pytest.raises(Forbidden):
        await bench.assemble(principal=stranger.principal)
    for agent_id in (stranger.agent_id, uuid4()):
        with pytest.raises(NotFound, match="no such agent"):
            await bench.assemble(bench.request(agent_id=agent_id))
    with pytest.raises(NotFound):
        await bench.assemble(principal=replace(bench.tenant.principal, environment="development"))
    with pytest.raises(Forbidden):
        await bench.assemble(
            bench.request(end_user=EndUser("bob")), principal=replace(bench.tenant.principal, end_users=("ann",))
        )


async def test_what_a_credential_may_not_name_is_refused_without_a_search(
    bench: Bench, stranger: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[UUID] = []
    retrieve = Retriever.retrieve

    async def noted(self: Retriever, plan: AssemblyPlan, *arguments: Any, **options: Any) -> Any:
        asked.append(plan.request.agent_id)
        return await retrieve(self, plan, *arguments, **options)

    monkeypatch.setattr(Retriever, "retrieve", noted)
    own = bench.tenant.principal

    for principal, user_id in (
        (stranger.principal, None),
        (replace(own, end_users=("ann",)), "bob"),
        (replace(own, scopes=frozenset({"query"}), end_users=("ann",)), "bob"),
    ):
        with pytest.raises(Forbidden):
            await bench.assemble(bench.request(end_user=EndUser(user_id)), principal=principal)
    refused = list(asked)
    await bench.assemble()

    assert (refused, asked) == ([], [bench.tenant.agent_id])


async def test_a_key_that_demands_an_end_user_is_not_served_without_one(bench: Bench) -> None:
    demanding = replace(bench.tenant.principal, end_user_required=True)

    with pytest.raises(InvalidRequest):
        await bench.assemble(principal=demanding)

    assert (await bench.assemble(bench.request(end_user=EndUser("ann")), principal=demanding)).fallback_reason == ""


@pytest.mark.parametrize("where", ["postgres", "map"])
@pytest.mark.parametrize("merged", [False, True])
async def test_what_another_end_user_writes_changes_no_number_of_an_assembly(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, where: str, merged: bool
) -> None:
    tenant = bench.tenant
    here = replace(bench, assembler=replace(bench.assembler, clock=SetClock(strangers.MOMENT)))
    await strangers.furnish(tenant)
    request = bench.request(
        messages=[message(strangers.QUESTION)], end_user=EndUser("ada"), options=AssemblyOptions(explain=True)
    )

    async def announced() -> Assembly:
        ((version, removals),) = await tenant.fetch("SELECT version, removals FROM agents")
        await bench.cache.changed(tenant.org_id, tenant.agent_id, Change(version, removals))
        later = LaterWork()
        assembly = await here.assemble(request, later=later)
        if where == "map" and "memory_map" in later.names:
            await later.do("memory_map")
        return assembly

    await announced()
    before = await announced()
    await strangers.bob_writes(tenant)
    if merged:
        await strangers.merge(tenant, monkeypatch)
    after = await announced()

    assert (before.tier, after.tier) == (where, where)
    assert len(before.candidates or ()) == len(strangers.SHARED) + len(strangers.OF_ADA) + 1
    assert numbers_of(after) == numbers_of(before)


def numbers_of(assembly: Assembly) -> Any:
    """All but the clock's, and the injected text, which has a nonce."""
    return strangers.numbers(assembly.as_json()["metadata"])
