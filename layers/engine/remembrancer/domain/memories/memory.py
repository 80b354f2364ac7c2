"""A memory in its written and in its stored form, with normalisation and quality."""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, date, datetime
from operator import attrgetter
from typing import Any, Final
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.personal_data import invisible_characters

CATEGORIES = ("procedural", "factual", "preference", "behavioral", "episodic")
SOURCES = ("extracted", "user_provided", "imported", "inferred")
STATUSES = ("active", "superseded", "archived", "deleted", "pending_review")
RELATION_TYPES = (
    "supports", "refines", "detail_of", "extends", "caused_by", "derived_from", "continuation", "summary_of",
    "references", "similar", "contradicts", "may_contradict", "compatible",
)  # fmt: skip

Vector = NDArray[np.float32]


def ends_at(category: str, occurred_to: datetime | None) -> datetime | None:
    """The moment from which a memory is no longer true; None for an episode, which happened and stays true."""
    return None if category == "episodic" else occurred_to


def day_of(memory: "NewMemory | Memory") -> date | None:
    """The day (UTC) of what happened at a time: an episode's, or that of a memory with a time; None for what is so on
    any day.

    It belongs to the memory's identity: what happens on two days happens twice, though it is told in the same words.
    """
    told = memory.occurred_from or memory.occurred_to
    if told is None and memory.category != "episodic":
        return None
    return (told or memory.created_at).astimezone(UTC).date()


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A validated memory before it is written; `content` is normalised (see `normalise`).

    What it says was true or happened from `occurred_from` until `occurred_to`; None is open.

    `redactions` counts the replacements in its texts by kind. With `agent_name`, `agent_id` has no meaning until the
    name was resolved. `provenance` says from which turns of a conversation it was made, None for other memories. It
    stands in every prompt since `pinned_at`; `pinned` None takes the pin over from the memory that it supersedes.
    """

    agent_id: UUID
    content: str
    category: str
    source: str
    confidence: float
    importance: float
    created_at: datetime
    summary: str | None = None
    context: str | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    user_id: str | None = None
    session_id: str | None = None
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    occurred_from: datetime | None = None
    occurred_to: datetime | None = None
    supersedes: UUID | None = None
    client_ref: str | None = None
    redactions: Mapping[str, int] = field(default_factory=dict)
    agent_name: str | None = None
    provenance: Mapping[str, Any] | None = None
    pinned: bool | None = None
    pinned_at: datetime | None = None

    @property
    def ends_at(self) -> datetime | None:
        """The moment from which it is no longer true."""
        return ends_at(self.category, self.occurred_to)


@dataclass(slots=True)
class Memory:
    """A stored memory, as retrieval uses it.

    `vector` is a unit vector of `vector_model`, None until the embedding exists; `tokens` maps a tokenizer family to
    the tokens of the memory with its wrapper; `supersedes` is the id of the memory that this one replaced.
    `contradicts` are the older memories that this one may contradict, `contradicted_by` the newer ones. One that was
    pinned at `pinned_at` stands in every prompt.

    `sealed` is the text of an organization with a data key, and is kept after decryption: `content` is empty before;
    afterwards it is the text, or a notice that it could not be opened. Caches store the sealed form only.

    Nothing assigns a field, which the type checker confirms: with `frozen`, creating one takes ten times as long, and a
    search returns 150.
    """

    id: Final[UUID]
    agent_id: Final[UUID]
    content: Final[str]
    category: Final[str]
    source: Final[str]
    confidence: Final[float]
    importance: Final[float]
    status: Final[str]
    created_at: Final[datetime]
    tokens: Final[Mapping[str, int]]
    user_id: Final[str | None] = None
    session_id: Final[str | None] = None
    summary: Final[str | None] = None
    tags: Final[tuple[str, ...]] = ()
    quality: Final[float] = 0.5
    tier: Final[str] = "hot"
    valid_from: Final[datetime | None] = None
    expires_at: Final[datetime | None] = None
    last_accessed_at: Final[datetime | None] = None
    usage_count: Final[int] = 0
    retrieval_count: Final[int] = 0
    positive_count: Final[int] = 0
    negative_count: Final[int] = 0
    supersedes: Final[UUID | None] = None
    vector: Final[Vector | None] = None
    vector_model: Final[str | None] = None
    version: Final[int] = 1
    sealed: Final[bytes | None] = None
    occurred_from: Final[datetime | None] = None
    occurred_to: Final[datetime | None] = None
    contradicts: Final[tuple[UUID, ...]] = ()
    contradicted_by: Final[tuple[UUID, ...]] = ()
    pinned_at: Final[datetime | None] = None

    @property
    def ends_at(self) -> datetime | None:
        """The moment from which it is no longer true."""
        return ends_at(self.category, self.occurred_to)

    def with_vector(self, vector: Vector | None) -> "Memory":
        """The memory with this vector: as `replace` makes it, in a tenth of its time."""
        values = list(_VALUES(self))
        values[_VECTOR] = vector
        return Memory(*values)

    def with_use(self, usage_count: int, last_accessed_at: datetime | None) -> "Memory":
        """The memory with these counts, made in the same way."""
        values = list(_VALUES(self))
        values[_USAGE_COUNT], values[_LAST_ACCESSED_AT] = usage_count, last_accessed_at
        return Memory(*values)

    @property
    def conflicts(self) -> list[dict[str, Any]]:
        """The memories that it may contradict or that may contradict it, as answers show them; the newer ones first."""
        newer = [{"id": str(identifier), "is_newer": True} for identifier in self.contradicted_by]
        return [*newer, *({"id": str(identifier), "is_newer": False} for identifier in self.contradicts)]

    @property
    def is_closed(self) -> bool:
        """Whether its text has not been opened yet."""
        return self.sealed is not None and not self.content

    @property
    def is_unreadable(self) -> bool:
        """Whether opening failed, so that its content is UNREADABLE_TEXT."""
        return self.sealed is not None and self.content == UNREADABLE_TEXT

    def is_visible(self, *, agent_id: UUID | None, end_user: EndUser, now: datetime) -> bool:
        """The last check of every row, whichever source it came from."""
        return (
            self.status == "active"
            and (self.valid_from is None or self.valid_from <= now)
            and (self.expires_at is None or self.expires_at > now)
            # By number, since comparing a UUID runs in Python.
            and (agent_id is None or self.agent_id.int == agent_id.int)
            and end_user.sees(self.user_id)
        )


_NAMES = tuple(attribute.name for attribute in fields(Memory))
_VALUES, _VECTOR = attrgetter(*_NAMES), _NAMES.index("vector")
_USAGE_COUNT, _LAST_ACCESSED_AT = _NAMES.index("usage_count"), _NAMES.index("last_accessed_at")


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """An earlier text of a memory; sealed as in Memory."""

    version: int
    content: str
    summary: str | None
    context: str | None
    replaced_at: datetime
    sealed: bytes | None = None
    sealed_context: bytes | None = None


LIFE_BITS = 26
"""Versions per life: room for 67 million writes of an agent; Lua in Redis counts in doubles, which stay exact up to
there.
"""


@dataclass(frozen=True, slots=True)
class Change:
    """The change counters of an agent's memories at one moment.

    `version` counts the writes that changed searchable data; `removals` counts those among them that removed or altered
    something: between two moments with equal `removals` there were only additions. A restored database starts a new
    life: it counts from far above every earlier value, so that older counters never match.
    """

    version: int
    removals: int

    @property
    def life(self) -> int:
        """The life of the database; counters of different lives cannot be compared."""
        return self.version >> LIFE_BITS

    def is_beyond(self, stored: "Change") -> bool:
        """Whether this counter is ahead of the store's: writes that the store never saw or has lost, or another
        life.
        """
        return self.life != stored.life or self.version > stored.version or self.removals > stored.removals


@dataclass(frozen=True, slots=True)
class Directive:
    """An agent's directive in its active version; an empty text only says where memories stand."""

    version: int
    text: str
    injection_mode: str = "system_first"


