"""A capture model that fails on demand: it is late, answers with errors or nonsense, or chooses what nobody said."""

import asyncio
import json
from typing import Any, Literal

from aiohttp import web

from local.evaluation.extractive_model import ExtractiveModel
from remembrancer.domain.context.token_counts import TokenCount

ModelFault = Literal["none", "refuse", "hang", "nonsense", "wrong"]
_NONSENSE = "I would rather talk about the weather."
_WRONG = {
    "turn": 1,
    "quote": "The user has given up the house in Harbour Street.",
    "about_turn": None,
    "about_quote": None,
    "category": "factual",
    "occurred": None,
    "corrects": None,
    "repeats": None,
    "pin": None,
}


class _Words:
    """Counts a token for each word."""

    def count(self, text: str, family: str) -> TokenCount:
        return TokenCount(len(text.split()), exact=False)


class FaultyModel:
    """Serves chat completions of capture on a free port of this machine."""

    def __init__(self) -> None:
        self.fault: ModelFault = "none"
        self.asked = 0
        self._model = ExtractiveModel(_Words())
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        """Starts the server; `url` is set when it returns."""
        application = web.Application(client_max_size=16 << 20)
        application.router.add_post("/v1/chat/completions", self._chat)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Ends the server."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked += 1
        match self.fault:
            case "refuse":
                return web.json_response({"error": {"message": "overloaded"}}, status=503)
            case "hang":
                await asyncio.sleep(60)
        said = self._model.says(body["messages"])
        text = {"nonsense": _NONSENSE, "wrong": json.dumps({"spans": [_WRONG]})}.get(self.fault, said.text)
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": said.prompt_tokens, "completion_tokens": said.answer_tokens}
        answer: dict[str, Any] = {
            "id": "model",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage | {"total_tokens": said.prompt_tokens + said.answer_tokens},
        }
        return web.json_response(answer)
