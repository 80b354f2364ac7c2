"""Sends conversations in the background: in order for each session, from a bounded queue, again after failures."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from remembrancer_client.calls import Call
from remembrancer_client.errors import InvalidAnswer, Refused, RemembrancerError
from remembrancer_client.refusals import STATUSES, Refusals

MOST_CALLS = 1_000
MOST_CHARACTERS = 16 << 20
"""Of all texts that wait. What comes when the queue is full is dropped."""
CONCURRENT = 4
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 15.0
LONGEST_RETRY_AFTER_S = 300.0
ATTEMPTS = 5
"""A call that is answered by an error of the service, or by something else, so many times is dropped."""
AWAY = (429, 502, 503, 504)
"""Statuses that say nothing about the call itself."""
NOTHING_TO_CAPTURE = "nothing_to_capture"
"""The code for a conversation in which nobody said anything: an ordinary outcome, of which nothing is lost."""

logger = logging.getLogger("remembrancer_client")

Send = Callable[[Call[Any]], Awaitable[object]]


@dataclass(frozen=True)
class _Waiting:
    call: Call[Any]
    characters: int


@dataclass
class _Session:
    """The calls of one session are sent one after the other, so that its turns are numbered in order."""

    key: Hashable
    waiting: deque[_Waiting] = field(default_factory=deque)
    is_sending: bool = False
    failures: int = 0
    """Answers to the first call that did not take it."""


class CaptureQueue:
    """Sends at most CONCURRENT sessions at once; after a failure one only, and only after a wait that doubles.

    Belongs to one event loop. Raises nothing: what is dropped is logged. `send` raises RemembrancerError.
    """

    def __init__(self, send: Send, refusals: Refusals, *, first_wait_s: float = FIRST_WAIT_S) -> None:
        self._send_call = send
        self._refusals = refusals
        self._first_wait_s = first_wait_s
        self._sessions: dict[Hashable, _Session] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._calls = self._characters = 0
        self._is_full = False
        self._failures = 0
        self._pause: asyncio.TimerHandle | None = None

    def add(self, key: Hashable, call: Call[Any], *, characters: int) -> None:
        """Begins to send the call, after those of the same session; drops it when the queue is full."""
        if self._calls == MOST_CALLS or self._characters + characters > MOST_CHARACTERS:
            if not self._is_full:
                logger.warning("capture_queue_full", extra={"calls": self._calls, "characters": self._characters})
            self._is_full = True
            return
        self._is_full = False
        self._calls += 1
        self._characters += characters
        self._sessions.setdefault(key, _Session(key)).waiting.append(_Waiting(call, characters))
        self._send_more()

    async def flush(self, seconds: float) -> int:
        """Sends what waits, for so long at most; ends at the first failure. Returns how many calls still wait."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        self._resume()
        while self._tasks and (left := end - loop.time()) > 0:
            await asyncio.wait(self._tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        return self._calls

    async def close(self) -> None:
        """Stops sending; drops what waits."""
        if self._calls:
            logger.warning("captures_dropped", extra={"calls": self._calls})
        self._sessions.clear()
        self._calls = self._characters = 0
        if self._pause is not None:
            self._pause.cancel()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _send_more(self) -> None:
        if self._pause is not None:
            return
        most = 1 if self._failures else CONCURRENT
        for session in self._sessions.values():
            if len(self._tasks) >= most:
                return
            if not session.is_sending:
                session.is_sending = True
                task = asyncio.get_running_loop().create_task(self._send(session))
                self._tasks.add(task)
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            self._send_more()

    async def _send(self, session: _Session) -> None:
        is_done = True
        try:
            await self._send_call(session.waiting[0].call)
            self._failures = 0
        except RemembrancerError as error:
            is_done = self._is_dropped(session, error)
        except Exception as error:
            # An unexpected exception in this client loses this call only.
            logger.warning("capture_failed", extra={"cause": type(error).__name__})
        finally:
            session.is_sending = False
        if is_done:
            self._remove_first(session)

    def _remove_first(self, session: _Session) -> None:
        session.failures = 0
        self._calls -= 1
        self._characters -= session.waiting.popleft().characters
        if not session.waiting:
            del self._sessions[session.key]

    def _is_dropped(self, session: _Session, error: RemembrancerError) -> bool:
        """Whether the call can never succeed. Sending pauses after any other error."""
        status = error.status if isinstance(error, Refused) else None
        if (status is not None and status not in AWAY) or isinstance(error, InvalidAnswer):
            session.failures += 1
            is_refused = status is not None and 400 <= status < 500
            if is_refused or session.failures == ATTEMPTS:
                self._failures = 0
                self._report(error)
                return True
        if self._pause is None:
            told_s = (error.retry_after_s if isinstance(error, Refused) else None) or 0.0
            wait_s = max(told_s, min(self._first_wait_s * 2.0**self._failures, LONGEST_WAIT_S))
            self._failures += 1
            self._pause = asyncio.get_running_loop().call_later(min(wait_s, LONGEST_RETRY_AFTER_S), self._resume)
        return False

    def _report(self, error: RemembrancerError) -> None:
        if not isinstance(error, Refused):
            logger.warning("capture_failed", extra={"cause": type(error).__name__, "detail": str(error)})
            return
        if error.code == NOTHING_TO_CAPTURE:
            logger.info("nothing_to_capture", extra={"skipped": error.body.get("skipped")})
            return
        if error.status not in STATUSES:
            logger.warning("capture_refused", extra={"code": error.code, "fields": error.fields})
            return
        try:
            self._refusals.report(error.code, error.message)
        except Exception as failure:
            logger.warning("on_refused_failed", extra={"cause": type(failure).__name__})

    def _resume(self) -> None:
        if self._pause is not None:
            self._pause.cancel()
            self._pause = None
        self._send_more()
