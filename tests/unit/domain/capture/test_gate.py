"""The gate of capture: no invention of the adversarial set passes, and what is right does."""

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NoReturn
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.domain.capture import clauses, gate
from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.gate import MOST_PROPOSALS, Line, Shown, Window
from remembrancer.domain.memories.memory import CATEGORIES
from tests import capture_cases
from tests.capture_cases import OBSERVED, Case

LEAST_RIGHT = 0.95
"""Share of the proposals in the speaker's own words that have to pass."""
SLIPPED_IN = ("not", "Bob", "7", "red", "might", "former")

REASONS = (
    "too_many", "too_long", "unknown_turn", "quote_not_found", "question", "not_stated", "taken_back", "reported",
    "unsupported", "subject", "occurred", "wrong_target", "not_a_duplicate", "check_failed",
)  # fmt: skip


@pytest.mark.parametrize("case", capture_cases.inventions(), ids=lambda case: case.name)
def test_an_invention_is_refused_for_a_reason(case: Case) -> None:
    judgement = gate.judge([case.proposal], case.window)

    assert judgement.passed == []
    assert sum(judgement.refused.values()) == 1
    assert judgement.refused.keys() <= set(REASONS)


def test_the_sets_are_as_large_as_they_are_said_to_be() -> None:
    kinds = [case.kind for case in capture_cases.right()]

    assert len(capture_cases.inventions()) >= 368
    assert (kinds.count("own words"), kinds.count("free words")) >= (70, 12)


def test_what_is_right_and_in_the_speakers_words_passes() -> None:
    right = [case for case in capture_cases.right() if case.kind == "own words"]

    passed = [case for case in right if gate.judge([case.proposal], case.window).passed]

    assert len(passed) / len(right) >= LEAST_RIGHT


def test_a_right_proposal_passes_with_its_action_its_target_and_its_time() -> None:
    for case in capture_cases.right():
        for passed in gate.judge([case.proposal], case.window).passed:
            target = case.window.shown.get(case.proposal.target or "")
            assert passed.action == case.proposal.action
            assert passed.target == (target.memory_id if target else None)
            assert (passed.occurred is None) == (case.proposal.occurred is None)


def test_no_word_of_a_right_text_can_be_changed_moved_left_out_or_slipped_in() -> None:
    changed = 0
    for case in capture_cases.right():
        if case.kind == "own words" and gate.judge([case.proposal], case.window).passed:
            for text in _changes(case.proposal.text):
                changed += 1
                passed = gate.judge([replace(case.proposal, text=text)], case.window).passed
                assert not passed or _says_the_same(text, case.proposal.text), text

    assert changed > 3_500


def _changes(text: str) -> Iterator[str]:
    words = text.split()
    for place in range(len(words)):
        yield " ".join([*words[:place], *words[place + 1 :]])
        for word in SLIPPED_IN:
            yield " ".join([*words[:place], word, *words[place:]])
        for other in range(place):
            swapped = list(words)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            if swapped != words:
                yield " ".join(swapped)


def _says_the_same(one: str, other: str) -> bool:
    """Whether only articles differ, or one gives the date less exactly."""
    dates = re.compile(r"\b(?:on|\d{1,2}|2024|May|August|June|Friday)\b|\b(?:an?|the)\b|\W", re.IGNORECASE)
    return dates.sub("", one).lower() == dates.sub("", other).lower()


def test_beyond_the_most_of_a_window_no_proposal_is_looked_at() -> None:
    (case, *_) = capture_cases.right()

    judgement = gate.judge([case.proposal] * (MOST_PROPOSALS + 7), case.window)

    assert (len(judgement.passed), judgement.refused) == (MOST_PROPOSALS, {"too_many": 7})
    assert judgement.refused_turns == {1}


def test_a_turn_that_was_captured_before_is_not_quoted_again() -> None:
    (case, *_) = capture_cases.right()
    (line,) = case.window.lines

    judgement = gate.judge([case.proposal], Window([replace(line, is_new=False)]))

    assert judgement.refused == {"quote_not_found": 1}


