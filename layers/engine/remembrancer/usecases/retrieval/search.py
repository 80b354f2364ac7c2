"""The input and the result of a search; assembly and the memory query differ only in this data."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.evidence import Evidence, Vectors
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.ports.search import LexicalAnswer, SearchAnswer
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.known_agents import Place
from remembrancer.usecases.retrieval.query_embedding import NO_VECTOR, Embedded


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Most milliseconds after the request's start to wait for each source; `names_ms` counts from its own call.

    `turn_ms`: the turn cache, where its answer may save the search. `state_ms`: the state of the agent's memories,
    without which no map answers. `additions_ms`: additions that a map lacks. `names_ms`: the names that a scope knows.
    `segment_ms`: the map of another instance, where this one has none.
    """

    hot_ms: float
    vector_ms: float
    lexical_ms: float
    turn_ms: float
    state_ms: float
    additions_ms: float
    names_ms: float
    segment_ms: float


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The input of hypotheses: user and assistant text of `messages`, from `summary_index` on.

    They are made and searched with until the deadline `making`; each brings `each` candidates.
    """

    making: Deadline
    messages: Sequence[Any] = ()
    summary_index: int = 0
    session_id: str | None = None
    turn_id: str | None = None
    each: int = 10


@dataclass(frozen=True, slots=True)
class Search:
    """One search of a scope's memories; `limit` bounds the candidates of each source, `lexical_limit` those of the
    search by words, `skip` names sources to leave out.

    `turn` is the key under which the turn is remembered, empty when there is none; `is_asked_again` whether the turn
    probably is remembered. `may_lag`: a map answers although it lacks the newest memories. `kinds`: a noun also finds
    kinds of it. `names_terms`: the evidence says which of the query's terms each memory contains.
    """

    scope: Scope
    query: str
    filters: Filters
    limit: int
    lexical_limit: int
    hot_limit: int
    now: datetime
    deadline: Deadline
    bounds: SearchBounds
    skip: tuple[str, ...] = ()
    turn: str = ""
    is_asked_again: bool = False
    may_lag: bool = False
    kinds: bool = False
    names_terms: bool = False
    hypotheses: Hypotheses | None = None

    @property
    def place(self) -> Place:
        """Of the agent that is searched. Raises LookupError where it is a whole project."""
        if self.scope.agent_id is None:
            raise LookupError(self.scope)
        return self.scope.org_id, self.scope.agent_id


@dataclass(frozen=True, slots=True)
class Hypothesised:
    """Vectors (n, d) of `model`, unit length, and the results of each; `origin` is `turn`, `cache`, `model` or
    `none`.
    """

    origin: str = "none"
    model: str = ""
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    answers: Sequence[SearchAnswer] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """The result of a search. `map` is the one that was searched, None where none was; `tier` names the searched place.

    `behind` counts the writes that a map lacked. `remembered` is the turn as stored before, `evidence` those of its
    memories that still exist; `stored` has the id numbers of rows that the store itself returned in this request.
    """

    embedded: Embedded = NO_VECTOR
    nearest: SearchAnswer | None = None
    words: LexicalAnswer | None = None
    hypothesised: Hypothesised = field(default_factory=Hypothesised)
    map: MemoryMap | None = None
    tier: str = "none"
    behind: int = 0
    remembered: Turn | None = None
    evidence: Sequence[Evidence] = ()
    stored: frozenset[int] = frozenset()

    @property
    def is_cached(self) -> bool:
        """Whether the results came from caches, and so need confirmation."""
        return self.tier in {"map", "turn_cache"}

    @property
    def strategy(self) -> str:
        """The kind of vector search that ran."""
        if self.remembered is not None:
            return "turn_cache"
        return "none" if self.nearest is None else self.nearest.strategy
