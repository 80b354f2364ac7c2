"""A cache for values from another server: one load serves all callers, and values are renewed before they expire."""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from remembrancer.errors import StoreError, StoreTimeout, StoreUnavailable
from remembrancer.ports.system import Clock

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

MOST_BYTES = 8_000_000

_Moment = tuple[float, float]
"""Monotonic clock and wall clock: while an instance is frozen, one of them may stop."""
_NEVER = (-math.inf, -math.inf)


@dataclass(frozen=True, slots=True)
class Times:
    """When values are renewed and expire, and the limits for loads, failures and waiting for a renewal."""

    fresh_seconds: float
    lifetime_seconds: float
    pause_seconds: float = 0.0
    wait_seconds: float = 0.0
    load_seconds: float = 5.0


@dataclass(slots=True, eq=False)
class _Entry:
    """The cached state of one key; `loaded` is when the load of `value` began."""

    value: Any = None
    loaded: _Moment = _NEVER
    error: StoreError | None = None
    failed: _Moment = _NEVER
    load: "asyncio.Task[Any] | None" = None
    began: _Moment = _NEVER
    nbytes: int = 0


_LATE_SECONDS = 0.5
"""How much later than its time a load may end, on a busy machine, and still count as one that ran."""
_SLICES = 10
"""Into which a load's time is cut: an instance that was frozen meanwhile loses one of them, and still reads the answer
that has come."""


