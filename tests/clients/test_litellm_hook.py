"""The LiteLLM hook without the proxy: what it keeps of calls, and for whom it captures."""

import json
import os
import subprocess
from typing import Any

import pytest

from tests.clients.test_distribution import PYTHON, ROOT

LITELLM = ROOT / ".venv-litellm" / "bin" / "python"
QUESTION = {"role": "user", "content": "Which room?"}

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not LITELLM.exists(), reason="make .venv-litellm/done installs the proxy"),
]


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    """Importing LiteLLM takes seconds, so that one process runs all cases."""
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join([str(PYTHON / "src"), str(ROOT / "layers" / "engine")]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        # A busy machine may not delay an assembly beyond its deadline.
        "REMEMBRANCER_DEADLINE_MS": "5000",
    }
    command = [str(LITELLM), "-m", "tests.clients.litellm_calls"]
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def test_a_call_gets_memories_and_its_turn_is_captured(cases: dict[str, Any]) -> None:
    assert cases["one_call"] == {
        "roles": ["system", "user"],
        "headers": {"x-memories-injected": "1"},
        "turns": [["isla", "The blue one."]],
    }


def test_the_environment_chooses_the_options_of_each_assembly(cases: dict[str, Any]) -> None:
    assert cases["options"] == [None, {"placement": "turn"}, {"cache_control": True}, None]


BLOCK = "<memories-123456789>\n- Tea.\n</memories-123456789>\n"
PART = {"type": "text", "text": BLOCK}
INPUT_PART = {"type": "input_text", "text": BLOCK}


@pytest.mark.parametrize("mode", ["system_first", "system_append"])
@pytest.mark.parametrize(
    ("request_", "changed"),
    [
        ("messages", {"system": BLOCK}),
        ("messages, text", {"system": f"Be brief.\n\n{BLOCK}"}),
        (
            "messages, list",
            {"system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}, PART]},
        ),
        ("responses", {"instructions": BLOCK}),
        ("responses, text", {"instructions": f"Be brief.\n\n{BLOCK}"}),
    ],
)
def test_the_text_is_appended_to_the_clients_one_system_text(
    cases: dict[str, Any], mode: str, request_: str, changed: Any
) -> None:
    assert cases["places"][mode][request_] == changed


@pytest.mark.parametrize("mode", ["system_first", "system_append"])
@pytest.mark.parametrize(
    ("request_", "content"),
    [
        ("responses, developer", f"Be brief.\n\n{BLOCK}"),
        ("responses, developer's list", [{"type": "input_text", "text": "Be brief."}, INPUT_PART]),
    ],
)
def test_a_developers_message_in_the_input_takes_the_text_without_further_instructions(
    cases: dict[str, Any], mode: str, request_: str, content: Any
) -> None:
    changed = cases["places"][mode][request_]

    assert list(changed) == ["input"]
    assert changed["input"][0] == {"role": "developer", "content": content}


@pytest.mark.parametrize("system", ["", ", text", ", list"])
def test_where_the_operator_says_so_the_text_stands_with_the_users_question(cases: dict[str, Any], system: str) -> None:
    changed = cases["places"]["user_prepend"][f"messages{system}"]

    assert list(changed) == ["messages"]
    assert changed["messages"][0] == {"role": "user", "content": f"{BLOCK}\nWhich room?"}
    assert [one["content"][0]["type"] for one in changed["messages"][1:]] == ["tool_use", "tool_result"]


def test_in_a_responses_input_the_text_stands_with_the_users_question_too(cases: dict[str, Any]) -> None:
    changed = cases["places"]["user_prepend"]

    assert changed["responses, text"] == {"input": f"{BLOCK}\nWhich room?"}
    for name, place in {"responses": 0, "responses, developer": 1, "responses, developer's list": 1}.items():
        asked, called, answered = changed[name]["input"][place:]
        assert list(changed[name]) == ["input"]
        assert [part["type"] for part in asked["content"]] == ["input_image", "input_text", "input_text"]
        assert asked["content"][1] == INPUT_PART
        assert (called["type"], answered["type"]) == ("function_call", "function_call_output")


def test_the_requests_time_zone_counts_before_the_keys(cases: dict[str, Any]) -> None:
    assert cases["time_zones"] == ["Asia/Tokyo", "Europe/Berlin", "Asia/Tokyo", None]


@pytest.mark.parametrize("way", ["request", "proxy", "setting"])
def test_the_name_of_all_end_users_gets_no_memory_and_no_capture(cases: dict[str, Any], way: str) -> None:
    assemblies, roles, headers, turns, logged = cases["all_users"][way]

    assert (assemblies, roles, headers, turns) == (0, ["user"], None, [])
    assert logged == [["litellm_hook_failed", "ValueError"]]


def test_a_blank_end_user_gets_no_memory_and_no_capture_wherever_it_is_named(cases: dict[str, Any]) -> None:
    headers = {"x-memories-injected": "0", "x-context-fallback": "blank_end_user"}

    assert set(map(str, cases["blank_users"].values())) == {str([0, ["user"], headers, []])}


def test_a_blank_name_is_not_captured_where_turns_of_nobody_are(cases: dict[str, Any]) -> None:
    headers = {"x-memories-injected": "0", "x-context-fallback": "blank_end_user"}

    assert len(cases["blank_names_while_all_is_captured"]) == 2 * 12
    for name, found in cases["blank_names_while_all_is_captured"].items():
        assert found == [0, ["user"], headers, []], name


def test_a_blank_session_is_the_one_of_the_opening(cases: dict[str, Any]) -> None:
    assert cases["blank_sessions"] == [["derived", "opening"]] * 12


def test_two_calls_with_one_id_are_not_captured_for_each_other(cases: dict[str, Any]) -> None:
    assert cases["one_id_for_two_calls"] == {"headers": None, "turns": []}


@pytest.mark.parametrize("way", ["nobody", "skipped", "all users"])
def test_an_answer_to_a_call_that_is_not_captured_is_not_captured_for_another(cases: dict[str, Any], way: str) -> None:
    assert cases["one_id_for_two_calls_of_which_one_is_not_captured"][way] == []


def test_calls_with_one_id_are_captured_one_after_the_other(cases: dict[str, Any]) -> None:
    assert cases["one_id_again"] == [["isla", "To isla."], ["ada", "To ada."]]


def test_images_are_not_kept_until_the_answer(cases: dict[str, Any]) -> None:
    said = [QUESTION, {"role": "assistant", "content": "The blue one."}]

    assert cases["kept_messages"] == {"is_kept": False, "said": said}


@pytest.mark.parametrize("call_type", ["acompletion", "anthropic_messages", "aresponses", "completion"])
def test_pictures_switch_no_memory_off_and_stay_in_the_request(cases: dict[str, Any], call_type: str) -> None:
    sent, is_whole, captured, said_at = cases["pictures"][call_type]

    assert is_whole
    assert sent < 1_000
    assert captured < 1_000
    assert said_at == "1970-01-01T00:00:00+00:00"


def test_a_failed_call_is_forgotten_but_not_one_that_succeeds_at_the_next_attempt(cases: dict[str, Any]) -> None:
    assert cases["failures"] == [["isla", "At the second attempt."], ["ada", "To Ada."]]
