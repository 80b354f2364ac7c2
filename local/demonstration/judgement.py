"""Checks the answers against the sample's expectations; each fault is one sentence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local.sample.loader import Sample
from remembrancer.domain.context import placement


def assembly_faults(answer: Mapping[str, Any], sample: Sample) -> Iterator[str]:
    """No faults if complete, with unchanged client messages, all expected memories and none of other end users."""
    question, metadata = sample.story.assembly, answer["metadata"]
    if metadata["fallback_reason"]:
        yield f"the assembly was incomplete ({metadata['fallback_reason']})"
    if not metadata["memories_injected"]:
        yield "the assembly injected no memory"
    if list(map(_as_sent, answer["messages"][-len(question.messages) :])) != list(question.messages):
        yield "the assembly changed the conversation"
    for reference in _missing(question.expected, metadata["memory_ids"], sample):
        yield f"the assembly left out {reference}"
    yield from _strangers(metadata.get("candidates") or (), question.user_id, "the assembly")


def _as_sent(message: Mapping[str, Any]) -> dict[str, Any]:
    """The client's own message, without the memories before its text."""
    content = message.get("content")
    return {**message, "content": placement.without_injected(content)} if isinstance(content, str) else {**message}


def query_faults(answer: Mapping[str, Any], sample: Sample) -> Iterator[str]:
    """No faults if complete, with all expected memories, none superseded and none of other end users."""
    question = sample.story.query
    found = [memory["id"] for memory in answer["memories"]]
    if answer["degraded"]:
        yield f"the query was incomplete ({', '.join(answer['degraded'])})"
    for reference in _missing(question.expected, found, sample):
        yield f"the query did not find {reference}"
    for line in sample.story.lines:
        if line.supersedes and sample.ids[line.supersedes] in found:
            yield f"the query returned {line.supersedes}, which {line.client_ref} replaced"
    yield from _strangers(answer["memories"], question.user_id, "the query")


def capture_faults(stored: Mapping[str, Any], answer: Mapping[str, Any], sample: Sample) -> Iterator[str]:
    """No faults if the expected turns became memories and the next assembly injected the expected ones of them."""
    scene = sample.story.capture
    memories = {turn["number"]: turn["memory_id"] for turn in stored["turns"] if turn["memory_id"]}
    if stored["pending"]:
        yield f"{stored['pending']} turns of the conversation are still waiting"
    elif tuple(memories) != scene.kept:
        yield f"of the conversation, the turns {[*memories]} became memories instead of {[*scene.kept]}"
    metadata = answer.get("metadata", {})
    for number in scene.expected:
        if number in memories and memories[number] not in metadata.get("memory_ids", ()):
            yield f"the next question was answered without turn {number} of the conversation"


def _missing(expected: Sequence[str], ids: Sequence[str], sample: Sample) -> list[str]:
    return [reference for reference in expected if sample.ids[reference] not in ids]


def _strangers(memories: Sequence[Mapping[str, Any]], user_id: str, where: str) -> Iterator[str]:
    for memory in memories:
        if memory.get("user_id") not in {None, "", user_id}:
            yield f"{where} showed a memory that is private to {memory['user_id']}"
