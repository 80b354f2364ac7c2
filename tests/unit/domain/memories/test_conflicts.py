"""Whether two memories may contradict each other, by the rules and on the labelled set."""

from datetime import timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks import conflicts as labelled
from remembrancer.domain.memories import conflicts
from remembrancer.domain.memories.conflicts import LONGEST_STATEMENT, texts_differ
from remembrancer.domain.memories.statements import statements
from tests.builders import NOW, memory

PAIRS = [*labelled.pairs("choosing"), *labelled.pairs("confirming")]
WORDS = """Ann Bob I my the office key is are has not no longer lives in at Berlin Munich 7 9:30 Tuesday 3 May , . ? :
and password called two hours 2 weeks prefers tea now 's can't moved to works joined"""
words = st.sampled_from(WORDS.split())
texts = st.lists(words, max_size=14).map(" ".join) | st.text(max_size=40)


@pytest.mark.parametrize(
    ("older", "newer", "difference"),
    [
        ("Deliveries come on Tuesdays.", "Deliveries come on Thursdays now.", "day"),
        ("The rent is 950 euros.", "The rent is 1,050 euros.", "value"),
        ("Ann lives in Berlin.", "Ann moved to Munich.", "place"),
        ("Ben eats meat.", "Ben no longer eats meat.", "negation"),
        ("Ada: I drive a Golf.", "Ada: I drive a Tesla.", "value"),
        ("Ada: I drive a Golf.", "Bob: I drive a Tesla.", None),
        ("She lives in Berlin.", "She lives in Munich.", None),
        ("Do you live in Berlin?", "You live in Munich.", None),
        ("If it rains, the party is in the hall.", "If it rains, the party is in the barn.", None),
        ("Sam ran 10 kilometres.", "Sam ran 14 kilometres.", None),
        ("The user has a meeting on Monday.", "The user has a meeting on Thursday.", None),
        ("The cleaner comes on Mondays.", "The cleaner also comes on Thursdays.", None),
        ("The build takes 60 minutes.", "The build takes one hour.", None),
        ("The car is red.", "The car is old.", None),
        ("Zoë lives in Berlin.", "Zoe moved to Munich.", "place"),
        ("I am allergic.", "I am n\N{ZERO WIDTH SPACE}ot allergic.", "negation"),
        ("", "", None),
    ],
)
def test_the_rules_by_example(older: str, newer: str, difference: str | None) -> None:
    assert texts_differ(older, newer) == difference


@pytest.mark.parametrize("half", ["choosing", "confirming"])
def test_the_labelled_set_is_flagged_as_documented(half: str) -> None:
    pairs = labelled.pairs(half)

    figures = labelled.measure(pairs, [1.0] * len(pairs))

    assert len(pairs) == 90
    assert figures.precision == 1.0
    assert figures.recall >= 0.88


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.newer)
def test_a_text_does_not_contradict_itself_and_the_order_makes_no_difference(pair: labelled.LabelledPair) -> None:
    """Except where the newer one says that it is so now."""
    assert texts_differ(pair.older, pair.older) is None
    assert texts_differ(pair.newer, pair.newer) is None
    if "now" not in pair.newer and "moved" not in pair.newer:
        assert texts_differ(pair.newer, pair.older) == texts_differ(pair.older, pair.newer)


@given(texts, texts)
@example("Ann's", "'s 's: 9")
@example("at 7", "at 7.")
@example("It takes ten minutes.", "It takes zero minutes.")
@example("It takes f\N{LATIN SMALL LETTER DOTLESS I}ve minutes.", "It takes 10 \N{LATIN SMALL LETTER LONG S}econds.")
@example("It is on 5 Apr\N{LATIN SMALL LETTER DOTLESS I}l.", "It is on AUGU\N{LATIN SMALL LETTER LONG S}T 5.")
def test_any_texts_can_be_compared(older: str, newer: str) -> None:
    assert texts_differ(older, newer) in {None, *conflicts.DIFFERENCES}
    assert texts_differ(older, older) is None
    assert all(one.subject for one in statements(newer))


def test_statements_that_are_very_long_are_not_compared_word_by_word() -> None:
    words = " ".join(f"word{number % 7}" for number in range(LONGEST_STATEMENT))

    assert texts_differ("My code is one.", "My code is two.") == "value"
    assert texts_differ(f"My code is one {words}.", f"My code is two {words}.") is None
    assert texts_differ(f"Ann knows {words} one.", f"Ann does not know {words} one.") == "negation"


def test_two_that_are_far_apart_or_were_true_at_different_times_do_not_conflict() -> None:
    berlin = memory(1, content="Ann lives in Berlin.")
    munich = memory(2, content="Ann lives in Munich.")
    then, later = NOW - timedelta(days=90), NOW - timedelta(days=30)

    def compared(similarity: float = 0.9, **older: object) -> str | None:
        one = memory(1, content=berlin.content, **older)
        return conflicts.difference(one, memory(2, content=munich.content, occurred_from=later), similarity=similarity)

    assert conflicts.difference(berlin, munich, similarity=0.9) == "place"
    assert compared() == "place"
    assert compared(similarity=0.2) is None
    assert compared(occurred_to=then) is None
    assert compared(occurred_to=later) is None
    assert compared(occurred_to=NOW) == "place"
