"""What the real LiteLLM proxy with our hook asks the model, and what it captures, in every shape of request."""

import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest

from tests.e2e.conftest import Tenant
from tests.e2e.litellm_proxy import ANSWER, FAULTS, LITELLM, QUESTION, SHAPES, TURN, Proxy

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not LITELLM.exists(), reason="make .venv-litellm/done installs the proxy"),
]


@pytest.fixture(scope="module")
def proxy(litellm_proxy: Proxy) -> Proxy:
    return litellm_proxy


@pytest.fixture(scope="module")
def tenant(proxy: Proxy) -> Tenant:
    return proxy.tenant


def test_memories_arrive_at_the_model_in_every_shape(proxy: Proxy, tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")

    for shape in SHAPES:
        answer = proxy.ask(shape)
        assert answer.status_code == 200, (shape, answer.text)
        assert ANSWER in answer.text, shape
        assert proxy.given.count("Mr Sutherland") == 1, shape
        assert proxy.given.count(QUESTION) == 1, shape
        assert "Be brief." in proxy.given or shape == "responses, plain"
        assert "For " not in proxy.given, shape
        assert answer.headers["x-memories-injected"] == "1", shape

    for shape in SHAPES:
        given = {}
        for user in ("isla", "ada"):
            assert proxy.ask(shape, user=user).status_code == 200, shape
            given[user] = proxy.given
        assert ["For Isla" in given["isla"], "For Ada" in given["isla"]] == [True, False], shape
        assert ["For Isla" in given["ada"], "For Ada" in given["ada"]] == [False, True], shape


def test_each_turn_of_an_end_user_is_captured_in_every_shape_without_what_was_injected(
    proxy: Proxy, tenant: Tenant
) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    proxy.gate.captured.clear()

    for shape in SHAPES:
        proxy.ask(shape)
        proxy.ask(shape, user="isla", headers={"X-Remembrancer-Skip": "1"})
        assert proxy.ask(shape, user="isla").status_code == 200, shape
        assert proxy.given.count("Mr Sutherland") == 1, shape

    captured = _captured(proxy, len(SHAPES))
    assert [body["messages"] for body in captured] == [TURN] * len(SHAPES)
    assert {(body["agent_id"], body["user_id"]) for body in captured} == {(tenant.agent_id, "isla")}
    # The same opening in all shapes is the same session.
    assert len({body["session_id"] for body in captured}) == 1


def test_a_turn_with_tools_is_captured_once_with_the_final_answer(proxy: Proxy) -> None:
    proxy.gate.captured.clear()
    parameters = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": parameters}}]
    said = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]

    first = proxy.ask("chat", user="isla", tools=tools, messages=said)
    called = first.json()["choices"][0]["message"]
    result = {"role": "tool", "tool_call_id": "call-1", "content": "Out of tune."}
    proxy.ask("chat", user="isla", tools=tools, messages=[*said, called, result], metadata={"session_id": "s-1"})

    (captured,) = _captured(proxy, 1)
    assert called["tool_calls"]
    assert captured["messages"] == TURN
    assert captured["session_id"] == "s-1"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_no_turn_is_captured_before_its_tools_are_called_in_the_other_shapes(proxy: Proxy, stream: bool) -> None:
    proxy.gate.captured.clear()
    schema = {"type": "object", "properties": {}}
    of_anthropic = [{"name": "look", "description": "Looks.", "input_schema": schema}]
    of_responses = [{"type": "function", "name": "look", "description": "Looks.", "parameters": schema}]

    called = [
        proxy.ask("messages", user="isla", tools=of_anthropic, stream=stream),
        proxy.ask("responses", user="isla", tools=of_responses, stream=stream),
    ]

    assert all("look" in answer.text for answer in called), [answer.text for answer in called]
    _captured(proxy, 0)


def test_an_answer_to_the_second_attempt_is_captured(proxy: Proxy) -> None:
    proxy.gate.captured.clear()
    proxy.model.failures = 1

    answer = proxy.ask("chat", user="isla")

    assert answer.status_code == 200, answer.text
    assert len(proxy.model.given) == 2
    (captured,) = _captured(proxy, 1)
    assert captured["messages"] == TURN


