"""Converts rows of `memories` to values; `v` is the memory's row in `memory_vectors`, if it has one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np

from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.identity.scope import Principal, Scope
from remembrancer.domain.memories.memory import Memory, Vector, rated
from remembrancer.domain.memories.prepared_write import MemoryWrite

MEMORY_COLUMNS = """
    m.memory_id, m.agent_id, m.content, m.category, m.source, m.confidence, m.importance, m.status, m.created_at,
    m.tokens_o200k, m.tokens_cl100k, m.user_id, m.session_id, m.summary, m.tags, m.quality, m.tier, m.expires_at,
    m.last_accessed_at, m.usage_count, m.retrieval_count, m.positive_count, m.negative_count, m.supersedes, m.version,
    halfvec_send(v.embedding), v.embedding_model, m.sealed, m.valid_from, m.occurred_from, m.occurred_to, m.contradicts,
    m.contradicted_by"""
MEMORY_WIDTH = 33

# The memories under the alias m that a scope may see; `seen` returns the parameters.
SEEN = f"""
    m.org_id = %(org_id)s AND m.status = 'active'
    AND (m.expires_at IS NULL OR m.expires_at > %(now)s) AND (m.valid_from IS NULL OR m.valid_from <= %(now)s)
    AND (%(project_id)s::text IS NULL OR m.project_id = %(project_id)s)
    AND (%(environment)s::text IS NULL OR m.environment = %(environment)s)
    AND (%(agent_id)s::uuid IS NULL OR m.agent_id = %(agent_id)s)
    AND {conditions.user("m")}"""


def seen(scope: Scope, now: datetime) -> dict[str, Any]:
    """The parameters of `SEEN`: memories that have expired at `now`, or are not yet valid, are left out."""
    return conditions.of_scope(scope) | {"now": now}


def to_memory(row: Row) -> Memory:
    """A memory from a row that begins with MEMORY_COLUMNS."""
    return to_memories([row])[0]


def to_memories(rows: Sequence[Row]) -> list[Memory]:
    """Memories from rows that begin with MEMORY_COLUMNS; vectors and numbers are converted for all rows at once."""
    # Single-precision columns: 0.7 comes back as 0.69999998807.
    numbers = np.array([(row[5], row[6], row[15]) for row in rows], np.float64).round(6).tolist()
    return list(map(_memory, rows, numbers, _vectors([row[25] for row in rows])))


def _vectors(sent: Sequence[bytes | None]) -> list[Vector | None]:
    """Each as its model made it: vectors of several lengths may come together."""
    lengths = {len(one) for one in sent if one is not None}
    if len(lengths) > 1:
        return [vector for one in sent for vector in _vectors([one])]
    stored = [one for one in sent if one is not None]
    # Format: a header of two 16-bit numbers, then the elements, all big-endian.
    halves = np.frombuffer(b"".join(stored), ">f2").reshape(len(stored), -1 if stored else 0)
    # In the machine's byte order first: numpy converts such halves in half the time.
    vectors = iter(halves[:, 2:].astype(np.float16).astype(np.float32))
    return [None if one is None else next(vectors) for one in sent]


def _memory(row: Row, numbers: Sequence[float], vector: Vector | None) -> Memory:
    confidence, importance, quality = numbers
    return Memory(
        id=row[0],
        agent_id=row[1],
        content=row[2] or "",
        category=row[3],
        source=row[4],
        confidence=confidence,
        importance=importance,
        status=row[7],
        created_at=row[8],
        tokens={"o200k_base": row[9], "cl100k_base": row[10]},
        user_id=row[11],
        session_id=row[12],
        summary=row[13],
        tags=tuple(row[14]),
        quality=rated(quality, row[21], row[22]) if row[21] or row[22] else quality,
        tier=row[16],
        valid_from=row[28],
        expires_at=row[17],
        last_accessed_at=row[18],
        usage_count=row[19],
        retrieval_count=row[20],
        positive_count=row[21],
        negative_count=row[22],
        supersedes=row[23],
        version=row[24],
        vector=vector,
        vector_model=row[26],
        sealed=row[27],
        occurred_from=row[29],
        occurred_to=row[30],
        contradicts=() if row[31] is None else tuple(row[31]),
        contradicted_by=() if row[32] is None else tuple(row[32]),
    )


def place(principal: Principal) -> dict[str, Any]:
    """Parameters for a principal's project, environment and end user."""
    return conditions.of_end_user(principal.end_user) | {
        "org_id": principal.org_id,
        "project_id": principal.project_id,
        "environment": principal.environment,
    }


def text_columns(write: MemoryWrite) -> dict[str, Any]:
    """Columns of the stored text: clear, or sealed instead."""
    memory, sealed = write.memory, write.sealed
    return {
        "content": None if sealed else memory.content,
        "summary": None if sealed else memory.summary,
        "context": None if sealed else memory.context,
        "sealed": sealed.text if sealed else None,
        "sealed_context": sealed.context if sealed else None,
        "key_version": sealed.key_version if sealed else None,
        "content_sha256": write.fingerprint,
    }
