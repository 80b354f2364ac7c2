"""0/1 knapsack: the most valuable memories that fit the budget."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DUPLICATE_COSINE = 0.92
MOST_CELLS = 400_000
"""Largest table of the exact solution (items × budget); about 1 ms of numpy."""


@dataclass(frozen=True, slots=True)
class Item:
    """What the packer needs of a candidate: cost in tokens (> 0), value (≥ 0), and its unit vector if it has one."""

    cost: int
    value: float
    vector: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Packed:
    """Indices into the items given: chosen in input order, and the dropped by reason; `method` says what ran."""

    chosen: tuple[int, ...]
    duplicates: tuple[int, ...]
    over_budget: tuple[int, ...]
    cost: int
    method: str


def pack(items: Sequence[Item], budget: int, *, most: int | None = None) -> Packed:
    """Items come best first; near-duplicates of a better one are dropped, then value is maximised within `budget`.

    Exact (dynamic programming) up to `MOST_CELLS`; beyond, the better of greedy by density and the same programme over
    costs rounded up. `most` bounds the number chosen: the best ones by order compete.
    """
    distinct, duplicates = drop_duplicates(items)
    competing = distinct if most is None else distinct[:most]
    chosen, method = _choose([items[index] for index in competing], max(budget, 0))
    kept = tuple(competing[index] for index in chosen)
    left = tuple(sorted(set(distinct) - set(kept)))
    return Packed(kept, tuple(duplicates), left, sum(items[index].cost for index in kept), method)


def drop_duplicates(items: Sequence[Item]) -> tuple[list[int], list[int]]:
    """Indices kept and dropped: an item goes when its cosine with an earlier kept one exceeds `DUPLICATE_COSINE`."""
    with_vector = [index for index, item in enumerate(items) if item.vector is not None]
    if len(with_vector) < 2:
        return list(range(len(items))), []
    matrix = np.stack([items[index].vector for index in with_vector])  # type: ignore[misc]
    close = np.triu(matrix @ matrix.T > DUPLICATE_COSINE, k=1)
    dropped: set[int] = set()
    for row in np.flatnonzero(close.any(axis=1)).tolist():
        if with_vector[row] not in dropped:
            dropped.update(with_vector[other] for other in np.flatnonzero(close[row]).tolist())
    return [index for index in range(len(items)) if index not in dropped], sorted(dropped)


def _choose(items: Sequence[Item], budget: int) -> tuple[list[int], str]:
    fitting = [index for index, item in enumerate(items) if item.cost <= budget]
    if sum(items[index].cost for index in fitting) <= budget:
        return fitting, "all"
    costs = np.array([items[index].cost for index in fitting])
    values = np.array([items[index].value for index in fitting])
    if len(fitting) * budget <= MOST_CELLS:
        return [fitting[index] for index in _knapsack(costs, values, budget)], "exact"
    scale = -(-len(fitting) * budget // MOST_CELLS)
    rounded = _fill(_knapsack(-(-costs // scale), values, budget // scale), costs, values, budget)
    greedy = _fill([], costs, values, budget)
    best, method = max((rounded, "rounded"), (greedy, "greedy"), key=lambda option: values[option[0]].sum())
    return [fitting[index] for index in best], method


def _knapsack(costs: NDArray[np.int64], values: NDArray[np.float64], budget: int) -> list[int]:
    """Indices of an optimal choice, ascending."""
    best = np.zeros(budget + 1)
    taken = np.zeros((len(costs), budget + 1), dtype=bool)
    for index, (cost, value) in enumerate(zip(costs.tolist(), values.tolist(), strict=True)):
        if cost > budget:
            continue
        candidate = best[: budget + 1 - cost] + value
        better = candidate > best[cost:]
        taken[index, cost:] = better
        best[cost:] = np.where(better, candidate, best[cost:])
    chosen = []
    room = budget
    for index in range(len(costs) - 1, -1, -1):
        if taken[index, room]:
            chosen.append(index)
            room -= int(costs[index])
    return chosen[::-1]


def _fill(chosen: Sequence[int], costs: NDArray[np.int64], values: NDArray[np.float64], budget: int) -> list[int]:
    """Adds by value density whatever still fits."""
    kept = set(chosen)
    room = budget - int(costs[list(kept)].sum()) if kept else budget
    for index in np.argsort(-values / costs, kind="stable").tolist():
        if index not in kept and costs[index] <= room:
            kept.add(index)
            room -= int(costs[index])
    return sorted(kept)
