"""Search by meaning and by words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from remembrancer.domain.filters import Filters
from remembrancer.domain.lexical import Wanted
from remembrancer.domain.memory import Memory, Vector
from remembrancer.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory and its cosine similarity to the query, clamped to [0, 1]."""

    memory: Memory
    similarity: float


@dataclass(frozen=True, slots=True)
class Matched:
    """A memory that contains words of the query; scores are BM25 over the best the words could reach, in [0, 1].

    `content` is over content alone, `context` over content and context together; `subject` is 1 when the query names
    whom the memory is about, else 0.
    """

    memory: Memory
    content: float = 0.0
    context: float = 0.0
    subject: float = 0.0
    terms: tuple[int, ...] = ()

    @property
    def score(self) -> float:
        """Both ways to read it counting the same: what the best are chosen by."""
        return (self.content + self.context) / 2


@dataclass(frozen=True, slots=True)
class LexicalAnswer:
    """Search by words: best first; `left_out` are the terms too common to be read within the bound, rarely any."""

    found: Sequence[Matched] = ()
    left_out: tuple[int, ...] = ()

    @property
    def short(self) -> bool:
        """Whether some may be missing."""
        return bool(self.left_out)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Vector search's result, most similar first, and the arm that ran: exact, hnsw or ivfflat.

    `short` when an index gave fewer than were asked for although the scope has more: a filter left few, or the index
    missed some.
    """

    found: Sequence[Similar]
    strategy: str
    short: bool = False


class MemorySearch(Protocol):
    """Search over the live memories of a scope; every filter is part of the search itself."""

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """The memories nearest to a unit vector of `model`."""
        ...

    async def matching(
        self, scope: Scope, query: Wanted, filters: Filters, *, limit: int, now: datetime
    ) -> LexicalAnswer:
        """The memories that contain any of the words, best score first.

        Frequencies and lengths are those of the memories that the scope's end user may read, and of no others.
        """
        ...

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Those of the terms that the scope's index holds, of memories that its end user may read."""
        ...


class Stemmer(Protocol):
    """Words to stems of one language, and what is known of its nouns."""

    def stem(self, words: Sequence[str]) -> list[str]:
        """One stem a word."""
        ...

    def kinds(self, noun: str) -> Sequence[str]:
        """The stems of what is a kind of it, the most common first; a noun is a stem, or two with a space between."""
        ...


class LexicalIndex(Protocol):
    """Upkeep of what search by words reads: nothing that is found depends on it, only how fast."""

    async def tidy(self, org_id: UUID, agent_id: UUID) -> None:
        """Merges what is new, and takes out what has left, once it is worth it."""
        ...

    async def merge(self, org_id: UUID, agent_id: UUID) -> None:
        """The same at once and in full: afterwards nothing of a memory that has left is stored."""
        ...

    async def untidy(self, org_id: UUID, older_than: datetime, limit: int) -> Sequence[UUID]:
        """Agents with something to merge or to take out since before `older_than`."""
        ...
