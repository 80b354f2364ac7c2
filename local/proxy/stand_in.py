"""A model for machines without a provider's key: its answer is its own input, which shows the injected memories.

An OpenAI-compatible server for chat completions and Responses, to which LiteLLM translates other APIs; with or without
streaming.
"""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiohttp import web

GREETING = "No provider's key is set, so this is the stand-in model. It was given:"


NOTHING_ADDED = (
    "Neither a directive nor a memory was added. Either the agent has none that help with this message, or the service "
    "did not answer in time: ask again, and `.venv/bin/remembrancer doctor` says what is wrong."
)
_ADDED = re.compile(r"<(?:directive|pinned|memories)-\d{9}>")


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, and the tokens that it reports."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0


class StandIn:
    """Serves on a free port of this machine; `says` makes the answer of the messages of a chat completion."""

    def __init__(self, says: Callable[[Sequence[Mapping[str, Any]]], Said] | None = None) -> None:
        self._says = says or (lambda messages: Said(shown(messages)))
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        """Starts the server; `url` is set when it returns."""
        application = web.Application(client_max_size=16 << 20)
        application.router.add_post("/v1/chat/completions", self._chat)
        application.router.add_post("/v1/responses", _responses)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Stops the server; does nothing when it does not run."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        said = self._says(body["messages"])
        common = {"id": "stand-in", "created": int(time.time()), "model": body["model"]}
        if not body.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": said.text}, "finish_reason": "stop"}
            return web.json_response(
                {**common, "object": "chat.completion", "choices": [choice], "usage": _usage(said)}
            )
        deltas = [({"role": "assistant", "content": said.text}, None), ({}, "stop")]
        chunks = [
            {
                **common,
                "object": "chat.completion.chunk",
                "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
            }
            for delta, reason in deltas
        ]
        return _events([*(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks), "data: [DONE]\n\n"])


def shown(messages: Sequence[Mapping[str, Any]]) -> str:
    """All messages with their roles, as the model received them."""
    told = [f"[{one.get('role', '?')}]\n{_text(one.get('content'))}" for one in messages]
    is_added = any(_ADDED.search(text) for text in told)
    return "\n\n".join([GREETING, *told, *([] if is_added else [NOTHING_ADDED])])


def _usage(said: Said) -> dict[str, int]:
    return {
        "prompt_tokens": said.prompt_tokens,
        "completion_tokens": said.answer_tokens,
        "total_tokens": said.prompt_tokens + said.answer_tokens,
    }


async def _responses(request: web.Request) -> web.Response:
    body = await request.json()
    given = body["input"]
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    before = [{"role": "system", "content": body["instructions"]}] if body.get("instructions") else []
    whole = _response(body["model"], shown([*before, *messages]))
    if not body.get("stream"):
        return web.json_response(whole)
    steps = enumerate(_steps(whole))
    return _events([f"event: {one['type']}\ndata: {json.dumps({**one, 'sequence_number': n})}\n\n" for n, one in steps])


def _response(model: str, text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": "resp_stand_in",
        "object": "response",
        "created_at": int(time.time()),
        "status": "completed",
        "model": model,
        "output": [message],
        "usage": {"input_tokens": 0, "output_tokens": 0, "total_tokens": 0},
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def _steps(whole: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of a Responses stream, in the order of OpenAI's API."""
    (message,) = whole["output"]
    (part,) = message["content"]
    place = {"item_id": message["id"], "output_index": 0}
    content = {**place, "content_index": 0}
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}}
    yield {"type": "response.content_part.added", **content, "part": {**part, "text": ""}}
    yield {"type": "response.output_text.delta", **content, "delta": part["text"]}
    yield {"type": "response.output_text.done", **content, "text": part["text"]}
    yield {"type": "response.content_part.done", **content, "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": message}
    yield {"type": "response.completed", "response": dict(whole)}


def _events(events: list[str]) -> web.Response:
    return web.Response(text="".join(events), content_type="text/event-stream")


def _text(content: Any) -> str:
    """The text of a message's content, a string or a list of parts; a part without text is shown by its type."""
    if isinstance(content, list):
        return "\n".join(_text(part) for part in content)
    if isinstance(content, Mapping):
        return str(content.get("text", f"({content.get('type', 'unknown')})"))
    return "" if content is None else str(content)
