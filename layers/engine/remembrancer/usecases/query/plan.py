"""Steps 1 and 2: what a validated and authorised query will do, and until when."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from remembrancer.domain.identity.scope import Principal, Scope
from remembrancer.domain.retrieval import intents
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.intents import Intent
from remembrancer.domain.retrieval.query import QueryRequest
from remembrancer.usecases.retrieval.deadline import Deadline

FEWEST_CANDIDATES = 100
"""Of each search: among ten results, 50 find less of the evidence than 100 (ADR 4)."""
CANDIDATES_PER_RESULT = 4
COMPOSE_RESERVE_MS = 10.0
"""What ranking and composing are left of the tier's target after the last source."""
FOLLOWING_RESERVE_MS = 30.0
"""What the sources that follow the searches are left before that, at most a tenth of the target."""
OPEN_RESERVE_MS = 5.0
"""What composing is left after the memories' text was opened."""
HIGH_TIER_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """One query: what it searches, how far it follows relations, and its deadlines.

    `searching` bounds the searches, `following` what follows them, `opening` the opening of their text.
    """

    request: QueryRequest
    intent: Intent
    tier: str
    scope: Scope
    filters: Filters
    limit: int
    has_language_model: bool
    hyde: bool
    depth: int
    searching: Deadline
    following: Deadline
    opening: Deadline
    now: datetime

    @property
    def place(self) -> str:
        """The agent, or the project and environment: under this a turn's vectors are kept."""
        return str(self.scope.agent_id or f"{self.scope.project_id}/{self.scope.environment}")


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the deployment gives to each query: `hops` are followed from what hypotheses found."""

    has_language_model: bool
    hops: int
    targets_ms: Mapping[str, float]


def plan(
    request: QueryRequest, principal: Principal, abilities: Abilities, deadline: Deadline, *, now: datetime
) -> Plan:
    """The tier is the forced one, else high for a query that asks for hypotheses, else by its intent."""
    intent = intents.classify(request.query)
    tier = request.computation_tier
    if tier is None:
        tier = "high" if request.hyde and abilities.has_language_model else intents.tier_for(intent, request.query)
    asked_for = request.hyde if request.hyde is not None else tier == "high"
    hyde = abilities.has_language_model and asked_for
    target = abilities.targets_ms[tier]
    following = deadline.within(target - COMPOSE_RESERVE_MS)
    return Plan(
        request=request,
        intent=intent,
        tier=tier,
        scope=Scope(
            principal.org_id, principal.project_id, principal.environment, request.agent_id, principal.end_user
        ),
        filters=replace(request.filters, tiers=_memory_tiers(request.filters, tier)),
        limit=max(CANDIDATES_PER_RESULT * request.k, FEWEST_CANDIDATES),
        has_language_model=abilities.has_language_model,
        hyde=hyde,
        depth=_depth(request, tier, abilities.hops if hyde else 0),
        searching=following.reserving(min(FOLLOWING_RESERVE_MS, target / 10)),
        following=following,
        opening=deadline.within(target - OPEN_RESERVE_MS),
        now=now,
    )


def _depth(request: QueryRequest, tier: str, hops: int) -> int:
    """Edges to follow: none at a traversal depth of 1, two in the high tier unless the request says otherwise."""
    asked = request.traversal_depth or (HIGH_TIER_DEPTH if tier == "high" else 1)
    return max(asked if asked > 1 else 0, hops)


def _memory_tiers(filters: Filters, tier: str) -> tuple[str, ...]:
    """What the computation tier covers, narrowed by the request's own filter; the filter alone where they exclude."""
    covered = intents.MEMORY_TIERS[tier]
    if not filters.tiers:
        return covered
    return tuple(name for name in covered if name in filters.tiers) or filters.tiers
