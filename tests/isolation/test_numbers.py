"""What one end user does changes no number of another's answers: two organizations alike, a stranger in one of them."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.e2e.conftest import NewTenant, Tenant
from tests.isolation.world import UUID

pytestmark = pytest.mark.long

ALICE, BOB = {"X-End-User-ID": "alice"}, {"X-End-User-ID": "bob"}
QUESTION = "What did Marta say about the divorce?"
OF_NOBODY = ("The office is closed on Friday.", "A divorce needs two signatures.", "The lift is out of order.")
OF_ALICE = ("My divorce was in May.", "I drink tea.", "My sister asked about the signatures.")
OF_BOB = tuple(f"Marta: the divorce of number {number} said a lot about signatures." for number in range(12))

# Of time, and of what is drawn anew each time.
TIME = re.compile(
    r"timings_ms|started_ms|_ms$|request_id|_at$|cursor|elapsed|server.timing|deadline|nonce|\.text$|messages|sealed|latency"
)
# docs/security.md, "What the numbers in an answer reveal": that a memory was written, and how often
# a shared memory was used.
THAT_SOMETHING_WAS_WRITTEN = re.compile(
    r"map_behind|\btier$|vector_strategy|short_result|result_cache\.hit|evidence\.hot"
)
OF_USE = re.compile(
    r"usage|decay|frequency|usefulness|quality|memory_ids|confidence_scores|retrieval_count|positive_count|negative_count|score|contribution|total|"
    r"\bhot\b|tiebreak"
)
OF_BOTH = (
    "Who has to sign for a divorce?",
    "How many signatures does a divorce need?",
    "Which day is the office closed?",
    "What is out of order?",
)
ROUNDS = 8
EXACTNESS = 0.0021
"""Three decimals, rounded at two moments."""


def labels(tenant: Tenant) -> dict[str, str]:
    """Contents by id, of what Alice sees."""
    listed = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}, headers=ALICE).json()["memories"]
    return {one["id"]: one["content"] for one in listed}


def flat(value: Any, names: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """Every leaf by its path; what has an id stands under the content of its memory."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = [(_label(one, number, names), one) for number, one in enumerate(value)]  # type: ignore[assignment]
    else:
        return {path: names.get(value, UUID.sub("id", value)) if isinstance(value, str) else value}
    leaves: dict[str, Any] = {f"{path}#": len(value)}
    for name, one in items:
        leaves |= flat(one, names, f"{path}.{names.get(name, name)}")
    return leaves


def _label(one: Any, number: int, names: Mapping[str, str]) -> str:
    said = one.get("id") or one.get("memory_id") if isinstance(one, dict) else None
    return names.get(str(said), str(number))


def calls(tenant: Tenant) -> dict[str, Callable[[], httpx.Response]]:
    """All that Alice can be told: by map and by Postgres, which answers for all agents of a project."""
    client, agent_id = tenant.client, tenant.agent_id
    asked = {"query": QUESTION, "k": 50, "thoroughness": "all", "computation_tier": "medium"}
    body = {"options": {"explain": True, "relevance_floor": 0}, "user_id": "alice"}
    return {
        "query": lambda: client.post("/memory/query", json={**asked, "agent_id": agent_id}, headers=ALICE),
        "query of the project": lambda: client.post("/memory/query", json=asked, headers=ALICE),
        "assembly": lambda: tenant.assemble(QUESTION, **body),
        "listing": lambda: client.get("/v1/memories", params={"agent_id": agent_id}, headers=ALICE),
    }


def answers(*tenants: Tenant) -> list[dict[str, Any]]:
    """What Alice is told in each organization, asking equally often in both: her own use counts."""
    told: list[dict[str, Any]] = [{} for _ in tenants]
    for tenant in tenants:
        # A map has the counts of when it was last read whole, which a removal brings about, whoever's.
        (zebra,) = tenant.remember(f"Zebras have stripes: {uuid4()}.", user_id="carol")
        tenant.client.delete(f"/v1/memories/{zebra}", headers={"X-End-User-ID": "carol"}).raise_for_status()
    for name in calls(tenants[0]):
        for attempt in range(20):
            tenants[0].drain()
            answered = [calls(tenant)[name]() for tenant in tenants]
            assert [one.status_code for one in answered] == [200] * len(tenants), [one.text for one in answered]
            if attempt and not any(is_partial(one.json()) for one in answered):
                break
        for one, answer in zip(told, answered, strict=True):
            one[name] = answer.json()
    return [_with_memories(tenant, one) for tenant, one in zip(tenants, told, strict=True)]


def _with_memories(tenant: Tenant, told: dict[str, Any]) -> dict[str, Any]:
    names = labels(tenant)
    tenant.drain()
    for identifier in sorted(names, key=names.__getitem__):
        told[names[identifier]] = tenant.client.get(f"/v1/memories/{identifier}", headers=ALICE).json()
    return {path: value for path, value in flat(told, names).items() if not TIME.search(path)}


