"""Search by meaning and by words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from remembrancer.domain.memory import Memory, Vector
from remembrancer.domain.query import Filters
from remembrancer.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class Similar:
    """A memory and its cosine similarity to the query, clamped to [0, 1]."""

    memory: Memory
    similarity: float


@dataclass(frozen=True, slots=True)
class Matched:
    """A memory that contains words of the query; `score` is BM25 over the best the words could reach, in [0, 1]."""

    memory: Memory
    score: float
    terms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Vector search's result, most similar first, and the arm that ran: exact or hnsw."""

    found: Sequence[Similar]
    strategy: str


class MemorySearch(Protocol):
    """Search over the live memories of a scope; every filter is part of the search itself."""

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> SearchAnswer:
        """The memories nearest to a unit vector of `model`."""
        ...

    async def matching(
        self, scope: Scope, terms: Sequence[int], filters: Filters, *, limit: int, now: datetime
    ) -> Sequence[Matched]:
        """The memories that contain any of the terms, best BM25 first."""
        ...


class Stemmer(Protocol):
    """Words to stems of one language."""

    def stem(self, words: Sequence[str]) -> list[str]:
        """One stem a word."""
        ...
