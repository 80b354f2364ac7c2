"""HTTP requests that this process answers itself: a client's transport without a network."""

import asyncio
import base64
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx

Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]
# Not the loop's own threads: handlers wait here for work that needs those, so enough calls at once would wait for ever.
_THREADS = ThreadPoolExecutor(max_workers=64, thread_name_prefix="own-handlers")


@dataclass(frozen=True, slots=True)
class OwnInvocation:
    """Lambda's context, with the attributes that handlers use."""

    aws_request_id: str
    remaining_ms: float
    since: float = field(default_factory=time.monotonic)

    def get_remaining_time_in_millis(self) -> float:
        """Milliseconds left, counting down from `remaining_ms`."""
        return self.remaining_ms - (time.monotonic() - self.since) * 1000


class OwnHandlers(httpx.AsyncBaseTransport):
    """Passes each request to a Lambda handler as an API Gateway event, in a worker thread.

    Handlers wait for the event loop, so they cannot run on it. `headers` override the request's own. `context` is that
    of the enclosing event; `place` is its `requestContext`, in payload 2.0, without `http`.
    """

    def __init__(
        self,
        handler: Handler,
        *,
        headers: Mapping[str, str],
        address: str,
        place: Mapping[str, Any],
        context: OwnInvocation,
    ) -> None:
        self._handler = handler
        self._headers = headers
        self._address = address
        self._place = place
        self._context = context

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """The handler's answer; its exceptions become connection errors."""
        event = {
            "version": "2.0",
            "rawPath": request.url.path,
            "queryStringParameters": dict(request.url.params),
            "headers": {**request.headers, **self._headers},
            "requestContext": {**self._place, "http": {"method": request.method, "sourceIp": self._address}},
            "body": base64.b64encode(await request.aread()).decode(),
            "isBase64Encoded": True,
        }
        call = partial(copy_context().run, self._handler, event, self._context)
        answer = await asyncio.get_running_loop().run_in_executor(_THREADS, call)
        body = answer["body"]
        content = base64.b64decode(body) if answer["isBase64Encoded"] else body.encode()
        return httpx.Response(answer["statusCode"], headers=answer["headers"], content=content)
