"""A worker: passes messages of the queues to their handlers, and runs maintenance once a minute.

Any number of workers may run; one of them does the maintenance. A message is deleted when its handler has done it. A
worker that dies leaves its messages to the others, after the time for which they are hidden.
"""

import asyncio
import logging
import signal
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from containers import metrics
from containers.server import Invocation, ServerInstance
from remembrancer.adapters.postgres.connection.login import verified
from remembrancer.adapters.postgres.queues import Leadership, PostgresQueue, backlogs, expire
from remembrancer.bootstrap.upkeep import maintenance
from remembrancer.bootstrap.workers import capture_worker, embed_worker, side_effects_worker
from remembrancer.errors import ConfigurationError, StoreError
from remembrancer.ports.system import CAPTURE_RECEIVES, MOST_RECEIVES
from remembrancer.runtime.queues.sqs import sqs_handler
from remembrancer.runtime.tasks.handler import task_handler

BATCH = 10
BATCH_SECONDS = 30.0
"""For one batch, as long as the functions have; messages are hidden for twice as long."""
MAINTENANCE_SECONDS = 60.0
IDLE_SECONDS = 0.5
"""Between two looks at an empty queue."""
ERROR_SECONDS = 2.0
STUCK_SECONDS = 120.0
"""Without a sign of life of one of its tasks, a worker is stuck."""
_GAUGE_SECONDS = 15.0
_TICK_SECONDS = 1.0

logger = logging.getLogger(__name__)
Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]


@dataclass(slots=True)
class Worker:
    """The tasks of one process."""

    instance: ServerInstance
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    _alive: dict[str, float] = field(default_factory=dict)

    def is_alive(self) -> bool:
        """Whether every task has gone round lately; a server that is down makes none of them stuck."""
        now = time.monotonic()
        return all(now - seen < STUCK_SECONDS for seen in self._alive.values())

    async def run(self) -> None:
        """Returns when `stopping` is set and the batches in progress are done."""
        instance = self.instance
        batches = {
            instance.settings.embed_queue_url: embed_worker(instance).consume,
            instance.settings.capture_queue_url: capture_worker(instance).consume,
            instance.settings.side_effects_queue_url: side_effects_worker(instance).consume,
        }
        tasks = []
        for url, consume in batches.items():
            most = CAPTURE_RECEIVES if url == instance.settings.capture_queue_url else MOST_RECEIVES
            handler = sqs_handler(
                consume, loop=instance.loop, after_response=instance.after_response, most_receives=most
            )
            tasks.append(self._round(url, self._polls(url, handler)))
        tasks += [
            self._round("maintenance", self._maintains(), every=MAINTENANCE_SECONDS),
            self._round("gauges", self._counts, every=_GAUGE_SECONDS),
            self._round("ticks", lambda: asyncio.to_thread(instance.tick), every=_TICK_SECONDS),
        ]
        await asyncio.gather(*tasks)
        await asyncio.to_thread(instance.end)

    async def _round(self, name: str, step: Callable[[], Awaitable[float | None]], *, every: float = 0.0) -> None:
        """Repeats `step` after `every` seconds, or as many as it returns."""
        while not self.stopping.is_set():
            self._alive[name] = time.monotonic()
            try:
                pause = await step() or every
            except (StoreError, TimeoutError) as error:
                logger.warning("worker_waits", extra={"task": name, "cause": getattr(error, "cause", "timeout")})
                pause = max(every, ERROR_SECONDS)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stopping.wait(), pause)

    def _polls(self, url: str, handler: Handler) -> Callable[[], Awaitable[float | None]]:
        queue = self.instance.queue(url)
        if not isinstance(queue, PostgresQueue):
            raise ConfigurationError(
                f"A worker receives from queues in Postgres, as postgres:embed, but not from {url!r}"
            )

        async def poll() -> float:
            messages = await self.instance.loop.result(queue.receive(BATCH))
            if not messages:
                return IDLE_SECONDS
            records = [
                {
                    "messageId": str(one.message_id),
                    "body": one.body,
                    "attributes": {"ApproximateReceiveCount": str(one.receives)},
                }
                for one in messages
            ]
            answer = await asyncio.to_thread(handler, {"Records": records}, Invocation(url, BATCH_SECONDS))
            failed = {item["itemIdentifier"] for item in answer["batchItemFailures"]}
            done = [one for one in messages if str(one.message_id) not in failed]
            await self.instance.loop.result(queue.delete(done))
            return 0.0

        return poll

    def _maintains(self) -> Callable[[], Awaitable[None]]:
        instance = self.instance
        handler = task_handler(
            {"run": maintenance(instance).run}, loop=instance.loop, after_response=instance.after_response
        )
        settings = instance.settings
        leadership = Leadership(verified(settings.database_url, settings.database_ca_file), instance.database_login)

        async def maintain() -> None:
            if await instance.loop.result(leadership.is_mine()):
                await asyncio.to_thread(handler, {}, Invocation("maintain", MAINTENANCE_SECONDS))
                await instance.loop.result(expire(instance.database))

        return maintain

    async def _counts(self) -> None:
        for gauge in (metrics.MESSAGES, metrics.OLDEST):
            gauge.clear()
        for backlog in await self.instance.loop.result(backlogs(self.instance.database)):
            metrics.MESSAGES.labels(backlog.queue).set(backlog.messages)
            metrics.OLDEST.labels(backlog.queue).set(backlog.oldest_seconds)


async def serve(port: int) -> None:
    """Works until SIGTERM or SIGINT."""
    instance = ServerInstance()
    await asyncio.to_thread(instance.warm)
    worker = Worker(instance)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, worker.stopping.set)
    metrics.serve(port, worker.is_alive)
    logger.info("worker_started")
    await worker.run()
    logger.info("worker_stopped")
