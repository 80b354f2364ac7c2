"""What a request leaves for after its response, and where its messages go, for tests to look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from remembrancer.usecases.retrieval.after_response import Start


@dataclass(slots=True)
class LaterWork:
    """Serves Afterwards: the work is done when the test says so."""

    items: list[tuple[str, Start]] = field(default_factory=list)

    def add(self, name: str, work: Start, *, may_wait: bool = True, first: bool = False) -> None:
        self.items.append((name, work))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.items]

    async def do(self, name: str) -> None:
        """The work of that name, which there must be."""
        chosen = [work for planned, work in self.items if planned == name]
        assert chosen, f"{name} is not among {self.names}"
        for work in chosen:
            await done(work)


async def done(work: Start) -> None:
    """Does the work, and waits where there is anything to wait for."""
    if (begun := work()) is not None:
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
