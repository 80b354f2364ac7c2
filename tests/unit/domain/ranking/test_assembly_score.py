"""The score of assembly against its table."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.ranking import assembly_score
from tests.builders import NOW, ago, memory

WEIGHTS = st.dictionaries(st.sampled_from(assembly_score.FACTORS), st.floats(0, 1e6))
HALF_LIVES = [
    ("factual", 180.0),
    ("procedural", 120.0),
    ("preference", 45.0),
    ("behavioral", 30.0),
    ("episodic", 14.0),
    ("a category of mars", 14.0),
]


def score_one(candidate: Memory, relevance: float = 0.0, **weights: float) -> assembly_score.Scored:
    shares = assembly_score.weights_of(weights)
    return assembly_score.score([candidate], np.array([relevance]), weights=shares, now=NOW)[0]


def by_hand(candidate: Memory, relevance: float) -> float:
    """The formula as the specification writes it, one memory at a time."""
    half_life = dict(HALF_LIVES).get(candidate.category, 14.0)
    age_days = max((NOW - candidate.created_at).total_seconds() / 86_400, 0.0)
    positive, negative = candidate.positive_count, candidate.negative_count
    return (
        0.88 * relevance
        + 0.05 * math.pow(2, -age_days / half_life)
        + 0.04 * (positive + 1) / (positive + negative + 2)
        + 0.02 * candidate.confidence
        + 0.01 * min(candidate.retrieval_count / 10, 1)
    )


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    numbers = draw(st.lists(st.integers(1, 10_000), unique=True, max_size=30))
    return [
        memory(
            number,
            category=draw(st.sampled_from([name for name, _ in HALF_LIVES])),
            created_at=ago(days=draw(st.floats(-10, 4000))),
            confidence=draw(st.floats(0, 1)),
            positive_count=draw(st.integers(0, 1000)),
            negative_count=draw(st.integers(0, 1000)),
            retrieval_count=draw(st.integers(0, 1000)),
        )
        for number in numbers
    ]


@given(candidates=memories(), seed=st.integers(0, 2**32 - 1))
def test_the_score_is_the_formula_for_every_memory_of_a_batch(candidates: list[Memory], seed: int) -> None:
    relevance = np.random.default_rng(seed).uniform(0, 1, len(candidates))

    scored = assembly_score.score(candidates, relevance, weights=assembly_score.weights_of({}), now=NOW)

    expected = {
        candidate.id: by_hand(candidate, float(share)) for candidate, share in zip(candidates, relevance, strict=True)
    }
    assert {item.memory.id: item.score for item in scored} == pytest.approx(expected, abs=1e-12)
    assert [item.score for item in scored] == sorted((item.score for item in scored), reverse=True)


@pytest.mark.parametrize(("category", "half_life"), HALF_LIVES)
def test_recency_halves_with_each_half_life_of_the_category(category: str, half_life: float) -> None:
    ages = [0.0, half_life, 2 * half_life]

    recency = [score_one(memory(category=category, created_at=ago(days=age))).factors["recency"] for age in ages]

    assert recency == pytest.approx([1.0, 0.5, 0.25])


def test_a_memory_from_the_future_is_not_fresher_than_now() -> None:
    assert score_one(memory(created_at=ago(days=-30))).factors["recency"] == 1.0


@pytest.mark.parametrize(
    ("positive", "negative", "usefulness"), [(0, 0, 0.5), (1, 0, 2 / 3), (0, 1, 1 / 3), (8, 0, 0.9), (50, 50, 0.5)]
)
def test_usefulness_is_the_smoothed_share_of_good_feedback(positive: int, negative: int, usefulness: float) -> None:
    scored = score_one(memory(positive_count=positive, negative_count=negative))

    assert scored.factors["usefulness"] == pytest.approx(usefulness)


@pytest.mark.parametrize(("retrievals", "frequency"), [(0, 0.0), (3, 0.3), (10, 1.0), (11, 1.0), (10**9, 1.0)])
def test_frequency_counts_up_to_ten_retrievals(retrievals: int, frequency: float) -> None:
    assert score_one(memory(retrieval_count=retrievals)).factors["frequency"] == pytest.approx(frequency)


def test_relevance_and_confidence_are_taken_as_they_are() -> None:
    scored = score_one(memory(confidence=0.61), relevance=0.37)

    assert (scored.factors["relevance"], scored.factors["confidence"]) == (0.37, 0.61)


def test_default_weights_are_those_that_were_measured() -> None:
    expected = {"relevance": 0.88, "recency": 0.05, "usefulness": 0.04, "confidence": 0.02, "frequency": 0.01}

    assert assembly_score.weights_of({}) == pytest.approx(expected)


def test_a_requested_weight_replaces_the_default_and_all_are_normalised() -> None:
    weights = assembly_score.weights_of({"relevance": 0.38})

    assert weights == pytest.approx(
        {"relevance": 0.76, "recency": 0.1, "usefulness": 0.08, "confidence": 0.04, "frequency": 0.02}
    )


def test_a_factor_of_weight_zero_has_no_say() -> None:
    weights = assembly_score.weights_of({"recency": 0.0})

    assert weights["recency"] == 0.0
    assert sum(weights.values()) == pytest.approx(1.0)


@given(requested=WEIGHTS)
def test_weights_always_sum_to_one(requested: dict[str, float]) -> None:
    weights = assembly_score.weights_of(requested)

    assert set(weights) == set(assembly_score.FACTORS)
    assert min(weights.values()) >= 0.0
    assert sum(weights.values()) == pytest.approx(1.0)


def test_no_weight_at_all_means_the_defaults() -> None:
    assert assembly_score.weights_of(dict.fromkeys(assembly_score.FACTORS, 0.0)) == pytest.approx(
        assembly_score.weights_of({})
    )


@pytest.mark.parametrize("size", [2, 3, 5, 17, 64, 120])
def test_equal_memories_come_in_the_order_of_their_ids(size: int) -> None:
    numbers = np.random.default_rng(size).permutation(size) + 1
    candidates = [memory(int(number)) for number in numbers]

    scored = assembly_score.score(candidates, np.full(size, 0.37), weights=assembly_score.weights_of({}), now=NOW)

    assert [item.memory.id for item in scored] == sorted(candidate.id for candidate in candidates)


@given(candidates=memories(), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_the_batch_does_not_matter(candidates: list[Memory], seed: int) -> None:
    relevance = np.random.default_rng(seed).choice([0.2, 0.4], len(candidates))
    shuffled = np.random.default_rng(seed).permutation(len(candidates))

    def order(places: Any) -> list[Any]:
        batch = [candidates[place] for place in places]
        scored = assembly_score.score(batch, relevance[places], weights=assembly_score.weights_of({}), now=NOW)
        return [item.memory.id for item in scored]

    assert order(shuffled) == order(np.arange(len(candidates)))


def test_nothing_to_score_gives_nothing() -> None:
    assert assembly_score.score([], np.array([]), weights=assembly_score.weights_of({}), now=NOW) == []
