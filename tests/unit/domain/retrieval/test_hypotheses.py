"""Hypothetical memories: the window that a model reads, and what is made of its answer."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.retrieval import hypotheses
from tests.unit.strategies import anything

SAID = [
    {"role": "system", "content": "You are helpful."},
    {"role": "user", "content": "I moved to Oban."},
    {"role": "assistant", "content": [{"type": "text", "text": "How is it?"}, {"type": "tool_use", "name": "map"}]},
    {"role": "tool", "content": "57 degrees north"},
    {"role": "user", "content": [{"type": "tool_result", "content": "secret"}]},
    {"role": "user", "content": "Windy\n and  wet."},
]


def test_the_window_is_what_user_and_assistant_said_without_tools() -> None:
    assert hypotheses.window(SAID, 0) == "user: I moved to Oban.\nassistant: How is it?\nuser: Windy and wet."


def test_the_window_begins_after_the_summary() -> None:
    assert hypotheses.window(SAID, 2) == "assistant: How is it?\nuser: Windy and wet."
    assert hypotheses.window(SAID, 99) == ""


def test_what_was_said_last_is_kept() -> None:
    said = [{"role": "user", "content": f"sentence {number}"} for number in range(100)]

    window = hypotheses.window(said, 0, characters=45)

    assert window == "er: sentence 97\nuser: sentence 98\nuser: sentence 99"[-45:]


@pytest.mark.parametrize(
    "line",
    [
        "Ada likes tea.",
        "- Ada likes tea.",
        "* Ada likes tea.",
        "• Ada likes tea.",
        "1. Ada likes tea.",
        "12) Ada likes tea.",
        "(3) Ada likes tea.",
        "[4] Ada likes tea.",
        "5: Ada likes tea.",
        "a) Ada likes tea.",
        '"Ada likes tea."',
        "“Ada likes tea.”",
        '1. "Ada likes tea."',
        "- **Ada likes tea.**",
        '"1. Ada likes tea."',
        "   Ada likes tea.   ",
    ],
)
def test_markers_numbers_and_quotation_marks_are_stripped(line: str) -> None:
    assert hypotheses.clean(line, 5) == ["Ada likes tea."]


@pytest.mark.parametrize(
    "line", ["", "   ", "-", "1.", '""', "...", "Here are five statements:", "## Statements", "```", "```text"]
)
def test_what_is_no_statement_is_left_out(line: str) -> None:
    assert hypotheses.clean(line, 5) == []


@pytest.mark.parametrize("line", ["A. Smith likes tea.", "12.5 percent of them like tea.", "2024 was wet."])
def test_what_only_looks_like_a_marker_stays(line: str) -> None:
    assert hypotheses.clean(line, 5) == [line]


def test_repeated_statements_count_once_and_the_rest_is_cut() -> None:
    answer = "Ada likes tea.\nada likes TEA\n- Ada likes tea!\nBo likes rum.\nCy likes ale.\n" + "x" * 1000

    assert hypotheses.clean(answer, 2) == ["Ada likes tea.", "Bo likes rum."]
    assert hypotheses.clean(answer, 9)[-1] == "x" * hypotheses.LONGEST


def test_the_instruction_names_the_number() -> None:
    assert "write 7 different statements" in hypotheses.instruction(7)


@given(st.text(max_size=400), st.integers(1, 10))
def test_any_answer_becomes_at_most_so_many_different_statements(answer: str, count: int) -> None:
    statements = hypotheses.clean(answer, count)

    assert len(statements) <= count
    assert len(set(statements)) == len(statements)
    assert all(statement.strip() and "\n" not in statement for statement in statements)


@given(st.lists(anything | st.fixed_dictionaries({"role": anything, "content": anything}), max_size=6))
def test_any_conversation_has_a_bounded_window(messages: list[Any]) -> None:
    assert len(hypotheses.window(messages, 0, characters=50)) <= 50 + len(messages)
