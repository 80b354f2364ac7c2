"""Which memories help with a turn, and whether it needs any."""

import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from remembrancer.domain.ranking import fitted, helpfulness
from remembrancer.domain.ranking.helpfulness import LINES, QUERY_LINES, Signals, TurnEvidence

SHARES = st.floats(0, 1)
UNKNOWN_MODEL = "another-model"


def signals(
    *, best: float = 0.2, background: float = 0.1, words: float = 0.0, named: bool = False, second: float = 0.0
) -> Signals:
    """Sixty candidates; one is nearer than the others and has words of the turn, and a second one is near to it."""
    dense, lexical, subject, relative = np.full(60, background), np.zeros(60), np.zeros(60), np.full(60, 0.3)
    dense[17], lexical[17], relative[17], subject[17] = best, words, 0.8, float(named)
    relative[18] = 0.3 + second
    return Signals(dense, lexical, subject, relative, np.full(60, 20.0), information=1.0)


def in_prompt(found: Signals, evidence: TurnEvidence) -> NDArray[np.float64]:
    return helpfulness.in_prompt(evidence, found.likely(evidence))


def need(query: str = "ok", **found: float) -> float:
    return signals(**found).evidence(query, None, UNKNOWN_MODEL).need  # type: ignore[arg-type]


@given(
    cosine=SHARES, margin=SHARES, words=st.floats(0, 8), named=st.booleans(), own=st.booleans(), more=st.floats(0.01, 1)
)
def test_more_of_any_evidence_never_makes_a_need_less_likely(
    cosine: float, margin: float, words: float, named: bool, own: bool, more: float
) -> None:
    for asks in (None, 0.3):
        before = TurnEvidence(cosine, margin, words, named, own, asks).need

        after = [
            TurnEvidence(cosine + more, margin, words, named, own, asks),
            TurnEvidence(cosine, margin + more, words, named, own, asks),
            TurnEvidence(cosine, margin, words + more, named, own, asks),
            TurnEvidence(cosine, margin, words, True, own, asks),
            TurnEvidence(cosine, margin, words, named, True, asks),
        ]

        assert 0 <= before <= 1
        assert all(one.need >= before for one in after)


def test_small_talk_needs_less_than_a_question_whose_rare_words_match() -> None:
    assert need() < 0.1
    assert need("Where is the brass lamp?", best=0.6, words=1.0) > 0.9


def test_a_name_or_the_speakers_own_things_count_where_similarity_is_low() -> None:
    plain = need(best=0.3)

    assert need(best=0.3, named=True) > plain
    assert need("Plan my weekend", best=0.3) > plain


def test_a_turn_that_is_as_near_to_everything_needs_less_than_one_that_is_near_to_one_memory() -> None:
    assert need(best=0.45, background=0.44) < need(best=0.45, background=0.1)


def test_the_turns_vector_counts_only_for_the_model_that_it_was_fitted_with() -> None:
    weights = np.frombuffer(base64.b64decode(fitted.VECTOR), "<f2").astype(np.float32)[1:]
    direction = weights / np.linalg.norm(weights)

    asking, idle = (helpfulness.asks("Why?", sign * direction, fitted.MODEL) for sign in (1, -1))

    assert asking is not None and idle is not None and asking > 0 > idle
    assert helpfulness.asks("Why?", direction, UNKNOWN_MODEL) is helpfulness.asks("Why?", None, fitted.MODEL) is None
    found = signals(best=0.4)
    needs = [found.evidence("Why?", sign * direction, fitted.MODEL).need for sign in (1, -1)]
    assert needs[0] > needs[1]


@pytest.mark.parametrize(
    ("query", "is_known"),
    [
        ("Where is the brass lamp?", True),
        ("ok", True),
        ("Who met Müller at the café?", True),
        ("Wie groß ist die neue Wohnung?", False),
        ("¿Dónde aparcan el coche?", False),
        ("邻居叫什么名字？", False),
        ("Как зовут собаку?", False),
    ],
)
def test_the_vector_says_nothing_of_a_turn_in_a_language_that_the_model_does_not_know(
    query: str, is_known: bool
) -> None:
    vector = np.full(384, 0.05, np.float32)

    assert (helpfulness.asks(query, vector, fitted.MODEL) is not None) == is_known


