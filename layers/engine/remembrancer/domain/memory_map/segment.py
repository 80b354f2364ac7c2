"""A memory map in parts of bytes, so that another instance can search what this one has read.

    mark (4 bytes) | CRC-32 of the rest | length of the header | header (JSON) | sections, each aligned to 16 bytes

The sections come in parts of at most `PART_BYTES`, then the vectors, which the checksum includes, `BLOCK` of them in
each part. On arrival the sections are joined, and so are the vectors: some 95 new pages of memory for 1,000 vectors of
384 dimensions, so that a search takes them as one array. Numbers are little endian. Vectors are int8 with one scale
each, 388 bytes for 384 dimensions; a posting takes four bytes; a whole memory some 750.
"""

import json
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import DTypeLike, NDArray

from remembrancer.domain.lexical_index import words
from remembrancer.domain.memories.memory import CATEGORIES, Change, Memory
from remembrancer.domain.memories.memory_columns import NO_SESSION, NUMBER_OF, OTHER_CATEGORY, MemoryColumns
from remembrancer.domain.memory_map.memory_map import Columns, MemoryMap, Words
from remembrancer.domain.memory_map.packed_rows import (
    ABSENT,
    LINK,
    MOMENTS,
    NEVER,
    ROW,
    TEXTS,
    PackedRows,
    Rows,
    microseconds,
    moment,
)
from remembrancer.domain.memory_map.rows import MapPostings
from remembrancer.domain.memory_map.vectors import Vectors

FORMAT = 5
"""Raised by every change of the layout: segments of another format are not read, nor those whose words were split by
other rules.
"""
_MARK = b"RMAP"
_START = 12
_ALIGNMENT = 16
_LARGEST = 127
PART_BYTES = 96 * 1024
"""Most bytes of a part without vectors. What reads parts keeps only one of them twice, and memory of that size, once
freed, is used again: new memory from the system costs more time than copying.
"""
BLOCK = 256
"""Vectors of a part: those of 384 dimensions take `PART_BYTES`."""
_COLUMNS = ("document", "content_words", "context_words", "embedded", "user", "source", "tier")
_NAMES = {
    "category": attrgetter("category"),
    "session": attrgetter("session_id"),
    "vector_model": attrgetter("vector_model"),
}
"""Fields that are positions in the list of names, and of what."""
_NUMBERS = (
    "confidence", "importance", "quality", "usage_count", "retrieval_count", "positive_count", "negative_count",
    "version",
)  # fmt: skip

_LAYOUT: Mapping[str, DTypeLike] = {
    "scales": "<f4", "terms": "<i8", "counts": "<u4", "places": "<u4", "short_places": "<u2",
    "content_frequency": "u1", "context_frequency": "u1",
    "fields": ROW, "tokens": "<i4", "tags": "<i4", "links": LINK, "names": "u1", "text": "u1",
}  # fmt: skip
"""The sections by name, in their order. Positions of memories are in one of two sections, by their size."""


class UnreadableSegment(ValueError):
    """Bytes that are no segment of this format, or one of another agent."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A map, and when its memories were read from the store."""

    map: MemoryMap
    read_at: datetime


def encode(found: MemoryMap, *, read_at: datetime) -> list[bytes]:
    """The live memories of a map, in parts; `read_at` is when they were read from the store."""
    places = np.flatnonzero(found.columns.alive)
    memories = list(found.rows.unpacked(places.tolist()))
    names = {name: position for position, name in enumerate(found.names)}
    steps, scales = _packed_vectors(found, places)
    sections = {
        "scales": scales,
        **_packed_words(found, places),
        **_packed_rows(found, places, memories, names),
    }
    sections["names"] = np.frombuffer(json.dumps(list(names)).encode(), np.uint8)
    body, sizes = bytearray(), {}
    for name in _LAYOUT:
        values = np.ascontiguousarray(sections[name], _LAYOUT[name]) if name in sections else np.empty(0, np.uint8)
        sizes[name] = values.size
        body += values.tobytes() + bytes(-values.nbytes % _ALIGNMENT)
    header = json.dumps(
        {
            "format": FORMAT,
            "words": words.VERSION,
            "org_id": str(found.org_id),
            "agent_id": str(found.agent_id),
            "model": found.model,
            "dimensions": found.vectors.dimensions,
            "memories": len(memories),
            "version": found.change.version,
            "removals": found.change.removals,
            "read_at": microseconds(read_at),
            "tokenizers": _tokenizers(memories),
            "sizes": sizes,
        }
    ).encode()
    header += b" " * (-(_START + len(header)) % _ALIGNMENT)
    blocks = [block.tobytes() for block in _blocks(steps)]
    body[:0] = struct.pack("<I", len(header)) + header
    body[:0] = _MARK + struct.pack("<I", _checksum(body, blocks))
    return [bytes(body[at : at + PART_BYTES]) for at in range(0, len(body), PART_BYTES)] + blocks


