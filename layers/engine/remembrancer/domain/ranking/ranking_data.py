"""What ranking needs of an agent's memories beside their rows: their use, their clusters and the edges among them.

An instance keeps it in columns of the agent's memory map, so that a query finds that of its candidates without the
store.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Change, Vector
from remembrancer.domain.ranking.use_counts import UseCounts
from remembrancer.domain.retrieval.freshness import Moment
from remembrancer.domain.retrieval.graph import Edge

NO_CLUSTER = -1
_EDGE_BYTES = 400


@dataclass(frozen=True, slots=True, eq=False)
class AgentRankingData:
    """As a store has it, for `n` memories of one agent in any order; `ids` are numbers.

    `clusters` are rows of `centroids` (c, d), which are of `model`, NO_CLUSTER for none. Edges are in the order in
    which they count. `change` is no newer than the rest.
    """

    change: Change
    model: str
    ids: Sequence[int]
    use: UseCounts
    clusters: NDArray[np.int32]
    centroids: NDArray[np.float16]
    edges: Sequence[Edge]


@dataclass(frozen=True, slots=True, eq=False)
class RankingData:
    """The same by the positions of a map, as of `read_at`; those of removed memories have no use.

    Centroids (c, d) have length 1.
    """

    read_at: Moment
    model: str
    use: UseCounts
    clusters: NDArray[np.int32]
    centroids: NDArray[np.float32]
    edges: Sequence[Edge]
    ends: NDArray[np.intp]
    """(2, edges): the positions of each edge's memories."""

    @classmethod
    def placed(
        cls, stored: AgentRankingData, places: Mapping[int, int], positions: int, read_at: Moment
    ) -> "RankingData | None":
        """`places` are a map's, from an id's number to its position; None where the store has other memories."""
        if len(stored.ids) != len(places) or not places.keys() >= set(stored.ids):
            return None
        own = np.array([places[identifier] for identifier in stored.ids], np.intp)
        counts, accessed = np.zeros(positions, np.int64), np.zeros(positions, np.int64)
        clusters = np.full(positions, NO_CLUSTER, np.int32)
        counts[own], accessed[own], clusters[own] = stored.use.counts, stored.use.accessed, stored.clusters
        inside = [edge for edge in stored.edges if edge.from_id.int in places and edge.to_id.int in places]
        ends = [[places[edge.from_id.int] for edge in inside], [places[edge.to_id.int] for edge in inside]]
        return cls(
            read_at,
            stored.model,
            UseCounts(counts, accessed),
            clusters,
            _units(stored.centroids),
            inside,
            np.array(ends, np.intp),
        )

    def cosines(self, places: NDArray[np.intp], vector: Vector | None) -> NDArray[np.float64]:
        """(n,): the cosine of a vector of the model and each memory's cluster, NaN for a memory without one."""
        if vector is None or not len(self.centroids):
            return np.full(len(places), np.nan)
        # The store compares in half precision, too.
        asked = vector.astype(np.float16).astype(np.float32)
        cosines = self.centroids @ asked / np.float32(np.linalg.norm(asked))
        # The last one is that of NO_CLUSTER.
        found: NDArray[np.float64] = np.append(cosines.astype(np.float64), np.nan)[self.clusters[places]]
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, with an estimate for each edge."""
        arrays = (self.use.counts, self.use.accessed, self.clusters, self.centroids, self.ends)
        return sum(array.nbytes for array in arrays) + _EDGE_BYTES * len(self.edges)

    def edges_among(self, places: NDArray[np.intp], most: int) -> list[Edge]:
        """The first `most` edges of which both ends are among these memories."""
        if not self.edges:
            return []
        chosen = np.zeros(len(self.clusters), bool)
        chosen[places] = True
        return [self.edges[row] for row in np.flatnonzero(chosen[self.ends].all(axis=0))[:most].tolist()]


def _units(centroids: NDArray[np.float16]) -> NDArray[np.float32]:
    rows = centroids.astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True) if len(rows) else rows
