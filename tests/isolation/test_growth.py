"""What a request of each kind leaves in Redis and in Postgres: no more than docs/security.md says."""

import re
from collections.abc import Callable
from itertools import permutations
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
import redis
from psycopg.sql import SQL, Identifier

from local.stack import ROOT
from tests.e2e.conftest import NewTenant, Tenant

pytestmark = pytest.mark.long

TIMES = 20
_TABLES = """
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"""
_ROW = re.compile(r"^\| `?(?P<kind>[a-z ]+?)`? \| (?P<bytes>[\d,]+) \| (?P<rows>\d+) \|", re.MULTILINE)

Kind = Callable[[Tenant, int], httpx.Response]


def _message(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


def _conversation(tenant: Tenant, number: int) -> httpx.Response:
    body = {"agent_id": tenant.agent_id, "user_id": "ann", "messages": _message(f"I keep {number} geese in Lisbon.")}
    return tenant.client.post("/v1/conversations", json=body)


def _posted(tenant: Tenant, path: str, body: dict[str, Any], **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return tenant.client.post(path, json={"agent_id": tenant.agent_id, **body}, headers=named)


def _of_memories(tenant: Tenant, number: int, path: str, body: Callable[[str], dict[str, Any]]) -> httpx.Response:
    """A request about one of the tenant's memories and another one, a new pair for each of the first hundred."""
    listed = tenant.client.get("/v1/memories", params={"agent_id": tenant.agent_id, "limit": 50}).json()["memories"]
    one, other = list(permutations(sorted(memory["id"] for memory in listed), 2))[number % 132]
    return tenant.client.post(path.format(one), json=body(other))


KINDS: dict[str, Kind] = {
    "query": lambda tenant, number: tenant.query(f"Where are the {number} geese?"),
    "query with a key": lambda tenant, number: _posted(
        tenant, "/memory/query", {"query": "Where are the geese?"}, Idempotency_Key=str(uuid4())
    ),
    "assembly": lambda tenant, number: tenant.assemble(f"Where are the {number} geese?"),
    "assembly of a new session": lambda tenant, number: tenant.assemble(
        f"Where are the {number} geese?", session_id=str(uuid4()), turn_id="1"
    ),
    "assembly for a new end user": lambda tenant, number: tenant.assemble("Where are the geese?", user_id=str(uuid4())),
    "memory": lambda tenant, number: _posted(tenant, "/v1/memories", {"content": f"There are {number} geese."}),
    "conversation": _conversation,
    "wish": lambda tenant, number: _posted(
        tenant, "/v1/forget", {"text": f"Forget the {number} geese.", "dry_run": True}, X_End_User_ID="ann"
    ),
    "relation": lambda tenant, number: _of_memories(
        tenant, number, "/v1/memories/{}/relations", lambda other: {"to": other, "type": "supports"}
    ),
    "feedback": lambda tenant, number: _of_memories(
        tenant, number, "/v1/memories/{}/feedback", lambda _: {"feedback": "positive"}
    ),
    "setting of a new end user": lambda tenant, number: tenant.client.patch(
        "/v1/end-user", json={"user_id": str(uuid4()), "time_zone": "Europe/Berlin"}
    ),
    "erasure": lambda tenant, number: tenant.client.post("/v1/erasures", json={"user_id": str(uuid4())}),
    "listing": lambda tenant, number: tenant.client.get("/v1/memories", params={"limit": number + 1}),
    "refused request": lambda tenant, number: tenant.client.get("/v1/memories", params={"colour": number}),
    "refused key": lambda tenant, number: httpx.get(
        f"{tenant.stack.url}/v1/memories", headers={"X-API-Key": f"made up {number}"}, timeout=30
    ),
}


def documented() -> dict[str, tuple[int, int]]:
    """Most bytes in Redis and rows in Postgres of a request, by kind."""
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").partition("\n## Growth\n")[2]
    found = _ROW.finditer(text.partition("\n## ")[0])
    return {match["kind"]: (int(match["bytes"].replace(",", "")), int(match["rows"])) for match in found}


def left(tenant: Tenant) -> tuple[int, int]:
    """Bytes of the organization's keys, and its rows in all tables."""
    tenant.drain()
    with redis.Redis.from_url(tenant.stack.redis_url) as client:
        names = [*client.scan_iter(f"*{tenant.org_id}*")]
        used = sum(client.memory_usage(name, samples=0) or 0 for name in names)
    with psycopg.connect(tenant.stack.postgres.superuser_url) as connection:
        tables = [row[0] for row in connection.execute(_TABLES)]
        count = SQL("SELECT count(*) FROM {} WHERE org_id = %s")
        rows = [connection.execute(count.format(Identifier(name)), [tenant.org_id]).fetchone() for name in tables]
    return used, sum(row[0] for row in rows if row)


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_leaves_no_more_than_the_documents_say(new_tenant: NewTenant, kind: str) -> None:
    tenant = new_tenant()
    tenant.remember(*(f"Goose {number} is in the garden." for number in range(12)))
    for number in range(1000, 1003):
        KINDS[kind](tenant, number)
    before = left(tenant)

    answers = [KINDS[kind](tenant, number) for number in range(TIMES)]
    after = left(tenant)

    grown = [round((now - then) / TIMES, 1) for now, then in zip(after, before, strict=True)]
    print(f"{kind}: {grown[0]} bytes, {grown[1]} rows")  # noqa: T201
    assert {answer.is_success for answer in answers} == {not kind.startswith("refused")}
    most_bytes, most_rows = documented()[kind]
    assert grown[0] <= most_bytes
    assert grown[1] <= most_rows


def test_every_kind_is_documented() -> None:
    assert documented().keys() == KINDS.keys()
