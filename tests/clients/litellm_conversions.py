"""Converts chats as LiteLLM does for each provider, in LiteLLM's environment: chats on stdin, results on stdout.

A provider's result is the list of messages that it would get, or the name of the error.
"""

import copy
import json
import sys
from collections.abc import Callable
from typing import Any

from jinja2.sandbox import ImmutableSandboxedEnvironment
from litellm import AnthropicConfig, MistralConfig, OpenAIGPTConfig
from litellm.completion_extras.litellm_responses_transformation.transformation import (
    LiteLLMResponsesTransformationHandler,
)
from litellm.llms.vertex_ai.gemini.transformation import (
    _gemini_convert_messages_with_history,
    _transform_system_message,
)

STRICT = """
{%- for message in messages %}
  {%- if message.role == "system" %}
    {%- if not loop.first %}{{ refuse("System message must be at the beginning.") }}{% endif %}
  {%- elif message.role not in ("user", "assistant") %}{{ refuse("Unknown role.") }}
  {%- endif %}
{%- endfor %}
{%- for message in messages | rejectattr("role", "equalto", "system") %}
  {%- if (message.role == "user") != (loop.index0 % 2 == 0) %}{{ refuse("Roles must alternate.") }}{% endif %}
  {{- message.role }}: {{ message.content }}
{% endfor %}
"""
"""What the templates of several open models ask of a chat."""


def _refuse(reason: str) -> None:
    raise ValueError(reason)


def strict_template(messages: list[Any]) -> list[Any]:
    environment = ImmutableSandboxedEnvironment()
    environment.globals["refuse"] = _refuse
    environment.from_string(STRICT).render(messages=messages)
    return messages


def anthropic(messages: list[Any]) -> list[Any]:
    body = AnthropicConfig().transform_request("claude-sonnet-4-5", messages, {"max_tokens": 10}, {}, {})
    return list(body["messages"])


def anthropic_system(messages: list[Any]) -> list[Any]:
    body = AnthropicConfig().transform_request("claude-sonnet-4-5", messages, {"max_tokens": 10}, {}, {})
    return list(body.get("system", []))


def gemini(messages: list[Any]) -> list[Any]:
    _, others = _transform_system_message(supports_system_message=True, messages=messages)
    return [dict(content) for content in _gemini_convert_messages_with_history(messages=others)]


def mistral(messages: list[Any]) -> list[Any]:
    return list(MistralConfig()._transform_messages(messages, "mistral-large-latest"))


def openai(messages: list[Any]) -> list[Any]:
    return list(OpenAIGPTConfig().transform_request("gpt-4o", messages, {}, {}, {})["messages"])


def responses(messages: list[Any]) -> list[Any]:
    items, _ = LiteLLMResponsesTransformationHandler().convert_chat_completion_messages_to_responses_api(messages)
    return list(items)


PROVIDERS: tuple[Callable[[list[Any]], list[Any]], ...] = (
    strict_template,
    openai,
    responses,
    anthropic,
    anthropic_system,
    gemini,
    mistral,
)


def converted(messages: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for provider in PROVIDERS:
        try:
            found[provider.__name__] = provider(copy.deepcopy(messages))
        except Exception as error:
            found[provider.__name__] = type(error).__name__
    return found


if __name__ == "__main__":
    json.dump([converted(chat) for chat in json.load(sys.stdin)], sys.stdout, default=str)
