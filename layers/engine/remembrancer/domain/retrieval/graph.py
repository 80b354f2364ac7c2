"""Relations between memories as a graph: who is reached from whom, how many edges away, and over which of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

MOST_NODES = 200
"""Memories that one expansion reaches at most; the surest edges go first."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge as it was written; `replaced` is the superseded memory that stood at one end, if one did."""

    from_id: UUID
    to_id: UUID
    type: str
    confidence: float
    replaced: UUID | None = None

    def other(self, end: UUID) -> UUID:
        """The end that `end` is not."""
        return self.to_id if end == self.from_id else self.from_id


@dataclass(frozen=True, slots=True)
class Influence:
    """An edge as it counts for one memory: it leads there from `source`, and lies at `depth` from the seeds."""

    edge: Edge
    source: UUID
    depth: int


@dataclass(frozen=True, slots=True)
class Expansion:
    """`depths` by memory, seeds at 0; `paths` from a seed to each of the others, its edges in order."""

    depths: Mapping[UUID, int]
    paths: Mapping[UUID, tuple[Edge, ...]]

    def at(self, depth: int) -> list[UUID]:
        """Those first reached at this depth, in the order in which they were."""
        return [identifier for identifier, reached in self.depths.items() if reached == depth]


def expand(seeds: Sequence[UUID], edges: Iterable[Edge], depth: int, *, most: int = MOST_NODES) -> Expansion:
    """Breadth first along edges in either direction, up to `depth` edges from the seeds and `most` memories besides.

    Each memory is reached once, by the shortest way, among equally short ones by the surest edge; hence cycles end.
    """
    ordered = sorted(set(edges), key=_order)
    depths = dict.fromkeys(seeds, 0)
    paths: dict[UUID, tuple[Edge, ...]] = {}
    for level in range(1, depth + 1):
        before = {identifier for identifier, reached in depths.items() if reached == level - 1}
        for edge in ordered:
            for near in (edge.from_id, edge.to_id):
                far = edge.other(near)
                if near in before and far not in depths and len(paths) < most:
                    depths[far] = level
                    paths[far] = (*paths.get(near, ()), edge)
    return Expansion(depths, paths)


def influences(expansion: Expansion, edges: Iterable[Edge], depth: int) -> dict[UUID, list[Influence]]:
    """The edges that count for each memory, surest first.

    An edge counts for an end when its other end is a seed or was reached earlier or at the same depth, one edge
    further from the seeds than that; never back towards the seeds, and never beyond `depth`.
    """
    found: dict[UUID, list[Influence]] = {}
    for edge in sorted(set(edges), key=_order):
        for near in (edge.from_id, edge.to_id):
            far = edge.other(near)
            if near == far or near not in expansion.depths or far not in expansion.depths:
                continue
            at = expansion.depths[near] + 1
            if at <= depth and expansion.depths[far] >= expansion.depths[near]:
                found.setdefault(far, []).append(Influence(edge, near, at))
    return found


def _order(edge: Edge) -> tuple[float, str, bytes, bytes, bytes]:
    replaced = edge.replaced.bytes if edge.replaced else b""
    return -edge.confidence, edge.type, edge.from_id.bytes, edge.to_id.bytes, replaced
