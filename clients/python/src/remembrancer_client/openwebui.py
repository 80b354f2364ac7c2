"""A filter function for Open WebUI, where a function imports it: `from remembrancer_client.openwebui import Filter`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from threading import Thread
from typing import Any, Literal

from pydantic import BaseModel, Field

from remembrancer_client import conversations
from remembrancer_client.agent_frameworks import ModelCall, RunCapture, RunMemory, nothing_fails
from remembrancer_client.async_client import DEADLINE_MS
from remembrancer_client.client import Client

Emit = Callable[[dict[str, Any]], Awaitable[None]]

TEMPORARY = "local"
"""How the ids of chats begin that Open WebUI does not store."""


class FilterValves(BaseModel):
    """What an administrator sets; what is empty comes from the environment of Open WebUI."""

    priority: int = Field(default=0, description="Filters with a lower number run first.")
    url: str = Field(default="", description="Address of the service; else REMEMBRANCER_URL.")
    api_key: str = Field(
        default="",
        description="Its key; else REMEMBRANCER_API_KEY.",
        json_schema_extra={"input": {"type": "password"}},
    )
    org_id: str = Field(default="", description="Organization; else the key's.")
    agent_id: str = Field(default="", description="The agent's id or name; else REMEMBRANCER_AGENT_ID.")
    deadline_ms: float = Field(default=DEADLINE_MS, gt=0, description="How long a chat waits for memory, at most.")
    capture: Literal["users", "off"] = Field(default="users", description="Whether what users say becomes memories.")
    status: bool = Field(
        default=True, description="Shows above an answer how many memories it had, or what is missing."
    )


@dataclass(frozen=True)
class _Opened:
    valves: FilterValves
    memory: RunMemory
    capture: RunCapture


class Filter:
    """Adds what the agent should remember to each chat, and captures the turn after the answer.

    Whatever goes wrong, the chat goes on as it is. The end user is the id of the user who is logged in; the session is
    the chat. Temporary chats get memories, and are not captured.
    """

    Valves = FilterValves

    def __init__(self) -> None:
        self.valves = FilterValves()
        self._opened: _Opened | None = None

    async def inlet(
        self,
        body: dict[str, Any],
        __user__: Mapping[str, Any] | None = None,
        __metadata__: Mapping[str, Any] | None = None,
        __event_emitter__: Emit | None = None,
        __task__: str | None = None,
    ) -> dict[str, Any]:
        """Open WebUI's hook before the model, with what the signature names; the chat that it keeps stays as it is."""
        metadata = __metadata__ or {}
        if __task__ or metadata.get("task"):
            return body  # a title, tags or the like of a chat
        with nothing_fails():
            call = ModelCall(
                body["messages"],
                str(body["model"]),
                {"user_id": _user_id(__user__), "session_id": _session_id(body, metadata)},
                tools=body.get("tools"),
            )
            answer = await self._open().memory.assembled_async(call)
            if answer.injected:
                body["messages"] = list(answer.messages)
            if self.valves.status and __event_emitter__ is not None:
                said = answer.explanation or f"{len(answer.memory_ids)} memories"
                await __event_emitter__({"type": "status", "data": {"description": said, "done": True}})
        return body

    async def outlet(
        self,
        body: dict[str, Any],
        __user__: Mapping[str, Any] | None = None,
        __metadata__: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Open WebUI's hook after the answer, with the chat as it is stored."""
        with nothing_fails():
            *messages, answer = body["messages"]
            session_id = _session_id(body, __metadata__ or {})
            if answer.get("role") == "assistant" and not str(session_id or "").startswith(TEMPORARY):
                context = {"user_id": _user_id(__user__), "session_id": session_id}
                self._open().capture.capture(messages, conversations.text(answer.get("content")), context, None)
        return body

    def _open(self) -> _Opened:
        """With the valves of now: Open WebUI sets them before each call."""
        opened = self._opened
        if opened is None or opened.valves != self.valves:
            if opened is not None:
                # In the background, since it sends first what waits to be captured.
                Thread(target=opened.memory.client.close, daemon=True).start()
            valves = self.valves
            client = Client(
                valves.url or None,
                valves.api_key or None,
                org_id=valves.org_id or None,
                agent_id=valves.agent_id or None,
                deadline_ms=valves.deadline_ms,
            )
            memory = RunMemory(client, None, None, None, None)
            opened = self._opened = _Opened(valves, memory, RunCapture(client, None, None, valves.capture))
        return opened


def _user_id(user: Mapping[str, Any] | None) -> Any:
    return (user or {}).get("id")


def _session_id(body: Mapping[str, Any], metadata: Mapping[str, Any]) -> Any:
    return metadata.get("chat_id") or body.get("chat_id")
