"""Which turns say something."""

import pytest

from remembrancer.domain.capture.selection import (
    ANSWERED,
    ASSISTANT,
    NO_STATEMENT,
    QUESTION,
    STATEMENT,
    Choice,
    choose,
)

NAMES = {"melanie", "caroline"}

STATEMENTS = [
    "I moved to Ghent last month.",
    "My sister is called Ida",
    "We have two dogs",
    "Blue is my favourite colour",
    "Do you know that I start at Philips on Monday?",
    "The meeting with Siemens is on 3 May",
    "It was in 2019, in Porto",
    "Ich wohne in Berlin und arbeite als Bäckerin",
    "我住在上海",
    "thanks! btw my allergy is peanuts",
    "Danke! Ich bin allergisch gegen Nüsse.",
    "Guten Morgen ist mein Lieblingslied",
    "Mi perro se llama Bruno",
    "谢谢，我对花生过敏。",
    "ฉันชอบกาแฟ",
]
SMALL_TALK = [
    "Hi!",
    "Thanks a lot, Mel!",
    "Wow, that's so cool!",
    "ok",
    "Yes, exactly",
    "Bye, take care!",
    "Hello Hob!",
    "Thanks a lot, Hob.",
    "...",
    "👍",
    "Vielen Dank!",
    "Guten Morgen",
    "Merci beaucoup !",
    "¡Muchas gracias!",
    "Grazie mille.",
    "Muito obrigada!",
    "Dank je wel!",
    "谢谢你！",
    "ありがとうございます。",
    "ขอบคุณครับ",
]
QUESTIONS = ["How are you?", "What do you think?", "Could you help me?"]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_turn_that_says_something_is_kept(text: str) -> None:
    assert choose("user", text, None, NAMES) == Choice(True, STATEMENT)


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_is_dropped(text: str) -> None:
    assert choose("user", text, None, NAMES) == Choice(False, NO_STATEMENT)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_bare_question_is_dropped(text: str) -> None:
    assert choose("user", text, None, NAMES) == Choice(False, QUESTION)


@pytest.mark.parametrize("answer", ["Yes", "Yes, please do!", "The second one", "ok, do it", "No"])
def test_an_assistants_turn_is_kept_when_the_user_answers_it_without_saying_what(answer: str) -> None:
    assert choose("assistant", "Shall I book the train to Bruges for 9 o'clock?", answer) == Choice(True, ANSWERED)


@pytest.mark.parametrize("following", [None, "I would rather go to Ghent on Friday", "What does it cost?"])
def test_other_turns_of_the_assistant_are_dropped(following: str | None) -> None:
    assert choose("assistant", "Shall I book the train to Bruges?", following) == Choice(False, ASSISTANT)


def test_an_answer_to_an_assistant_that_says_nothing_keeps_nothing() -> None:
    assert choose("assistant", "How can I help you?", "Yes") == Choice(False, ASSISTANT)


@pytest.mark.parametrize(
    ("text", "asked"),
    [("Blue", "What is your favourite colour?"), ("Peanuts!", "Any allergies?"), ("In 2019", "When was that?")],
)
def test_a_single_word_is_enough_in_answer_to_a_question(text: str, asked: str) -> None:
    assert choose("user", text, None, preceding=asked) == Choice(True, STATEMENT)
    assert choose("user", text, None, preceding="I see.") == Choice(False, NO_STATEMENT)


@pytest.mark.parametrize("text", ["Yes", "Not now", "What a great idea!", "How lovely!"])
def test_an_answer_that_names_nothing_is_dropped(text: str) -> None:
    assert not choose("user", text, None, preceding="Shall we go?").is_kept
