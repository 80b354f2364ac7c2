"""Encodes values for Redis. Each begins with a schema version; an undecodable value is a miss, never an error."""

import base64
import json
import re
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.redis.dataclass_json import DataclassJson
from remembrancer.domain.context.placement import PLACEMENTS
from remembrancer.domain.context.prefix import DIGEST_BYTES, PARTS, Hashed, Prompt
from remembrancer.domain.context.told import ToldBlock, ToldMemory
from remembrancer.domain.identity.scope import EndUser
from remembrancer.domain.memories.memory import Change, Directive, Memory
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.retrieval.turn_key import Turn, TurnMemory

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
"""Errors from decoding damaged bytes: invalid JSON or UTF-8, a missing field, a value of another type, no end."""

_SCHEMA = b"6"
_TOLD_FIELD = re.compile(rb"(\d+) ([0-9a-f]+) ([0-9a-f]+)")
_TOLD = struct.Struct(">IH")
PROMPT_FIELD = "prompt"
"""Of a session's last prompt, beside the fields of its blocks."""
_PROMPT = struct.Struct(">IBiI")
_HASHED = struct.Struct(f">{DIGEST_BYTES}s{DIGEST_BYTES}sI")
_ABSENT: list[Any] = [0, 0, [], [], 0.0]
"""What earlier versions did not write of a turn, from the fourth on."""
_MEMORY = DataclassJson(Memory, without=("user_id", "sealed", "vector"))


def encode_memory(memory: Memory) -> bytes:
    """Schema, end user, NUL (the read script filters by it), JSON, NUL, float16 vector.

    Sealed text stays sealed here, even when it was opened meanwhile.
    """
    sealed = None if memory.sealed is None else base64.b64encode(memory.sealed).decode()
    record = _MEMORY.encode(memory) | {"sealed": sealed}
    if sealed is not None:
        record |= {"content": "", "summary": None}
    vector = b"" if memory.vector is None else memory.vector.astype("<f2").tobytes()
    encoded = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
    return b"\0".join((_SCHEMA + (memory.user_id or "").encode(), encoded, vector))


def decode_memory(value: bytes) -> Memory | None:
    """The memory; None for a value of another schema, or a damaged one."""
    if not value.startswith(_SCHEMA):
        return None
    try:
        return _memory(value[len(_SCHEMA) :])
    except UNREADABLE:
        return None


def _memory(value: bytes) -> Memory:
    user_id, text, vector = value.split(b"\0", 2)
    record = json.loads(text)
    return Memory(
        **_MEMORY.decode(record),
        user_id=user_id.decode() or None,
        sealed=base64.b64decode(record["sealed"]) if record["sealed"] else None,
        vector=np.frombuffer(vector, dtype="<f2").astype(np.float32) if vector else None,
    )


def encode_pins(pins: Pins) -> bytes:
    """Schema, then JSON: version and removals of their state, and each memory's record, without its vector."""
    records = [encode_memory(memory.with_vector(None)).decode() for memory in pins.memories]
    return _SCHEMA + json.dumps([pins.as_of.version, pins.as_of.removals, records], ensure_ascii=False).encode()


def decode_pins(value: bytes | None, agent_id: UUID, owner: EndUser) -> Pins | None:
    """None without a value, for another schema, or where any part is damaged or of others: what is there is whole."""
    if not value or not value.startswith(_SCHEMA):
        return None
    try:
        version, removals, records = json.loads(value[len(_SCHEMA) :])
        memories = [decode_memory(record.encode()) for record in records]
        own = [one for one in memories if one is not None and one.agent_id == agent_id and owner.sees(one.user_id)]
        return None if len(own) < len(records) else Pins(Change(int(version), int(removals)), own)
    except UNREADABLE:
        return None


def encode_directive(directive: Directive, agent_id: UUID) -> bytes:
    """Schema, version number, NUL, JSON: the write script compares the version. Whose it is stands in it."""
    record = {
        "agent": agent_id.hex,
        "version": directive.version,
        "text": directive.text,
        "injection_mode": directive.injection_mode,
    }
    return _SCHEMA + str(directive.version).encode() + b"\0" + json.dumps(record).encode()


def decode_directive(value: bytes | None, agent_id: UUID) -> Directive | None:
    """The directive; None without a value, for another schema, or one that is damaged or another agent's."""
    if value is None or not value.startswith(_SCHEMA):
        return None
    try:
        record = json.loads(value.split(b"\0", 1)[1])
        return Directive(**record) if record.pop("agent") == agent_id.hex else None
    except UNREADABLE:
        return None


def told_field(block: ToldBlock) -> str:
    """The name of a block among those of its session: its number, and the hashes of its message."""
    return f"{block.number} {block.text} {block.before}"


def encode_told(block: ToldBlock) -> bytes:
    """Schema, then for each memory 16 bytes of its id, 4 of its version, 2 of the number of passages, 2 of each."""
    memories = (
        b"".join((memory.memory_id.bytes, _TOLD.pack(memory.version, len(memory.passages)), _packed(memory.passages)))
        for memory in block.memories
    )
    return _SCHEMA + b"".join(memories)


