"""A language model behind the chat-completions protocol, which most servers speak."""

from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.models import StructuredAnswer


class OpenAiLanguageModel:
    """Serves the LanguageModel port.

    The server's URL ends before `/chat/completions`, usually with `/v1`.
    """

    def __init__(self, server: JsonServer, model: str) -> None:
        self._server = server
        self._model = model

    @property
    def name(self) -> str:
        return self._model

    async def complete(self, instruction: str, prompt: str, *, most_tokens: int) -> str:
        """Returns the first choice's text; empty when the model returned none."""
        return (await self.chat(_messages(instruction, prompt), most_tokens=most_tokens, temperature=0.7)).text

    async def answer(
        self, instruction: str, prompt: str, schema: Mapping[str, Any], *, most_tokens: int
    ) -> StructuredAnswer:
        """Asks for structured output; a server that does not know it may answer with any text."""
        return await self.chat(_messages(instruction, prompt), most_tokens=most_tokens, schema=schema)

    async def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        most_tokens: int,
        temperature: float = 0,
        schema: Mapping[str, Any] | None = None,
    ) -> StructuredAnswer:
        """The first choice's text for these messages, by the schema if there is one."""
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "max_tokens": most_tokens,
            "temperature": temperature,
        }
        if schema is not None:
            form = {"name": "answer", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        answer = await self._server.post("/chat/completions", body)
        text, usage = _text(answer), answer.get("usage")
        return StructuredAnswer(text, _tokens(usage, "prompt_tokens"), _tokens(usage, "completion_tokens"))


_MOST_TOKENS = 1 << 30
"""More than any call uses; a server may say anything."""


def _messages(instruction: str, prompt: str) -> list[Mapping[str, str]]:
    return [{"role": "system", "content": instruction}, {"role": "user", "content": prompt}]


def _tokens(usage: Any, name: str) -> int:
    tokens = usage.get(name) if isinstance(usage, Mapping) else None
    return min(max(tokens, 0), _MOST_TOKENS) if type(tokens) is int else 0


def _text(answer: Any) -> str:
    """Joins the parts of a content. Raises an error for anything but a completion."""
    try:
        content = answer["choices"][0]["message"]["content"]
    except (LookupError, TypeError) as error:
        raise StoreUnavailable("The answer is not a completion", cause="NoCompletion") from error
    if isinstance(content, str) or content is None:
        return content or ""
    if not isinstance(content, Sequence):
        raise StoreUnavailable("The answer is no text", cause="NoCompletion")
    texts = [part.get("text") for part in content if isinstance(part, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))
