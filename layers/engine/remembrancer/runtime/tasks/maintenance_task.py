"""The scheduled run as a task; it reports its work in the answer, in a log line and in metrics."""

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remembrancer.errors import StoreUnavailable
from remembrancer.ports.system import Clock
from remembrancer.runtime.telemetry import count, emit
from remembrancer.usecases.encryption.encrypt import Encryption
from remembrancer.usecases.erasure.erase import Eraser
from remembrancer.usecases.upkeep.maintenance import Maintenance
from remembrancer.usecases.upkeep.reindexing import Reindexing

ERASURE_SECONDS = 10.0
REINDEXING_SECONDS = 5.0
ENCRYPTION_SECONDS = 15.0
TOGETHER_SECONDS = 43.0
"""Most seconds until the last step of a part begins. A step takes 5 s at most, and the handler ends a run after 50."""

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
        """Returns the amount of work by task name; `encrypting` counts organizations with unfinished encryption.

        No part waits for the others to succeed. When a part fails, or the erasure, re-indexing or encryption of one
        organization does, the run fails after everything else is done: then an alarm tells.
        """
        end = self.clock.monotonic() + TOGETHER_SECONDS

        def until(seconds: float) -> float:
            return min(self.clock.monotonic() + seconds, end)

        counts, errors = Counter[str](), list[Exception]()
        for part in (
            self.maintenance.run,
            lambda: self.eraser.catch_up(until=until(ERASURE_SECONDS)),
            lambda: self.reindexing.catch_up(until=until(REINDEXING_SECONDS)),
            lambda: self.encryption.catch_up(until=until(ENCRYPTION_SECONDS)),
        ):
            try:
                counts.update(await part())
            except Exception as error:  # whatever it is, the other parts have their turn
                errors.append(error)
        done = {name: number for name, number in counts.items() if number}
        if done:
            logger.info("maintained", extra={"done": done})
        emit(*(count("Maintained", number, task=name) for name, number in done.items()))
        if errors:
            raise errors[0]
        if failed := [name for name in done if name.endswith("_failed")]:
            raise StoreUnavailable(f"a part of the run failed: {', '.join(failed)}", cause="Unfinished")
        return dict(counts)
