"""What an assistant has stated and the user has not rejected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.capture import agreements, rules
from remembrancer.domain.capture.turns import AGREED, DROPPED, KEPT, REJECTED, Decision
from remembrancer.domain.personal_data.invisible_characters import removed
from tests.unit.domain.capture.test_rules import conversation, turn

BOOKED = "Booked for Saturday 28 November at 10:00."
OFFERED = "We can fit it on Saturday at 10:00."


def agreed(text: str, following: str | None = None, *before: str) -> str:
    return agreements.agreed(text, following, before)


@pytest.mark.parametrize(
    "text",
    [
        BOOKED,
        "The brake pads will be 38 euros for both wheels.",
        "I will leave out celery in all recipes.",
        "There will be a bottle of crémant in your room.",
        "Der Reifen kostet 39 Euro.",
        "First talk with Castor: Tuesday 21 April, 8:45, by video.",
        "Then Thursday at 18:00.",
    ],
)
def test_what_is_stated_holds_unless_it_is_rejected(text: str) -> None:
    assert agreed(text) == text
    assert agreed(text, "Thanks, bye") == text
    assert agreed(text, "By the way, my sister moved.") == text
    assert agreed(text, "No, that's too expensive.") == ""
    assert agreed(text, "nah, leave it") == ""


@pytest.mark.parametrize("text", [OFFERED, "I could come down to 85 euros."])
def test_what_is_offered_holds_when_it_is_accepted(text: str) -> None:
    assert agreed(text) == ""
    assert agreed(text, "By the way, my sister moved.") == ""
    assert agreed(text, "great, do that") == text
    assert agreed(text, "yes thx") == text
    assert agreed(text, "amazing, book me in!") == text


@pytest.mark.parametrize(
    ("following", "is_accepted"),
    [
        ("perfect", True),
        ("That's fine, my neighbour will open.", True),
        ("👍", True),
        ("tuesdays are bad", False),
        ("Hmm, that's too much for us.", False),
        ("don't. everybody comes by train", False),
        ("my sister moved", False),
        ("", False),
    ],
)
def test_the_next_turn_accepts_rejects_or_is_about_something_else(following: str, is_accepted: bool) -> None:
    text = "Shall I put you down for Tuesday 8 September at 17:30?"

    assert agreed(text, following) == (text if is_accepted else "")


@pytest.mark.parametrize("when", ["3000 years ago", "in 9000 years", "99999999 days ago", "last year", "next week"])
def test_what_was_there_at_any_time_is_none(when: str) -> None:
    assert agreed(f"The tower was there {when}.", "Thanks!") == ""


@pytest.mark.parametrize("following", ["No thanks, that's all.", "no, bye", "Thanks!", None])
def test_a_question_for_more_is_no_question_about_what_was_stated(following: str | None) -> None:
    text = "That is 44.90 euros, ready on Saturday at 10:00."

    assert agreed(f"{text} Anything else?", following) == text
    assert agreed(f"{text} Anything else?", "No, that's too early.") == ""


def test_a_question_holds_when_the_user_says_yes() -> None:
    text = "Shall I book Saturday at 10:00?"

    assert agreed(text) == ""
    assert agreed(text, "yes please") == text
    assert agreed(text, "By the way, my sister moved.") == ""


@pytest.mark.parametrize(
    "text",
    [
        "The deposit goes back within 5 days after return.",
        "A lesson costs 38 pounds, and you may cancel up to 48 hours before.",
        "For five it is 92 euros a month.",
        "Der Entwurf ist am 6. März fertig, er kostet 290 Euro.",
        "Mr Tran can come on Monday at 8:00.",
    ],
)
def test_terms_prices_for_somebody_and_days_with_a_point_are_stated(text: str) -> None:
    assert agreed(text, "no prob") == text


@pytest.mark.parametrize(
    "text",
    [
        "You should come at 10:00.",
        "You could have a second dessert for 4 pounds.",
        "At 70 percent you get an open crumb.",
        "I see.",
        "I will keep that in mind.",
        "The tower was built in 1889.",
        "It was 20 euros last year.",
        "Lunch at 12:30 as before.",
        "The Marathon Plus would be a good choice for gravel.",
    ],
)
def test_advice_facts_and_what_is_past_are_none(text: str) -> None:
    assert agreed(text, "Great, thanks!") == ""


def test_what_the_user_has_said_is_not_the_assistants() -> None:
    assert agreed("The train is at 15:10.", "yes", "We arrive by train at 15:10.") == ""
    assert agreed("The train is at 15:10.", "yes", "We arrive by train.") == "The train is at 15:10."


def test_only_the_sentences_that_say_it_are_kept() -> None:
    text = "Thanks! Ms Adeyemi follows Mr Wolff. She is there from 7:00 to 12:00. Anything else?"

    assert agreed(text, "ah good") == "Ms Adeyemi follows Mr Wolff. She is there from 7:00 to 12:00."


def test_an_explanation_with_many_figures_is_none() -> None:
    assert agreed(" ".join(f"Item {number} costs {number} euros." for number in range(2, 9)), "thanks") == ""


@given(st.text(max_size=300), st.none() | st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3))
def test_only_sentences_of_the_assistant_are_agreed(text: str, following: str | None, before: list[str]) -> None:
    found = agreements.agreed(text, following, before)

    assert found == "" or not set(found.split()) - set(removed(text).replace("’", "'").split())


def test_an_agreement_becomes_the_assistants_memory_and_a_rejection_deletes_it() -> None:
    alone = rules.plan(conversation(turn(1, "Can you fix it?"), turn(2, f"Sure! {BOOKED}", "assistant")))
    kept = turn(2, f"Sure! {BOOKED}", "assistant", state=KEPT, reason=AGREED)

    rejected = rules.plan(conversation(kept, turn(3, "No, Saturday doesn't work.")))
    accepted = rules.plan(conversation(kept, turn(3, "Perfect!")))

    assert alone.decisions[1] == Decision(2, KEPT, AGREED)
    assert alone.memories[2].content == f"Assistant: {BOOKED}"
    assert rejected.decisions[0] == Decision(2, DROPPED, REJECTED)
    assert [(wish.number, wish.deleted) for wish in rejected.forgetting] == [(2, (kept.memory_id,))]
    assert accepted.memories.keys() == {2}
    assert accepted.forgetting == []


def test_a_turn_that_only_accepts_is_no_memory() -> None:
    said = (turn(1, "I have reserved two seats at 13:15.", "assistant"), turn(2, "booked it, ta"))

    assert rules.plan(conversation(*said)).memories.keys() == {1}
