"""A value is loaded once for all callers and renewed before it ends; a failure is remembered."""

import asyncio
import gc
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.refresh_ahead import RefreshAhead, Times
from remembrancer.errors import StoreTimeout, StoreUnavailable

FRESH, LIFETIME, PAUSE, LOAD = 10.0, 30.0, 4.0, 60.0


class Clock:
    """Stands still until told otherwise; a freeze may stop one of its two times."""

    def __init__(self) -> None:
        self._monotonic = 1000.0
        self._wall = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self._wall

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float, *, monotonic: bool = True, wall: bool = True) -> None:
        self._monotonic += seconds * monotonic
        self._wall += timedelta(seconds=seconds * wall)


def unavailable() -> StoreUnavailable:
    return StoreUnavailable("down", cause="Down")


@dataclass(eq=False)
class Load:
    """A load that a test ends."""

    key: str
    began: float
    answer: "asyncio.Future[Any]"


@dataclass
class Source:
    """What values are loaded from: each load waits until the test ends it."""

    clock: Clock
    loads: list[Load] = field(default_factory=list)

    async def load(self, key: str) -> Any:
        load = Load(key, self.clock.monotonic(), asyncio.get_running_loop().create_future())
        self.loads.append(load)
        return await load.answer

    def running(self, key: str = "a") -> list[Load]:
        return [load for load in self.loads if load.key == key and not load.answer.done()]

    async def end(self, answer: Any, key: str = "a") -> None:
        """Ends the oldest running load with a value or an exception, and lets every caller see it."""
        load = self.running(key)[0]
        if isinstance(answer, Exception):
            load.answer.set_exception(answer)
        else:
            load.answer.set_result(answer)
        await settle()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


class Cache(RefreshAhead[str, Any]):
    """One over a source and a clock that the test moves."""

    def __init__(self, *, entries: int = 1024, **options: Any) -> None:
        self.clock = Clock()
        self.source = Source(self.clock)
        times = replace(Times(FRESH, LIFETIME, pause_seconds=PAUSE, load_seconds=LOAD), **options)
        super().__init__(self.source.load, self.clock, times, entries=entries)

    async def asked(self, call: Callable[[str], Any] | None = None, key: str = "a") -> "asyncio.Task[Any]":
        """A caller that has got as far as it gets by itself."""
        caller = asyncio.ensure_future((call or self.get)(key))
        await settle()
        return caller

    async def holding(self, value: Any, key: str = "a") -> "Cache":
        """With this value, loaded now."""
        caller = await self.asked(key=key)
        await self.source.end(value, key)
        assert await caller == value
        return self


async def test_callers_that_come_together_share_one_load() -> None:
    cache = Cache()
    callers = [await cache.asked() for _ in range(5)]

    await cache.source.end("value")

    assert [await caller for caller in callers] == ["value"] * 5
    assert len(cache.source.loads) == 1


async def test_keys_are_loaded_apart() -> None:
    cache = Cache()
    first, second = await cache.asked(key="a"), await cache.asked(key="b")

    await cache.source.end(2, "b")
    await cache.source.end(1, "a")

    assert (await first, await second) == (1, 2)


async def test_a_fresh_value_is_served_without_a_load() -> None:
    cache = await Cache().holding("value")
    cache.clock.advance(FRESH - 0.1)

    assert await cache.get("a") == "value"
    assert len(cache.source.loads) == 1


async def test_an_older_value_is_served_while_one_load_renews_it() -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(FRESH)

    while_renewing = [await cache.get("a") for _ in range(3)]
    await settle()
    running = len(cache.source.running())
    await cache.source.end("new")

    assert while_renewing == ["old"] * 3
    assert running == 1
    assert await cache.get("a") == "new"
    assert len(cache.source.loads) == 2


async def test_the_caller_that_begins_a_renewal_waits_for_it_a_little_and_no_other_does() -> None:
    cache = await Cache(wait_seconds=5.0).holding("old")
    cache.clock.advance(FRESH)

    first = await cache.asked()
    second = await cache.asked()
    others_wait = not second.done()
    await cache.source.end("new")

    assert not others_wait
    assert (await first, await second) == ("new", "old")


async def test_a_renewal_that_takes_longer_than_the_wait_leaves_the_old_value() -> None:
    cache = await Cache(wait_seconds=0.001).holding("old")
    cache.clock.advance(FRESH)

    assert await cache.get("a") == "old"

    await cache.source.end("new")
    assert await cache.get("a") == "new"


async def test_a_value_that_has_ended_is_not_served() -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(LIFETIME)
    caller = await cache.asked()
    waits = not caller.done()

    await cache.source.end("new")

    assert waits
    assert await caller == "new"