def test_a_shared_memory_is_not_superseded() -> None:
    case = next(case for case in capture_cases.right() if case.proposal.action == "supersede")
    shared = {handle: replace(memory, is_own=False) for handle, memory in case.window.shown.items()}

    (passed,) = gate.judge([case.proposal], replace(case.window, shown=shared)).passed

    assert passed.action == "contradict"


def test_what_is_superseded_without_being_made_untrue_is_contradicted_only() -> None:
    case = next(case for case in capture_cases.right() if case.proposal.action == "supersede")
    other = {handle: replace(memory, text="User likes Leeds.") for handle, memory in case.window.shown.items()}

    (passed,) = gate.judge([case.proposal], replace(case.window, shown=other)).passed

    assert passed.action == "contradict"


def test_of_two_proposals_that_supersede_the_same_memory_only_the_first_does() -> None:
    said = ("I live in York.", "I live in Bath now.")
    window = Window(
        [Line(number, "user", None, text, OBSERVED) for number, text in enumerate(said, 1)],
        {"m1": Shown(UUID(int=1), "User lives in Leeds.")},
    )
    proposals = [
        _proposed("User lives in York.", said[0], action="supersede", target="m1"),
        _proposed("User lives in Bath now.", said[1], source_turns=(2,), action="supersede", target="m1"),
    ]

    judgement = gate.judge(proposals, window)

    assert [passed.action for passed in judgement.passed] == ["supersede", "contradict"]


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        ("I live in York, " + "really " * 100 + "!", True),
        ("I live in York, " + "really " * 1100 + "!", False),
        ("I live in York" + ", " * 2000, False),
    ],
)
def test_fillers_without_end_raise_nothing(said: str, passes: bool) -> None:
    window = Window([Line(1, "user", None, said, OBSERVED)])

    judgement = gate.judge([_proposed("User lives in York.", "I live in York")], window)

    assert (len(judgement.passed), judgement.refused) == ((1, {}) if passes else (0, {"unsupported": 1}))
    assert judgement.errors == []


def test_clauses_without_end_take_no_seconds() -> None:
    window = Window([Line(1, "user", None, "I live in York" + " and I live in York" * 400, OBSERVED)])
    text = "User lives in York" + ", User lives in York" * 19
    started = time.process_time()

    judgement = gate.judge([_proposed(text, "I live in York")], window)

    assert judgement.refused == {"unsupported": 1}
    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("I eat meat.", "User does not eat meat."),
        ("I eat meat.", "User might eat meat."),
        ("I eat meat.", "User eats meat only if Ann cooks."),
        ("Ann hates Bob.", "Bob hates Ann."),
        ("I live in York.", "User lives in Leeds."),
        ("I have 3 cats.", "User has 4 cats."),
        ("I have 3 cats.", "User has cats."),
        ("My sister likes tea.", "User's brother likes tea."),
        ("My code is 4417.", "User's code is 4471."),
        ("I never drive.", "User drives."),
    ],
)
def test_what_changes_its_target_is_no_duplicate_of_it(said: str, target: str) -> None:
    text = said.replace("I eat", "User eats").replace("I live", "User lives").replace("I have", "User has")
    text = text.replace("I never drive", "User never drives").replace("My", "User's")
    window = Window([Line(1, "user", None, said, OBSERVED)], {"m1": Shown(UUID(int=1), target)})
    subject = "User" if text.startswith("User") else "Ann"

    judgement = gate.judge([_proposed(text, said, subject=subject, action="duplicate", target="m1")], window)

    assert judgement.refused == {"not_a_duplicate": 1}


