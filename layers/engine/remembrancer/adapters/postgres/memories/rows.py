"""Converts rows of `memories` to values; `v` is the memory's row in `memory_vectors`, if it has one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import accumulate
from struct import Struct
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.search import conditions
from remembrancer.domain.identity.scope import EndUser, Principal, Scope
from remembrancer.domain.memories.memory import Memory, Vector, rated
from remembrancer.domain.memories.memory_columns import (
    NUMBER_OF,
    OTHER_CATEGORY,
    QUESTION_MARKS,
    Booleans,
    MemoryColumns,
    SessionNumbers,
)
from remembrancer.domain.memories.memory_rows import MemoryRows
from remembrancer.domain.memories.prepared_write import MemoryWrite

_NUMBERS = {
    "agent_id": "V16", "confidence": ">f4", "importance": ">f4", "quality": ">f4",
    "created_at": ">i8", "valid_from": ">i8", "expires_at": ">i8", "occurred_from": ">i8", "occurred_to": ">i8",
    "last_accessed_at": ">i8", "pinned_at": ">i8", "tokens_o200k": ">i4", "tokens_cl100k": ">i4", "version": ">i4",
    "usage_count": ">i8", "retrieval_count": ">i8", "positive_count": ">i8", "negative_count": ">i8",
}  # fmt: skip
"""Columns of one length, and how the server sends them. Moments are microseconds since 2000, NEVER for none."""
_MOMENTS = ("created_at", "valid_from", "expires_at", "occurred_from", "occurred_to", "last_accessed_at", "pinned_at")
_TEXTS = (
    "content", "category", "source", "status", "user_id", "session_id", "summary", "tags", "tier", "supersedes",
    "sealed", "embedding", "embedding_model", "contradicts", "contradicted_by",
)  # fmt: skip
_SENT = {
    "tags": "nullif({row}.tags, '{{}}')",
    "embedding": "halfvec_send({vector}.embedding)",
    "embedding_model": "{vector}.embedding_model",
    **{name: f"coalesce({{row}}.{name}, '-infinity')" for name in _MOMENTS},
}
"""Columns that are not sent as they are."""
_ID, _NUMBER, _CONTENT, _CATEGORY, _SOURCE, _STATUS, _USER, _SESSION = range(8)
_VECTOR, _MODEL = 13, 14
NEVER = np.iinfo(np.int64).min
"""How the server sends -infinity, which stands for no moment."""
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_EPOCH_SECONDS = 946_684_800


def _sent(columns: Iterable[str], row: str = "m", vector: str = "v") -> str:
    return ", ".join(_SENT.get(name, f"{{row}}.{name}").format(row=row, vector=vector) for name in columns)


def record(columns: Mapping[str, str]) -> np.dtype[np.void]:
    """Format of a record without nulls: their number, then each after its type and its length."""
    names, formats, offsets, end = [], [], [], 4
    for name, sent in columns.items():
        names.append(name)
        formats.append(sent)
        offsets.append(end + 8)
        end += 8 + np.dtype(sent).itemsize
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": end})


_RECORD = record(_NUMBERS)
# The same for one record: numpy takes five times as long for it.
_FIELDS = Struct(
    ">4x" + "".join("8x" + {"V16": "16s", ">f4": "f", ">i4": "i", ">i8": "q"}[sent] for sent in _NUMBERS.values())
)
MEMORY_COLUMNS = f"m.memory_id, record_send(ROW({_sent(_NUMBERS)})), {_sent(_TEXTS)}"
"""All numbers as one value: to load them one by one would take most of the time."""
STORED_COLUMNS = ", ".join(["memory_id", *_NUMBERS, *(name for name in _TEXTS if not name.startswith("embedding"))])
"""The columns of `memories` that these need; to read all columns of a row takes longer."""
MEMORY_WIDTH = 2 + len(_TEXTS)
_LISTED = ("memory_id", *(name for name in _TEXTS if name != "embedding"))
"""Columns that `together` sends as one array each."""
_LISTS = ("tags", "contradicts", "contradicted_by")
"""Of these, arrays themselves, which are sent as JSON: arrays of several lengths do not fit into one."""


def together(found: str, *extra: str) -> str:
    """A statement that returns everything in one row, for `unpacked`: a server sends rows by 8 KB, each of which wakes
    the client up. `found` selects STORED_COLUMNS, `embedding`, `embedding_model` and the extra columns by their names.
    """
    values = [f"to_jsonb(nullif({name}, '{{}}'))" if name in _LISTS else name for name in (*_LISTED, *extra)]
    return f"""
    SELECT string_agg(record_send(ROW({_sent(_NUMBERS, "found")})), ''), string_agg(halfvec_send(embedding), ''),
           {", ".join(f"array_agg({value})" for value in values)}
    FROM ({found}) AS found"""  # noqa: S608 - constants only


def unpacked(answer: Sequence[Row]) -> list[Row]:
    """The rows that such a statement has put together: each begins with MEMORY_COLUMNS, then come its extra columns."""
    records, vectors, *arrays = answer[0]
    columns, extra = dict(zip(_LISTED, arrays, strict=False)), arrays[len(_LISTED) :]
    if columns["memory_id"] is None:
        return []
    for name in ("contradicts", "contradicted_by"):
        columns[name] = [array and list(map(UUID, array)) for array in columns[name]]
    columns["embedding"] = _apart(vectors or b"", [model is not None for model in columns["embedding_model"]])
    size = _RECORD.itemsize
    numbers = [records[first : first + size] for first in range(0, len(records), size)]
    return list(zip(columns["memory_id"], numbers, *(columns[name] for name in _TEXTS), *extra, strict=True))


def _apart(vectors: bytes, present: Sequence[bool]) -> list[bytes | None]:
    """The vector of each row that has one. All are of one table, hence of one length."""
    length = len(vectors) // max(sum(present), 1)
    ends = accumulate(length if has_one else 0 for has_one in present)
    return [vectors[end - length : end] if has_one else None for has_one, end in zip(present, ends, strict=True)]


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
    """Memories from rows that begin with MEMORY_COLUMNS."""
    return list(StoredRows.of(rows))


@dataclass(frozen=True, slots=True, eq=False)
class StoredRows(MemoryRows):
    """Rows that begin with MEMORY_COLUMNS; `numbers` (n,) are those of their records. Objects are made once."""

    rows: Sequence[Row]
    numbers: NDArray[np.void]
    _made: dict[int, Memory] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Sequence[Row]) -> "StoredRows":
        """Reads the numbers of all rows in one step."""
        return cls(rows, np.frombuffer(b"".join([row[_NUMBER] for row in rows]), _RECORD))

    @property
    def ids(self) -> Sequence[int]:
        """The ids as the driver read them, as numbers."""
        return [row[_ID].int for row in self.rows]

    @property
    def agents(self) -> Sequence[int]:
        """The ids of their agents from the records, as numbers."""
        return [int.from_bytes(number) for number in self.numbers["agent_id"].tolist()]

    def picked(self, places: NDArray[np.intp]) -> "StoredRows":
        """The rows at these positions, in this order."""
        return StoredRows([self.rows[place] for place in places.tolist()], self.numbers[places])

    def columns(self, sessions: SessionNumbers) -> MemoryColumns:
        """The columns of all rows, from the records and texts."""
        numbers, rows = self.numbers, self.rows
        tokens = np.maximum(numbers["tokens_o200k"], numbers["tokens_cl100k"])
        return MemoryColumns(
            created=_seconds(numbers["created_at"], 0.0),
            valid=_seconds(numbers["valid_from"], -np.inf),
            expires=_seconds(numbers["expires_at"], np.inf),
            begins=_seconds(numbers["occurred_from"], -np.inf),
            until=_seconds(numbers["occurred_to"], np.inf),
            confidence=_exact(numbers["confidence"]),
            positive_count=numbers["positive_count"].astype(np.int32),
            negative_count=numbers["negative_count"].astype(np.int32),
            retrieval_count=numbers["retrieval_count"].astype(np.int32),
            tokens=tokens.astype(np.int32),
            category=np.array([NUMBER_OF.get(row[_CATEGORY], OTHER_CATEGORY) for row in rows], np.int32),
            session=sessions.of(self.agents, [row[_SESSION] for row in rows]),
            asks=np.array([(row[_CONTENT] or "").endswith(QUESTION_MARKS) for row in rows], bool),
        )

    def visible(self, agent: int | None, end_user: EndUser) -> Booleans:
        """By status, end user and agent of each row."""
        seen = [row[_STATUS] == "active" and end_user.sees(row[_USER]) for row in self.rows]
        if agent is None:
            return np.array(seen, bool)
        is_own = self.numbers["agent_id"] == np.void(agent.to_bytes(16))
        return np.asarray(np.logical_and(is_own, seen))

    def vectors(self, rows: Sequence[int]) -> list[tuple[Vector | None, str | None]]:
        """The vectors of these rows, decoded in one step."""
        chosen = [self.rows[row] for row in rows]
        return list(zip(_vectors([row[_VECTOR] for row in chosen]), [row[_MODEL] for row in chosen], strict=True))

    def at(self, rows: Sequence[int]) -> list[Memory]:
        """The memories of these rows, each of which is made once."""
        made = self._made
        missing = [row for row in dict.fromkeys(rows) if row not in made]
        if missing:
            made.update(zip(missing, self._memories(missing), strict=True))
        return [made[row] for row in rows]

    def __len__(self) -> int:
        return len(self.rows)

    def _memories(self, places: Sequence[int]) -> Iterator[Memory]:
        rows = [self.rows[place] for place in places]
        chosen = self.numbers[places]
        ratings = zip(*(_exact(chosen[name]).tolist() for name in ("confidence", "importance", "quality")), strict=True)
        return map(_memory, rows, ratings, _vectors([row[_VECTOR] for row in rows]))


def _seconds(moments: NDArray[np.int64], absent: float) -> NDArray[np.float64]:
    """Since 1970, `absent` where there is none."""
    since = moments.astype(np.int64)
    is_none = since == NEVER
    since[is_none] = 0
    seconds = (since + _EPOCH_SECONDS * 1_000_000) / 1e6
    seconds[is_none] = absent
    return seconds


def _exact(stored: NDArray[np.float32]) -> NDArray[np.float64]:
    """Of single-precision columns: 0.7 comes back as 0.69999998807."""
    return stored.astype(np.float64).round(6)


def _vectors(sent: Sequence[bytes | None]) -> list[Vector | None]:
    """Each as its model made it: vectors of several lengths may come together."""
    lengths = {len(encoded) for encoded in sent if encoded is not None}
    if len(lengths) > 1:
        return [vector for encoded in sent for vector in _vectors([encoded])]
    stored = [encoded for encoded in sent if encoded is not None]
    # Format: a header of two 16-bit numbers, then the elements, all big-endian.
    halves = np.frombuffer(b"".join(stored), ">f2").reshape(len(stored), -1 if stored else 0)
    # In the machine's byte order first: numpy converts such halves in half the time.
    vectors = iter(halves[:, 2:].astype(np.float16).astype(np.float32))
    return [None if encoded is None else next(vectors) for encoded in sent]


def _memory(row: Row, ratings: tuple[float, float, float], vector: Vector | None) -> Memory:
    (
        memory_id, record, content, category, source, status, user_id, session_id, summary, tags, tier, supersedes,
        sealed, _, model, contradicts, contradicted_by, *_,
    ) = row  # fmt: skip
    (
        agent_id, _, _, _, created_at, valid_from, expires_at, occurred_from, occurred_to, accessed_at,
        pinned_at, tokens_o200k, tokens_cl100k, version, usage, retrievals, positive, negative,
    ) = _FIELDS.unpack(record)  # fmt: skip
    confidence, importance, quality = ratings
    return Memory(
        id=memory_id,
        agent_id=_agent(agent_id),
        content=content or "",
        category=category,
        source=source,
        confidence=confidence,
        importance=importance,
        status=status,
        created_at=_EPOCH + timedelta(0, 0, created_at),
        tokens={"o200k_base": tokens_o200k, "cl100k_base": tokens_cl100k},
        user_id=user_id,
        session_id=session_id,
        summary=summary,
        tags=tuple(tags or ()),
        quality=rated(quality, positive, negative) if positive or negative else quality,
        tier=tier,
        valid_from=_moment(valid_from),
        expires_at=_moment(expires_at),
        last_accessed_at=_moment(accessed_at),
        usage_count=usage,
        retrieval_count=retrievals,
        positive_count=positive,
        negative_count=negative,
        supersedes=supersedes,
        version=version,
        vector=vector,
        vector_model=model,
        sealed=sealed,
        occurred_from=_moment(occurred_from),
        occurred_to=_moment(occurred_to),
        contradicts=tuple(contradicts or ()),
        contradicted_by=tuple(contradicted_by or ()),
        pinned_at=_moment(pinned_at),
    )


@lru_cache(maxsize=256)
def _agent(sent: bytes) -> UUID:
    return UUID(bytes=sent)


def _moment(sent: int) -> datetime | None:
    return None if sent == NEVER else _EPOCH + timedelta(0, 0, sent)


def place(principal: Principal) -> dict[str, Any]:
    """Parameters for a principal's project, environment and end user."""
    return conditions.of_end_user(principal.end_user) | {
        "org_id": principal.org_id,
        "project_id": principal.project_id,
        "environment": principal.environment,
    }


DAY = """
    CASE WHEN category = 'episodic' OR coalesce(occurred_from, occurred_to) IS NOT NULL
         THEN (coalesce(occurred_from, occurred_to, created_at) AT TIME ZONE 'UTC')::date END"""
"""The day of a row of `memories`, as `day_of` says it. Rows of earlier versions have it in no fingerprint."""


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
