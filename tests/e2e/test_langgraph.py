"""The real LangGraph with our store, against the running service."""

import uuid
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant
from tests.frameworks.environment import call, installed, program, variables
from tests.unit.documents import blocks

PAGE = ROOT / "docs" / "connect" / "langchain.md"

pytestmark = [pytest.mark.long, installed]

WAYS = pytest.mark.parametrize("asynchronous", [False, True], ids=["sync", "async"])


class Store:
    """Notes operations of LangGraph's store, and runs them in one process."""

    def __init__(self, tenant: Tenant, *, asynchronous: bool = False, **variables: str) -> None:
        self._tenant = tenant
        self._asynchronous = asynchronous
        self._variables = variables

    def run(self, *steps: tuple[str, dict[str, Any]]) -> list[Any]:
        environment = {**variables(self._tenant), **self._variables}
        answers: list[Any] = call(
            "langgraph_runs", "operations", environment, steps=steps, asynchronous=self._asynchronous
        )
        return answers


def put(namespace: list[str], key: str, text: str, **others: Any) -> tuple[str, dict[str, Any]]:
    return "put", {"namespace": namespace, "key": key, "value": {"text": text, **others}}


def get(namespace: list[str], key: str) -> tuple[str, dict[str, Any]]:
    return "get", {"namespace": namespace, "key": key}


def delete(namespace: list[str], key: str) -> tuple[str, dict[str, Any]]:
    return "delete", {"namespace": namespace, "key": key}


def search(prefix: list[str], **fields: Any) -> tuple[str, dict[str, Any]]:
    return "search", {"prefix": prefix, **fields}


def texts(items: list[dict[str, Any]]) -> list[str]:
    return [item["value"]["text"] for item in items]


@WAYS
def test_an_item_is_put_found_changed_and_deleted(tenant: Tenant, asynchronous: bool) -> None:
    place = [tenant.agent_id, "isla"]

    _, first, found, _, second, others, _, gone, nothing, _, again = Store(tenant, asynchronous=asynchronous).run(
        put(place, "piano", "The piano is tuned on Tuesdays.", by="Mr Sutherland"),
        get(place, "piano"),
        search(place, query="When is the piano tuned?"),
        put(place, "piano", "The piano is tuned on Fridays."),
        get(place, "piano"),
        search(place),
        delete(place, "piano"),
        get(place, "piano"),
        search(place),
        put(place, "piano", "The piano is tuned on Sundays."),
        get(place, "piano"),
    )

    assert first["value"] == {"text": "The piano is tuned on Tuesdays.", "by": "Mr Sutherland"}
    assert (first["namespace"], first["key"]) == (place, "piano")
    assert first["created_at"] <= first["updated_at"]
    assert [item | {"score": None} for item in found] == [first | {"score": None}]
    assert found[0]["score"] > 0
    assert second["value"] == {"text": "The piano is tuned on Fridays."}
    assert second["created_at"] == first["created_at"]
    assert texts(others) == ["The piano is tuned on Fridays."]
    assert gone is None
    assert nothing == []
    assert again["value"] == {"text": "The piano is tuned on Sundays."}


@WAYS
def test_each_namespace_is_its_own(tenant: Tenant, asynchronous: bool) -> None:
    isla, ada, shared = [tenant.agent_id, "isla"], [tenant.agent_id, "ada"], [tenant.agent_id]

    *_, of_isla, of_ada, of_all, seen, below, everything = Store(tenant, asynchronous=asynchronous).run(
        put(isla, "piano", "For Isla the piano is tuned on Mondays."),
        put(ada, "piano", "For Ada the piano is tuned on Sundays."),
        put(shared, "piano", "The piano is tuned by Mr Sutherland."),
        get(isla, "piano"),
        get(ada, "piano"),
        get(shared, "piano"),
        search(isla, query="When is the piano tuned?"),
        search(shared),
        search([], query="When is the piano tuned?"),
    )

    assert [item["value"]["text"][:9] for item in (of_isla, of_ada, of_all)] == ["For Isla ", "For Ada t", "The piano"]
    assert texts(seen) == ["For Isla the piano is tuned on Mondays."]
    assert sorted(item["namespace"] for item in below) == [shared, ada, isla]
    assert sorted(item["namespace"] for item in everything) == [shared, ada, isla]


