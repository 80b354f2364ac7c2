"""What a use case leaves for after its response."""

from collections.abc import Awaitable, Callable
from typing import Protocol


class Afterwards(Protocol):
    """Work for after the response; each is done once, a failure is logged and counted, never shown to the caller."""

    def add(
        self, name: str, work: Callable[[], Awaitable[None]], *, may_wait: bool = True, first: bool = False
    ) -> None:
        """`work` is called when the response is on its way.

        With `may_wait` False it is left out where it would have to be done before the response. `first` is what no
        later request makes up for: it does not wait for the rest, in which the instance may run out of time.
        """
        ...


class _Nothing:
    """Serves Afterwards for a rehearsal, after which nothing is left to do."""

    def add(
        self, name: str, work: Callable[[], Awaitable[None]], *, may_wait: bool = True, first: bool = False
    ) -> None:
        """Forgets it."""


NOTHING_AFTERWARDS: Afterwards = _Nothing()
