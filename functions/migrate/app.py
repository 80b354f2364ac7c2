"""Applies the database migrations: a custom resource of the deployment, and by hand."""

from typing import Any

from remembrancer.bootstrap import Instance
from remembrancer.runtime.custom_resource import custom_resource_handler

instance = Instance()


async def migrate() -> dict[str, Any]:
    """The numbers applied by this run, and where the schema is now."""
    report = await instance.migrate()
    return {"applied": list(report.applied), "current": report.current}


handler = custom_resource_handler(migrate, loop=instance.loop, after_response=instance.after_response)