async def test_a_value_is_as_old_as_the_load_that_read_it() -> None:
    cache = Cache()
    slow = await cache.asked()
    cache.clock.advance(LIFETIME)
    await cache.source.end("read long ago")
    assert await slow == "read long ago"

    again = await cache.asked()

    assert not again.done()
    await cache.source.end("new")
    assert await again == "new"


async def test_after_a_failure_no_load_begins_for_a_while() -> None:
    cache = Cache()
    first = await cache.asked()
    await cache.source.end(unavailable())

    cache.clock.advance(PAUSE - 0.1)
    for _ in range(3):
        with pytest.raises(StoreUnavailable, match="down"):
            await cache.get("a")
    cache.clock.advance(0.1)
    later = await cache.asked()
    await cache.source.end("value")

    assert isinstance(first.exception(), StoreUnavailable)
    assert await later == "value"
    assert len(cache.source.loads) == 2


async def test_a_remembered_failure_is_another_exception_for_each_caller() -> None:
    """A driver that tries again while it handles the first would otherwise make an endless chain of contexts."""
    cache = Cache()
    first = await cache.asked()
    await cache.source.end(unavailable())

    with pytest.raises(StoreUnavailable) as raised:
        await cache.get("a")

    assert raised.value is not first.exception()
    assert raised.value.cause == "Down"


async def test_a_failed_renewal_leaves_the_old_value_until_it_ends() -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(FRESH)

    assert await cache.get("a") == "old"
    await settle()
    await cache.source.end(unavailable())
    assert [(await cache.asked()).result() for _ in range(3)] == ["old"] * 3
    assert len(cache.source.loads) == 2

    cache.clock.advance(LIFETIME - FRESH)
    ended = await cache.asked()
    await cache.source.end(unavailable())
    assert isinstance(ended.exception(), StoreUnavailable)


async def test_what_does_not_exist_is_not_kept() -> None:
    cache = Cache()
    caller = await cache.asked()

    await cache.source.end(None)

    assert await caller is None
    assert len(cache) == 0


async def test_a_value_that_is_gone_when_it_is_renewed_is_dropped() -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(FRESH)
    assert await cache.get("a") == "old"
    await settle()

    await cache.source.end(None)

    assert cache.kept("a") is None
    assert not (await cache.asked()).done()


async def test_a_bug_reaches_its_callers_and_is_not_remembered() -> None:
    cache = Cache()
    caller = await cache.asked()
    await cache.source.end(LookupError("bug"))

    again = await cache.asked()
    await cache.source.end("value")

    assert isinstance(caller.exception(), LookupError)
    assert await again == "value"


async def test_a_bug_in_a_renewal_reaches_the_caller_that_waits_and_leaves_the_value() -> None:
    cache = await Cache(wait_seconds=5.0).holding("old")
    cache.clock.advance(FRESH)
    caller = await cache.asked()

    await cache.source.end(LookupError("bug"))

    assert isinstance(caller.exception(), LookupError)
    assert cache.kept("a") == ("old", FRESH)


