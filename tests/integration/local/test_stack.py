"""The stack's end, when something that it needs for that has gone."""

import asyncio
import socket
import time
from pathlib import Path
from typing import cast

import pytest

from local.lambda_.pool import FunctionPool
from local.queues import QueuePoller, connect
from local.stack import Stack, StackError, StackSettings
from local.template import QueueTrigger


class Stopped:
    """A pool that notes its end."""

    stopped = False

    async def stop(self) -> None:
        self.stopped = True


@pytest.mark.parametrize(("hanging", "reason"), [(False, "Could not connect"), (True, "no answer in time")])
async def test_a_dead_or_hanging_queue_server_does_not_keep_the_rest_from_being_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hanging: bool, reason: str
) -> None:
    monkeypatch.setattr("local.stack._DRAIN_SECONDS", 0.1)
    monkeypatch.setattr("local.stack._SILENT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
        if not hanging:
            server.close()
        pool = cast("FunctionPool", Stopped())
        stack = Stack(StackSettings(directory=tmp_path))
        stack.functions = {"EmbedFunction": pool}
        stack._pollers = [QueuePoller(connect(url), f"{url}/1/queue", QueueTrigger(queue="EmbedQueue"), pool)]

        began = time.monotonic()
        with pytest.raises(StackError, match=f"everything has stopped, but not as it should: the queues .*{reason}"):
            async with asyncio.timeout(20):
                await stack.stop()

    assert time.monotonic() - began < 15
    assert cast("Stopped", pool).stopped
    await stack.stop()
