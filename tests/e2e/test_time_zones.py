"""The time zone of an end user and of an agent, set and read through the API, and named in requests."""

import pytest

from tests.e2e.conftest import Tenant


def test_an_end_user_sets_changes_and_removes_a_time_zone(tenant: Tenant) -> None:
    ann = {"X-End-User-ID": "ann"}

    answers = [
        tenant.client.get("/v1/end-user", headers=ann),
        tenant.client.patch("/v1/end-user", json={"user_id": "ann", "time_zone": "Europe/Berlin"}),
        tenant.client.get("/v1/end-user", params={"user_id": "ann"}),
        tenant.client.patch("/v1/end-user", json={"time_zone": "Asia/Tokyo"}, headers=ann),
        tenant.client.get("/v1/end-user", headers=ann),
        tenant.client.get("/v1/end-user", headers={"X-End-User-ID": "bob"}),
        tenant.client.patch("/v1/end-user", json={"time_zone": None}, headers=ann),
        tenant.client.get("/v1/end-user", headers=ann),
    ]

    assert {answer.status_code for answer in answers} == {200}
    assert [answer.json()["time_zone"] for answer in answers] == [
        None, "Europe/Berlin", "Europe/Berlin", "Asia/Tokyo", "Asia/Tokyo", None, None, None,
    ]  # fmt: skip


def test_an_agent_has_a_time_zone_from_the_start_or_later(tenant: Tenant) -> None:
    made = tenant.client.post("/v1/agents", json={"name": "Guide", "time_zone": "Europe/Berlin"})
    path = f"/v1/agents/{made.json()['agent_id']}"

    changed = tenant.client.patch(path, json={"time_zone": "Asia/Tokyo"})
    kept = tenant.client.patch(path, json={"capture": True})
    removed = tenant.client.patch(path, json={"time_zone": None})

    assert made.status_code == 201
    zones = [answer.json()["time_zone"] for answer in (made, changed, kept, removed)]
    assert zones == ["Europe/Berlin", "Asia/Tokyo", "Asia/Tokyo", None]
    assert kept.json()["capture"] is True


@pytest.mark.parametrize("zone", ["Mars/Base", " ", "europe/berlin", 7])
def test_a_name_of_no_time_zone_is_refused_by_its_field(tenant: Tenant, zone: object) -> None:
    answers = [
        tenant.assemble("What did I do yesterday?", time_zone=zone),
        tenant.query("What did I do yesterday?", time_zone=zone),
        tenant.client.patch("/v1/end-user", json={"user_id": "ann", "time_zone": zone}),
        tenant.client.patch(f"/v1/agents/{tenant.agent_id}", json={"time_zone": zone}),
        tenant.client.post("/v1/agents", json={"name": "Guide", "time_zone": zone}),
    ]

    assert {answer.status_code for answer in answers} == {400}
    assert all(list(answer.json()["error"]["fields"]) == ["time_zone"] for answer in answers)


def test_requests_may_name_a_time_zone(tenant: Tenant) -> None:
    assert tenant.assemble("What did I do yesterday?", time_zone="Asia/Tokyo").status_code == 200
    assert tenant.query("What did I do yesterday?", time_zone="Asia/Tokyo").status_code == 200
    assert tenant.assemble("What did I do yesterday?", timeZone="Asia/Tokyo").status_code == 200
