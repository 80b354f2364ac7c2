"""Loads the sample through the public API. Loading it again changes nothing: each step can be repeated."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import httpx
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from local.sample.story import Story, StoryLine, StoryRelation, read

BATCH = 100
CONNECTIONS = 4
POLL_S = 0.3
REQUEST_TIMEOUT_S = 30.0


class SampleError(Exception):
    """The API refused a part of the sample; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A loaded sample. `ids` maps a client reference to the memory's id.

    `pending` and `failed` count the memories without an embedding when the waiting ended: lexical search finds
    them, search by vectors does not.
    """

    story: Story
    org_id: str
    agent_id: str
    ids: Mapping[str, str]
    pending: int = 0
    failed: int = 0

    def line(self, memory_id: str | None) -> StoryLine | None:
        """The sample's line for a memory; None for a memory that is not of the sample."""
        references = {identifier: reference for reference, identifier in self.ids.items()}
        reference = references.get(memory_id or "")
        return next((line for line in self.story.lines if line.client_ref == reference), None)

    def replaced_by(self, memory_id: str) -> list[StoryLine]:
        """The chain of memories that this one replaced, newest first; empty when it replaced none."""
        by_reference = {line.client_ref: line for line in self.story.lines}
        chain: list[StoryLine] = []
        line = self.line(memory_id)
        while line is not None and line.supersedes is not None:
            line = by_reference[line.supersedes]
            chain.append(line)
        return chain


async def load(
    url: str,
    api_key: str,
    *,
    org_id: str,
    console: Console | None = None,
    story: Story | None = None,
    embedding_wait_s: float = 120.0,
) -> Sample:
    """Writes agent, directive, memories and relations; waits for embeddings, at most `embedding_wait_s`.

    Raises SampleError for a refusal and httpx.HTTPError when the service cannot be reached.
    """
    told = story or read()
    limits = httpx.Limits(max_connections=CONNECTIONS)
    headers = {"X-API-Key": api_key}
    columns = (TextColumn("{task.description:<32}"), BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn())
    async with httpx.AsyncClient(base_url=url, headers=headers, limits=limits, timeout=REQUEST_TIMEOUT_S) as client:
        with Progress(*columns, console=console) as progress:
            agent_id = await _agent(client, told.agent)
            await _directive(client, agent_id, told)
            ids = await _memories(client, agent_id, told.lines, datetime.now(UTC), progress)
            await _relations(client, told, ids, progress)
            owners = sorted({line.user_id for line in told.lines if line.user_id is not None})
            pending = await _embeddings(client, agent_id, owners, progress, embedding_wait_s)
            failed = await _count(client, agent_id, owners, "failed")
    return Sample(told, org_id, agent_id, ids, pending, failed)


async def _agent(client: httpx.AsyncClient, name: str) -> str:
    cursor: str | None = None
    while True:
        page = await _ask(client, "GET", "/v1/agents", params={"cursor": cursor} if cursor else None)
        for agent in page["agents"]:
            if agent["name"] == name:
                return str(agent["agent_id"])
        cursor = page.get("next_cursor")
        if not cursor:
            break
    return str((await _ask(client, "POST", "/v1/agents", json={"name": name}))["agent_id"])


async def _directive(client: httpx.AsyncClient, agent_id: str, story: Story) -> None:
    path = f"/v1/agents/{agent_id}/directive"
    wanted = {"text": story.directive, "injection_mode": story.injection_mode}
    present = await client.get(path)
    # Writing the same text again would create a version.
    if present.status_code != 200 or {field: present.json().get(field) for field in wanted} != wanted:
        await _ask(client, "PUT", path, json=wanted)


async def _memories(
    client: httpx.AsyncClient, agent_id: str, lines: Sequence[StoryLine], now: datetime, progress: Progress
) -> dict[str, str]:
    task = progress.add_task("Writing down memories", total=len(lines))
    ids: dict[str, str] = {}
    for batch in batches(lines):
        bodies = [body(line, agent_id, now, ids) for line in batch]
        answer = await _ask(client, "POST", "/v1/memories/batch", json={"memories": bodies})
        for line, result in zip(batch, answer["results"], strict=True):
            if result["status"] not in {"accepted", "duplicate"}:
                raise SampleError(f"{line.client_ref} was not accepted: {result.get('error', result)}")
            ids[line.client_ref] = str(result["id"])
        progress.advance(task, len(batch))
    return ids


def batches(lines: Sequence[StoryLine]) -> Iterator[list[StoryLine]]:
    """Batches of at most 100; a memory is in a later one than the memory that it replaces, since it needs its id."""
    depths: dict[str, int] = {}
    generations: dict[int, list[StoryLine]] = {}
    for line in lines:
        depth = depths[line.supersedes] + 1 if line.supersedes else 0
        depths[line.client_ref] = depth
        generations.setdefault(depth, []).append(line)
    for depth in sorted(generations):
        for start in range(0, len(generations[depth]), BATCH):
            yield generations[depth][start : start + BATCH]


