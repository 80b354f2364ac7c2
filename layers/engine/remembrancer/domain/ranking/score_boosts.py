"""Boosts added to a memory's hybrid score: for its relations, the end user's habits, the session, and its owner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.memories.memory import RELATION_TYPES, Memory
from remembrancer.domain.ranking.ownership import OWN
from remembrancer.domain.retrieval.graph import Influence
from remembrancer.domain.retrieval.usage_profile import Profile

RELATION_BOOSTS: Mapping[str, float] = {
    "supports": 0.06,
    "refines": 0.05,
    "detail_of": 0.05,
    "extends": 0.05,
    "caused_by": 0.04,
    "derived_from": 0.04,
    "continuation": 0.04,
    "summary_of": 0.03,
    "references": 0.03,
    "similar": 0.03,
    "contradicts": -0.05,
    "may_contradict": 0.0,
    "compatible": 0.0,
}
"""The default boosts; an organization may replace any entry."""
DEPTH_FACTOR = 0.5
"""Base of the depth factor: an edge at depth d counts this to the power of d − 1."""
MOST_RELATION = 0.15
PERSONALISATION = 0.10
SESSION = 0.03


@dataclass(frozen=True, slots=True)
class Boosts:
    """All boosts of one memory; `terms` are the reasons, `totals` the capped sum of each kind."""

    terms: Sequence[Mapping[str, Any]] = ()
    totals: Mapping[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The sum that is added to the hybrid score."""
        return sum(self.totals.values()) if self.totals else 0.0


NONE = Boosts()


def relation_table(overrides: Mapping[str, Any]) -> dict[str, float]:
    """The table with an organization's own entries; unknown relation types and invalid numbers are ignored."""
    own = {
        name: min(max(float(value), -MOST_RELATION), MOST_RELATION)
        for name, value in overrides.items()
        if name in RELATION_TYPES and isinstance(value, int | float) and not isinstance(value, bool)
    }
    return {**RELATION_BOOSTS, **own}


def boosts(
    memory: Memory,
    influences: Sequence[Influence],
    *,
    table: Mapping[str, float],
    profile: Profile | None,
    returned: frozenset[UUID],
    owner: str | None = None,
) -> Boosts:
    """The boosts of one memory; `returned` are the memories that the session was given before, `owner` is the end user
    whose own things are asked for, None where they are not.
    """
    relations = [_relation(influence, table) for influence in influences]
    terms = [*relations]
    totals: dict[str, float] = {}
    if relations:
        totals["relation"] = _capped(sum(float(term["value"]) for term in relations))
    if profile is not None and (shares := affinity(memory, profile)):
        totals["personalisation"] = PERSONALISATION * sum(shares.values()) / 3
        terms.append({"kind": "personalisation", "value": totals["personalisation"], "affinity": shares})
    if returned and memory.id in returned:
        totals["session"] = SESSION
        terms.append({"kind": "session", "value": SESSION})
    if owner is not None and memory.user_id == owner:
        totals["own"] = OWN
        terms.append({"kind": "own", "value": OWN})
    return Boosts(tuple(terms), totals) if terms else NONE


def affinity(memory: Memory, profile: Profile) -> dict[str, float]:
    """The memory's end user, tags and category among the end user's most used, each divided by the highest count; empty
    without a match.

    Of several tags the most used counts.
    """
    shares = {
        "user": _share(profile.users, [memory.user_id] if memory.user_id else []),
        "tags": _share(profile.tags, memory.tags),
        "category": _share(profile.categories, [memory.category]),
    }
    return shares if any(shares.values()) else {}


def _relation(influence: Influence, table: Mapping[str, float]) -> dict[str, Any]:
    edge = influence.edge
    weight = table.get(edge.type, 0.0)
    return {
        "kind": "relation",
        "type": edge.type,
        "with": str(influence.source),
        "depth": influence.depth,
        "confidence": edge.confidence,
        "boost": weight,
        "value": weight * edge.confidence * DEPTH_FACTOR ** (influence.depth - 1),
    }


def _share(counts: Mapping[str, float], names: Sequence[str]) -> float:
    most = max(counts.values(), default=0.0)
    return max((counts.get(name, 0.0) / most for name in names), default=0.0) if most > 0 else 0.0


def _capped(value: float) -> float:
    return min(max(value, -MOST_RELATION), MOST_RELATION)
