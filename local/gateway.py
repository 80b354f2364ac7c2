"""A local API Gateway: converts HTTP requests to events of payload 2.0, and functions' answers to HTTP responses."""

import asyncio
import base64
import json
import logging
import secrets
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from aiohttp import StreamReader, web
from multidict import CIMultiDict

from local import http_event
from local.lambda_.invocation import Function, PayloadTooLargeError
from local.routes import Match, RouteTable
from local.servers.ports import require_free
from local.template import Route

MAXIMUM_BODY_BYTES = 10_000_000
"""API Gateway's limit for a request."""

_SET_BY_GATEWAY = frozenset({"x-forwarded-for", "x-forwarded-port", "x-forwarded-proto", "x-amzn-trace-id"})
_NOT_FROM_FUNCTIONS = frozenset({"connection", "content-length", "date", "keep-alive", "server", "transfer-encoding"})
_DEADLINES = ("x-deadline-ms", "connect-timeout-ms")
_logger = logging.getLogger(__name__)

OwnAnswer = Callable[[web.BaseRequest], Awaitable[web.Response]]


class Gateway:
    """Serves routes on `host:port`; port 0 takes a free one.

    A function that takes longer than `integration_timeout_s` gives 503, as HTTP APIs do; the function continues.
    `own`, by `METHOD /path`, are answers of the local stack itself, which no function serves.
    """

    def __init__(
        self,
        routes: Iterable[tuple[Route, Function]],
        *,
        port: int,
        host: str = "127.0.0.1",
        integration_timeout_s: float = 30.0,
        own: Mapping[str, OwnAnswer] | None = None,
    ) -> None:
        self._routes = RouteTable(routes)
        self._host = host
        self._port = port
        self._integration_timeout_s = integration_timeout_s
        self._own = own or {}
        self._runner: web.ServerRunner | None = None
        self.url = ""
        """The base URL without a slash at its end, once started."""

    async def start(self) -> None:
        """Listens on the port; raises PortTakenError."""
        if self._port:
            require_free(self._port, (self._host,), wanted_by="the front door")
        server = _Server(self._answer, request_factory=_request, auto_decompress=False, access_log=None)
        self._runner = web.ServerRunner(server, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, self._port).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"

    async def stop(self) -> None:
        """Stops listening; requests in flight have a second to end."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        request_id = base64.b64encode(secrets.token_bytes(11)).decode()
        path = request.raw_path.partition("?")[0]
        if own := self._own.get(f"{request.method} {path}"):
            return await own(request)
        match = self._routes.match(request.method, path)
        response = await self._respond(request, match, request_id) if match else _message(404, "Not Found")
        response.headers["Apigw-Requestid"] = request_id
        return response

    async def _respond(self, request: web.BaseRequest, match: Match[Function], request_id: str) -> web.Response:
        try:
            body = await _read(request)
        except ConnectionResetError:
            return _message(400, "Bad Request")  # not read by anyone: the client closed the connection while sending
        if body is None:
            return _message(413, "Request Entity Too Large")
        return await self._invoke(match, _event_request(request, body), request_id)

    async def _invoke(self, match: Match[Function], request: http_event.Request, request_id: str) -> web.Response:
        event = http_event.build(request, route_key=match.key, path_parameters=match.parameters, request_id=request_id)
        trace_id = event["headers"]["x-amzn-trace-id"]
        try:
            async with asyncio.timeout(self._integration_timeout_s):
                result = await match.target.invoke(_payload(event), trace_id=trace_id, delayed=partial(_delayed, event))
        except TimeoutError:
            return _message(503, "Service Unavailable")
        except PayloadTooLargeError:
            return _message(413, "Request Entity Too Large")
        if result.error is not None:
            _logger.warning("function failed", extra={"route": match.key, "error_type": result.error.error_type})
            return _message(500, "Internal Server Error")
        try:
            return _response(http_event.interpret(result.payload))
        except http_event.MalformedResponseError as error:
            _logger.warning("malformed answer", extra={"route": match.key, "reason": str(error)})
            return _message(500, "Internal Server Error")


class _Connection(web.RequestHandler):
    """Answers a client that closed its sending side after a complete request, then closes the connection."""

    __slots__ = ("body",)

    body: StreamReader | None
    """The body of the latest request; it shows whether the request is complete."""

    def eof_received(self) -> bool:  # type: ignore[override]
        """Whether the connection stays open: only if a complete request has no answer yet."""
        idle = self._waiter is not None and not self._waiter.done()
        body = self._messages[-1][1] if self._messages else self.body
        if idle or body is None or not body.is_eof():
            return False
        self.close()
        return True


class _Server(web.Server):
    def __call__(self) -> web.RequestHandler:
        connection = _Connection(self, loop=self._loop, **self._kwargs)
        connection.body = None
        return connection


def _request(message, payload, protocol, writer, task):  # type: ignore[no-untyped-def]
    protocol.body = payload
    return web.BaseRequest(message, payload, protocol, writer, task, asyncio.get_running_loop())


def _payload(event: Mapping[str, Any]) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")


def _delayed(event: Mapping[str, Any], waited_ms: float) -> bytes:
    """The event of a caller that waited for a free instance, with what is left of its deadline.

    Lambda lets nothing wait: there, a request for which no instance is free is refused at once.
    """
    headers = dict(event["headers"])
    for name in _DEADLINES:
        with suppress(KeyError, ValueError, OverflowError):
            # At least 1, since the service refuses a deadline that is not above 0.
            headers[name] = str(max(int(float(headers[name]) - waited_ms), 1))
    return _payload({**event, "headers": headers})


async def _read(request: web.BaseRequest) -> bytes | None:
    """The body, or None when it is larger than API Gateway accepts."""
    if (request.content_length or 0) > MAXIMUM_BODY_BYTES:
        return None
    if request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > MAXIMUM_BODY_BYTES:
            return None
    return bytes(body)


def _event_request(request: web.BaseRequest, body: bytes) -> http_event.Request:
    raw_path, _, raw_query = request.raw_path.partition("?")
    sent = request.headers
    source_ip = request.remote or "127.0.0.1"
    forwarded_for = ", ".join([*sent.getall("X-Forwarded-For", []), source_ip])
    trace_id = sent.get("X-Amzn-Trace-Id") or f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]}"
    headers = [(name, value) for name, value in sent.items() if name.lower() not in _SET_BY_GATEWAY]
    headers += [
        ("x-forwarded-for", forwarded_for),
        ("x-forwarded-port", str((request.get_extra_info("sockname") or ("", 0))[1])),
        ("x-forwarded-proto", "http"),
        ("x-amzn-trace-id", trace_id),
    ]
    protocol = f"HTTP/{request.version.major}.{request.version.minor}"
    return http_event.Request(request.method, raw_path, raw_query, protocol, source_ip, headers, body)


def _response(answer: http_event.Response) -> web.Response:
    headers = CIMultiDict({name: value for name, value in answer.headers.items() if name not in _NOT_FROM_FUNCTIONS})
    headers.extend([("set-cookie", cookie) for cookie in answer.cookies])
    return web.Response(status=answer.status, headers=headers, body=answer.body)


def _message(status: int, message: str) -> web.Response:
    return web.Response(status=status, body=json.dumps({"message": message}).encode(), content_type="application/json")
