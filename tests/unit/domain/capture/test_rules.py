"""What becomes of the turns of a conversation, without a language model."""

from dataclasses import replace

from remembrancer.domain.capture import rules
from remembrancer.domain.capture.selection import ANSWERED, ASSISTANT, NO_STATEMENT, RULES, STATEMENT
from remembrancer.domain.capture.turns import CORRECTION, DROPPED, KEPT, Conversation, Decision, Turn
from tests.builders import AGENT_ID, ENVIRONMENT, NOW, ORG_ID, PROJECT_ID, identifier

GHENT = "I moved to Ghent last month."
ASKED = "Shall I look for a doctor in Ghent?"
YES = "Yes, please do."


def turn(number: int, text: str, role: str = "user", **changes: object) -> Turn:
    made = Turn(identifier(number), role, text, NOW, number=number, after=number - 1 or None)
    return replace(made, **changes)  # type: ignore[arg-type]


def conversation(*turns: Turn) -> Conversation:
    return Conversation(
        identifier(99), ORG_ID, PROJECT_ID, ENVIRONMENT, AGENT_ID, "ada", "session", NOW, NOW, len(turns), turns
    )


def test_a_users_turn_becomes_a_memory_with_its_neighbours_as_context() -> None:
    turns = (turn(1, "Hello!"), turn(2, "Hi, how are you?", "assistant"), turn(3, GHENT, speaker="Ada"), turn(4, "Ok"))

    plan = rules.plan(conversation(*turns))

    assert plan.decisions == [
        Decision(1, DROPPED, NO_STATEMENT),
        Decision(2, DROPPED, ASSISTANT),
        Decision(3, KEPT, STATEMENT),
        Decision(4, DROPPED, NO_STATEMENT),
    ]
    assert plan.memories.keys() == {3}
    memory = plan.memories[3]
    assert (memory.content, memory.context) == (f"Ada: {GHENT}", "Assistant: Hi, how are you?\nUser: Ok")
    assert (memory.category, memory.user_id, memory.session_id, memory.created_at) == (
        "episodic",
        "ada",
        "session",
        NOW,
    )
    assert memory.provenance == {
        "conversation_id": str(identifier(99)),
        "turns": [3],
        "captured_by": RULES,
        "observed_at": NOW.isoformat(),
    }
    assert plan.followed == {3}


def test_the_memory_of_a_correction_stays_as_it_is_when_the_next_turn_arrives() -> None:
    """Its text names what it corrects, which the turn does not."""
    before = turn(1, "No, it's 28.", state=KEPT, reason=CORRECTION)

    plan = rules.plan(conversation(before, turn(2, "Noted.", "assistant")))

    assert plan.memories == {}
    assert rules.memory_of(conversation(before), before).content == "User: No, it's 28."


def test_the_context_of_a_kept_turn_grows_when_the_next_turn_arrives() -> None:
    before = turn(1, GHENT, state=KEPT)

    plan = rules.plan(conversation(before, turn(2, "Lovely!", "assistant")))

    assert plan.memories.keys() == plan.followed == {1}
    assert plan.memories[1].context == "Assistant: Lovely!"
    assert plan.decisions == [Decision(2, DROPPED, ASSISTANT)]


def test_an_answer_keeps_the_assistants_turn_that_was_dropped_before() -> None:
    asked = turn(2, ASKED, "assistant", state=DROPPED, reason=ASSISTANT)

    plan = rules.plan(conversation(turn(1, GHENT, state=KEPT), asked, turn(3, YES)))

    assert Decision(2, KEPT, ANSWERED) in plan.decisions
    assert plan.memories.keys() == {2}
    assert plan.memories[2].content == f"Assistant: {ASKED}"
    assert plan.memories[2].context == f"User: {GHENT}\nUser: {YES}"


def test_a_turn_without_a_following_one_is_not_followed() -> None:
    plan = rules.plan(conversation(turn(1, GHENT)))

    assert plan.followed == frozenset()
    assert plan.memories[1].context is None


def test_nothing_pending_changes_nothing() -> None:
    plan = rules.plan(conversation(turn(1, GHENT, state=KEPT), turn(2, "Ok", state=DROPPED)))

    assert (plan.memories, list(plan.decisions)) == ({}, [])


