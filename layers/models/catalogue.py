"""The catalogue of chat models: their windows, from litellm's table, and the tokenizer that counts for each.

`derive` reads litellm's `model_prices_and_context_window` table and keeps, for each chat model, the largest input, the
largest output and a tokenizer family. A name that providers decorate (`us.anthropic.claude-opus-4-1-20250805-v1:0`) is
entered under its plain form as well, with and without its date, with the smallest figures any provider gives it.
"""

import re
from collections.abc import Mapping
from typing import Any

from tiktoken.model import encoding_name_for_model

CHAT_MODES = {"chat", "completion", "responses"}
# Tiktoken's names of vocabularies that give the same tokens for plain text.
ENCODINGS = {"o200k_base": "o200k_base", "o200k_harmony": "o200k_base", "cl100k_base": "cl100k_base"}

DATE = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")

# name -> [largest input, largest output or null, family]
Entry = tuple[int, int | None, str]


def derive(table: Mapping[str, Mapping[str, Any]]) -> dict[str, Entry]:
    """Chat models by lower-case name, sorted; models whose largest input is not stated are left out."""
    models: dict[str, Entry] = {}
    plain: dict[str, Entry] = {}
    for name, facts in table.items():
        window = _positive(facts.get("max_input_tokens")) or _positive(facts.get("max_tokens"))
        if facts.get("mode") not in CHAT_MODES or window is None or "*" in name:
            continue
        bare = plain_name(name)
        entry = (window, _positive(facts.get("max_output_tokens")), tokenizer_family(bare))
        models[name.lower()] = entry
        for alias in {bare, DATE.sub("", bare)}:
            plain[alias] = _smaller(plain[alias], entry) if alias in plain else entry
    return dict(sorted({**plain, **models}.items()))


def plain_name(name: str) -> str:
    """The model's own name: without provider, region, `ft:` and Bedrock's version.

    `openrouter/anthropic/claude-opus-4.1` gives `claude-opus-4.1`, `us.amazon.nova-pro-v1:0` gives `nova-pro`.
    """
    name = name.lower().rsplit("/", 1)[-1].removeprefix("ft:")
    name = re.sub(
        r"^(?:[a-z]{2,6}(?:-gov)?\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral"
        r"|moonshot(?:ai)?|nvidia|openai|qwen|twelvelabs|writer|xai|zai)\.",
        "",
        name,
    )
    return re.sub(r"(?:-v\d+)?:\d+$", "", name).replace("@", "-")


def tokenizer_family(bare: str) -> str:
    """`o200k_base` or `cl100k_base` where tiktoken knows the model, else `claude`, `claude_4_7` or `other`.

    Claude Opus 4.7 came with a new tokenizer, which the models after it have as well. A Claude model without a version
    in its name is taken for a new one, whose counts are larger.
    """
    try:
        return ENCODINGS.get(encoding_name_for_model(bare), "other")
    except KeyError:
        if "claude" not in bare:
            return "other"
    version = re.search(r"claude-(?:[a-z]+-)?v?(\d)(?:[-.](\d{1,2}))?(?!\d)", bare)
    earlier = version is not None and (int(version[1]), int(version[2] or 0)) < (4, 7)
    return "claude" if earlier else "claude_4_7"


def _positive(value: object) -> int | None:
    return int(value) if isinstance(value, (int, float)) and value > 0 else None


def _smaller(one: Entry, other: Entry) -> Entry:
    outputs = [output for output in (one[1], other[1]) if output is not None]
    return min(one[0], other[0]), min(outputs, default=None), one[2]