def body(line: StoryLine, agent_id: str, now: datetime, ids: Mapping[str, str]) -> dict[str, Any]:
    """The request body for a memory; raises KeyError when the memory that it replaces has no id yet."""
    optional = {
        "context": line.context,
        "summary": line.summary,
        "user_id": line.user_id,
        "session_id": str(uuid5(NAMESPACE_URL, f"heron-house/{line.session_id}")) if line.session_id else None,
        "supersedes": ids[line.supersedes] if line.supersedes else None,
    }
    return {
        "agent_id": agent_id,
        "client_ref": line.client_ref,
        "content": line.content,
        "category": line.category,
        "source": line.source,
        "confidence": line.confidence,
        "importance": line.importance,
        "tags": list(line.tags),
        "created_at": (now - timedelta(days=line.days_ago)).isoformat(),
        **{field: value for field, value in optional.items() if value is not None},
    }


async def _relations(client: httpx.AsyncClient, story: Story, ids: Mapping[str, str], progress: Progress) -> None:
    # The last one is written after all others: if it exists, all exist.
    *most, last = story.relations
    owners = {line.client_ref: line.user_id for line in story.lines}
    task = progress.add_task("Linking them", total=len(story.relations))
    if not await _related(client, last, ids, _acting(last, owners)):
        gate = asyncio.Semaphore(CONNECTIONS)

        async def relate(relation: StoryRelation) -> None:
            async with gate:
                await _relate(client, relation, ids, _acting(relation, owners))
            progress.advance(task)

        try:
            async with asyncio.TaskGroup() as group:
                for relation in most:
                    group.create_task(relate(relation))
        except ExceptionGroup as refused:
            raise refused.exceptions[0] from None
        await _relate(client, last, ids, _acting(last, owners))
    progress.update(task, completed=len(story.relations))


def _acting(relation: StoryRelation, owners: Mapping[str, str | None]) -> dict[str, str]:
    """The header with an end user who sees both memories of the relation."""
    owner = owners[relation.origin] or owners[relation.target]
    return {"X-End-User-ID": owner} if owner else {}


async def _related(
    client: httpx.AsyncClient, relation: StoryRelation, ids: Mapping[str, str], headers: Mapping[str, str]
) -> bool:
    memory = await _ask(client, "GET", f"/v1/memories/{ids[relation.origin]}", headers=headers)
    target = ids[relation.target]
    return any(edge["type"] == relation.type and edge.get("to") == target for edge in memory.get("relations", ()))


async def _relate(
    client: httpx.AsyncClient, relation: StoryRelation, ids: Mapping[str, str], headers: Mapping[str, str]
) -> None:
    edge = {"to": ids[relation.target], "type": relation.type, "confidence": relation.confidence}
    path = f"/v1/memories/{ids[relation.origin]}/relations"
    await _ask(client, "POST", path, json=edge, headers=headers, accept=(409,))


async def _embeddings(
    client: httpx.AsyncClient, agent_id: str, owners: Sequence[str], progress: Progress, wait_s: float
) -> int:
    """How many memories had no embedding when the waiting ended."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + wait_s
    task: TaskID | None = None
    while (pending := await _count(client, agent_id, owners, "pending")) and clock() < deadline:
        if task is None:
            task = progress.add_task("Understanding them", total=pending)
        progress.update(task, completed=(progress.tasks[task].total or pending) - pending)
        await asyncio.sleep(POLL_S)
    if task is not None:
        progress.update(task, completed=(progress.tasks[task].total or 0) - pending)
    return pending


async def _count(client: httpx.AsyncClient, agent_id: str, owners: Sequence[str], embedding_state: str) -> int:
    """Counts the memories of each end user separately, so that the key does not need the scope `all_users`."""
    found: set[str] = set()
    for whose in ({}, *({"user_id": owner} for owner in owners)):
        query = {"agent_id": agent_id, **whose, "embedding_state": embedding_state, "limit": "100"}
        while True:
            page = await _ask(client, "GET", "/v1/memories", params=query)
            # A memory that was replaced before it was embedded is never embedded.
            found |= {memory["id"] for memory in page["memories"] if memory.get("status", "active") == "active"}
            if not page.get("next_cursor"):
                break
            query["cursor"] = page["next_cursor"]
    return len(found)


async def _ask(
    client: httpx.AsyncClient,
    method: str,
    path: str,
    *,
    params: Mapping[str, str] | None = None,
    json: Any = None,
    headers: Mapping[str, str] | None = None,
    accept: tuple[int, ...] = (),
) -> Any:
    answer = await client.request(method, path, params=params, json=json, headers=headers)
    if answer.is_success or answer.status_code in accept:
        return answer.json()
    raise SampleError(f"{method} {path} answered {answer.status_code}: {answer.text[:500]}")
