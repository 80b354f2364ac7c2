"""A file of JSON Lines as memories that the API takes, in batches that it takes."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BATCH = 100
# The API refuses bodies over a mebibyte; what surrounds the memories is small.
BATCH_BYTES = 900_000
# What an export says besides what can be written: where a memory stood, not what it is.
DESCRIBING = frozenset({
    "id", "status", "version", "tier", "quality", "tokens", "embedding_state", "embedding_error", "superseded_by",
    "usage_count", "retrieval_count", "positive_count", "negative_count", "last_accessed_at", "updated_at",
    "version_chain", "versions", "next_before", "relations", "has_more_relations", "redacted", "org_id", "project_id",
    "environment", "deleted_at", "cluster_id",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One line of the file: the memory in it, or what is wrong with it. `end` is the byte after it.

    One that has neither was not active when it was exported, and is left out.
    """

    number: int
    end: int
    memory: Mapping[str, Any] | None
    size: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AgentMapping:
    """Whose the memories become: `all_of` replaces what a line says, `rest` is for lines that say nothing."""

    all_of: str = ""
    rest: str = ""


def read(path: Path, agents: AgentMapping, *, number: int = 0, offset: int = 0) -> Iterator[ImportLine]:
    """From the line after `number`, which begins at `offset`; empty lines are left out."""
    with path.open("rb") as file:
        file.seek(offset)
        for found, text in enumerate(file, start=number + 1):
            offset += len(text)
            if text.strip():
                yield _line(found, offset, text, agents)


def batches(lines: Iterator[ImportLine]) -> Iterator[list[ImportLine]]:
    """In order; a line with a problem goes with the batch around it."""
    batch: list[ImportLine] = []
    size = 0
    for line in lines:
        if batch and (len(batch) == BATCH or size + line.size > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(line)
        size += line.size
    if batch:
        yield batch


def client_ref(memory: Mapping[str, Any]) -> str:
    """The same for the same memory, whatever the order of its fields: what makes importing it again harmless."""
    canonical = json.dumps(memory, sort_keys=True, separators=(",", ":"))
    return f"import:{hashlib.sha256(canonical.encode()).hexdigest()[:40]}"


def _line(number: int, end: int, text: bytes, agents: AgentMapping) -> ImportLine:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return ImportLine(number, end, None, problem="is not JSON in UTF-8")
    if not isinstance(value, dict):
        return ImportLine(number, end, None, problem="is not a JSON object")
    if value.get("status", "active") != "active":
        return ImportLine(number, end, None)
    # The memory that an exported one replaced has another id where this one goes.
    dropped = DESCRIBING | ({"supersedes"} if "id" in value else set())
    memory = {name: field for name, field in value.items() if name not in dropped and field is not None}
    if agent_id := agents.all_of or memory.get("agent_id") or agents.rest:
        memory["agent_id"] = agent_id
    memory.setdefault("client_ref", client_ref(memory))
    return ImportLine(number, end, memory, size=len(json.dumps(memory)) + 1)
