"""Reads JSON Lines as memories in the API's form, in batches within the API's limits."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remembrancer.errors import RequestError
from remembrancer.runtime.http.messages import parse_json

BATCH = 100
# The API refuses bodies over a mebibyte; the rest of the body is small.
BATCH_BYTES = 900_000
# Fields of an export that cannot be written: they describe the memory's former place.
DESCRIBING = frozenset({
    "id", "status", "version", "tier", "quality", "tokens", "embedding_state", "embedding_error", "superseded_by",
    "usage_count", "retrieval_count", "positive_count", "negative_count", "last_accessed_at", "updated_at",
    "version_chain", "versions", "next_before", "relations", "has_more_relations", "conflicts", "redacted", "org_id",
    "project_id", "environment", "deleted_at", "cluster_id", "provenance", "pin_proposed",
    "forget_proposed",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportLine:
    """One line of the file: its memory, or its problem. `end` is the offset of the byte after it.

    A line with neither was not active when it was exported, and is skipped.
    """

    number: int
    end: int
    memory: Mapping[str, Any] | None
    size: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class AgentMapping:
    """The agents of imported memories: `all_of` replaces every line's agent, `rest` is for lines without an agent."""

    all_of: str = ""
    rest: str = ""


def read(path: Path, agents: AgentMapping, *, number: int = 0, offset: int = 0) -> Iterator[ImportLine]:
    """Reads from the line after `number`, which begins at `offset`; skips empty lines."""
    with path.open("rb") as file:
        file.seek(offset)
        for found, text in enumerate(file, start=number + 1):
            offset += len(text)
            if text.strip():
                yield _line(found, offset, text, agents)


def batches(lines: Iterator[ImportLine]) -> Iterator[list[ImportLine]]:
    """Batches in the order of the lines; a line with a problem is part of the current batch."""
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
    """A reference that depends on the memory only, not on its fields' order: importing it again adds nothing."""
    canonical = json.dumps(memory, sort_keys=True, separators=(",", ":"))
    return f"import:{hashlib.sha256(canonical.encode()).hexdigest()[:40]}"


def _line(number: int, end: int, text: bytes, agents: AgentMapping) -> ImportLine:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return ImportLine(number, end, None, problem=_unread(error))
    if not isinstance(value, dict):
        return ImportLine(number, end, None, problem="is not a JSON object")
    return importable(number, end, value, agents)


def importable(number: int, end: int, value: Mapping[str, Any], agents: AgentMapping) -> ImportLine:
    """The line of these fields, for its agent and with a `client_ref`."""
    if value.get("status", "active") != "active":
        return ImportLine(number, end, None)
    # In the destination, the superseded memory has a different id.
    dropped = DESCRIBING | ({"supersedes"} if "id" in value else set())
    memory = {name: field for name, field in value.items() if name not in dropped and field is not None}
    if agents.all_of:
        memory["agent_id"] = agents.all_of
    elif agents.rest:
        memory.setdefault("agent_id", agents.rest)
    try:
        memory.setdefault("client_ref", client_ref(memory))
        size = len(json.dumps(memory)) + 1
        parse_json(_body(memory))
    except RequestError as error:
        return ImportLine(number, end, None, problem=_problem(error))
    except RecursionError:
        return ImportLine(number, end, None, problem="is nested too deeply")
    return ImportLine(number, end, memory, size=size)


def _unread(error: Exception) -> str:
    """Why a line cannot be read, with the place in it, counted from 1."""
    if isinstance(error, UnicodeDecodeError):
        return f"is not UTF-8 at byte {error.start + 1}"
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON: {error.msg} at column {error.colno}"
    return "is not JSON that can be read: a number is too long, or too much is nested"


def _body(memory: Mapping[str, Any]) -> bytes:
    """A batch of this memory alone; a lone surrogate stays the escape that it was in the file."""
    text = json.dumps({"memories": [memory]}, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _problem(error: RequestError) -> str:
    """Why the service would refuse the whole batch, with the field in the memory."""
    return "; ".join(f"{place.removeprefix('memories[0].')} {problem}" for place, problem in error.fields.items())
