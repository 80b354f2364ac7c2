"""A map that travelled as bytes answers every search as the map that it was made of."""

import struct
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, EndUser
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.lexical_index.words import VERSION
from remembrancer.domain.memories.memory import Change, Memory
from remembrancer.domain.memory_map import memory_map, segment
from remembrancer.domain.memory_map.memory_map import MemoryMap
from remembrancer.domain.memory_map.segment import UnreadableSegment
from remembrancer.domain.retrieval.asked_time import AskedTime
from remembrancer.domain.retrieval.filters import Filters
from tests.builders import AGENT_ID, NOW, ORG_ID, identifier, memory
from tests.unit.domain.memory_map.maps import DIMENSIONS, TERMS, made, rows_of, vector_of

STEP = 1 / 127
"""Most that a rounded component differs, as a share of the vector's largest."""

TEXTS = ("", "a", "Grüße, 東京 🦊", "two\nlines", "nul\0byte", "ann")


def some_memories(random: Random, most: int = 12) -> list[Memory]:
    """With every field, many of them absent; some are sealed."""
    return [_one(random, number) for number in random.sample(range(1, 41), random.randint(0, most))]


def _one(random: Random, number: int) -> Memory:
    def maybe(value: Any) -> Any:
        return random.choice((None, value))

    def moment() -> datetime:
        return datetime(2026, 3, 15, 12, tzinfo=UTC) + timedelta(microseconds=random.randint(-(10**15), 10**15))

    sealed = random.choice((None, None, random.randbytes(20)))
    return memory(
        number,
        sealed=sealed,
        content=random.choice(TEXTS) if sealed is None else "",
        summary=maybe(random.choice(TEXTS)) if sealed is None else None,
        category=random.choice(("factual", "episodic", "preference")),
        source=random.choice(("extracted", "imported")),
        confidence=random.choice((0.0, 0.3, 0.7, 1.0)),
        importance=random.random(),
        quality=random.random(),
        created_at=moment(),
        valid_from=maybe(moment()),
        expires_at=maybe(moment()),
        occurred_from=maybe(moment()),
        occurred_to=maybe(moment()),
        last_accessed_at=maybe(moment()),
        pinned_at=maybe(moment()),
        tokens={family: random.randint(0, 999) for family in random.sample(("o200k_base", "cl100k_base"), 1)},
        user_id=random.choice((None, "ann", "bob", "factual", "東京")),
        session_id=maybe(random.choice(TEXTS)),
        tags=tuple(random.sample(("a", "b", "ann", "", "🦊"), random.randint(0, 3))),
        tier=random.choice(("hot", "warm")),
        vector_model=maybe("model"),
        usage_count=random.randint(0, 2**31 - 1),
        retrieval_count=random.randint(0, 99),
        positive_count=random.randint(0, 99),
        negative_count=random.randint(0, 99),
        version=random.randint(1, 99),
        supersedes=maybe(identifier(99)),
        contradicts=tuple(map(identifier, random.sample(range(100, 110), random.randint(0, 2)))),
        contradicted_by=tuple(map(identifier, random.sample(range(100, 110), random.randint(0, 2)))),
    )


def travelled(found: MemoryMap) -> MemoryMap:
    value = segment.encode(found, read_at=NOW)
    return segment.decode(value, org_id=found.org_id, agent_id=found.agent_id).map


def bytes_of(found: MemoryMap) -> bytes:
    return b"".join(segment.encode(found, read_at=NOW))


def with_checksum(parts: Sequence[bytes]) -> list[bytes]:
    """With the checksum that belongs to these bytes."""
    checksum = struct.pack("<I", zlib.crc32(b"".join(parts)[8:]))
    return [part if place else part[:4] + checksum + part[8:] for place, part in enumerate(parts)]


def live(found: MemoryMap) -> dict[UUID, Memory]:
    places = np.flatnonzero(found.columns.alive).tolist()
    return {found.row(place).id: found.row(place) for place in places}


def answers(found: MemoryMap, filters: Filters, end_user: EndUser, terms: Sequence[int]) -> Any:
    """What each search finds, by id."""
    eligible = found.eligible(filters, end_user=end_user, now=NOW)
    matching = found.matching(QueryTerms.of(terms), eligible, 9, end_user=end_user)
    everything = found.nearest(vector_of(1), eligible, len(found.rows))
    return (
        {found.row(int(place)).id for place in np.flatnonzero(eligible)},
        {pinned.id: pinned.pinned_at for pinned in found.pinned(end_user)},
        [(found.row(place).id, round(float(matching.scores.rank[place]), 9)) for place in matching.places.tolist()],
        {found.row(place).id: terms for place, terms in matching.terms(matching.places).items()},
        found.known(terms, end_user=end_user),
        {found.row(place).id for place in everything.places.tolist()},
    )


