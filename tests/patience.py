"""HTTP clients that send a request again where the service says `unavailable; retry`, as every client should.

Every wait of the service for a dependency is bounded, and a busy machine misses a bound now and then. That is an
honest answer, and no test of content depends on it. Anything else, as status 500, is answered to the test.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import httpx

from local.stack import Stack

TRIES = 4
PAUSE_SECONDS = 0.5
MOST = 20
"""More of such answers in one process are no accident of a busy machine."""


@dataclass(slots=True)
class Count:
    """How many answers were `unavailable` in this process."""

    answers: int = 0

    def add(self, response: httpx.Response) -> None:
        self.answers += 1
        assert self.answers <= MOST, f"the {self.answers}th answer that is unavailable: {response.text}"


_count = Count()


def is_unavailable(response: httpx.Response) -> bool:
    """Whether this is the service's own refusal, in the form of HTTP or of Connect."""
    if response.status_code != httpx.codes.SERVICE_UNAVAILABLE:
        return False
    try:
        body = json.loads(response.content)
    except ValueError:
        return False
    return isinstance(body, dict) and "unavailable" in {body.get("code"), (body.get("error") or {}).get("code")}


class _Transport(httpx.HTTPTransport):
    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for left in reversed(range(TRIES)):
            response = super().handle_request(request)
            # A stream of another status is read by the test.
            if response.status_code != httpx.codes.SERVICE_UNAVAILABLE or not left:
                break
            response.read()
            if not is_unavailable(response):
                break
            _count.add(response)
            time.sleep(PAUSE_SECONDS)
        return response


def client(
    stack: Stack, headers: Mapping[str, str] = MappingProxyType({}), *, local_address: str | None = None
) -> httpx.Client:
    """A client of the service."""
    # Loading certificates takes longer than a request.
    transport = _Transport(verify=False, local_address=local_address)
    return httpx.Client(base_url=stack.url, headers=headers, timeout=30, transport=transport)


async def sent(send: Callable[[], Awaitable[httpx.Response]]) -> list[httpx.Response]:
    """All answers; the last one is the one that counts."""
    answers = [await send()]
    while len(answers) < TRIES and is_unavailable(answers[-1]):
        _count.add(answers[-1])
        await asyncio.sleep(PAUSE_SECONDS)
        answers.append(await send())
    return answers
