"""What the integrations of agent frameworks share: the end user of a run, and assembly that never fails it.

One run may be in a thread and the next one on any event loop, so the client's connections live on their own thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from remembrancer_client.assembled import Assembled, Message
from remembrancer_client.client import GRACE_S, Client

logger = logging.getLogger("remembrancer_client")

ALL_USERS = "*"

EndUser = str | Callable[[Any], str | None] | None
"""A name, or a function of the run's context; without either, `user_id` of the context."""
OnAssembled = Callable[[Assembled], None]


@dataclass(frozen=True)
class ModelCall:
    """What is known of one call of the model. `context` is the run's own, as the framework was given it."""

    messages: Sequence[Message]
    model: str
    context: Any
    tools: Sequence[Mapping[str, Any]] | None = None
    turn_id: str | None = None


class RunMemory:
    """One for each middleware or filter. Opens the connection at once."""

    def __init__(self, client: Client | None, user_id: EndUser, on_assembled: OnAssembled | None) -> None:
        self._client = client or Client()
        self._user_id = user_id
        self._on_assembled = on_assembled
        self._client.submit(lambda opened: opened.warm())

    def injected(self, call: ModelCall) -> str:
        """What to add to the model's instructions; empty when there is nothing to add."""
        return self._told(self._client.assemble(call.messages, **self._fields(call)))

    async def injected_async(self, call: ModelCall) -> str:
        """As `injected`; the event loop goes on meanwhile."""
        fields = self._fields(call)
        assembling = asyncio.wrap_future(self._client.submit(lambda client: client.assemble(call.messages, **fields)))
        await asyncio.wait({assembling}, timeout=self._client.deadline_ms / 1000 + GRACE_S)
        if assembling.done():
            return self._told(assembling.result())
        assembling.cancel()
        return self._told(Assembled(call.messages, "timeout"))

    def _fields(self, call: ModelCall) -> dict[str, Any]:
        user_id = self.end_user(call.context)
        return {"model": call.model, "user_id": user_id, "tools": call.tools, "turn_id": call.turn_id}

    def end_user(self, context: Any) -> str | None:
        """Who the run is for; None for nobody, which leaves shared memories."""
        if isinstance(self._user_id, str):
            return self._user_id
        user_id = _named(context) if self._user_id is None else self._user_id(context)
        if user_id == ALL_USERS:
            raise ValueError("user_id: the run's context names all end users, where it must name one")
        return None if user_id is None else str(user_id)

    def _told(self, answer: Assembled) -> str:
        if self._on_assembled is not None:
            self._on_assembled(answer)
        return answer.injected


@contextmanager
def nothing_fails() -> Iterator[None]:
    """Leaves out memory, and nothing else, when what is inside fails."""
    try:
        yield
    except Exception as error:
        logger.warning("memory_left_out", extra={"cause": type(error).__name__})


def _named(context: Any) -> Any:
    return context.get("user_id") if isinstance(context, Mapping) else getattr(context, "user_id", None)