def test_a_call_id_may_be_used_again_after_a_call_that_failed(proxy: Proxy) -> None:
    proxy.gate.captured.clear()
    again = {"x-litellm-call-id": "the-client's-own"}

    proxy.model.failures = 100
    failed = proxy.ask("chat", user="ada", headers=again)
    proxy.model.failures = 0
    answer = proxy.ask("chat", user="isla", headers=again)

    assert (failed.status_code, answer.status_code) == (500, 200)
    (captured,) = _captured(proxy, 1)
    assert captured["messages"] == TURN


def test_the_name_of_all_end_users_gets_no_memory_and_no_capture(proxy: Proxy, tenant: Tenant) -> None:
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")
    proxy.gate.captured.clear()

    for shape in SHAPES:
        answer = proxy.ask(shape, user="*")
        assert answer.status_code == 200, (shape, answer.text)
        assert "Sundays" not in proxy.given, shape
        assert "x-memories-injected" not in answer.headers, shape

    _captured(proxy, 0)
    assert {body["user_id"] for body in proxy.gate.captured} == {"ada"}


def test_what_the_proxy_keeps_out_of_its_logs_is_not_captured(proxy: Proxy) -> None:
    """As `turn_off_message_logging` does for all requests."""
    proxy.gate.captured.clear()

    for shape in SHAPES:
        answer = proxy.ask(shape, user="isla", headers={"litellm-enable-message-redaction": "true"})
        assert ANSWER in answer.text, shape

    _captured(proxy, 0)


def test_what_is_said_in_one_chat_is_known_in_the_next_without_a_second_call(proxy: Proxy, tenant: Tenant) -> None:
    for user, place in (("isla", "blue pot"), ("ada", "third barrel")):
        said = f"I keep my spare key under the {place} in the yard."
        proxy.ask("chat", user=user, messages=[{"role": "user", "content": said}])

    question = [{"role": "user", "content": "Where do I keep my spare key?"}]
    end = time.monotonic() + 60
    while "blue pot" not in proxy.given:
        assert time.monotonic() < end, proxy.given
        proxy.ask("chat", user="isla", messages=question)

    assert "third barrel" not in proxy.given
    proxy.ask("chat", messages=question)
    assert "blue pot" not in proxy.given


def _captured(proxy: Proxy, number: int) -> Sequence[dict[str, Any]]:
    """As many turns as there have to be, and no more; sessions are sent beside each other."""
    end = time.monotonic() + 120
    proxy.ask("chat", user="ada", messages=[{"role": "user", "content": "That is all."}])
    while True:
        captured = [body for body in proxy.gate.captured if body["user_id"] == "isla"]
        if len(captured) >= number and len(captured) < len(proxy.gate.captured):
            break
        assert time.monotonic() < end, proxy.gate.captured
        time.sleep(0.05)
    assert len(captured) == number, captured
    return captured


def test_a_request_can_opt_out(proxy: Proxy, tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")

    answer = proxy.ask("chat", headers={"X-Remembrancer-Skip": "1"})

    assert "Sutherland" not in proxy.given
    assert "x-memories-injected" not in answer.headers


@pytest.mark.parametrize("fault", ["resets", "hangs", *FAULTS])
def test_every_chat_succeeds_whatever_the_service_does(proxy: Proxy, tenant: Tenant, fault: str) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    _until_remembered(proxy)

    proxy.gate.captured.clear()
    proxy.gate.fault = fault
    try:
        for shape in [*SHAPES, "chat"]:
            answer = proxy.ask(shape, user="isla")
            assert answer.status_code == 200, (shape, answer.text)
            assert ANSWER in answer.text, shape
            assert "Sutherland" not in proxy.given, shape
    finally:
        proxy.gate.fault = ""
        proxy.gate.released.set()
        proxy.gate.released = threading.Event()

    _until_remembered(proxy)
    # Nothing that was said meanwhile is lost.
    assert [body["messages"] for body in _captured(proxy, len(SHAPES) + 1)] == [TURN] * (len(SHAPES) + 1)


def _until_remembered(proxy: Proxy) -> None:
    """The breaker closes by itself when the service is back."""
    end = time.monotonic() + 60
    while proxy.ask("chat").status_code == 200 and "Sutherland" not in proxy.given:
        assert time.monotonic() < end
        time.sleep(0.2)
