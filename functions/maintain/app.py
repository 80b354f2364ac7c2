"""The scheduled run: queues memories again whose embedding message was lost."""

from collections.abc import Mapping
from typing import Any

from remembrancer.bootstrap import Instance
from remembrancer.runtime.tasks import task_handler

instance = Instance()
maintenance = instance.maintenance()


async def run(event: Mapping[str, Any]) -> dict[str, Any]:
    """How many were queued again."""
    return {"queued": await maintenance.run()}


handler = task_handler({"run": run}, loop=instance.loop, after_response=instance.after_response)
