"""Plays labelled conversations through the API as a host does, and asks their questions afterwards.

Each conversation is an end user of an agent of its own. Before a turn of the user the context is assembled, after each
turn it is captured. The conversations are played side by side, a turn of each at a time; then the queues are emptied,
so that each turn meets what the turns before it have changed.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import uuid4

from local.evaluation.conversations import Conversation, Turn
from local.evaluation.examinee import PAGE, ExaminationError, Examinee, accepted
from remembrancer.domain.context import formatter
from remembrancer.domain.context.doubted_part import IN_PART

DEADLINE_MS = "20000"
"""Of each assembly: what a memory is worth does not depend on how busy the machine is."""
ATTEMPTS = 10
MEMORIES_BEFORE = timedelta(days=60)
"""How long before the first session the memories of a conversation were written."""
_BLOCK = re.compile(r"<(memories|pinned)-(\w+)>\n(.*?)</\1-\2>", re.DOTALL)
_MARK = re.compile(rf"[(, ]{formatter.DOUBT}(?:{IN_PART}|: (?P<part>.*))?\)$", re.DOTALL)
_ITEM = re.compile(r"^- .*(?:\n  .*)*", re.MULTILINE)
_MINUTE = timedelta(minutes=1)
_PAUSE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory as the API lists it; `turns` are the ids of the turns that it was made of, or its own in the file.

    `by` is the memory that superseded it, `newer` are the memories that may contradict it and are newer.
    """

    id: str
    text: str
    status: str
    turns: frozenset[str]
    by: str | None = None
    newer: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Item:
    """One memory in an assembled text, as it stands there without the line of its day."""

    memory: str
    text: str

    def is_doubted(self, words: str) -> bool:
        """Whether the text says that these words may be out of date, or the memory, wholly or in part."""
        mark = _MARK.search(self.text)
        if mark is None:
            return False
        part, words = (mark["part"] or "").casefold(), words.casefold()
        return words in part or part in words


@dataclass(slots=True)
class Played:
    """A conversation after its last turn, with the memories that are not deleted.

    `forgotten`: by turn, the memories that it wished to be forgotten, the surest first, and `made`: of which turns or
    memories of the file these were made. `answers`: by question, what was injected for it, in the order of the text;
    `prompts`: the same as the injected text. `numbers`: the ids of turns by the service's conversation and number.
    """

    conversation: Conversation
    agent: str = ""
    memories: dict[str, Stored] = field(default_factory=dict)
    forgotten: dict[str, list[str]] = field(default_factory=dict)
    made: dict[str, set[str]] = field(default_factory=dict)
    answers: dict[str, list[Item]] = field(default_factory=dict)
    prompts: dict[str, str] = field(default_factory=dict)
    numbers: dict[tuple[str, int], str] = field(default_factory=dict)


async def play(
    examinee: Examinee,
    conversations: Sequence[Conversation],
    drained: Callable[[], Awaitable[None]],
    *,
    done: Callable[[int], None],
) -> list[Played]:
    """All conversations with the answers to their questions; `done` is called with the number of finished turns.

    `drained` returns when the service has nothing left to do.
    """
    every = [await _begin(examinee, conversation) for conversation in conversations]
    await drained()
    spoken = [[turn for turn in played.conversation.turns.values() if turn.session] for played in every]
    for place in range(max(map(len, spoken))):
        now = [(played, turns[place]) for played, turns in zip(every, spoken, strict=True) if place < len(turns)]
        for played, turn in now:
            await _say(examinee, played, turn)
        await drained()
        done(len(now))
    for played in every:
        await _look(examinee, played)
        for label in played.conversation.labels:
            if label.question and label.question not in played.answers:
                await _ask(examinee, played, label.question)
    return every


async def _begin(examinee: Examinee, conversation: Conversation) -> Played:
    played = Played(conversation)
    body = {"name": f"evaluation {conversation.name} {uuid4()}"}
    played.agent = accepted(await examinee.client.post("/v1/agents", json=body))["agent_id"]
    written = (conversation.sessions[0] - MEMORIES_BEFORE).isoformat()
    for turn in conversation.turns.values():
        if not turn.session:
            fields = {"agent_id": played.agent, "user_id": conversation.name, "content": turn.text}
            answer = await examinee.client.post("/v1/memories", json={**fields, "created_at": written})
            played.made[accepted(answer)["id"]] = {turn.id}
    return played


