"""Search by meaning and by words, the rows of memory maps, the data that ranking needs, and vectors computed before."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import Change, Memory, Vector
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.memory_map.rows import MapRows
from remembrancer.domain.ranking.ranking_data import AgentRankingData
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.graph import Edge
from remembrancer.domain.retrieval.usage_profile import Profile

Scores = Sequence[float] | NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class VectorHits:
    """Vector search: columns of the same length, most similar first, and the arm that ran: exact, hnsw, ivfflat or map.

    `similarity` is the cosine, clamped to [0, 1]. `short` when an index gave fewer than were asked for although the
    scope has more: a filter left few, or the index missed some. `documents` are the memories' numbers in the lexical
    index, None for one that is not in it; a map needs none.
    """

    memories: Sequence[Memory]
    similarity: Scores
    strategy: str
    short: bool = False
    documents: Sequence[int | None] = ()

    @property
    def found(self) -> Sequence[Evidence]:
        """The columns as one evidence for each memory, in the same order."""
        return [Evidence(memory, dense) for memory, dense in zip(self.memories, _floats(self.similarity), strict=True)]


@dataclass(frozen=True, slots=True)
class WordHits:
    """Search by words: columns of the same length, as `Evidence` names them, best first.

    `left_out` are the terms too common to be read within the bound, rarely any. `information` is how many rare words
    the query is worth (`LexicalScores`). `with_found` gives, without a further read, the columns of these memories and
    then of those that vector search found, for the same words; memories without any of them are left out. `called`
    names the query's terms, as `QueryTerms` does. `terms` is empty where they were not asked for.
    """

    memories: Sequence[Memory] = ()
    content: Scores = ()
    context: Scores = ()
    subject: Scores = ()
    terms: Sequence[tuple[int, ...]] = ()
    left_out: tuple[int, ...] = ()
    information: float = 0.0
    called: Mapping[int, str] = field(default_factory=dict, compare=False)
    with_found: "Callable[[Sequence[VectorHits]], WordHits] | None" = field(default=None, compare=False)

    def completed(self, answers: Sequence[VectorHits]) -> "WordHits":
        """Adds how the words match memories that only vectors found: without that, the same memory would rank lower
        than if both had found it.
        """
        if self.with_found is None or not answers:
            return self
        return self.with_found(answers)

    @property
    def short(self) -> bool:
        """Whether memories may be missing because terms were left out."""
        return bool(self.left_out)

    @property
    def found(self) -> Sequence[Evidence]:
        """The columns as one evidence for each memory, in the same order."""
        scores = (_floats(column) for column in (self.content, self.context, self.subject))
        terms = self.terms or [()] * len(self.memories)
        return [Evidence(memory, None, *row) for memory, *row in zip(self.memories, *scores, terms, strict=True)]


def _floats(scores: Scores) -> Sequence[float]:
    return scores.tolist() if isinstance(scores, np.ndarray) else scores


class MemoryIndex(Protocol):
    """Search over the live memories of a scope; every filter is part of the search itself."""

    async def nearest(
        self, scope: Scope, vector: Vector, filters: Filters, *, model: str, limit: int, now: datetime
    ) -> VectorHits:
        """The memories nearest to a unit vector of `model`."""
        ...

    async def matching(
        self,
        scope: Scope,
        query: QueryTerms,
        filters: Filters,
        *,
        limit: int,
        now: datetime,
        names_terms: bool = True,
    ) -> WordHits:
        """The memories that contain any of the words, best score first.

        Without `names_terms` they need not say which of the words each contains, which only explanations tell.
        Frequencies and lengths are those of the memories that the scope's end user may read, and of no others.
        """
        ...

    async def known(self, scope: Scope, terms: Sequence[int]) -> frozenset[int]:
        """Those of the terms that the scope's index holds, of memories that its end user may read."""
        ...


class Stemmer(Protocol):
    """Words to stems of one language, and what is known of its nouns."""

    def of(self, language: str) -> "Stemmer":
        """The stemmer of another language, one of `STOP_WORDS`."""
        ...

    def stem(self, words: Sequence[str]) -> list[str]:
        """One stem for each word, in the same order."""
        ...

    def kinds(self, noun: str) -> Sequence[str]:
        """The stems of the kinds of a noun, the most common first; a noun is a stem, or two with a space between."""
        ...


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far an agent's memories were read, in the order of (change, id)."""

    change: int
    memory_id: UUID


