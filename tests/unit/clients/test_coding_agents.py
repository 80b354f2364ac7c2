"""Whom and what the requests of coding agents name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer_client.coding_agents import Installation, installation, is_chore, is_said_by_a_person

NAMED = {"device_id": "d" * 64, "account_uuid": "", "session_id": "s-1"}
TURN = [{"role": "user", "content": [{"type": "text", "text": "Tea, please."}]}]


@pytest.mark.parametrize(
    ("user_id", "name"),
    [
        (json.dumps(NAMED), "d" * 64),
        (json.dumps({**NAMED, "account_uuid": "a-1"}), "a-1"),
        (json.dumps({**NAMED, "device_id": " "}), ""),
        (json.dumps({**NAMED, "device_id": None}), ""),
        (f"user_{'d' * 64}_account__session_s-1", "d" * 64),
        (f"user_{'d' * 64}_account_a-1_session_s-1", "a-1"),
    ],
)
def test_an_installation_is_its_account_or_else_its_machine(user_id: str, name: str) -> None:
    assert installation(user_id) == Installation(name, "s-1")


@pytest.mark.parametrize("user_id", [None, 7, {}, "", "isla", "{isla}", '{"user": "isla"}', "{" * 100_000, "user_isla"])
def test_other_names_are_none(user_id: object) -> None:
    assert installation(user_id) is None


@given(st.text() | st.recursive(st.none() | st.text(), st.lists, max_leaves=5).map(json.dumps))
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert installation(text) is None or text.startswith(("{", "user_"))
    assert is_said_by_a_person({"x-codex-turn-metadata": text}, TURN) in (True, False)


def test_only_claude_code_asks_for_titles_without_tools() -> None:
    session = {"x-claude-code-session-id": "s-1"}

    assert is_chore(session, None, None)
    assert is_chore({}, json.dumps(NAMED), [])
    assert not is_chore(session, None, [{"name": "Read"}])
    assert not is_chore({}, "isla", None)


@pytest.mark.parametrize(
    "headers",
    [
        {"x-claude-code-agent-id": "a-1"},
        {"x-openai-subagent": "review"},
        {"x-codex-turn-metadata": '{"request_kind": "compaction", "thread_source": "user"}'},
        {"x-codex-turn-metadata": '{"request_kind": "turn", "thread_source": "subagent"}'},
    ],
)
def test_a_model_and_an_agent_are_no_person(headers: dict[str, str]) -> None:
    assert not is_said_by_a_person(headers, TURN)


def test_an_order_behind_a_persons_words_is_the_agents() -> None:
    order = {"type": "text", "text": "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nSummarize."}
    parts = [*TURN[0]["content"], order]

    assert is_said_by_a_person({}, TURN)
    assert is_said_by_a_person({}, [])
    assert not is_said_by_a_person({}, [{"role": "user", "content": parts}, {"role": "system", "content": "Be brief."}])
