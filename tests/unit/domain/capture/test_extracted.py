"""What is made of the sentences that a model chooses: memories in the words of the turns, and decisions on these."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.domain.capture import clauses, extracted, gate, proposals, rules, wishes
from remembrancer.domain.capture.extracted import BEFORE_CHARACTERS, TURN_CHARACTERS, Outcome
from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.gate import Judgement, Line, Window
from remembrancer.domain.capture.turns import (
    DROPPED,
    EXTRACTED,
    KEPT,
    NOT_EXTRACTED,
    PENDING,
    REPEATED,
    Conversation,
    Turn,
)
from remembrancer.domain.memories.memory import CATEGORIES, NewMemory
from tests.builders import AGENT_ID, ENVIRONMENT, NOW, ORG_ID, PROJECT_ID, identifier

QUOTE = "I live in York."
FILLING = "The stairs are swept. "


def turn(number: int, text: str, role: str = "user", **fields: Any) -> Turn:
    """One that the rules have kept, and no model has read."""
    usual = {"after": number - 1 or None, "state": KEPT, "reason": "statement", "is_unread": True}
    return Turn(identifier(number), role, text, NOW, number=number, **(usual | fields))


def conversation(*turns: Turn, user_id: str | None = "ada") -> Conversation:
    return Conversation(
        identifier(99), ORG_ID, PROJECT_ID, ENVIRONMENT, AGENT_ID, user_id, "session", NOW, NOW, 1, turns
    )


def judged(said: Conversation, *chosen: Proposal) -> Judgement:
    lines = [Line(one.number, one.role, one.speaker, one.text, one.observed_at) for one in said.turns]
    return gate.judge(chosen, Window(lines))


def read(said: Conversation, *chosen: Proposal, is_reviewed: bool = False) -> Outcome:
    return extracted.outcome(said, judged(said, *chosen), {"model": "small"}, is_reviewed=is_reviewed)


def only(outcome: Outcome) -> NewMemory:
    (made,) = outcome.memories
    return made.memory


@pytest.mark.parametrize(
    ("turns", "proposal", "content"),
    [
        ([turn(1, "Hello. I live in York.")], Proposal(1, "York"), "User: I live in York."),
        ([turn(1, QUOTE, speaker="Ada")], Proposal(1, QUOTE), "Ada: I live in York."),
        (
            [turn(1, "Which colour?", "assistant"), turn(2, "Blue.")],
            Proposal(2, "Blue."),
            "User: Blue. (asked: Which colour?)",
        ),
        (
            [turn(1, "Ok. Which colour?", "assistant"), turn(2, "Blue.")],
            Proposal(2, "Blue.", about_turn=1, about_quote="colour"),
            "User: Blue. (asked: Which colour?)",
        ),
        (
            [turn(1, "My sister Eve was here. She is allergic to nuts.")],
            Proposal(1, "She is allergic to nuts.", about_turn=1, about_quote="My sister Eve was here."),
            "User: She is allergic to nuts. (about: My sister Eve was here.)",
        ),
        (
            [turn(1, "We have size 38 left.", "assistant"), turn(2, "I'll take that one, please.")],
            Proposal(2, "I'll take that one, please.", about_turn=1, about_quote="size 38"),
            "User: I'll take that one, please. (about: Assistant: We have size 38 left.)",
        ),
        ([turn(1, "Ich esse kein Fleisch. Tschüss.")], Proposal(1, "Fleisch"), "User: Ich esse kein Fleisch."),
    ],
)
def test_a_memory_is_the_chosen_sentences_with_their_speaker(
    turns: list[Turn], proposal: Proposal, content: str
) -> None:
    assert only(read(conversation(*turns), proposal)).content == content


def context_of(before: str, text: str) -> tuple[str, str]:
    """The context of the memory of QUOTE, and the part of it that its provenance points at."""
    said = conversation(turn(1, before, "assistant", state=DROPPED), turn(2, text))
    made = only(read(said, Proposal(2, QUOTE)))
    context, (start, end) = str(made.context), (made.provenance or {})["quote_at"]
    return context, context[start:end]


def test_a_turn_that_fits_is_whole_in_the_context() -> None:
    assert context_of("Hello!", f"{FILLING}{QUOTE}") == (f"Assistant: Hello!\nUser: {FILLING}{QUOTE}", QUOTE)


def test_what_is_left_out_of_a_context_shows_on_either_side() -> None:
    context, quoted = context_of("x" * 4000, FILLING * 170 + QUOTE + " " + FILLING * 190)

    before, said = context.split("\n")
    assert quoted == QUOTE
    assert before == "…" + "x" * (BEFORE_CHARACTERS - 1)
    assert said.startswith("User: …")
    assert said.endswith("…")
    assert len(said) <= TURN_CHARACTERS + len("User: …")


def test_each_turn_is_decided_and_of_what_was_refused_the_rules_memory_stays() -> None:
    said = conversation(
        turn(1, QUOTE),
        turn(2, "I have two dogs. They bark."),
        turn(3, "Hello there, friend.", reason="statement"),
        turn(4, "Shall we?", state=DROPPED, reason="question"),
        turn(5, "Old news of last year.", is_unread=False),
    )

    outcome = read(
        said, Proposal(1, QUOTE), Proposal(2, "two dogs"), Proposal(2, "two cats"), Proposal(4, "three cats")
    )

    assert [(one.number, one.state, one.reason) for one in outcome.decisions] == [
        (1, KEPT, EXTRACTED),
        (2, KEPT, extracted.REFUSED),
        (3, DROPPED, NOT_EXTRACTED),
        (4, DROPPED, "question"),
    ]
    assert [one.memory.content for one in outcome.memories] == [f"User: {QUOTE}"]


def test_what_repeats_a_memory_is_dropped() -> None:
    said = conversation(turn(1, QUOTE))
    judgement = judged(said, Proposal(1, QUOTE))
    repeated = replace(judgement, passed=[replace(judgement.passed[0], is_repeated=True)])

    outcome = extracted.outcome(said, repeated, {}, is_reviewed=False)

    assert (outcome.memories, [one.reason for one in outcome.decisions]) == ([], [REPEATED])


def test_the_first_memory_of_a_turn_has_the_id_of_that_of_the_rules_and_all_ids_are_known() -> None:
    said = conversation(turn(1, "I live in York. I work in Hull."))
    both = Proposal(1, "York"), Proposal(1, "Hull")

    first, second = read(said, *both).memories
    reviewed = read(said, *both, is_reviewed=True).memories

    assert first.memory_id == said.turns[0].memory_id != second.memory_id
    known = extracted.memory_ids(replace(said.turns[0], reason=EXTRACTED))
    assert {first.memory_id, second.memory_id, *(one.memory_id for one in reviewed)} <= set(known)
    assert said.turns[0].memory_id not in {one.memory_id for one in reviewed}
    assert extracted.memory_ids(said.turns[0]) == [said.turns[0].memory_id]


def test_of_a_review_the_rules_memory_stays_until_the_approval() -> None:
    said = conversation(turn(1, QUOTE), turn(2, "I work in Hull."))

    outcome = read(said, Proposal(1, QUOTE, pin=True), is_reviewed=True)

    provenance = only(outcome).provenance or {}
    assert [one.reason for one in outcome.decisions] == [EXTRACTED, "statement"]
    assert proposals.replaced(provenance) == said.turns[0].memory_id
    assert provenance[proposals.PIN] is True
    assert proposals.replaced(only(read(said, Proposal(1, QUOTE))).provenance) is None


def test_a_conversation_without_an_end_user_pins_nothing() -> None:
    outcome = read(conversation(turn(1, QUOTE), user_id=None), Proposal(1, QUOTE, pin=True))

    assert not proposals.is_pin_proposed(only(outcome).provenance)


def test_without_a_model_what_the_rules_decided_stays_and_says_why() -> None:
    said = conversation(turn(1, QUOTE), turn(2, "Shall we?", state=DROPPED, reason="question"))

    decisions = extracted.as_decided(said, extracted.UNAVAILABLE).decisions

    assert [(one.state, one.reason) for one in decisions] == [(KEPT, extracted.UNAVAILABLE), (DROPPED, "question")]
    assert [one.reason for one in extracted.as_decided(said).decisions] == ["statement", "question"]


@pytest.mark.parametrize(
    ("texts", "unread"),
    [
        ([QUOTE, "Thanks!", "Shall we go?"], {1, 2, 3}),
        ([QUOTE, "Always answer in German."], {1}),
        ([QUOTE, "Forget my key number.", "I work in Hull."], {3}),
        ([QUOTE, "Don't save this: I am ill.", "I work in Hull."], {3}),
    ],
)
def test_standing_instructions_wishes_and_what_was_said_before_these_are_read_by_no_model(
    texts: list[str], unread: set[int]
) -> None:
    said = conversation(*(turn(number, text, state=PENDING, is_unread=False) for number, text in enumerate(texts, 1)))
    heard = wishes.apart(said)
    plan = rules.plan(heard.conversation, unwanted=heard.unwanted)

    found = extracted.to_read(plan, heard.conversation, heard.wishes)

    assert found == unread
    marked = extracted.preliminary(plan, found).memories
    assert {number for number, one in marked.items() if (one.provenance or {}).get(proposals.PRELIMINARY)} == {
        number for number in plan.memories if number in unread
    }


_SENTENCES = st.sampled_from(
    [
        "I live in York.",
        "Nein, nicht rot.",
        "猫が好き。",
        "And you?",
        'He said "no".',
        "- nuts",
        "blue",
        "not that one.",
    ]
)
_TURNS = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant"]),
        st.sampled_from([None, "Ann"]),
        st.lists(_SENTENCES, min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=3,
)


@st.composite
def _readings(draw: st.DrawFn) -> tuple[Conversation, list[Proposal]]:
    turns = [
        turn(number, " ".join(texts), role, speaker=speaker)
        for number, (role, speaker, texts) in enumerate(draw(_TURNS), 1)
    ]
    numbers = st.integers(1, len(turns))
    chosen = [
        Proposal(
            draw(numbers),
            draw(_SENTENCES | st.text(max_size=9)),
            draw(st.none() | numbers),
            draw(st.none() | _SENTENCES),
            draw(st.sampled_from(CATEGORIES)),
            pin=draw(st.booleans()),
        )
        for _ in range(draw(st.integers(0, 5)))
    ]
    return conversation(*turns), chosen


@given(_readings(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_of_any_answer_no_text_is_made_that_is_not_quoted(
    reading: tuple[Conversation, list[Proposal]], is_reviewed: bool
) -> None:
    said, chosen = reading
    quoted = {clauses.plain(one.text)[a:b] for one in said.turns for a, b in runs(one.text)}
    speakers = {f"{one.speaker or one.role.capitalize()}: " for one in said.turns}
    abouts = {
        f" ({label}: {speaker}{text})" for label in ("asked", "about") for speaker in ("", *speakers) for text in quoted
    }

    outcome = read(said, *chosen, is_reviewed=is_reviewed)

    assert len({one.memory_id for one in outcome.memories}) == len(outcome.memories)
    assert [one.number for one in outcome.decisions] == [one.number for one in said.turns]
    allowed = {speaker + text + about for speaker in speakers for text in quoted for about in ("", *abouts)}
    assert {one.memory.content for one in outcome.memories} <= allowed


def runs(text: str) -> list[tuple[int, int]]:
    units = clauses.units(text)
    return [(first[0], last[1]) for place, first in enumerate(units) for last in units[place:]]