@pytest.mark.parametrize(("error", "logged"), [(unavailable, False), (LookupError, True)])
async def test_what_no_caller_waits_for_is_logged_if_it_is_a_bug(
    error: Callable[[], Exception], logged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(FRESH)
    await cache.get("a")
    await settle()

    with caplog.at_level(logging.ERROR, "asyncio"):
        await cache.source.end(error())
        cache.source.loads.clear()
        gc.collect()

    assert ("never retrieved" in caplog.text) is logged


async def test_a_cancelled_caller_leaves_the_load_to_the_others_and_to_the_next() -> None:
    cache = Cache()
    impatient, patient = await cache.asked(), await cache.asked()
    impatient.cancel()
    await settle()
    next_one = await cache.asked()

    await cache.source.end("value")

    assert impatient.cancelled()
    assert (await patient, await next_one) == ("value", "value")
    assert len(cache.source.loads) == 1


async def test_a_load_that_every_caller_left_is_kept() -> None:
    cache = Cache()
    impatient = await cache.asked()
    impatient.cancel()
    await settle()

    await cache.source.end("value")

    assert await cache.get("a") == "value"


async def test_a_load_is_bounded_in_time() -> None:
    cache = Cache(load_seconds=0.01)

    with pytest.raises(StoreTimeout):
        await cache.get("a")

    assert asyncio.all_tasks() == {asyncio.current_task()}


@pytest.mark.parametrize("stopped", ["monotonic", "wall", "neither"])
async def test_a_load_that_was_frozen_is_not_waited_for_again(stopped: str) -> None:
    cache = Cache()
    before = await cache.asked()
    cache.clock.advance(3600, monotonic=stopped != "monotonic", wall=stopped != "wall")

    after = await cache.asked()
    await cache.source.end(unavailable())
    failed = not after.done()
    await cache.source.end("value")

    assert isinstance(before.exception(), StoreUnavailable)
    assert failed
    assert await after == "value"


async def test_the_result_of_a_load_that_was_replaced_after_a_freeze_is_not_kept() -> None:
    cache = Cache()
    before = await cache.asked()
    cache.clock.advance(3600)
    after = await cache.asked()

    await cache.source.end("read before")
    joined = await cache.asked()
    nothing_kept = cache.kept("a") is None
    await cache.source.end("read after")

    assert await before == "read before"
    assert nothing_kept
    assert (await after, await joined) == ("read after", "read after")
    assert len(cache.source.loads) == 2


@pytest.mark.parametrize("frozen", [LOAD + 1, 3600.0], ids=["for less than the pause", "for an hour"])
async def test_a_failure_because_of_a_freeze_is_no_reason_to_pause(frozen: float) -> None:
    cache = Cache()
    before = await cache.asked()
    cache.clock.advance(frozen)
    await cache.source.end(StoreTimeout("the connection was gone", cause="TimeoutError"))

    after = await cache.asked()
    await cache.source.end("value")

    assert isinstance(before.exception(), StoreTimeout)
    assert await after == "value"


@pytest.mark.parametrize("stopped", ["monotonic", "wall"])
async def test_a_value_ends_while_the_instance_is_frozen(stopped: str) -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(LIFETIME, monotonic=stopped != "monotonic", wall=stopped != "wall")

    caller = await cache.asked()

    assert not caller.done()


async def test_a_discarded_value_is_not_served_even_if_its_load_is_still_running() -> None:
    cache = await Cache().holding("old")
    cache.clock.advance(LIFETIME)
    reading = await cache.asked()

    cache.discard("a")
    after = await cache.asked()
    await cache.source.end("read before")
    still_waits = not after.done()
    await cache.source.end("read after")

    assert await reading == "read before"
    assert still_waits
    assert await after == "read after"
    assert await cache.get("a") == "read after"


async def test_a_load_of_before_a_discard_that_finds_nothing_takes_nothing_away() -> None:
    cache = Cache()
    before = await cache.asked()
    cache.discard("a")
    after = await cache.asked()

    await cache.source.end(None)
    await cache.source.end("value")

    assert (await before, await after) == (None, "value")
    assert await cache.get("a") == "value"
    assert len(cache.source.loads) == 2


async def test_a_reload_joins_the_load_that_runs_and_begins_one_where_none_does() -> None:
    cache = await Cache().holding("old")
    first, second = await cache.asked(cache.reload), await cache.asked(cache.reload)

    await cache.source.end("new")

    assert (await first, await second) == ("new", "new")
    assert len(cache.source.loads) == 2


async def test_a_reload_at_most_so_often_gives_the_kept_value_in_between() -> None:
    cache = await Cache().holding("old")

    async def reload(key: str) -> Any:
        return await cache.reload(key, at_most_every=PAUSE)

    early = await reload("a")
    cache.clock.advance(PAUSE)
    late = await cache.asked(reload)
    await cache.source.end("new")

    assert (early, await late) == ("old", "new")


async def test_the_keys_used_last_are_kept() -> None:
    cache = Cache(entries=2)
    for key in "ab":
        await cache.holding(key, key)
    await cache.get("a")

    await cache.holding("c", "c")

    assert sorted(cache) == ["a", "c"]


async def test_keys_that_do_not_exist_push_out_no_more_than_one_that_does() -> None:
    cache = Cache(entries=2)
    for key in "ab":
        await cache.holding(key, key)

    for number in range(10):
        caller = await cache.asked(key=f"made up {number}")
        await cache.source.end(None, f"made up {number}")
        await caller

    assert list(cache) == ["b"]


STEPS = st.one_of(
    st.tuples(st.just("get"), st.sampled_from("ab")),
    st.tuples(st.just("reload"), st.sampled_from("ab")),
    st.tuples(st.just("pass"), st.sampled_from([0.5, PAUSE, FRESH, LIFETIME])),
    st.tuples(st.just("end"), st.sampled_from(["value", "nothing", "unavailable", "bug"])),
    st.tuples(st.just("cancel"), st.integers(0, 5)),
    st.tuples(st.just("discard"), st.sampled_from("ab")),
)


class Model:
    """Checks the promises over any order of calls, ends of loads, cancellations and passing time."""

    def __init__(self) -> None:
        self.cache = Cache(load_seconds=1e9)
        self.waiting: list[tuple[str, asyncio.Task[Any]]] = []
        self.discarded: dict[str, float] = {}
        self.orphans: set[int] = set()
        self.failed: dict[str, float] = {}
        self.version = 0

    @property
    def now(self) -> float:
        return self.cache.clock.monotonic()

    async def step(self, kind: str, argument: Any) -> None:
        match kind:
            case "get" | "reload":
                await self.call(argument, self.cache.get if kind == "get" else self.cache.reload)
            case "pass":
                self.cache.clock.advance(argument)
            case "end":
                await self.end(argument)
            case "cancel" if self.waiting:
                self.waiting.pop(argument % len(self.waiting))[1].cancel()
                await settle()
            case "discard":
                self.orphans |= {id(load) for load in self.cache.source.running(argument)}
                self.failed.pop(argument, None)
                self.discarded[argument] = self.version
                self.cache.discard(argument)

    async def call(self, key: str, call: Callable[[str], Any]) -> None:
        before = len(self.cache.source.loads)
        caller = await self.cache.asked(call, key)
        began = self.cache.source.loads[before:]
        assert len(began) <= 1
        assert len([load for load in self.cache.source.running(key) if id(load) not in self.orphans]) <= 1
        if began:
            assert self.now - self.failed.get(key, -1e9) >= PAUSE, "a failure is remembered"
        if not caller.done():
            assert self.cache.source.running(key), "waits for a load"
            self.waiting.append((key, caller))
        elif caller.exception() is None:
            version, loaded = caller.result()
            assert self.now - loaded < LIFETIME, "a value that has ended is not served"
            assert version > self.discarded.get(key, -1), "nothing of before a discard is served"
        else:
            assert isinstance(caller.exception(), StoreUnavailable)
            assert self.now - self.failed[key] < PAUSE

    async def end(self, kind: str) -> None:
        """Ends the oldest load of all."""
        load = next((load for load in self.cache.source.loads if not load.answer.done()), None)
        if load is None:
            return
        self.version += 1
        orphan = id(load) in self.orphans
        # What an orphan reads is of before the discard.
        version = -1 if orphan else self.version
        answers: dict[str, Any] = {"value": (version, load.began), "nothing": None, "unavailable": unavailable()}
        if kind == "unavailable" and not orphan:
            self.failed[load.key] = self.now
        await self.cache.source.end(answers.get(kind, LookupError("bug")), load.key)
        done = [caller for key, caller in self.waiting if key == load.key and caller.done()]
        self.waiting = [(key, caller) for key, caller in self.waiting if not caller.done()]
        for caller in done:
            assert not caller.cancelled(), "nobody is cancelled by another"
            assert (
                caller.exception() is not None
                or caller.result() == answers["nothing" if kind == "nothing" else "value"]
            )

    async def finish(self) -> None:
        while any(not load.answer.done() for load in self.cache.source.loads):
            await self.end("value")
        assert self.waiting == []
        assert asyncio.all_tasks() == {asyncio.current_task()}, "no task is left"
        assert len(self.cache) <= 2


@given(steps=st.lists(STEPS, max_size=40))
def test_the_promises_hold_in_any_order_of_events(steps: list[tuple[str, Any]]) -> None:
    async def run() -> None:
        model = Model()
        for kind, argument in steps:
            await model.step(kind, argument)
        await model.finish()

    asyncio.run(run())


def test_an_answer_that_came_while_the_instance_was_frozen_is_read_and_no_failure() -> None:
    """The loop runs for requests only: one that has nothing to do with the load wakes it after the load's time."""
    began: list[str] = []

    def fetched(key: str) -> str:
        began.append(key)
        time.sleep(0.05)
        return "value"

    cache = RefreshAhead[str, str](
        lambda key: asyncio.to_thread(fetched, key), Clock(), Times(FRESH, LIFETIME, PAUSE, load_seconds=0.1)
    )
    with asyncio.Runner() as runner:
        runner.run(begin(cache))
        time.sleep(0.2)
        runner.run(settle())

        assert runner.run(cache.get("a")) == "value"
    assert began == ["a"]


async def begin(cache: RefreshAhead[str, str]) -> None:
    """One caller begins a load and goes away."""
    with suppress(TimeoutError):
        async with asyncio.timeout(0):
            await cache.get("a")


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 60), st.booleans()), max_size=40))
def test_values_together_weigh_no_more_than_they_may_and_the_last_one_is_kept(
    uses: list[tuple[str, int, bool]],
) -> None:
    async def use() -> None:
        sizes: dict[str, int] = {}

        async def load(key: str) -> str:
            return "x" * sizes[key]

        values = RefreshAhead[str, str](load, Clock(), Times(FRESH, LIFETIME), weigh=len, most_bytes=100)
        for key, size, discards in uses:
            sizes[key] = size
            if discards:
                values.discard(key)
            await values.reload(key)
            kept = {one: values.kept(one) for one in sizes}
            weights = [len(found[0]) for found in kept.values() if found is not None]
            assert kept[key] is not None
            assert sum(weights) == values._bytes <= 100

    asyncio.run(use())
