"""Dense and lexical evidence in one relevance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain import fusion

SHARES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=20)


@pytest.mark.parametrize(
    ("dense", "lexical", "expected"),
    [(0.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0), (0.5, 0.0, 0.5), (0.5, 0.4, 0.7)],
)
def test_either_evidence_suffices_and_both_are_better(dense: float, lexical: float, expected: float) -> None:
    fused = fusion.fuse(np.array([dense]), np.array([lexical]))

    assert fused.tolist() == pytest.approx([expected])


@given(pairs=SHARES)
def test_relevance_stays_between_the_better_evidence_and_one(pairs: list[tuple[float, float]]) -> None:
    dense = np.array([pair[0] for pair in pairs])
    lexical = np.array([pair[1] for pair in pairs])

    fused = fusion.fuse(dense, lexical)

    assert (fused >= np.maximum(dense, lexical) - 1e-12).all()
    assert (fused <= 1.0).all()


def test_evidence_outside_of_zero_to_one_is_clamped() -> None:
    fused = fusion.fuse(np.array([-0.5, 1.5]), np.array([-2.0, -2.0]))

    assert fused.tolist() == [0.0, 1.0]


def test_no_evidence_gives_no_relevance() -> None:
    assert fusion.fuse(np.array([]), np.array([])).shape == (0,)


def test_an_opposite_vector_is_no_less_similar_than_an_unrelated_one() -> None:
    clamped = fusion.clamp_cosine(np.array([-1.0, 0.0, 0.25, 1.0000001]))

    assert clamped.tolist() == [0.0, 0.0, 0.25, 1.0]