@given(
    random=st.randoms(use_true_random=True),
    end_user=st.sampled_from([EVERYBODY, NOBODY, EndUser("ann"), EndUser("factual")]),
    filters=st.sampled_from(
        [
            Filters(),
            Filters(tags=("a", "ann")),
            Filters(categories=("episodic",), tiers=("hot",), min_confidence=0.3),
            Filters(sources=("imported",), since=NOW - timedelta(days=9000), until=NOW),
            Filters(time=AskedTime(datetime(2020, 1, 1, tzinfo=UTC))),
        ]
    ),
    terms=st.lists(st.sampled_from([*TERMS, 99]), unique=True, min_size=1),
)
@settings(max_examples=60, deadline=None)
def test_a_map_that_travelled_answers_as_before_and_grows_as_before(
    random: Random,
    end_user: EndUser,
    filters: Filters,
    terms: list[int],
) -> None:
    before = made(*some_memories(random), unembedded=[3, 4])
    gone = [memory(number, status="deleted") for number in random.sample(range(1, 41), 10)]
    added = some_memories(random)
    before = memory_map.extended(before, rows_of(*gone), Change(7, 2))

    after = travelled(before)
    again = travelled(after)
    grown = [memory_map.extended(one, rows_of(*added), Change(8, 3)) for one in (before, after, again)]

    assert live(after) == live(again) == live(before)
    assert (after.change, after.model, len(after)) == (before.change, before.model, len(before))
    for one, others in ((before, (after, again)), (grown[0], grown[1:])):
        for other in others:
            assert answers(other, filters, end_user, terms) == answers(one, filters, end_user, terms)
    assert live(grown[0]) == live(grown[1]) == live(grown[2])
    # Rounding a rounded vector changes nothing more.
    assert np.array_equal(after.vectors.at(np.arange(len(after))), again.vectors.at(np.arange(len(again))))


def test_vectors_are_rounded_to_a_step_of_their_largest_component() -> None:
    before = made(*(memory(number) for number in range(1, 30)), unembedded=[4])

    after = travelled(before)

    for place in range(29):
        vector, rounded = before.vector(place), after.vector(place)
        assert (vector is None) == (rounded is None)
        if vector is not None and rounded is not None:
            assert rounded == pytest.approx(vector, abs=float(np.abs(vector).max()) * STEP / 2 * 1.01)


def test_an_empty_map_travels() -> None:
    after = travelled(memory_map.empty(ORG_ID, AGENT_ID, DIMENSIONS))

    assert len(after) == 0
    grown = memory_map.extended(after, rows_of(memory(2)), Change(1, 0))
    assert [grown.row(0).id, len(grown)] == [identifier(2), 1]


def test_what_is_gone_is_not_in_the_bytes() -> None:
    before = made(memory(1, content="stays"), memory(2, content="leavesforever", user_id="ann"))
    after = memory_map.extended(before, rows_of(memory(2, status="deleted")), Change(2, 1))

    value = bytes_of(after)

    assert b"stays" in value
    assert b"leavesforever" not in value
    assert identifier(2).bytes not in value


def test_text_of_a_sealed_memory_is_not_in_the_bytes() -> None:
    opened = memory(1, content="openedtext", summary="openedsummary", sealed=b"sealed bytes")

    value = bytes_of(made(opened))

    assert b"sealed bytes" in value
    assert b"opened" not in value


def test_a_memory_is_made_once_and_one_that_is_gone_is_not_found() -> None:
    after = travelled(made(memory(1), memory(2)))
    later = memory_map.extended(after, rows_of(memory(2, status="deleted")), Change(2, 1))

    assert after.row(0) is after.row(0)
    assert later.row(0) is after.row(0)
    with pytest.raises(LookupError):
        later.row(1)
    assert after.row(1).id == identifier(2)
    assert after.nbytes > travelled(made(memory(1), memory(2))).nbytes


def test_many_rows_come_as_each_alone_and_none_that_is_gone() -> None:
    travelling = travelled(made(memory(1), memory(2), memory(3)))
    later = memory_map.extended(travelling, rows_of(memory(4), memory(2, status="deleted")), Change(2, 1))
    live = [0, 2, 3, 0]

    rows = later.rows_at(np.array(live))

    assert [id(row) for row in rows] == [id(later.row(place)) for place in live]
    assert travelling.rows_at(np.array([], np.intp)) == []
    with pytest.raises(LookupError):
        later.rows_at(np.array([0, 1]))


def test_a_segment_of_another_agent_is_refused() -> None:
    value = segment.encode(made(memory(1)), read_at=NOW)

    for place in ((ORG_ID, identifier(9)), (identifier(9), AGENT_ID)):
        with pytest.raises(UnreadableSegment, match="another agent"):
            segment.decode(value, org_id=place[0], agent_id=place[1])


