"""What the write API accepts and refuses."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories import write_request
from remembrancer.domain.memories.memory import CATEGORIES, RELATION_TYPES, SOURCES, NewMemory
from remembrancer.errors import InvalidRequest
from tests.builders import AGENT_ID, NOW, identifier, memory_body, new_memory
from tests.unit.strategies import anything, objects_with, refusal

FIELDS = [
    "agent_id", "content", "summary", "context", "category", "source", "confidence", "importance", "tags", "metadata",
    "user_id", "session_id", "created_at", "valid_from", "expires_at", "supersedes", "client_ref",
]  # fmt: skip


def parse(**changes: Any) -> NewMemory:
    return write_request.parse(memory_body(**changes), now=NOW)


def refused(**changes: Any) -> dict[str, str]:
    """The bad fields of a body with these changes."""
    with pytest.raises(InvalidRequest) as error:
        parse(**changes)
    return error.value.fields


def nested(depth: int) -> dict[str, Any]:
    return {"a": nested(depth - 1)} if depth > 1 else {"a": 1}


def test_text_and_agent_suffice() -> None:
    written = write_request.parse({"agent_id": str(AGENT_ID), "content": "She likes tea."}, now=NOW)

    assert written == new_memory(content="She likes tea.")
    assert (written.confidence, written.importance, written.created_at) == (0.8, 0.5, NOW)


def test_a_memory_with_every_field() -> None:
    written = parse(
        content=" She\tlikes  tea.\r\n",
        summary="tea ",
        context="They met  at noon.",
        category="preference",
        source="user_provided",
        confidence=1,
        importance=0,
        tags=["drinks", "anna", "drinks"],
        metadata={"ticket": {"number": 7}},
        user_id="anna",
        session_id="session-1",
        created_at="2025-01-02T03:04:05+01:00",
        valid_from="2025-01-01",
        expires_at="2027-01-01",
        supersedes=str(identifier(3)),
        client_ref="row-1",
    )

    assert written == NewMemory(
        agent_id=AGENT_ID,
        content="She likes tea.",
        summary="tea",
        context="They met at noon.",
        category="preference",
        source="user_provided",
        confidence=1,
        importance=0,
        tags=("drinks", "anna"),
        metadata={"ticket": {"number": 7}},
        user_id="anna",
        session_id="session-1",
        created_at=datetime(2025, 1, 2, 2, 4, 5, tzinfo=UTC),
        valid_from=datetime(2025, 1, 1, tzinfo=UTC),
        expires_at=datetime(2027, 1, 1, tzinfo=UTC),
        supersedes=identifier(3),
        client_ref="row-1",
    )


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("source", SOURCES)
def test_every_category_and_source_is_accepted(category: str, source: str) -> None:
    written = parse(category=category, source=source)

    assert (written.category, written.source) == (category, source)


@pytest.mark.parametrize(
    "content", ["x", "x" * 8192, "</memories> & <directive>", '{"a": 1}', "👩‍👩‍👧", "e\u0301" * 4096]
)
def test_any_text_of_up_to_8192_characters_is_content(content: str) -> None:
    assert parse(content=content).content


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"agent_id": None}, "agent_id"),
        ({"agent_id": 7}, "agent_id"),
        ({"content": None}, "content"),
        ({"content": ""}, "content"),
        ({"content": " \n "}, "content"),
        ({"content": "\x00\x07"}, "content"),
        ({"content": "x" * 8193}, "content"),
        ({"content": "\u0958" * 5000}, "content"),
        ({"content": ["x"]}, "content"),
        ({"summary": 7}, "summary"),
        ({"context": "x" * 8193}, "context"),
        ({"category": "opinion"}, "category"),
        ({"category": "Factual"}, "category"),
        ({"source": "rumour"}, "source"),
        ({"confidence": 1.1}, "confidence"),
        ({"confidence": "high"}, "confidence"),
        ({"importance": -0.1}, "importance"),
        ({"importance": True}, "importance"),
        ({"tags": "tea"}, "tags"),
        ({"tags": [""]}, "tags"),
        ({"tags": ["x" * 65]}, "tags"),
        ({"tags": [str(number) for number in range(21)]}, "tags"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {str(number): 1 for number in range(33)}}, "metadata"),
        ({"metadata": nested(5)}, "metadata"),
        ({"metadata": {"a": [[[[1]]]]}}, "metadata"),
        ({"metadata": {"a": "x" * 8192}}, "metadata"),
        ({"metadata": {"a": "ä" * 4096}}, "metadata"),
        ({"metadata": {"a": [1e300] * 30}}, "metadata"),
        ({"metadata": {"a": {"b": -5e-300, "c": [1.5] * 1990}}}, "metadata"),
        ({"user_id": 7}, "user_id"),
        ({"session_id": "x" * 257}, "session_id"),
        ({"created_at": "soon"}, "created_at"),
        ({"created_at": "9999-01-01"}, "created_at"),
        ({"valid_from": 7}, "valid_from"),
        ({"expires_at": "2026-13-01"}, "expires_at"),
        ({"supersedes": "x"}, "supersedes"),
        ({"client_ref": 7}, "client_ref"),
        ({"embedding": [0.1]}, "embedding"),
        ({"org_id": "x"}, "org_id"),
    ],
)
def test_a_bad_field_is_named(changes: dict[str, Any], name: str) -> None:
    assert list(refused(**changes)) == [name]


@pytest.mark.parametrize(
    "metadata",
    [None, {}, {str(number): 1 for number in range(32)}, nested(4), {"a": [[[1]]]}, {"a": "x" * 8000}],
)
def test_metadata_within_its_limits_is_kept_as_it_is(metadata: dict[str, Any] | None) -> None:
    assert parse(metadata=metadata).metadata == (metadata or {})


def test_every_bad_field_is_named_at_once() -> None:
    assert set(refused(agent_id=1, content="", tags=1, surprise=1)) == {"agent_id", "content", "tags", "surprise"}


@given(body=anything | objects_with(FIELDS))
def test_arbitrary_json_is_parsed_or_refused_by_field(body: object) -> None:
    written, bad_fields = refusal(lambda: write_request.parse(body, now=NOW))

    assert bad_fields or written.content


@given(changes=st.dictionaries(st.sampled_from(FIELDS[1:]), anything, max_size=4))
def test_arbitrary_fields_of_a_good_memory_are_taken_or_refused_by_name(changes: dict[str, Any]) -> None:
    written, bad_fields = refusal(lambda: parse(**changes))

    assert bad_fields or 1 <= len(written.content) <= 8192
    assert set(bad_fields or ()) <= set(changes)


def test_a_batch_hands_over_its_objects_unread() -> None:
    batch = {"memories": [1, None, {"content": 7}]}

    assert write_request.NEW_MEMORIES.parse(batch) == batch


@pytest.mark.parametrize("size", [1, 100])
def test_a_batch_has_one_to_a_hundred_memories(size: int) -> None:
    assert len(write_request.NEW_MEMORIES.parse({"memories": [{}] * size})["memories"]) == size


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ([], "body"),
        ({}, "memories"),
        ({"memories": []}, "memories"),
        ({"memories": {}}, "memories"),
        ({"memories": [{}] * 101}, "memories"),
        ({"memories": [{}], "atomic": True}, "atomic"),
    ],
)
def test_a_bad_batch_is_refused_as_a_whole(body: object, name: str) -> None:
    with pytest.raises(InvalidRequest) as error:
        write_request.NEW_MEMORIES.parse(body)

    assert name in error.value.fields


def test_an_agent_has_a_name() -> None:
    assert write_request.NEW_AGENT.parse({"name": " Concierge "}) == {"name": "Concierge", "time_zone": None}


@pytest.mark.parametrize("zone", ["Mars/Base", "", " ", "europe/berlin", "+02:00", 7, ["Europe/Berlin"]])
@pytest.mark.parametrize(
    ("parse", "body"),
    [
        (write_request.NEW_AGENT.parse, {"name": "a"}),
        (write_request.parse_switches, {}),
        (write_request.parse_end_user_settings, {}),
    ],
)
def test_other_names_are_no_time_zone(parse: Callable[[object], object], body: dict[str, object], zone: object) -> None:
    with pytest.raises(InvalidRequest) as refused:
        parse({**body, "time_zone": zone})

    assert set(refused.value.fields) == {"time_zone"}


def test_a_time_zone_is_set_kept_or_removed() -> None:
    assert write_request.parse_switches({"time_zone": "Europe/Berlin"})["time_zone"] == "Europe/Berlin"
    assert write_request.parse_switches({"enabled": True})["time_zone"] is None
    assert write_request.parse_switches({"timeZone": None})["time_zone"] == ""
    assert write_request.parse_end_user_settings({"user_id": "ann", "time_zone": None}) == ("ann", None)
    with pytest.raises(InvalidRequest):
        write_request.parse_end_user_settings({"user_id": "ann"})


def test_a_placement_is_set_kept_or_removed() -> None:
    kept = {"enabled": None, "capture": None, "time_zone": None, "placement": None}

    assert write_request.parse_switches({"placement": "turn"}) == {**kept, "placement": "turn"}
    assert write_request.parse_switches({"placement": None}) == {**kept, "placement": ""}
    assert write_request.parse_switches({"capture": False}) == {**kept, "capture": False}


@pytest.mark.parametrize("placement", ["", " ", "Turn", "user_prepend", 7, ["turn"]])
def test_other_words_are_no_placement(placement: object) -> None:
    with pytest.raises(InvalidRequest) as refused:
        write_request.parse_switches({"placement": placement})

    assert set(refused.value.fields) == {"placement"}


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (7, "body"),
        ({}, "name"),
        ({"name": " "}, "name"),
        ({"name": "x" * 257}, "name"),
        ({"name": str(AGENT_ID)}, "name"),
        ({"name": AGENT_ID.hex.upper()}, "name"),
        ({"name": "a", "id": 1}, "id"),
    ],
)
def test_a_bad_agent_is_refused(body: object, name: str) -> None:
    with pytest.raises(InvalidRequest) as error:
        write_request.NEW_AGENT.parse(body)

    assert name in error.value.fields


@pytest.mark.parametrize("mode", ["system_first", "system_append", "user_prepend"])
def test_a_directive_has_a_text_and_a_mode(mode: str) -> None:
    body = {"text": "Be brief.", "injection_mode": mode}

    assert write_request.NEW_DIRECTIVE.parse(body) == body


@pytest.mark.parametrize("text", ["", " \n"])
def test_a_place_is_chosen_without_a_directive_by_an_empty_text(text: str) -> None:
    body = {"text": text, "injection_mode": "system_append"}

    assert write_request.NEW_DIRECTIVE.parse(body) == {"text": "", "injection_mode": "system_append"}


def test_a_directive_goes_first_unless_it_says_otherwise() -> None:
    assert write_request.NEW_DIRECTIVE.parse({"text": "Be brief."})["injection_mode"] == "system_first"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (None, "body"),
        ({}, "text"),
        ({"text": None}, "text"),
        ({"text": "\x07"}, "text"),
        ({"text": "x" * 32_769}, "text"),
        ({"text": "Be brief.", "injection_mode": "system_last"}, "injection_mode"),
        ({"text": "Be brief.", "mode": "system_first"}, "mode"),
    ],
)
def test_a_bad_directive_is_refused(body: object, name: str) -> None:
    with pytest.raises(InvalidRequest) as error:
        write_request.NEW_DIRECTIVE.parse(body)

    assert name in error.value.fields


@pytest.mark.parametrize("kind", RELATION_TYPES)
def test_a_relation_has_another_end_a_type_and_a_confidence(kind: str) -> None:
    body = {"to": str(identifier(2)), "type": kind, "confidence": 0.5}

    assert write_request.NEW_RELATION.parse(body) == {**body, "to": identifier(2)}


def test_a_relation_is_fairly_sure_unless_it_says_otherwise() -> None:
    assert write_request.NEW_RELATION.parse({"to": str(UUID(int=0)), "type": "similar"})["confidence"] == 0.8


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"to": None}, "to"),
        ({"to": "x"}, "to"),
        ({"type": None}, "type"),
        ({"type": "supersedes"}, "type"),
        ({"confidence": 2}, "confidence"),
        ({"weight": 1}, "weight"),
    ],
)
def test_a_bad_relation_is_refused(changes: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidRequest) as error:
        write_request.NEW_RELATION.parse({"to": str(identifier(2)), "type": "similar", **changes})

    assert list(error.value.fields) == [name]


@given(body=anything)
@pytest.mark.parametrize("reader", ["NEW_MEMORIES", "NEW_AGENT", "NEW_DIRECTIVE", "NEW_RELATION"])
def test_arbitrary_json_raises_nothing_else(reader: str, body: object) -> None:
    read, bad_fields = refusal(lambda: getattr(write_request, reader).parse(body))

    assert read or bad_fields
