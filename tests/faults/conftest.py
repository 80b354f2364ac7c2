"""A stack of their own for the tests that break it: what a fault leaves in the queues must not wait for other tests."""

from collections.abc import Iterator

import pytest

from local.stack import Stack, StackSettings
from remembrancer.usecases.identity import authorise
from tests.cache import KIND
from tests.e2e.conftest import PATIENT, START_SECONDS, Loop, loop, new_tenant, tenant

__all__ = ["loop", "new_tenant", "tenant"]

RATE_SECONDS = 1.0
"""One count that Redis is late with on a busy machine would make it count as hanging."""


@pytest.fixture(scope="package", autouse=True)
def _patient_rate_limits() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(authorise, "RATE_SECONDS", RATE_SECONDS)
        yield


@pytest.fixture(scope="package")
def stack(loop: Loop, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    directory = tmp_path_factory.mktemp("faults")
    stack = Stack(
        StackSettings(directory=directory, port=0, environment=PATIENT, start_seconds=START_SECONDS, cache=KIND)
    )
    loop.run(stack.start())
    yield stack
    loop.run(stack.stop())
