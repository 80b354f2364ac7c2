"""0/1 knapsack: the most valuable memories that fit the budget."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

DUPLICATE_COSINE = 0.92
MOST_CELLS = 400_000
"""Largest table of the exact solution (undecided items × budget); about 1 ms of numpy."""
ROUNDING = 1e-12
"""Share of a sum by which two choices must differ, so that rounding does not decide."""
SMALLEST = 1e-290
"""Values that are less, or less than this share of the greatest, are taken for 0."""

Places = NDArray[np.intp]


@dataclass(slots=True)
class Item:
    """A candidate for packing: cost in tokens (> 0), value (≥ 0), and its unit vector if it has one.

    `shared` tokens of the cost are paid once for all chosen items of one `group`. Not frozen, as Memory is not: a
    request makes hundreds.
    """

    cost: Final[int]
    value: Final[float]
    vector: Final[NDArray[np.float32] | None] = None
    group: Final[Hashable] = None
    shared: Final[int] = 0


@dataclass(frozen=True, slots=True)
class Packed:
    """Indices of the input items: chosen ones in input order, and dropped ones by reason; `method` names the
    algorithm.
    """

    chosen: tuple[int, ...]
    duplicates: tuple[int, ...]
    over_budget: tuple[int, ...]
    cost: int
    method: str


def pack(items: Sequence[Item], budget: int, *, most: int | None = None) -> Packed:
    """Chooses items by value within `budget`; input is best first, and near-duplicates of better items are dropped.

    At most `most` are chosen. An item that costs more than the budget does not compete, so it drops no duplicate.
    `method` is `all` when everything fits, `exact` for dynamic programming up to `MOST_CELLS`, and beyond it the better
    of `rounded`, the same with costs rounded up, and `greedy`, by value density; both are improved afterwards. What
    the chosen ones share is then spent on the best of the others.
    """
    room = max(budget, 0)
    fitting = [index for index, item in enumerate(items) if item.cost <= room]
    distinct, duplicates = drop_duplicates([items[index] for index in fitting])
    competing = [fitting[index] for index in distinct]
    limit = len(items) if most is None else most
    chosen, method = _choose([items[index] for index in competing], room, limit)
    kept, cost = _with_shared(items, competing, [competing[index] for index in chosen], room, limit)
    dropped = tuple(fitting[index] for index in duplicates)
    out = {*kept, *dropped}
    left = tuple(index for index in range(len(items)) if index not in out)
    return Packed(tuple(kept), dropped, left, cost, method)


def drop_duplicates(items: Sequence[Item]) -> tuple[list[int], list[int]]:
    """Indices kept and dropped: an item goes when its cosine with an earlier kept one exceeds `DUPLICATE_COSINE`."""
    with_vector = [index for index, item in enumerate(items) if item.vector is not None]
    if len(with_vector) < 2:
        return list(range(len(items))), []
    matrix = np.array([items[index].vector for index in with_vector])
    close = matrix @ matrix.T > DUPLICATE_COSINE
    dropped: set[int] = set()
    if np.count_nonzero(close) == np.count_nonzero(close.diagonal()):
        return list(range(len(items))), []
    close = np.triu(close, k=1)
    for row in np.flatnonzero(close.any(axis=1)).tolist():
        if with_vector[row] not in dropped:
            dropped.update(with_vector[other] for other in np.flatnonzero(close[row]).tolist())
    return [index for index in range(len(items)) if index not in dropped], sorted(dropped)


def _with_shared(
    items: Sequence[Item], competing: Sequence[int], chosen: Sequence[int], budget: int, most: int
) -> tuple[list[int], int]:
    """The chosen ones and, for what they share, the best of the others, ascending; and the cost of all of them."""
    kept: list[int] = []
    groups: set[Hashable] = set()
    spent = 0
    others = sorted(index for index in set(competing).difference(chosen) if items[index].value > 0)
    for index in (*chosen, *others):
        item = items[index]
        cost = item.cost - (item.shared if item.group in groups else 0)
        if spent + cost <= budget and len(kept) < most:
            kept.append(index)
            spent += cost
            groups.add(item.group)
    return sorted(kept), spent


def _choose(items: Sequence[Item], budget: int, most: int) -> tuple[list[int], str]:
    """For items that each fit alone, best first: the indices chosen, ascending, and the method."""
    best = list(range(len(items)))[:most]
    if _together(items[:most]) <= budget:
        return best, "all"
    costs = np.array([item.cost for item in items])
    values = np.array([item.value for item in items])
    chosen, method = _solve(costs, values, budget, None)
    return (chosen, method) if len(chosen) <= most else _solve(costs, values, budget, most)


def _together(items: Sequence[Item]) -> int:
    """What all of them cost, where each group pays once what it shares."""
    groups: set[Hashable] = set()
    cost = 0
    for item in items:
        cost += item.cost - (item.shared if item.group in groups else 0)
        groups.add(item.group)
    return cost


def _solve(
    costs: NDArray[np.int64], values: NDArray[np.float64], budget: int, most: int | None
) -> tuple[list[int], str]:
    """Solves with `most` None where that limit has no effect, which costs less."""
    if most is None:
        sure, core = _decided(costs, values, budget)
        if len(core) < len(costs):
            chosen, method = _solve_core(costs[core], values[core], budget - int(costs[sure].sum()))
            return sorted([*sure.tolist(), *core[chosen].tolist()]), method
    return _solve_core(costs, values, budget, most)


def _decided(costs: NDArray[np.int64], values: NDArray[np.float64], budget: int) -> tuple[Places, Places]:
    """Indices of the items that every best choice contains, and of those that are still to be chosen from.

    An item is decided when the other decision about it would be worth less than a choice that is known, even if the
    rest could be filled with fractions of items (Ingargiola and Korsh, 1973). All items together must cost more than
    the budget.
    """
    # A high power of a low score is almost 0, where numbers lose their digits.
    values = values / max(float(values.max()), SMALLEST)
    values = np.where(values < SMALLEST, 0.0, values)
    density = values / costs
    order = np.argsort(-density, kind="stable")
    filled = np.cumsum(costs[order])
    first_left = int(np.searchsorted(filled, budget, side="right"))
    whole, price = order[:first_left], density[order[first_left]]
    with_fractions = values[whole].sum() + (budget - costs[whole].sum()) * price
    known = values[list(_fill((), costs, values, budget, len(costs)))].sum()
    gain = values - price * costs
    is_decided = with_fractions - np.abs(gain) < known - ROUNDING * with_fractions
    return np.flatnonzero(is_decided & (gain > 0)), np.flatnonzero(~is_decided)


def _solve_core(
    costs: NDArray[np.int64], values: NDArray[np.float64], budget: int, most: int | None = None
) -> tuple[list[int], str]:
    cells = len(costs) * budget * (1 if most is None else most)
    if cells <= MOST_CELLS:
        return _knapsack(costs, values, budget, most), "exact"
    scale = -(-cells // MOST_CELLS)
    limit = len(costs) if most is None else most
    rounded = _improve(_knapsack(-(-costs // scale), values, budget // scale, most), costs, values, budget, limit)
    greedy = _improve([], costs, values, budget, limit)
    return max((rounded, "rounded"), (greedy, "greedy"), key=lambda option: values[option[0]].sum())


def _knapsack(costs: NDArray[np.int64], values: NDArray[np.float64], budget: int, most: int | None) -> list[int]:
    """Indices of an optimal choice, ascending. The table has a row for each number of items, or a single row without
    that limit.
    """
    rows = 1 if most is None else most + 1
    before, after = (slice(0, 1), slice(0, 1)) if most is None else (slice(0, most), slice(1, rows))
    best = np.zeros((rows, budget + 1))
    taken = np.zeros((len(costs), rows, budget + 1), dtype=bool)
    for index, (cost, value) in enumerate(zip(costs.tolist(), values.tolist(), strict=True)):
        if cost > budget:
            continue
        candidate = best[before, : budget + 1 - cost] + value
        known = best[after, cost:]
        np.greater(candidate, known, out=taken[index, after, cost:])
        np.maximum(candidate, known, out=known)
    chosen = []
    row, room = rows - 1, budget
    for index in range(len(costs) - 1, -1, -1):
        if taken[index, row, room]:
            chosen.append(index)
            row -= 0 if most is None else 1
            room -= int(costs[index])
    return chosen[::-1]


def _improve(
    chosen: Sequence[int], costs: NDArray[np.int64], values: NDArray[np.float64], budget: int, most: int
) -> list[int]:
    """Adds by value density whatever still fits, then swaps single items while the value grows; ascending."""
    kept = _fill(chosen, costs, values, budget, most)
    for _ in range(len(costs)):
        inside = np.array(sorted(kept), dtype=np.intp)
        outside = np.setdiff1d(np.arange(len(costs)), inside)
        fits = costs[outside] - costs[inside][:, None] <= budget - costs[inside].sum()
        gain = np.where(fits, values[outside] - values[inside][:, None], 0.0)
        if gain.max(initial=0.0) <= 0.0:
            break
        given, taken = np.unravel_index(gain.argmax(), gain.shape)
        kept = _fill({*kept, int(outside[taken])} - {int(inside[given])}, costs, values, budget, most)
    return sorted(kept)


def _fill(
    chosen: Iterable[int], costs: NDArray[np.int64], values: NDArray[np.float64], budget: int, most: int
) -> set[int]:
    kept = set(chosen)
    room = budget - int(costs[list(kept)].sum()) if kept else budget
    for index in np.argsort(-values / costs, kind="stable").tolist():
        if len(kept) < most and index not in kept and costs[index] <= room:
            kept.add(index)
            room -= int(costs[index])
    return kept
