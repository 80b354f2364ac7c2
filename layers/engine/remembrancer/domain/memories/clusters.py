"""Clusters of memories with similar meaning: each new memory joins the nearest cluster, or starts one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from remembrancer.domain.memories.memory import Vector

THRESHOLD = 0.7
"""Cosine to a centroid from which a memory joins its cluster, chosen by measurement (docs/adr/0004-fusion.md)."""
MOST = 256
"""Most clusters of one agent, category and owner; beyond it, a memory joins the nearest cluster at any distance."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """`centroid` is a unit vector: the direction of the sum of its members' vectors."""

    id: UUID
    centroid: Vector
    members: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """The cluster of each vector, in order, and every cluster that is new or has moved."""

    cluster_ids: Sequence[UUID]
    changed: Sequence[Cluster]


def assign(
    clusters: Sequence[Cluster],
    vectors: Sequence[Vector],
    *,
    new_id: Callable[[], UUID],
    threshold: float = THRESHOLD,
    most: int = MOST,
) -> Assignment:
    """Assigns unit vectors one by one; ties go to the first cluster.

    A centroid moves with each new member, as if it were the exact sum of its members: an approximation until it is
    recomputed from them.
    """
    known = list(clusters)
    joined: list[int] = []
    for vector in vectors:
        position = _nearest(known, vector, threshold, most)
        if position is None:
            position = len(known)
            known.append(Cluster(new_id(), vector, 1))
        else:
            known[position] = _with_member(known[position], vector)
        joined.append(position)
    changed = [known[position] for position in sorted(set(joined))]
    return Assignment([known[position].id for position in joined], changed)


def _nearest(clusters: Sequence[Cluster], vector: Vector, threshold: float, most: int) -> int | None:
    if not clusters:
        return None
    similarities = np.stack([cluster.centroid for cluster in clusters]) @ vector
    position = int(similarities.argmax())
    return position if similarities[position] >= threshold or len(clusters) >= most else None


def _with_member(cluster: Cluster, vector: Vector) -> Cluster:
    direction = cluster.centroid * cluster.members + vector
    length = float(np.linalg.norm(direction))
    # The sum of opposite vectors has no direction: the centroid stays.
    centroid = (direction / length).astype(np.float32) if length > 1e-6 else cluster.centroid
    return replace(cluster, centroid=centroid, members=cluster.members + 1)
