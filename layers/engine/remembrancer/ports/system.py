"""Clocks, queues, and whether dependencies answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol


class Clock(Protocol):
    """Time as an argument: `now` is aware UTC, `monotonic` seconds that only grow."""

    def now(self) -> datetime:
        """The time of the wall clock, which may be set back."""
        ...

    def monotonic(self) -> float:
        """Seconds since some start, for durations and deadlines."""
        ...


MOST_RECEIVES = 15
CAPTURE_RECEIVES = 5
"""Deliveries of a message, and of one to capture, before it becomes a dead letter: the redrive policy of
template.yaml.
"""


class Queue(Protocol):
    """A queue of JSON messages that carry ids, `org_id` among them, never text.

    Organizations are served in turn, and what one sends in bulk does not hold up its single messages.
    """

    async def send(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Sends all of the messages, or raises StoreError: then some may have been sent."""
        ...


class DelayedQueue(Queue, Protocol):
    """A queue whose messages may be for later."""

    async def send(self, messages: Sequence[Mapping[str, Any]], *, delay_seconds: int = 0) -> None:
        """Sends as `Queue.send` does; the messages are received after `delay_seconds` at the earliest, at most 900."""
        ...


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether each dependency answers; a failed one names its error's class."""

    checks: Mapping[str, str] = field(default_factory=dict)

    @property
    def ready(self) -> bool:
        """Postgres is needed to be ready; the cache is not."""
        return self.checks.get("postgres") == "ok"
