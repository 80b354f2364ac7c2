"""The evaluated service, called through its public API."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

from local.evaluation import metrics
from local.evaluation.dataset import Dataset, Question
from remembrancer.domain.context import formatter
from remembrancer.domain.retrieval.query import ALL

BATCH = 50
MOST_WAITING = 100
"""How many memories may have no vector before writing pauses: long queues are slow on this machine."""
PAGE = 200
_SPEAKER_CHARACTERS = 64
_POLL_SECONDS = 0.25
_PATIENCE_SECONDS = 600.0
_TOTAL = re.compile(r"\btotal;dur=([0-9.]+)")


Lines = Sequence[tuple[str, Mapping[str, Any]]]
"""Of one agent: the file's id and the fields that the API takes."""


class ExaminationError(Exception):
    """The service refused or ignored something, or memories got no vector; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Took:
    """Milliseconds of one request: as measured by the client, and in the function."""

    client: float
    function: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The file's ids of the returned memories, best first, those told earlier in the session last; `tokens` of the text
    that assembly injected, how many of them stand before earlier messages (`told`), and the `messages` for a model.
    """

    ids: Sequence[str]
    took: Took
    degraded: Sequence[str] = ()
    tokens: int = 0
    told: int = 0
    messages: Sequence[Mapping[str, Any]] = ()

    def coverage(self, question: Question) -> float:
        """The share of the question's gold that assembly has shown: of a memory with a marked passage, that passage."""
        shown = "\n".join(str(message.get("content")) for message in self.messages)
        passages = question.passages
        found = [one for one in self.ids if one not in passages or formatter.escape(passages[one]) in shown]
        return metrics.coverage(found, question.gold)


