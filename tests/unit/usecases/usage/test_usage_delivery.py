"""Usage events of one instance share their calls of the queue, and none waits longer than it must."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from remembrancer.errors import StoreUnavailable
from remembrancer.usecases.retrieval.background_reads import BackgroundReads
from remembrancer.usecases.usage.apply_side_effects import SideEffects
from remembrancer.usecases.usage.usage_delivery import AT_ONCE, TOGETHER_SECONDS, UsageDelivery
from tests.builders import SetClock


class Sent:
    """Serves Queue: the numbers of the events of each call."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.refuses = False

    async def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        if self.refuses:
            raise StoreUnavailable("refused", cause="OSError")
        self.calls.append([one["number"] for one in messages])


class Nowhere:
    """Stands for the store, which refuses too."""

    async def apply(self, events: Sequence[Any]) -> dict[Any, str]:
        raise StoreUnavailable("refused", cause="OSError")


def delivery(queue: Sent, clock: SetClock, together: int = 20) -> UsageDelivery:
    counting = cast("SideEffects", Nowhere())
    return UsageDelivery(queue, counting, BackgroundReads(clock), clock, together=together)


def event(number: int) -> dict[str, Any]:
    return {"number": number}


async def test_the_events_of_a_second_wait_for_twenty() -> None:
    queue = Sent()
    usage = delivery(queue, SetClock())

    for number in range(21):
        await usage.send([event(number)])

    assert queue.calls == [[0], list(range(1, 11)), list(range(11, 21))]
    assert max(map(len, queue.calls)) == AT_ONCE


async def test_a_rare_event_is_sent_at_once() -> None:
    queue, clock = Sent(), SetClock()
    usage = delivery(queue, clock)

    for number in range(3):
        await usage.send([event(number)])
        clock.seconds += TOGETHER_SECONDS

    assert queue.calls == [[0], [1], [2]]


async def test_what_waits_is_due_after_a_second_even_with_no_further_event() -> None:
    queue, clock = Sent(), SetClock()
    usage = delivery(queue, clock)
    await usage.send([event(0)])
    await usage.send([event(1)])

    soon = usage.due
    clock.seconds += TOGETHER_SECONDS
    later = usage.due
    await usage.deliver()

    assert (soon, later, usage.due) == (False, True, False)
    assert queue.calls == [[0], [1]]


async def test_a_clock_that_goes_back_delays_nothing() -> None:
    queue, clock = Sent(), SetClock()
    usage = delivery(queue, clock)
    await usage.send([event(0)])

    clock.seconds -= 3600
    await usage.send([event(1)])

    assert queue.calls == [[0], [1]]


async def test_the_end_of_an_instance_sends_what_waits() -> None:
    queue = Sent()
    usage = delivery(queue, SetClock())
    for number in range(3):
        await usage.send([event(number)])

    await usage.end()

    assert queue.calls == [[0], [1, 2]]
    assert usage.kept == 0


async def test_what_was_refused_is_sent_with_the_next_events_in_their_order() -> None:
    queue, clock = Sent(), SetClock()
    usage = delivery(queue, clock)
    queue.refuses = True
    with pytest.raises(StoreUnavailable):
        await usage.send([event(0)])
    queue.refuses = False

    await usage.send([event(1)])
    clock.seconds += TOGETHER_SECONDS
    await usage.send([event(2)])

    assert queue.calls == [[0, 1, 2]]


async def test_without_merging_each_event_is_sent_at_once() -> None:
    queue = Sent()
    usage = delivery(queue, SetClock(), together=1)

    for number in range(3):
        await usage.send([event(number)])

    assert queue.calls == [[0], [1], [2]]
