"""Assembly that never fails a chat: bounded in time, checked, and left out while the service does not answer."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import httpx

from remembrancer_client import assembled
from remembrancer_client.assembled import Assembled, Message
from remembrancer_client.calls import named_end_user
from remembrancer_client.circuit_breaker import CircuitBreaker
from remembrancer_client.end_users import BlankEndUser
from remembrancer_client.errors import InvalidAnswer
from remembrancer_client.placeholders import Placeholders
from remembrancer_client.refusals import STATUSES, Refusals
from remembrancer_client.tracing import Span

ROUTE = "/v1/context/assemble"
LARGEST_BODY = 1 << 20
"""Most bytes that the service accepts, as a load balancer passes no more to it; larger requests are not sent."""
ANSWER_FACTOR, ANSWER_BYTES = 6, 512 << 10
"""An answer has at most this multiple of the request's bytes, since escapes may differ, and this many bytes more."""
TIMER_MS = 1.5
"""Waiting ends this long before the bound: timers are up to 1 ms late, and building the result takes time."""
PROBE_S = 2.0
CLOSE_S = 1.0
PROBE_MESSAGES: Sequence[Message] = ({"role": "user", "content": "."},)
LONGEST_RETRY_AFTER_S = 300.0

logger = logging.getLogger("remembrancer_client")

Value = TypeVar("Value")