@WAYS
def test_pages_filters_and_namespaces(tenant: Tenant, asynchronous: bool) -> None:
    isla, ada = [tenant.agent_id, "isla"], [tenant.agent_id, "ada"]
    notes = [put(isla, f"note-{n}", f"Note number {n}.", even=n % 2 == 0) for n in range(5)]

    answers = Store(tenant, asynchronous=asynchronous).run(
        *notes,
        put(ada, "note", "A note of Ada's."),
        search(isla, limit=2),
        search(isla, limit=2, offset=2),
        search(isla, filter={"even": True}),
        search(isla, filter={"even": {"$eq": False}}, query="note"),
        search(isla, filter={"text": "Note number 3."}),
        search(isla, filter={"even": {"$gt": 1}}),
        ("list_namespaces", {}),
        ("list_namespaces", {"prefix": [tenant.agent_id], "suffix": ["isla"]}),
        ("list_namespaces", {"max_depth": 1}),
        ("list_namespaces", {"prefix": ["*", "ada"], "limit": 1}),
        put([tenant.agent_id], "note", "A note for everybody."),
        ("list_namespaces", {"limit": 1}),
    )[len(notes) + 1 :]

    newest, older, even, odd, three, refused, *namespaces = answers
    assert [item["key"] for item in newest + older] == ["note-4", "note-3", "note-2", "note-1"]
    assert sorted(item["key"] for item in even) == ["note-0", "note-2", "note-4"]
    assert sorted(item["key"] for item in odd) == ["note-1", "note-3"]
    assert [item["key"] for item in three] == ["note-3"]
    assert refused == "ValueError: filter.even: only equality is supported, not $gt"
    shared = [tenant.agent_id]
    assert namespaces == [[ada, isla], [isla], [shared], [ada], None, [shared]]


def test_an_agent_may_go_by_its_name(tenant: Tenant) -> None:
    name = f"agent-{uuid.uuid4().hex[:8]}"
    agent_id = tenant.client.put(f"/v1/agents/{name}").json()["agent_id"]
    place = [name, "isla"]
    fields = {"agent_id": agent_id, "content": "Tea is at four.", "user_id": "isla"}
    identifier = tenant.client.post("/v1/memories", json=fields).json()["id"]

    _, item, plain, elsewhere, found, namespaces = Store(tenant).run(
        put(place, "piano", "The piano is tuned on Tuesdays."),
        get(place, "piano"),
        get(place, identifier),
        get([tenant.agent_id, "isla"], identifier),
        search(place),
        ("list_namespaces", {"prefix": [name]}),
    )

    assert item["namespace"] == place
    assert plain["value"] == {"text": "Tea is at four."}
    assert elsewhere is None
    assert [one["namespace"] for one in found] == [place, place]
    assert namespaces == [place]


def test_memories_without_a_key_have_their_id(tenant: Tenant) -> None:
    place = [tenant.agent_id, "isla"]
    [identifier] = tenant.remember("The piano is tuned on Tuesdays.", user_id="isla")

    found, item, _, changed, _, gone = Store(tenant).run(
        search(place, query="piano"),
        get(place, identifier),
        put(place, identifier, "The piano is tuned on Fridays."),
        search(place),
        delete(place, identifier),
        search(place),
    )

    assert [one["key"] for one in found] == [identifier]
    assert item["value"] == {"text": "The piano is tuned on Tuesdays."}
    assert [(one["key"], one["value"]["text"]) for one in changed] == [(identifier, "The piano is tuned on Fridays.")]
    assert gone == []


def test_a_memory_that_was_corrected_keeps_its_key(tenant: Tenant) -> None:
    place = [tenant.agent_id, "isla"]
    [old] = tenant.remember("The piano is tuned on Tuesdays.", user_id="isla", client_ref="piano")
    tenant.remember("The piano is tuned on Fridays.", user_id="isla", supersedes=old)

    before, _, after, found = Store(tenant).run(
        get(place, "piano"),
        put(place, "piano", "The piano is tuned on Sundays."),
        get(place, "piano"),
        search(place),
    )

    assert before["value"]["text"] == "The piano is tuned on Fridays."
    assert after["value"]["text"] == "The piano is tuned on Sundays."
    assert texts(found) == ["The piano is tuned on Sundays."]


