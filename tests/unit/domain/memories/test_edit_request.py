"""What a change of a stored memory may name."""

from dataclasses import fields
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.memories import edit_request
from remembrancer.domain.memories.edit_request import Edit, parse
from remembrancer.domain.memories.memory import CATEGORIES, NewMemory
from remembrancer.errors import InvalidRequest
from tests import builders
from tests.builders import NOW, ago
from tests.unit.strategies import anything, objects_with, refusal

NAMES = [
    "content", "summary", "context", "category", "source", "confidence", "importance", "tags", "metadata",
    "valid_from", "expires_at", "status", "pinned", "validFrom", "agent_id", "user_id",
]  # fmt: skip


def bad_fields(body: object) -> set[str]:
    with pytest.raises(InvalidRequest) as raised:
        parse(body)
    return set(raised.value.fields)


def test_only_what_is_named_changes() -> None:
    before = builders.new_memory(tags=("a",), summary="short")

    after = parse({"content": " New  text ", "confidence": 0.25}).apply(before, now=NOW)

    assert (after.content, after.confidence) == ("New text", 0.25)
    assert (after.tags, after.summary, after.importance) == (("a",), "short", before.importance)


@pytest.mark.parametrize(
    ("name", "cleared"),
    [("summary", None), ("context", None), ("valid_from", None), ("expires_at", None), ("tags", ()), ("metadata", {})],
)
def test_null_clears_what_is_optional(name: str, cleared: Any) -> None:
    assert parse({name: None}) == Edit({name: cleared})


@pytest.mark.parametrize(
    ("before", "asked", "after"),
    [
        (None, {"pinned": True}, NOW),
        (ago(days=3), {"pinned": True}, ago(days=3)),
        (ago(days=3), {"pinned": False}, None),
        (None, {"pinned": False}, None),
        (ago(days=3), {"confidence": 1}, ago(days=3)),
    ],
)
def test_a_pin_keeps_its_time(before: datetime | None, asked: dict[str, Any], after: datetime | None) -> None:
    memory = builders.new_memory(pinned_at=before)

    assert parse(asked).apply(memory, now=NOW).pinned_at == after


def test_an_empty_text_clears_too() -> None:
    assert parse({"summary": "  ", "context": ""}) == Edit({"summary": None, "context": None})


@pytest.mark.parametrize("name", ["content", "category", "source", "confidence", "importance", "status", "pinned"])
def test_null_is_refused_where_there_has_to_be_something(name: str) -> None:
    assert bad_fields({name: None}) == {name}


def test_an_empty_content_is_refused() -> None:
    assert bad_fields({"content": " \t "}) == {"content"}


@pytest.mark.parametrize("status", ["superseded", "deleted", "forgotten"])
def test_only_some_statuses_can_be_set(status: str) -> None:
    assert bad_fields({"status": status}) == {"status"}


def test_what_identifies_a_memory_cannot_change() -> None:
    body = {"agent_id": str(builders.AGENT_ID), "user_id": "ann", "created_at": "2026-01-01", "client_ref": "r"}

    assert bad_fields({"content": "x", **body}) == set(body)


@pytest.mark.parametrize("body", [{}, [], None, "text"])
def test_a_change_names_something(body: object) -> None:
    assert bad_fields(body) == {"body"}


@given(objects_with(NAMES) | anything)
def test_any_json_is_read_or_refused_by_field(body: Any) -> None:
    edit, refused = refusal(lambda: parse(body))

    if edit is None:
        assert refused
        return
    memory: NewMemory = edit.apply(builders.new_memory(), now=NOW)
    assert 1 <= len(memory.content) <= 8192
    assert memory.category in CATEGORIES
    assert 0 <= memory.confidence <= 1 and 0 <= memory.importance <= 1
    assert edit.status in {None, *edit_request.STATUSES}
    assert set(edit.fields) <= {field.name for field in fields(NewMemory)}


@given(st.text(min_size=1, max_size=50))
def test_a_stored_text_stays_as_it_is(text: str) -> None:
    edit, refused = refusal(lambda: parse({"content": text}))

    if refused is None:
        assert parse({"content": edit.fields["content"]}) == edit
