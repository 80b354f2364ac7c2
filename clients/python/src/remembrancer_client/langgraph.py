"""Memory as LangGraph's long-term store: `builder.compile(store=RemembrancerStore())`.

A namespace is (agent, end user), or (agent,) for what all end users of the agent share. A key is the memory's
`client_ref`, or its id where it has none. A value is `{"text": …}`, and what else it has is the memory's metadata.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar
from uuid import UUID

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
)

from remembrancer_client.async_client import AsyncClient
from remembrancer_client.calls import Page
from remembrancer_client.client import Client
from remembrancer_client.end_users import end_user, is_blank
from remembrancer_client.errors import Conflict, NotFound
from remembrancer_client.results import Agent, Memory

logger = logging.getLogger("remembrancer_client")

TEXT = "text"
ALL_USERS = "*"
PAGE = 200
MOST_RESULTS = 50
MOST_CONDITIONS = 8
"""What a search takes."""

Namespace = tuple[str, ...]
Listed = TypeVar("Listed")


class RemembrancerStore(BaseStore):  # type: ignore[misc]
    """Get, search, put, delete and list namespaces. Raises RemembrancerError: silence would read as nothing stored.

    What spans end users (a search of `(agent,)`, listing namespaces) takes a key with the scope `all_users`. The same
    text is kept once for an agent and end user, under the key that it was first put with. All memories are found by
    meaning, whatever `index` says.
    """

    def __init__(self, client: Client | None = None) -> None:
        self._client = client or Client()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """LangGraph's entry for threads: one result each, in order. Reads see what was there before the writes."""
        asked = list(ops)
        return self._client.submit(lambda client: _Operations(client).run(asked)).result()

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """LangGraph's entry for event loops, whichever they are."""
        asked = list(ops)
        return await asyncio.wrap_future(self._client.submit(lambda client: _Operations(client).run(asked)))


