"""The scheduled run: each step of each organization has its turn, whatever the others do."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from remembrancer.errors import StoreUnavailable
from remembrancer.ports.upkeep import Lost, Swept, Visit
from remembrancer.usecases.upkeep.maintenance import AGAIN_AFTER, DONE, FAILED, Maintenance, RunLimits
from tests.builders import SetClock

ONE, OTHER = UUID(int=1), UUID(int=2)
STEPS = [
    "waiting_conversations", "lost", "link", "outdated", "cool", "expire", "dissolve_mixed_clusters",
    "refresh_clusters", "untidy", "stragglers", "retire", "remove_old", "forget",
]  # fmt: skip


class Stores:
    """Serves every port of the run: notes who was served, fails where it is told, and does `work` in the first."""

    def __init__(self, clock: SetClock, *, fails: str = "", takes_seconds: float = 0.0, work: int = 0) -> None:
        self.clock = clock
        self.fails = fails
        self.takes_seconds = takes_seconds
        self.work = work
        self.taken: list[tuple[str, UUID]] = []
        self.due = {ONE: clock.now(), OTHER: clock.now()}

    def _take(self, step: str, org_id: UUID) -> None:
        self.clock.seconds += self.takes_seconds
        self.taken.append((step, org_id))
        if step == self.fails and org_id == ONE:
            raise StoreUnavailable("gone", cause="OperationalError")

    async def organizations(self) -> Sequence[Visit]:
        return [Visit(org_id, due) for org_id, due in self.due.items()]

    async def visited(self, org_id: UUID, due_at: datetime) -> None:
        self.due[org_id] = due_at

    async def lost(self, org_id: UUID, now: datetime, limit: int) -> Lost:
        self._take("lost", org_id)
        return Lost((), 0)

    async def waiting_conversations(self, org_id: UUID, now: datetime, limit: int, **_: Any) -> Sequence[Any]:
        self._take("waiting_conversations", org_id)
        return ()

    async def outdated(self, org_id: UUID, model: str, now: datetime, limit: int) -> Sequence[UUID]:
        self._take("outdated", org_id)
        return ()

    async def serve(self, org_id: UUID, model: str, now: datetime) -> Sequence[Swept] | None:
        return ()

    async def stragglers(self, org_id: UUID, model: str, now: datetime, limit: int) -> Sequence[UUID]:
        self._take("stragglers", org_id)
        return ()

    async def retire(self, org_id: UUID, model: str, now: datetime, limit: int) -> int:
        self._take("retire", org_id)
        return 0

    async def cool(self, org_id: UUID, now: datetime, limit: int) -> Sequence[Swept]:
        self._take("cool", org_id)
        return ()

    async def expire(self, org_id: UUID, now: datetime, limit: int) -> Sequence[Swept]:
        self._take("expire", org_id)
        return ()

    async def dissolve_mixed_clusters(self, org_id: UUID, limit: int) -> int:
        self._take("dissolve_mixed_clusters", org_id)
        return 0

    async def refresh_clusters(self, org_id: UUID, now: datetime, limit: int) -> int:
        self._take("refresh_clusters", org_id)
        done = min(self.work, limit) if org_id == ONE else 0
        self.work -= done
        return done

    async def forget(self, org_id: UUID, now: datetime, limit: int) -> dict[str, int]:
        self._take("forget", org_id)
        return {"events": 2}

    async def link(self, org_id: UUID) -> int:
        self._take("link", org_id)
        return 0

    async def remove_old(self, org_id: UUID, now: datetime, limit: int) -> int:
        self._take("remove_old", org_id)
        return 0

    async def untidy(self, org_id: UUID, before: datetime, limit: int) -> Sequence[UUID]:
        self._take("untidy", org_id)
        return ()

    async def send(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> None:
        return None


def run_of(stores: Stores, **limits: Any) -> Maintenance:
    one: Any = stores
    return Maintenance(
        one,
        one,
        one,
        one,
        one,
        stores.clock,
        timedelta(minutes=5),
        RunLimits(**limits),
        vectors=one,
        model="new",
        auditor=one,
    )


@pytest.mark.parametrize("failing", STEPS)
async def test_a_step_that_fails_keeps_neither_another_step_nor_another_organization_from_its_turn(
    failing: str, caplog: pytest.LogCaptureFixture
) -> None:
    clock = SetClock()
    stores = Stores(clock, fails=failing)

    done = await run_of(stores).run()

    assert sorted(stores.taken) == sorted((step, org_id) for step in STEPS for org_id in (ONE, OTHER))
    assert done["failed"] == 1
    visit_failed = failing in STEPS[4:]
    assert done["visited"] == (1 if visit_failed else 2)
    assert stores.due[ONE] == clock.now() + AGAIN_AFTER[FAILED if visit_failed else DONE]
    assert stores.due[OTHER] == clock.now() + AGAIN_AFTER[DONE]
    assert [record.message for record in caplog.records] == ["maintenance_failed"]


async def test_an_organization_with_more_than_a_steps_limit_is_visited_again_after_the_others() -> None:
    clock = SetClock()
    stores = Stores(clock, work=5)

    done = await run_of(stores, clusters=2).run()

    assert [org_id for step, org_id in stores.taken if step == "refresh_clusters"] == [ONE, OTHER, ONE, ONE]
    assert (done["clusters"], done["visited"], done["forgotten_events"]) == (5, 4, 8)


async def test_a_visit_that_had_no_time_for_every_step_stays_due() -> None:
    clock = SetClock()
    stores = Stores(clock, takes_seconds=3.0)

    await run_of(stores, seconds=25.0).run()

    assert len(stores.taken) == 9
    assert stores.due[ONE] <= clock.now()
    assert all(due <= clock.now() for due in stores.due.values())