def test_the_one_memory_that_is_asked_for_helps_and_the_background_does_not() -> None:
    found = signals(best=0.7, words=1.0, named=True)
    helps = in_prompt(found, found.evidence("Where is Ada's lamp?", None, UNKNOWN_MODEL))

    assert np.flatnonzero(helps >= LINES["balanced"]).tolist() == [17]


def test_a_second_memory_helps_more_the_nearer_it_is_to_the_best() -> None:
    far, near = (signals(best=0.7, words=1.0, second=second) for second in (0.1, 0.45))
    second = [in_prompt(found, found.evidence("Where is the lamp?", None, UNKNOWN_MODEL))[18] for found in (far, near)]

    assert second[0] < second[1]


def test_nothing_helps_with_a_turn_that_needs_nothing() -> None:
    found = signals(best=0.3, words=0.1)
    helps = in_prompt(found, found.evidence("ok", None, UNKNOWN_MODEL))

    assert helps.max() < LINES["lean"]


@given(
    dense=arrays.arrays(np.float64, 30, elements=SHARES),
    lexical=arrays.arrays(np.float64, 30, elements=SHARES),
    relative=arrays.arrays(np.float64, 30, elements=SHARES),
    tokens=arrays.arrays(np.float64, 30, elements=st.integers(0, 5_000)),
    information=st.floats(0, 40),
)
def test_whatever_the_candidates_are_each_helps_by_a_number_from_0_to_1(
    dense: np.ndarray, lexical: np.ndarray, relative: np.ndarray, tokens: np.ndarray, information: float
) -> None:
    found = Signals(dense, lexical, np.zeros(30), relative, tokens, information)

    helps = in_prompt(found, found.evidence("Which of them?", None, UNKNOWN_MODEL))

    assert helps.shape == (30,)
    assert ((helps >= 0) & (helps <= 1)).all()


@given(likely=arrays.arrays(np.float64, st.integers(1, 60), elements=st.floats(0, 1)))
def test_a_memory_never_helps_less_than_one_that_is_less_likely(likely: np.ndarray) -> None:
    helps = helpfulness.beside_each_other(likely)

    best = np.argsort(-likely, kind="stable")
    assert (np.diff(helps[best]) <= 0).all()
    assert ((helps >= 0) & (helps <= 1)).all()


def test_a_memory_comes_in_with_twenty_that_are_as_likely_and_not_alone_beside_a_better_one() -> None:
    alone = helpfulness.beside_each_other(np.array([0.3, 0.012]))
    many = helpfulness.beside_each_other(np.array([0.3, *[0.012] * 20]))

    assert alone[1] < LINES["balanced"] < many[1:].min()


def test_each_thoroughness_injects_no_less_than_the_one_before() -> None:
    for lines in (LINES, QUERY_LINES):
        assert list(lines.values()) == sorted(lines.values(), reverse=True)


@pytest.mark.parametrize(
    ("turn", "things"),
    [
        ("Which room do they get, and how do we make sure that there are no feathers?", 2),
        ("When does the train arrive? Who fetches them? And where do they sleep?", 3),
        ("who is it, when, where and why", 3),
        ("Who delivers the fish, and on which days?", 1),
        ("Tell me how it went and what she said", 1),
        ("Order the fish.", 1),
        ("", 1),
    ],
)
def test_a_turn_may_ask_for_several_things(turn: str, things: int) -> None:
    assert helpfulness.things(turn) == things


def test_what_may_be_about_a_second_thing_counts_more_and_a_sure_memory_stays_sure() -> None:
    likely = np.array([0.9, 0.02])

    one = helpfulness.in_prompt(TurnEvidence(0.6, 0.3, 2.0, 0.0, False), likely)
    two = helpfulness.in_prompt(TurnEvidence(0.6, 0.3, 2.0, 0.0, False, things=2), likely)

    assert two[1] == pytest.approx(one[1] * 2)
    assert two[0] <= 1
