"""A conversation through HTTP, queues and functions: memories are made of it, and the next question gets them."""

import json
import time
from typing import Any

from tests.e2e.conftest import Tenant
from tests.e2e.events import queue_event

GHENT = "I moved to Ghent last month to work at the harbour."
ASKED = "Shall I look for a dentist in Ghent who speaks English?"


def user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **fields}


def converse(tenant: Tenant, *messages: dict[str, Any], **fields: Any) -> dict[str, Any]:
    body = {"agent_id": tenant.agent_id, "session_id": "chat", "messages": messages, **fields}
    response = tenant.client.post("/v1/conversations", json=body)
    assert response.status_code == 202, response.text
    stored: dict[str, Any] = response.json()
    return stored


def decided(tenant: Tenant, conversation_id: str) -> dict[str, Any]:
    """The conversation when no turn is pending any more."""
    end = time.monotonic() + 60
    while True:
        path, everybody = f"/v1/conversations/{conversation_id}", {"X-End-User-ID": "*"}
        shown: dict[str, Any] = tenant.client.get(path, headers=everybody).json()
        if shown["pending"] == 0:
            return shown
        assert time.monotonic() < end, shown
        time.sleep(0.05)


def test_a_conversation_goes_in_and_the_next_question_is_answered_from_it(tenant: Tenant) -> None:
    stored = converse(
        tenant,
        {"role": "system", "content": "You are a helpful assistant."},
        user("Hi!"),
        user(GHENT, name="Ada"),
        {"role": "assistant", "content": ASKED},
        user("Yes, please do."),
        observed_at="2026-03-01T10:00:00Z",
    )
    shown = decided(tenant, stored["conversation_id"])
    tenant.until_embedded()
    answer = tenant.assemble("Where does Ada work?").json()

    assert stored["turns"] == [{"number": number, "status": "accepted"} for number in (1, 2, 3, 4)]
    assert stored["skipped"] == {"system": 1}
    assert [(turn["state"], turn["reason"]) for turn in shown["turns"]] == [
        ("dropped", "no_statement"),
        ("kept", "statement"),
        ("kept", "answered"),
        ("dropped", "no_statement"),
    ]
    assert [turn["memory_id"] is not None for turn in shown["turns"]] == [False, True, True, False]
    kept = shown["turns"][1]
    memory = tenant.client.get(f"/v1/memories/{kept['memory_id']}").json()
    assert memory["content"] == f"Ada: {GHENT}"
    assert memory["context"] == f"User: Hi!\nAssistant: {ASKED}"
    assert memory["created_at"] == "2026-03-01T10:00:00+00:00"
    assert memory["provenance"] == {
        "conversation_id": stored["conversation_id"],
        "turns": [2],
        "captured_by": "rules-5",
        "observed_at": "2026-03-01T10:00:00+00:00",
    }
    assert kept["memory_id"] in answer["metadata"]["memory_ids"]
    assert GHENT in json.dumps(answer["messages"])


def test_a_wish_to_forget_finds_what_was_said_and_an_agreement_is_the_assistants(tenant: Tenant) -> None:
    ada = {"X-End-User-ID": "ada"}
    key = "The number of my lock key is 4711."
    booked = "Booked for Saturday 28 November at 10:00."
    first = converse(
        tenant, user(key), user("Can you fix my wheel?"), {"role": "assistant", "content": booked}, user_id="ada"
    )
    decided(tenant, first["conversation_id"])
    tenant.until_embedded()

    wished = converse(tenant, user("Please forget my key number."), session_id="another", user_id="ada")
    (turn,) = decided(tenant, wished["conversation_id"])["turns"]
    listed = {"agent_id": tenant.agent_id, "forget_proposed": "true"}
    (proposed,) = tenant.client.get("/v1/memories", params=listed, headers=ada).json()["memories"]
    body = {"agent_id": tenant.agent_id, "user_id": "ada", "text": "Please forget my key number."}
    forgotten = tenant.client.post("/v1/forget", json=body).json()

    assert (turn["state"], turn["reason"], turn["memory_id"]) == ("dropped", "wish", None)
    assert turn["forget"] == {"outcome": "proposed", "forgotten": [], "proposed": [proposed["id"]]}
    assert proposed["content"] == f"User: {key}"
    assert (forgotten["outcome"], [memory["id"] for memory in forgotten["memories"]]) == ("forgotten", [proposed["id"]])
    left = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}, headers=ada).json()["memories"]
    assert [memory["content"] for memory in left] == [f"Assistant: {booked}"]


