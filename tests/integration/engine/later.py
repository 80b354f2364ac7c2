"""What a request leaves for after its response, and where its messages go, for tests to look at."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class LaterWork:
    """Serves Afterwards: the work is done when the test says so."""

    items: list[tuple[str, Callable[[], Awaitable[None] | None]]] = field(default_factory=list)

    def add(
        self,
        name: str,
        work: Callable[[], Awaitable[None] | None],
        *,
        may_wait: bool = True,
        first: bool = False,
        if_sent: bool = False,
    ) -> None:
        self.items.append((name, work))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.items]

    async def do(self, name: str) -> None:
        """The work of that name, which there must be."""
        assert name in self.names, f"{name} is not among {self.names}"
        await self.do_all(without={other for other in self.names if other != name})

    async def do_all(self, *, without: Collection[str] = ()) -> None:
        """All work but that of these names."""
        for name, work in self.items:
            if name not in without and (begun := work()) is not None:
                await begun


@dataclass(slots=True)
class SentMessages:
    """Serves Queue: SQS itself is tested in test_sqs_queue."""

    messages: list[Mapping[str, Any]] = field(default_factory=list)
    delays: list[int] = field(default_factory=list)
    """In seconds, of each message."""

    async def send(self, messages: Sequence[Mapping[str, Any]], *, delay_seconds: int = 0) -> None:
        self.messages += messages
        self.delays += [delay_seconds] * len(messages)
