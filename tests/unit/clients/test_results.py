"""What the client makes of answers, and that no route of the API is without a method."""

import inspect
import re
from datetime import UTC, datetime
from uuid import uuid4

import pytest

import remembrancer_client
from remembrancer.domain.memories.memory import MemoryVersion
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.runtime.endpoints.memory_json import relation_json, version_json
from remembrancer.runtime.openapi import document
from remembrancer_client import EarlierText, InvalidAnswer, MemoryRelation, Page, assembly, async_client, calls, results
from remembrancer_client.results import Conflict, Conversation, Memory, Turn, parsed

AT = "2026-05-04T03:02:01Z"
MEMORY = {"id": "m-1", "agent_id": "a", "content": "Tea.", "category": "factual", "created_at": AT}
TURN = {"number": 1, "role": "user", "text": "I drink tea.", "observed_at": AT, "state": "kept", "memory_id": "m-1"}
CONVERSATION = {"conversation_id": "c", "agent_id": "a", "session_id": "s", "created_at": AT, "updated_at": AT}
OTHER_WAYS = {
    "/memory/query": "the same as /v1/memories/query",
    "/remembrancer.context.v1.ContextAssemblyService/AssembleContext": "for generated clients",
    "/openapi.json": "describes the others",
    "/": "says where the documents are",
    "/inspector": "a page for browsers",
    "/v1/audit": "for auditors: `remembrancer audit`",
}


def test_every_route_has_a_method() -> None:
    source = "".join(inspect.getsource(module) for module in (assembly, async_client, calls))
    called = set(re.findall(r'"(/v1/[^"]*)"', source))

    routes = {re.sub(r"{\w+}", "{}", path) for path in document()["paths"]} - OTHER_WAYS.keys()

    assert routes - called == set()


def test_a_page_is_iterated_and_counted() -> None:
    read = calls.memories({}, None).read({"memories": [MEMORY, MEMORY | {"id": "m-2"}], "next_cursor": "x"})

    assert [memory.id for memory in read] == ["m-1", "m-2"]
    assert (len(read), list(Page((), None)), read.next_cursor) == (2, [], "x")


def test_every_kind_of_answer_is_in_the_package() -> None:
    kinds = {
        name for name, kind in vars(results).items() if isinstance(kind, type) and kind.__module__ == results.__name__
    }

    # Conflict is an error's name there.
    assert kinds - {"Conflict"} - set(remembrancer_client.__all__) == set()
    assert {"Memory", "Found", "Provenance"} <= kinds


def test_earlier_texts_and_relations_have_the_services_fields() -> None:
    version = version_json(MemoryVersion(1, "Tea.", None, None, datetime.now(UTC)))
    relation = relation_json(Relation(uuid4(), uuid4(), uuid4(), "supports", 0.5))

    assert version.keys() == EarlierText.__annotations__.keys()
    assert relation.keys() == MemoryRelation.__annotations__.keys()


def test_what_is_nested_is_typed_too() -> None:
    conversation = parsed(Conversation, {**CONVERSATION, "turns": [TURN], "new_in_a_later_version": 1})
    conflict = parsed(Conflict, {"conflict_id": "x", "newer": MEMORY, "older": MEMORY, "differs_in": None})

    at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    assert conversation.turns == (Turn(1, "user", "I drink tea.", at, "kept", memory_id="m-1"),)
    assert isinstance(conflict.newer, Memory)
    assert conflict.older.created_at.tzinfo is not None


@pytest.mark.parametrize("turns", [None, {}, [None], [{**TURN, "number": "1"}], [{**TURN, "observed_at": 1}]])
def test_turns_that_cannot_be_read_are_an_invalid_answer(turns: object) -> None:
    with pytest.raises(InvalidAnswer):
        parsed(Conversation, {**CONVERSATION, "turns": turns})