def test_the_history_that_comes_back_with_injected_memories_is_not_captured_again(tenant: Tenant) -> None:
    first = converse(tenant, user(GHENT))
    decided(tenant, first["conversation_id"])
    tenant.until_embedded()
    assembled = tenant.assemble("Where do I work?", messages=[user(GHENT), user("Where do I work?")]).json()["messages"]
    assert any("<memories-" in str(message["content"]) for message in assembled)

    again = converse(tenant, *assembled)
    shown = decided(tenant, again["conversation_id"])

    assert again["turns"] == [{"number": 1, "status": "known"}, {"number": 2, "status": "accepted"}]
    assert not any("<memories-" in turn["text"] for turn in shown["turns"])
    listed = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"]
    assert [memory["content"] for memory in listed] == [f"User: {GHENT}"]


def test_conversations_are_listed_by_session_and_page(tenant: Tenant) -> None:
    ids = [
        converse(tenant, user(f"I have bought boat number {number}."), session_id=f"s{number}")["conversation_id"]
        for number in range(3)
    ]
    query = {"agent_id": tenant.agent_id, "limit": "2"}

    first = tenant.client.get("/v1/conversations", params=query).json()
    second = tenant.client.get("/v1/conversations", params=query | {"cursor": first["next_cursor"]}).json()
    named = tenant.client.get("/v1/conversations", params={"agent_id": "agent", "session_id": "s1"}).json()

    pages = [*first["conversations"], *second["conversations"]]
    assert [one["conversation_id"] for one in pages] == ids[::-1]
    assert [one["first_words"] for one in pages] == [f"I have bought boat number {number}." for number in (2, 1, 0)]
    assert second["next_cursor"] is None
    assert [one["conversation_id"] for one in named["conversations"]] == [ids[1]]
    assert tenant.client.get("/v1/conversations", params={"session_id": "s9"}).json()["conversations"] == []


def test_a_repeated_request_with_its_key_gets_the_first_answer(tenant: Tenant) -> None:
    body = {"agent_id": tenant.agent_id, "messages": [user(GHENT)]}
    headers = {"Idempotency-Key": "one"}

    first, again = (tenant.client.post("/v1/conversations", json=body, headers=headers) for _ in range(2))
    other = tenant.client.post("/v1/conversations", json={**body, "session_id": "x"}, headers=headers)

    assert first.json() == again.json()
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_key_reused")


def test_refusals_name_what_is_wrong(tenant: Tenant) -> None:
    for body, status, told in (
        ({"messages": [user("x")]}, 400, "agent_id"),
        ({"agent_id": tenant.agent_id, "messages": []}, 400, "messages"),
        ({"agent_id": tenant.agent_id, "messages": [user("x"), {"role": "user"}]}, 400, "messages[1].content"),
        ({"agent_id": tenant.agent_id, "messages": [user("x", date="soon")]}, 400, "messages[0].date"),
        ({"agent_id": "nobody", "messages": [user("x")]}, 404, "agent_not_found"),
    ):
        response = tenant.client.post("/v1/conversations", json=body)
        assert response.status_code == status
        assert told in response.text
    missing = tenant.client.get("/v1/conversations/0a000000-0000-4000-8000-000000000001")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "conversation_not_found")


def test_a_conversation_of_which_nothing_is_stored_is_refused_with_the_reasons(tenant: Tenant) -> None:
    pasted = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: bad'
    picture = user([{"type": "image_url", "image_url": {"url": "data:"}}])
    messages = [{"role": "system", "content": "Be brief."}, picture, user(pasted), user(pasted)]

    answer = tenant.client.post("/v1/conversations", json={"agent_id": tenant.agent_id, "messages": messages})

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "nothing_to_capture"
    assert answer.json()["skipped"] == {"system": 1, "empty": 1, "not_written": 2}
    listed = tenant.client.get("/v1/conversations", params={"agent_id": tenant.agent_id}).json()
    assert listed["conversations"] == []


def test_a_message_of_an_unknown_conversation_is_done_and_a_malformed_one_fails(tenant: Tenant) -> None:
    unknown = {"org_id": tenant.org_id, "conversation_id": tenant.agent_id}
    sent = queue_event(json.dumps(unknown), json.dumps({"org_id": tenant.org_id}), "[]")

    answer = tenant.loop.run(tenant.stack.invoke("CaptureFunction", sent))

    assert answer == {
        "batchItemFailures": [{"itemIdentifier": "message-1"}, {"itemIdentifier": "message-2"}],
    }