def is_partial(answer: Mapping[str, Any]) -> bool:
    """Where a busy machine was late."""
    return bool(answer.get("degraded") or answer.get("metadata", {}).get("fallback_reason"))


def furnish(tenant: Tenant) -> None:
    tenant.remember(*OF_NOBODY)
    tenant.remember(*OF_ALICE, user_id="alice")
    tenant.remember(OF_BOB[0], user_id="bob")
    tenant.until_embedded()


def differences(one: Mapping[str, Any], other: Mapping[str, Any], *, without: re.Pattern[str]) -> dict[str, Any]:
    """Paths whose values differ by more than what rounding makes of two moments."""
    paths = [path for path in {**one, **other} if not without.search(path)]
    return {path: (one.get(path), other.get(path)) for path in paths if not _alike(one.get(path), other.get(path))}


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= EXACTNESS
    return bool(one == other)


def acts_on_his_own(tenant: Tenant) -> None:
    """Bob writes, changes, relates, rates, asks for and deletes what is his, in the words that Alice asks for."""
    client = tenant.client
    ids = tenant.remember(*OF_BOB, user_id="bob", session_id="divorce")
    tenant.until_embedded()
    changed = client.patch(f"/v1/memories/{ids[0]}", json={"content": "Marta said: no divorce at all."}, headers=BOB)
    related = client.post(f"/v1/memories/{ids[1]}/relations", json={"to": ids[2], "type": "supports"}, headers=BOB)
    rated = client.post(f"/v1/memories/{ids[3]}/feedback", json={"feedback": "negative"}, headers=BOB)
    asked = {"query": OF_BOB[5], "k": 1, "agent_id": tenant.agent_id}
    answered = [client.post("/memory/query", json=asked, headers=BOB) for _ in range(4)]
    deleted = [client.delete(f"/v1/memories/{identifier}", headers=BOB) for identifier in ids[6:]]
    assert {one.status_code for one in (changed, related, rated, *answered, *deleted)} <= {200, 201}
    assert {memory["user_id"] for one in answered for memory in one.json()["memories"]} == {"bob"}


def asks(tenant: Tenant, end_user: Mapping[str, str], question: str) -> httpx.Response:
    """What Bob asks again and again, and Alice once."""
    asked = {"query": question, "k": 50, "thoroughness": "all", "agent_id": tenant.agent_id}
    return tenant.client.post("/memory/query", json=asked, headers=end_user)


def uses_what_is_shared(tenant: Tenant) -> None:
    """Bob asks what Alice asks, and says what he thinks of what nobody owns."""
    asked = [tenant.query(QUESTION, k=50, thoroughness="all"), tenant.assemble(QUESTION)]
    asked += [
        tenant.client.post("/memory/query", json={"query": QUESTION, "k": 50, "thoroughness": "all"}, headers=BOB)
    ]
    listed = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id}).json()["memories"]
    rated = [
        tenant.client.post(f"/v1/memories/{one['id']}/feedback", json={"feedback": "negative"}, headers=BOB)
        for one in listed
    ]
    assert {one.status_code for one in (*asked, *rated)} == {200}


def settled(*tenants: Tenant, without: re.Pattern[str]) -> dict[str, Any]:
    """Differences that stay: one of the two may have been answered before its own use was counted."""
    for _ in range(ROUNDS):
        one, other = answers(*tenants)
        assert min(len(one), len(other)) > 500
        if not (found := differences(one, other, without=without)):
            break
    return found


def test_what_a_stranger_does_changes_no_number_of_any_answer(new_tenant: NewTenant) -> None:
    """Whatever Alice's own questions change is the same in both organizations."""
    alone, beside = new_tenant(), new_tenant()
    for tenant in (alone, beside):
        furnish(tenant)

    acts_on_his_own(beside)
    of_his_own = settled(alone, beside, without=THAT_SOMETHING_WAS_WRITTEN)
    uses_what_is_shared(beside)
    for question in OF_BOTH:
        assert {asks(beside, BOB, question).status_code for _ in range(4)} == {200}
        beside.drain()
        for_the_first_time = [asks(tenant, ALICE, question).json()["routing_info"] for tenant in (alone, beside)]
        # A busy machine may be late to count; what was asked once cannot be asked for the first time again.
        if all("asked" in routing["result_cache"] for routing in for_the_first_time):
            break
    of_shared = settled(alone, beside, without=re.compile(f"{THAT_SOMETHING_WAS_WRITTEN.pattern}|{OF_USE.pattern}"))

    assert of_his_own == {}
    assert of_shared == {}
    assert "cache" not in [routing["embedding"]["origin"] for routing in for_the_first_time]
    assert [routing["result_cache"]["asked"] for routing in for_the_first_time] == [0, 0]
