"""Finds near vectors, merges duplicates and assigns clusters for new vectors.

The search for near-duplicates reads committed rows without locks: when two workers store such a pair at the same time,
the later commit finds the other. Only the assignment of clusters is serialized between workers, and writers do not wait
for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from uuid import UUID, uuid4

from pgvector import HalfVector

from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.deadlocks import repeated
from remembrancer.adapters.postgres.memories.rows import MEMORY_COLUMNS, to_memory
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.adapters.postgres.search.vector_tables import EXACT_ROWS, VectorTables, in_table
from remembrancer.domain.memories import clusters
from remembrancer.domain.memories.clusters import Cluster
from remembrancer.domain.memories.memory import Change, Vector
from remembrancer.ports.memories import Consolidated, NearMemory

NEAR = 0.92
MOST_SIMILAR = 8
"""Relations `similar` that lead to one memory; from one there are at most as many as are examined."""
MOST_NEAR = 5
"""Most near-duplicates examined for one memory."""

# A memory that is not valid yet is invisible and in no centroid.
_WAITING = """
    SELECT m.memory_id, m.agent_id, m.version, m.category, coalesce(m.user_id, ''), v.embedding,
           greatest(a.vectors, a.indexed_documents)
    FROM memories m
    JOIN memory_vectors v ON v.agent_id = m.agent_id AND v.memory_id = m.memory_id
    JOIN agents a ON a.agent_id = m.agent_id
    WHERE m.org_id = %(org_id)s AND m.memory_id = ANY(%(ids)s) AND m.status = 'active' AND m.cluster_id IS NULL
      AND m.embedding_state = 'ready' AND m.embedding_model = %(model)s AND v.embedding_model = %(model)s
      AND (m.valid_from IS NULL OR m.valid_from <= now())"""
_CHOICE = "SELECT settings ->> 'near_duplicates' FROM organizations WHERE org_id = %s"
ROWS = f"""
    SELECT {MEMORY_COLUMNS} FROM memories m
    LEFT JOIN LATERAL (SELECT NULL::halfvec AS embedding, NULL AS embedding_model) v ON true
    WHERE m.org_id = %(org_id)s AND m.memory_id = ANY(%(ids)s) AND m.status = 'active'"""  # noqa: S608

# The SQL operator decides whether the index is used: none serves `<#>`, which is for agents with few rows to scan.
_NEAR = """
    SELECT n.memory_id, nm.version, o.memory_id, om.version, o.similarity
    FROM memory_vectors n
    CROSS JOIN LATERAL (
        SELECT v.memory_id, 1 - (v.embedding <=> n.embedding) AS similarity FROM memory_vectors v
        WHERE v.org_id = %(org_id)s AND v.agent_id = %(agent_id)s AND v.embedding_model = %(model)s
          AND v.category = n.category AND v.user_id IS NOT DISTINCT FROM n.user_id AND v.memory_id <> n.memory_id
        ORDER BY v.embedding {operator} n.embedding LIMIT %(most)s) o
    JOIN memories nm ON nm.org_id = %(org_id)s AND nm.memory_id = n.memory_id AND nm.embedding_state = 'ready'
    JOIN memories om ON om.org_id = %(org_id)s AND om.memory_id = o.memory_id AND om.embedding_state = 'ready'
    WHERE n.org_id = %(org_id)s AND n.agent_id = %(agent_id)s AND n.memory_id = ANY(%(ids)s)
      AND o.similarity > %(near)s"""
_EXACT, _INDEXED = _NEAR.format(operator="<#>"), _NEAR.format(operator="<=>")
INDEXED_SETTINGS = {"hnsw.ef_search": "100", "hnsw.iterative_scan": "relaxed_order", "enable_sort": "off"}

_LOCK_CLUSTERS = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_CLUSTERS = """
    SELECT category, owner, cluster_id, centroid, members FROM memory_clusters
    WHERE org_id = %(org_id)s AND agent_id = %(agent_id)s AND category = ANY(%(categories)s)
      AND owner = ANY(%(owners)s) AND embedding_model = %(model)s
    ORDER BY cluster_id"""
_KEEP_CLUSTERS = """
    INSERT INTO memory_clusters (cluster_id, org_id, agent_id, category, owner, centroid, members, embedding_model)
    SELECT cluster_id, %(org_id)s, %(agent_id)s, category, owner, centroid, members, %(model)s
    FROM unnest(%(ids)s::uuid[], %(categories)s::text[], %(owners)s::text[], %(centroids)s::halfvec[],
                %(members)s::integer[]) AS kept (cluster_id, category, owner, centroid, members)
    ON CONFLICT (cluster_id) DO UPDATE
        SET centroid = EXCLUDED.centroid, members = EXCLUDED.members, updated_at = now()"""
_JOIN_CLUSTERS = """
    UPDATE memories m SET cluster_id = joined.cluster_id
    FROM unnest(%(ids)s::uuid[], %(clusters)s::uuid[]) AS joined (memory_id, cluster_id)
    WHERE m.org_id = %(org_id)s AND m.memory_id = joined.memory_id"""
# A row that another worker has assigned meanwhile is not counted again; a newer text is compared again.
_STILL_WAITING = """
    SELECT memory_id, version FROM memories
    WHERE org_id = %s AND memory_id = ANY(%s) AND status = 'active' AND cluster_id IS NULL"""
LOCK_MEMORIES = "SELECT 1 FROM memories WHERE org_id = %s AND memory_id = ANY(%s) ORDER BY memory_id FOR UPDATE"

_RELATE = """
    INSERT INTO memory_relations (relation_id, org_id, from_memory_id, to_memory_id, type, confidence)
    SELECT relation_id, %(org_id)s, newer_id, older_id, 'similar', least(confidence, 1)
    FROM (
        SELECT pair.*, row_number() OVER (PARTITION BY older_id ORDER BY pair.confidence DESC, newer_id)
               + (SELECT count(*) FROM memory_relations known
                  WHERE known.org_id = %(org_id)s AND known.to_memory_id = older_id AND known.type = 'similar') AS place
        FROM unnest(%(relations)s::uuid[], %(newer)s::uuid[], %(newer_versions)s::integer[], %(older)s::uuid[],
                    %(older_versions)s::integer[], %(confidences)s::real[])
             AS pair (relation_id, newer_id, newer_version, older_id, older_version, confidence)
        JOIN memories newer ON newer.memory_id = pair.newer_id AND newer.status = 'active'
             AND newer.version = pair.newer_version
        JOIN memories older ON older.memory_id = pair.older_id AND older.status = 'active'
             AND older.version = pair.older_version) related
    WHERE place <= %(most)s
    ON CONFLICT (from_memory_id, to_memory_id, type) DO NOTHING"""
# `supersedes` of the newer memory stays as written, since the tokens of its line include it. A memory that is not valid
# yet, or expires earlier, supersedes nothing, nor does one that a caller found compatible.
_SUPERSEDE = """
    UPDATE memories older SET status = 'superseded', superseded_by = pair.newer_id, updated_at = now()
    FROM unnest(%(newer)s::uuid[], %(newer_versions)s::integer[], %(older)s::uuid[], %(older_versions)s::integer[])
         AS pair (newer_id, newer_version, older_id, older_version)
    JOIN memories newer ON newer.memory_id = pair.newer_id AND newer.status = 'active'
         AND newer.version = pair.newer_version
         AND (newer.valid_from IS NULL OR newer.valid_from <= now())
    WHERE older.org_id = %(org_id)s AND older.memory_id = pair.older_id AND older.status = 'active'
      AND older.version = pair.older_version
      AND (newer.expires_at IS NULL OR newer.expires_at >= older.expires_at)
      AND (newer.occurred_to IS NULL OR newer.occurred_to >= older.occurred_to)
      AND NOT EXISTS (
          SELECT FROM memory_relations known
          WHERE known.org_id = %(org_id)s AND known.type = 'compatible'
            AND ((known.from_memory_id = pair.newer_id AND known.to_memory_id = pair.older_id)
                 OR (known.from_memory_id = pair.older_id AND known.to_memory_id = pair.newer_id)))
    RETURNING older.memory_id, pair.newer_id"""

# What capture made of a turn, and says no more than an older memory, confirms that one. One that corrects another, is
# pinned or in doubt is left alone, and so is one that lasts longer than the older.
_CONFIRM = """
    UPDATE memories newer SET status = 'superseded', superseded_by = pair.older_id, updated_at = now()
    FROM unnest(%(newer)s::uuid[], %(newer_versions)s::integer[], %(older)s::uuid[], %(older_versions)s::integer[])
         AS pair (newer_id, newer_version, older_id, older_version)
    JOIN memories older ON older.memory_id = pair.older_id AND older.status = 'active'
         AND older.version = pair.older_version AND (older.valid_from IS NULL OR older.valid_from <= now())
         AND older.contradicted_by IS NULL
    WHERE newer.org_id = %(org_id)s AND newer.memory_id = pair.newer_id AND newer.status = 'active'
      AND newer.version = pair.newer_version AND newer.provenance IS NOT NULL AND newer.supersedes IS NULL
      AND newer.pinned_at IS NULL AND NOT newer.provenance ? 'pin_proposed' AND newer.contradicts IS NULL
      AND (older.expires_at IS NULL OR older.expires_at >= newer.expires_at)
      AND (older.occurred_to IS NULL OR older.occurred_to >= newer.occurred_to)
      AND NOT EXISTS (
          SELECT FROM memory_relations known
          WHERE known.org_id = %(org_id)s AND known.type = 'compatible'
            AND ((known.from_memory_id = pair.newer_id AND known.to_memory_id = pair.older_id)
                 OR (known.from_memory_id = pair.older_id AND known.to_memory_id = pair.newer_id)))
    RETURNING newer.memory_id, pair.older_id"""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A memory to assign; `place` is (category, owner): memories with the same may share a cluster."""

    memory_id: UUID
    version: int
    place: tuple[str, str]
    vector: Vector


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two memories and the versions that were compared: a newer text is compared anew."""

    agent_id: UUID
    newer: UUID
    newer_version: int
    older: UUID
    older_version: int
    similarity: float

    @classmethod
    def of(cls, near: NearMemory) -> "_Pair":
        newer, older = near.new, near.other
        if (newer.created_at, newer.id) < (older.created_at, older.id):
            newer, older = older, newer
        return cls(newer.agent_id, newer.id, newer.version, older.id, older.version, near.similarity)


class PostgresConsolidation:
    """Serves the near-duplicates and clusters of the Conflicts port."""

    def __init__(
        self,
        database: Database,
        tables: VectorTables | None = None,
        *,
        exact_rows: int = EXACT_ROWS,
    ) -> None:
        """Agents with more than `exact_rows` vectors are searched by the index."""
        self._database = database
        self._tables = tables or VectorTables()
        self._exact_rows = exact_rows

    async def near_duplicates(self, org_id: UUID, memory_ids: Sequence[UUID], model: str) -> Sequence[NearMemory]:
        waiting, policy = await self._waiting(org_id, memory_ids, model)
        if policy == "off":
            return []
        found = [
            pair
            for (agent_id, vectors), memories in waiting
            for pair in await self._near(org_id, agent_id, vectors, memories, model)
        ]
        if not found:
            return []
        ends = sorted({end for new, _, other, _, _ in found for end in (new, other)})
        (rows,) = await self._database.read(org_id, (ROWS, {"org_id": org_id, "ids": ends}))
        memories = {(row[0], memory.version): memory for row in rows for memory in [to_memory(row)]}
        return [
            NearMemory(memories[new, version], memories[other, of_other], similarity)
            for new, version, other, of_other, similarity in found
            if {(new, version), (other, of_other)} <= memories.keys()
        ]

    async def consolidate(
        self,
        org_id: UUID,
        memory_ids: Sequence[UUID],
        model: str,
        duplicates: Sequence[NearMemory] = (),
        paraphrases: Sequence[NearMemory] = (),
    ) -> Sequence[Consolidated]:
        """One agent after the other: their memories are never compared."""
        waiting, policy = await self._waiting(org_id, memory_ids, model)
        done: list[Consolidated] = []
        for (agent_id, _), memories in waiting:
            pairs = _pairs(duplicates, agent_id)
            repeated = _pairs([] if policy == "off" else [*duplicates, *paraphrases], agent_id)
            done.append(await self._keep(org_id, agent_id, memories, pairs, repeated, model, merge=policy == "merge"))
        return done

    async def _waiting(
        self, org_id: UUID, memory_ids: Sequence[UUID], model: str
    ) -> tuple[list[tuple[tuple[UUID, int], list[_Waiting]]], str]:
        """The memories to compare by agent, with the number of its vectors; and what the organization chose."""
        parameters = {"org_id": org_id, "ids": list(memory_ids), "model": model}
        waiting_rows = in_table(_WAITING, await self._tables.of(model))
        rows, choice = await self._database.read(org_id, (waiting_rows, parameters), (_CHOICE, (org_id,)))
        waiting: dict[tuple[UUID, int], list[_Waiting]] = {}
        for memory_id, agent_id, version, category, owner, vector, vectors in rows:
            memory = _Waiting(memory_id, version, (category, owner), vector.to_numpy().astype("float32"))
            waiting.setdefault((agent_id, vectors), []).append(memory)
        for memories in waiting.values():
            memories.sort(key=lambda memory: memory.memory_id)
        return sorted(waiting.items()), (choice[0][0] if choice else None) or "relate"

    async def _near(
        self, org_id: UUID, agent_id: UUID, vectors: int, memories: Sequence[_Waiting], model: str
    ) -> list[tuple[UUID, int, UUID, int, float]]:
        """Ids and versions of each new memory and of one near to it, and their cosine."""
        exact = vectors <= self._exact_rows
        parameters = {
            "org_id": org_id,
            "agent_id": agent_id,
            "model": model,
            "ids": [memory.memory_id for memory in memories],
            "near": NEAR,
            "most": MOST_NEAR,
        }
        statement = in_table(_EXACT if exact else _INDEXED, await self._tables.of(model))
        (rows,) = await self._database.read(org_id, (statement, parameters), settings={} if exact else INDEXED_SETTINGS)
        return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]

    @repeated
    async def _keep(
        self,
        org_id: UUID,
        agent_id: UUID,
        memories: Sequence[_Waiting],
        pairs: Sequence[_Pair],
        repeated: Sequence[_Pair],
        model: str,
        *,
        merge: bool,
    ) -> Consolidated:
        async with self._database.transaction(org_id) as transaction:
            # Writers' lock first, as everywhere, and only where something leaves what is searched.
            may_leave = repeated or (merge and pairs)
            live = await LiveSet.lock(transaction, org_id, agent_id) if may_leave else None
            await transaction.fetch(_LOCK_CLUSTERS, (f"clusters {agent_id}",))
            # All rows at once, in the order of their ids: those that get a cluster, and both of each pair.
            ends = {memory.memory_id for memory in memories} | {
                end for pair in (*pairs, *repeated) for end in (pair.newer, pair.older)
            }
            await transaction.fetch(LOCK_MEMORIES, (org_id, sorted(ends)))
            clustered = await self._cluster(transaction, org_id, agent_id, memories, model)
            change: Change | None = None
            related = 0
            replaced = await _confirm(transaction, org_id, repeated) if repeated else []
            if merge and pairs:
                replaced += await _supersede(transaction, org_id, pairs)
            elif pairs:
                related = await self._relate(transaction, org_id, pairs)
            superseded = [gone for gone, _ in replaced]
            if live is not None and superseded:
                await live.leave(superseded)
                await live.took_over(replaced)
                change = await live.finish()
        return Consolidated(agent_id, clustered, related, superseded, change)

    async def _cluster(
        self, transaction: Transaction, org_id: UUID, agent_id: UUID, memories: Sequence[_Waiting], model: str
    ) -> int:
        still = set(await transaction.fetch(_STILL_WAITING, (org_id, [memory.memory_id for memory in memories])))
        memories = [memory for memory in memories if (memory.memory_id, memory.version) in still]
        if not memories:
            return 0
        agent = {"org_id": org_id, "agent_id": agent_id, "model": model}
        places = sorted({memory.place for memory in memories})
        known: Mapping[tuple[str, str], list[Cluster]] = {place: [] for place in places}
        asked = {"categories": [category for category, _ in places], "owners": [owner for _, owner in places]}
        for category, owner, *row in await transaction.fetch(_CLUSTERS, agent | asked):
            # Every owner's clusters of every category were asked for.
            if (category, owner) in known:
                known[category, owner].append(Cluster(row[0], row[1].to_numpy().astype("float32"), row[2]))
        joined: dict[UUID, UUID] = {}
        changed: list[tuple[tuple[str, str], Cluster]] = []
        for place in places:
            members = [memory for memory in memories if memory.place == place]
            assigned = clusters.assign(known[place], [memory.vector for memory in members], new_id=uuid4)
            joined |= {memory.memory_id: cluster for memory, cluster in zip(members, assigned.cluster_ids, strict=True)}
            changed += [(place, cluster) for cluster in assigned.changed]
        kept = {
            "ids": [cluster.id for _, cluster in changed],
            "categories": [category for (category, _), _ in changed],
            "owners": [owner for (_, owner), _ in changed],
            "centroids": [HalfVector(cluster.centroid) for _, cluster in changed],
            "members": [cluster.members for _, cluster in changed],
        }
        await transaction.execute(_KEEP_CLUSTERS, agent | kept)
        ids = [memory.memory_id for memory in memories]
        return await transaction.execute(
            _JOIN_CLUSTERS,
            {
                "org_id": org_id,
                "ids": ids,
                "clusters": [joined[memory_id] for memory_id in ids],
            },
        )

    async def _relate(self, transaction: Transaction, org_id: UUID, pairs: Sequence[_Pair]) -> int:
        return await transaction.execute(
            _RELATE,
            {
                "org_id": org_id,
                "relations": [uuid4() for _ in pairs],
                "confidences": [pair.similarity for pair in pairs],
                "most": MOST_SIMILAR,
                **_ends(pairs),
            },
        )


def _pairs(near: Sequence[NearMemory], agent_id: UUID) -> list[_Pair]:
    """The agent's pairs in a fixed order; both of a pair may be new, so that each has named the other."""
    pairs = {(pair.newer, pair.older): pair for pair in map(_Pair.of, near) if pair.agent_id == agent_id}
    return [pairs[ends] for ends in sorted(pairs)]


