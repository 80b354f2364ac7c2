"""What is repeated after a deadlock, and how often."""

import pytest

from remembrancer.adapters.postgres.connection.deadlocks import TIMES, repeated
from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable


class Work:
    """Fails with these errors, one after the other."""

    def __init__(self, *errors: StoreError) -> None:
        self.errors = list(errors)
        self.calls: list[int] = []

    @repeated
    async def do(self, number: int, *, by: int) -> int:
        self.calls.append(number)
        if self.errors:
            raise self.errors.pop(0)
        return number * by


def lost(cause: str = "DeadlockDetected") -> StoreUnavailable:
    return StoreUnavailable("Postgres is unavailable", cause=cause)


@pytest.mark.parametrize("cause", ["DeadlockDetected", "SerializationFailure"])
async def test_work_is_done_again_with_the_same_arguments(cause: str) -> None:
    work = Work(lost(cause))

    assert await work.do(3, by=2) == 6
    assert work.calls == [3, 3]


async def test_in_the_end_it_fails() -> None:
    work = Work(*(lost() for _ in range(TIMES + 1)))

    with pytest.raises(StoreUnavailable):
        await work.do(3, by=2)

    assert len(work.calls) == TIMES


@pytest.mark.parametrize("error", [lost("OperationalError"), StoreTimeout("late", cause="QueryCanceled")])
async def test_other_failures_are_not_repeated(error: StoreError) -> None:
    work = Work(error)

    with pytest.raises(type(error)):
        await work.do(3, by=2)

    assert work.calls == [3]
