"""The knapsack: within budget, near the optimum, without near-duplicates."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.context import packer
from remembrancer.domain.context.packer import Items, Packed
from remembrancer.domain.memories.duplicates import Wording
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.memories.memory_rows import stacked
from tests.builders import at_cosine, memory, unit_vector

costs = st.integers(1, 200)
values = st.floats(0, 1)
tiny = st.sampled_from([5e-324, 2e-313, 1e-300, 1e-40])
"""A high power of a low score."""


@dataclass(frozen=True)
class Item:
    """One candidate; the packer takes them in columns."""

    cost: int
    value: float
    vector: Vector | None = None
    group: Hashable = None
    shared: int = 0


def pack(items: Sequence[Item], budget: int, *, most: int | None = None) -> Packed:
    columns = Items(
        [one.cost for one in items],
        [one.value for one in items],
        [one.group for one in items],
        [one.shared for one in items],
        packer.close_pairs(stacked([(one.vector, "a-model") for one in items])),
    )
    return packer.pack(columns, budget, most=most)


@st.composite
def item_lists(draw: st.DrawFn, *, longest: int, values: st.SearchStrategy[float] = values) -> list[Item]:
    """Best first, as the scorer hands them over."""
    pairs = draw(st.lists(st.tuples(costs, values), max_size=longest))
    return [Item(cost, value) for cost, value in sorted(pairs, key=lambda pair: -pair[1])]


def random_items(seed: int, size: int, *, cheapest: int = 5, dearest: int = 250) -> list[Item]:
    generator = np.random.default_rng(seed)
    worth = np.sort(generator.uniform(0.2, 1.0, size))[::-1]
    tokens = generator.integers(cheapest, dearest, size)
    return [Item(int(cost), float(value)) for cost, value in zip(tokens, worth, strict=True)]


def as_dear_as_good(seed: int, size: int, *, dearest: int) -> list[Item]:
    """Almost of one value a token, so that hardly any is decided by its density."""
    generator = np.random.default_rng(seed)
    tokens = np.sort(generator.integers(dearest // 4, dearest, size))[::-1]
    return [Item(int(cost), float(cost) + float(generator.uniform(0, 1))) for cost in tokens]


def value_of(items: Sequence[Item], chosen: Sequence[int]) -> float:
    return sum(items[index].value for index in chosen)


def best_by_trying_all(items: Sequence[Item], budget: int, most: int) -> float:
    """The optimum, for few items."""
    choices = (choice for size in range(most + 1) for choice in combinations(items, size))
    return max(
        sum(item.value for item in choice) for choice in choices if sum(item.cost for item in choice) <= max(budget, 0)
    )


def best_by_table(items: Sequence[Item], budget: int, most: int | None = None) -> float:
    """The optimum by dynamic programming over budget, and number of items where that is bounded."""
    table = np.zeros(((most or 0) + 1, budget + 1))
    for item in items:
        if item.cost <= budget:
            lower = table[:-1] if most else table
            upper = table[1:] if most else table
            upper[:, item.cost :] = np.maximum(upper[:, item.cost :], lower[:, : budget + 1 - item.cost] + item.value)
    return float(table[-1, budget])


def assert_sound(items: Sequence[Item], packed: Packed, budget: int, most: int | None = None) -> None:
    """Within all bounds, and every item accounted for once."""
    assert packed.cost == sum(items[index].cost for index in packed.chosen)
    assert packed.cost <= max(budget, 0)
    assert most is None or len(packed.chosen) <= most
    assert sorted([*packed.chosen, *packed.duplicates, *packed.over_budget]) == list(range(len(items)))
    assert list(packed.chosen) == sorted(packed.chosen)


@given(
    items=item_lists(longest=9, values=values | tiny), budget=st.integers(-50, 1200), most=st.none() | st.integers(0, 9)
)
def test_few_items_are_packed_best(items: list[Item], budget: int, most: int | None) -> None:
    packed = pack(items, budget, most=most)

    assert_sound(items, packed, budget, most)
    optimum = best_by_trying_all(items, budget, len(items) if most is None else min(most, len(items)))
    assert value_of(items, packed.chosen) == pytest.approx(optimum)


@given(items=item_lists(longest=60), budget=st.integers(-50, 20_000), most=st.none() | st.integers(0, 60))
def test_no_bound_is_ever_exceeded(items: list[Item], budget: int, most: int | None) -> None:
    assert_sound(items, pack(items, budget, most=most), budget, most)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("size", "budget"), [(70, 500), (70, 2000), (70, 5000), (120, 3000)])
def test_up_to_a_bounded_table_the_choice_is_the_best(seed: int, size: int, budget: int) -> None:
    items = random_items(seed, size)

    packed = pack(items, budget)

    assert_sound(items, packed, budget)
    assert packed.method == "exact"
    assert value_of(items, packed.chosen) == pytest.approx(best_by_table(items, budget))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("size", "budget", "dearest"), [(120, 6000, 250), (300, 12_000, 300), (70, 40_000, 3000)])
def test_beyond_it_the_choice_is_within_one_percent_of_the_best(
    seed: int, size: int, budget: int, dearest: int
) -> None:
    items = as_dear_as_good(seed, size, dearest=dearest)

    packed = pack(items, budget)

    assert_sound(items, packed, budget)
    assert packed.method in {"rounded", "greedy"}
    assert value_of(items, packed.chosen) >= 0.99 * best_by_table(items, budget)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("size", "budget", "dearest"), [(120, 6000, 250), (300, 12_000, 300), (70, 40_000, 3000)])
def test_items_that_are_decided_without_the_table_need_no_room_in_it(
    seed: int, size: int, budget: int, dearest: int
) -> None:
    items = random_items(seed, size, dearest=dearest)

    packed = pack(items, budget)

    assert_sound(items, packed, budget)
    if packed.method == "exact":
        assert value_of(items, packed.chosen) == pytest.approx(best_by_table(items, budget))
    assert value_of(items, packed.chosen) >= 0.99 * best_by_table(items, budget)


@pytest.mark.parametrize("power", [1, 8, 40])
@pytest.mark.parametrize("seed", range(6))
def test_the_choice_is_the_best_however_unequal_the_values_are(seed: int, power: int) -> None:
    items = [Item(one.cost, one.value**power) for one in random_items(seed, 90, cheapest=9, dearest=120)]

    packed = pack(items, 1500)

    assert packed.method == "exact"
    assert value_of(items, packed.chosen) == pytest.approx(best_by_table(items, 1500), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("most", "budget"), [(1, 40), (3, 200), (5, 300), (10, 700), (20, 1200), (30, 1500), (40, 2400)]
)
def test_a_bound_on_the_number_keeps_within_one_percent_of_the_best(seed: int, most: int, budget: int) -> None:
    items = random_items(seed, 70, cheapest=15, dearest=120)

    packed = pack(items, budget, most=most)

    assert_sound(items, packed, budget, most)
    assert value_of(items, packed.chosen) >= 0.99 * best_by_table(items, budget, most)


def test_many_cheap_items_beside_few_dear_ones_are_not_lost_in_rounding() -> None:
    items = [Item(9_000, 1.0), Item(9_000, 0.99)] + [Item(1, 0.01)] * 500

    packed = pack(items, 9_400)

    assert packed.method in {"rounded", "greedy"}
    assert value_of(items, packed.chosen) >= 0.99 * (1.0 + 400 * 0.01)


@pytest.mark.parametrize("value", [5e-324, 2e-313, 1e-290, 0.0])
def test_items_of_hardly_any_value_are_packed_too(value: float) -> None:
    packed = pack([Item(183, value), Item(183, value), Item(1, value)], 183)

    assert packed.chosen in {(0,), (2,)} if value else packed.chosen == ()


def test_what_fits_is_chosen_whole() -> None:
    items = [Item(10, 0.9), Item(20, 0.5), Item(30, 0.0)]

    assert pack(items, 60) == Packed((0, 1, 2), (), (), 60, "all")


def test_one_token_less_is_a_choice() -> None:
    items = [Item(10, 0.9), Item(20, 0.5), Item(30, 0.1)]

    assert pack(items, 59) == Packed((0, 1), (), (2,), 30, "exact")


def test_a_dear_item_gives_way_to_two_that_are_worth_more() -> None:
    items = [Item(100, 0.9), Item(50, 0.6), Item(50, 0.5)]

    assert pack(items, 100).chosen == (1, 2)


@pytest.mark.parametrize("budget", [0, -1, -10_000])
def test_without_a_budget_nothing_is_chosen(budget: int) -> None:
    assert pack([Item(1, 0.9), Item(7, 0.8)], budget) == Packed((), (), (0, 1), 0, "all")


def test_nothing_to_pack() -> None:
    assert pack([], 100) == Packed((), (), (), 0, "all")


def test_a_budget_of_one_takes_one_item_of_cost_one() -> None:
    items = [Item(2, 1.0), Item(1, 0.3), Item(1, 0.2)]

    assert pack(items, 1).chosen == (1,)


@pytest.mark.parametrize("most", [0, 1, 3, 50])
def test_at_most_so_many_are_chosen_the_best_of_them(most: int) -> None:
    items = [Item(10, 1 - number / 100) for number in range(20)]

    packed = pack(items, 1000, most=most)

    assert packed.chosen == tuple(range(min(most, 20)))
    assert packed.over_budget == tuple(range(min(most, 20), 20))


@pytest.mark.parametrize("seed", range(4))
def test_what_little_values_are_left_are_chosen_from_as_well_as_great_ones(seed: int) -> None:
    little = [Item(one.cost, one.value * 1e-20) for one in as_dear_as_good(seed, 30, dearest=40)]
    items = [Item(10, 1.0)] * 20 + little

    packed = pack(items, 500)

    assert set(range(20)) <= set(packed.chosen)
    found = value_of(items, [index for index in packed.chosen if index >= 20])
    assert found == pytest.approx(best_by_table(little, 300), rel=1e-9)


def test_an_item_that_cannot_fit_takes_no_place_among_the_most() -> None:
    items = [Item(3000, 0.9), Item(20, 0.8), Item(20, 0.7)]

    assert pack(items, 100, most=1).chosen == (1,)


def test_equal_items_fill_the_budget() -> None:
    items = [Item(30, 0.5)] * 40

    packed = pack(items, 200)

    assert_sound(items, packed, 200)
    assert len(packed.chosen) == 6


def test_items_without_value_are_left_when_there_is_a_choice() -> None:
    items = [Item(50, 0.5), Item(50, 0.0), Item(50, 0.0)]

    assert pack(items, 100).chosen == (0,)


@pytest.mark.parametrize(
    ("cosine", "duplicate"), [(1.0, True), (0.93, True), (0.91, False), (0.0, False), (-1.0, False)]
)
def test_a_near_duplicate_of_a_better_one_is_dropped(cosine: float, duplicate: bool) -> None:
    vector = unit_vector()
    items = [Item(10, 0.9, vector), Item(10, 0.8, at_cosine(vector, cosine))]

    packed = pack(items, 1000)

    assert packed.duplicates == ((1,) if duplicate else ())
    assert packed.chosen == ((0,) if duplicate else (0, 1))


def test_the_budget_of_a_duplicate_is_used_for_another() -> None:
    vector = unit_vector()
    items = [Item(50, 0.9, vector), Item(50, 0.8, vector), Item(50, 0.1, unit_vector(7))]

    assert pack(items, 100) == Packed((0, 2), (1,), (), 100, "all")


def test_a_duplicate_of_a_dropped_duplicate_may_stay() -> None:
    first = unit_vector()
    second = at_cosine(first, 0.95)
    third = at_cosine(second, 0.95, seed=2)
    assert first @ third < packer.DUPLICATE_COSINE

    packed = pack([Item(1, 0.5, vector) for vector in (first, second, third)], 100)
    assert packed.duplicates == (1,)


def test_an_item_that_cannot_fit_does_not_take_its_duplicate_along() -> None:
    vector = unit_vector()
    items = [Item(3000, 0.9, vector), Item(20, 0.8, vector)]

    assert pack(items, 100) == Packed((1,), (), (0,), 20, "all")


def test_items_without_vectors_are_no_duplicates() -> None:
    vector = unit_vector()
    items = [Item(1, 0.9), Item(1, 0.8), Item(1, 0.7, vector), Item(1, 0.6), Item(1, 0.5, vector)]

    assert pack(items, 100) == Packed((0, 1, 2, 3), (4,), (), 4, "all")


@given(seeds=st.lists(st.integers(0, 5), max_size=12))
def test_one_of_each_group_of_equal_vectors_is_kept(seeds: list[int]) -> None:
    packed = pack([Item(1, 0.5, unit_vector(seed)) for seed in seeds], 100)

    assert list(packed.chosen) == [index for index, seed in enumerate(seeds) if seed not in seeds[:index]]
    assert sorted(packed.chosen + packed.duplicates) == list(range(len(seeds)))


@given(numbers=st.lists(st.integers(0, 9999), min_size=1, max_size=12))
def test_texts_with_different_numbers_are_never_dropped_however_close(numbers: list[int]) -> None:
    """All of one vector: `repeats` are those pairs whose texts say the same."""
    texts = [Wording.of(memory(content=f"Invoice {number} is paid.")) for number in numbers]
    close = packer.close_pairs(np.stack([unit_vector()] * len(texts)))
    repeats = [(better, worse) for better, worse in close if texts[better].repeats(texts[worse])]
    columns = Items([1] * len(texts), [0.5] * len(texts), [None] * len(texts), [0] * len(texts), repeats)

    packed = packer.pack(columns, 100)

    assert [numbers[place] for place in packed.chosen] == list(dict.fromkeys(numbers))


def test_what_items_of_a_group_share_is_spent_on_the_best_of_the_others() -> None:
    items = [Item(20, 1.0, group="a", shared=6), Item(20, 0.9, group="a", shared=6), Item(6, 0.1), Item(6, 0.05)]

    packed = pack(items, 40)

    assert packed.chosen == (0, 1, 2)
    assert packed.cost == 40
    assert packed.over_budget == (3,)


@given(
    items=item_lists(longest=12),
    groups=st.lists(st.integers(0, 3), min_size=12, max_size=12),
    budget=st.integers(0, 1_200),
    most=st.none() | st.integers(0, 5),
)
def test_with_shared_costs_no_bound_is_exceeded_and_never_less_is_chosen(
    items: list[Item], groups: list[int], budget: int, most: int | None
) -> None:
    sharing = [Item(one.cost + 6, one.value, group=group, shared=6) for one, group in zip(items, groups, strict=False)]

    packed, apart = (
        pack(sharing, budget, most=most),
        pack([Item(one.cost, one.value) for one in sharing], budget, most=most),
    )

    days = {sharing[index].group for index in packed.chosen}
    assert packed.cost == sum(sharing[index].cost - 6 for index in packed.chosen) + 6 * len(days) <= budget
    assert most is None or len(packed.chosen) <= most
    assert set(apart.chosen) <= set(packed.chosen)


def test_what_fits_since_a_group_pays_once_is_chosen_whole() -> None:
    items = [Item(20, 1.0, group="a", shared=6), Item(20, 0.9, group="a", shared=6), Item(6, 0.1, group="b")]

    assert pack(items, 40) == Packed((0, 1, 2), (), (), 40, "all")
