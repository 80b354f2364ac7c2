"""Sends assemblies at the times of a Poisson process, whether or not earlier ones have been answered.

The latency of a request counts from the time at which it was due, not from the time at which it could be sent. So a
server that is late makes all that waits behind it late, too, and is not asked less often (no coordinated omission). The
generator is a process of its own, and sends to this machine only.
"""

import asyncio
import itertools
import json
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

LOCAL = "127.0.0.1"
PATIENCE_SECONDS = 2.0
"""After which, or after twice the deadline, a request counts as unanswered, and its connection is closed."""
ZIPF = 1.0
"""The n-th agent is asked as often as 1/n of the first."""
QUESTIONS = (
    "Which room do the Lindqvist sisters get?",
    "What does Tomasz like to cook?",
    "When is the fish delivered?",
    "Who repairs the boiler?",
    "What has the goose done now?",
    "Which guests have allergies?",
)
SOURCES = ("hot", "cold", "lexical")
_HEADERS = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Load:
    """What is sent: `rate` requests a second for `seconds`, the first `skipped_seconds` of which are not reported.

    `agents` are asked by Zipf's law, the first most often. With `callers` the loop is closed instead: so many callers
    that wait for each answer, which tells how much the server does at most.
    """

    url: str
    key: str
    org_id: str
    agents: Sequence[str]
    rate: float = 0.0
    seconds: float = 5.0
    skipped_seconds: float = 0.5
    seed: int = 1
    callers: int = 0
    deadline_ms: float = 0.0
    """The caller's deadline as it is sent; 0 sends none."""
    searches: bool = True
    """Without, the directive alone is asked for."""

    @property
    def patience_seconds(self) -> float:
        """How long an answer is waited for."""
        return max(PATIENCE_SECONDS, 2 * self.deadline_ms / 1000)


@dataclass(frozen=True, slots=True)
class Answered:
    """One request: when it was due in seconds, milliseconds until its answer and until it was sent, both from then.

    `status` is 0 without an answer; `reason` is what the answer lacks.
    """

    due: float
    ms: float
    sent_ms: float
    status: int
    reason: str


class Connections:
    """Kept connections to the server; a request takes an idle one, or opens another."""

    def __init__(self, url: str) -> None:
        """Raises ValueError for another host than this machine."""
        parts = urlsplit(url)
        if parts.hostname != LOCAL or parts.port is None:
            raise ValueError(f"the load goes to {LOCAL} and a port only, not to {url}")
        self._port = parts.port
        self._idle: deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = deque()

    async def send(self, request: bytes) -> tuple[int, str]:
        """The status of the answer, and its `X-Context-Fallback`."""
        connection = self._idle.pop() if self._idle else await asyncio.open_connection(LOCAL, self._port)
        reader, writer = connection
        try:
            writer.write(request)
            head = (await reader.readuntil(_HEADERS)).decode("latin-1").lower()
            await reader.readexactly(int(_header(head, "content-length") or 0))
        except BaseException:
            writer.close()
            raise
        self._idle.append(connection)
        return int(head.split(" ", 2)[1]), _header(head, "x-context-fallback")

    async def close(self) -> None:
        """Closes the idle ones."""
        for _, writer in self._idle:
            writer.close()
        await asyncio.gather(*(writer.wait_closed() for _, writer in self._idle), return_exceptions=True)


def arrivals(rate: float, seconds: float, seed: int) -> list[float]:
    """Seconds from the start at which requests are due: the gaps are exponential. `rate` is above 0."""
    chance = random.Random(seed)
    due, now = [], chance.expovariate(rate)
    while now < seconds:
        due.append(now)
        now += chance.expovariate(rate)
    return due


def requests(load: Load) -> Iterator[bytes]:
    """Requests without end, each with a question that no other has, so that no cache answers it."""
    chance = random.Random(load.seed)
    weights = list(itertools.accumulate(rank**-ZIPF for rank in range(1, len(load.agents) + 1)))
    deadline = f"X-Deadline-Ms: {load.deadline_ms:g}\r\n" if load.deadline_ms else ""
    for number in itertools.count():
        (agent,) = chance.choices(load.agents, cum_weights=weights)
        question = f"{QUESTIONS[number % len(QUESTIONS)]} {load.seed} {number}"
        body: dict[str, Any] = {
            "org_id": load.org_id,
            "agent_id": agent,
            "model": "gpt-4o",
            "request_id": f"{load.seed}-{number}",
            "messages": [{"role": "user", "content": question}],
        }
        if not load.searches:
            body["options"] = {"max_memories": 0, "skip": SOURCES}
        content = json.dumps(body).encode()
        head = (
            f"POST /v1/context/assemble HTTP/1.1\r\nHost: {LOCAL}\r\nContent-Type: application/json\r\n"
            f"X-Api-Key: {load.key}\r\n{deadline}Content-Length: {len(content)}\r\n\r\n"
        )
        yield head.encode() + content


async def run(load: Load) -> list[Answered]:
    """All requests in the order of their answers."""
    connections = Connections(load.url)
    answered: list[Answered] = []
    made = requests(load)
    started = time.perf_counter() + 0.05

    async def send(due: float) -> None:
        sent = time.perf_counter() - started - due
        try:
            async with asyncio.timeout(load.patience_seconds - sent):
                status, reason = await connections.send(next(made))
        except (OSError, EOFError, TimeoutError):
            status, reason = 0, ""
        took = time.perf_counter() - started - due
        answered.append(Answered(due, took * 1000, sent * 1000, status, reason))

    async def ask() -> None:
        while (now := time.perf_counter() - started) < load.seconds:
            await send(now)

    if load.callers:
        await asyncio.gather(*(ask() for _ in range(load.callers)))
    else:
        await _at(arrivals(load.rate, load.seconds, load.seed), started, send)
    await connections.close()
    return [one for one in answered if one.due >= load.skipped_seconds]


async def _at(times: Sequence[float], started: float, send: Callable[[float], Coroutine[Any, Any, None]]) -> None:
    """Starts a task at each of the times; returns when all have ended."""
    sending: set[asyncio.Task[None]] = set()
    for due in times:
        if (wait := started + due - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        task = asyncio.ensure_future(send(due))
        sending.add(task)
        task.add_done_callback(sending.discard)
    await asyncio.gather(*sending)


class Generator:
    """The process that sends; a context manager."""

    async def __aenter__(self) -> "Generator":
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            limit=1 << 26,
        )  # fmt: skip
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()

    async def send(self, load: Load) -> list[Answered]:
        """The answers to one load."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(load)).encode() + b"\n")
        line = await self._process.stdout.readline()
        return [Answered(*one) for one in json.loads(line)]


def _header(head: str, name: str) -> str:
    _, found, rest = head.partition(f"\r\n{name}:")
    return rest.partition("\r\n")[0].strip() if found else ""


def main() -> None:
    """Sends what each line of its input says, and writes the answers as a line of JSON."""
    for line in sys.stdin:
        found = asyncio.run(run(Load(**json.loads(line))))
        rows = [[one.due, one.ms, one.sent_ms, one.status, one.reason] for one in found]
        sys.stdout.write(json.dumps(rows) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
