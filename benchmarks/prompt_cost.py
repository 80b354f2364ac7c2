"""How many tokens of a prompt a provider has in its cache, and what the prompts of a million chats cost.

A message's tokens are those of its role and content in order, so that equal messages have equal tokens wherever they
stand. Caches are those of one conversation: what other conversations share with it is not counted.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]
Prompt = Sequence[tuple[int, ...]]
"""The tokens of each message."""

LEAST = 1_024
"""Both providers cache nothing shorter."""
STEP = 128
PRICES_OF = "2025-10"
"""The month of the price lists, as far as they were known when this was written: to be checked before they are used."""


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for a million input tokens: new ones, cached ones, and those that are written to the cache."""

    model: str
    provider: str
    new: float
    cached: float
    written: float


PRICES = (
    Price("GPT-4o", "openai", 2.50, 1.25, 2.50),
    Price("GPT-4.1", "openai", 2.00, 0.50, 2.00),
    Price("GPT-5", "openai", 1.25, 0.125, 1.25),
    Price("Claude Sonnet 4.5", "anthropic", 3.00, 0.30, 3.75),
)


@dataclass(frozen=True, slots=True)
class Count:
    """Input tokens of one request, or of several: all of them, those that were cached, those that were written."""

    tokens: int = 0
    cached: int = 0
    written: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(self.tokens + other.tokens, self.cached + other.cached, self.written + other.written)

    @property
    def cached_share(self) -> float:
        """0 without tokens."""
        return self.cached / self.tokens if self.tokens else 0.0

    def dollars(self, price: Price) -> float:
        """What these tokens cost."""
        new = self.tokens - self.cached - self.written
        return (new * price.new + self.cached * price.cached + self.written * price.written) / 1_000_000


def serialized(message: Message) -> str:
    """Role and content, and the calls and the call's id of a tool loop; equal for equal messages."""
    content = message.get("content") or ""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, sort_keys=True)
    rest = {name: message[name] for name in ("tool_calls", "tool_call_id") if name in message}
    calls = json.dumps(rest, ensure_ascii=False, sort_keys=True) if rest else ""
    return f"{message.get('role', '')}\n{text}{calls}\n"


def tokens_of(messages: Sequence[Message], encode: Callable[[str], Sequence[int]]) -> Prompt:
    """The tokens of each message by `encode`."""
    return [tuple(encode(serialized(message))) for message in messages]


def blocks_of(body: Mapping[str, Any]) -> list[Message]:
    """A request to Anthropic as messages of one block each, in the order of its prompt; `marked` is what it marks."""
    said = [{"role": "system", "content": body.get("system") or []}, *body["messages"]]
    blocks: list[Message] = []
    for message in said:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            own = {name: value for name, value in block.items() if name != "cache_control"}
            blocks.append({"role": message["role"], "content": [own], "marked": "cache_control" in block})
    return blocks


def common_tokens(before: Prompt, now: Prompt) -> int:
    """The length of the beginning that both have, in tokens."""
    common = 0
    for old, new in zip(before, now, strict=False):
        if old == new:
            common += len(new)
            continue
        return common + next((place for place, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    return common


def first_difference(before: Sequence[Message], now: Sequence[Message]) -> dict[str, Any] | None:
    """Where a prompt first differs from the one before it; None where it only grew at its end."""
    for place, old in enumerate(before):
        was, new = serialized(old), serialized(now[place]) if place < len(now) else ""
        if was != new:
            at = next((at for at, (a, b) in enumerate(zip(was, new, strict=False)) if a != b), min(len(was), len(new)))
            start = max(at - 20, 0)
            return {
                "message": place,
                "from_end": len(before) - place,
                "role": old.get("role"),
                "character": at,
                "before": was[start : at + 60],
                "now": new[start : at + 60],
            }
    return None


@dataclass(slots=True)
class AutomaticCache:
    """OpenAI's: the longest beginning that the prompt has in common with an earlier one, in steps of 128 tokens."""

    _prompts: list[Prompt] = field(default_factory=list)

    def count(self, messages: Sequence[Message], prompt: Prompt) -> Count:
        """Counts the request and keeps its prompt."""
        longest = max((common_tokens(before, prompt) for before in self._prompts), default=0)
        self._prompts.append(prompt)
        return Count(sum(map(len, prompt)), longest // STEP * STEP if longest >= LEAST else 0)


@dataclass(slots=True)
class BreakpointCache:
    """Anthropic's: what ends at a mark of the client is written, and read by a later prompt that begins with all of it.

    Where no message says whether it is `marked`, the marks are the end of the system part and of the last message that
    is not the model's own.
    """

    _written: set[tuple[tuple[int, ...], ...]] = field(default_factory=set)

    def count(self, messages: Sequence[Message], prompt: Prompt) -> Count:
        """Counts the request and keeps what ends at its marks."""
        ends = [end for end in range(1, len(prompt) + 1) if tuple(prompt[:end]) in self._written]
        read = _length(prompt[: ends[-1]]) if ends else 0
        marks = _marks(messages)
        longest = max((_length(prompt[:mark]) for mark in marks), default=0)
        self._written.update(tuple(prompt[:mark]) for mark in marks if _length(prompt[:mark]) >= LEAST)
        return Count(_length(prompt), read, max(longest - read, 0) if longest >= LEAST else 0)


def _marks(messages: Sequence[Message]) -> list[int]:
    """The numbers of messages before each mark. The result of a tool is a user message there."""
    if any("marked" in message for message in messages):
        return [place for place, message in enumerate(messages, start=1) if message.get("marked")]
    roles = [message.get("role") for message in messages]
    system = next((place for place, role in enumerate(roles) if role not in ("system", "developer")), len(roles))
    said = max((place for place, role in enumerate(roles) if role in ("user", "tool")), default=-1) + 1
    return [mark for mark in (system, said) if mark]


def _length(prompt: Prompt) -> int:
    return sum(map(len, prompt))
