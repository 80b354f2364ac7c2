"""The client without asyncio. Made by tools/sync_client.py from async_client.py."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from remembrancer_client import at_exit
from remembrancer_client.assembled import Assembled, Message
from remembrancer_client.async_client import DEADLINE_MS, FLUSH_S, AsyncClient
from remembrancer_client.calls import Page
from remembrancer_client.conversations import spoken
from remembrancer_client.loop_thread import LoopThread
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

GRACE_S = 0.005
"""Time beyond the deadline for handing the result from thread to thread."""

logger = logging.getLogger("remembrancer_client")

Value = TypeVar("Value")


class Client:
    """As AsyncClient, with the same arguments; may be shared by threads, and survives a fork."""

    def __init__(self, url: str | None = None, api_key: str | None = None, **settings: Any) -> None:
        self.deadline_ms = float(settings.get("deadline_ms", DEADLINE_MS))
        self._thread = LoopThread(lambda: AsyncClient(url, api_key, **settings))

    @property
    def agent_id(self) -> str | None:
        """The agent of calls that name none."""
        return self._thread.owned.agent_id

    @property
    def session_key(self) -> bytes:
        """Keys the hashes by which integrations name the sessions of clients that name none."""
        return self._thread.owned.session_key

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Sends what waits to be captured, for 5 s at most, and ends the connections and the thread."""
        at_exit.unregister(self._flush_at_exit)
        self._thread.run(self._thread.owned.close())
        self._thread.stop()

    def submit(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Future[Value]:
        """Begins calls of the AsyncClient behind this one, on its thread; `asyncio.wrap_future` awaits them."""
        return self._thread.submit(work(self._thread.owned))

    def assemble(
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
        bound_ms = self.deadline_ms if deadline_ms is None else deadline_ms
        try:
            work = self._thread.owned.assemble(
                messages,
                model=model,
                agent_id=agent_id,
                user_id=user_id,
                session_id=session_id,
                turn_id=turn_id,
                tools=tools,
                options=options,
                request_id=request_id,
                time_zone=time_zone,
                deadline_ms=deadline_ms,
            )
            return self._thread.run(work, seconds=bound_ms / 1000 + GRACE_S)
        except TimeoutError:
            return Assembled(messages, "timeout")
        except Exception as error:
            logger.warning("assembly_failed", extra={"cause": type(error).__name__})
            return Assembled(messages, f"client_error:{type(error).__name__}")

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
        1,000 calls wait; what is dropped is logged. `flush`, `close` and the end of the process send what waits.
        """
        try:
            said = spoken(messages)
            if not said:
                return
            capture = partial(
                self._thread.owned.capture,
                said,
                agent_id=agent_id,
                user_id=user_id,
                session_id=session_id,
                turn_id=turn_id,
                observed_at=observed_at,
                client_ref=client_ref,
            )
            at_exit.register(self._flush_at_exit)
            self._thread.call(capture)
        except Exception as error:
            logger.warning("capture_failed", extra={"cause": type(error).__name__})

    def export(self, *, agent_id: str | None = None, user_id: str | None = None) -> Iterator[Mapping[str, Any]]:
        """All memories, oldest first, page by page; each has the fields that `write_many` accepts, and more."""
        lines = self._thread.owned.export(agent_id=agent_id, user_id=user_id)
        while True:
            try:
                yield self._thread.run(_next(lines))
            except StopAsyncIteration:
                return

    def _flush_at_exit(self) -> None:
        if self._thread.is_running:
            self.flush()

    def warm(self) -> None:
        """Opens a connection before the first request; a service that is down is no error."""
        return self._thread.run(self._thread.owned.warm())

    def flush(self, seconds: float = FLUSH_S) -> int:
        """Sends what waits to be captured, for so long at most; returns how many calls of `capture` still wait."""
        return self._thread.run(self._thread.owned.flush(seconds))

    def add_conversation(
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
        return self._thread.run(
            self._thread.owned.add_conversation(
                messages,
                agent_id=agent_id,
                user_id=user_id,
                session_id=session_id,
                turn_id=turn_id,
                observed_at=observed_at,
                client_ref=client_ref,
            )
        )

    def conversation(self, conversation_id: str, *, user_id: str | None = None) -> Conversation:
        """One conversation with its turns, and what became of each."""
        return self._thread.run(self._thread.owned.conversation(conversation_id, user_id=user_id))

    def conversations(
        self,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        session_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """A page of conversations without turns, newest first."""
        return self._thread.run(
            self._thread.owned.conversations(
                agent_id=agent_id, user_id=user_id, session_id=session_id, limit=limit, cursor=cursor
            )
        )

    def write(self, content: str, *, user_id: str | None = None, **fields: Any) -> Written:
        """One memory; `fields` are those of `POST /v1/memories`. A memory without `user_id` is shared."""
        return self._thread.run(self._thread.owned.write(content, user_id=user_id, **fields))

    def write_many(self, memories: Sequence[Mapping[str, Any]]) -> tuple[Written, ...]:
        """Up to 100 memories; one result each, in order."""
        return self._thread.run(self._thread.owned.write_many(memories))

    def query(self, query: str, *, user_id: str | None = None, **fields: Any) -> Found:
        """Memories by meaning and words; `fields` are those of `POST /v1/memories/query`."""
        return self._thread.run(self._thread.owned.query(query, user_id=user_id, **fields))

    def memory(self, memory_id: str, *, user_id: str | None = None) -> Memory:
        """One memory, with its versions and relations."""
        return self._thread.run(self._thread.owned.memory(memory_id, user_id=user_id))

    def memories(self, *, user_id: str | None = None, **parameters: Any) -> Page[Memory]:
        """A page of memories, newest first; `parameters` are those of `GET /v1/memories`, `metadata` as a dict."""
        return self._thread.run(self._thread.owned.memories(user_id=user_id, **parameters))

    def change(
        self, memory_id: str, *, version: int | None = None, user_id: str | None = None, **fields: Any
    ) -> Memory:
        """Returns the changed memory. With `version`, only that version is changed; a field that is None is cleared."""
        return self._thread.run(self._thread.owned.change(memory_id, version=version, user_id=user_id, **fields))

    def delete(self, memory_id: str, *, user_id: str | None = None) -> Deleted:
        """Deletes a memory; searches do not find it any more."""
        return self._thread.run(self._thread.owned.delete(memory_id, user_id=user_id))

    def forget(
        self, text: str, *, user_id: str | None = None, agent_id: str | None = None, dry_run: bool = False
    ) -> Forgotten:
        """Deletes what a sentence is surely about ("Forget what I said about Oslo"), of the end user's own memories;
        what is in doubt waits for a person. With `dry_run`, only shows it.
        """
        return self._thread.run(self._thread.owned.forget(text, user_id=user_id, agent_id=agent_id, dry_run=dry_run))

    def restore(self, memory_id: str, *, user_id: str | None = None) -> Memory:
        """Undoes a deletion."""
        return self._thread.run(self._thread.owned.restore(memory_id, user_id=user_id))

    def unsupersede(
        self, memory_id: str, *, keep_both: bool = False, version: int | None = None, user_id: str | None = None
    ) -> Memory:
        """Makes a superseded memory active again, in place of the one that superseded it; both with `keep_both`."""
        return self._thread.run(
            self._thread.owned.unsupersede(memory_id, keep_both=keep_both, version=version, user_id=user_id)
        )

    def rate(self, memory_id: str, feedback: str, *, user_id: str | None = None) -> FeedbackCounts:
        """`positive` or `negative`."""
        return self._thread.run(self._thread.owned.rate(memory_id, feedback, user_id=user_id))

    def relate(
        self, memory_id: str, to: str, kind: str, *, confidence: float | None = None, user_id: str | None = None
    ) -> Relation:
        """An edge of type `kind` from one memory to another."""
        return self._thread.run(self._thread.owned.relate(memory_id, to, kind, confidence=confidence, user_id=user_id))

    def unrelate(self, memory_id: str, relation_id: str, *, user_id: str | None = None) -> Relation:
        """Removes an edge, and returns it."""
        return self._thread.run(self._thread.owned.unrelate(memory_id, relation_id, user_id=user_id))

    def conflicts(
        self,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[Conflict]:
        """A page of pairs of memories that may contradict each other, and are not settled."""
        return self._thread.run(
            self._thread.owned.conflicts(agent_id=agent_id, user_id=user_id, limit=limit, cursor=cursor)
        )

    def settle_conflict(
        self, conflict_id: str, action: str, *, keep: str | None = None, user_id: str | None = None
    ) -> SettledConflict:
        """`supersede`: `keep`, by default the newer, replaces the other memory; `keep_both`: they do not contradict."""
        return self._thread.run(self._thread.owned.settle_conflict(conflict_id, action, keep=keep, user_id=user_id))

    def put_directive(self, text: str, *, agent_id: str | None = None, injection_mode: str | None = None) -> Directive:
        """A new version of the agent's standing instruction, active at once; an empty text only chooses the place."""
        return self._thread.run(
            self._thread.owned.put_directive(text, agent_id=agent_id, injection_mode=injection_mode)
        )

    def directive(self, *, agent_id: str | None = None) -> Directive:
        """The active version."""
        return self._thread.run(self._thread.owned.directive(agent_id=agent_id))

    def directive_versions(
        self, *, agent_id: str | None = None, limit: int | None = None, before: str | None = None
    ) -> Page[Directive]:
        """All versions, newest first; `next_cursor` is the next call's `before`."""
        return self._thread.run(self._thread.owned.directive_versions(agent_id=agent_id, limit=limit, before=before))

    def make_agent(self, name: str) -> Agent:
        """A new agent of the credential's project and environment."""
        return self._thread.run(self._thread.owned.make_agent(name))

    def agent(self, name: str) -> Agent:
        """The agent of this name, which is made if there is none."""
        return self._thread.run(self._thread.owned.agent(name))

    def switch_agent(
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
        return self._thread.run(
            self._thread.owned.switch_agent(
                enabled=enabled, capture=capture, time_zone=time_zone, placement=placement, agent_id=agent_id
            )
        )

    def set_time_zone(self, time_zone: str | None, *, user_id: str) -> None:
        """The end user's, such as Europe/Berlin, for questions about days; None removes it."""
        return self._thread.run(self._thread.owned.set_time_zone(time_zone, user_id=user_id))

    def end_users(
        self,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Page[str]:
        """A page of the end users with memories in the agent: all of them for the user `*`, else `user_id` at most."""
        return self._thread.run(
            self._thread.owned.end_users(agent_id=agent_id, user_id=user_id, limit=limit, cursor=cursor)
        )

    def agents(self, *, limit: int | None = None, cursor: str | None = None) -> Page[Agent]:
        """A page of agents."""
        return self._thread.run(self._thread.owned.agents(limit=limit, cursor=cursor))

    def make_key(self, name: str, scopes: Sequence[str], **fields: Any) -> Key:
        """A new API key; its text is in this answer only."""
        return self._thread.run(self._thread.owned.make_key(name, scopes, **fields))

    def keys(self, *, limit: int | None = None, cursor: str | None = None) -> Page[Key]:
        """A page of keys, revoked ones too."""
        return self._thread.run(self._thread.owned.keys(limit=limit, cursor=cursor))

    def revoke_key(self, key_id: str) -> Key:
        """Ends a key within seconds."""
        return self._thread.run(self._thread.owned.revoke_key(key_id))

    def erase(self, *, user_id: str | None = None, agent_id: str | None = None, org_id: str | None = None) -> Erasure:
        """Erases all data of exactly one of these subjects. It cannot be undone."""
        return self._thread.run(self._thread.owned.erase(user_id=user_id, agent_id=agent_id, org_id=org_id))

    def erasure(self, erasure_id: str) -> Erasure:
        """The status of an erasure."""
        return self._thread.run(self._thread.owned.erasure(erasure_id))

    def ready(self) -> Readiness:
        """Whether the service can serve."""
        return self._thread.run(self._thread.owned.ready())


async def _next(lines: Any) -> Any:
    return await lines.__anext__()
