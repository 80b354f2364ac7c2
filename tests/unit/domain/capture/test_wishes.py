"""Which turns wish something forgotten or not kept, and what is left of their conversation."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import wish_score, wishes
from remembrancer.domain.capture.turns import DROPPED, KEPT, NOT_WANTED, PENDING
from remembrancer.domain.capture.wishes import Topic, Wish
from tests import capture_cases
from tests.unit.domain.capture.test_rules import conversation, turn

KEY = "My key number is 4711."
DOG = "My dog is called Milo."


def test_words_alone_tell_labelled_wishes_from_others_but_for_a_few() -> None:
    said = capture_cases.wishes()
    found = {one.text: wishes.wish(one.text) for one in said}

    missed = [one.text for one in said if one.is_wish and found[one.text] is None]
    taken = [one.text for one in said if not one.is_wish and (wish := found[one.text]) is not None and wish.is_sure]
    assert sum(one.is_wish for one in said) >= 170
    assert len(missed) + len(taken) <= 30, (missed, taken)


def test_few_turns_of_other_chats_are_wishes() -> None:
    found = {turn.text: wish for turn in capture_cases.turns() if (wish := wishes.wish(turn.text)) is not None}

    assert {text for text, wish in found.items() if wish.is_sure} <= {"Forget what I said.", "undo that"}
    assert "Forget what I said." in found
    assert len(found) <= 5, found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Please forget my key number.", Wish((Topic("my key number"),))),
        ("Forget what I said about Oslo, thanks.", Wish((Topic("Oslo", is_open=True),))),
        ("Delete everything about my ex.", Wish((Topic("my ex", is_open=True),))),
        ("Could you forget that I'm vegan?", Wish((Topic("vegan"),))),
        ("Forget what I just said.", Wish(is_of_before=True)),
        ("Forget everything you know about me.", Wish(is_of_everything=True)),
        ("Don't save this: I am looking for a job.", Wish(is_of_turn=True)),
        ("We got divorced in May, please do not save that.", Wish(is_of_turn=True)),
        ("Don't save this.", Wish(is_of_before=True, is_of_turn=True)),
        ("That was private. Erase it please.", Wish(is_of_before=True)),
        ("My debts, as I mentioned. Scrub that.", Wish((Topic("My debts"),))),
        ("Tom's debts are a burden, lose them please.", Wish((Topic("Tom's debts are a burden"),))),
        ("Ana owes me 200. She never pays. Erase that.", Wish((Topic("Ana owes me 200."), Topic("pays")))),
        (
            "I changed the lock, so please forget my key number.",
            Wish((Topic("my key number"),), rest="I changed the lock"),
        ),
        (f"Forget my key number. {DOG}", Wish((Topic("my key number"),), rest=DOG)),
        ("Forget my key number. He would be ashamed.", Wish((Topic("my key number"),))),
        ("My old address, could you delete that from your notes?", Wish((Topic("address"),), is_of_old=True)),
        ("Bitte vergiss, was ich über Anna gesagt habe.", Wish((Topic("Anna", is_open=True),))),
    ],
)
def test_a_wish_says_what_it_is_about_and_what_else_the_turn_says(text: str, expected: Wish) -> None:
    found = wishes.wish(text)

    assert found is not None
    assert replace(found, said="") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget to call Anna.",
        "I always forget my keys.",
        "I forgot my PIN.",
        "Delete the last line of the file.",
        "Remove the onions from the pizza.",
        "My lock's number is 88412, in case I lose it.",
        "Forget it, what about a boat trip?",
        "He wants me to forget my dreams.",
        "Ich vergesse immer den Code.",
    ],
)
def test_what_looks_like_a_wish_is_none_surely(text: str) -> None:
    found = wishes.wish(text)

    assert found is None or not found.is_sure


@pytest.mark.parametrize(
    "text",
    [
        "Swimming is a nice way to stretch and clear my head.",
        "I thought I'd test it out with my sister.",
        "What did you take away from the course?",
        "Have you ever tested it out?",
        "The tent was a gift. It would have been a pity to keep it out of the rain.",
        "Remember, you don't have to be early.",
        "How could I forget that?",
    ],
)
def test_what_others_or_the_user_do_themselves_is_no_wish(text: str) -> None:
    assert wishes.wish(text) is None


@pytest.mark.parametrize(
    "text",
    ["the thing with my daughter's school can leave your memory", "everything about my job should go from your memory"],
)
def test_words_alone_make_a_wish_that_is_not_plain(text: str) -> None:
    found = wishes.wish(text)

    assert found is not None and found.is_sure and not found.is_plain


def test_a_reader_makes_a_sentence_a_wish_or_none() -> None:
    unusual = "I'd rather my locker number went no further"

    assert wishes.wish(unusual, read=-8.0) is None
    found = wishes.wish(unusual, read=8.0)
    assert found is not None and found.is_sure
    assert found.topics[0].text.startswith("my locker number")
    assert wishes.wish("Please forget my key number.", read=-8.0) is None
    assert wishes.wish("Please forget my key number.", read=8.0) == wishes.wish("Please forget my key number.")


def test_what_may_be_a_wish_is_read_and_instructions_are_not() -> None:
    said = conversation(
        turn(1, "I'd rather my locker number went no further"),
        turn(2, "Please never mention my ex-husband."),
        turn(3, "Forget my locker number.", "assistant"),
        turn(4, "We saw a heron by the canal, and two swans."),
    )

    assert [one.number for one in wishes.worth_reading(said)] == [1]


@given(st.floats(-100, 100), st.floats(-100, 100), st.floats(-100, 100))
def test_the_surer_the_reader_the_surer_the_turn(score: float, one: float, other: float) -> None:
    less, more = sorted((one, other))

    assert score + wish_score.changed_by(less, score) <= score + wish_score.changed_by(more, score) + 1e-9


def test_who_says_much_or_a_number_in_doubt_states_something() -> None:
    doubtful = "I'd sooner you lost my locker number"
    found = wishes.wish(doubtful)

    assert found is not None and not found.is_sure
    assert wishes.wish(f"{doubtful}, since 14 May") is None


@given(
    st.text(max_size=300)
    | st.sampled_from(["forget ", "please ", "don't save "]).flatmap(
        lambda word: st.text(max_size=200).map(word.__add__)
    )
)
def test_any_text_is_read(text: str) -> None:
    found = wishes.wish(text)

    assert found is None or all(topic.text for topic in found.topics)


@pytest.mark.parametrize("text", ["x " * 400, "address, " * 100])
def test_long_texts_are_no_wishes(text: str) -> None:
    assert wishes.wish("forget my " + text) is None


def test_a_conversation_is_heard_without_wishes_and_answers_to_them() -> None:
    heard = wishes.apart(
        conversation(
            turn(1, KEY, state=KEPT),
            turn(2, "Please forget my key number."),
            turn(3, "I have forgotten the number 4711.", "assistant"),
            turn(4, f"Forget my key number. {DOG}"),
            turn(5, "Booked for Friday at 10:00.", "assistant"),
        )
    )

    texts = [one.text for one in heard.conversation.turns]
    assert texts == [KEY, "", "", DOG, "Booked for Friday at 10:00."]
    assert heard.wishes.keys() == {2, 4}
    assert heard.unwanted == set()


def test_what_is_not_to_be_saved_is_not_heard_nor_its_answer_nor_later_what_follows() -> None:
    secret = "Don't save this: I am looking for a job."
    heard = wishes.apart(conversation(turn(1, DOG), turn(2, secret), turn(3, "Good luck with the job!", "assistant")))
    later = wishes.apart(
        conversation(turn(2, "", state=DROPPED, reason=NOT_WANTED), turn(3, "Good luck with the job!", "assistant"))
    )

    assert [one.text for one in heard.conversation.turns] == [DOG, "", ""]
    assert heard.unwanted == {2, 3}
    assert later.unwanted == {2, 3}
    assert [one.text for one in later.conversation.turns] == ["", ""]
    assert [one.text for one in heard.without_silent_turns.turns] == [DOG]


@pytest.mark.parametrize(("state", "unwanted"), [(PENDING, {1, 2, 3}), (KEPT, {3})])
def test_alone_it_is_about_the_turn_before(state: str, unwanted: set[int]) -> None:
    said = [turn(1, KEY, state=state), turn(2, "Noted.", "assistant", state=state), turn(3, "Don't save that, please.")]

    heard = wishes.apart(conversation(*said))

    assert heard.unwanted == unwanted
    assert heard.wishes[3].is_of_before


def test_a_conversation_without_wishes_is_heard_as_it_is() -> None:
    said = conversation(turn(1, KEY), turn(2, "Don't forget the milk."))

    assert wishes.apart(said).conversation is said