def test_the_same_text_is_kept_once(tenant: Tenant) -> None:
    place = [tenant.agent_id, "isla"]

    *_, first, second, third, found = Store(tenant).run(
        put(place, "one", "The piano is tuned on Tuesdays."),
        put(place, "two", "The piano is tuned on Tuesdays."),
        put(place, "three", "The piano is tuned on Fridays."),
        put(place, "three", "The piano is tuned on Tuesdays."),
        get(place, "one"),
        get(place, "two"),
        get(place, "three"),
        search(place),
    )

    assert first["value"]["text"] == "The piano is tuned on Tuesdays."
    assert second is third is None
    assert [item["key"] for item in found] == ["one"]


def test_a_batch_reads_what_was_there_before_and_its_last_write_counts(tenant: Tenant) -> None:
    mixed, after = call("langgraph_runs", "batches", variables(tenant), namespace=[tenant.agent_id, "isla"])

    assert mixed == [None] * 5
    assert texts(after) == ["Tea at five.", "Two lumps of sugar."]


def test_graphs_remember_for_each_end_user(tenant: Tenant) -> None:
    ways = call("langgraph_runs", "graphs", variables(tenant), agent=tenant.agent_id, users=["isla", "ada"])

    own = [["isla plays the piano on Mondays."], ["ada plays the piano on Mondays."]]
    assert ways == {"invoke": own, "ainvoke": own}


def test_refusals_and_failures_are_errors(tenant: Tenant) -> None:
    response = tenant.client.post("/v1/keys", json={"name": "agent", "scopes": ["query", "write"]})
    place = [tenant.agent_id, "isla"]
    of_agent = Store(tenant, REMEMBRANCER_API_KEY=response.json()["api_key"])
    down = Store(tenant, asynchronous=True, REMEMBRANCER_URL="http://127.0.0.1:1")

    _, own, everybody = of_agent.run(put(place, "tea", "Tea at four."), search(place), search([tenant.agent_id]))
    deep, empty, unknown = of_agent.run(
        put([tenant.agent_id, "isla", "notes"], "tea", "Tea at five."),
        ("put", {"namespace": place, "key": "tea", "value": {"theme": "dark"}}),
        get([str(uuid.uuid4()), "isla"], "tea"),
    )
    [all_users] = Store(tenant).run(get([tenant.agent_id, "*"], "tea"))
    [unreachable] = down.run(get(place, "tea"))

    assert texts(own) == ["Tea at four."]
    assert everybody.startswith("Forbidden: 403 missing_scope")
    assert deep.startswith("ValueError: namespace: must be (agent, end user) or (agent,)")
    assert empty.startswith("ValueError: value: must have a 'text'")
    assert unknown.startswith("NotFound: 404 agent_not_found")
    assert all_users.startswith("ValueError: namespace: no agent or end user is called '*'")
    assert unreachable.startswith("NotReachable")


@pytest.mark.parametrize("name", ["", " ", "\u3000", "\u200b"])
def test_a_namespace_with_a_blank_name_is_not_everybody_s(tenant: Tenant, name: str) -> None:
    store = Store(tenant)
    store.run(put([tenant.agent_id, "isla"], "tea", "Tea at four."))

    refused = store.run(
        search([tenant.agent_id, name]),
        search([name]),
        put([tenant.agent_id, name], "a", "x"),
        get([name, "isla"], "tea"),
    )

    # LangGraph refuses an empty label itself where it writes.
    assert {answer.partition(":")[0] for answer in refused} <= {"ValueError", "InvalidNamespaceError"}


def test_white_space_around_a_name_is_not_another_namespace(tenant: Tenant) -> None:
    place, padded = [tenant.agent_id, "isla"], [tenant.agent_id, "\u3000isla "]

    _, item, found, _, gone = Store(tenant).run(
        put(padded, "tea", "Tea at four."), get(place, "tea"), search(padded), delete(padded, "tea"), get(place, "tea")
    )

    assert item["value"] == {"text": "Tea at four."}
    assert texts(found) == ["Tea at four."]
    assert gone is None


def test_the_program_of_the_page_finds_what_it_put(tenant: Tenant, tmp_path: Path) -> None:
    [block] = [block for block in blocks(PAGE) if "RemembrancerStore" in block.text]

    printed = program(block.text, variables(tenant), tmp_path)

    assert "{'room': 'parlour', 'text': 'The piano is tuned on Tuesdays.'}" in printed
