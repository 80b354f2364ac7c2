"""The instances of one function: one for each concurrent event, up to a limit."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from local.lambda_.instance import FunctionInstance, Sandbox
from local.lambda_.invocation import (
    MAXIMUM_PAYLOAD_BYTES,
    Delayed,
    InitError,
    InitTimeoutError,
    InvokeResult,
    PayloadTooLargeError,
    error_outcome,
)
from local.lambda_.log import FunctionLog
from local.template import FunctionSpec

_PAUSE_SECONDS = 0.02
_WAITED_MS = 1.0
"""From which an event counts as delayed."""


class FunctionPool:
    """Runs a function's events, each on a separate instance.

    The instance that became free last is used first; when all `maximum` are busy, callers wait in order.
    `minimum` instances are started again when they crash or time out. `log_folder` gets `<function>.log`; with `echo`,
    each line of the log goes there as well.
    """

    def __init__(
        self,
        spec: FunctionSpec,
        sandbox: Sandbox,
        *,
        log_folder: Path,
        minimum: int = 0,
        maximum: int = 4,
        echo: Callable[[str], None] | None = None,
    ) -> None:
        self.spec = spec
        self._sandbox = sandbox
        self._log = FunctionLog(log_folder / f"{spec.name}.log", echo)
        self._minimum = minimum
        self._maximum = max(maximum, minimum, 1)
        self._instances: set[FunctionInstance] = set()
        self._starting: dict[FunctionInstance, asyncio.Task[None]] = {}
        self._idle: list[FunctionInstance] = []
        self._waiting: deque[asyncio.Future[FunctionInstance]] = deque()
        self._stopped = False

    @property
    def size(self) -> int:
        """How many instances run or start."""
        return len(self._instances)

    @property
    def idle(self) -> int:
        """How many instances wait for an event."""
        return len(self._idle)

    @property
    def process_ids(self) -> frozenset[int]:
        """The process ids of the runtimes."""
        return frozenset(each.process_id for each in self._instances if each.process_id is not None)

    async def prewarm(self, count: int) -> None:
        """Starts instances until there are this many, at most the maximum; raises InitError if one does not start."""
        missing = min(count, self._maximum) - len(self._instances)
        tasks = [self._start_one(self._start) for _ in range(missing)]
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result
        for instance in self._idle:
            instance.init_ms = None

    async def invoke(
        self, payload: bytes, *, trace_id: str | None = None, delayed: Delayed | None = None
    ) -> InvokeResult:
        """Run one event. Every failure of the function is in the result; raises PayloadTooLargeError for the event."""
        if len(payload) > MAXIMUM_PAYLOAD_BYTES:
            raise PayloadTooLargeError(f"{len(payload)} bytes must be smaller than {MAXIMUM_PAYLOAD_BYTES} bytes")
        asked = time.perf_counter()
        try:
            instance = await self._free_instance()
        except InitError as error:
            outcome = error_outcome(error.payload)
            return InvokeResult(outcome.payload, outcome.error, request_id="", duration_ms=0.0, init_ms=None)
        waited_ms = (time.perf_counter() - asked) * 1000
        if delayed is not None and waited_ms >= _WAITED_MS:
            payload = delayed(waited_ms)
        return await instance.invoke(payload, trace_id=trace_id)

    async def renew(self) -> None:
        """Ends every instance that there is now, once it is idle, as Lambda does after a while; new ones are started
        when events come.
        """
        old = set(self._instances)
        while old := old & self._instances:
            instance = next((one for one in self._idle if one in old), None)
            if instance is None:
                await asyncio.sleep(_PAUSE_SECONDS)
            else:
                self._idle.remove(instance)
                await instance.stop()

    async def stop(self) -> None:
        """Ends every instance. Running and waiting calls get a result with an error."""
        self._stopped = True
        while self._waiting:
            self._fail_next(_stopped())
        for task in self._starting.values():
            task.cancel()
        await asyncio.gather(*self._starting.values(), return_exceptions=True)
        await asyncio.gather(*(instance.stop() for instance in self._instances))
        self._log.close()

    async def _free_instance(self) -> FunctionInstance:
        while not self._stopped:
            while self._idle:
                instance = self._idle.pop()
                if instance.usable:
                    return instance
            waiter: asyncio.Future[FunctionInstance] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            self._start_for_waiting()
            try:
                instance = await waiter
            except asyncio.CancelledError:
                if waiter.done() and not waiter.cancelled() and waiter.exception() is None:
                    self._became_idle(waiter.result())
                raise
            if instance.usable:
                return instance
        raise _stopped()

    def _start_for_waiting(self) -> None:
        """Starts an instance for each waiting caller for which none is starting, within the maximum."""
        wanted = sum(not waiter.done() for waiter in self._waiting)
        while len(self._starting) < wanted and len(self._instances) < self._maximum:
            self._start_one(self._start_for_caller)

    def _start_one(self, start: Callable[[FunctionInstance], Coroutine[Any, Any, None]]) -> "asyncio.Task[None]":
        instance = FunctionInstance(self.spec, self._sandbox, self._log, on_idle=self._became_idle, on_end=self._forget)
        task = asyncio.get_running_loop().create_task(start(instance))
        self._instances.add(instance)
        self._starting[instance] = task
        return task

    async def _start(self, instance: FunctionInstance) -> None:
        try:
            await instance.start()
        finally:
            del self._starting[instance]
        self._became_idle(instance)

    async def _start_for_caller(self, instance: FunctionInstance) -> None:
        """Starts an instance in the background; a failure is at once the answer to the longest-waiting caller.

        If this happened later, another failing start would find that caller without a start, and begin one. After a
        start that was only too slow, callers wait for a free instance or another start, whichever is first.
        """
        try:
            await self._start(instance)
        except Exception as error:
            self._log.write(str(error).splitlines()[0])
            if isinstance(error, InitTimeoutError) and any(each.usable for each in self._instances):
                self._start_for_waiting()
            else:
                self._fail_next(error)

    def _became_idle(self, instance: FunctionInstance) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(instance)
                return
        self._idle.append(instance)
        instance.freeze()

    def _fail_next(self, error: BaseException) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_exception(error)
                return

    def _forget(self, instance: FunctionInstance) -> None:
        """Removes an ended instance; starts others if callers wait or the minimum is not reached."""
        self._instances.discard(instance)
        if instance in self._idle:
            self._idle.remove(instance)
        if self._stopped:
            return
        self._start_for_waiting()
        # Only if it had started: otherwise a function that cannot start would be started endlessly.
        if instance.was_ready and len(self._instances) < self._minimum:
            self._start_one(self._start_for_caller)


def _stopped() -> InitError:
    return InitError("the pool has stopped", b'{"errorType":"Sandbox.Stopped","errorMessage":"the pool has stopped"}')
