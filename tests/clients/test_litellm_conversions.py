"""Chats with the injected text, as LiteLLM converts them for providers: each takes what it took without the text."""

import json
import subprocess
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from remembrancer.domain.context import placement
from tests import placements
from tests.clients.test_distribution import PYTHON, ROOT
from tests.clients.test_litellm_hook import LITELLM
from tests.placements import openai_chats, plain_chats

CHATS = 60
MODES = ("system_first", "system_append", "user_prepend")
BLOCK = "<memories-123456789>\n- Tea.\n</memories-123456789>\n"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not LITELLM.exists(), reason="make .venv-litellm/done installs the proxy"),
]


def drawn() -> list[list[Any]]:
    """The same random chats each time."""
    found: list[list[Any]] = []

    @settings(max_examples=CHATS, database=None, derandomize=True, phases=[Phase.generate])
    @given(plain_chats | openai_chats)
    def draw(chat: list[Any]) -> None:
        found.append(chat)

    draw()
    return found


def test_each_provider_takes_a_chat_with_the_text_as_it_takes_the_chat_alone() -> None:
    chats = drawn()
    asked = [[chat, *(placement.inject(chat, BLOCK, mode) for mode in MODES)] for chat in chats]

    results = iter(_converted([chat for several in asked for chat in several]))

    taken = dict.fromkeys(("strict_template", "openai", "responses", "anthropic", "gemini", "mistral"), 0)
    for chat in chats:
        before, *after = (next(results) for _ in range(1 + len(MODES)))
        for provider in taken:
            alone = before[provider]
            for mode, with_text in zip(MODES, after, strict=True):
                context = (provider, mode, chat, with_text[provider])
                if isinstance(alone, list):
                    taken[provider] += 1
                    assert isinstance(with_text[provider], list), context
                    assert _problems(alone) or not _problems(with_text[provider]), context
    assert all(count > CHATS for count in taken.values()), taken


def test_each_provider_takes_a_conversation_of_three_turns_with_blocks() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    call = {"id": "call-1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    chat: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "When does the tuner come?"},
        {"role": "assistant", "content": "At noon."},
        {"role": "user", "content": [picture, {"type": "text", "text": "Is this the piano?"}]},
        {"role": "assistant", "content": "Yes."},
        {"role": "user", "content": "Is it in tune?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call-1", "content": "It is."},
    ]
    told = placement.before(chat, dict.fromkeys((1, 3, 5), BLOCK))
    assembled = [placement.inject(told, BLOCK.replace("memories", "directive"), mode) for mode in MODES]

    alone, *with_blocks = _converted([chat, *assembled])

    for provider in ("openai", "responses", "anthropic", "gemini", "mistral"):
        for converted in with_blocks:
            assert isinstance(converted[provider], list), (provider, converted[provider])
            assert _roles(converted[provider]) == _roles(alone[provider]), provider
            assert json.dumps(converted[provider]).count("<memories-") == 3, provider
            assert _problems(alone[provider]) or not _problems(converted[provider]), provider


@pytest.mark.parametrize("mode", ["system_first", "system_append"])
@pytest.mark.parametrize("system", [[], [{"role": "system", "content": "Be brief."}]])
def test_a_mark_after_the_directive_gets_to_anthropic_alone(mode: str, system: list[Any]) -> None:
    chat = [*system, {"role": "user", "content": "Hi"}]
    directive = BLOCK.replace("memories", "directive")

    (converted,) = _converted([placement.inject(chat, BLOCK, mode, marked=directive)])

    [marked] = [part for part in converted["anthropic_system"] if "cache_control" in part]
    assert marked == {"type": "text", "text": directive, "cache_control": {"type": "ephemeral"}}
    following = converted["anthropic_system"][converted["anthropic_system"].index(marked) + 1 :]
    assert [part["text"] for part in following] == [
        BLOCK,
        *(["Be brief."] if system and mode == "system_first" else []),
    ]
    for provider in ("openai", "responses", "gemini", "mistral"):
        assert isinstance(converted[provider], list), provider
        assert "cache_control" not in json.dumps(converted[provider]), provider


def _roles(messages: Sequence[Any]) -> list[Any]:
    return [message.get("role", message.get("type")) for message in messages]


def _problems(messages: Sequence[Any]) -> list[str]:
    """What is wrong with the messages that a provider gets: neighbours of one role, results away from their calls."""
    # Items of Responses that are calls or results have none.
    messages = [message for message in messages if "role" in message]
    roles = [message["role"] for message in messages if message["role"] not in ("system", "tool")]
    twice = [role for role, following in pairwise(roles) if role == following == "user"]
    rules = (placements.tool_messages, placements.tool_results, _function_responses)
    return twice + [problem for rule in rules for problem in rule(messages)]


def _function_responses(contents: Sequence[Any]) -> list[str]:
    """Gemini: after calls comes a message with as many responses."""
    found, waiting = [], 0
    for place, content in enumerate(contents):
        parts = content.get("parts") or []
        responses = sum("function_response" in part for part in parts)
        found += [f"{place}: {responses} responses where {waiting} wait"] if responses != waiting else []
        waiting = sum("function_call" in part for part in parts)
    return found


def _converted(chats: list[Any]) -> list[Any]:
    environment = {
        "PYTHONPATH": str(PYTHON / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    ran = subprocess.run(
        [str(LITELLM), "-m", "tests.clients.litellm_conversions"],
        cwd=ROOT,
        env=environment,
        input=json.dumps(chats),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    answer: list[Any] = json.loads(ran.stdout)
    return answer