async def _say(examinee: Examinee, played: Played, turn: Turn) -> None:
    """Assembles for a turn of the user, with the messages of its session before it; then captures the turn."""
    conversation = played.conversation
    session = f"{conversation.name}-{turn.session}"
    same = [one for one in conversation.turns.values() if one.session == turn.session]
    place = same.index(turn)
    if turn.role == "user":
        messages = [{"role": one.role, "content": one.text} for one in same[: place + 1]]
        await _assembled(examinee, played, messages, session_id=session, turn_id=turn.id)
    body = {
        "agent_id": played.agent,
        "user_id": conversation.name,
        "session_id": session,
        "turn_id": turn.id,
        "observed_at": (conversation.sessions[turn.session - 1] + place * _MINUTE).isoformat(),
        "messages": [{"role": turn.role, "content": turn.text}],
    }
    answer = accepted(await examinee.client.post("/v1/conversations", json=body))
    for known in answer["turns"]:
        played.numbers.setdefault((answer["conversation_id"], known["number"]), turn.id)


async def _look(examinee: Examinee, played: Played) -> None:
    """Reads the decisions on the turns, and the memories."""
    headers = {"X-End-User-ID": played.conversation.name}
    for conversation_id in {conversation_id for conversation_id, _ in played.numbers}:
        answer = await examinee.client.get(f"/v1/conversations/{conversation_id}", headers=headers)
        for turn in accepted(answer)["turns"]:
            identifier = played.numbers[conversation_id, turn["number"]]
            if turn["memory_id"]:
                played.made.setdefault(turn["memory_id"], set()).add(identifier)
            if wish := turn.get("forget"):
                played.forgotten[identifier] = [*wish["forgotten"], *wish["proposed"]]
    played.memories = {memory.id: memory async for memory in _listed(examinee, played)}


async def _listed(examinee: Examinee, played: Played) -> AsyncIterator[Stored]:
    asked = {"agent_id": played.agent, "user_id": played.conversation.name, "limit": str(PAGE)}
    cursor: str | None = ""
    while cursor is not None:
        parameters = asked | ({"cursor": cursor} if cursor else {})
        page = accepted(await examinee.client.get("/v1/memories", params=parameters))
        for memory in page["memories"]:
            yield _stored(played, memory)
        cursor = page["next_cursor"]


def _stored(played: Played, memory: Mapping[str, Any]) -> Stored:
    source = memory["provenance"] or {}
    said = {played.numbers[source["conversation_id"], number] for number in source.get("turns", ())}
    turns = frozenset(played.made.get(memory["id"], set()) | said)
    newer = frozenset(conflict["id"] for conflict in memory["conflicts"] if conflict["is_newer"])
    return Stored(memory["id"], memory["content"], memory["status"], turns, memory["superseded_by"], newer)


async def _ask(examinee: Examinee, played: Played, question: str) -> None:
    answer = await _whole(examinee, played, [{"role": "user", "content": question}])
    text = "\n".join(str(message["content"]) for message in answer["messages"])
    metadata = answer["metadata"]
    identifiers = [*metadata["pinned_memory_ids"], *metadata["memory_ids"]]
    items = [item for block in sorted(_BLOCK.findall(text), reverse=True) for item in _ITEM.findall(block[2])]
    if len(items) != len(identifiers):
        raise ExaminationError(f"{len(identifiers)} memories are injected, and {len(items)} stand in the text")
    played.answers[question] = [Item(*pair) for pair in zip(identifiers, items, strict=True)]
    played.prompts[question] = "\n".join(block.group() for block in _BLOCK.finditer(text))


async def _whole(examinee: Examinee, played: Played, messages: Sequence[Mapping[str, str]]) -> Mapping[str, Any]:
    """The answer from all sources: a busy machine is asked again."""
    for _ in range(ATTEMPTS):
        answer = await _assembled(examinee, played, messages)
        if not (reason := answer["metadata"]["fallback_reason"]):
            return answer
        await asyncio.sleep(_PAUSE_SECONDS)
    raise ExaminationError(f"{ATTEMPTS} answers lacked a source ({reason})")


async def _assembled(
    examinee: Examinee, played: Played, messages: Sequence[Mapping[str, str]], **fields: str
) -> Mapping[str, Any]:
    body = {
        "org_id": examinee.org_id,
        "agent_id": played.agent,
        "user_id": played.conversation.name,
        "model": "gpt-4o",
        "request_id": f"evaluation-{uuid4()}",
        "messages": messages,
        **fields,
    }
    headers = {"X-Deadline-Ms": DEADLINE_MS}
    answer = await examinee.client.post("/v1/context/assemble", json=body, headers=headers)
    assembled: Mapping[str, Any] = accepted(answer)
    return assembled
