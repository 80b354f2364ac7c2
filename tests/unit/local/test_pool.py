"""How many instances a pool starts."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from local.lambda_ import pool as pools
from local.lambda_.instance import Sandbox
from local.lambda_.invocation import InitError
from local.template import FunctionSpec


class Broken:
    """An instance that does not start; all that have begun to by then fail at the same moment."""

    made: list["Broken"]
    moment: asyncio.Event

    def __init__(self, *_: Any, on_end: "Callable[[Broken], None]", **__: Any) -> None:
        self._on_end = on_end
        self.was_ready = False
        self.made.append(self)

    async def start(self) -> None:
        await self.moment.wait()
        self._on_end(self)
        raise InitError("it is broken", b'{"errorType":"Broken","errorMessage":"it is broken"}')

    async def stop(self) -> None:
        self._on_end(self)


async def test_each_caller_costs_one_start_when_several_starts_fail_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Broken, "made", [], raising=False)
    monkeypatch.setattr(Broken, "moment", asyncio.Event(), raising=False)
    monkeypatch.setattr(pools, "FunctionInstance", Broken)
    spec = FunctionSpec(name="Function", folder=tmp_path, handler="app.handler", timeout_s=1, environment={})
    pool = pools.FunctionPool(spec, Sandbox(), log_folder=tmp_path, maximum=2)

    calls = asyncio.gather(*(pool.invoke(b"{}") for _ in range(3)))
    await asyncio.sleep(0)
    Broken.moment.set()
    results = await calls

    assert [result.error and result.error.error_type for result in results] == ["Broken"] * 3
    assert len(Broken.made) == 3
    assert pool.size == 0
    await pool.stop()
