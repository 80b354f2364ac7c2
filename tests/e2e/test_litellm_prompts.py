"""Prompts with memories that differ each turn stay in a provider's cache, through the real LiteLLM proxy.

The hook derives the session; what is counted is what arrives at the provider. Placement `turn`.
"""

import json
import re
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import httpx
import pytest
import redis

from benchmarks import prompt_cache, prompt_cost
from benchmarks.prompt_cost import AutomaticCache, BreakpointCache, Count, Message
from local.sample import story
from local.stack import StackSettings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.context import placement
from tests import placements
from tests.e2e.litellm_proxy import ANTHROPIC_MODEL, LITELLM, OPENAI_MODEL, Proxy

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not LITELLM.exists(), reason="make .venv-litellm/done installs the proxy"),
]

TURNS = 20
SHARE = 0.97
"""Of what is cached without memory."""
TRIES = 5
USER = "dora"
"""Whose memories these are; other tests ask the same proxy as others."""
UNCAPTURED = {"litellm-enable-message-redaction": "true"}
SKIP = {"x-remembrancer-skip": "1"}
MARK = {"cache_control": {"type": "ephemeral"}}
TOOLS = [{"type": "function", "function": {"name": "find_booking", "parameters": {"type": "object", "properties": {}}}}]

ANTHROPIC_TOOLS = [{"name": "find_booking", "input_schema": {"type": "object", "properties": {}}}]
FEW_TOKENS = prompt_cache.FEW_TOKENS
BUDGETS = [pytest.param(FEW_TOKENS, id="few"), pytest.param(None, id="default")]
STREAMS = [pytest.param(False, id="whole"), pytest.param(True, id="stream")]

Talk = Sequence[list[Message]]
"""The client's messages of each request."""
Encode = Callable[[str], Sequence[int]]


@dataclass
class Asked:
    """What arrived at the provider in a conversation, and what the client sent."""

    talk: Talk
    arrived: list[dict[str, Any]] = field(default_factory=list)


@pytest.fixture(scope="module")
def encode() -> Iterator[Encode]:
    counter = TiktokenCounter(StackSettings().models)
    yield counter._encoding(prompt_cache.ENCODING).encode_ordinary
    counter.close()


@pytest.fixture(scope="module")
def talks(encode: Encode) -> prompt_cache.Talks:
    return prompt_cache.Talks(encode)


@pytest.fixture(scope="module")
def proxy(litellm_proxy: Proxy) -> Iterator[Proxy]:
    """With 300 memories of the end user, and a directive."""
    tenant = litellm_proxy.tenant
    contents = [line.content for line in story.read().lines]
    for start in range(0, len(contents), 100):
        tenant.remember(*contents[start : start + 100], user_id=USER)
    tenant.until_embedded()
    path = f"/v1/agents/{tenant.agent_id}/directive"
    assert tenant.client.put(path, json={"text": "You work at a guesthouse."}).is_success
    yield litellm_proxy
    assert tenant.client.put(path, json={"text": ""}).is_success
    litellm_proxy.gate.options = {}


class Conversations:
    """Sends each request of a conversation when what the one before was told is recorded."""

    def __init__(self, proxy: Proxy, shape: str, *, stream: bool = False) -> None:
        self._proxy, self._send = proxy, SHAPES[shape]
        self._stream = stream
        self._redis = redis.Redis.from_url(proxy.tenant.stack.redis_url)

    def with_memory(self, talk: Talk, memory_tokens: int | None = None) -> Asked:
        """Within this budget, else the default."""
        gate, asked = self._proxy.gate, Asked(talk)
        limit = {} if memory_tokens is None else {"memory_tokens": memory_tokens}
        gate.options = {"placement": "turn", **limit}
        gate.assembled.clear()
        known = set(self._records())
        for messages in talk:
            asked.arrived.append(self._whole(messages))
            self._until_told(known, sum(message["role"] == "user" for message in messages))
        (session,) = {body.get("session_id") for body in gate.assembled}
        assert session
        return asked

    def without_memory(self, talk: Talk) -> Asked:
        asked = Asked(talk)
        for messages in talk:
            self._ask(messages, SKIP)
            asked.arrived += self._proxy.model.given
        return asked

    def _whole(self, messages: list[Message]) -> dict[str, Any]:
        """What arrived with an answer that no source was late for: a busy machine is asked again."""
        for _ in range(TRIES):
            answer = self._ask(messages, UNCAPTURED)
            if "x-context-fallback" not in answer.headers:
                break
        assert "x-context-fallback" not in answer.headers, answer.headers["x-context-fallback"]
        (arrived,) = self._proxy.model.given
        return arrived

    def _ask(self, messages: list[Message], headers: Mapping[str, str]) -> httpx.Response:
        shape, fields = self._send(messages)
        if any(message["role"] == "tool" for message in messages):
            fields |= {"tools": TOOLS if shape == "chat" else ANTHROPIC_TOOLS}
        answer = self._proxy.ask(shape, user=USER, stream=self._stream, headers=headers, **fields)
        assert answer.status_code == 200, answer.text
        return answer

    def _records(self) -> list[bytes]:
        return list(self._redis.scan_iter("*:told:*", count=1000))

    def _until_told(self, known: Collection[bytes], number: int) -> None:
        """Returns when the last block of the session that was not known has this number."""
        end = time.monotonic() + 30
        while number not in {
            int(name.split()[0])
            for key in self._records()
            if key not in known
            for name in self._redis.hkeys(key)
            if b" " in name
        }:
            assert time.monotonic() < end, "what was told is not recorded"
            time.sleep(0.005)