def decode(parts: Sequence[bytes], *, org_id: UUID, agent_id: UUID) -> Decoded:
    """The map of this agent; its memories become objects when they are asked for. Raises UnreadableSegment."""
    try:
        header, blocks, sections = _split(parts)
        if (header["org_id"], header["agent_id"]) != (str(org_id), str(agent_id)):
            raise UnreadableSegment("of another agent")
        return _decoded(org_id, agent_id, header, blocks, sections)
    except UnreadableSegment:
        raise
    except (
        ValueError,
        KeyError,
        TypeError,
        IndexError,
        AttributeError,
        OverflowError,
        RecursionError,
        struct.error,
    ) as error:
        raise UnreadableSegment("damaged") from error


def _split(parts: Sequence[bytes]) -> tuple[dict[str, Any], Sequence[bytes], dict[str, NDArray[Any]]]:
    """The header, the parts with vectors, and the sections."""
    mark, checksum, length = struct.unpack_from("<4sII", parts[0])
    if mark != _MARK:
        raise UnreadableSegment("no segment")
    header = json.loads(parts[0][_START : _START + length])
    if header["format"] != FORMAT:
        raise UnreadableSegment("of another format")
    if header["words"] != words.VERSION:
        raise UnreadableSegment("of other words")
    others = len(parts) - -(-int(header["memories"]) // BLOCK)
    value, blocks = b"".join(parts[:others]), parts[others:]
    if others < 1 or _checksum(memoryview(value)[8:], blocks) != checksum:
        raise UnreadableSegment("damaged")
    sections: dict[str, NDArray[Any]] = {}
    at = _START + length
    for name, kind in _LAYOUT.items():
        count = header["sizes"][name]
        sections[name] = np.frombuffer(value, kind, count, at)
        at += sections[name].nbytes + -sections[name].nbytes % _ALIGNMENT
    if at != len(value):
        raise UnreadableSegment("of another length")
    return header, blocks, sections


def _checksum(value: bytes | bytearray | memoryview, blocks: Sequence[bytes]) -> int:
    """CRC-32 of all of them together, in their order."""
    checksum = zlib.crc32(value)
    for block in blocks:
        checksum = zlib.crc32(block, checksum)
    return checksum


def _decoded(
    org_id: UUID,
    agent_id: UUID,
    header: dict[str, Any],
    blocks: Sequence[bytes],
    sections: dict[str, NDArray[Any]],
) -> Decoded:
    number = int(header["memories"])
    listed: list[str | None] = json.loads(sections["names"].tobytes())
    names = {name: position for position, name in enumerate(listed)}
    fields = sections["fields"]
    packed = _rows(agent_id, number, header["tokenizers"], listed, sections)
    found = MemoryMap(
        org_id=org_id,
        agent_id=agent_id,
        change=Change(int(header["version"]), int(header["removals"])),
        rows=Rows(packed),
        places=dict(zip(packed.numbers(), range(number), strict=True)),
        names=names,
        columns=_columns(fields, packed.tokens, names),
        vectors=_vectors(number, int(header["dimensions"]), blocks, sections["scales"]),
        words=_words(number, sections),
        text_bytes=0,
        model=header["model"],
    )
    read_at = moment(int(header["read_at"]))
    lengths = {number, len(fields), len(found.places)}
    if len(lengths) > 1 or names.get(None) != NO_SESSION or read_at is None:
        raise UnreadableSegment("inconsistent")
    return Decoded(found, read_at)


def _packed_vectors(found: MemoryMap, places: NDArray[np.intp]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rounded to steps of a 127th of each vector's largest component; a decoded vector gives the same bytes again."""
    vectors = found.vectors.at(places)
    scales = np.abs(vectors).max(axis=1, initial=0.0) / np.float32(_LARGEST)
    steps = np.rint(vectors / np.where(scales > 0, scales, 1)[:, None])
    return np.clip(steps, -_LARGEST, _LARGEST).astype(np.int8), scales


def _blocks(steps: NDArray[np.int8]) -> Iterator[NDArray[np.int8]]:
    return (steps[start : start + BLOCK] for start in range(0, len(steps), BLOCK))


def _vectors(number: int, dimensions: int, blocks: Sequence[bytes], scales: NDArray[np.float32]) -> Vectors:
    rows = [min(BLOCK, number - start) for start in range(0, number, BLOCK)]
    if [len(block) for block in blocks] != [dimensions * count for count in rows] or len(scales) != number:
        raise UnreadableSegment("inconsistent")
    steps = np.frombuffer(b"".join(blocks), np.int8).reshape(number, dimensions)
    return Vectors.packed(steps, scales)


def _packed_words(found: MemoryMap, places: NDArray[np.intp]) -> dict[str, NDArray[Any]]:
    postings = MapPostings.joined([found.words.sorted, found.words.tail])
    position = np.zeros(len(found.rows), np.uint32)
    position[places] = np.arange(len(places))
    postings = postings.select(found.columns.alive[postings.place]) if len(postings) else postings
    postings = postings.select(np.argsort(postings.term, kind="stable"))
    terms, counts = np.unique(postings.term, return_counts=True)
    return {
        "terms": terms,
        "counts": counts,
        "short_places" if len(places) <= 1 << 16 else "places": position[postings.place],
        "content_frequency": postings.content_frequency,
        "context_frequency": postings.context_frequency,
    }


def _words(number: int, sections: dict[str, NDArray[Any]]) -> Words:
    terms, counts = sections["terms"], sections["counts"]
    short = sections["short_places"]
    place = (short if len(short) else sections["places"]).astype(np.int32)
    if len(place) and int(place.max()) >= number:
        raise UnreadableSegment("inconsistent")
    content, context = sections["content_frequency"], sections["context_frequency"]
    if not int(counts.sum()) == len(place) == len(content) == len(context):
        raise UnreadableSegment("inconsistent")
    postings = MapPostings(np.repeat(terms, counts).astype(np.int64), place, content, context)
    starts = np.zeros(len(terms) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return Words(terms.astype(np.int64), starts, postings, MapPostings.empty())


def _packed_rows(
    found: MemoryMap, places: NDArray[np.intp], memories: Sequence[Memory], names: dict[str | None, int]
) -> dict[str, NDArray[Any]]:
    """Adds names that only memories have to `names`."""
    columns = found.columns
    fields = np.zeros(len(memories), ROW)
    fields["id"] = np.array([memory.id.bytes for memory in memories], "V16")
    for name in _COLUMNS:
        fields[name] = getattr(columns, name)[places]
    fields["asks"] = columns.order.asks[places]
    for name in _NUMBERS:
        fields[name] = [getattr(memory, name) for memory in memories]
    for name in MOMENTS:
        fields[name] = [microseconds(getattr(memory, name)) for memory in memories]
    for name, of in _NAMES.items():
        fields[name] = [names.setdefault(called, len(names)) for called in map(of, memories)]
    tags = [[names.setdefault(tag, len(names)) for tag in memory.tags] for memory in memories]
    links = [_links(memory) for memory in memories]
    texts = [_texts(memory) for memory in memories]
    for name, column in zip(TEXTS, zip(*texts, strict=True), strict=False):
        fields[name] = [ABSENT if text is None else len(text) for text in column]
    fields["tags"], fields["links"] = [len(row) for row in tags], [len(row) for row in links]
    for name, lengths in _lengths(fields).items():
        fields[name] = np.cumsum(lengths) - lengths
    tokenizers = _tokenizers(memories)
    return {
        "fields": fields,
        "tokens": np.array([[memory.tokens.get(name, ABSENT) for name in tokenizers] for memory in memories], np.int32),
        "tags": np.array([tag for row in tags for tag in row], np.int32),
        "links": np.array([link for row in links for link in row], LINK),
        "text": np.frombuffer(b"".join(text or b"" for row in texts for text in row), np.uint8),
    }


def _lengths(fields: NDArray[np.void]) -> dict[str, NDArray[np.int64]]:
    """How much each memory has of what begins at the field of this name."""
    text = sum(np.maximum(fields[name], 0).astype(np.int64) for name in TEXTS)
    assert isinstance(text, np.ndarray)
    tags, links = fields["tags"].astype(np.int64), fields["links"].astype(np.int64)
    return {"text_at": text, "tags_at": tags, "links_at": links}


def _rows(
    agent_id: UUID,
    number: int,
    tokenizers: Sequence[str],
    names: Sequence[str | None],
    sections: dict[str, NDArray[Any]],
) -> PackedRows:
    rows = PackedRows(
        agent_id=agent_id,
        names=names,
        tokenizers=tokenizers,
        fields=sections["fields"],
        tokens=sections["tokens"].reshape(number, len(tokenizers)),
        text=sections["text"].data,
        tags=sections["tags"],
        links=sections["links"],
    )
    ends = {"text_at": len(rows.text), "tags_at": len(rows.tags), "links_at": len(rows.links)}
    for name, lengths in _lengths(rows.fields).items():
        begins = np.cumsum(lengths) - lengths
        if int(lengths.sum()) != ends[name] or not np.array_equal(begins, rows.fields[name]):
            raise UnreadableSegment("inconsistent")
    return rows


def _columns(fields: NDArray[np.void], tokens: NDArray[np.int32], names: Mapping[str | None, int]) -> Columns:
    """The columns of the map, as `memory_map.extended` makes them of memories."""
    category = np.full(len(names), OTHER_CATEGORY, np.int32)
    for name in CATEGORIES:
        if name in names:
            category[names[name]] = NUMBER_OF[name]
    session = _column(fields, "session", np.int32)
    session = np.where(session == names.get("", ABSENT), np.int32(NO_SESSION), session)
    order = MemoryColumns(
        created=_seconds(fields["created_at"], 0.0),
        valid=_seconds(fields["valid_from"], -np.inf),
        expires=_seconds(fields["expires_at"], np.inf),
        begins=_seconds(fields["occurred_from"], -np.inf),
        until=_seconds(fields["occurred_to"], np.inf),
        confidence=_column(fields, "confidence", np.float64),
        positive_count=_column(fields, "positive_count", np.int32),
        negative_count=_column(fields, "negative_count", np.int32),
        retrieval_count=_column(fields, "retrieval_count", np.int32),
        tokens=tokens.max(axis=1, initial=0),
        category=category[fields["category"]],
        session=session,
        asks=fields["asks"] != 0,
    )
    return Columns(
        alive=np.ones(len(fields), bool),
        embedded=fields["embedded"] != 0,
        document=_column(fields, "document", np.int32),
        content_words=_column(fields, "content_words", np.uint16),
        context_words=_column(fields, "context_words", np.uint16),
        user=_column(fields, "user", np.int32),
        source=_column(fields, "source", np.int32),
        tier=_column(fields, "tier", np.int32),
        pinned=fields["pinned_at"] != NEVER,
        ends=order.ends,
        order=order,
    )


def _column(fields: NDArray[np.void], name: str, kind: DTypeLike) -> NDArray[Any]:
    return np.ascontiguousarray(fields[name], kind)


def _seconds(moments: NDArray[np.int64], absent: float) -> NDArray[np.float64]:
    return np.where(moments == NEVER, absent, moments / 1_000_000)


def _texts(memory: Memory) -> tuple[bytes | None, ...]:
    """In the order of TEXTS; of a sealed memory the sealed form only, also where it has been opened."""
    if memory.sealed is not None:
        return b"", None, memory.sealed
    return memory.content.encode(), None if memory.summary is None else memory.summary.encode(), None


def _links(memory: Memory) -> list[tuple[int, bytes]]:
    """Kind and id of each, grouped by kind."""
    supersedes = () if memory.supersedes is None else (memory.supersedes,)
    groups = (supersedes, memory.contradicts, memory.contradicted_by)
    return [(kind, other.bytes) for kind, group in enumerate(groups) for other in group]


def _tokenizers(memories: Sequence[Memory]) -> list[str]:
    return sorted({family for memory in memories for family in memory.tokens})