class RefreshAhead(Generic[Key, Value]):
    """Keeps the values of up to `entries` keys, of `most_bytes` together as `weigh` says, those used last, for the
    callers on one event loop.

    - One load runs for a key at a time. It is a task of its own: a caller that is cancelled leaves it to the others,
      and to callers that come later.
    - A value is fresh for `fresh_seconds`. From then on the first caller begins a load and waits for it, for
      `wait_seconds` at most; all others get the old value at once.
    - A value ends `lifetime_seconds` after the load that read it began. Callers then wait for the next load.
    - After a StoreError no load begins for `pause_seconds`: callers get the old value until it ends, then the error.
      Any other exception is a bug: waiting callers get it, and it is not remembered.
    - A load that gives None found nothing: callers get None, nothing is kept, and an older value is dropped.
    - A load fails after `load_seconds` in which the instance ran. One that began longer ago, in an instance that was
      frozen since, is not waited for by new callers, its result is not kept when another load has begun, and its
      failure is no reason to pause.
    - Nothing that was read before `discard` is returned to callers after it.
    """

    def __init__(
        self,
        load: Callable[[Key], Awaitable[Value]],
        clock: Clock,
        times: Times,
        *,
        entries: int = 1024,
        weigh: Callable[[Value], int] = lambda _: 0,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._load = load
        self._clock = clock
        self._times = times
        self._most = entries
        self._weigh = weigh
        self._most_bytes = most_bytes
        self._bytes = 0
        self._entries: OrderedDict[Key, _Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._entries)

    async def get(self, key: Key) -> Value:
        """The kept value, or that of a load; the load's StoreError where there is no value left."""
        entry = self._entry(key)
        age = self._since(entry.loaded)
        if entry.value is None or age >= self._times.lifetime_seconds:
            return await self._loaded(key, entry)
        if age >= self._times.fresh_seconds:
            await self._renew(key, entry)
        value: Value = entry.value
        return value

    async def reload(self, key: Key, *, at_most_every: float = 0.0) -> Value:
        """The value of the load that is running, or of a new one; StoreError when it fails.

        Gives the kept value if the last load has ended and began less than `at_most_every` seconds ago.
        """
        entry = self._entry(key)
        if not self._is_loading(entry) and entry.value is not None and self._since(entry.began) < at_most_every:
            value: Value = entry.value
            return value
        return await self._loaded(key, entry)

    def kept(self, key: Key) -> tuple[Value, float] | None:
        """The kept value and its age in seconds, also when it has ended; begins no load."""
        entry = self._entries.get(key)
        return None if entry is None or entry.value is None else (entry.value, self._since(entry.loaded))

    def discard(self, key: Key) -> None:
        """Forgets the value or failure of `key`; a load that runs serves those that wait for it, and nobody else."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.nbytes

    def _entry(self, key: Key) -> _Entry:
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
            return entry
        entry = self._entries[key] = _Entry()
        if len(self._entries) > self._most:
            self.discard(next(iter(self._entries)))
        return entry

    async def _renew(self, key: Key, entry: _Entry) -> None:
        if self._is_loading(entry) or self._is_pausing(entry):
            return
        load = self._begin(key, entry)
        if self._times.wait_seconds:
            await asyncio.wait({load}, timeout=self._times.wait_seconds)
            if load.done():
                load.result()

    async def _loaded(self, key: Key, entry: _Entry) -> Value:
        if not self._is_loading(entry) and self._is_pausing(entry) and entry.error is not None:
            raise _again(entry.error) from entry.error
        load = entry.load if self._is_loading(entry) and entry.load is not None else self._begin(key, entry)
        outcome = await asyncio.shield(load)
        if isinstance(outcome, StoreError):
            raise _again(outcome) from outcome
        value: Value = outcome
        return value

    def _is_loading(self, entry: _Entry) -> bool:
        return entry.load is not None and not entry.load.done() and self._since(entry.began) < self._times.load_seconds

    def _is_pausing(self, entry: _Entry) -> bool:
        return entry.error is not None and self._since(entry.failed) < self._times.pause_seconds

    def _begin(self, key: Key, entry: _Entry) -> "asyncio.Task[Any]":
        entry.began = self._now()
        entry.load = asyncio.create_task(self._run(key, entry, entry.began))
        return entry.load

    async def _run(self, key: Key, entry: _Entry, began: _Moment) -> Any:
        """The value or the StoreError, as a result: so asyncio logs only bugs, and only those that no caller got."""
        try:
            outcome = await self._outcome(key)
            if entry.load is asyncio.current_task():
                self._keep(entry, outcome, began)
                self._bound(key, entry)
            return outcome
        finally:
            if entry.load is asyncio.current_task():
                entry.load = None
                if entry.value is None and not self._is_pausing(entry) and self._entries.get(key) is entry:
                    self.discard(key)

    async def _outcome(self, key: Key) -> Any:
        load = asyncio.ensure_future(self._load(key))
        try:
            for _ in range(_SLICES):
                await asyncio.wait({load}, timeout=self._times.load_seconds / _SLICES)
                if load.done():
                    return load.result()
            return StoreTimeout(f"A load took longer than {self._times.load_seconds} s", cause=TimeoutError.__name__)
        except StoreError as error:
            return error.with_traceback(None)
        finally:
            load.cancel()

    def _keep(self, entry: _Entry, outcome: Any, began: _Moment) -> None:
        if isinstance(outcome, StoreError):
            # A load that ends long after its time was frozen with the instance: its failure says nothing of now.
            if self._since(began) <= self._times.load_seconds + _LATE_SECONDS:
                entry.error, entry.failed = outcome, self._now()
        else:
            entry.value, entry.loaded, entry.error = outcome, began, None

    def _bound(self, key: Key, entry: _Entry) -> None:
        """Weighs this entry, if it is still kept, and drops those that were used longest ago while all weigh too
        much.
        """
        if self._entries.get(key) is not entry:
            return
        nbytes = 0 if entry.value is None else self._weigh(entry.value)
        self._bytes += nbytes - entry.nbytes
        entry.nbytes = nbytes
        while self._bytes > self._most_bytes and len(self._entries) > 1:
            oldest = next(one for one in self._entries if one != key)
            self.discard(oldest)

    def _now(self) -> _Moment:
        return self._clock.monotonic(), self._clock.now().timestamp()

    def _since(self, moment: _Moment) -> float:
        monotonic, wall = self._now()
        return max(monotonic - moment[0], wall - moment[1])


def _again(error: StoreError) -> StoreError:
    """A copy for each caller: an error that is raised again while it is handled would be its own context."""
    kind = StoreTimeout if isinstance(error, StoreTimeout) else StoreUnavailable
    return kind(str(error), cause=error.cause)
