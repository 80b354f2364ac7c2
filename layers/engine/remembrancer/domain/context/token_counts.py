"""Token counts: exact where the tokenizer is public, else estimated from another tokenizer's count."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

ESTIMATE_BASE = "cl100k_base"
ESTIMATE_FACTORS: Mapping[str, float] = {"claude": 1.3, "claude_4_7": 1.65, "other": 1.3}
"""Tokenizers that are not public: their tokens per token of cl100k_base, too high rather than too low."""


class TokenCount(NamedTuple):
    """Tokens of one text; `exact` is false for an estimate, which is meant to be too high rather than too low.

    A tuple, which takes a quarter of the time of a frozen class to make: a request makes a hundred.
    """

    tokens: int
    exact: bool


def estimate(base_tokens: int, family: str) -> int:
    """Estimated tokens in a family whose tokenizer is not public, from `base_tokens` of `ESTIMATE_BASE`."""
    return math.ceil(base_tokens * ESTIMATE_FACTORS.get(family, ESTIMATE_FACTORS["other"]))


@dataclass(frozen=True, slots=True)
class ClientTokens:
    """Tokens of the client's messages and tools; `exact` False when estimated. `each` are those of each message,
    `tool_text` is the text that was counted for the tools.
    """

    messages: int
    tools: int
    exact: bool
    each: Sequence[int] = ()
    tool_text: str = ""


def in_family(tokens: Mapping[str, int], family: str) -> int:
    """The count of `family` from a text's exact counts by family, estimated where it has none; at least 1."""
    return max(tokens[family] if family in tokens else estimate(tokens[ESTIMATE_BASE], family), 1)


def part_in_family(part: int, tokens: Mapping[str, int], family: str) -> int:
    """What a part of the text adds at least to the result of `in_family`; `part` is its exact count."""
    factor = 1.0 if family in tokens else ESTIMATE_FACTORS.get(family, ESTIMATE_FACTORS["other"])
    return math.floor(part * factor)
