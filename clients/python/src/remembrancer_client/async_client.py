"""The client for asyncio."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from hashlib import sha256
from typing import Any

import httpx

from remembrancer_client import calls, tracing
from remembrancer_client.assembled import Assembled, Message
from remembrancer_client.assembly import Assembly
from remembrancer_client.calls import Page
from remembrancer_client.capture_queue import CaptureQueue
from remembrancer_client.conversations import sendable, spoken
from remembrancer_client.end_users import end_user, is_blank
from remembrancer_client.refusals import OnRefused, Refusals
from remembrancer_client.results import (
    Agent,
    Captured,
    Conflict,
    Conversation,
    Deleted,
    Directive,
    Erasure,
    FeedbackCounts,
    Forgotten,
    Found,
    Key,
    Memory,
    Readiness,
    Relation,
    SettledConflict,
    Written,
)
from remembrancer_client.transport import Transport

DEADLINE_MS = 45.0
TIMEOUT_S = 10.0
CONNECTIONS = 100
KEPT_S = 60.0
FLUSH_S = 5.0
"""How long closing a client waits for captures."""

logger = logging.getLogger("remembrancer_client")


class AsyncClient:
    """Create one client for each process, because its connections stay open.

    `url`, `api_key`, `org_id` and `agent_id` default to REMEMBRANCER_URL, REMEMBRANCER_API_KEY, REMEMBRANCER_ORG_ID and
    REMEMBRANCER_AGENT_ID. The credential says the organization as well, so REMEMBRANCER_ORG_ID is not read beside an
    `api_key`, which may be another organization's. `agent_id` may be an agent's name, here and in every call but
    `erase`. `deadline_ms` bounds a whole `assemble`, `timeout_s` each attempt of any other call.
    `on_refused` is called once for each code of a refusal (401, 403, 404) that a person has to correct.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        org_id: str | None = None,
        agent_id: str | None = None,
        deadline_ms: float = DEADLINE_MS,
        timeout_s: float = TIMEOUT_S,
        on_refused: OnRefused | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        address = url or os.environ.get("REMEMBRANCER_URL", "")
        if not address:
            raise ValueError("url: give the address of the service, or set REMEMBRANCER_URL")
        key = api_key or os.environ.get("REMEMBRANCER_API_KEY", "")
        self.org_id = org_id or (None if api_key else os.environ.get("REMEMBRANCER_ORG_ID"))
        self.agent_id = os.environ.get("REMEMBRANCER_AGENT_ID") if agent_id is None else agent_id
        if self.agent_id is not None and is_blank(self.agent_id):
            raise ValueError(
                "agent_id: must not be blank, nor REMEMBRANCER_AGENT_ID: without it, calls reach all agents"
            )
        self.session_key = sha256(f"session:{key}".encode()).digest()
        """Keys the hashes by which integrations name the sessions of clients that name none."""
        self._http = httpx.AsyncClient(
            base_url=address,
            headers={"x-api-key": key} if key else {},
            timeout=timeout_s,
            limits=httpx.Limits(
                max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS, keepalive_expiry=KEPT_S
            ),
            transport=transport,
        )
        span = tracing.span()
        refusals = Refusals(on_refused)
        self._assembly = Assembly(self._http, deadline_ms=deadline_ms, refusals=refusals, span=span)
        self._transport = Transport(self._http, span, timeout_s=timeout_s)
        self._captures = CaptureQueue(self._transport.run, refusals)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Sends what waits to be captured, for 5 s at most, and ends the connections."""
        await self._captures.flush(FLUSH_S)
        await self._captures.close()
        await self._assembly.close()
        await self._http.aclose()

    async def warm(self) -> None:
        """Opens a connection before the first request; a service that is down is no error."""
        with suppress(httpx.HTTPError):
            await self._http.get("/v1/health")

    async def assemble(
        self,
        messages: Sequence[Message],
        *,
        model: str,
        agent_id: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        tools: Sequence[Mapping[str, Any]] | None = None,
        options: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        time_zone: str | None = None,
        deadline_ms: float | None = None,
    ) -> Assembled:
        """The messages, with the directive and relevant memories added to some of them.

        Never raises. On any failure `messages` of the answer is the object that was given, and `reason` says why.
        `time_zone` is the end user's, such as Europe/Berlin.
        """
        fields = {
            "org_id": self.org_id,
            "agent_id": self.agent_id if agent_id is None else agent_id,
            "model": model,
            "session_id": session_id,
            "turn_id": turn_id,
            "tools": tools,
            "options": options,
            "request_id": request_id,
            "time_zone": time_zone,
        }
        present = {name: value for name, value in fields.items() if value is not None}
        return await self._assembly.assemble(messages, present, user_id=user_id, deadline_ms=deadline_ms)

    def capture(
        self,
        messages: Sequence[Message],
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        observed_at: datetime | None = None,
        client_ref: str | None = None,
    ) -> None:
        """As `add_conversation`, in the background: returns at once, and never raises.

        Sends only what end users and assistants said, without injected blocks. While the service does not answer, up to
        1,000 calls wait; what is dropped is logged. `flush` and `close` send what waits.
        """
        try:
            said = spoken(messages)
            if not said:
                return
            session = {"session_id": session_id, "turn_id": turn_id, "client_ref": client_ref}
            body = self._conversation(said, agent_id, user_id, observed_at or datetime.now(timezone.utc), session)
            key = (body["agent_id"], body.get("user_id"), session_id) if session_id else object()
            characters = sum(len(message["content"]) for message in said)
            self._captures.add(key, calls.add_conversation(body, user_id), characters=characters)
        except Exception as error:
            logger.warning("capture_failed", extra={"cause": type(error).__name__})

    async def flush(self, seconds: float = FLUSH_S) -> int:
        """Sends what waits to be captured, for so long at most; returns how many calls of `capture` still wait."""
        return await self._captures.flush(seconds)

    async def add_conversation(
        self,
        messages: Sequence[Message],
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        turn_id: str | None = None,
        observed_at: datetime | None = None,
        client_ref: str | None = None,
    ) -> Captured:
        """Stores a conversation, or the next messages of one: the service makes memories of what it says.

        Messages with the same `session_id` belong to one conversation; without it, the messages are one by themselves.
        Memories of a conversation without `user_id` are shared. `observed_at` is when messages without a time of their
        own (`timestamp`, `created_at`) were said; now by default. Pictures and files are not sent. BadRequest with the
        code `nothing_to_capture` where nobody said anything: its `body` counts the messages in `skipped`.
        """
        session = {"session_id": session_id, "turn_id": turn_id, "client_ref": client_ref}
        body = self._conversation(sendable(messages), agent_id, user_id, observed_at, session)
        return await self._transport.run(calls.add_conversation(body, user_id))

    async def conversation(self, conversation_id: str, *, user_id: str | None = None) -> Conversation:
        """One conversation with its turns, and what became of each."""
        return await self._transport.run(calls.conversation(conversation_id, user_id))

    async def conversations(
        self,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """A page of conversations without turns, newest first."""
        parameters = {"agent_id": self._agent(agent_id), "session_id": session_id, "limit": limit, "cursor": cursor}
        return await self._transport.run(calls.conversations(parameters, user_id))

    async def write(self, content: str, *, user_id: str | None = None, **fields: Any) -> Written:
        """One memory; `fields` are those of `POST /v1/memories`. A memory without `user_id` is shared."""
        return await self._transport.run(calls.write(self._memory(content, user_id, fields), user_id))

    async def write_many(self, memories: Sequence[Mapping[str, Any]]) -> tuple[Written, ...]:
        """Up to 100 memories; one result each, in order."""
        return await self._transport.run(calls.write_many(memories, None))

    async def query(self, query: str, *, user_id: str | None = None, **fields: Any) -> Found:
        """Memories by meaning and words; `fields` are those of `POST /v1/memories/query`."""
        body = self._with_agent({"query": query, **fields})
        return await self._transport.run(calls.query(body, user_id))

    async def memory(self, memory_id: str, *, user_id: str | None = None) -> Memory:
        """One memory, with its versions and relations."""
        return await self._transport.run(calls.memory(memory_id, user_id))

    async def memories(self, *, user_id: str | None = None, **parameters: Any) -> Page[Memory]:
        """A page of memories, newest first; `parameters` are those of `GET /v1/memories`, `metadata` as a dict."""
        return await self._transport.run(calls.memories(self._with_agent(parameters), user_id))

    async def change(
        self, memory_id: str, *, version: int | None = None, user_id: str | None = None, **fields: Any
    ) -> Memory:
        """Returns the changed memory. With `version`, only that version is changed; a field that is None is cleared."""
        return await self._transport.run(calls.change(memory_id, fields, version, user_id))

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> Deleted:
        """Deletes a memory; searches do not find it any more."""
        return await self._transport.run(calls.delete(memory_id, user_id))

    async def forget(
        self, text: str, *, user_id: str | None = None, agent_id: str | None = None, dry_run: bool = False
    ) -> Forgotten:
        """Deletes what a sentence is surely about ("Forget what I said about Oslo"), of the end user's own memories;
        what is in doubt waits for a person. With `dry_run`, only shows it.
        """
        body = {"agent_id": self._agent(agent_id), "text": text, "dry_run": dry_run}
        return await self._transport.run(calls.forget(body, user_id))

    async def restore(self, memory_id: str, *, user_id: str | None = None) -> Memory:
        """Undoes a deletion."""
        return await self._transport.run(calls.restore(memory_id, user_id))

    async def unsupersede(
        self, memory_id: str, *, keep_both: bool = False, version: int | None = None, user_id: str | None = None
    ) -> Memory:
        """Makes a superseded memory active again, in place of the one that superseded it; both with `keep_both`."""
        return await self._transport.run(calls.unsupersede(memory_id, keep_both, version, user_id))

    async def rate(self, memory_id: str, feedback: str, *, user_id: str | None = None) -> FeedbackCounts:
        """`positive` or `negative`."""
        return await self._transport.run(calls.rate(memory_id, feedback, user_id))

    async def relate(
        self, memory_id: str, to: str, kind: str, *, confidence: float | None = None, user_id: str | None = None
    ) -> Relation:
        """An edge of type `kind` from one memory to another."""
        return await self._transport.run(calls.relate(memory_id, to, kind, confidence, user_id))

    async def unrelate(self, memory_id: str, relation_id: str, *, user_id: str | None = None) -> Relation:
        """Removes an edge, and returns it."""
        return await self._transport.run(calls.unrelate(memory_id, relation_id, user_id))

    async def conflicts(
        self,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Conflict]:
        """A page of pairs of memories that may contradict each other, and are not settled."""
        parameters = {"agent_id": self._agent(agent_id), "limit": limit, "cursor": cursor}
        return await self._transport.run(calls.conflicts(parameters, user_id))

    async def settle_conflict(
        self, conflict_id: str, action: str, *, keep: str | None = None, user_id: str | None = None
    ) -> SettledConflict:
        """`supersede`: `keep`, by default the newer, replaces the other memory; `keep_both`: they do not contradict."""
        return await self._transport.run(calls.settle_conflict(conflict_id, action, keep, user_id))

    async def put_directive(
        self, text: str, *, agent_id: str | None = None, injection_mode: str | None = None
    ) -> Directive:
        """A new version of the agent's standing instruction, active at once; an empty text only chooses the place."""
        return await self._transport.run(calls.put_directive(self._agent(agent_id), text, injection_mode))

    async def directive(self, *, agent_id: str | None = None) -> Directive:
        """The active version."""
        return await self._transport.run(calls.directive(self._agent(agent_id)))

    async def directive_versions(
        self, *, agent_id: str | None = None, limit: int | None = None, before: str | None = None
    ) -> Page[Directive]:
        """All versions, newest first; `next_cursor` is the next call's `before`."""
        call = calls.directive_versions(self._agent(agent_id), {"limit": limit, "before": before})
        return await self._transport.run(call)

    async def make_agent(self, name: str) -> Agent:
        """A new agent of the credential's project and environment."""
        return await self._transport.run(calls.make_agent(name))

    async def agent(self, name: str) -> Agent:
        """The agent of this name, which is made if there is none."""
        return await self._transport.run(calls.agent(name))

    async def switch_agent(
        self,
        *,
        enabled: bool | None = None,
        capture: bool | None = None,
        time_zone: str | None = None,
        placement: str | None = None,
        agent_id: str | None = None,
    ) -> Agent:
        """Switches memories in assembly (`enabled`) and capture of assembled requests on or off, and sets the time zone
        of end users without their own, and where memories stand in prompts (`placement`); None leaves it.
        """
        call = calls.switch_agent(self._agent(agent_id), enabled, capture, time_zone, placement)
        return await self._transport.run(call)

    async def set_time_zone(self, time_zone: str | None, *, user_id: str) -> None:
        """The end user's, such as Europe/Berlin, for questions about days; None removes it."""
        await self._transport.run(calls.set_time_zone(time_zone, user_id))

    async def end_users(
        self,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[str]:
        """A page of the end users with memories in the agent: all of them for the user `*`, else `user_id` at most."""
        call = calls.end_users(self._agent(agent_id), {"limit": limit, "cursor": cursor}, user_id)
        return await self._transport.run(call)

    async def agents(self, *, limit: int | None = None, cursor: str | None = None) -> Page[Agent]:
        """A page of agents."""
        return await self._transport.run(calls.agents({"limit": limit, "cursor": cursor}))

    async def make_key(self, name: str, scopes: Sequence[str], **fields: Any) -> Key:
        """A new API key; its text is in this answer only."""
        return await self._transport.run(calls.make_key({"name": name, "scopes": list(scopes), **fields}))

    async def keys(self, *, limit: int | None = None, cursor: str | None = None) -> Page[Key]:
        """A page of keys, revoked ones too."""
        return await self._transport.run(calls.keys({"limit": limit, "cursor": cursor}))

    async def revoke_key(self, key_id: str) -> Key:
        """Ends a key within seconds."""
        return await self._transport.run(calls.revoke_key(key_id))

    async def erase(
        self, *, user_id: str | None = None, agent_id: str | None = None, org_id: str | None = None
    ) -> Erasure:
        """Erases all data of exactly one of these subjects. It cannot be undone."""
        subject = {"user_id": end_user(user_id), "agent_id": agent_id, "org_id": org_id}
        body = {name: value for name, value in subject.items() if value is not None}
        return await self._transport.run(calls.erase(body))

    async def erasure(self, erasure_id: str) -> Erasure:
        """The status of an erasure."""
        return await self._transport.run(calls.erasure(erasure_id))

    async def export(
        self, *, agent_id: str | None = None, user_id: str | None = None
    ) -> AsyncIterator[Mapping[str, Any]]:
        """All memories, oldest first, page by page; each has the fields that `write_many` accepts, and more."""
        cursor: str | None = None
        while True:
            parameters = {"agent_id": agent_id, "cursor": cursor}
            query = {name: value for name, value in parameters.items() if value is not None}
            lines, cursor = await self._transport.lines("/v1/export", query, user_id)
            for line in lines:
                yield line
            if cursor is None:
                return

    async def ready(self) -> Readiness:
        """Whether the service can serve."""
        return await self._transport.run(calls.ready())

    def _agent(self, agent_id: str | None) -> str:
        agent = self.agent_id if agent_id is None else agent_id
        if agent is None or is_blank(agent):
            raise ValueError("agent_id: name an agent, here, in the constructor or in REMEMBRANCER_AGENT_ID")
        return agent

    def _memory(self, content: str, user_id: str | None, fields: Mapping[str, Any]) -> dict[str, Any]:
        owner = {} if user_id is None else {"user_id": end_user(user_id)}
        return {**self._with_agent(fields), "content": content, **owner}

    def _conversation(
        self,
        messages: Sequence[Message],
        agent_id: str | None,
        user_id: str | None,
        observed_at: datetime | None,
        session: Mapping[str, str | None],
    ) -> dict[str, Any]:
        at = None if observed_at is None else observed_at.astimezone().isoformat()
        fields = {"agent_id": self._agent(agent_id), "user_id": end_user(user_id), "observed_at": at, **session}
        present = {name: value for name, value in fields.items() if value is not None}
        return {**present, "messages": list(messages)}

    def _with_agent(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        if self.agent_id is not None and fields.get("agent_id") is None:
            return {**fields, "agent_id": self.agent_id}
        return dict(fields)