@pytest.mark.parametrize(
    ("text", "said", "target"),
    [
        # Another negation, or one at another place.
        ("User does not like coffee.", "I do not like coffee.", "User does not like tea but likes coffee."),
        ("User does not like tea.", "I do not like tea.", "User likes tea and does not like coffee."),
        ("User drives.", "I drive.", "User drives but not at night."),
        ("User likes no tea.", "I like no tea.", "User likes tea and no coffee."),
        ("User eats fish.", "I eat fish.", "User eats fish although User prefers meat."),
        # Another order, or words of several clauses.
        ("Ann helped Bob.", "Ann helped Bob.", "Bob helped Ann."),
        ("User gave Ann Bob's bike.", "I gave Ann Bob's bike.", "User gave Bob Ann's bike."),
        ("User likes Ann.", "I like Ann.", "User likes Bob and Bob hates Ann."),
        # Only on some days, or on others.
        ("User eats meat.", "I eat meat.", "User eats meat on Fridays."),
        ("User went running on Monday.", "I went running on Monday.", "User went running on Friday."),
    ],
)
def test_another_negation_order_or_day_is_no_duplicate(text: str, said: str, target: str) -> None:
    window = Window([Line(1, "user", None, said, OBSERVED)], {"m1": Shown(UUID(int=1), target)})
    subject = text.split(maxsplit=1)[0]

    added = gate.judge([_proposed(text, said, subject=subject)], window)
    judgement = gate.judge([_proposed(text, said, subject=subject, action="duplicate", target="m1")], window)

    assert len(added.passed) == 1
    assert judgement.refused == {"not_a_duplicate": 1}


@pytest.mark.parametrize(
    "target",
    [
        "User lives in York.",
        "User really lives in York!",
        "User lives in York and keeps bees.",
        "Ann bakes and User lives in York.",
    ],
)
def test_what_is_a_clause_of_its_target_is_a_duplicate_of_it(target: str) -> None:
    window = Window([Line(1, "user", None, "I live in York.", OBSERVED)], {"m1": Shown(UUID(int=1), target)})

    judgement = gate.judge(
        [_proposed("User lives in York.", "I live in York.", action="duplicate", target="m1")], window
    )

    assert [passed.action for passed in judgement.passed] == ["duplicate"]


@pytest.mark.parametrize(("days_ago", "passes"), [(0, True), (7, False)])
def test_what_happened_on_another_day_is_no_duplicate_whatever_the_model_calls_it(days_ago: int, passes: bool) -> None:
    said, day = "I went running.", OBSERVED.date() - timedelta(days=days_ago)
    window = Window([Line(1, "user", None, said, OBSERVED)], {"m1": Shown(UUID(int=1), "User went running.", day=day)})
    fields = {"category": "factual", "action": "duplicate", "target": "m1"}

    judgement = gate.judge([_proposed("User went running.", said, **fields)], window)

    assert judgement.refused == ({} if passes else {"not_a_duplicate": 1})


@pytest.mark.parametrize(
    ("category", "occurred", "day", "passes"),
    [
        ("episodic", None, OBSERVED.date(), True),
        ("episodic", None, OBSERVED.date() - timedelta(days=7), False),
        ("episodic", None, None, True),
        ("factual", None, OBSERVED.date() - timedelta(days=7), True),
    ],
)
def test_what_happened_on_another_day_is_no_duplicate(
    category: str, occurred: str | None, day: date | None, passes: bool
) -> None:
    said = "I live in York."
    window = Window([Line(1, "user", None, said, OBSERVED)], {"m1": Shown(UUID(int=1), "User lives in York.", day=day)})
    fields = {"category": category, "occurred": occurred, "action": "duplicate", "target": "m1"}

    judgement = gate.judge([_proposed("User lives in York.", said, **fields)], window)

    assert judgement.refused == ({} if passes else {"not_a_duplicate": 1})


@pytest.mark.parametrize("action", ["supersede", "contradict", "duplicate"])
def test_a_memory_without_words_is_neither_replaced_nor_contradicted(action: str) -> None:
    window = Window([Line(1, "user", None, "I live in York.", OBSERVED)], {"m1": Shown(UUID(int=1), "👍")})

    judgement = gate.judge([_proposed("User lives in York.", "I live in York.", action=action, target="m1")], window)

    assert [passed.action for passed in judgement.passed] == ([] if action == "duplicate" else ["add"])
    assert judgement.errors == []


