"""`Idempotency-Key` through the front door: repeated requests have one effect and one answer."""

import uuid
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from tests.e2e.conftest import NewTenant, Tenant


def post(tenant: Tenant, path: str, key: str, body: Any = None, **headers: str) -> httpx.Response:
    return tenant.client.post(path, json=body, headers={"Idempotency-Key": key, **headers})


def same(answers: list[httpx.Response]) -> tuple[int, str]:
    """The one status and body of several answers."""
    ((status, text),) = {(answer.status_code, answer.text) for answer in answers}
    return status, text


def alike(answers: list[httpx.Response]) -> int:
    """The one status of answers that show the same, but for the vector that a memory has got between them."""
    first, *others = [answer.json() | {"embedding_state": None, "updated_at": None} for answer in answers]
    assert others == [first] * len(others)
    (status,) = {answer.status_code for answer in answers}
    return status


def test_a_batch_that_is_sent_again_is_answered_word_for_word_and_written_once(tenant: Tenant) -> None:
    """Also what was refused in it, and what a client_ref would not have told."""
    memories = [
        {"agent_id": tenant.agent_id, "content": "Fish comes on Tuesday.", "client_ref": "fish"},
        {"agent_id": tenant.agent_id, "content": "Fish comes on Tuesday."},
        {"agent_id": tenant.agent_id, "content": "Tea.", "confidence": 2, "client_ref": "tea"},
        {"agent_id": str(uuid.uuid4()), "content": "Of nobody."},
    ]

    first = post(tenant, "/v1/memories/batch", "batch", {"memories": memories})
    tenant.client.delete(f"/v1/memories/{first.json()['results'][0]['id']}")
    again = post(tenant, "/v1/memories/batch", "batch", {"memories": memories})
    other = post(tenant, "/v1/memories/batch", "batch", {"memories": memories[:1]})

    assert same([first, again])[0] == 207
    results = first.json()["results"]
    assert [result["status"] for result in results] == ["accepted", "duplicate", "error", "error"]
    assert [result["client_ref"] for result in results] == ["fish", None, "tea", None]
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_key_reused")
    assert list(other.json()["error"]["fields"]) == ["Idempotency-Key"]
    assert tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"] == []


def test_every_other_write_is_done_once_and_answered_alike(tenant: Tenant) -> None:
    first, second = tenant.remember("The boiler leaks.", "Ewan repairs boilers.")
    tenant.client.delete(f"/v1/memories/{second}")
    requests: Mapping[str, tuple[Any, int]] = {
        "/v1/memories": ({"agent_id": tenant.agent_id, "content": "Fish comes on Tuesday."}, 202),
        f"/v1/memories/{second}/restore": (None, 200),
        f"/v1/memories/{first}/feedback": ({"feedback": "positive"}, 200),
        f"/v1/memories/{first}/relations": ({"to": second, "type": "supports"}, 201),
        "/v1/agents": ({"name": "another"}, 201),
        "/v1/erasures": ({"user_id": "ada"}, 202),
    }

    answers = {
        path: [post(tenant, path, f"key of {path}", body) for _ in range(3)] for path, (body, _) in requests.items()
    }
    reused = [post(tenant, path, f"key of {path}", {"user_id": "bob"}).status_code for path in requests]

    assert {path: alike(given) for path, given in answers.items()} == {
        path: status for path, (_, status) in requests.items()
    }
    assert answers[f"/v1/memories/{first}/feedback"][2].json()["positive_count"] == 1
    # What does not even parse is refused as such.
    assert set(reused) <= {400, 409}
    assert reused[-1] == 409


def test_a_new_keys_text_is_shown_once_and_the_key_made_once(tenant: Tenant) -> None:
    body = {"name": "proxy", "scopes": ["query"]}

    first, again = (post(tenant, "/v1/keys", "new key", body) for _ in range(2))

    shown = first.json()
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {name: value for name, value in shown.items() if name != "api_key"}
    names = [key["name"] for key in tenant.client.get("/v1/keys").json()["keys"]]
    assert names.count("proxy") == 1


@pytest.mark.parametrize("path", ["/v1/memories", "/memory/query"])
def test_what_is_no_key_is_refused_by_name(tenant: Tenant, path: str) -> None:
    body = {"agent_id": tenant.agent_id, "content": "Fish."} if path == "/v1/memories" else {"query": "fish"}

    refused = [post(tenant, path, key, body) for key in ("", "k" * 256, "a\tb")]

    assert [answer.status_code for answer in refused] == [400] * 3
    assert [list(answer.json()["error"]["fields"]) for answer in refused] == [["Idempotency-Key"]] * 3


def test_reads_with_a_key_are_answered_anew_and_counted_once(tenant: Tenant) -> None:
    """What was forgotten meanwhile does not come back, and assembly never fails for a key."""
    (memory_id,) = tenant.remember("Fish comes on Tuesday.")
    tenant.drain()
    question = {"query": "When does the fish come?", "agent_id": tenant.agent_id}
    chat = {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "request",
        "messages": [{"role": "user", "content": "When does the fish come?"}],
    }

    found = [post(tenant, "/memory/query", "ask", question) for _ in range(3)]
    assembled = [post(tenant, "/v1/context/assemble", key, chat) for key in ("ask", "ask", "k" * 300)]
    tenant.drain()
    counted = tenant.client.get(f"/v1/memories/{memory_id}").json()
    other = refused_at_last(tenant, {**question, "query": "Another question."})
    tenant.client.delete(f"/v1/memories/{memory_id}")
    forgotten = post(tenant, "/memory/query", "ask", question)

    assert [answer.status_code for answer in (*found, *assembled)] == [200] * 6
    # One query, one assembly, and another with what is no key.
    assert (counted["usage_count"], counted["retrieval_count"]) == (3, 2)
    assert other.json()["error"]["code"] == "idempotency_key_reused"
    assert forgotten.json()["memories"] == []


def refused_at_last(tenant: Tenant, body: Any) -> httpx.Response:
    """A Redis that is slow just then refuses nobody."""
    for _ in range(20):
        answer = post(tenant, "/memory/query", "ask", body)
        if answer.status_code != 200:
            break
    assert answer.status_code == 409, answer.text
    return answer


def test_end_users_and_organizations_have_keys_of_their_own(tenant: Tenant, new_tenant: NewTenant) -> None:
    stranger = new_tenant()
    asked = [
        post(tenant, "/v1/agents", "key", {"name": "for nobody"}),
        post(tenant, "/v1/agents", "key", {"name": "for Ada"}, **{"X-End-User-ID": "ada"}),
        post(stranger, "/v1/agents", "key", {"name": "for nobody"}),
    ]

    assert [answer.status_code for answer in asked] == [201] * 3
    assert len({answer.json()["agent_id"] for answer in asked}) == 3
