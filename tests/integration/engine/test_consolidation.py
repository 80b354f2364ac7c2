"""Near-duplicates and clusters of new vectors."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from psycopg import AsyncConnection

from local.servers import AwsServer
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.memories.prepared_write import Revision
from remembrancer.errors import StoreUnavailable
from remembrancer.usecases.encryption.opening import Keyless
from remembrancer.usecases.memories.embed import EmbedMessage
from remembrancer.usecases.memories.near_duplicates import Consolidator
from tests.builders import NOW, at_cosine, unit_vector
from tests.integration.engine.encryption import Vault, new_kms_key
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import consolidation, memory_embedder

BASE = unit_vector(70)
LATER = datetime(2999, 1, 1, tzinfo=UTC)


async def embedded(tenant: Tenant, *vectors: Vector, **fields: Any) -> list[UUID]:
    """A memory for each vector, compared with nothing yet; all say the same, in texts that differ in their ends."""
    ids = []
    for vector in vectors:
        found = await tenant.fetch("SELECT count(*) FROM memories")
        (one,) = await tenant.remember_texts("The cat is called Mia" + "!" * found[0][0], **fields)
        await tenant.set_vectors([one], vector[None])
        ids.append(one)
    return ids


async def relations(tenant: Tenant) -> set[tuple[UUID, UUID, str, float]]:
    rows = await tenant.fetch("SELECT from_memory_id, to_memory_id, type, confidence FROM memory_relations")
    return {(row[0], row[1], row[2], round(row[3], 2)) for row in rows}


async def cluster_of(tenant: Tenant, *ids: UUID) -> list[UUID | None]:
    known = {row[0]: row[1] for row in await tenant.fetch("SELECT memory_id, cluster_id FROM memories")}
    return [known[one] for one in ids]


async def choose(observer: AsyncConnection[Any], tenant: Tenant, choice: str) -> None:
    await observer.execute(
        "UPDATE organizations SET settings = jsonb_build_object('near_duplicates', %s::text) WHERE org_id = %s",
        [choice, tenant.org_id],
    )


@pytest.mark.parametrize("exact_rows", [5000, 0])
async def test_the_newer_of_a_near_pair_gets_a_relation_to_the_older(tenant: Tenant, exact_rows: int) -> None:
    """By reading all vectors, and by the index."""
    old, near, other = await embedded(tenant, BASE, at_cosine(BASE, 0.95), at_cosine(BASE, 0.9, seed=2))

    (done,) = await consolidation(tenant.database, exact_rows=exact_rows).consolidate(
        tenant.org_id, [old, near, other], MODEL
    )

    newer, older = sorted([old, near], key=lambda one: one.int, reverse=True)
    assert (done.clustered, done.related, done.superseded, done.change) == (3, 1, [], None)
    assert await relations(tenant) == {(newer, older, "similar", 0.95)}


async def test_only_the_same_end_user_category_and_agent_are_compared(tenant: Tenant) -> None:
    second = await tenant.with_agent("second")
    own = await embedded(tenant, BASE)
    others = [
        *await embedded(tenant, BASE, user_id="ada"),
        *await embedded(tenant, BASE, category="preference"),
        *await embedded(second, BASE),
    ]

    await consolidation(tenant.database).consolidate(tenant.org_id, [*own, *others], MODEL)

    assert await relations(tenant) == set()


async def test_an_organization_may_have_the_older_one_superseded(
    tenant: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    await choose(observer, tenant, "merge")
    embedder = memory_embedder(tenant.database, redis)
    texts = ("Fish is delivered on Thursday.", "fish is delivered on thursday")
    ids = []
    for number, text in enumerate(texts):
        ids += await tenant.remember_texts(text)
        await observer.execute(
            "UPDATE memories SET created_at = created_at + make_interval(hours => %s) WHERE memory_id = %s",
            [number, ids[-1]],
        )
        assert await embedder.embed([EmbedMessage(tenant.org_id, ids[-1])]) == {}

    rows = await tenant.fetch("SELECT memory_id, status, superseded_by FROM memories ORDER BY created_at")
    ((vectors, documents),) = await tenant.fetch("SELECT vectors, indexed_documents FROM agents")
    hot = (await RedisAgentCache(redis).read(tenant.org_id, tenant.agent_id, EVERYBODY, 9)).hot
    assert rows == [(ids[0], "superseded", ids[1]), (ids[1], "active", None)]
    assert (vectors, documents) == (1, 1)
    assert [memory.id for memory in hot] == [ids[1]]


async def test_what_supersedes_a_pinned_duplicate_takes_its_pin(
    tenant: Tenant, redis: RedisClient, observer: AsyncConnection[Any]
) -> None:
    await choose(observer, tenant, "merge")
    embedder = memory_embedder(tenant.database, redis)
    (old,) = await tenant.remember_texts("Fish is delivered on Thursday.", pinned_at=NOW)
    assert await embedder.embed([EmbedMessage(tenant.org_id, old)]) == {}
    (new,) = await tenant.remember_texts("fish is delivered on thursday", created_at=LATER)
    ((before,),) = await tenant.fetch("SELECT removals FROM agents")

    assert await embedder.embed([EmbedMessage(tenant.org_id, new)]) == {}

    ((change, removals),) = await tenant.fetch("SELECT version, removals FROM agents")
    rows = await tenant.fetch("SELECT memory_id, status, pinned_at, change FROM memories WHERE status = 'active'")
    assert rows == [(new, "active", NOW, change)]
    assert removals > before + 1


INVOICES = [f"Paid the plumber invoice {number}: {number * 17} euros." for number in range(441, 453)]


@pytest.mark.parametrize("choice", ["merge", "relate"])
@pytest.mark.parametrize(
    "texts",
    [
        INVOICES,
        ["Ada takes 5 mg of ramipril.", "Ada takes 50 mg of ramipril.", "Ada takes no ramipril."],
        ["The door code is 4417.", "The door code is 4471.", "The door code is 4417#."],
        ["Anna likes tea.", "Hanna likes tea.", "Anna likes coffee.", "Anna likes no tea."],
        ["The shop is open on Monday.", "The shop is open on Sunday.", "The shop is closed on Monday."],
    ],
)
async def test_what_differs_in_a_value_is_neither_merged_nor_related_however_near(
    tenant: Tenant, observer: AsyncConnection[Any], choice: str, texts: list[str]
) -> None:
    await choose(observer, tenant, choice)
    ids = await tenant.remember_texts(*texts)
    await tenant.set_vectors(ids, np.stack([BASE] * len(ids)))

    (done,) = await consolidation(tenant.database).consolidate(tenant.org_id, ids, MODEL)

    assert (done.clustered, done.related, done.superseded) == (len(ids), 0, [])
    assert await relations(tenant) == set()


@pytest.mark.parametrize("choice", ["merge", "relate"])
async def test_what_happens_on_another_day_is_neither_merged_nor_related(
    tenant: Tenant, observer: AsyncConnection[Any], choice: str
) -> None:
    await choose(observer, tenant, choice)
    ids = [
        one
        for day in (1, 8, 15)
        for one in await embedded(tenant, BASE, category="episodic", created_at=datetime(2026, 3, day, tzinfo=UTC))
    ]
    again = await embedded(tenant, BASE, category="episodic", created_at=datetime(2026, 3, 15, 9, tzinfo=UTC))

    (done,) = await consolidation(tenant.database).consolidate(tenant.org_id, [*ids, *again], MODEL)

    assert (done.related, done.superseded) == ((0, ids[2:]) if choice == "merge" else (1, []))


@pytest.mark.parametrize("has_key", [True, False])
async def test_sealed_texts_are_opened_to_be_compared_or_are_no_duplicates(
    tenant: Tenant, aws_server: AwsServer, observer: AsyncConnection[Any], has_key: bool
) -> None:
    vault = Vault.of(tenant, aws_server, await new_kms_key(aws_server))
    await vault.turn_on()
    await choose(observer, tenant, "merge")
    ids = await vault.remember_texts("Ann lives in Berlin.", "ann lives in Berlin", "Ann lives in Bern.")
    await tenant.set_vectors(ids, np.stack([BASE] * 3))
    opener = vault.ring if has_key else Keyless()
    consolidator = Consolidator(PostgresConflicts(tenant.database), opener)

    (done,) = await consolidator.consolidate(tenant.org_id, ids, MODEL)

    assert len(done.superseded) == has_key
    assert ids[2] not in done.superseded


@pytest.mark.parametrize(
    ("older", "newer", "replaced"),
    [
        ({}, {"valid_from": LATER}, False),
        ({}, {"expires_at": LATER}, False),
        ({"expires_at": LATER - timedelta(hours=1)}, {"expires_at": LATER}, True),
    ],
)
async def test_what_is_not_valid_yet_or_not_for_as_long_replaces_nothing(
    tenant: Tenant, observer: AsyncConnection[Any], older: dict[str, Any], newer: dict[str, Any], replaced: bool
) -> None:
    await choose(observer, tenant, "merge")
    ids = [
        *await embedded(tenant, BASE, created_at=NOW, **older),
        *await embedded(tenant, BASE, created_at=NOW + timedelta(hours=1), **newer),
    ]

    (done,) = await consolidation(tenant.database).consolidate(tenant.org_id, ids, MODEL)

    assert done.superseded == (ids[:1] if replaced else [])


@pytest.mark.parametrize("choice", ["merge", "relate"])
@pytest.mark.parametrize("changed", [0, 1])
@pytest.mark.parametrize("step", ["_near", "near_duplicates"])
async def test_a_text_that_changes_while_it_is_compared_is_no_near_duplicate(
    tenant: Tenant,
    observer: AsyncConnection[Any],
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    changed: int,
    step: str,
) -> None:
    await choose(observer, tenant, choice)
    ids = await embedded(tenant, BASE, at_cosine(BASE, 0.95))
    near = getattr(PostgresConflicts, step)

    async def compared(self: PostgresConflicts, *arguments: Any) -> Any:
        pairs = await near(self, *arguments)
        stored = await PostgresMemories(tenant.database).get(tenant.principal, ids[changed])
        assert stored is not None
        write = replace(tenant.write("The cat is called Tom."), memory_id=ids[changed])
        revision = Revision(stored, write, "active", text_changed=True)
        await PostgresMemoryLife(tenant.database).revise(tenant.principal, revision)
        return pairs

    monkeypatch.setattr(PostgresConflicts, step, compared)
    await consolidation(tenant.database).consolidate(tenant.org_id, ids, MODEL)

    assert await tenant.fetch("SELECT DISTINCT status FROM memories") == [("active",)]
    assert await relations(tenant) == set()


async def test_an_organization_may_leave_near_duplicates_alone(tenant: Tenant, observer: AsyncConnection[Any]) -> None:
    await choose(observer, tenant, "off")
    ids = await embedded(tenant, BASE, BASE)

    await consolidation(tenant.database).consolidate(tenant.org_id, ids, MODEL)

    assert await relations(tenant) == set()
    assert None not in await cluster_of(tenant, *ids)


async def test_of_two_workers_that_store_a_pair_at_once_one_finds_it(tenant: Tenant) -> None:
    pairs = [
        await embedded(tenant, vector, at_cosine(vector, 0.97, seed=99)) for vector in map(unit_vector, range(10, 16))
    ]
    keeper = consolidation(tenant.database)

    await tenant.database.warm()
    for pair in pairs:
        await asyncio.gather(*(keeper.consolidate(tenant.org_id, [one], MODEL) for one in pair))

    assert {frozenset((one, other)) for one, other, *_ in await relations(tenant)} == set(map(frozenset, pairs))


async def test_similar_memories_of_a_category_share_a_cluster_and_others_begin_their_own(tenant: Tenant) -> None:
    base, near, far = await embedded(tenant, BASE, at_cosine(BASE, 0.8), unit_vector(2))
    (other,) = await embedded(tenant, BASE, category="preference")

    await consolidation(tenant.database).consolidate(tenant.org_id, [base, near, far, other], MODEL)

    found = await cluster_of(tenant, base, near, far, other)
    assert found[0] == found[1]
    assert len({found[0], found[2], found[3]}) == 3
    sizes: dict[UUID, int] = dict(await tenant.fetch("SELECT cluster_id, members FROM memory_clusters"))
    assert [sizes[one] for one in found if one is not None] == [2, 2, 1, 1]


async def test_end_users_and_nobody_have_clusters_of_their_own(tenant: Tenant) -> None:
    """Compared together and one after the other."""
    owners = ("ada", "bo", None)
    first = [one for owner in owners for one in await embedded(tenant, BASE, user_id=owner)]
    then = [one for owner in owners for one in await embedded(tenant, at_cosine(BASE, 0.9), user_id=owner)]
    keeper = consolidation(tenant.database)

    await keeper.consolidate(tenant.org_id, first, MODEL)
    await keeper.consolidate(tenant.org_id, then, MODEL)

    found = await cluster_of(tenant, *first)
    assert len(set(found)) == 3
    assert await cluster_of(tenant, *then) == found
    kept = {row[0]: row[1:] for row in await tenant.fetch("SELECT cluster_id, owner, members FROM memory_clusters")}
    assert [kept[one] for one in found if one] == [("ada", 2), ("bo", 2), ("", 2)]


async def test_no_memory_joins_another_end_users_cluster_whatever_code_is_at_work(
    tenant: Tenant, database: Database
) -> None:
    """Code of before this rule takes the refusal for an outage: it keeps nothing, and tries again later."""
    ada, bo = [(await embedded(tenant, BASE, user_id=name))[0] for name in ("ada", "bo")]
    await consolidation(tenant.database).consolidate(tenant.org_id, [ada], MODEL)
    (cluster,) = await cluster_of(tenant, ada)

    async def as_before() -> None:
        async with database.transaction(tenant.org_id) as transaction:
            await transaction.execute("UPDATE memory_clusters SET members = 2 WHERE cluster_id = %s", (cluster,))
            await transaction.execute("UPDATE memories SET cluster_id = %s WHERE memory_id = %s", (cluster, bo))

    with pytest.raises(StoreUnavailable):
        await as_before()

    assert await cluster_of(tenant, bo) == [None]
    assert await tenant.fetch("SELECT members FROM memory_clusters") == [(1,)]


async def test_what_is_not_valid_yet_is_in_no_centroid(tenant: Tenant, observer: AsyncConnection[Any]) -> None:
    (known,) = await embedded(tenant, BASE)
    (secret,) = await embedded(tenant, at_cosine(BASE, 0.9), valid_from=LATER)
    keeper = consolidation(tenant.database)
    await keeper.consolidate(tenant.org_id, [known, secret], MODEL)
    before = await cluster_of(tenant, known, secret)

    await observer.execute("UPDATE memories SET valid_from = now() WHERE memory_id = %s", [secret])
    await keeper.consolidate(tenant.org_id, [secret], MODEL)

    after = await cluster_of(tenant, known, secret)
    assert (before[1], after[1]) == (None, before[0])
    assert await relations(tenant) == set()


async def test_workers_that_begin_the_same_cluster_at_once_begin_one(tenant: Tenant) -> None:
    ids = await embedded(tenant, *(at_cosine(BASE, 0.95, seed=seed) for seed in range(9)))
    keeper = consolidation(tenant.database)

    await tenant.database.warm()
    await asyncio.gather(
        *(keeper.consolidate(tenant.org_id, ids[start::3], MODEL) for start in range(3)),
        *(keeper.consolidate(tenant.org_id, ids, MODEL) for _ in range(3)),
    )

    assert len(set(await cluster_of(tenant, *ids))) == 1
    assert await tenant.fetch("SELECT members FROM memory_clusters") == [(9,)]


async def test_a_redelivery_and_a_crash_between_vector_and_comparison_leave_each_counted_once(
    tenant: Tenant, redis: RedisClient
) -> None:
    embedder = memory_embedder(tenant.database, redis)
    first, second = await tenant.remember_texts("Fish comes on Thursday.", "fish comes on thursday.")
    messages = [EmbedMessage(tenant.org_id, one) for one in (first, second)]
    # The worker that embedded died before it compared anything.
    await tenant.embed([first, second])

    # Another read both before that, and stores them once more when they have been compared.
    late = await tenant.pending([first, second])
    await tenant.embed([first, second])

    failed = [await embedder.embed(some) for some in (messages, messages, list(reversed(messages)))]
    vectors = await HashEmbedder().embed([one.memory.content for one in late])
    again = await PostgresEmbeddingStore(tenant.database).store(tenant.org_id, late, vectors, MODEL)
    failed.append(await embedder.embed(messages))

    assert failed == [{}] * 4
    assert again.memory_ids == []
    assert len(await relations(tenant)) == 1
    assert await tenant.fetch("SELECT members FROM memory_clusters") == [(2,)]


async def test_another_models_vectors_are_never_compared_and_get_clusters_of_their_own(tenant: Tenant) -> None:
    (old,) = await embedded(tenant, BASE)
    await consolidation(tenant.database).consolidate(tenant.org_id, [old], MODEL)
    (new,) = await tenant.remember_texts("New.")
    store = PostgresEmbeddingStore(tenant.database)
    pending = await store.pending(tenant.org_id, [new], "another")
    await store.store(tenant.org_id, pending, BASE[None], "another")

    await consolidation(tenant.database).consolidate(tenant.org_id, [old, new], "another")

    assert await relations(tenant) == set()
    found = await cluster_of(tenant, old, new)
    assert None not in found
    assert found[0] != found[1]


async def test_another_organizations_memories_are_left_alone(tenant: Tenant, stranger: Tenant) -> None:
    ids = await embedded(tenant, BASE)

    assert await consolidation(tenant.database).consolidate(stranger.org_id, ids, MODEL) == []
    assert await cluster_of(tenant, *ids) == [None]
