"""The parts that every function has."""

import os
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future

from remembrancer.adapters.clock import SystemClock
from remembrancer.errors import StoreError
from remembrancer.runtime.after_response import AfterResponse, WorkAfterResponse
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.telemetry import METRICS, load
from remembrancer.settings import Settings

SNAP_START = "snap-start"
METRICS_SECONDS = 60.0
"""Seconds between two writes of an instance's metrics while requests come; in the stage `local` each request's are
written at once.
"""


class Process:
    """Settings, an event loop, and work after the response."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self.environment = os.environ if env is None else env
        self.settings = Settings.from_env(self.environment)
        self.loop = LoopThread()
        self.after_response = self.works_after_response()
        self.clock = SystemClock()
        self.log_every = self.settings.log_every
        self._write_metrics()
        self._begun: list[Future[None]] = []

    def works_after_response(self) -> WorkAfterResponse:
        """What runs the work after responses."""
        return AfterResponse(self.loop, self.environment.get("AWS_LAMBDA_RUNTIME_API"))

    def begin(self, step: Callable[[], Awaitable[object]]) -> None:
        """Starts a step of the start concurrently; `finish_start` waits for it."""
        self._begun.append(self.loop.submit(unless_unavailable(step)))

    def finish_start(self) -> None:
        """Waits until all steps of the start are done; raises their errors."""
        while self._begun:
            self._begun.pop().result()

    def _write_metrics(self) -> None:
        """Once in a while where work may follow a response, else with every request."""
        if self.after_response.registered:
            METRICS.seconds = 0.0 if self.is_local else METRICS_SECONDS
            self.after_response.always("metrics", METRICS.write, when=lambda: METRICS.due)
            self.after_response.at_end("metrics", METRICS.write, when=lambda: METRICS.waiting)
        if self.started_ahead:
            load()

    @property
    def is_local(self) -> bool:
        """Whether a developer watches, who wants to see metrics and usage at once."""
        return self.settings.stage == "local"

    @property
    def started_ahead(self) -> bool:
        """Whether no request waits for this start, or nothing could run later."""
        is_early = self.environment.get("AWS_LAMBDA_INITIALIZATION_TYPE") in {"provisioned-concurrency", SNAP_START}
        return is_early or not self.after_response.registered


async def unless_unavailable(step: Callable[[], Awaitable[object]]) -> None:
    """Runs a step and ignores a server that does not answer yet."""
    try:
        await step()
    except StoreError:
        return