@pytest.mark.parametrize(
    "speaker", ["मोहन", "מֹשֶׁה", "مُحَمَّد", "நான்சி", "ঈশিতা", "Zoe\u0308", "สมชาย", "김민수", "ශ්\u200dරියා", "బాలు"]
)
def test_a_speaker_is_known_by_a_name_of_any_script(speaker: str) -> None:
    window = Window([Line(1, "user", speaker, "I live in York.", OBSERVED)])

    judgement = gate.judge([_proposed(f"{speaker} lives in York.", "I live in York.", subject=speaker)], window)

    assert len(judgement.passed) == 1


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("Mai हिंदी bolta", "ह"),
        ("Mai हिंदी bolta", "हि"),
        ("I am in בְּחֵיפָה.", "ב"),
        ("I eat খাবার.", "খ"),
        ("कॉफ़ी कॉफ़ी", "क"),
    ],
)
def test_a_quote_ends_with_whole_words_of_any_script(said: str, part: str) -> None:
    window = Window([Line(1, "user", None, said, OBSERVED)])

    assert gate.judge([_proposed("User lives in York.", part)], window).refused == {"quote_not_found": 1}
    assert "quote_not_found" not in gate.judge([_proposed("User lives in York.", said)], window).refused


def test_an_unexpected_exception_refuses_its_proposal_only() -> None:
    window = Window([Line(1, "user", None, "I live in York.", OBSERVED)], _BrokenHandles())
    proposals = [
        _proposed("User lives in York.", "I live in York.", action="supersede", target="m1"),
        _proposed("User lives in York.", "I live in York."),
    ]

    judgement = gate.judge(proposals, window)

    assert [passed.proposal for passed in judgement.passed] == proposals[1:]
    assert judgement.refused == {"check_failed": 1}
    assert judgement.refused.keys() <= set(REASONS)
    assert judgement.refused_turns == {1}
    assert judgement.errors == ["ZeroDivisionError"]


class _BrokenHandles(dict[str, Shown]):
    def get(self, *_: object) -> NoReturn:
        raise ZeroDivisionError


def _proposed(text: str, quote: str, **fields: Any) -> Proposal:
    usual = {"category": "factual", "subject": "User", "occurred": None, "source_turns": (1,), "action": "add"}
    return Proposal(text=text, quote=quote, **({"target": None} | usual | fields))


_VOCABULARY = """
I you he she we my not never and but if or the a is was am love hate Ann Bob cats dogs 7 seven in on Leeds York
yesterday think will , . ? ! ; : ' " –
"""
_WORDS = st.sampled_from([*_VOCABULARY.split(), "\n"])
_TEXTS = st.one_of(st.lists(_WORDS, min_size=1, max_size=14).map(" ".join), st.text(max_size=60))
_LINES = st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from([None, "Ann", "Bob"]), _TEXTS))


@st.composite
def _windows(draw: st.DrawFn) -> tuple[Window, list[Proposal]]:
    said = draw(_LINES)
    lines = [Line(number, *one, OBSERVED) for number, one in enumerate(said, 1)]
    proposals = [
        Proposal(
            text=draw(_TEXTS),
            category=draw(st.sampled_from(CATEGORIES)),
            subject=draw(_TEXTS),
            occurred=draw(st.one_of(st.none(), st.text(max_size=12), st.just("2024-05"))),
            quote=draw(st.one_of(_TEXTS, st.sampled_from([line.text for line in lines] or [""]))),
            source_turns=tuple(draw(st.lists(st.integers(-1, 4), max_size=3))),
            action=draw(st.sampled_from(["add", "supersede"])),
            target=draw(st.sampled_from([None, "m1"])),
        )
        for _ in range(draw(st.integers(0, 3)))
    ]
    return Window(lines), proposals


@given(_windows())
@settings(max_examples=150, deadline=None)
def test_of_any_text_nothing_passes_that_is_not_quoted_from_a_turn(case: tuple[Window, list[Proposal]]) -> None:
    window, proposals = case

    judgement = gate.judge(proposals, window)

    assert len(judgement.passed) + sum(judgement.refused.values()) == len(proposals)
    for passed in judgement.passed:
        (line,) = [line for line in window.lines if line.number == passed.number]
        assert clauses.plain(passed.proposal.quote) in clauses.plain(line.text)
        assert set(re.findall(r"\d+", passed.proposal.text)) <= {*re.findall(r"\d+", line.text), "7"}