def test_long_neighbours_are_cut_and_show_it() -> None:
    plan = rules.plan(conversation(turn(1, "x" * 8000), turn(2, GHENT), turn(3, "y" * 8000)))

    before, _, after = str(plan.memories[2].context).partition("\n")
    assert before == "…" + "x" * (rules.NEIGHBOUR_CHARACTERS - 1)
    assert after == ("User: " + "y" * 8000)[: rules.NEIGHBOUR_CHARACTERS - 1] + "…"


def test_a_short_answer_names_its_question() -> None:
    asked = turn(1, "I see. Which colour do you like best?", "assistant")

    plan = rules.plan(conversation(asked, turn(2, "Blue")))

    assert plan.memories[2].content == "User: Blue (asked: Which colour do you like best?)"
    assert (
        rules.plan(conversation(asked, turn(2, "My sister and I like blue and green, like our mother")))
        .memories[2]
        .content.endswith("like our mother")
    )


def test_a_long_question_is_cut_and_shows_it() -> None:
    asked = turn(1, "Which of these, " + "red, " * 200 + "or blue?", "assistant")

    content = rules.plan(conversation(asked, turn(2, "Blue"))).memories[2].content

    question = content.removeprefix("User: Blue (asked: ").removesuffix(")")
    assert len(question) <= rules.QUESTION_CHARACTERS
    assert question.startswith("…")
    assert question.endswith("or blue?")


def test_what_is_so_is_a_fact_and_the_same_whatever_was_asked() -> None:
    asked = turn(1, "What do you eat?", "assistant")

    alone = rules.plan(conversation(turn(1, "I am vegan."))).memories[1]
    answered = rules.plan(conversation(asked, turn(2, "I am vegan."))).memories[2]

    assert (alone.category, alone.content) == ("factual", "User: I am vegan.")
    assert (answered.category, answered.content) == ("factual", "User: I am vegan.")
    assert rules.plan(conversation(turn(1, GHENT))).memories[1].category == "episodic"


GERMAN = "Always answer in German."


def test_a_standing_instruction_is_a_preference_that_is_proposed_as_pinned_without_the_question_beside_it() -> None:
    asked = turn(1, "What shall I call you, and in which language shall I answer?", "assistant")

    plan = rules.plan(conversation(asked, turn(2, f"{GERMAN} How tall is the tower?")))

    memory = plan.memories[2]
    assert (memory.content, memory.category) == (f"User: {GERMAN}", "preference")
    assert memory.provenance is not None
    assert memory.provenance["pin_proposed"] is True
    assert (memory.pinned, memory.pinned_at) == (None, None)


def test_an_instruction_is_kept_though_its_words_mean_little() -> None:
    plan = rules.plan(conversation(turn(1, "Don't use emojis.")))

    assert plan.decisions == [Decision(1, KEPT, STATEMENT)]


def test_pinned_at_once_is_what_no_speaker_with_a_name_says() -> None:
    unnamed = rules.plan(conversation(turn(1, GERMAN)), pins_at_once=True).memories[1]
    named = rules.plan(conversation(turn(1, GERMAN, speaker="Ada")), pins_at_once=True).memories[1]

    assert (unnamed.pinned, unnamed.pinned_at) == (True, NOW)
    assert (named.pinned, named.pinned_at) == (None, None)
    assert named.provenance is not None
    assert named.provenance["pin_proposed"] is True


def test_nothing_is_proposed_of_others_than_the_end_user() -> None:
    plans = [
        rules.plan(replace(conversation(turn(1, GERMAN)), user_id=None)),
        rules.plan(conversation(turn(1, "Hi!", speaker="Ada"), turn(2, GERMAN, speaker="Eve"))),
        rules.plan(conversation(turn(1, "x" * 8000), turn(2, GERMAN))),
        rules.plan(conversation(turn(1, GERMAN, "assistant"), turn(2, YES))),
    ]

    provenances = [memory.provenance or {} for plan in plans for memory in plan.memories.values()]
    assert len(provenances) == 4
    assert not any("pin_proposed" in provenance for provenance in provenances)
