"""One instance of a function: a process that handles one event at a time."""

import asyncio
import signal
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.lambda_ import environment, process
from local.lambda_.exchange import Exchange
from local.lambda_.invocation import (
    InitError,
    InitTimeoutError,
    Invocation,
    InvokeResult,
    Outcome,
    new_trace_id,
    platform_error,
)
from local.lambda_.log import FunctionLog
from local.lambda_.runtime_api import RuntimeApi
from local.template import FunctionSpec

_TIMED_OUT = "Sandbox.Timedout"
# The shutdown phase: the runtime's share of it, the whole with internal and with external extensions. Lambda allows
# 0.3, 0.5 and 2 s; here it is longer, so that a busy laptop loses no work that Lambda would finish.
_RUNTIME_SHUTDOWN_S, _INTERNAL_SHUTDOWN_S, _EXTERNAL_SHUTDOWN_S = 1.0, 1.5, 3.0


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The function's surroundings: `python_path` stands for /opt/python, `extensions` for /opt/extensions.

    With `freeze` the processes are stopped between events, as Lambda does: a thread that works after the response
    without an extension gets no CPU time, and connections are not served. On Lambda each instance has its own
    processors; here all share this machine's, and processes of greater `niceness` have a lower priority. `runtime` is
    the module of the runtime client.
    """

    python_path: tuple[Path, ...] = ()
    extensions: tuple[Path, ...] = ()
    init_limit_s: float = 10.0
    provisioned: bool = False
    freeze: bool = False
    niceness: int = 0
    runtime: str = "awslambdaric"


class FunctionInstance:
    """A function process with its Runtime API.

    `on_idle` is called when an event is over and the next may come: the runtime and all extensions wait. `on_end` is
    called once, when the processes have ended, for any reason.
    """

    def __init__(
        self,
        spec: FunctionSpec,
        sandbox: Sandbox,
        log: FunctionLog,
        *,
        on_idle: "Callable[[FunctionInstance], None]",
        on_end: "Callable[[FunctionInstance], None]",
    ) -> None:
        self._spec = spec
        self._sandbox = sandbox
        self._log = log
        self._on_idle = on_idle
        self._on_end = on_end
        self._exchange = Exchange(
            external_extensions=frozenset(path.name for path in sandbox.extensions),
            on_ready=self._ready,
            on_failure=self._fail,
        )
        self._api = RuntimeApi(spec, self._exchange)
        self._processes: list[asyncio.subprocess.Process] = []
        self._runtime: asyncio.subprocess.Process | None = None
        self._initialised: asyncio.Future[Outcome | None] = asyncio.get_running_loop().create_future()
        self._deadline: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._frozen = False
        self._stopping = False
        self._closing: asyncio.Task[None] | None = None
        self.init_ms: float | None = None
        """Duration of the start; None after an invocation has reported it."""

    @property
    def usable(self) -> bool:
        """Whether it has started, and has not ended or failed since."""
        return self._initialised.done() and not self._stopping and self._closing is None

    @property
    def was_ready(self) -> bool:
        """Whether its start succeeded, even if it has ended since."""
        return self._initialised.done() and self._initialised.result() is None

    @property
    def process_id(self) -> int | None:
        """The process id of the runtime, once started."""
        return self._runtime.pid if self._runtime is not None else None

    async def start(self) -> None:
        """Start the process and wait until it asks for its first event; raises InitError."""
        started = time.perf_counter()
        position = self._log.position()
        try:
            failure = await self._initialise()
        except BaseException:
            await self._end()
            raise
        if failure is not None:
            await self._end()
            message = failure.error.message if failure.error is not None else "the start failed"
            tail = self._log.tail(position)
            late = failure.error is not None and failure.error.error_type == _TIMED_OUT
            kind = InitTimeoutError if late else InitError
            raise kind(f"{self._spec.name} did not start: {message}\n{tail}", failure.payload)
        self.init_ms = (time.perf_counter() - started) * 1000

    async def invoke(self, payload: bytes, *, trace_id: str | None = None) -> InvokeResult:
        """Run one event; returns as soon as the runtime has posted its answer. Only when idle."""
        loop = asyncio.get_running_loop()
        invocation = Invocation(
            payload=payload,
            deadline_ms=int((time.time() + self._spec.timeout_s) * 1000),
            arn=self._spec.arn,
            trace_id=trace_id or new_trace_id(),
            outcome=loop.create_future(),
        )
        init_ms, self.init_ms = self.init_ms, None
        started = time.perf_counter()
        self._deadline = loop.call_later(self._spec.timeout_s, self._time_out, invocation)
        self._thaw()
        self._exchange.deliver(invocation)
        outcome = await invocation.outcome
        duration_ms = (time.perf_counter() - started) * 1000
        return InvokeResult(outcome.payload, outcome.error, invocation.request_id, duration_ms, init_ms)

    def freeze(self) -> None:
        """Stop the processes until the next event, if the sandbox wants that. Only when idle."""
        if self._sandbox.freeze and not self._frozen:
            self._frozen = True
            for child in self._processes:
                process.send(child, signal.SIGSTOP)

    async def stop(self) -> None:
        """End the instance as Lambda does: SIGTERM and SHUTDOWN if there are extensions, then SIGKILL."""
        extensions = self._exchange.extensions
        if self.usable and extensions and self._runtime is not None:
            self._stopping = True
            self._thaw()
            limit_s = _EXTERNAL_SHUTDOWN_S if any(each.external for each in extensions) else _INTERNAL_SHUTDOWN_S
            # At most twice: a process that was frozen just before waiting for a lock continues to wait, and Python runs
            # the handler of a signal received in between only after another signal interrupts the wait.
            for share in (0.3, 0.7):
                process.send(self._runtime, signal.SIGTERM)
                await _wait([self._runtime], share * _RUNTIME_SHUTDOWN_S)
            process.send(self._runtime, signal.SIGKILL)
            self._exchange.shut_down(int((time.time() + limit_s) * 1000))
            await _wait(self._processes, limit_s)
        await self._end()

    def _thaw(self) -> None:
        if self._frozen:
            self._frozen = False
            for child in self._processes:
                process.send(child, signal.SIGCONT)

    async def _initialise(self) -> Outcome | None:
        """Starts the extensions, then, when all have registered, the runtime. None when ready, else the failure."""
        end = time.monotonic() + self._sandbox.init_limit_s
        await self._api.start()
        variables = environment.build(
            self._spec,
            runtime_api=self._api.address,
            python_path=self._sandbox.python_path,
            provisioned=self._sandbox.provisioned,
        )
        for path in self._sandbox.extensions:
            await self._start_process([str(path)], variables, "Extension")
        registered = self._exchange.externals_registered
        await asyncio.wait(
            (registered, self._initialised), timeout=end - time.monotonic(), return_when=asyncio.FIRST_COMPLETED
        )
        if registered.done():
            command = [sys.executable, "-m", self._sandbox.runtime, self._spec.handler]
            self._runtime = await self._start_process(command, variables, "Runtime")
        await asyncio.wait((self._initialised,), timeout=end - time.monotonic())
        if self._initialised.done():
            return self._initialised.result()
        limit_s = self._sandbox.init_limit_s
        return platform_error(_TIMED_OUT, f"Error: Task timed out after {limit_s:.2f} seconds")

    async def _start_process(
        self, command: list[str], variables: dict[str, str], role: str
    ) -> asyncio.subprocess.Process:
        output = self._log.output()
        child = await process.start(
            command,
            folder=self._spec.folder,
            environment=variables,
            output=output,
            niceness=self._sandbox.niceness,
        )
        self._processes.append(child)
        self._background(self._watch(child, role))
        if child.stdout is not None:
            self._background(self._log.follow(child.stdout))
        return child

    async def _watch(self, child: asyncio.subprocess.Process, role: str) -> None:
        message = f"Error: {role} {process.ending(await child.wait())}"
        if self._exchange.current is not None:
            message = f"RequestId: {self._exchange.current.request_id} {message}"
        self._fail(platform_error("Runtime.ExitError" if role == "Runtime" else "Extension.Crash", message))

    def _ready(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if not self._initialised.done():
            self._initialised.set_result(None)
        elif self.usable:
            self._on_idle(self)

    def _fail(self, outcome: Outcome) -> None:
        """Handles a failure of the runtime or an extension: fails the start or the current event, ends the instance."""
        if not self._initialised.done():
            self._initialised.set_result(outcome)
            return
        if self._exchange.current is not None:
            self._exchange.current.complete(outcome)
        if not self._stopping:
            self._end()

    def _time_out(self, invocation: Invocation) -> None:
        message = f"RequestId: {invocation.request_id} Error: Task timed out after {self._spec.timeout_s:.2f} seconds"
        self._log.write(message)
        invocation.complete(platform_error(_TIMED_OUT, message))
        self._end()

    def _end(self) -> "asyncio.Task[None]":
        """Kills remaining processes and closes the Runtime API; later calls return the first call's task."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close())
        return self._closing

    async def _close(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        for child in self._processes:
            process.send(child, signal.SIGKILL)
        for child in self._processes:
            await child.wait()
        await self._api.stop()
        await asyncio.gather(*self._tasks)
        self._on_end(self)

    def _background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _wait(processes: list[asyncio.subprocess.Process], limit_s: float) -> None:
    try:
        async with asyncio.timeout(limit_s):
            for child in processes:
                await child.wait()
    except TimeoutError:
        return
