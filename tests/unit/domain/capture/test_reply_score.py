"""Which replies to an assistant say something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture.reply_score import MOST_ASKED, figures, read, says_something
from tests import capture_cases

OFFERED = "The fitting is on Tuesday 9 June at 14:00, for 30 euros."
LEAST = 0.92
"""The share of the labelled turns that are decided as labelled when they reply to an assistant."""


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("44.", "What does he weigh now?"),
        ("yes pls, to 8 Albany Rd", "Shall I send you the form?"),
        ("Rouge", "Quelle couleur ?"),
        ("zu viert", "Wie viele Personen?"),
        ("la 40", "¿Qué talla?"),
        ("fine. the spare key is under the pot", OFFERED),
        ("I am vegan.", "I see."),
        ("Ich wohne jetzt in Graz", "Alles klar."),
        ("Mon fils s'appelle Théo", "Bien noté."),
        ("Mi hija es celíaca", "Anotado."),
    ],
)
def test_a_reply_that_states_something_is_kept(text: str, asked: str) -> None:
    assert says_something(text, asked)


@pytest.mark.parametrize(
    "text",
    [
        "perfect, pencil me in",
        "It's in the diary, ta",
        "We look forward to it.",
        "booked it, ta",
        "I'd need to ask.",
        "Thanks, that takes a load off my mind.",
        "gut, dann machen wir das so",
        "très bien, je note",
        "vale, lo apunto",
    ],
)
def test_a_reply_that_only_takes_note_is_not(text: str) -> None:
    assert not says_something(text, OFFERED)


@pytest.mark.parametrize("is_worth", [True, False])
@pytest.mark.parametrize("asked", ["Noted.", "Is there anything else?", "Here you are. I hope that helps."])
def test_labelled_turns_are_decided_as_labelled_in_reply_too(asked: str, is_worth: bool) -> None:
    turns = [turn for turn in capture_cases.turns() if turn.is_confirming and turn.is_worth == is_worth]

    wrong = [turn.text for turn in turns if says_something(turn.text, turn.preceding or asked) != is_worth]

    assert len(turns) >= 100
    assert len(wrong) <= (1 - LEAST) * len(turns), wrong


def test_a_question_for_something_is_told_from_one_for_assent() -> None:
    assert says_something("Graz", "Where do you live?")
    assert not says_something("Gladly", "Shall I book it?")
    assert not says_something("Bob here", "How can I help?")


@given(st.text(max_size=200), st.text(max_size=200))
def test_every_reply_is_decided_and_each_sentence_has_figures(text: str, asked: str) -> None:
    assert says_something(text, asked) in (True, False)
    assert len(list(figures(read(text), asked))) == len(read(text))


@given(st.text(max_size=50))
def test_only_the_end_of_what_the_assistant_said_counts(asked: str) -> None:
    text, end = "Ida comes, too", "x" * MOST_ASKED

    assert list(figures([text], asked + end)) == list(figures([text], end))
