"""Conditions of a search on categories, sources, tags, times, confidence, memory tiers and metadata."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.asked_time import PRESENT, AskedTime

Scalar = str | float | bool


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that every result meets; each search applies all of them. Empty means any.

    `since` and `until` are about when a memory was created, `time` about when it was true or happened. `metadata`
    entries must be equal; only the store can check them.
    """

    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_confidence: float = 0.0
    tiers: tuple[str, ...] = ()
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    time: AskedTime = PRESENT

    def admits(self, memory: Memory, *, now: datetime) -> bool:
        """Whether a row that did not come from a search meets the filters, except those on metadata."""
        return (
            not self.metadata
            and memory.confidence >= self.min_confidence
            and (not self.categories or memory.category in self.categories)
            and (not self.sources or memory.source in self.sources)
            and (not self.tiers or memory.tier in self.tiers)
            and (not self.tags or not set(self.tags).isdisjoint(memory.tags))
            and (self.since is None or memory.created_at >= self.since)
            and (self.until is None or memory.created_at < self.until)
            and self.time.admits(memory, now=now)
        )
