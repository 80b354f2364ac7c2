"""Edges between memories: unique, between memories that both ends may see, announced to readers."""

from dataclasses import replace
from uuid import uuid4

from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.stored_memory import Relation
from tests.builders import NOW
from tests.integration.engine.tenant import Tenant

COFFEE = "The office has a coffee machine."
LIFT = "The lift is out of order."


async def shown(tenant: Tenant, identifier: object, *, user_id: str | None = None) -> list[Relation]:
    stored = await PostgresMemories(tenant.database).get(replace(tenant.principal, user_id=user_id), identifier)  # type: ignore[arg-type]
    assert stored is not None
    return list(stored.relations)


async def change_of(tenant: Tenant) -> Change:
    ((version, removals),) = await tenant.fetch(
        "SELECT version, removals FROM agents WHERE agent_id = %s", tenant.agent_id
    )
    return Change(version, removals)


async def test_a_relation_is_unique_and_shown_at_both_ends(tenant: Tenant) -> None:
    first, second = await tenant.remember_texts(COFFEE, LIFT)
    relations = PostgresMemoryLife(tenant.database)
    relation = Relation(uuid4(), first, second, "similar", 0.5)

    new = await relations.relate(tenant.principal, relation)
    again = await relations.relate(tenant.principal, replace(relation, relation_id=uuid4(), confidence=0.75))
    backwards = await relations.relate(tenant.principal, Relation(uuid4(), second, first, "similar", 0.25))

    assert new and again and backwards
    assert [(one.relation, one.new) for one in (new, again)] == [(relation, True), (relation, False)]
    assert backwards.new
    for identifier in (first, second):
        assert await shown(tenant, identifier) == [relation, backwards.relation]


async def test_a_relation_needs_two_memories_of_this_place(tenant: Tenant, stranger: Tenant) -> None:
    (own,) = await tenant.remember_texts(COFFEE)
    (foreign,) = await stranger.remember_texts(COFFEE)
    development = await tenant.with_agent("agent", environment="development")
    (elsewhere,) = await development.remember_texts(COFFEE)
    relations = PostgresMemoryLife(tenant.database)

    for other in (foreign, elsewhere, uuid4()):
        assert await relations.relate(tenant.principal, Relation(uuid4(), own, other, "similar", 0.5)) is None
        assert await relations.relate(tenant.principal, Relation(uuid4(), other, own, "similar", 0.5)) is None


async def test_an_end_user_relates_and_sees_no_memory_of_another(tenant: Tenant) -> None:
    (of_bob,) = await tenant.remember_texts(COFFEE, user_id="bob")
    (of_ann,) = await tenant.remember_texts(LIFT, user_id="ann")
    relations = PostgresMemoryLife(tenant.database)
    ann = replace(tenant.principal, user_id="ann")
    relation = Relation(uuid4(), of_ann, of_bob, "similar", 0.5)

    refused = await relations.relate(ann, relation)
    made = await relations.relate(tenant.principal, relation)
    kept = await relations.unrelate(ann, of_ann, relation.relation_id)

    assert refused is None
    assert made and made.new
    assert kept is None
    assert await shown(tenant, of_ann, user_id="ann") == []
    assert await shown(tenant, of_ann) == [relation]


async def test_a_relation_is_undone_once_and_both_count_as_changes_of_its_agents(tenant: Tenant) -> None:
    other = await tenant.with_agent("other")
    (first,) = await tenant.remember_texts(COFFEE)
    (second,) = await other.remember_texts(LIFT)
    relations = PostgresMemoryLife(tenant.database)
    relation = Relation(uuid4(), first, second, "similar", 0.5)
    before = await change_of(tenant), await change_of(other)

    made = await relations.relate(tenant.principal, relation)
    undone = await relations.unrelate(tenant.principal, second, relation.relation_id)
    again = await relations.unrelate(tenant.principal, second, relation.relation_id)

    assert made and undone
    assert set(made.changes) == {tenant.agent_id, other.agent_id}
    assert (await change_of(tenant), await change_of(other)) == tuple(
        Change(one.version + 2, one.removals) for one in before
    )
    assert again is None
    assert await shown(tenant, first) == []


async def test_a_relation_of_two_other_memories_is_not_undone_through_this_one(tenant: Tenant) -> None:
    first, second, third = await tenant.remember_texts(COFFEE, LIFT, "Third.")
    relations = PostgresMemoryLife(tenant.database)
    relation = Relation(uuid4(), first, second, "similar", 0.5)
    await relations.relate(tenant.principal, relation)

    assert await relations.unrelate(tenant.principal, third, relation.relation_id) is None
    assert await shown(tenant, first) == [relation]


async def test_a_relation_to_a_deleted_memory_is_not_shown(tenant: Tenant) -> None:
    first, second = await tenant.remember_texts(COFFEE, LIFT)
    relation = Relation(uuid4(), first, second, "similar", 0.5)
    await PostgresMemoryLife(tenant.database).relate(tenant.principal, relation)

    await PostgresMemoryLife(tenant.database).forget(tenant.principal, second, NOW)

    assert await shown(tenant, first) == []
