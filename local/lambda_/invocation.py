"""Invocations of a function, their results and their errors."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

MAXIMUM_PAYLOAD_BYTES = 6_291_556
"""Lambda's limit for the request and for the response of a synchronous call."""


class InitError(Exception):
    """An instance did not start. The message ends with the tail of its log; `payload` is the caller's answer."""

    def __init__(self, message: str, payload: bytes) -> None:
        super().__init__(message)
        self.payload = payload


class InitTimeoutError(InitError):
    """An instance did not start in time; other instances may still start."""


class PayloadTooLargeError(Exception):
    """The event is larger than Lambda's limit."""


@dataclass(frozen=True, slots=True)
class FunctionError:
    """Why an invocation failed, as Lambda names it: `Sandbox.Timedout`, `Runtime.ExitError`, `ValueError` ..."""

    error_type: str
    message: str


@dataclass(frozen=True, slots=True)
class InvokeResult:
    """The answer to one invocation.

    `payload` is the handler's JSON, or Lambda's error JSON when `error` is set. `duration_ms` runs from the event's
    delivery to the answer; `init_ms` is set when this invocation waited for a new instance.
    """

    payload: bytes
    error: FunctionError | None
    request_id: str
    duration_ms: float
    init_ms: float | None


Delayed = Callable[[float], bytes]
"""The event as it is after so many milliseconds of waiting."""


class Function(Protocol):
    """What routes, queues and schedules call; a FunctionPool is one."""

    async def invoke(
        self, payload: bytes, *, trace_id: str | None = None, delayed: Delayed | None = None
    ) -> InvokeResult:
        """Run one event. Every failure of the function is in the result; raises PayloadTooLargeError for the event.

        `delayed` gives the event again, if it had to wait for a free instance.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer or error that the runtime posted, or the platform's error without one."""

    payload: bytes
    error: FunctionError | None = None


@dataclass(slots=True, eq=False)
class Invocation:
    """One event in progress: `deadline_ms` is in milliseconds since the epoch."""

    payload: bytes
    deadline_ms: int
    arn: str
    trace_id: str
    outcome: "asyncio.Future[Outcome]"
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    def complete(self, outcome: Outcome) -> None:
        """Gives the outcome to the caller; later outcomes are ignored, as is a caller that no longer waits."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


def error_outcome(payload: bytes) -> Outcome:
    """The outcome for an error document that the runtime posted, whatever it contains."""
    try:
        document = json.loads(payload)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {}
    error = FunctionError(str(document.get("errorType", "Unhandled")), str(document.get("errorMessage", "")))
    return Outcome(payload, error)


def platform_error(error_type: str, message: str) -> Outcome:
    """The outcome that Lambda returns when the runtime posted none."""
    payload = json.dumps({"errorType": error_type, "errorMessage": message}, separators=(",", ":")).encode()
    return Outcome(payload, FunctionError(error_type, message))


def new_trace_id() -> str:
    """A trace header for a call without one; never sampled, because nothing collects traces here."""
    return f"Root=1-{int(time.time()):08x}-{uuid.uuid4().hex[:24]};Parent={uuid.uuid4().hex[:16]};Sampled=0"
