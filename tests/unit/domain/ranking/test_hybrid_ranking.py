"""The ranking of the memory query: factors, normalisation, weights, tie-break."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.memory_columns import MemoryColumns
from remembrancer.domain.ranking import hybrid_ranking
from tests.builders import NOW, ago, identifier, memory

ALONE = {name: dict.fromkeys(hybrid_ranking.FACTORS, 0.0) | {name: 1.0} for name in hybrid_ranking.FACTORS}
"""For each factor the weights that ask for it alone."""


def rank(
    memories: Sequence[Memory],
    *,
    semantic: Sequence[float] | None = None,
    lexical: Sequence[float] | None = None,
    cluster: Sequence[float] | None = None,
    weights: Mapping[str, float] | None = None,
    half_life_hours: float = 72.0,
    helps: Sequence[float] | None = None,
) -> hybrid_ranking.Ranking:
    zeros = [0.0] * len(memories)
    return hybrid_ranking.rank(
        memories,
        MemoryColumns.of(memories),
        hybrid_ranking.QuerySignals(
            semantic=np.array(zeros if semantic is None else semantic),
            lexical=np.array(zeros if lexical is None else lexical),
            cluster=np.array(zeros if cluster is None else cluster),
            context=np.array(zeros),
            subject=np.array(zeros),
            period=np.array(zeros),
        ),
        weights=hybrid_ranking.weights_of({}) if weights is None else weights,
        half_life_hours=half_life_hours,
        now=NOW,
        helps=None if helps is None else np.array(helps),
    )


def raw(candidate: Memory, factor: str, *, half_life_hours: float = 72.0) -> float:
    return rank([candidate], half_life_hours=half_life_hours).ranked[0].factors[factor].raw


def order(result: hybrid_ranking.Ranking) -> list[int]:
    """The numbers of the memories, best first."""
    return [item.memory.id.int - identifier(0).int for item in result.ranked]


@st.composite
def batches(draw: st.DrawFn) -> tuple[list[Memory], list[float], list[float], list[float]]:
    numbers = draw(st.lists(st.integers(1, 10_000), unique=True, min_size=1, max_size=25))
    memories = [
        memory(
            number,
            created_at=ago(hours=draw(st.floats(-10, 20_000))),
            last_accessed_at=draw(st.none() | st.just(ago(hours=5))),
            importance=draw(st.floats(0, 1)),
            quality=draw(st.floats(0, 1)),
            usage_count=draw(st.integers(0, 10_000)),
        )
        for number in numbers
    ]
    shares = st.lists(st.floats(0, 1), min_size=len(numbers), max_size=len(numbers))
    return memories, draw(shares), draw(shares), draw(shares)


def test_default_weights_are_those_that_were_measured_with_our_factors_beside_the_seven() -> None:
    seven = {
        "semantic": 0.50,
        "cluster": 0.10,
        "recency": 0.15,
        "importance": 0.15,
        "usage": 0.10,
        "quality": 0.0,
        "decay": 0.0,
    }

    ours = dict.fromkeys(("lexical", "context", "subject", "period", "session", "detail"), 0.0)

    weights = hybrid_ranking.weights_of(ours)

    assert weights == pytest.approx(seven | ours)


@given(requested=st.dictionaries(st.sampled_from(hybrid_ranking.FACTORS), st.floats(0, 1e6)))
def test_weights_always_sum_to_one(requested: dict[str, float]) -> None:
    weights = hybrid_ranking.weights_of(requested)

    assert set(weights) == set(hybrid_ranking.FACTORS)
    assert min(weights.values()) >= 0.0
    assert sum(weights.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("content", "share"), [("Why not?", 0.5), ("為什麼\uff1f", 0.5), ("Why? Because.", 1.0), ("", 1.0)]
)
def test_a_memory_that_ends_with_a_question_tells_half_as_much(content: str, share: float) -> None:
    told, asked = memory(content="Because."), memory(content=content)

    assert raw(asked, "detail") == pytest.approx(share * raw(told, "detail"))


@pytest.mark.parametrize("half_life_hours", [24.0, 72.0, 168.0])
def test_recency_halves_with_the_half_life_of_the_query(half_life_hours: float) -> None:
    ages = [0.0, half_life_hours, 3 * half_life_hours]

    values = [raw(memory(created_at=ago(hours=age)), "recency", half_life_hours=half_life_hours) for age in ages]

    assert values == pytest.approx([1.0, 0.5, 0.125])


@pytest.mark.parametrize(
    ("count", "usage"), [(0, 0.0), (1, math.log(2) / 5), (20, math.log(21) / 5), (147, math.log(148) / 5), (148, 1.0)]
)
def test_usage_grows_with_the_logarithm_of_the_count_up_to_one(count: int, usage: float) -> None:
    assert raw(memory(usage_count=count), "usage") == pytest.approx(usage, abs=1e-3)


def test_importance_and_quality_are_taken_as_stored() -> None:
    stored = memory(importance=0.9, quality=0.7)

    assert (raw(stored, "importance"), raw(stored, "quality")) == (0.9, 0.7)


@pytest.mark.parametrize(
    ("idle_days", "count", "decay"), [(0, 0, 1.0), (30, 0, 0.5), (90, 0, 0.125), (30, 10_000, 1.0)]
)
def test_decay_halves_in_thirty_days_without_access_and_usage_lifts_it(
    idle_days: float, count: int, decay: float
) -> None:
    stored = memory(created_at=ago(days=400), last_accessed_at=ago(days=idle_days), usage_count=count)

    assert raw(stored, "decay") == pytest.approx(decay)


def test_decay_counts_from_the_creation_of_a_memory_that_was_never_read() -> None:
    assert raw(memory(created_at=ago(days=60), last_accessed_at=None), "decay") == pytest.approx(0.25)


def test_evidence_is_normalised_over_the_batch() -> None:
    ranked = rank([memory(1), memory(2), memory(3)], semantic=[0.2, 0.6, 0.4]).ranked

    assert [item.factors["semantic"].raw for item in ranked] == [0.6, 0.4, 0.2]
    assert [item.factors["semantic"].normalised for item in ranked] == pytest.approx([1.0, 0.5, 0.0])


def test_a_factor_that_is_equal_for_the_whole_batch_keeps_its_raw_value() -> None:
    ranked = rank([memory(1, importance=0.3), memory(2, importance=0.3)]).ranked

    assert [item.factors["importance"].normalised for item in ranked] == [0.3, 0.3]


def test_a_single_candidate_keeps_all_its_raw_values() -> None:
    alone = rank([memory(importance=0.3, usage_count=3)], semantic=[0.6], lexical=[0.2], cluster=[0.4]).ranked[0]

    assert all(factor.normalised == factor.raw for factor in alone.factors.values())
    assert alone.hybrid_score == pytest.approx(sum(factor.weight * factor.raw for factor in alone.factors.values()))


def test_nothing_to_rank_gives_nothing() -> None:
    result = rank([])

    assert (list(result.ranked), result.tiebreak_applied) == ([], False)


@given(batch=batches())
def test_the_hybrid_score_is_the_sum_of_the_contributions(
    batch: tuple[list[Memory], list[float], list[float], list[float]],
) -> None:
    memories, semantic, lexical, cluster = batch

    result = rank(memories, semantic=semantic, lexical=lexical, cluster=cluster)

    for item in result.ranked:
        contributions = [factor.contribution for factor in item.factors.values()]
        assert item.hybrid_score == pytest.approx(sum(contributions), abs=1e-12)
        assert all(0.0 <= factor.normalised <= 1.0 for factor in item.factors.values())
        told = hybrid_ranking.factors_json(item.factors)
        assert told == hybrid_ranking.factors_json(dict(item.factors))
        assert told == {name: factor.as_json() for name, factor in item.factors.items()}
    assert sorted(order(result)) == sorted(item.id.int - identifier(0).int for item in memories)


@given(batch=batches())
def test_min_max_is_that_of_a_textbook(batch: tuple[list[Memory], list[float], list[float], list[float]]) -> None:
    memories, semantic, lexical, cluster = batch

    ranked = rank(memories, semantic=semantic, lexical=lexical, cluster=cluster).ranked

    for name in hybrid_ranking.FACTORS:
        values = [item.factors[name].raw for item in ranked]
        low, high = min(values), max(values)
        if high - low > 1e-9:
            expected = [(value - low) / (high - low) for value in values]
            assert [item.factors[name].normalised for item in ranked] == pytest.approx(expected)


@given(batch=batches(), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_the_batch_does_not_matter(
    batch: tuple[list[Memory], list[float], list[float], list[float]], seed: int
) -> None:
    memories, semantic, lexical, cluster = batch
    places = np.random.default_rng(seed).permutation(len(memories)).tolist()

    shuffled = rank(
        [memories[place] for place in places],
        semantic=[semantic[place] for place in places],
        lexical=[lexical[place] for place in places],
        cluster=[cluster[place] for place in places],
    )

    assert order(shuffled) == order(rank(memories, semantic=semantic, lexical=lexical, cluster=cluster))


def test_scores_that_differ_clearly_decide_by_themselves() -> None:
    result = rank([memory(1), memory(2), memory(3)], semantic=[0.1, 0.9, 0.5], weights=ALONE["semantic"])

    assert order(result) == [2, 3, 1]
    assert not result.tiebreak_applied


@pytest.mark.parametrize(
    ("memories", "semantic", "expected"),
    [
        pytest.param([memory(1), memory(2), memory(3)], [0.2, 0.6, 0.4], [2, 3, 1], id="semantic first"),
        pytest.param(
            [memory(1, importance=0.2), memory(2, importance=0.9), memory(3, importance=0.4)],
            [0.5, 0.5, 0.5],
            [2, 3, 1],
            id="then importance",
        ),
        pytest.param(
            [memory(1, created_at=ago(days=9)), memory(2, created_at=ago(days=1)), memory(3, created_at=ago(days=4))],
            [0.5, 0.5, 0.5],
            [2, 3, 1],
            id="then recency",
        ),
        pytest.param(
            [memory(1, importance=0.2, created_at=ago(days=1)), memory(2, importance=0.9, created_at=ago(days=9))],
            [0.5, 0.5],
            [2, 1],
            id="importance before recency",
        ),
        pytest.param([memory(1), memory(3), memory(2)], [0.5, 0.5, 0.5], [3, 2, 1], id="then id"),
    ],
)
def test_scores_that_hardly_differ_are_ordered_by_what_matters_most(
    memories: list[Memory], semantic: list[float], expected: list[int]
) -> None:
    result = rank(memories, semantic=semantic, weights=ALONE["quality"])

    assert result.tiebreak_applied
    assert order(result) == expected


def test_the_tie_break_overrules_small_differences_of_the_hybrid_score() -> None:
    memories = [memory(1, quality=0.5), memory(2, quality=0.5)]
    weights = ALONE["quality"] | {"quality": 0.97, "usage": 0.03}
    better_by_a_hair = [memories[0], memory(2, quality=0.5, usage_count=200)]

    result = rank(better_by_a_hair, semantic=[0.9, 0.1], weights=weights)

    assert max(item.hybrid_score for item in result.ranked) == result.ranked[1].hybrid_score
    assert result.tiebreak_applied
    assert order(result) == [1, 2]


@pytest.mark.parametrize(("weight", "applied"), [(0.0399, True), (0.0401, False)])
def test_the_tie_break_applies_below_a_standard_deviation_of_two_percent(weight: float, applied: bool) -> None:
    weights = dict.fromkeys(hybrid_ranking.FACTORS, 0.0) | {"lexical": weight}

    result = rank([memory(1), memory(2)], lexical=[0.0, 1.0], weights=weights)

    assert result.tiebreak_applied is applied


def test_one_candidate_needs_no_tie_break() -> None:
    assert not rank([memory()]).tiebreak_applied


def test_equal_memories_come_by_descending_id() -> None:
    numbers = np.random.default_rng(5).permutation(100) + 1
    memories = [memory(int(number)) for number in numbers]

    result = rank(memories, semantic=[0.3] * 100, lexical=[0.7] * 100)

    assert order(result) == list(range(100, 0, -1))


@given(
    choices=st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * 3), min_size=1, max_size=30),
    weights=st.sampled_from([hybrid_ranking.weights_of({}), ALONE["lexical"], ALONE["quality"]]),
)
def test_a_ranked_batch_is_settled_as_long_as_nothing_is_added(
    choices: list[tuple[float, float, float]], weights: dict[str, float]
) -> None:
    memories = [memory(number, importance=importance) for number, (importance, *_) in enumerate(choices, 1)]

    result = rank(
        memories, semantic=[one for _, one, _ in choices], lexical=[one for *_, one in choices], weights=weights
    )

    ordered = hybrid_ranking.in_final_order(result.ranked, tiebreak=result.tiebreak_applied)
    assert order(result) == [item.memory.id.int - identifier(0).int for item in ordered]
    assert [item.memory.id for item in result.ranked[:3]] == [item.memory.id for item in ordered[:3]]


@pytest.mark.parametrize(
    ("cosines", "expected"),
    [
        ([0.5, np.nan, 0.3, np.nan], [0.5, 0.5, 0.3, 0.1]),
        ([np.nan] * 4, [0.0] * 4),
        ([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]),
    ],
)
def test_without_a_vector_a_memory_is_as_similar_as_its_words_match(
    cosines: list[float], expected: list[float]
) -> None:
    found = hybrid_ranking.expected(np.array(cosines), np.array([0.0, 1.0, 0.5, 0.2]))

    assert found.tolist() == pytest.approx(expected)


@given(batches(), st.data(), st.none() | st.floats(0, 1))
def test_what_does_not_help_is_left_out_and_the_others_stay_in_their_order(
    batch: tuple[list[Memory], list[float], list[float], list[float]], data: st.DataObject, line: float | None
) -> None:
    memories, semantic, lexical, _ = batch
    helps = data.draw(st.lists(st.floats(0, 1), min_size=len(memories), max_size=len(memories)))
    of_memory = {one.id: value for one, value in zip(memories, helps, strict=True)}
    ranked = rank(memories, semantic=semantic, lexical=lexical, helps=helps).ranked

    kept = [one.memory.id for one in hybrid_ranking.helping(ranked, line)]
    of_list = [one.memory.id for one in hybrid_ranking.helping(list(ranked), line)]

    assert kept == of_list == [one.memory.id for one in ranked if line is None or of_memory[one.memory.id] >= line]
    assert [one.helps for one in ranked] == [of_memory[one.memory.id] for one in ranked]


def test_all_stay_where_it_was_not_judged_what_helps() -> None:
    ranked = rank([memory(1), memory(2)]).ranked

    assert len(hybrid_ranking.helping(ranked, 1.0)) == len(hybrid_ranking.helping(list(ranked), 1.0)) == 2
    assert [one.helps for one in ranked] == [None, None]