def test_a_segment_of_another_format_is_refused() -> None:
    head, vectors = segment.encode(made(memory(1)), read_at=NOW)
    changed = [head.replace(b'"format": 5', b'"format": 2'), vectors]

    # Other formats may have other checksums.
    for value in (changed, with_checksum(changed)):
        with pytest.raises(UnreadableSegment, match="another format"):
            segment.decode(value, org_id=ORG_ID, agent_id=AGENT_ID)


def test_a_segment_whose_texts_were_split_by_other_rules_is_refused() -> None:
    head, vectors = segment.encode(made(memory(1)), read_at=NOW)
    changed = [head.replace(f'"words": {VERSION}'.encode(), b'"words": 1'), vectors]

    with pytest.raises(UnreadableSegment, match="other words"):
        segment.decode(with_checksum(changed), org_id=ORG_ID, agent_id=AGENT_ID)


def test_vectors_whose_words_were_swapped_are_refused() -> None:
    *others, block = segment.encode(made(*(memory(number) for number in range(1, 9))), read_at=NOW)
    words = [block[at : at + 8] for at in range(0, len(block), 8)]
    swapped = b"".join([words[1], words[0], *words[2:]])

    assert swapped != block
    with pytest.raises(UnreadableSegment, match="damaged"):
        segment.decode([*others, swapped], org_id=ORG_ID, agent_id=AGENT_ID)


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_bytes_are_refused_and_with_a_right_checksum_they_are_no_unexpected_error(data: st.DataObject) -> None:
    whole = segment.encode(made(*(memory(number, tags=("a",)) for number in range(1, 9))), read_at=NOW)
    changed = [bytearray(part) for part in whole]
    for _ in range(data.draw(st.integers(1, 3))):
        part = data.draw(st.sampled_from(changed))
        part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    number = data.draw(st.integers(0, len(whole) - 1))
    cut = data.draw(st.integers(0, len(whole[number])))

    shortened = [[*whole[:number], piece, *whole[number + 1 :]] for piece in (whole[number][:cut], whole[number][cut:])]
    others = [whole[:number], whole[::-1], [*whole, whole[number]]]
    for damaged in ([bytes(part) for part in changed], *shortened, *others):
        if damaged == whole:
            continue
        with pytest.raises(UnreadableSegment):
            segment.decode(damaged, org_id=ORG_ID, agent_id=AGENT_ID)
        with suppress(UnreadableSegment):
            segment.decode(with_checksum(damaged), org_id=ORG_ID, agent_id=AGENT_ID)


def test_a_map_of_several_blocks_of_vectors_answers_as_before_and_grows() -> None:
    before = made(*(memory(number) for number in range(1, 2 * segment.BLOCK + 9)), unembedded=[300])
    later = memory_map.extended(before, rows_of(memory(7, status="deleted")), Change(2, 1))

    parts = segment.encode(later, read_at=NOW)
    after = segment.decode(parts, org_id=ORG_ID, agent_id=AGENT_ID).map
    grown = memory_map.extended(after, rows_of(memory(900), memory(901)), Change(3, 1))

    assert after.vectors.nbytes == len(after) * (DIMENSIONS + 4)
    assert max(map(len, parts)) <= max(segment.PART_BYTES, segment.BLOCK * DIMENSIONS)
    assert len(parts) > 4
    everywhere = np.array([511, 0, 516, 255, 256, 514, 3, 517])
    together, singly = grown.vectors.at(everywhere), [grown.vectors.row(place) for place in everywhere.tolist()]
    assert np.array_equal(together, singly)
    for place, vector in zip(everywhere.tolist(), together, strict=True):
        expected = vector_of(grown.row(place).id.int - identifier(0).int)
        assert vector == pytest.approx(expected, abs=float(np.abs(expected).max()) * STEP)
    products = grown.vectors.products(vector_of(4), len(grown.rows))
    assert products[everywhere] == pytest.approx(together @ vector_of(4), abs=1e-5)


def test_when_it_was_read_travels_too() -> None:
    value = segment.encode(made(memory(1)), read_at=NOW)

    assert segment.decode(value, org_id=ORG_ID, agent_id=AGENT_ID).read_at == NOW


def test_a_memory_takes_well_under_a_kilobyte() -> None:
    """Of 384 dimensions, with 23 words and 150 characters."""
    number = 400
    many = rows_of(*(memory(one, content="x" * 150) for one in range(number)))
    random = np.random.default_rng(1)
    terms = random.zipf(1.3, number * 23).astype(np.int64)
    words = replace(
        many.postings,
        term=terms,
        place=np.repeat(np.arange(number, dtype=np.int32), 23),
        content_frequency=np.ones(number * 23, np.uint8),
        context_frequency=np.ones(number * 23, np.uint8),
    )
    vectors = random.standard_normal((number, 384)).astype(np.float32)
    rows = replace(many, vectors=vectors, postings=words)
    found = memory_map.extended(memory_map.empty(ORG_ID, AGENT_ID, 384), rows, Change(1, 0))

    assert len(bytes_of(found)) / number < 900
