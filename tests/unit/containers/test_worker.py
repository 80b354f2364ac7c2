"""A worker's rounds: what fails in one is told and tried again."""

import asyncio
from typing import Any

import pytest

from containers import worker
from containers.worker import Worker
from remembrancer.errors import RemembrancerError, StoreUnavailable


@pytest.mark.parametrize(
    "failure", [RemembrancerError("a task failed"), StoreUnavailable("away", cause="gone"), TimeoutError()]
)
async def test_a_round_that_fails_is_repeated(failure: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "ERROR_SECONDS", 0.0)
    instance: Any = None
    one, taken = Worker(instance), 0

    async def step() -> float:
        nonlocal taken
        taken += 1
        if taken == 1:
            raise failure
        one.stopping.set()
        return 0.0

    await asyncio.wait_for(one._round("embed", step), 5)

    assert taken == 2
