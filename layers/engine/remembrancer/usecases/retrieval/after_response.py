"""The port for work that a use case schedules after its response."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

Start = Callable[[], Awaitable[None] | None]
"""Begins work; None where it is done at once."""


class Afterwards(Protocol):
    """Schedules work after the response; each piece runs once, a failure is logged and counted, never shown to the
    caller.
    """

    def add(self, name: str, work: Start, *, may_wait: bool = True, first: bool = False, if_sent: bool = False) -> None:
        """Schedules `work`, to be called when the response is on its way.

        With `may_wait` False it is skipped where it would have to run before the response. `first` is for work that no
        later request repeats: it runs before the rest, which may exhaust the instance's time. `if_sent` is for what is
        true only of an answer that the caller gets: it is not done where the response is another one.
        """
        ...


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A piece of work after a response, as `Afterwards.add` takes it; `of_memories` where it is for an agent that uses
    memories only.
    """

    name: str
    begin: Start
    may_wait: bool = True
    first: bool = False
    if_sent: bool = False
    of_memories: bool = False


def schedule(work: Iterable[FollowUp], afterwards: Afterwards) -> None:
    """Adds all of it, in this order."""
    for one in work:
        afterwards.add(one.name, one.begin, may_wait=one.may_wait, first=one.first, if_sent=one.if_sent)


class _Nothing:
    """Serves Afterwards during a rehearsal: discards all work."""

    def add(self, name: str, work: Start, *, may_wait: bool = True, first: bool = False, if_sent: bool = False) -> None:
        """Discards the work; `work` is never called."""


NOTHING_AFTERWARDS: Afterwards = _Nothing()