class _Operations:
    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def run(self, ops: Sequence[Op]) -> list[Result]:
        # Of several writes to one key the last counts.
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        results = await asyncio.gather(*(self._read(op) for op in ops))
        await asyncio.gather(*(self._put(op) for op in puts.values()))
        return list(results)

    async def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            agent, user = _place(op.namespace)
            memory = await self._find(agent, user, op.key)
            return None if memory is None else Item(**_fields(memory, agent))
        if isinstance(op, SearchOp):
            return await self._search(op)
        if isinstance(op, ListNamespacesOp):
            return await self._namespaces(op)
        return None

    async def _put(self, op: PutOp) -> None:
        agent, user = _place(op.namespace)
        if op.value is None:
            memory = await self._find(agent, user, op.key)
            if memory is not None:
                await self._client.delete(memory.id, user_id=user)
            return
        text, metadata = _parts(op.value)
        memory = await self._of_id(agent, user, op.key)
        if memory is None:
            written = await self._client.write(text, agent_id=agent, user_id=user, client_ref=op.key, metadata=metadata)
            if written.status == "accepted":
                return
            memory = await self._known(written.id, user)
            if memory.client_ref != op.key:
                return
            memory = await self._newest(memory, user)
        if (memory.content, memory.metadata) != (text, metadata):
            await self._change(memory, user, text, metadata)

    async def _change(self, memory: Memory, user: str | None, text: str, metadata: Mapping[str, Any]) -> None:
        try:
            await self._client.change(memory.id, user_id=user, content=text, metadata=metadata)
        except Conflict as error:
            if error.code != "duplicate_memory":
                raise
            # Another key has this text already; what this one had is not true any more.
            await self._client.delete(memory.id, user_id=user)

    async def _find(self, agent: str, user: str | None, key: str) -> Memory | None:
        memory = await self._of_id(agent, user, key)
        if memory is not None:
            return memory
        async for listed in self._listed(agent, user, client_ref=key):
            return await self._newest(listed, user)
        return None

    async def _of_id(self, agent: str, user: str | None, key: str) -> Memory | None:
        """A memory that was not put under a key, by its id."""
        if not _is_id(key):
            return None
        try:
            memory = await self._client.memory(key, user_id=user)
        except NotFound:
            return None
        is_there = memory.client_ref is None and memory.user_id == user
        return memory if is_there and memory.agent_id == await self._agent_id(agent) else None

    async def _agent_id(self, agent: str) -> str:
        """An agent may go by its name."""
        if _is_id(agent):
            return str(UUID(agent))
        async for one in self._agents():
            if one.name == agent:
                return one.agent_id
        return ""

    async def _known(self, memory_id: str, user: str | None) -> Memory:
        """A memory whose key or text is taken; restored where it was deleted."""
        try:
            return await self._client.memory(memory_id, user_id=user)
        except NotFound:
            return await self._client.restore(memory_id, user_id=user)

    async def _newest(self, memory: Memory, user: str | None) -> Memory:
        """What replaced it, where it was corrected since."""
        if memory.status != "superseded":
            return memory
        whole = await self._client.memory(memory.id, user_id=user)
        return await self._client.memory(whole.version_chain[-1], user_id=user)

    async def _search(self, op: SearchOp) -> list[SearchItem]:
        agents, user = await self._scope(op.namespace_prefix)
        needed = op.offset + op.limit
        found: list[tuple[str, Memory]] = []
        for agent in agents:
            if op.query:
                found += [(agent, memory) for memory in await self._similar(agent, user, op)]
            else:
                found += [(agent, memory) async for memory in self._filtered(agent, user, op, needed - len(found))]
        if len(agents) > 1:
            found.sort(key=lambda one: one[1].score or 0.0, reverse=True)
        return [SearchItem(**_fields(memory, agent), score=memory.score) for agent, memory in found[op.offset : needed]]

    async def _scope(self, prefix: Namespace) -> tuple[Sequence[str], str | None]:
        """The agents below a prefix, and whose memories."""
        if not prefix:
            return [agent.agent_id async for agent in self._agents()], ALL_USERS
        agent, user = _place(prefix)
        return [agent], user or ALL_USERS

    async def _similar(self, agent: str, user: str | None, op: SearchOp) -> list[Memory]:
        """The best first, at most MOST_RESULTS, with the fields that a search leaves out."""
        filters = {"metadata": _metadata(op.filter)}
        answer = await self._client.query(
            op.query, agent_id=agent, user_id=user, k=MOST_RESULTS, thoroughness="all", explain=False, filters=filters
        )
        if answer.degraded:
            logger.warning("search_incomplete", extra={"missing": answer.degraded, "request_id": answer.request_id})
        own = [memory for memory in answer.memories if user in (ALL_USERS, memory.user_id)]
        whole = await asyncio.gather(*(self._whole(memory, user) for memory in own))
        return [memory for memory in whole if memory is not None and _matches(memory, op.filter)]

    async def _whole(self, found: Memory, user: str | None) -> Memory | None:
        try:
            return replace(await self._client.memory(found.id, user_id=user), score=found.score)
        except NotFound:
            return None

    async def _filtered(self, agent: str, user: str | None, op: SearchOp, most: int) -> AsyncIterator[Memory]:
        """The newest first."""
        left = most
        async for memory in self._listed(agent, user, status="active", metadata=_metadata(op.filter)):
            if left <= 0:
                return
            if _matches(memory, op.filter):
                left -= 1
                yield memory

    async def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        named = {one.path[0] for one in conditions if one.match_type == "prefix" and one.path} - {"*"}
        agents = named or {agent.agent_id async for agent in self._agents()}
        places = {place for agent in agents async for place in self._below(agent)}
        matching = (place for place in places if all(_satisfies(place, one) for one in conditions))
        return sorted({place[: op.max_depth] for place in matching})[op.offset : op.offset + op.limit]

    async def _below(self, agent: str) -> AsyncIterator[Namespace]:
        """The namespaces of one agent that hold something."""
        if (await self._client.memories(agent_id=agent, limit=1)).items:
            yield (agent,)
        async for name in _all(lambda cursor: self._client.end_users(agent_id=agent, user_id=ALL_USERS, cursor=cursor)):
            yield agent, name

    async def _listed(self, agent: str, user: str | None, **parameters: Any) -> AsyncIterator[Memory]:
        """The newest first; of an end user, without what is shared."""
        fields = {"agent_id": agent, "user_id": user, "limit": PAGE, **parameters}
        async for memory in _all(lambda cursor: self._client.memories(**fields, cursor=cursor)):
            if user in (ALL_USERS, memory.user_id):
                yield memory

    def _agents(self) -> AsyncIterator[Agent]:
        return _all(lambda cursor: self._client.agents(cursor=cursor))


