"""Keeps the instances that SnapStart restores from one snapshot apart.

All of them continue from the same memory, hours or days later. So no connection to Postgres, Redis or a model server is
open in the snapshot, and each instance has random state of its own. Ids, nonces and keys come from the kernel, which
Lambda seeds anew; what is kept for some time ends by the wall clock too (`adapters/refresh_ahead.py`,
`adapters/aws/credentials.py`).
"""

import random
from typing import TYPE_CHECKING

from remembrancer.bootstrap.process import SNAP_START, unless_unavailable

if TYPE_CHECKING:
    from remembrancer.bootstrap.models import Models


def prepare(instance: "Models") -> None:
    """Registers both steps where Lambda will take a snapshot of this process."""
    if instance.environment.get("AWS_LAMBDA_INITIALIZATION_TYPE") != SNAP_START:
        return
    # Part of Lambda's runtime from Python 3.12 on.
    from snapshot_restore_py import register_after_restore, register_before_snapshot

    register_before_snapshot(lambda: instance.loop.run(leave(instance)))
    register_after_restore(lambda: instance.loop.run(restore(instance)))


async def leave(instance: "Models") -> None:
    """Closes the connections: their servers will not know of the copies."""
    await instance.database.close()
    await instance.redis.disconnect()
    for server in instance.model_servers:
        await server.close()


async def restore(instance: "Models") -> None:
    """Connects to Postgres and Redis anew; a server that does not answer yet is no error. The first request to a model
    server opens its connection.
    """
    random.seed()
    await unless_unavailable(instance.database.warm)
    await unless_unavailable(instance.redis.ping)
