"""The gate of capture: a model chooses sentences that were said, and nothing else passes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, NoReturn

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.domain.capture import clauses, gate
from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.gate import ABOUT_CHARACTERS, MOST_PROPOSALS, SPAN_CHARACTERS, Chosen, Line, Window
from remembrancer.domain.memories.memory import CATEGORIES, Memory
from tests.builders import identifier, memory
from tests.capture_cases import OBSERVED

BEFORE = OBSERVED - timedelta(days=9)


def said(text: str, number: int = 1, role: str = "user", speaker: str | None = None, **fields: Any) -> Line:
    return Line(number, role, speaker, text, OBSERVED, **fields)


def known(content: str, number: int = 1, **fields: Any) -> Memory:
    return memory(number, content=content, **{"created_at": BEFORE, "category": "factual", **fields})


def window(*lines: Line, shown: Sequence[Memory] = ()) -> Window:
    return Window(lines, {f"m{number}": one for number, one in enumerate(shown, 1)})


def judged(proposal: Proposal, *lines: Line, shown: Sequence[Memory] = ()) -> Chosen | str:
    """What was chosen, or why it was refused."""
    judgement = gate.judge([proposal], window(*lines, shown=shown))
    return judgement.passed[0] if judgement.passed else next(iter(judgement.refused))


def text_of(proposal: Proposal, *lines: Line) -> str:
    chosen = judged(proposal, *lines)
    return chosen if isinstance(chosen, str) else chosen.text


@pytest.mark.parametrize(
    ("quote", "text", "chosen"),
    [
        ("I live in York.", "Hello! I live in York. Bye.", "I live in York."),
        ("allergic to nuts", "I'm not allergic to nuts.", "I'm not allergic to nuts."),
        ("I’d buy a boat", "If I were rich, I’d buy a boat.", "If I were rich, I'd buy a boat."),
        ("York", "I live in York. I work in Hull.", "I live in York."),
        ("I live in York. I work", "Hi. I live in York. I work in Hull. Bye.", "I live in York. I work in Hull."),
        ("I  live\nin York", "I live in York.", "I live in York."),
        ("ich esse kein Fleisch", "Hallo. Nein, ich esse kein Fleisch, z. B. Huhn.", None),
        ("Nr. 5", "Ich wohne in Nr. 5 am Markt. Tschüss.", "Ich wohne in Nr. 5 am Markt."),
        ("猫が好きです", "私は犬が嫌いです。猫が好きです。元気です。", "猫が好きです。"),
        ("nuts", "I eat none of these:\n- nuts.\n- fish.\nBye.", "I eat none of these: - nuts. - fish."),
        (
            "It is blue.",
            'He said "I like it. It is blue." and left. Bye.',
            'He said "I like it. It is blue." and left.',
        ),
        ("mag ich", "「本が好き。mag ich」と言った。", "「本が好き。mag ich」と言った。"),
    ],
)
def test_the_whole_sentences_that_a_quote_touches_are_chosen(quote: str, text: str, chosen: str | None) -> None:
    assert text_of(Proposal(1, quote), said(text)) == (chosen or "Nein, ich esse kein Fleisch, z. B. Huhn.")


@pytest.mark.parametrize(
    ("proposal", "reason"),
    [
        (Proposal(7, "I live in York."), "unknown_turn"),
        (Proposal(1, "Where do you live?"), "unknown_turn"),
        (Proposal(2, "I live in Leeds."), "quote_not_found"),
        (Proposal(2, "live in Yor"), "quote_not_found"),
        (Proposal(2, ""), "quote_not_found"),
        (Proposal(2, "…"), "quote_not_found"),
        (Proposal(3, "You should see the minster."), "assistant"),
        (Proposal(4, "word"), "too_long"),
        (Proposal(2, "I live in York.", about_turn=9, about_quote="Where do you live?"), "unknown_turn"),
        (Proposal(2, "I live in York.", about_turn=3, about_quote="You should see the minster."), "unknown_turn"),
        (Proposal(2, "I live in York.", about_turn=1), "unknown_turn"),
        (Proposal(2, "I live in York.", about_quote="Where do you live?"), "unknown_turn"),
        (Proposal(2, "I live in York.", about_turn=1, about_quote="Do you live in Leeds?"), "quote_not_found"),
        (Proposal(2, "I live in York.", corrects="m2"), "wrong_target"),
        (Proposal(2, "I live in York.", corrects=str(identifier(1))), "wrong_target"),
        (Proposal(2, "I live in York.", repeats="m2"), "wrong_target"),
        (Proposal(2, "I live in York.", corrects="m1", repeats="m1"), "wrong_target"),
    ],
)
def test_what_was_not_said_or_shown_is_refused(proposal: Proposal, reason: str) -> None:
    lines = (
        said("Where do you live?", 1, "assistant", is_new=False),
        said("I live in York.", 2),
        said("You should see the minster.", 3, "assistant", is_believed=False),
        said("word " * (SPAN_CHARACTERS // 5 + 1), 4),
    )

    assert judged(proposal, *lines, shown=[known("User: I live in Leeds.")]) == reason


def test_a_second_span_that_is_too_long_is_refused() -> None:
    asked = said(f"{'word ' * (ABOUT_CHARACTERS // 5)}and what?", 1, "assistant")

    assert judged(Proposal(2, "Blue.", about_turn=1, about_quote="and what?"), asked, said("Blue.", 2)) == "too_long"


def test_what_a_span_is_about_has_its_own_speaker() -> None:
    asked = said("Hm. Where do you live?", 1, "assistant", is_new=False)

    chosen = judged(Proposal(2, "York.", about_turn=1, about_quote="do you live"), asked, said("York.", 2))

    assert isinstance(chosen, Chosen)
    assert chosen.about == gate.About("assistant", None, "Where do you live?", is_question=True)


@pytest.mark.parametrize(
    ("content", "text", "certain"),
    [
        ("User: My rear wheel is 26 inches.", "No, my rear wheel is 28 inches, not 26.", True),
        ("User: I live in Leeds.", "I live in York.", True),
        ("User: I am allergic to nuts.", "I like nuts.", False),
        ("User: I live in Leeds. I am a nurse.", "I live in York.", False),
    ],
)
def test_a_correction_supersedes_only_what_it_corrects_for_certain(content: str, text: str, certain: bool) -> None:
    older = known(content)

    chosen = judged(Proposal(1, text, corrects="m1"), said(text), shown=[older])

    assert isinstance(chosen, Chosen)
    assert (chosen.supersedes, chosen.contradicts) == ((older.id, None) if certain else (None, older.id))


@pytest.mark.parametrize(
    ("older", "line"),
    [
        (known("Ada: I live in Leeds."), said("I live in York.", speaker="Bo")),
        (known("User: I live in Leeds.", created_at=OBSERVED + timedelta(days=1)), said("I live in York.")),
        (known("Assistant: Booked for 9:00."), said("Booked for 10:00.", role="assistant", speaker="Bo")),
    ],
    ids=["another speaker's", "said later", "by an assistant"],
)
def test_nothing_else_is_corrected(older: Memory, line: Line) -> None:
    assert judged(Proposal(1, line.text, corrects="m1"), line, shown=[older]) == "wrong_target"


def test_what_is_pinned_is_never_superseded_and_the_same_memory_only_once() -> None:
    text, other = "No, my rear wheel is 28 inches, not 26.", "No, my rear wheel is 29 inches, not 26."
    pinned = known("User: My rear wheel is 26 inches.", pinned_at=BEFORE)
    proposals = [Proposal(1, text, corrects="m1"), Proposal(2, other, corrects="m1")]

    alone = judged(proposals[0], said(text), shown=[pinned])
    lines = (said(text), said(other, 2))
    twice = gate.judge(proposals, window(*lines, shown=[replace(pinned, pinned_at=None)])).passed

    assert isinstance(alone, Chosen)
    assert alone.contradicts == pinned.id
    assert [one.supersedes is not None for one in twice] == [True, False]
    assert twice[1].contradicts == pinned.id


@pytest.mark.parametrize(
    ("content", "text", "is_repeated"),
    [
        ("User: I have a dog named Milo.", "My dog is called Milo.", True),
        ("User: I live in Leeds.", "I live in Leeds.", True),
        ("User: I live in Leeds.", "I live in York.", False),
        ("User: I live in Leeds.", "I don't live in Leeds.", False),
        ("User: I live in Leeds with Ann.", "I live in Leeds.", False),
    ],
)
def test_a_repetition_is_one_only_if_both_say_the_same(content: str, text: str, is_repeated: bool) -> None:
    proposal = Proposal(1, text, category="factual", repeats="m1")

    chosen = judged(proposal, said(text), shown=[known(content)])

    assert isinstance(chosen, Chosen)
    assert chosen.is_repeated is is_repeated
    assert (chosen.supersedes, chosen.contradicts) == (None, None)


@pytest.mark.parametrize(
    ("occurred", "text", "is_said"),
    [
        ("2024-05-14", "I was ill yesterday.", True),
        ("2024-05-15", "I was ill.", True),
        ("2023-05-14", "I was ill yesterday.", False),
        ("2024-05-01", "I was ill.", False),
        ("yesterday", "I was ill yesterday.", False),
        ("2023", "I moved here in 2023.", True),
    ],
)
def test_a_time_that_the_sentence_does_not_say_is_left_out(occurred: str, text: str, is_said: bool) -> None:
    chosen = judged(Proposal(1, text, occurred=occurred), said(text))

    assert isinstance(chosen, Chosen)
    assert (chosen.occurred is not None) is is_said


def test_only_the_one_user_of_a_conversation_pins() -> None:
    text = "Always answer in French."
    proposal = Proposal(1, text, pin=True)

    alone = judged(proposal, said(text), said("Sure.", 2, "assistant"))
    of_two = judged(proposal, said(text, speaker="Ada"), said("Hi.", 2, speaker="Bo"))
    assistants = judged(proposal, said(text, role="assistant"), said("Hi.", 2))

    assert [one.is_pinned for one in (alone, of_two, assistants) if isinstance(one, Chosen)] == [True, False, False]


def test_sentences_are_chosen_once_and_of_a_flood_the_first_are_looked_at() -> None:
    lines = [said(f"My locker {number} is red.", number) for number in range(1, 31)]
    flood = [Proposal(number, f"My locker {number} is red.") for number in range(1, 31)]

    judgement = gate.judge(flood, window(*lines))
    twice = gate.judge([flood[0], replace(flood[0], quote="locker")], window(*lines))

    assert (len(judgement.passed), judgement.refused) == (MOST_PROPOSALS, {"too_many": 10})
    assert judgement.refused_turns == set(range(21, 31))
    assert (len(twice.passed), twice.refused, twice.refused_turns) == (1, {"chosen_before": 1}, frozenset())


def test_a_proposal_that_cannot_be_checked_is_refused_and_named() -> None:
    class Broken(dict[str, Memory]):
        def get(self, *_: object) -> NoReturn:
            raise ZeroDivisionError

    text = "I live in York."
    judgement = gate.judge([Proposal(1, text, repeats="m1")], Window([said(text)], Broken()))

    assert (judgement.refused, judgement.errors) == ({"check_failed": 1}, ["ZeroDivisionError"])


_VOCABULARY = """
I you he my not never and but if or the is was love Ann Bob cats dogs 7 in Leeds York yesterday ich nicht 猫 が 好き
。 「 」 , . ? ! ; : ' " – ( ) - 1.
"""
_WORDS = st.sampled_from([*_VOCABULARY.split(), "\n"])
_TEXTS = st.one_of(st.lists(_WORDS, min_size=1, max_size=14).map(" ".join), st.text(max_size=60))
_LINES = st.lists(
    st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from([None, "Ann", "Bob"]), _TEXTS), max_size=4
)


@st.composite
def _windows(draw: st.DrawFn) -> tuple[Window, list[Proposal]]:
    lines = [Line(number, *one, OBSERVED, draw(st.booleans())) for number, one in enumerate(draw(_LINES), 1)]
    quotes = st.one_of(
        _TEXTS, st.sampled_from([word for line in lines for word in [line.text, *line.text.split()]] or [""])
    )
    numbers = st.integers(-1, 4)
    proposals = [
        Proposal(
            turn=draw(numbers),
            quote=draw(quotes),
            about_turn=draw(st.none() | numbers),
            about_quote=draw(st.none() | quotes),
            category=draw(st.sampled_from(CATEGORIES)),
            occurred=draw(st.one_of(st.none(), st.text(max_size=12), st.just("2024-05"))),
            corrects=draw(st.sampled_from([None, "m1", "m2", "m9"])),
            repeats=draw(st.sampled_from([None, "m1", "m9"])),
            pin=draw(st.booleans()),
        )
        for _ in range(draw(st.integers(0, 4)))
    ]
    shown = {"m1": known("User: I love cats."), "m2": known("Ann: I was in Leeds.", 2)}
    return Window(lines, shown), proposals


@given(_windows())
@settings(max_examples=80, deadline=None)
def test_of_any_answer_only_whole_sentences_of_turns_and_shown_memories_pass(
    case: tuple[Window, list[Proposal]],
) -> None:
    window, proposals = case
    lines = {line.number: line for line in window.lines}
    shown = {None, *(one.id for one in window.shown.values())}

    judgement = gate.judge(proposals, window)

    assert len(judgement.passed) + sum(judgement.refused.values()) == len(proposals)
    assert judgement.errors == []
    for chosen in judgement.passed:
        line = lines[chosen.number]
        assert line.is_new
        assert chosen.text in sentences_of(line)
        assert {chosen.supersedes, chosen.contradicts} <= shown
        if chosen.about is not None:
            assert any(
                chosen.about.text in sentences_of(other)
                and (other.role, other.speaker) == (chosen.about.role, chosen.about.speaker)
                for other in window.lines
                if other.number <= line.number
            )


def sentences_of(line: Line) -> set[str]:
    """Every run of whole sentences of a turn."""
    text, units = clauses.plain(line.text), clauses.units(line.text)
    return {text[first[0] : last[1]] for place, first in enumerate(units) for last in units[place:]}


@given(_TEXTS)
def test_units_are_in_order_and_leave_nothing_out(text: str) -> None:
    plain, units = clauses.plain(text), clauses.units(text)

    ends = [0, *(end for _, end in units)]
    between = [plain[end:start] for end, (start, _) in zip(ends, units, strict=False)]
    assert all(start < end for start, end in units)
    assert not "".join([*between, plain[ends[-1] :]]).strip()
