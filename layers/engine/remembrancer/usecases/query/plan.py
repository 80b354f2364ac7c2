"""Steps 1 and 2: the plan of a validated and authorised query, with its deadlines."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo

from remembrancer.domain.identity.scope import Principal, Scope
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval import intents
from remembrancer.domain.retrieval.asked_time import asked_time
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.hot_score import CAPACITY
from remembrancer.domain.retrieval.intents import Intent
from remembrancer.domain.retrieval.query import QueryRequest
from remembrancer.domain.retrieval.turn_key import query_turn_key
from remembrancer.domain.times import time_zone
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.relations import Walk
from remembrancer.usecases.retrieval.search import Hypotheses, Search, SearchBounds

FEWEST_CANDIDATES = 100
"""Candidates of each search: with 50, the ten results contain less of the evidence than with 100 (ADR 4)."""
CANDIDATES_PER_RESULT = 4
COMPOSE_RESERVE_MS = 10.0
"""Time in ms reserved after the last source for ranking and composing."""
FOLLOWING_RESERVE_MS = 30.0
"""Time in ms reserved for the sources that follow the searches, at most a tenth of the target."""
OPEN_RESERVE_MS = 5.0
"""Time in ms reserved for composing after texts were decrypted."""
HIGH_TIER_DEPTH = 2
MAP_MS = 15.0
NAMES_MS = 10.0
"""Most ms to wait for the names known to a scope; after that the query is embedded with all its names."""
NAMES_SHARE = 0.05
"""The same as a fraction of the tier's deadline, used where that is longer."""


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The plan of one query: its searches, how far it follows relations, and its deadlines.

    `search.deadline` bounds the searches, `following` the sources after them, `opening` the decryption of their text.
    `zone` is the time zone of the end user, `actor` what the audit trail calls the caller.
    """

    request: QueryRequest
    intent: Intent
    tier: str
    search: Search
    has_language_model: bool
    hyde: bool
    depth: int
    following: Deadline
    opening: Deadline
    zone: tzinfo = UTC
    actor: str = ""

    @property
    def scope(self) -> Scope:
        """The memories that the query may see."""
        return self.search.scope

    @property
    def filters(self) -> Filters:
        """Filters of the request and of its tier."""
        return self.search.filters

    def admits(self, memory: Memory) -> bool:
        """Whether a memory that did not come from a search meets the filters."""
        return self.filters.admits(memory, now=self.now)

    def walk(self, model: str) -> Walk:
        """The limits for following relations: scope, filters, number of hops and deadline."""
        return Walk(self.scope, self.filters, self.depth, model, self.now, self.following)

    @property
    def now(self) -> datetime:
        """The time of the request, in UTC."""
        return self.search.now

    @property
    def local_now(self) -> datetime:
        """The same on the end user's clock."""
        return time_zone.local(self.now, self.zone)


@dataclass(frozen=True, slots=True)
class Abilities:
    """Settings of the deployment for every query; `hops` relations are followed from the results of hypotheses.

    Each hypothesis brings at least `top_k` candidates. `map_ms` is how long a map search waits for the agent's state,
    and then for the newest memories, which the map may lack.
    """

    has_language_model: bool
    hops: int
    top_k: int
    targets_ms: Mapping[str, float]
    map_ms: float = MAP_MS


def plan(
    request: QueryRequest,
    principal: Principal,
    abilities: Abilities,
    deadline: Deadline,
    *,
    now: datetime,
    zone: tzinfo = UTC,
) -> QueryPlan:
    """Makes the plan. The tier is the forced one, else high for a query that asks for hypotheses, else given by its
    intent.
    """
    intent = intents.classify(request.query)
    tier = request.computation_tier
    if tier is None:
        tier = "high" if request.hyde and abilities.has_language_model else intents.tier_for(intent, request.query)
    asked_for = request.hyde if request.hyde is not None else tier == "high"
    hyde = abilities.has_language_model and asked_for
    target = abilities.targets_ms[tier]
    following = deadline.within(target - COMPOSE_RESERVE_MS)
    searching = following.reserving(min(FOLLOWING_RESERVE_MS, target / 10))
    scope = Scope(principal.org_id, principal.project_id, principal.environment, request.agent_id, principal.end_user)
    time = asked_time(request.query, as_of=request.as_of, now=time_zone.local(now, zone))
    filters = replace(request.filters, tiers=_memory_tiers(request.filters, tier), time=time)
    limit = max(CANDIDATES_PER_RESULT * request.k, FEWEST_CANDIDATES)
    turn = query_turn_key(request, scope, filters, limit=limit, hyde=hyde)
    return QueryPlan(
        request=request,
        intent=intent,
        tier=tier,
        search=Search(
            scope=scope,
            query=request.query,
            filters=filters,
            limit=limit,
            lexical_limit=limit,
            hot_limit=CAPACITY,
            now=now,
            deadline=searching,
            bounds=_bounds(searching, abilities.map_ms, max(NAMES_MS, NAMES_SHARE * following.end_ms)),
            turn=turn,
            is_asked_again=bool(turn),
            kinds=True,
            names_terms=True,
            hypotheses=_hypotheses(request, searching, abilities.top_k) if hyde else None,
        ),
        has_language_model=abilities.has_language_model,
        hyde=hyde,
        depth=_depth(request, tier, abilities.hops if hyde else 0),
        following=following,
        opening=deadline.within(target - OPEN_RESERVE_MS),
        zone=zone,
        actor=principal.actor,
    )


def _bounds(searching: Deadline, map_ms: float, names_ms: float) -> SearchBounds:
    """Every source may use the whole time; where a map exists, it has less time to become current."""
    end_ms, now_ms = searching.end_ms, searching.elapsed_ms
    return SearchBounds(
        hot_ms=end_ms,
        vector_ms=end_ms,
        lexical_ms=end_ms,
        turn_ms=now_ms + map_ms,
        state_ms=now_ms + map_ms,
        additions_ms=now_ms + 2 * map_ms,
        names_ms=names_ms,
        segment_ms=now_ms + 2 * map_ms,
    )


def _hypotheses(request: QueryRequest, searching: Deadline, top_k: int) -> Hypotheses:
    return Hypotheses(
        searching,
        request.messages,
        request.summary_index,
        request.session_id,
        request.turn_id,
        each=max(request.k, top_k),
    )


def _depth(request: QueryRequest, tier: str, hops: int) -> int:
    """Edges to follow: none at a traversal depth of 1; in the high tier two, unless the request sets a depth."""
    asked = request.traversal_depth or (HIGH_TIER_DEPTH if tier == "high" else 1)
    return max(asked if asked > 1 else 0, hops)


def _memory_tiers(filters: Filters, tier: str) -> tuple[str, ...]:
    """The memory tiers of the computation tier that the request's filter also names; the filter alone where none is in
    both.
    """
    covered = intents.MEMORY_TIERS[tier]
    if not filters.tiers:
        return covered
    return tuple(name for name in covered if name in filters.tiers) or filters.tiers
