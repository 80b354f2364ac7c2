"""What the integrations of agent frameworks share: the end user of a run, and assembly and capture that never fail it.

One run may be in a thread and the next one on any event loop, so the client's connections live on their own thread.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from remembrancer_client import conversations
from remembrancer_client.assembled import Assembled, Message
from remembrancer_client.client import GRACE_S, Client
from remembrancer_client.conversations import CaptureMode
from remembrancer_client.end_users import end_user, is_blank

logger = logging.getLogger("remembrancer_client")

ALL_USERS = "*"

EndUser = str | Callable[[Any], str | None] | None
"""A name, or a function of the run's context; without either, `user_id` of the context."""
SessionId = str | Callable[[Any], str | None] | None
"""As EndUser; without either, `session_id` of the context."""
Options = Mapping[str, Any] | None
"""`options` of each assembly, such as {"placement": "system"}."""
OnAssembled = Callable[[Assembled], None]


@dataclass(frozen=True)
class ModelCall:
    """One call of the model. `context` is the run's context, as the caller gave it to the framework."""

    messages: Sequence[Message]
    model: str
    context: Any
    tools: Sequence[Mapping[str, Any]] | None = None
    turn_id: str | None = None
    session_id: str | None = None
    """The framework's own."""


class RunClient:
    """A client, and the end user of a run."""

    def __init__(self, client: Client | None, user_id: EndUser) -> None:
        self.client = client or Client()
        self._user_id = user_id

    def end_user(self, context: Any) -> str | None:
        """The end user that the run is for; None without one. ValueError when the context names all end users."""
        return one_end_user(_named(self._user_id, context, "user_id"))


class RunMemory(RunClient):
    """Assembly for the calls of the model. Each middleware or filter has one; it opens the connection at once."""

    def __init__(
        self,
        client: Client | None,
        user_id: EndUser,
        session_id: SessionId,
        options: Options,
        on_assembled: OnAssembled | None,
    ) -> None:
        super().__init__(client, user_id)
        self._session_id = session_id
        self._options = options
        self._on_assembled = on_assembled
        self.client.submit(lambda opened: opened.warm())

    def assembled(self, call: ModelCall) -> Assembled:
        """The answer for a call of the model; `added` of it says which messages get which text."""
        return self._reported(self.client.assemble(call.messages, **self._fields(call)))

    async def assembled_async(self, call: ModelCall) -> Assembled:
        """As `assembled`, without blocking the event loop."""
        fields = self._fields(call)
        assembling = asyncio.wrap_future(self.client.submit(lambda client: client.assemble(call.messages, **fields)))
        await asyncio.wait({assembling}, timeout=self.client.deadline_ms / 1000 + GRACE_S)
        if assembling.done():
            return self._reported(assembling.result())
        assembling.cancel()
        return self._reported(Assembled(call.messages, "timeout"))

    def _fields(self, call: ModelCall) -> dict[str, Any]:
        user_id = self.end_user(call.context)
        session_id = _named(self._session_id, call.context, "session_id") or call.session_id
        if session_id is None or is_blank(session_id):
            client = self.client
            session_id = conversations.derived_session(
                call.messages, agent_id=client.agent_id, user_id=user_id, key=client.session_key
            )
        return {
            "model": call.model,
            "user_id": user_id,
            "session_id": session_id,
            "tools": call.tools,
            "turn_id": call.turn_id,
            "options": self._options,
        }

    def _reported(self, answer: Assembled) -> Assembled:
        if self._on_assembled is not None:
            self._on_assembled(answer)
        return answer


class RunCapture(RunClient):
    """Capture of the turns of finished runs. Each middleware or hook has one."""

    def __init__(self, client: Client | None, user_id: EndUser, session_id: SessionId, mode: CaptureMode) -> None:
        if mode not in conversations.MODES:
            raise ValueError(f"capture: must be one of {', '.join(conversations.MODES)}, not {mode!r}")
        super().__init__(client, user_id)
        self._session_id = session_id
        self._mode = mode

    def capture(self, messages: Sequence[Message], answer: str, context: Any, session_id: str | None) -> None:
        """Sends the turn in the background, where the mode includes it; `session_id` is the framework's own."""
        user_id = self.end_user(context)
        said = conversations.turn(messages, answer)
        if said and conversations.includes(self._mode, user_id):
            named = _named(self._session_id, context, "session_id") or session_id
            if named is None or is_blank(named):
                named = conversations.session(messages, answer, key=self.client.session_key)
            self.client.capture(said, user_id=user_id, session_id=named)


def one_end_user(user_id: str | None) -> str | None:
    """The end user's name; ValueError for a blank one, and for the one that the service takes for all of them."""
    name = end_user(user_id)
    if name == ALL_USERS:
        raise ValueError("user_id: names all end users, where it must name one")
    return name


@contextmanager
def nothing_fails() -> Iterator[None]:
    """Logs an exception of the block, and continues without memory."""
    try:
        yield
    except Exception as error:
        logger.warning("memory_left_out", extra={"cause": type(error).__name__})


def _named(told: str | Callable[[Any], str | None] | None, context: Any, field: str) -> str | None:
    """The name that an integration was told, or that a function or field of the context has."""
    if isinstance(told, str):
        return told
    if told is not None:
        name = told(context)
    else:
        name = context.get(field) if isinstance(context, Mapping) else getattr(context, field, None)
    return None if name is None else str(name)
