"""The scheduled run: lost embedding messages, indexes left unmerged, and encryption that goes on."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from remembrancer.bootstrap import Instance
from remembrancer.runtime.tasks import task_handler

instance = Instance()
maintenance = instance.maintenance()
encryption = instance.encryption


async def run(event: Mapping[str, Any]) -> dict[str, Any]:
    """How many memories were queued again, how many agents' indexes merged, how many organizations still encrypt."""
    maintained = await maintenance.run()
    encrypting = await encryption.catch_up(until=instance.clock.monotonic() + 30)
    return {**asdict(maintained), "encrypting": encrypting}


handler = task_handler({"run": run}, loop=instance.loop, after_response=instance.after_response)