def decode_told(fields: Sequence[bytes]) -> list[ToldBlock]:
    """Of names and values in turn; those of another schema, and damaged ones, are left out."""
    blocks = []
    for name, value in zip(fields[::2], fields[1::2], strict=True):
        match = _TOLD_FIELD.fullmatch(name)
        if match is None or not value.startswith(_SCHEMA):
            continue
        with suppress(*UNREADABLE, struct.error):
            number, text, before = int(match[1]), match[2].decode(), match[3].decode()
            blocks.append(ToldBlock(number, text, before, tuple(_told(value, len(_SCHEMA)))))
    return blocks


def encode_prompt(prompt: Prompt) -> bytes:
    """Schema, hashes of its parts, tokens of tools, placement, position of the directive, number of older messages;
    then two hashes and 4 bytes of tokens, of these together and of each later message.
    """
    head = _PROMPT.pack(prompt.tool_tokens, PLACEMENTS.index(prompt.placement), prompt.standing, prompt.older_count)
    messages = (_HASHED.pack(*message) for message in (prompt.older, *prompt.messages))
    return _SCHEMA + b"".join((*prompt.parts, head, *messages))


def decode_prompt(fields: Sequence[bytes]) -> Prompt | None:
    """Of names and values in turn; None without a prompt, of another schema, and of a damaged one."""
    value = dict(zip(fields[::2], fields[1::2], strict=True)).get(PROMPT_FIELD.encode(), b"")
    if not value.startswith(_SCHEMA):
        return None
    at = len(_SCHEMA) + len(PARTS) * DIGEST_BYTES
    parts = tuple(value[start : start + DIGEST_BYTES] for start in range(len(_SCHEMA), at, DIGEST_BYTES))
    with suppress(*UNREADABLE, struct.error):
        tool_tokens, placed, standing, older_count = _PROMPT.unpack_from(value, at)
        older, *messages = map(Hashed._make, _HASHED.iter_unpack(value[at + _PROMPT.size :]))
        return Prompt(parts, tool_tokens, PLACEMENTS[placed], standing, messages, older_count, older)
    return None


def _told(value: bytes, at: int) -> Iterator[ToldMemory]:
    while at < len(value):
        version, count = _TOLD.unpack_from(value, at + 16)
        end = at + 16 + _TOLD.size
        yield ToldMemory(UUID(bytes=value[at : at + 16]), version, struct.unpack_from(f">{count}H", value, end))
        at = end + 2 * count


def _packed(passages: Sequence[int]) -> bytes:
    return struct.pack(f">{len(passages)}H", *passages)


def encode_turn(turn: Turn) -> bytes:
    """Schema, then JSON: the number of candidates, the fields of each memory, vectors as float16, silence, the number
    of duplicates, what was missing, the passages of each memory, and how many rare words the query has.
    """
    found = [
        [
            candidate.memory_id.hex,
            candidate.dense,
            candidate.content,
            candidate.context,
            candidate.subject,
            candidate.terms,
            int(candidate.hot),
        ]
        for candidate in turn.found
    ]
    vectors = None
    if turn.vectors is not None:
        vectors = [len(turn.vectors), base64.b64encode(turn.vectors.astype("<f2").tobytes()).decode(), turn.model]
    passages = [candidate.passages for candidate in turn.found]
    told = [turn.available, found, vectors, int(turn.silent), turn.duplicates, turn.missing, passages, turn.information]
    return _SCHEMA + json.dumps(told, separators=(",", ":")).encode()


def decode_turn(value: bytes | None) -> Turn | None:
    """The turn; None without a value, for another schema, or a damaged value."""
    if value is None or not value.startswith(_SCHEMA):
        return None
    try:
        # Turns that earlier versions wrote lack the last ones.
        told: list[Any] = json.loads(value[len(_SCHEMA) :])
        told += _ABSENT[len(told) - 3 :]
        available, found, vectors, silent, duplicates, missing, passages, information, *_ = told
        memories = tuple(
            TurnMemory(
                UUID(identifier),
                _number(dense),
                _number(content),
                _number(context),
                float(subject),
                tuple(map(int, terms)),
                bool(hot),
                tuple(map(int, shown)),
            )
            for (identifier, dense, content, context, subject, terms, hot), shown in zip(
                found, passages or [()] * len(found), strict=True
            )
        )
        reasons = tuple(map(str, missing))
        turn = Turn(
            memories,
            int(available),
            silent=bool(silent),
            duplicates=int(duplicates),
            missing=reasons,
            information=float(information),
        )
        if vectors is None:
            return turn
        # Those of earlier versions do not name the model, which may be another by now: a miss.
        count, encoded, model = vectors
        return replace(turn, vectors=_vectors(count, encoded), model=str(model))
    except UNREADABLE:
        return None


def _vectors(count: int, encoded: str) -> NDArray[np.float32]:
    """Normalises rows again, since half precision has changed their length slightly."""
    vectors = np.frombuffer(base64.b64decode(encoded), "<f2").astype(np.float32).reshape(count, -1)
    rows: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return rows


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)