async def _confirm(transaction: Transaction, org_id: UUID, pairs: Sequence[_Pair]) -> list[tuple[UUID, UUID]]:
    """Captured memories that repeat an older one, each with that one."""
    chosen = _nearest(pairs, goes=attrgetter("newer"), stays=attrgetter("older"))
    rows = await transaction.fetch(_CONFIRM, {"org_id": org_id, **_ends(chosen)})
    return [(newer, older) for newer, older in rows]


async def _supersede(transaction: Transaction, org_id: UUID, pairs: Sequence[_Pair]) -> list[tuple[UUID, UUID]]:
    """Memories that a newer one repeats, each with that one."""
    chosen = _nearest(pairs, goes=attrgetter("older"), stays=attrgetter("newer"))
    rows = await transaction.fetch(_SUPERSEDE, {"org_id": org_id, **_ends(chosen)})
    return [(older, newer) for older, newer in rows]


def _nearest(pairs: Sequence[_Pair], *, goes: Callable[[_Pair], UUID], stays: Callable[[_Pair], UUID]) -> list[_Pair]:
    """For each memory that goes, the pair with the nearest one that stays."""
    gone = {goes(pair) for pair in pairs}
    nearest = {goes(pair): pair for pair in sorted(pairs, key=attrgetter("similarity")) if stays(pair) not in gone}
    return [nearest[memory_id] for memory_id in sorted(nearest)]


def _ends(pairs: Sequence[_Pair]) -> dict[str, Sequence[object]]:
    return {
        "newer": [pair.newer for pair in pairs],
        "newer_versions": [pair.newer_version for pair in pairs],
        "older": [pair.older for pair in pairs],
        "older_versions": [pair.older_version for pair in pairs],
    }
