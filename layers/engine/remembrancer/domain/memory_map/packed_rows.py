"""Memories in arrays and one block of text: an object is made only of a memory that is asked for."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, SafeUUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memory_map.rows import Booleans

NEVER = np.iinfo(np.int64).min
"""Stands for no moment; moments are microseconds since 1970."""
ABSENT = -1
"""Stands for the length of no text, and for no number of tokens."""
TEXTS = ("content", "summary", "sealed")
"""A memory's texts in their order; `sealed` is bytes."""
MOMENTS = ("created_at", "valid_from", "expires_at", "occurred_from", "occurred_to", "last_accessed_at", "pinned_at")
ROW = np.dtype(
    [
        ("id", "V16"),
        *((name, "<f8") for name in ("confidence", "importance", "quality")),
        *((name, "<i8") for name in MOMENTS),
        *((name, "<i4") for name in TEXTS),
        *((name, "<u4") for name in ("text_at", "tags_at", "links_at")),
        ("tags", "<u2"),
        ("links", "<u2"),
        *(
            (name, "<i4")
            for name in (
                "user", "category", "source", "tier", "session", "vector_model",
                "usage_count", "retrieval_count", "positive_count", "negative_count", "version", "document",
            )
        ),
        ("content_words", "<u2"),
        ("context_words", "<u2"),
        ("embedded", "u1"),
        ("asks", "u1"),
    ]
)  # fmt: skip
"""One memory's fields. TEXTS are their lengths in bytes, `tags` and `links` numbers; each begins at its `_at`.

`user` to `vector_model` are positions in the list of names.
"""
LINK = np.dtype([("kind", "u1"), ("id", "V16")])
"""Another memory: 0 is superseded, 1 older and maybe contradicted, 2 newer and maybe contradicting."""
_NO_LINKS: tuple[tuple[UUID, ...], ...] = ((), (), ())
_ROW_BYTES = 1_200
"""Bytes of the objects of one memory besides its text: measured, rounded up."""
_PLACE_BYTES = 150
"""Bytes of one entry of the map's dictionary of ids."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NEW, _SET = object.__new__, object.__setattr__
"""Set the fields of a UUID, whose own assignment raises an error."""


@dataclass(frozen=True, slots=True)
class PackedRows:
    """`n` memories of one agent: `fields` (n,) of ROW, `tokens` (n, tokenizers). `tags` are positions in `names`."""

    agent_id: UUID
    names: Sequence[str | None]
    tokenizers: Sequence[str]
    fields: NDArray[np.void]
    tokens: NDArray[np.int32]
    text: memoryview
    tags: NDArray[np.int32]
    links: NDArray[np.void]
    _made: dict[int, Memory] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        return len(self.fields)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, with an estimate of the ids' dictionary and of the memories made so far."""
        arrays = (self.fields, self.tokens, self.tags, self.links)
        made = len(self._made) * (_ROW_BYTES + 2 * len(self.text) // max(len(self), 1))
        return sum(array.nbytes for array in arrays) + len(self.text) + len(self) * _PLACE_BYTES + made

    def memory(self, place: int) -> Memory:
        """The memory without its vector; the same object each time."""
        made = self._made.get(place)
        return self.memories((place,))[0] if made is None else made

    def memories(self, places: Sequence[int]) -> list[Memory]:
        """The same objects as `memory` gives, for many positions."""
        made = self._made
        missing = [place for place in dict.fromkeys(places) if place not in made]
        if missing:
            made.update(zip(missing, self.unpacked(missing), strict=True))
        return [made[place] for place in places]

    def unpacked(self, places: Sequence[int]) -> Iterator[Memory]:
        """New objects, which are not kept."""
        names, text, of_moment = self.names, self.text, moment
        for row, counts in zip(self.fields[places].tolist(), self.tokens[places].tolist(), strict=True):
            (
                identifier, confidence, importance, quality,
                created_at, valid_from, expires_at, occurred_from, occurred_to, accessed_at, pinned_at,
                content, summary, sealed, text_at, tags_at, links_at, tags, links,
                user, category, source, tier, session, vector_model, usage, retrievals, positive, negative, version, *_,
            ) = row  # fmt: skip
            summary_at = text_at + content
            sealed_at = summary_at + max(summary, 0)
            supersedes, contradicts, contradicted_by = self._links(links_at, links) if links else _NO_LINKS
            # In the order of the fields: with thirty keywords, a call takes as long as all the rest.
            yield Memory(
                uuid_of(int.from_bytes(identifier)),
                self.agent_id,
                str(text[text_at:summary_at], "utf-8"),
                _name(names[category]),
                _name(names[source]),
                confidence,
                importance,
                "active",
                _EPOCH + timedelta(0, 0, created_at),
                self._tokens(counts),
                names[user],
                names[session],
                None if summary == ABSENT else str(text[summary_at:sealed_at], "utf-8"),
                tuple([_name(names[tag]) for tag in self.tags[tags_at : tags_at + tags].tolist()]) if tags else (),
                quality,
                _name(names[tier]),
                None if valid_from == NEVER else of_moment(valid_from),
                None if expires_at == NEVER else of_moment(expires_at),
                None if accessed_at == NEVER else of_moment(accessed_at),
                usage,
                retrievals,
                positive,
                negative,
                supersedes[0] if supersedes else None,
                None,
                names[vector_model],
                version,
                None if sealed == ABSENT else bytes(text[sealed_at : sealed_at + sealed]),
                None if occurred_from == NEVER else of_moment(occurred_from),
                None if occurred_to == NEVER else of_moment(occurred_to),
                contradicts,
                contradicted_by,
                None if pinned_at == NEVER else of_moment(pinned_at),
            )

    def tagged(self, tags: Collection[str]) -> Booleans:
        """Mask of the memories with any of the tags."""
        wanted = np.array([place for place, name in enumerate(self.names) if name in tags], np.int32)
        hits = np.isin(self.tags, wanted)
        owners = np.repeat(np.arange(len(self)), self.fields["tags"])
        found = np.zeros(len(self), bool)
        found[owners[hits]] = True
        return found

    def numbers(self) -> Iterator[int]:
        """The ids as numbers."""
        return map(int.from_bytes, self.fields["id"].tolist())

    def _tokens(self, counts: Sequence[int]) -> dict[str, int]:
        counted = zip(self.tokenizers, counts, strict=True)
        return {name: count for name, count in counted if count != ABSENT} if ABSENT in counts else dict(counted)

    def _links(self, at: int, number: int) -> tuple[tuple[UUID, ...], ...]:
        found = [(kind, UUID(bytes=identifier)) for kind, identifier in self.links[at : at + number].tolist()]
        return tuple(tuple(other for kind, other in found if kind == wanted) for wanted in range(3))


@dataclass(frozen=True, slots=True)
class Rows:
    """The memories of a map by position: packed ones first, then those that were added since as objects.

    Of a memory that is gone, the packed row stays; an added one becomes None.
    """

    packed: PackedRows | None = None
    added: Sequence[Memory | None] = ()

    def __len__(self) -> int:
        return self._first + len(self.added)

    def __getitem__(self, place: int) -> Memory | None:
        packed = self.packed
        if packed is None:
            return self.added[place]
        return packed.memory(place) if place < len(packed) else self.added[place - len(packed)]

    def at(self, places: Sequence[int]) -> list[Memory | None]:
        """The rows at these positions."""
        if self.packed is not None and max(places, default=0) < self._first:
            return [*self.packed.memories(places)]
        return [self[place] for place in places]

    @property
    def nbytes(self) -> int:
        """Bytes besides the texts of the added memories."""
        return len(self.added) * _ROW_BYTES + (self.packed.nbytes if self.packed is not None else 0)

    def followed_by(self, added: Sequence[Memory], *, gone: Sequence[int]) -> "Rows":
        """The rows with those at the positions `gone` released, and then `added`."""
        kept = list(self.added)
        for place in gone:
            if place >= self._first:
                kept[place - self._first] = None
        return Rows(self.packed, [*kept, *added])

    def tagged(self, tags: Collection[str], among: Booleans) -> Booleans:
        """Mask of the rows with any of the tags; of added rows only those in `among` are looked at."""
        found = np.zeros(len(self), bool)
        if self.packed is not None:
            found[: self._first] = self.packed.tagged(tags)
        wanted = set(tags)
        for place in (np.flatnonzero(among[self._first :])).tolist():
            row = self.added[place]
            found[self._first + place] = row is not None and not wanted.isdisjoint(row.tags)
        return found

    def unpacked(self, places: Sequence[int]) -> Iterator[Memory]:
        """The memories at these ascending positions, as new objects where they are packed. None may be gone."""
        first = self._first
        if self.packed is not None:
            yield from self.packed.unpacked([place for place in places if place < first])
        for place in places:
            if place >= first:
                row = self.added[place - first]
                assert row is not None
                yield row

    @property
    def _first(self) -> int:
        """The position of the first added row."""
        return 0 if self.packed is None else len(self.packed)


def microseconds(moment: datetime | None) -> int:
    """Since 1970; NEVER for None."""
    return NEVER if moment is None else (moment - _EPOCH) // timedelta(microseconds=1)


def moment(microseconds: int) -> datetime | None:
    """The reverse of `microseconds`, in UTC."""
    return None if microseconds == NEVER else _EPOCH + timedelta(0, 0, microseconds)


def uuid_of(number: int) -> UUID:
    """The UUID with this number, made in a quarter of the time that its constructor needs for its checks."""
    made = _NEW(UUID)
    _SET(made, "int", number)
    _SET(made, "is_safe", SafeUUID.unknown)
    return made


def _name(name: str | None) -> str:
    assert name is not None
    return name
