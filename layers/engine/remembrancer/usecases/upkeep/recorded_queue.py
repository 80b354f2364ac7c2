"""A queue of work that the store knows of too: what cannot be sent is noted there, and maintenance sends it soon."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from remembrancer.errors import StoreError
from remembrancer.ports.system import DelayedQueue
from remembrancer.ports.upkeep import UnsentWork


@dataclass(frozen=True, slots=True)
class RecordedQueue:
    """Serves the DelayedQueue port for messages that name a memory or a conversation.

    Without the note, maintenance would believe that a worker is busy with it, and wait ever longer.
    """

    queue: DelayedQueue
    unsent: UnsentWork

    async def send(self, messages: Sequence[Mapping[str, Any]], *, delay_seconds: int = 0) -> None:
        """As the queue's own; of messages of which some may have been sent, all are noted."""
        try:
            await self.queue.send(messages, delay_seconds=delay_seconds)
        except StoreError:
            # If the store fails too, maintenance takes the message for a lost one.
            with suppress(StoreError):
                await self.unsent.note(messages)
            raise
