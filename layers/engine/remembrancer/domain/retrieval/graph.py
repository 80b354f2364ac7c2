"""Relations between memories as a graph: reachable memories, their depths and paths."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

MOST_NODES = 200
"""Most memories that one expansion reaches; edges with the highest confidence go first."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A typed edge as it was written; `replaced` is the superseded memory that stood at one end, if one did."""

    from_id: UUID
    to_id: UUID
    type: str
    confidence: float
    replaced: UUID | None = None

    def other(self, end: UUID) -> UUID:
        """The opposite end of the edge."""
        return self.to_id if end == self.from_id else self.from_id


@dataclass(frozen=True, slots=True)
class Influence:
    """An edge as it affects one memory: it leads there from `source`, and lies at `depth` from the seeds."""

    edge: Edge
    source: UUID
    depth: int


@dataclass(frozen=True, slots=True)
class Expansion:
    """`depths` by memory, 0 for seeds; `paths` from a seed to each other memory, as its edges in order."""

    depths: Mapping[UUID, int]
    paths: Mapping[UUID, tuple[Edge, ...]]

    def at(self, depth: int) -> list[UUID]:
        """The memories first reached at this depth, in the order of reaching them."""
        return [identifier for identifier, reached in self.depths.items() if reached == depth]


def expand(seeds: Sequence[UUID], edges: Iterable[Edge], depth: int, *, most: int = MOST_NODES) -> Expansion:
    """Breadth first along edges in both directions, up to `depth` edges from the seeds and `most` further memories.

    Each memory is reached once, by a shortest path, among these by the edge with the highest confidence; so cycles end.
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
    """The edges that affect each memory, highest confidence first.

    An edge counts for an end when its other end is a seed or was reached earlier or at the same depth, one edge further
    from the seeds than that; never back towards the seeds, and never beyond `depth`.
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