async def _all(page_after: Callable[[str | None], Awaitable[Page[Listed]]]) -> AsyncIterator[Listed]:
    """The items of all pages, which are read one after the other."""
    cursor: str | None = None
    while True:
        page = await page_after(cursor)
        for item in page.items:
            yield item
        if page.next_cursor is None:
            return
        cursor = page.next_cursor


def _place(namespace: Namespace) -> tuple[str, str | None]:
    if len(namespace) not in (1, 2):
        raise ValueError(f"namespace: must be (agent, end user) or (agent,), not {namespace!r}")
    if ALL_USERS in namespace:
        raise ValueError(f"namespace: no agent or end user is called {ALL_USERS!r}, which would mean all of them")
    if any(map(is_blank, namespace)):
        raise ValueError(f"namespace: no agent or end user has a blank name, as in {namespace!r}")
    # In NFC, as the service answers with them.
    agent, *user = map(end_user, namespace)
    assert agent is not None
    return agent, user[0] if user else None


def _parts(value: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The text, as the service keeps it, and what else there is."""
    text = value.get(TEXT)
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"value: must have a {TEXT!r} that is not empty, as that is what is remembered")
    return text.strip(), {name: one for name, one in value.items() if name != TEXT}


def _fields(memory: Memory, agent: str) -> dict[str, Any]:
    return {
        "namespace": (agent,) if memory.user_id is None else (agent, memory.user_id),
        "key": memory.client_ref or memory.id,
        "value": {**memory.metadata, TEXT: memory.content},
        "created_at": memory.created_at,
        "updated_at": memory.updated_at or memory.created_at,
    }


def _metadata(wanted: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the service can compare; the rest is compared here."""
    values = {name: _equal_to(name, one) for name, one in (wanted or {}).items() if name != TEXT}
    comparable = [(name, value) for name, value in values.items() if isinstance(value, str | int | float)]
    return dict(comparable[:MOST_CONDITIONS]) or None


def _matches(memory: Memory, wanted: Mapping[str, Any] | None) -> bool:
    value = {**memory.metadata, TEXT: memory.content}
    return all(name in value and value[name] == _equal_to(name, one) for name, one in (wanted or {}).items())


def _equal_to(name: str, wanted: Any) -> Any:
    if not isinstance(wanted, Mapping) or not any(str(operator).startswith("$") for operator in wanted):
        return wanted
    if wanted.keys() != {"$eq"}:
        raise ValueError(f"filter.{name}: only equality is supported, not {', '.join(map(str, wanted))}")
    return wanted["$eq"]


def _satisfies(place: Namespace, condition: MatchCondition) -> bool:
    path = condition.path
    part = place[: len(path)] if condition.match_type == "prefix" else place[len(place) - len(path) :]
    return len(place) >= len(path) and all(want in ("*", label) for want, label in zip(path, part, strict=True))


def _is_id(key: str) -> bool:
    try:
        UUID(key)
    except ValueError:
        return False
    return True
