"""What a search is confined to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from remembrancer.domain.memories.memory import Memory

Scalar = str | float | bool


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every result meets; all are part of each search's own condition. Empty means any.

    `metadata` has to have these entries; only the store knows it.
    """

    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_confidence: float = 0.0
    tiers: tuple[str, ...] = ()
    metadata: Mapping[str, Scalar] = field(default_factory=dict)

    def admits(self, memory: Memory) -> bool:
        """Whether a row from elsewhere than a search meets them; of its metadata it does not know."""
        return (
            not self.metadata
            and memory.confidence >= self.min_confidence
            and (not self.categories or memory.category in self.categories)
            and (not self.sources or memory.source in self.sources)
            and (not self.tiers or memory.tier in self.tiers)
            and (not self.tags or not set(self.tags).isdisjoint(memory.tags))
            and (self.since is None or memory.created_at >= self.since)
            and (self.until is None or memory.created_at < self.until)
        )
