"""Whether anything found helps with a turn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.ranking import silence
from remembrancer.domain.ranking.silence import TurnEvidence, Verdict

SHARES = st.floats(0, 1)


def found(
    *, best: float = 0.2, background: float = 0.1, words: float = 0.0, query: str = "ok", named: bool = False
) -> TurnEvidence:
    """The evidence of sixty candidates, one of which is nearer than the others."""
    dense = np.full(60, background)
    dense[17] = best
    lexical = np.zeros(60)
    lexical[17] = words
    subject = np.zeros(60)
    subject[3] = float(named)
    evidence = TurnEvidence.of(query, dense, lexical, subject, information=1.0)
    assert evidence is not None
    return evidence


@given(
    cosine=SHARES, margin=SHARES, words=st.floats(0, 8), named=st.booleans(), own=st.booleans(), more=st.floats(0.01, 1)
)
def test_more_of_any_evidence_never_makes_a_memory_less_helpful(
    cosine: float, margin: float, words: float, named: bool, own: bool, more: float
) -> None:
    before = TurnEvidence(cosine, margin, words, named, own).helpfulness

    after = [
        TurnEvidence(cosine + more, margin, words, named, own),
        TurnEvidence(cosine, margin + more, words, named, own),
        TurnEvidence(cosine, margin, words + more, named, own),
        TurnEvidence(cosine, margin, words, True, own),
        TurnEvidence(cosine, margin, words, named, True),
    ]

    assert 0 <= before <= 1
    assert all(one.helpfulness >= before for one in after)


def test_small_talk_is_silent_and_a_question_whose_rare_words_match_is_not() -> None:
    assert silence.verdict(found().helpfulness) is Verdict.SILENT
    assert silence.verdict(found(best=0.6, words=1.0, query="Where is the brass lamp?").helpfulness) is Verdict.HELPS


def test_a_name_or_the_speakers_own_things_count_where_similarity_is_low() -> None:
    plain = found(best=0.3).helpfulness

    assert found(best=0.3, named=True).helpfulness > plain
    assert found(best=0.3, query="Plan my weekend").helpfulness > plain


def test_a_turn_that_is_as_near_to_everything_helps_less_than_one_that_is_near_to_one_memory() -> None:
    assert found(best=0.45, background=0.44).helpfulness < found(best=0.45, background=0.1).helpfulness


@pytest.mark.parametrize(("count", "is_known"), [(0, False), (9, False), (10, True), (400, True)])
def test_without_a_background_nothing_is_decided(count: int, is_known: bool) -> None:
    evidence = TurnEvidence.of("ok", np.zeros(count), np.zeros(count), np.zeros(count), information=0.0)

    assert (evidence is not None) == is_known
    assert silence.verdict(None) is Verdict.HELPS


@given(st.floats(0, 1))
def test_the_three_verdicts_cover_every_helpfulness_in_order(helpfulness: float) -> None:
    verdict = silence.verdict(helpfulness)

    expected = (
        Verdict.SILENT
        if helpfulness < silence.SILENT_BELOW
        else Verdict.UNSURE
        if helpfulness < silence.SURE_FROM
        else Verdict.HELPS
    )
    assert verdict is expected


@pytest.mark.parametrize(
    ("query", "is_own"),
    [
        ("Who is missing from our team?", True),
        ("Plan MY weekend", True),
        ("When did I see the surgeon?", True),
        ("I slept terribly last night.", False),
        ("What is the capital of Mongolia?", False),
        ("Explain mining", False),
        ("Wie heißt mein Hund?", True),
        ("Où est-ce que j'ai garé la voiture ?", True),
        ("¿Cuándo es nuestro aniversario?", True),
        ("Wat is onze wachtwoord?", True),
        ("我的猫叫什么？", True),
        ("Danke schön!", False),
        ("¿Cuál es la capital de Mongolia?", False),
        ("Who is Mia?", False),
    ],
)
def test_turns_about_the_speaker(query: str, is_own: bool) -> None:
    assert silence.is_own(query) == is_own