class Assembly:
    """Each client has one assembly, which belongs to one event loop."""

    def __init__(self, http: httpx.AsyncClient, *, deadline_ms: float, refusals: Refusals, span: Span) -> None:
        self._http = http
        self._deadline_ms = deadline_ms
        self._refusals = refusals
        self._span = span
        self._breaker = CircuitBreaker()
        self._background: set[asyncio.Future[Any]] = set()

    async def assemble(
        self, messages: Sequence[Message], fields: Mapping[str, Any], *, user_id: str | None, deadline_ms: float | None
    ) -> Assembled:
        """Messages that can be sent, whatever happens. Raises only CancelledError, when the caller is cancelled."""
        started = time.perf_counter()
        request_id = str(fields.get("request_id") or uuid.uuid4())
        bound_ms = self._deadline_ms if deadline_ms is None else deadline_ms
        try:
            with self._span("remembrancer.assemble"):
                answer = await self._assemble(
                    messages, {**fields, "request_id": request_id}, user_id, bound_ms, started
                )
        except BlankEndUser:
            answer = Assembled(messages, "blank_end_user")
        except Exception as error:
            # An unexpected exception in this client must not fail a chat either.
            logger.warning("assembly_failed", extra={"cause": type(error).__name__})
            answer = Assembled(messages, f"client_error:{type(error).__name__}")
        elapsed_ms = (time.perf_counter() - started) * 1000
        return Assembled(
            answer.messages,
            answer.reason,
            answer.injected,
            answer.memory_ids,
            request_id,
            elapsed_ms,
            answer.metadata,
            answer.added,
        )

    async def _assemble(
        self,
        messages: Sequence[Message],
        fields: Mapping[str, Any],
        user_id: str | None,
        bound_ms: float,
        started: float,
    ) -> Assembled:
        if self._breaker.is_open:
            # Before the probe is taken: an argument that cannot be sent must not leave it without a result.
            body, header = _probe_request(fields, user_id)
            if self._breaker.take_probe():
                self._begin(self._probe(body, header, bound_ms))
            return Assembled(messages, "circuit_open")
        named, header = named_end_user(user_id)
        placeholders, body = _request(messages, {**fields, **named})
        if len(body) > LARGEST_BODY:
            return Assembled(messages, "too_large")
        left_ms = bound_ms - (time.perf_counter() - started) * 1000
        asking = self._begin(self._ask(body, placeholders.sent, header, left_ms))
        try:
            # Not wait_for: it would wait for a connection to close, and that may take as long as it likes.
            await asyncio.wait({asking}, timeout=max(left_ms - TIMER_MS, 0.0) / 1000)
        finally:
            if not asking.done():
                asking.cancel()
        if not asking.done() or asking.cancelled():
            self._breaker.failed()
            return Assembled(messages, "timeout")
        return placeholders.restored(asking.result())

    async def _ask(
        self, body: bytes, messages: Sequence[Message], header: Mapping[str, str], left_ms: float
    ) -> Assembled:
        try:
            status, headers, content = await self._send(body, header, left_ms)
            answer = _answered(status, headers, content, messages)
        except (httpx.HTTPError, httpx.InvalidURL, OSError):
            self._breaker.failed()
            return Assembled(messages, "unreachable")
        except InvalidAnswer:
            self._breaker.failed()
            return Assembled(messages, "invalid_answer")
        if status == 429:
            self._breaker.open_for(_retry_after_s(headers))
        elif status >= 500 or 300 <= status < 400:
            self._breaker.failed()
        else:
            self._breaker.succeeded()
        if status in STATUSES:
            self._refusals.report(answer.reason, _message(content))
        return answer

    async def _send(self, body: bytes, header: Mapping[str, str], left_ms: float) -> tuple[int, httpx.Headers, bytes]:
        headers = {"content-type": "application/json", "x-deadline-ms": str(max(int(left_ms), 1)), **header}
        largest = ANSWER_FACTOR * len(body) + ANSWER_BYTES
        async with self._http.stream("POST", ROUTE, content=body, headers=headers, follow_redirects=False) as response:
            # Reading half a megabyte in vain takes longer than an assembly.
            if int(response.headers.get("content-length", 0)) > largest:
                raise InvalidAnswer("The answer is too large.")
            parts: list[bytes] = []
            size = 0
            async for part in response.aiter_bytes():
                size += len(part)
                if size > largest:
                    raise InvalidAnswer("The answer is too large.")
                parts.append(part)
            return response.status_code, response.headers, b"".join(parts)

    async def _probe(self, body: bytes, header: Mapping[str, str], bound_ms: float) -> None:
        """Two requests: the first opens a connection, the second has to be in time."""
        succeeded = False
        try:
            for seconds in (PROBE_S, bound_ms / 1000):
                sending = self._send(body, header, bound_ms)
                status, headers, content = await asyncio.wait_for(sending, seconds)
            _answered(status, headers, content, PROBE_MESSAGES)
            succeeded = status < 500 and status != 429 and not 300 <= status < 400
        except (httpx.HTTPError, httpx.InvalidURL, OSError, InvalidAnswer, asyncio.TimeoutError):
            pass
        finally:
            self._breaker.probed(succeeded)

    async def close(self) -> None:
        """Ends what goes on in the background, as opening and closing connections; waits a second at most."""
        if self._background:
            for task in self._background:
                task.cancel()
            await asyncio.wait(self._background, timeout=CLOSE_S)

    def _begin(self, work: Coroutine[Any, Any, Value]) -> asyncio.Future[Value]:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Future[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled():
            # Read, so that asyncio does not report an error that nobody waits for.
            task.exception()


def _request(messages: Sequence[Message], fields: Mapping[str, Any]) -> tuple[Placeholders, bytes]:
    """What stands for the messages' files, and the body with it; data in texts is left out of a body that is too large
    only, as the service searches with texts.
    """
    for in_texts in (False, True):
        placeholders = Placeholders(messages, in_texts=in_texts)
        whole = {**fields, "messages": placeholders.sent}
        body = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
        if len(body) <= LARGEST_BODY:
            break
    return placeholders, body


def _probe_request(fields: Mapping[str, Any], user_id: str | None) -> tuple[bytes, Mapping[str, str]]:
    """Body and headers of a request that injects nothing."""
    named, header = named_end_user(user_id)
    whole = {**fields, **named, "messages": PROBE_MESSAGES, "tools": [], "options": {"max_memories": 0}}
    return json.dumps(whole).encode(), header


def _answered(status: int, headers: httpx.Headers, content: bytes, messages: Sequence[Message]) -> Assembled:
    if status == 200:
        try:
            body = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise InvalidAnswer("The answer is not JSON.") from error
        return assembled.read(body, messages, request_id="")
    return Assembled(messages, _code(content) if 400 <= status < 500 else f"http_{status}")


def _code(content: bytes) -> str:
    error = _error(content)
    code = error.get("code")
    if not isinstance(code, str) or not code:
        raise InvalidAnswer("The refusal is not the service's.")
    return code


def _message(content: bytes) -> str:
    return str(_error(content).get("message", ""))


def _error(content: bytes) -> Mapping[str, Any]:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


def _retry_after_s(headers: httpx.Headers) -> float:
    try:
        seconds = float(headers.get("retry-after", "1"))
    except ValueError:
        seconds = 1.0
    return min(max(seconds, 0.0), LONGEST_RETRY_AFTER_S)