NO_DIRECTIVE = Directive(0, "")
"""Stands for an agent without a directive; cached as well, so that the store is not asked each time."""


def printable(text: str) -> str:
    """NFC with newlines as line ends and without invisible characters; tabs and layout are kept."""
    # NFC twice: a removed character may have separated a letter from its accent, and which ones are kept depends
    # on neighbours.
    seen = invisible_characters.removed(unicodedata.normalize("NFC", _LINE_ENDS.sub("\n", text)))
    return unicodedata.normalize("NFC", seen)


def normalise(text: str) -> str:
    """NFC, no invisible characters, single blanks inside a line, no two blank lines in a row.

    Idempotent.
    """
    lines = (_BLANKS.sub(" ", line).strip() for line in printable(text).split("\n"))
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip()


def fingerprint(content: str, day: date | None = None, *, key: bytes) -> bytes:
    """Equal active text of one day (see `day_of`) in one (organization, agent, end user) is a duplicate; keyed, so that
    it does not reveal the text.
    """
    dated = b"" if day is None else day.isoformat().encode()
    return hmac.digest(key, b"content:" + hashlib.sha256(content.encode()).digest() + dated, "sha256")


def quality(memory: NewMemory) -> float:
    """Completeness and trust in [0, 1]: 0.5 for the source, 0.3 for tags and context, 0.2 for a usable length."""
    trust = {"user_provided": 1.0, "imported": 0.8, "extracted": 0.7, "inferred": 0.4}[memory.source]
    completeness = (bool(memory.tags) + bool(memory.context)) / 2
    length = min(len(memory.content) / 40, 1.0)
    return 0.5 * trust + 0.3 * completeness + 0.2 * length


def rated(quality: float, positive: int, negative: int) -> float:
    """Quality after feedback, in [0, 1]: the weight of feedback grows with its count, up to a half.

    The share of positive feedback is (positive + 1) / (positive + negative + 2), as in the usefulness factor of
    assembly.
    """
    judged = positive + negative
    weight = 0.5 * judged / (judged + 4)
    return (1 - weight) * quality + weight * (positive + 1) / (judged + 2)


_LINE_ENDS = re.compile("\\r\\n|[\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]")
_BLANKS = re.compile(r"[^\S\n]+")
_BLANK_LINES = re.compile(r"\n{3,}")
