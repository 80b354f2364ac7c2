"""A language model behind the chat-completions protocol, which most servers speak."""

from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.errors import StoreUnavailable


class OpenAiLanguageModel:
    """Serves the LanguageModel port; the server's URL ends before `/chat/completions`, usually with `/v1`."""

    def __init__(self, server: JsonServer, model: str) -> None:
        self._server = server
        self._model = model

    @property
    def name(self) -> str:
        return self._model

    async def complete(self, instruction: str, prompt: str, *, most_tokens: int) -> str:
        """Returns the first choice's text; empty when the model returned none."""
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": instruction}, {"role": "user", "content": prompt}],
            "max_tokens": most_tokens,
            "temperature": 0.7,
        }
        return _text(await self._server.post("/chat/completions", body))


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
