"""The state of the Runtime API: pending requests of one instance's runtime and extensions, and its invocation."""

import asyncio
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from local.lambda_.invocation import MAXIMUM_PAYLOAD_BYTES, Invocation, Outcome, error_outcome, platform_error

MAXIMUM_EXTENSIONS = 10


class RefusedError(Exception):
    """A call that Lambda answers with an error: HTTP status, error type and message."""

    def __init__(self, status: int, error_type: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.error_type = error_type


@dataclass(slots=True, eq=False)
class Extension:
    """A registered extension; `waiter` is set while it waits for its next event."""

    name: str
    events: frozenset[str]
    external: bool
    identifier: str = field(default_factory=lambda: str(uuid.uuid4()))
    waiter: "asyncio.Future[bytes] | None" = None


class Exchange:
    """The state behind the Runtime API and the Extensions API of one instance.

    `on_ready` is called each time that the runtime and every extension wait for their next event: once when the
    initialisation is over, then after each invocation. `on_failure` gets the error document of a runtime that failed
    to start, or of an extension that reports a failure.
    """

    def __init__(
        self,
        *,
        external_extensions: frozenset[str],
        on_ready: Callable[[], None],
        on_failure: Callable[[Outcome], None],
    ) -> None:
        self._external_names = external_extensions
        self._on_ready = on_ready
        self._on_failure = on_failure
        self._extensions: dict[str, Extension] = {}
        self._runtime_waiter: asyncio.Future[Invocation] | None = None
        self._current: Invocation | None = None
        self._answered = True
        self._registration_open = True
        self.externals_registered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when all external extensions have registered; the runtime starts only then."""
        if not external_extensions:
            self.externals_registered.set_result(None)

    @property
    def current(self) -> Invocation | None:
        """The invocation in progress, including its work after the response."""
        return self._current

    @property
    def extensions(self) -> tuple[Extension, ...]:
        """The registered extensions, internal and external."""
        return tuple(self._extensions.values())

    def deliver(self, invocation: Invocation) -> None:
        """Sends an event to the runtime and to extensions that registered for INVOKE; only when ready."""
        if self._runtime_waiter is None or self._current is not None:
            raise RuntimeError("the instance is not ready for an event")
        self._current, self._answered = invocation, False
        for extension in self._extensions.values():
            if "INVOKE" in extension.events:
                _give(extension, _invoke_event(invocation))
        waiter, self._runtime_waiter = self._runtime_waiter, None
        waiter.set_result(invocation)

    async def next_invocation(self) -> Invocation:
        """The runtime's `next`: waits for the next event."""
        if not self._answered or self._runtime_waiter is not None:
            raise RefusedError(403, "InvalidStateTransition", "next was asked for before the response was sent")
        self._registration_open = False
        self._runtime_waiter = asyncio.get_running_loop().create_future()
        waiter = self._runtime_waiter
        self._report_ready()
        return await waiter

    def respond(self, request_id: str, payload: bytes) -> None:
        """The runtime's `response`; the caller has received it when this returns."""
        invocation = self._answering(request_id)
        if len(payload) > MAXIMUM_PAYLOAD_BYTES:
            message = (
                f"Response payload size ({len(payload)} bytes) exceeded maximum allowed payload size "
                f"({MAXIMUM_PAYLOAD_BYTES} bytes)."
            )
            invocation.complete(platform_error("Function.ResponseSizeTooLarge", message))
            raise RefusedError(413, "RequestEntityTooLarge", message)
        invocation.complete(Outcome(payload))

    def fail(self, request_id: str, payload: bytes) -> None:
        """The runtime's `error` for an invocation."""
        self._answering(request_id).complete(error_outcome(payload))

    def report_failure(self, payload: bytes) -> None:
        """The runtime's `init/error`, or an extension's `init/error` or `exit/error`."""
        self._on_failure(error_outcome(payload))

    def register(self, name: str, events: object) -> Extension:
        """Registers an extension. If Lambda did not start it, it is internal, and only INVOKE is allowed."""
        if not name:
            raise RefusedError(403, "Extension.InvalidExtensionName", "Empty extension name")
        external = name in self._external_names
        allowed = {"INVOKE", "SHUTDOWN"} if external else {"INVOKE"}
        if not isinstance(events, list):
            raise RefusedError(403, "InvalidRequestFormat", "events is not a list")
        for event in events:
            if event == "SHUTDOWN" and not external:
                reason = "ShutdownEventNotSupportedForInternalExtension"
                raise RefusedError(403, "Extension.InvalidEventType", f"{event}: {reason}")
            if event not in allowed:
                raise RefusedError(403, "Extension.InvalidEventType", f"{event}: InvalidEventType")
        if not self._registration_open:
            raise RefusedError(403, "Extension.RegistrationClosed", "Extension registration closed already")
        if any(extension.name == name for extension in self._extensions.values()):
            raise RefusedError(403, "Extension.InvalidExtensionState", "Extension with this name already registered")
        if len(self._extensions) >= MAXIMUM_EXTENSIONS:
            message = f"Extension limit ({MAXIMUM_EXTENSIONS}) reached"
            raise RefusedError(403, "Extension.TooManyExtensions", message)
        extension = Extension(name, frozenset(events), external)
        self._extensions[extension.identifier] = extension
        missing = self._external_names - {each.name for each in self._extensions.values()}
        if not missing and not self.externals_registered.done():
            self.externals_registered.set_result(None)
        return extension

    async def next_event(self, identifier: str | None) -> bytes:
        """An extension's `event/next`: JSON of an INVOKE or SHUTDOWN event."""
        extension = self.extension(identifier)
        if extension.waiter is not None:
            message = f"State transition from Ready to Ready failed for extension {extension.name}. Error: not allowed"
            raise RefusedError(403, "Extension.InvalidExtensionState", message)
        extension.waiter = asyncio.get_running_loop().create_future()
        waiter = extension.waiter
        self._report_ready()
        return await waiter

    def extension(self, identifier: str | None) -> Extension:
        """The extension with this identifier; raises RefusedError without one."""
        if not identifier:
            message = "Missing Lambda-Extension-Identifier header"
            raise RefusedError(403, "Extension.MissingExtensionIdentifier", message)
        if identifier not in self._extensions:
            raise RefusedError(403, "Extension.UnknownExtensionIdentifier", f"Unknown extension {identifier}")
        return self._extensions[identifier]

    def shut_down(self, deadline_ms: int) -> None:
        """Sends SHUTDOWN to the extensions that registered for it."""
        event: dict[str, Any] = {"eventType": "SHUTDOWN", "shutdownReason": "spindown", "deadlineMs": deadline_ms}
        for extension in self._extensions.values():
            if "SHUTDOWN" in extension.events:
                _give(extension, json.dumps(event).encode())

    def close(self) -> None:
        """Ends all pending requests."""
        for waiter in (self._runtime_waiter, *(extension.waiter for extension in self._extensions.values())):
            if waiter is not None:
                waiter.cancel()

    def _answering(self, request_id: str) -> Invocation:
        if self._current is None or self._current.request_id != request_id:
            raise RefusedError(400, "InvalidRequestID", "Invalid request ID")
        if self._answered:
            raise RefusedError(403, "InvalidStateTransition", "the response was sent already")
        self._answered = True
        return self._current

    def _report_ready(self) -> None:
        waiting = all(extension.waiter is not None for extension in self._extensions.values())
        if self._runtime_waiter is not None and waiting:
            self._current = None
            self._on_ready()


def _give(extension: Extension, event: bytes) -> None:
    waiter, extension.waiter = extension.waiter, None
    if waiter is not None and not waiter.done():
        waiter.set_result(event)


def _invoke_event(invocation: Invocation) -> bytes:
    event = {
        "eventType": "INVOKE",
        "deadlineMs": invocation.deadline_ms,
        "requestId": invocation.request_id,
        "invokedFunctionArn": invocation.arn,
        "tracing": {"type": "X-Amzn-Trace-Id", "value": invocation.trace_id},
    }
    return json.dumps(event).encode()
