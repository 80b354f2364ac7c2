"""A corrected fact from its two writes to its settlement, and questions about a time, over HTTP."""

import re
from typing import Any
from uuid import uuid4

from tests.e2e.conftest import Tenant

QUESTION = "On which days do deliveries come?"
TUESDAYS, THURSDAYS = "Deliveries come on Tuesdays.", "Deliveries come on Thursdays."


def corrected(tenant: Tenant) -> tuple[str, str]:
    """The ids of a fact and of its correction."""
    (older,) = tenant.remember(TUESDAYS, created_at="2026-03-02")
    (newer,) = tenant.remember(THURSDAYS, created_at="2026-04-07")
    tenant.until_embedded()
    tenant.drain()
    return older, newer


def listed(tenant: Tenant, **parameters: Any) -> dict[str, Any]:
    answer = tenant.client.get("/v1/conflicts", params={"agent_id": tenant.agent_id, **parameters})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def injected(tenant: Tenant, question: str = QUESTION, **options: Any) -> str:
    answer = tenant.assemble(question, options={"relevance_floor": 0.0, **options}).json()
    return str(answer["messages"][-1]["content"])


def test_a_corrected_fact_is_marked_listed_and_settled(tenant: Tenant) -> None:
    older, newer = corrected(tenant)

    text = injected(tenant)
    (candidates,) = [tenant.assemble(QUESTION, options={"explain": True}).json()["metadata"]["candidates"]]
    found = {one["id"]: one["conflicts"] for one in tenant.whole(QUESTION).json()["memories"]}
    (conflict,) = listed(tenant)["conflicts"]
    path = f"/v1/conflicts/{conflict['conflict_id']}/settle"
    refused = tenant.client.post(path, json={"action": "supersede", "keep": str(uuid4())})
    settled = [
        tenant.client.post(path, json={"action": "supersede"}, headers={"Idempotency-Key": "once"}) for _ in range(2)
    ]
    again = tenant.client.post(path, json={"action": "keep_both"})

    lines = re.findall(r"^(?:- )?([^\n<]* 2026:|Deliveries .*)$", text, re.MULTILINE)
    marks = {older: [{"id": newer, "is_newer": True}], newer: [{"id": older, "is_newer": False}]}
    assert lines == ["7 Apr 2026:", THURSDAYS, "2 Mar 2026:", f"{TUESDAYS} (older, may be out of date)"]
    assert {one["id"]: one["conflicts"] for one in candidates} == marks
    assert found == marks
    assert (conflict["newer"]["id"], conflict["older"]["id"], conflict["differs_in"]) == (newer, older, "day")
    assert (conflict["newer"]["content"], conflict["older"]["content"]) == (THURSDAYS, TUESDAYS)
    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (400, ["keep"])
    assert [one.status_code for one in settled] == [200, 200]
    assert (
        settled[0].json()
        == settled[1].json()
        == {
            "conflict_id": conflict["conflict_id"],
            "action": "supersede",
            "kept": [newer],
            "superseded": older,
        }
    )
    assert (again.status_code, again.json()["error"]["code"]) == (404, "conflict_not_found")
    assert f"7 Apr 2026:\n- {THURSDAYS}\n" in injected(tenant)
    assert TUESDAYS not in injected(tenant)
    shown = tenant.client.get(f"/v1/memories/{older}").json()
    assert (shown["status"], shown["superseded_by"], shown["conflicts"]) == ("superseded", newer, [])


def test_both_may_be_kept_and_pages_follow_each_other(tenant: Tenant) -> None:
    older, newer = corrected(tenant)
    tenant.remember("Deliveries come on Fridays.", created_at="2026-05-01")
    tenant.until_embedded()
    tenant.drain()

    first = listed(tenant, limit=2)
    second = listed(tenant, limit=2, cursor=first["next_cursor"])
    ids = [one["conflict_id"] for one in (*first["conflicts"], *second["conflicts"])]
    for one in ids:
        kept = tenant.client.post(f"/v1/conflicts/{one}/settle", json={"action": "keep_both"})
        assert (kept.status_code, kept.json()["superseded"]) == (200, None)

    assert len(set(ids)) == 3
    assert second["next_cursor"] is None
    assert listed(tenant)["conflicts"] == []
    assert "out of date" not in injected(tenant)
    shown = tenant.client.get(f"/v1/memories/{newer}").json()
    assert {one["type"] for one in shown["relations"]} >= {"compatible"}
    assert (shown["conflicts"], older in str(shown["relations"])) == ([], True)


def test_a_question_about_a_time_gets_what_was_true_then(tenant: Tenant) -> None:
    (old,) = tenant.remember("Deliveries came by boat.", occurred_from="2020-01-01", occurred_to="2024-03-31")
    (new,) = tenant.remember("Deliveries come by lorry.", occurred_from="2024-04-01")
    tenant.until_embedded()

    def found(**fields: Any) -> set[str]:
        return {one["id"] for one in tenant.whole("How do deliveries come?", **fields).json()["memories"]}

    now, then = found(), found(as_of="2022-06-01")
    asked = injected(tenant, "How did deliveries come in 2022?")
    plain, as_of = injected(tenant, "How do deliveries come?"), injected(tenant, "How?", as_of="2022-06-01")
    changed = tenant.client.patch(f"/v1/memories/{new}", json={"occurred_to": "2020-01-01"})
    ended = tenant.client.patch(f"/v1/memories/{new}", json={"occurred_to": "2025-01-01"})
    exported = tenant.client.get("/v1/export", params={"agent_id": tenant.agent_id}).text
    refused = tenant.client.post(
        "/v1/memories",
        json={"agent_id": tenant.agent_id, "content": "x", "occurred_from": "2026-01-02", "occurred_to": "2026-01-01"},
    )

    assert (now, then) == ({new}, {old})
    assert "boat" in asked and "(until Mar 2024)" in asked
    assert "boat" not in plain and "lorry" in plain
    assert "boat" in as_of and "lorry" not in as_of
    assert (changed.status_code, changed.json()["error"]["fields"]) == (400, {"occurred_to": "is before occurred_from"})
    assert ended.json()["occurred_to"] == "2025-01-01T00:00:00+00:00"
    assert found() == set()
    assert '"occurred_from":"2020-01-01T00:00:00+00:00","occurred_to":"2024-03-31T00:00:00+00:00"' in exported
    assert (refused.status_code, refused.json()["error"]["fields"]) == (400, {"occurred_to": "is before occurred_from"})
