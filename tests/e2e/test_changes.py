"""What happens to a memory after it was written, through the front door: the next query and assembly are right."""

from tests.e2e.conftest import Tenant

QUESTION = "When does the fish come?"


def found(tenant: Tenant, question: str = QUESTION) -> list[str]:
    return [memory["id"] for memory in tenant.query(question).json()["memories"]]


def injected(tenant: Tenant, question: str = QUESTION) -> list[str]:
    ids: list[str] = tenant.assemble(question).json()["metadata"]["memory_ids"]
    return ids


def test_a_memory_is_changed_deleted_and_restored_and_each_answer_after_it_is_right(tenant: Tenant) -> None:
    (memory_id,) = tenant.remember("Fish comes on Tuesday")
    tenant.drain()
    path = f"/v1/memories/{memory_id}"
    assert injected(tenant) == found(tenant) == [memory_id]

    changed = tenant.client.patch(path, json={"content": "Fish comes on Friday"}, headers={"If-Match": '"1"'})
    mismatch = tenant.client.patch(path, json={"content": "Third"}, headers={"If-Match": '"1"'})
    after_change = tenant.assemble(QUESTION).json()["messages"][-1]["content"]

    assert (changed.status_code, changed.headers["etag"], changed.json()["version"]) == (200, '"2"', 2)
    assert [version["content"] for version in changed.json()["versions"]] == ["Fish comes on Tuesday"]
    assert mismatch.status_code == 412
    assert "Friday" in after_change and "Tuesday" not in after_change

    deleted = tenant.client.delete(path)
    after_delete = injected(tenant), found(tenant), tenant.client.get(path).status_code
    restored = tenant.client.post(f"{path}/restore")
    again = tenant.client.post(f"{path}/restore")

    assert deleted.json()["status"] == "deleted"
    assert after_delete == ([], [], 404)
    assert restored.status_code == 200
    assert injected(tenant) == found(tenant) == [memory_id]
    assert (again.status_code, again.json()["error"]["code"]) == (409, "not_deleted")

    tenant.drain()
    assert injected(tenant) == found(tenant) == [memory_id]


def test_a_supersession_is_undone_and_each_answer_after_it_is_right(tenant: Tenant) -> None:
    (old,) = tenant.remember("Fish comes on Tuesday")
    (new,) = tenant.remember("Fish comes on Friday", supersedes=old)
    tenant.drain()
    path = f"/v1/memories/{old}/unsupersede"
    assert injected(tenant) == found(tenant) == [new]

    mismatch = tenant.client.post(path, json={}, headers={"If-Match": '"2"'})
    undone = tenant.client.post(path, json={}, headers={"If-Match": '"1"'})
    again = tenant.client.post(path, json={})

    assert (mismatch.status_code, undone.status_code, again.status_code) == (412, 200, 200)
    assert (undone.json()["status"], undone.json()["version_chain"]) == ("active", [new, old])
    assert injected(tenant) == found(tenant) == [old]
    tenant.drain()
    assert injected(tenant) == found(tenant) == [old]

    both = tenant.client.post(f"/v1/memories/{new}/unsupersede", json={"keep_both": True})
    assert (both.status_code, sorted(found(tenant))) == (200, sorted([old, new]))
    assert tenant.client.post(f"/v1/memories/{new}/unsupersede", json={"both": 1}).status_code == 400


def test_feedback_is_counted_once_for_each_end_user(tenant: Tenant) -> None:
    (memory_id,) = tenant.remember("Fish comes on Tuesday")

    for kind, end_user in (("positive", "ada"), ("negative", "ada"), ("negative", "bob")):
        answer = tenant.client.post(
            f"/v1/memories/{memory_id}/feedback", json={"feedback": kind}, headers={"X-End-User-ID": end_user}
        )

    assert answer.json() == {"id": memory_id, "positive_count": 0, "negative_count": 2}


def test_a_relation_is_undone(tenant: Tenant) -> None:
    first, second = tenant.remember("The boiler leaks", "Ewan repairs boilers")
    made = tenant.client.post(f"/v1/memories/{first}/relations", json={"to": second, "type": "supports"}).json()
    path = f"/v1/memories/{second}/relations/{made['relation_id']}"

    undone, again = tenant.client.delete(path), tenant.client.delete(path)

    assert (undone.status_code, undone.json()) == (200, made | {"status": "deleted"})
    assert (again.status_code, again.json()["error"]["code"]) == (404, "relation_not_found")
    assert tenant.client.get(f"/v1/memories/{first}").json()["relations"] == []


def test_every_version_of_a_directive_can_be_read(tenant: Tenant) -> None:
    path = f"/v1/agents/{tenant.agent_id}/directive"
    for text in ("One.", "Two.", "Three."):
        tenant.client.put(path, json={"text": text})

    first = tenant.client.get(f"{path}/versions", params={"limit": "2"}).json()
    second = tenant.client.get(f"{path}/versions", params={"before": str(first["next_before"])}).json()

    shown = [(version["version"], version["text"], version["active"]) for version in first["versions"]]
    assert shown == [(3, "Three.", True), (2, "Two.", False)]
    assert [version["version"] for version in second["versions"]] == [1]
    assert second["next_before"] is None