@dataclass(frozen=True, slots=True)
class Examinee:
    """One organization of a running service; `org_id` is needed by assembly only.

    With `captures`, the file's memories are messages of conversations, and the service makes its own memories of them.
    """

    client: httpx.AsyncClient
    org_id: str
    captures: bool = False
    agents: dict[str, str] = field(default_factory=dict)
    memories: dict[str, dict[str, frozenset[str]]] = field(default_factory=dict)
    """By agent and the service's id: the file's ids of this memory (equal texts are one memory)."""
    capture: dict[str, Any] = field(default_factory=dict)
    """What capture has done: the number of turns by reason, and what else is known of it."""

    async def learn(self, dataset: Dataset, *, learned: Callable[[int], None]) -> None:
        """Creates an agent for each of the file's; `learned` is called with the number of newly written memories.

        At most `MOST_WAITING` of them have no vector yet, and none when it returns. Raises ExaminationError when
        nothing is embedded for ten minutes.
        """
        for agent, lines in dataset.memories.items():
            created = await self._ask("POST", "/v1/agents", {"name": f"evaluation {agent} {uuid4()}"})
            self.agents[agent] = created["agent_id"]
            known = await (self._say if self.captures else self._write)(agent, lines, learned)
            await self._until_embedded(self.agents[agent], all_but=0)
            self.memories[agent] = {identifier: frozenset(own) for identifier, own in known.items()}

    async def _write(self, agent: str, lines: Lines, learned: Callable[[int], None]) -> dict[str, set[str]]:
        known: dict[str, set[str]] = {}
        for start in range(0, len(lines), BATCH):
            part = lines[start : start + BATCH]
            memories = [{**fields, "agent_id": self.agents[agent]} for _, fields in part]
            answer = await self._ask("POST", "/v1/memories/batch", {"memories": memories})
            for (identifier, _), result in zip(part, answer["results"], strict=True):
                if result["status"] not in {"accepted", "duplicate"}:
                    raise ExaminationError(f"memory {identifier} was not accepted: {result}")
                known.setdefault(result["id"], set()).add(identifier)
            await self._until_embedded(self.agents[agent], all_but=MOST_WAITING - BATCH)
            learned(len(part))
        return known

    async def _say(self, agent: str, lines: Lines, learned: Callable[[int], None]) -> dict[str, set[str]]:
        """Sends one message after the other, and reads from which of them each memory was made.

        A message that was dropped since a memory has its text already belongs to that memory.
        """
        turns: dict[tuple[str, int], set[str]] = {}
        texts: dict[str, set[str]] = {}
        for number, (identifier, fields) in enumerate(lines, start=1):
            answer = await self._ask("POST", "/v1/conversations", spoken(self.agents[agent], fields))
            for turn in answer["turns"]:
                turns.setdefault((answer["conversation_id"], turn["number"]), set()).add(identifier)
            texts.setdefault(fields["content"], set()).add(identifier)
            if number % BATCH == 0:
                await self._until_embedded(self.agents[agent], all_but=MOST_WAITING - BATCH)
            learned(1)
        await self._until_captured(self.agents[agent])
        await self._count_reasons({conversation_id for conversation_id, _ in turns})
        known: dict[str, set[str]] = {}
        async for memory in self.stored(agent):
            source = memory["provenance"]
            said = [turns.get((source["conversation_id"], turn), set()) for turn in source["turns"]]
            known[memory["id"]] = set().union(*said, texts.get(memory["content"], set()))
        return known

    async def _count_reasons(self, conversations: Iterable[str]) -> None:
        reasons = Counter(self.capture.get("turns", {}))
        for conversation in conversations:
            before: int | None = None
            while before is None or before > 1:
                asked = {} if before is None else {"before": str(before)}
                page = accepted(await self.client.get(f"/v1/conversations/{conversation}", params=asked))
                reasons.update(turn["reason"] for turn in page["turns"])
                before = page["turns"][0]["number"]
        self.capture["turns"] = dict(sorted(reasons.items()))

    async def stored(self, agent: str) -> AsyncIterator[Mapping[str, Any]]:
        """The agent's active memories."""
        async for page in self._pages("/v1/memories", self.agents[agent]):
            for memory in page["memories"]:
                if memory["status"] == "active":
                    yield memory

    async def _until_captured(self, agent_id: str) -> None:
        before, since = -1, time.monotonic()
        while waiting := await self._waiting_turns(agent_id):
            if waiting != before:
                before, since = waiting, time.monotonic()
            elif time.monotonic() - since > _PATIENCE_SECONDS:
                raise ExaminationError(f"{waiting} turns still wait")
            await asyncio.sleep(_POLL_SECONDS)

    async def _waiting_turns(self, agent_id: str) -> int:
        pages = self._pages("/v1/conversations", agent_id)
        return sum([conversation["pending"] async for page in pages for conversation in page["conversations"]])

    async def _pages(self, path: str, agent_id: str) -> AsyncIterator[Mapping[str, Any]]:
        asked = {"agent_id": agent_id, "limit": str(PAGE)}
        cursor: str | None = ""
        while cursor is not None:
            page = accepted(await self.client.get(path, params=asked | ({"cursor": cursor} if cursor else {})))
            yield page
            cursor = page["next_cursor"]

    async def _until_embedded(self, agent_id: str, *, all_but: int) -> None:
        before, since = -1, time.monotonic()
        while (waiting := await self._without_vector(agent_id)) > all_but:
            if waiting != before:
                before, since = waiting, time.monotonic()
            elif time.monotonic() - since > _PATIENCE_SECONDS:
                raise ExaminationError(f"{waiting} memories are still without a vector")
            await asyncio.sleep(_POLL_SECONDS)

    async def query(self, question: Question, options: Mapping[str, Any]) -> Answer:
        """Asks through the memory query for all `k` memories; `options` are added to the body, or replace that."""
        asked = {"explain": False, "thoroughness": ALL, **options}
        body = {"query": question.text, "agent_id": self.agents[question.agent], **asked, **_asking(question)}
        answer, took = await self._timed("/memory/query", body)
        found = [memory["id"] for memory in answer["memories"]]
        return Answer(self._named(question, found), took, answer.get("degraded", ()))

    async def assemble(
        self,
        question: Question,
        options: Mapping[str, Any],
        *,
        instruction: str = "",
        said: Sequence[Mapping[str, Any]] = (),
        session_id: str | None = None,
    ) -> Answer:
        """The memories that assembly injects when the question follows what was `said` and the messages of its own
        conversation, behind an instruction as the system message if there is one.
        """
        system = [{"role": "system", "content": instruction}] if instruction else []
        body = {
            "org_id": self.org_id,
            "agent_id": self.agents[question.agent],
            "model": "gpt-4o",
            "request_id": f"evaluation-{uuid4()}",
            "messages": [*system, *said, *question.messages, {"role": "user", "content": question.text}],
            "options": dict(options),
            **({} if session_id is None else {"session_id": session_id}),
            **_asking(question),
        }
        answer, took = await self._timed("/v1/context/assemble", body)
        metadata = answer["metadata"]
        reasons = [metadata["fallback_reason"]] if metadata["fallback_reason"] else []
        found = self._named(question, [*metadata["memory_ids"], *metadata.get("earlier_memory_ids", ())])
        return Answer(
            found,
            took,
            reasons,
            tokens=metadata["total_tokens_injected"],
            told=(metadata.get("budget") or {}).get("told", 0),
            messages=answer.get("messages", ()),
        )

    def _named(self, question: Question, found: Sequence[str]) -> list[str]:
        """One of the file's ids for each memory, if possible one in `gold`."""
        known = self.memories[question.agent]
        return [min(known[identifier], key=lambda own: (own not in question.gold, own)) for identifier in found]

    async def _without_vector(self, agent_id: str) -> int:
        parameters = {"agent_id": agent_id, "embedding_state": "pending", "limit": str(MOST_WAITING)}
        answer = await self.client.get("/v1/memories", params=parameters)
        memories = accepted(answer)["memories"]
        return sum(1 for memory in memories if memory.get("status", "active") == "active")

    async def _timed(self, path: str, body: Mapping[str, Any]) -> tuple[Any, Took]:
        started = time.perf_counter()
        response = await self.client.post(path, json=body)
        elapsed_ms = (time.perf_counter() - started) * 1000
        answer = accepted(response)
        return answer, Took(elapsed_ms, _total_ms(response))

    async def _ask(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        return accepted(await self.client.request(method, path, json=body))


def _asking(question: Question) -> dict[str, str]:
    return {} if question.user_id is None else {"user_id": question.user_id}


def spoken(agent_id: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The request for one message; a text that begins with a name and a colon has that speaker."""
    speaker, colon, text = fields["content"].partition(": ")
    message = {"role": "user", "content": fields["content"]}
    if colon and text and len(speaker) <= _SPEAKER_CHARACTERS and "\n" not in speaker:
        message |= {"content": text, "name": speaker}
    asked = {"agent_id": agent_id, "messages": [message], "session_id": fields.get("session_id") or "evaluation"}
    return {**asked, **({"observed_at": fields["created_at"]} if "created_at" in fields else {})}


def _total_ms(response: httpx.Response) -> float:
    total = _TOTAL.search(response.headers.get("server-timing", ""))
    if total is None:
        raise ExaminationError(f"{response.request.url.path} answered without its total in the header Server-Timing")
    return float(total[1])


def accepted(answer: httpx.Response) -> Any:
    """The body of a successful answer; raises ExaminationError for any other."""
    if not answer.is_success:
        request = answer.request
        raise ExaminationError(
            f"{request.method} {request.url.path} answered {answer.status_code}: {answer.text[:500]}"
        )
    return answer.json()
