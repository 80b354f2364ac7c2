"""The scheduled run: queues memories again whose embedding message was lost, and goes on with encryption."""

from collections.abc import Mapping
from typing import Any

from remembrancer.bootstrap import Instance
from remembrancer.runtime.tasks import task_handler

instance = Instance()
maintenance = instance.maintenance()
encryption = instance.encryption


async def run(event: Mapping[str, Any]) -> dict[str, Any]:
    """How many memories were queued again, and how many organizations are still being encrypted."""
    queued = await maintenance.run()
    return {"queued": queued, "encrypting": await encryption.catch_up(until=instance.clock.monotonic() + 30)}


handler = task_handler({"run": run}, loop=instance.loop, after_response=instance.after_response)
