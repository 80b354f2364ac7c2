"""The ranking of the memory query: seven factors and ours, normalised over the batch, weighted, explained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memory import Memory

Floats = NDArray[np.float64]

DEFAULT_WEIGHTS: Mapping[str, float] = {
    "semantic": 0.40,
    "cluster": 0.20,
    "recency": 0.15,
    "importance": 0.15,
    "usage": 0.10,
    "quality": 0.0,
    "decay": 0.0,
    "lexical": 0.60,
}
FACTORS = tuple(DEFAULT_WEIGHTS)
VARIANCE_FLOOR = 0.02
DECAY_HALF_LIFE_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of one memory: contribution = weight × normalised."""

    raw: float
    normalised: float
    weight: float

    def as_json(self) -> dict[str, float]:
        """The factor under its wire names."""
        return {
            "raw": self.raw,
            "normalised": self.normalised,
            "weight": self.weight,
            "contribution": self.weight * self.normalised,
        }


@dataclass(frozen=True, slots=True)
class Ranked:
    """A memory with its hybrid score and the factors that sum to it."""

    memory: Memory
    hybrid_score: float
    factors: Mapping[str, Factor]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Best first."""

    ranked: Sequence[Ranked]
    tiebreak_applied: bool


def weights_of(requested: Mapping[str, float]) -> dict[str, float]:
    """The defaults overlaid with the request's weights, normalised to sum 1."""
    merged = {factor: requested.get(factor, default) for factor, default in DEFAULT_WEIGHTS.items()}
    total = sum(merged.values())
    if total <= 0:
        return weights_of({})
    return {factor: weight / total for factor, weight in merged.items()}


def rank(
    memories: Sequence[Memory],
    *,
    semantic: Floats,
    lexical: Floats,
    cluster: Floats,
    weights: Mapping[str, float],
    half_life_hours: float,
    now: datetime,
) -> Ranking:
    """`semantic`, `lexical` and `cluster` are (n,) raw values in [0, 1]; an empty batch gives an empty ranking."""
    if not memories:
        return Ranking((), tiebreak_applied=False)
    raw = _raw(memories, semantic, lexical, cluster, half_life_hours, now)
    normalised = np.column_stack([min_max(raw[:, column]) for column in range(len(FACTORS))])
    share = np.array([weights[factor] for factor in FACTORS])
    hybrid = normalised @ share
    tiebreak = bool(len(memories) > 1 and hybrid.std() < VARIANCE_FLOOR)
    order = _order(memories, raw, hybrid, tiebreak=tiebreak)
    return Ranking([_ranked(memories, raw, normalised, share, hybrid, index) for index in order], tiebreak)


def min_max(values: Floats) -> Floats:
    """Scaled to [0, 1] over the batch; equal values (one candidate included) keep their raw value."""
    low, high = values.min(), values.max()
    return values if high - low < 1e-12 else (values - low) / (high - low)


def _raw(
    memories: Sequence[Memory],
    semantic: Floats,
    lexical: Floats,
    cluster: Floats,
    half_life_hours: float,
    now: datetime,
) -> Floats:
    age_hours = np.array([max((now - memory.created_at).total_seconds(), 0.0) / 3600 for memory in memories])
    idle_days = np.array(
        [
            max((now - (memory.last_accessed_at or memory.created_at)).total_seconds(), 0.0) / 86_400
            for memory in memories
        ]
    )
    usage = np.minimum(1.0, np.log1p(np.array([memory.usage_count for memory in memories])) / 5)
    kept = np.exp2(-idle_days / DECAY_HALF_LIFE_DAYS)
    columns = {
        "semantic": semantic,
        "cluster": cluster,
        "recency": np.exp2(-age_hours / half_life_hours),
        "importance": np.array([memory.importance for memory in memories]),
        "usage": usage,
        "quality": np.array([memory.quality for memory in memories]),
        # Usage fills the part that time has taken.
        "decay": kept + (1 - kept) * usage,
        "lexical": lexical,
    }
    return np.column_stack([columns[factor] for factor in FACTORS])


def _order(memories: Sequence[Memory], raw: Floats, hybrid: Floats, *, tiebreak: bool) -> list[int]:
    semantic, recency, importance = (raw[:, FACTORS.index(name)] for name in ("semantic", "recency", "importance"))

    def key(index: int) -> tuple[float, float, float, float, bytes]:
        first = 0.0 if tiebreak else float(hybrid[index])
        identifier = memories[index].id.bytes
        return first, float(semantic[index]), float(importance[index]), float(recency[index]), identifier

    return sorted(range(len(memories)), key=key, reverse=True)


def _ranked(
    memories: Sequence[Memory], raw: Floats, normalised: Floats, share: Floats, hybrid: Floats, index: int
) -> Ranked:
    factors = {
        name: Factor(float(raw[index, column]), float(normalised[index, column]), float(share[column]))
        for column, name in enumerate(FACTORS)
    }
    return Ranked(memories[index], float(hybrid[index]), factors)
