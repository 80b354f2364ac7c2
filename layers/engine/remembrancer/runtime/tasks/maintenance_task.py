"""The scheduled run as a task; it reports its work in the answer, in a log line and in metrics."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remembrancer.ports.system import Clock
from remembrancer.runtime.telemetry import count, emit
from remembrancer.usecases.encryption.encrypt import Encryption
from remembrancer.usecases.erasure.erase import Eraser
from remembrancer.usecases.upkeep.maintenance import Maintenance
from remembrancer.usecases.upkeep.reindexing import Reindexing

ENCRYPTION_SECONDS = 15.0
ERASURE_SECONDS = 10.0
REINDEXING_SECONDS = 5.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MaintenanceTask:
    """Handles the event `{}`; no field of it is read."""

    maintenance: Maintenance
    encryption: Encryption
    eraser: Eraser
    reindexing: Reindexing
    clock: Clock

    async def run(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the amount of work by task name; `encrypting` counts organizations with unfinished encryption."""
        counts = dict(await self.maintenance.run())
        counts["erased"] = await self.eraser.catch_up(until=self.clock.monotonic() + ERASURE_SECONDS)
        counts["encrypting"] = await self.encryption.catch_up(until=self.clock.monotonic() + ENCRYPTION_SECONDS)
        counts["reindexed"] = await self.reindexing.catch_up(until=self.clock.monotonic() + REINDEXING_SECONDS)
        done = {name: number for name, number in counts.items() if number}
        if done:
            logger.info("maintained", extra={"done": done})
        emit(*(count("Maintained", number, task=name) for name, number in done.items()))
        return counts
