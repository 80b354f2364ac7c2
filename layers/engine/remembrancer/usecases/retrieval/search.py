"""The input and the result of a retrieval; assembly and the memory query differ only in this data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np

from remembrancer.domain.context import follow_ups
from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.context.chat_messages import Message
from remembrancer.domain.context.prefix import Prompt
from remembrancer.domain.context.told import Said, ToldBlock
from remembrancer.domain.identity.agent import AgentState
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Directive, Memory
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.retrieval.candidates import Candidates
from remembrancer.domain.retrieval.evidence import Evidence, Vectors
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.ports.search import VectorHits, WordHits
from remembrancer.usecases.retrieval.after_response import FollowUp
from remembrancer.usecases.retrieval.deadline import NEVER_RAN, Deadline
from remembrancer.usecases.retrieval.known_agents import AgentKey
from remembrancer.usecases.retrieval.query_embedding import NO_VECTOR, QueryVector

SEARCHES = ("vector", "lexical")
"""The sources that must have answered before it is judged which memories help."""


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """Most milliseconds after the request's start to wait for each source; `names_ms` counts from its own call.

    `turn_ms`: the turn cache, where its answer may save the search. `state_ms`: the state of the agent's memories,
    without which no map answers. `additions_ms`: additions that a map lacks. `names_ms`: the names that a scope knows.
    `segment_ms`: the map of another instance, where this one has none. `vector_ms` is also that of the agent's state in
    the store: if it is later than the searches, the caches stay unconfirmed.
    """

    hot_ms: float
    vector_ms: float
    lexical_ms: float
    turn_ms: float
    state_ms: float
    additions_ms: float
    names_ms: float
    segment_ms: float
    directive_ms: float = 0.0


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

    `referred` are earlier messages that the query refers to, empty where it stands alone.
    `turn` is the key under which the turn is remembered, empty when there is none; `is_asked_again` whether this goes
    on with a turn. `session` is the key of the session, empty without one; its `messages` may have had blocks.
    `with_pinned`: pinned memories are wanted too, whatever the query. `for_prompt`: the directive is wanted too,
    nothing is searched where the agent's memories are switched off, a map answers although it lacks the newest
    memories, and hot memories need not meet the filters, since an explanation names those that do not. `kinds`: a noun
    also finds kinds of it. `names_terms`: the evidence says which of the query's terms each memory contains.
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
    session: str = ""
    messages: Sequence[Message] = ()
    with_pinned: bool = False
    for_prompt: bool = False
    kinds: bool = False
    names_terms: bool = False
    hypotheses: Hypotheses | None = None
    referred: str = ""

    @property
    def meaning(self) -> str:
        """The text whose meaning is searched."""
        return follow_ups.meaning(self.query, self.referred)

    @property
    def agent_key(self) -> AgentKey | None:
        """Of the agent that is searched; None where it is a whole project."""
        return None if self.scope.agent_id is None else (self.scope.org_id, self.scope.agent_id)


@dataclass(frozen=True, slots=True)
class HypothesisHits:
    """Vectors (n, d) of `model`, unit length, and the results of each; `origin` is `turn`, `cache`, `model` or
    `none`.
    """

    origin: str = "none"
    model: str = ""
    vectors: Vectors = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    answers: Sequence[VectorHits] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search. `map` is the one that was searched, None where none was; `tier` names the searched place.

    `behind` counts the writes that a map lacked. `remembered` is the turn as stored before, `evidence` those of its
    memories that still exist.
    """

    embedded: QueryVector = NO_VECTOR
    nearest: VectorHits | None = None
    words: WordHits | None = None
    hypothesised: HypothesisHits = field(default_factory=HypothesisHits)
    map: MemoryMap | None = None
    tier: str = "none"
    behind: int = 0
    remembered: Turn | None = None
    evidence: Sequence[Evidence] = ()

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


@dataclass(frozen=True, slots=True)
class Earlier:
    """The blocks of a session's earlier user messages by position, and the current rows of their memories by id.

    `said` are the session's user messages, None where it is not known what the session was told.
    """

    said: Sequence[Said] | None = None
    blocks: Mapping[int, ToldBlock] = field(default_factory=dict)
    rows: Mapping[UUID, Memory] = field(default_factory=dict)


NOTHING_EARLIER = Earlier()
NO_CANDIDATES = Candidates.of(())


@dataclass(frozen=True, slots=True)
class Found:
    """What retrieval found in time, one candidate a memory, and the `work` that belongs after the response: it fills
    the caches that this request missed.

    `directive` is None where it was not asked for, or came from nowhere in time; `state` is the agent's in the store,
    None where the store did not say. `unconfirmed` is the cause why the store did not confirm what was cached.
    `earlier` is what the session was told before this turn, `last` its last prompt; `pinned` what stands in every
    prompt, in any order. `remember` names the work that stores what a turn was given, None for a request without a
    turn; `tell` that which stores blocks of the session, forgets others and stores the prompt, None without a session.
    """

    candidates: Candidates = NO_CANDIDATES
    searched: SearchResult = SearchResult()
    reports: Mapping[str, SourceReport] = field(default_factory=dict)
    directive: Directive | None = None
    state: AgentState | None = None
    unconfirmed: str = ""
    work: Sequence[FollowUp] = ()
    earlier: Earlier = NOTHING_EARLIER
    pinned: Sequence[Memory] = ()
    last: Prompt | None = None
    remember: Callable[[Turn], FollowUp] | None = None
    tell: Callable[[Sequence[ToldBlock], Sequence[ToldBlock], Prompt | None], FollowUp] | None = None

    @property
    def information(self) -> float:
        """How many rare words the query is worth."""
        return self.searched.words.information if self.searched.words else 0.0

    def without_earlier(self) -> "Found":
        """The same for a prompt without blocks before earlier messages: it lacks nothing where these are late."""
        return replace(self, earlier=NOTHING_EARLIER, reports={**self.reports, "told": NEVER_RAN})

    def without_memories(self) -> "Found":
        """The directive alone, as where no memories are looked for: nothing of them is reported or done later."""
        reports = dict.fromkeys(self.reports, NEVER_RAN) | {"directive": self.reports.get("directive", NEVER_RAN)}
        work = [follow_up for follow_up in self.work if not follow_up.of_memories]
        nothing = Found(reports=reports, work=work)
        return replace(nothing, directive=self.directive, state=self.state, unconfirmed=self.unconfirmed)