def _chat(messages: list[Message]) -> tuple[str, dict[str, Any]]:
    return "chat", {"model": OPENAI_MODEL, "messages": messages}


def _anthropic(messages: list[Message]) -> tuple[str, dict[str, Any]]:
    """The client marks its system part and the last message."""
    system, *said = messages
    sent: list[dict[str, Any]] = []
    for message in said:
        content = [{"type": "text", "text": message["content"]}]
        if message["role"] == "tool":
            content = [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}]
        elif "tool_calls" in message:
            calls = message["tool_calls"]
            content = [{"type": "tool_use", "id": one["id"], "name": "find_booking", "input": {}} for one in calls]
        sent.append({"role": "assistant" if message["role"] == "assistant" else "user", "content": content})
    sent[-1]["content"][-1] |= MARK
    marked = [{"type": "text", "text": system["content"], **MARK}]
    return "messages", {"model": ANTHROPIC_MODEL, "system": marked, "messages": sent}


SHAPES = {"chat": _chat, "messages": _anthropic}
CACHES: dict[str, Callable[[], AutomaticCache | BreakpointCache]] = {
    "chat": AutomaticCache,
    "messages": BreakpointCache,
}


def named(talk: Iterator[list[Message]], name: str) -> Talk:
    """The conversation with a system message of its own: one that begins like another is the same session."""
    return [[{**system, "content": f"{system['content']}\n{name}"}, *said] for system, *said in talk]


def counted(asked: Asked, cache: AutomaticCache | BreakpointCache, encode: Encode) -> Count:
    """What the provider has in its cache of all requests."""
    total = Count()
    for body in asked.arrived:
        prompt = body["messages"] if isinstance(cache, AutomaticCache) else prompt_cost.blocks_of(body)
        total += cache.count(prompt, prompt_cost.tokens_of(prompt, encode))
    return total


def blocks(message: Message) -> list[str]:
    content = message["content"] or ""
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    return re.findall(r"<memories-\d{9}>\n(.*?)</memories-\d{9}>\n", text, re.DOTALL)


def require_good(asked: Asked) -> None:
    """The client's messages are intact, no provider refuses the prompts, and none has a memory twice."""
    for body, messages in zip(asked.arrived, asked.talk, strict=True):
        own, sent = body["messages"], messages
        assert [_without_injected(one) for one in own] == sent
        rules = (placements.one_first_system, placements.alternation, placements.tool_results)
        assert not [problem for rule in rules for problem in rule(own)]
        lines = [line for one in own for block in blocks(one) for line in block.splitlines() if line.startswith("- ")]
        assert len(lines) == len(set(lines))
    new = [str(found) for body in asked.arrived if (found := blocks(body["messages"][-1]))]
    assert len(set(new)) == len(new) >= TURNS // 2


def _without_injected(message: Message) -> Message:
    content = message["content"]
    return {**message, "content": placement.without_injected(content)} if isinstance(content, str) else message


@pytest.fixture(scope="module")
def alone(proxy: Proxy, talks: prompt_cache.Talks, encode: Encode) -> Count:
    """Twenty turns without memory, as OpenAI counts."""
    talk = list(talks.turns(TURNS))
    return counted(Conversations(proxy, "chat").without_memory(talk), AutomaticCache(), encode)


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("memory_tokens", BUDGETS)
def test_twenty_turns_with_other_memories_each_stay_in_the_cache_as_without(
    proxy: Proxy, talks: prompt_cache.Talks, encode: Encode, alone: Count, memory_tokens: int | None, stream: bool
) -> None:
    talk = named(talks.turns(TURNS), f"{memory_tokens} {stream}")

    asked = Conversations(proxy, "chat", stream=stream).with_memory(talk, memory_tokens)

    require_good(asked)
    found = counted(asked, AutomaticCache(), encode)
    assert found.tokens > alone.tokens
    assert found.cached_share >= SHARE * alone.cached_share


def test_the_marks_of_a_client_of_anthropic_hold_for_twenty_turns(
    proxy: Proxy, talks: prompt_cache.Talks, encode: Encode
) -> None:
    talk = named(talks.turns(TURNS), "of Anthropic")
    conversations = Conversations(proxy, "messages", stream=True)

    alone = counted(conversations.without_memory(talk), BreakpointCache(), encode)
    asked = conversations.with_memory(talk, FEW_TOKENS)

    assert counted(asked, BreakpointCache(), encode).cached_share >= SHARE * alone.cached_share
    for body in asked.arrived:
        assert not placements.alternation(body["messages"])
        marked = [block["marked"] for block in prompt_cost.blocks_of(body)]
        # That of the client's system part is not the last one there: the directive follows.
        assert (marked[0], marked[-1], sum(marked)) == (True, True, 2)


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize("shape", SHAPES)
def test_in_a_tool_loop_the_prompt_only_grows(
    proxy: Proxy, talks: prompt_cache.Talks, encode: Encode, shape: str, stream: bool
) -> None:
    talk = named(talks.tool_loop(), f"loop {shape} {stream}")
    conversations, cache = Conversations(proxy, shape, stream=stream), CACHES[shape]

    alone, asked = conversations.without_memory(talk), conversations.with_memory(talk)

    for before, after in pairwise(body["messages"] for body in asked.arrived):
        assert _without_marks(after[: len(before)]) == _without_marks(before)
    assert blocks(asked.arrived[0]["messages"][-1])
    assert counted(asked, cache(), encode).cached_share >= counted(alone, cache(), encode).cached_share


def _without_marks(messages: Sequence[Message]) -> str:
    return json.dumps(messages).replace(f", {json.dumps(MARK)[1:-1]}", "")
