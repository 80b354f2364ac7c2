"""0/1 knapsack: the most valuable memories that fit the budget."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DUPLICATE_COSINE = 0.92
MOST_CELLS = 400_000
"""Largest table of the exact solution (undecided items × budget); about 1 ms of numpy."""
FEW = 12
"""So few undecided items are chosen from in the table, which is quicker than deciding more of them."""
ROUNDING = 1e-12
"""Share of a sum by which two choices must differ, so that rounding does not decide."""
SMALLEST = 1e-290
"""Values that are less, or less than this share of the greatest, are taken for 0."""

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """Candidates for packing, best first, in columns: costs in tokens (> 0) and values (≥ 0).

    `shared[i]` tokens of a cost are paid once for all chosen items that are equal in `groups`. `repeats` are pairs of a
    better item and a worse one that says the same.
    """

    costs: Sequence[int]
    values: Sequence[float]
    groups: Sequence[Hashable]
    shared: Sequence[int]
    repeats: Sequence[tuple[int, int]] = ()

    def __len__(self) -> int:
        return len(self.costs)


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


def pack(items: Items, budget: int, *, most: int | None = None) -> Packed:
    """Chooses items by value within `budget`; those that repeat better items are dropped.

    At most `most` are chosen. An item that costs more than the budget does not compete, so it drops no duplicate.
    `method` is `all` when everything fits, `exact` for dynamic programming up to `MOST_CELLS`, and beyond it the better
    of `rounded`, the same with costs rounded up, and `greedy`, by value density; both are improved afterwards. What
    the chosen ones share is then spent on the best of the others.
    """
    room = max(budget, 0)
    fitting = [index for index, cost in enumerate(items.costs) if cost <= room]
    dropped = _repeating(items.repeats, fitting)
    competing = [index for index in fitting if index not in dropped] if dropped else fitting
    limit = len(items) if most is None else most
    chosen, method = _choose(items, competing, room, limit)
    kept, cost = _with_shared(items, competing, chosen, room, limit)
    out = {*kept, *dropped}
    left = tuple(index for index in range(len(items)) if index not in out)
    return Packed(tuple(kept), dropped, left, cost, method)


def close_pairs(vectors: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Pairs of rows with a cosine above `DUPLICATE_COSINE`, ascending, the smaller row first: only these may say the
    same. Of unit vectors (n, dimensions), zeros for what is close to nothing.
    """
    close = vectors @ vectors.T > DUPLICATE_COSINE
    if np.count_nonzero(close) == np.count_nonzero(close.diagonal()):
        return []
    better, worse = np.nonzero(np.triu(close, k=1))
    return list(zip(better.tolist(), worse.tolist(), strict=True))


def _repeating(repeats: Sequence[tuple[int, int]], fitting: Sequence[int]) -> tuple[int, ...]:
    """The items to drop, ascending: those that repeat one that is not dropped itself, where both fit."""
    dropped: set[int] = set()
    if repeats:
        fits = set(fitting)
        for better, worse in sorted(repeats):
            if better not in dropped and fits.issuperset((better, worse)):
                dropped.add(worse)
    return tuple(sorted(dropped))


def _with_shared(
    items: Items, competing: Sequence[int], chosen: Sequence[int], budget: int, most: int
) -> tuple[list[int], int]:
    """The chosen ones and, for what they share, the best of the others, ascending; and the cost of all of them."""
    kept: list[int] = []
    groups: set[Hashable] = set()
    spent = 0
    others = sorted(index for index in set(competing).difference(chosen) if items.values[index] > 0)
    for index in (*chosen, *others):
        group = items.groups[index]
        cost = items.costs[index] - (items.shared[index] if group in groups else 0)
        if spent + cost <= budget and len(kept) < most:
            kept.append(index)
            spent += cost
            groups.add(group)
    return sorted(kept), spent


def _choose(items: Items, competing: Sequence[int], budget: int, most: int) -> tuple[Sequence[int], str]:
    """For competing items that each fit alone, best first: those chosen, ascending, and the method."""
    best = competing[:most]
    if _together(items, best) <= budget:
        return best, "all"
    costs = np.array([items.costs[index] for index in competing])
    values = np.array([items.values[index] for index in competing])
    chosen, method = _solve(costs, values, budget, None)
    if len(chosen) > most:
        chosen, method = _solve(costs, values, budget, most)
    return [competing[place] for place in chosen], method


def _together(items: Items, chosen: Sequence[int]) -> int:
    """What all of them cost, where each group pays once what it shares."""
    groups: set[Hashable] = set()
    cost = 0
    for index in chosen:
        group = items.groups[index]
        cost += items.costs[index] - (items.shared[index] if group in groups else 0)
        groups.add(group)
    return cost


def _solve(
    costs: NDArray[np.int64], values: NDArray[np.float64], budget: int, most: int | None
) -> tuple[list[int], str]:
    """Solves with `most` None where that limit has no effect, which costs less."""
    if most is None and costs.sum() <= budget:
        return list(range(len(costs))), "exact"
    if most is None and len(costs) > FEW:
        sure, core = _decided(costs, values, budget)
        if len(core) < len(costs):
            # Among those left, differences count that were too small beside the values of all.
            chosen, method = _solve(costs[core], values[core], budget - int(costs[sure].sum()), None)
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
    order = np.argsort(-values / costs, kind="stable")
    for index, cost in zip(order.tolist(), costs[order].tolist(), strict=True):
        if cost <= room and len(kept) < most and index not in kept:
            kept.add(index)
            room -= cost
    return kept