@dataclass(frozen=True, slots=True)
class MapPage:
    """A part of an agent's memories; `change` is no newer than the rows.

    `next` is where the following part begins. The last part has none, and says how many live memories there are.
    """

    change: Change
    rows: MapRows
    next: Cursor | None
    live: int | None


class MapSource(Protocol):
    """The store that maps are read from."""

    async def change(self, org_id: UUID, agent_id: UUID) -> Change | None:
        """The agent's change counters; None when there is no such agent."""
        ...

    async def size(self, org_id: UUID, agent_id: UUID, *, most: int) -> int:
        """The number of active memories, or `most` where there are more."""
        ...

    async def page(self, org_id: UUID, agent_id: UUID, after: Cursor, *, since: int, limit: int) -> MapPage | None:
        """Up to `limit` memories behind `after`: active ones, and of those changed after `since` the others too.

        None when there is no such agent.
        """
        ...

    async def rows(self, org_id: UUID, agent_id: UUID, memory_ids: Sequence[UUID]) -> Sequence[Memory]:
        """The active ones among these memories, with vectors, in any order."""
        ...

    async def pinned(self, org_id: UUID, agent_id: UUID, end_user: EndUser) -> Pins | None:
        """The active ones that are pinned, shared and of this end user, without vectors; None without such an agent."""
        ...


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge and the memory at its far end."""

    edge: Edge
    memory: Memory


@dataclass(frozen=True, slots=True)
class Live:
    """What may have changed since a row was kept: the version of its text, and its use, which is no write."""

    version: int
    usage_count: int
    last_accessed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the store says about the candidates of one query, at one moment, in one round trip.

    `live` has those of the ids that the scope still has, `clusters` the cosine of query and centroid, in [−1, 1], for
    those that have a cluster, both by the id's number. `returned` are the memories that the session got before.
    `profile` is None without an end user, or when nothing is known about that user. `change` has the counters of the
    scope's agent, None for a scope without one.
    """

    live: Mapping[int, Live]
    clusters: Mapping[int, float] = field(default_factory=dict)
    edges: Sequence[Edge] = ()
    returned: frozenset[UUID] = frozenset()
    profile: Profile | None = None
    change: Change | None = None


@dataclass(frozen=True, slots=True)
class RequestHistory:
    """The part of `Circumstances` that does not depend on what was found, in one round trip."""

    returned: frozenset[UUID] = frozenset()
    profile: Profile | None = None
    change: Change | None = None


MOST_EDGES = 1000
"""Most edges among the candidates of one query: the surest ones. Ranking data of an agent has no more edges or clusters
either.
"""


class RecallStore(Protocol):
    """Rows, relations and history of one scope; what the scope may not see does not exist."""

    async def neighbours(
        self, scope: Scope, memory_ids: Sequence[UUID], *, model: str, limit: int, now: datetime
    ) -> Sequence[Neighbour]:
        """All edges of these memories, surest first, at most `limit`, with vectors of `model`.

        A superseded memory at the other end is replaced by the newest of its chain, and dropped with its edge when
        that one is gone.
        """
        ...

    async def circumstances(
        self,
        scope: Scope,
        memory_ids: Sequence[UUID],
        *,
        vector: Vector | None,
        model: str,
        session_id: str | None,
        now: datetime,
    ) -> Circumstances:
        """The circumstances of these memories, with at most `MOST_EDGES` edges among them; `vector` is of `model`."""
        ...

    async def history(self, scope: Scope, *, session_id: str | None) -> RequestHistory:
        """The history of a session and of the scope's end user, with the counters of the scope's agent."""
        ...

    async def ranking_data(self, org_id: UUID, agent_id: UUID, *, model: str, most: int) -> AgentRankingData | None:
        """The ranking data of all active memories of an agent, of every end user, with its clusters of `model`.

        None where the agent has more than `most` memories, or too many clusters or edges, or does not exist.
        """
        ...

    async def rows(self, scope: Scope, memory_ids: Sequence[UUID], *, now: datetime) -> tuple[Sequence[Memory], int]:
        """Those of the memories that still exist, without vectors, and the scope's state as `state` gives it."""
        ...

    async def state(self, scope: Scope, *, now: datetime) -> int:
        """A number that every write in the scope changes, and every memory that becomes valid; nothing else does."""
        ...
