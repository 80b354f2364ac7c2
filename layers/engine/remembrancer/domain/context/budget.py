"""The number of tokens left for memories in a model's window."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.domain.context.token_counts import ClientTokens, TokenCount

CONSTRAINED_BELOW = 1000
MESSAGES_OVERHEAD = 3
MESSAGE_OVERHEAD = 4
MOST_CHARACTERS_PER_TOKEN = 8
"""No ordinary text has more characters per token: a budget computed with it is too large rather than too small."""
SMALLEST_MEMORY = 9
"""Tokens of a memory of one word, with its wrapper."""
FEWEST_ROWS = 50
MOST_ROWS = 150
"""Candidates of the search by vectors, at most; of the others, the next two."""
LEXICAL_ROWS = 100
HOT_ROWS = 20
MEMORY_TOKENS = 2000
"""The most tokens of injected memories where neither the request nor its organization says it."""
TOKENS_PER_ROW = 10
"""Tokens of the budget for each candidate beyond `FEWEST_ROWS`."""
IMAGE_TOKENS = 765
"""Estimated tokens of one image part: a 1024 × 1024 image at high detail with OpenAI's tile rule."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The terms of the budget formula, in tokens; `pinned` are those of the block of pinned memories, `told` those of
    blocks before earlier messages. `exact` is False when a count was estimated.
    """

    window: int
    reserve: int
    safety: int
    messages: int
    tools: int
    directive: int
    pinned: int
    formatter: int
    told: int
    memory: int
    constrained: bool
    memory_tokens: int
    available: int
    model_known: bool
    tokenizer: str
    exact: bool

    def as_json(self) -> dict[str, Any]:
        """The terms under their wire names."""
        # No `asdict`, which copies deeply.
        return {name: getattr(self, name) for name in self.__slots__}


def texts_of(message: Mapping[str, Any]) -> tuple[list[str], int]:
    """The texts of a message that cost tokens, each to be counted alone, and the fixed tokens of the rest.

    The texts are its role, its content or parts, and further fields; the fixed tokens are overhead and image parts.
    `MESSAGES_OVERHEAD` comes once for all messages.
    """
    fixed = MESSAGE_OVERHEAD
    content = message.get("content")
    texts = [str(message.get("role", ""))]
    if isinstance(content, str):
        texts.append(content)
    elif isinstance(content, list):
        for part in content:
            text, tokens = _content_part(part)
            texts.append(text)
            fixed += tokens
    rest = {key: value for key, value in message.items() if key not in {"role", "content"} and value}
    if rest:
        texts.append(json.dumps(rest, ensure_ascii=False))
    return texts, fixed


def tool_text(tools: Sequence[Any]) -> str:
    """The serialized tool schemas, as text for counting tokens."""
    return json.dumps(list(tools), ensure_ascii=False) if tools else ""


def characters(messages: Sequence[Mapping[str, Any]]) -> int:
    """Characters of the messages' texts; parts that are not text count nothing."""
    total = 0
    for message in messages:
        content = message.get("content")
        if isinstance(content, str):
            total += len(content)
        elif isinstance(content, list):
            texts = (part.get("text") for part in content if isinstance(part, Mapping))
            total += sum(len(text) for text in texts if isinstance(text, str))
    return total


def expected_memory(profile: ModelProfile, message_characters: int) -> int:
    """An upper estimate of the tokens left for memories, computed before tokens are counted."""
    messages = message_characters // MOST_CHARACTERS_PER_TOKEN
    return max(0, profile.window - _reserve(profile) - _safety(profile) - messages)


def rows_for(memory_tokens: int) -> int:
    """How many candidates to request: more for more tokens, none where no line would fit."""
    if memory_tokens < SMALLEST_MEMORY:
        return 0
    return min(MOST_ROWS, FEWEST_ROWS + memory_tokens // TOKENS_PER_ROW)


def compute(
    profile: ModelProfile,
    client: ClientTokens,
    *,
    directive: TokenCount,
    formatter: int,
    memory_tokens: int,
    pinned: int = 0,
    told: int = 0,
) -> Budget:
    """The budget formula of the specification; `available` is the limit for packing."""
    reserve, safety = _reserve(profile), _safety(profile)
    taken = client.messages + client.tools + directive.tokens + pinned + formatter + told
    memory = max(0, profile.window - reserve - safety - taken)
    return Budget(
        window=profile.window,
        reserve=reserve,
        safety=safety,
        messages=client.messages,
        tools=client.tools,
        directive=directive.tokens,
        pinned=pinned,
        formatter=formatter,
        told=told,
        memory=memory,
        constrained=memory < CONSTRAINED_BELOW,
        memory_tokens=memory_tokens,
        available=min(memory, memory_tokens),
        model_known=profile.known,
        tokenizer=profile.tokenizer_family,
        exact=client.exact and directive.exact,
    )


def _reserve(profile: ModelProfile) -> int:
    return int(max(500, min(0.15 * profile.window, profile.max_output_tokens, 4096)))


def _safety(profile: ModelProfile) -> int:
    return int(profile.safety_fraction * profile.window)


def _content_part(part: object) -> tuple[str, int]:
    if not isinstance(part, Mapping):
        return str(part), 0
    if isinstance(part.get("text"), str):
        return part["text"], 0
    if part.get("type") in {"image_url", "input_image", "image"}:
        return "", IMAGE_TOKENS
    return json.dumps(part, ensure_ascii=False), 0
