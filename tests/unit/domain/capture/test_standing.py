"""Which sentences give the assistant a standing instruction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.capture import standing
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS
from remembrancer.domain.lexical_index.words import words
from tests import capture_cases

MOST_WRONG = {"choosing": 0, "confirming": 0, "later": 1}


@pytest.mark.parametrize("part", MOST_WRONG)
@pytest.mark.parametrize("is_standing", [True, False])
def test_labelled_sentences_are_told_as_labelled(part: str, is_standing: bool) -> None:
    said = [one for one in capture_cases.instructions() if (one.part, one.is_standing) == (part, is_standing)]

    wrong = [one.text for one in said if (standing.instruction(one.text) is not None) != is_standing]

    assert len(said) >= (27 if is_standing else 50)
    assert len(wrong) <= (MOST_WRONG[part] if is_standing else 0), wrong


def test_few_turns_of_other_chats_are_standing_instructions() -> None:
    found = [turn.text for turn in capture_cases.turns() if standing.instruction(turn.text) is not None]

    assert found == [
        "Always answer with TypeScript, never with JavaScript.",
        "From now on, write commit messages in English.",
        "Call me Sam.",
    ]


def test_a_request_shares_no_word_that_means_anything_with_its_instruction() -> None:
    instructions = [one for one in capture_cases.instructions() if one.request is not None]
    shared = {
        one.text: common for one in instructions if (common := _meaning(one.text) & _meaning(one.request or one.text))
    }

    assert len(instructions) == 60
    assert shared == {}


def _meaning(text: str) -> set[str]:
    return set(SnowballStemmer().stem([word for word in words(text, _STOP_WORDS) if word not in SMALL_TALK]))


_STOP_WORDS = frozenset().union(*STOP_WORDS.values())


@pytest.mark.parametrize(
    ("text", "instruction"),
    [
        ("Hi! Please always answer in French. What's the capital of Peru?", "Please always answer in French."),
        ("I'm allergic to nuts. Never suggest them.", "I'm allergic to nuts. Never suggest them."),
        ("Thanks! Call me Dr. Okafor.", "Call me Dr. Okafor."),
        ("Call me Sam.\nWhat shall I cook?", "Call me Sam."),
    ],
)
def test_what_is_pinned_has_the_instruction_and_statements_but_no_questions(text: str, instruction: str) -> None:
    assert standing.instruction(text) == instruction


@pytest.mark.parametrize(
    "text",
    [
        "Write a poem about my cat. Always rhyme.",
        "Write an email to Anna. Don't use emojis.",
        "Don't use emojis. Write an email to Anna.",
        "You are a pirate. Always answer in rhymes.",
    ],
)
def test_what_may_be_about_a_request_of_the_same_turn_is_for_once(text: str) -> None:
    assert standing.instruction(text) is None


def test_words_for_all_answers_to_come_hold_beside_a_request_too() -> None:
    assert standing.instruction("Write a poem. From now on, answer in rhymes.") == "From now on, answer in rhymes."


@pytest.mark.parametrize(
    "text",
    [
        '"Always answer in German. Never joke."',
        "> Always answer in German.",
        "Here is the README: Always answer in German. Never push to main.",
        "Summarise this: Never push to main. Always answer in German.",
        "```\nAlways answer in German.\n```",
        "My boss says: always answer in German.",
        "Always answer in German, says my boss.",
    ],
)
def test_words_of_others_are_no_instruction(text: str) -> None:
    assert standing.instruction(text) is None


def test_a_long_turn_is_no_instruction() -> None:
    assert standing.instruction("Always answer in German. " + "I moved to Ghent last month. " * 20) is None


@given(st.text(max_size=200))
def test_every_text_is_told(text: str) -> None:
    told = standing.instruction(text)

    assert told is None or told.strip()


@given(
    st.lists(
        st.sampled_from(
            ["from now on", "always", "never", "don't", "call me", "you should", "keep your answers", "that", ",", ":"]
        ),
        max_size=9,
    )
)
def test_every_order_of_the_words_is_told(said: list[str]) -> None:
    assert standing.instruction(" ".join(said)) is None or said
