"""EventBridge's rate rules: invokes a function once in each interval."""

import asyncio
import datetime as dt
import json
import logging
import uuid

from local.lambda_.invocation import Function
from local.servers.aws import ACCOUNT_ID, REGION
from local.template import Schedule

_logger = logging.getLogger(__name__)


class Rate:
    """Invokes a function every `every_s` seconds, the first time one interval after the start.

    A call that takes longer than the interval does not delay the next one.
    """

    def __init__(self, schedule: Schedule, function: Function, *, every_s: float | None = None) -> None:
        self._schedule = schedule
        self._every_s = float(schedule.every_s) if every_s is None else every_s
        self._function = function
        self._calls: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Starts the first interval; returns at once."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Starts no more calls, and waits for the running ones."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await asyncio.gather(*self._calls)

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            due += self._every_s
            await asyncio.sleep(due - loop.time())
            call = loop.create_task(self._invoke())
            self._calls.add(call)
            call.add_done_callback(self._calls.discard)

    async def _invoke(self) -> None:
        result = await self._function.invoke(_event(self._schedule.name))
        if result.error is not None:
            extra = {"schedule": self._schedule.name, "error_type": result.error.error_type}
            _logger.warning("scheduled call failed", extra=extra)


def _event(name: str) -> bytes:
    event = {
        "version": "0",
        "id": str(uuid.uuid4()),
        "detail-type": "Scheduled Event",
        "source": "aws.events",
        "account": ACCOUNT_ID,
        "time": dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "region": REGION,
        "resources": [f"arn:aws:events:{REGION}:{ACCOUNT_ID}:rule/{name}"],
        "detail": {},
    }
    return json.dumps(event).encode()
