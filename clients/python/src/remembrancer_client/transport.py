"""Sends every call except assembly: raises typed errors, and retries calls that are safe to repeat."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from typing import Any, TypeVar

import httpx

from remembrancer_client.calls import Call
from remembrancer_client.errors import (
    InvalidAnswer,
    NotReachable,
    Refused,
    RemembrancerError,
    ServiceFailed,
    TooManyRequests,
    refused,
)
from remembrancer_client.tracing import Span

ATTEMPTS = 3
FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 10.0

Answer = TypeVar("Answer")


class Transport:
    """Sends calls of one client, again where that is safe, and reads their answers."""

    def __init__(self, http: httpx.AsyncClient, span: Span, *, timeout_s: float) -> None:
        self._http = http
        self._timeout_s = timeout_s
        self._span = span

    async def run(self, call: Call[Answer]) -> Answer:
        """The call's answer; raises RemembrancerError. Retries wait with jitter, and as long as `Retry-After` says."""
        with self._span(f"remembrancer {call.method} {call.path.split('/')[2] if call.path.count('/') > 1 else ''}"):
            attempt = 1
            while True:
                try:
                    return await self._attempt(call)
                except (NotReachable, ServiceFailed, TooManyRequests) as error:
                    if attempt == ATTEMPTS or not call.is_repeatable:
                        raise
                    await asyncio.sleep(_wait_s(attempt, error))
                    attempt += 1

    async def lines(self, path: str, query: Mapping[str, str], user_id: str | None) -> tuple[list[Any], str | None]:
        """A page of JSON Lines, and the cursor of the next."""

        def read(response: httpx.Response) -> tuple[list[Any], str | None]:
            # Not splitlines: texts may contain other line separators, such as U+2028.
            values = [json.loads(line) for line in response.text.split("\n") if line.strip()]
            return values, response.headers.get("x-next-cursor")

        return await self.run(_Raw("GET", path, read, query=query, user_id=user_id))

    async def _attempt(self, call: Call[Answer]) -> Answer:
        headers = {**call.headers, **call.end_user}
        content = None
        if call.body is not None:
            content = json.dumps(call.body, ensure_ascii=False).encode()
            headers["content-type"] = "application/json"
        sending = self._http.request(
            call.method, call.path, params=call.query, content=content, headers=headers, follow_redirects=False
        )
        try:
            # httpx bounds each read only, so that a server that sends byte by byte would hold the call for ever.
            response = await asyncio.wait_for(sending, self._timeout_s)
        except (httpx.HTTPError, asyncio.TimeoutError) as error:
            raise NotReachable(f"{call.method} {call.path}: {type(error).__name__}") from error
        if response.is_success or response.status_code in call.accepted:
            try:
                return call.read(response if isinstance(call, _Raw) else response.json())
            except (ValueError, RecursionError) as error:
                raise InvalidAnswer(f"{call.method} {call.path} answered no JSON.") from error
        raise _refusal(response)


class _Raw(Call[Answer]):
    """A call whose `read` gets the response, not its JSON."""


def _refusal(response: httpx.Response) -> RemembrancerError:
    try:
        body = response.json()
    except (ValueError, RecursionError):
        body = None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        if 300 <= response.status_code < 400:
            return InvalidAnswer(f"The address redirects ({response.status_code}).")
        # A load balancer's own errors have another shape.
        error = {"code": f"http_{response.status_code}", "message": response.reason_phrase}
    fields = error.get("fields")
    return refused(
        response.status_code,
        str(error.get("code", "")),
        str(error.get("message", "")),
        fields=fields if isinstance(fields, dict) else {},
        request_id=str(body.get("request_id", "")) if isinstance(body, dict) else "",
        retry_after_s=_seconds(response.headers.get("retry-after")),
        body=body if isinstance(body, dict) else None,
    )


def _wait_s(attempt: int, error: RemembrancerError) -> float:
    retry_after_s = error.retry_after_s if isinstance(error, Refused) else None
    jittered = FIRST_WAIT_S * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311
    return min(max(retry_after_s or 0.0, jittered), LONGEST_WAIT_S)


def _seconds(text: str | None) -> float | None:
    try:
        return None if text is None else max(float(text), 0.0)
    except ValueError:
        return None
