"""Listings that cannot be broken: whatever is stored, each page can be sent, and everything is found."""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from awslambdaric.lambda_context import LambdaContext
from psycopg.types.json import Jsonb

from local.servers import Cache, PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.bootstrap import Instance, memories
from remembrancer.domain.memories.stored_memory import MOST_RELATIONS
from remembrancer.keys import fingerprint, new_api_key
from remembrancer.runtime.http.router import LambdaHandler, http_handler
from tests.integration.engine.tenant import ENVIRONMENT, PROJECT_ID, Tenant

LOAD_BALANCERS = 1 << 20
"""The bytes of a whole answer, as the function sends it, that a load balancer takes."""
WIDE = "\U0001f600"
"""Four bytes."""


@dataclass(frozen=True, slots=True)
class Door:
    """The function that serves listings, and an administrator's key."""

    handler: LambdaHandler
    api_key: str

    async def get(self, path: str, **query: str) -> dict[str, Any]:
        """The whole answer, no longer than any front door takes."""
        event = {
            "requestContext": {"elb": {"targetGroupArn": "arn"}},
            "httpMethod": "GET",
            "path": path,
            "headers": {"x-api-key": self.api_key},
            "queryStringParameters": {name: quote(text) for name, text in query.items()},
        }
        context = LambdaContext("invocation", {}, {}, int((time.time() + 60) * 1000))
        answer: dict[str, Any] = {"statusCode": 503}
        for _ in range(5):
            # A busy machine's Postgres may be too late for a statement's own bound.
            if answer["statusCode"] == 503:
                answer = await asyncio.to_thread(self.handler, event, context)
        assert answer["statusCode"] == 200, answer["body"][:500]
        # As Lambda's runtime writes it since Python 3.12.
        assert len(json.dumps(answer, ensure_ascii=False).encode()) < LOAD_BALANCERS
        return answer

    async def read(self, path: str, **query: str) -> Any:
        return json.loads((await self.get(path, **query))["body"])

    async def pages(self, path: str, what: str, *, cursor: str = "cursor", **query: str) -> list[list[dict[str, Any]]]:
        """Until the last."""
        pages = []
        after: Any = None
        while True:
            body = await self.read(path, **query, **({cursor: str(after)} if after else {}))
            pages.append(body[what])
            after = body[f"next_{cursor}"]
            if not after:
                return pages


@pytest.fixture
async def administrator(tenant: Tenant) -> str:
    """The text of a key that may do everything."""
    text = new_api_key()
    await insert_key(tenant, fingerprint(text), None)
    return text


@pytest.fixture
def door(migrated: PostgresServer, valkey_server: Cache, administrator: str) -> Iterator[Door]:
    instance = Instance(
        {
            "DATABASE_URL": migrated.app_url,
            **valkey_server.environment,
            "MODELS_DIR": str(StackSettings().models),
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }
    )
    yield Door(
        http_handler(memories.routes(instance), loop=instance.loop, after_response=instance.after_response),
        administrator,
    )
    for end in (instance.database.close, instance.redis.close):
        instance.loop.run(end())


async def insert_key(tenant: Tenant, key_sha256: bytes, end_users: list[str] | None) -> None:
    await tenant.insert(
        "api_keys",
        key_id=uuid4(),
        project_id=PROJECT_ID,
        environment=ENVIRONMENT,
        name="key",
        key_sha256=key_sha256,
        scopes=["admin"],
        end_users=end_users,
    )


async def test_all_agents_are_found_by_name_page_by_page(tenant: Tenant, door: Door) -> None:
    directory = PostgresDirectory(tenant.database)
    for number in range(7):
        await directory.create(tenant.principal, uuid4(), f"Agent {number} \N{LATIN SMALL LETTER E WITH ACUTE}")

    pages = await door.pages("/v1/agents", "agents", limit="3")

    names = [agent["name"] for page in pages for agent in page]
    assert [len(page) for page in pages] == [3, 3, 2]
    assert len(set(names)) == 8
    whole = await door.read("/v1/agents")
    assert ([agent["name"] for agent in whole["agents"]], whole["next_cursor"]) == (names, None)


async def test_agents_with_the_longest_names_fill_pages_that_can_be_sent(tenant: Tenant, door: Door) -> None:
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(
            "INSERT INTO agents (agent_id, org_id, project_id, environment, name) "
            "SELECT gen_random_uuid(), %s, %s, %s, repeat(%s, 250) || n FROM generate_series(100000, 101999) n",
            (tenant.org_id, PROJECT_ID, ENVIRONMENT, WIDE),
        )

    pages = await door.pages("/v1/agents", "agents", limit="500")

    assert len({agent["name"] for page in pages for agent in page}) == 2001


async def test_keys_of_before_with_very_many_end_users_are_listed(tenant: Tenant, door: Door) -> None:
    """Ten of a megabyte each, more than Lambda could send at once."""
    end_users = [f"{number:04}{WIDE * 250}" for number in range(1000)]
    for _ in range(10):
        await insert_key(tenant, uuid4().bytes * 2, end_users)

    pages = await door.pages("/v1/keys", "keys")

    keys = [key for page in pages for key in page]
    shown = [key["end_users"] for key in keys if key["end_users"] is not None]
    assert len({key["key_id"] for key in keys}) == 12
    assert len(shown) == 10
    assert all(names and names == end_users[: len(names)] for names in shown)
    assert [key["has_more_end_users"] for key in keys].count(True) == 10


async def test_keys_are_listed_oldest_first_page_by_page(tenant: Tenant, door: Door) -> None:
    for _ in range(4):
        await insert_key(tenant, uuid4().bytes * 2, ["ada*"])

    pages = await door.pages("/v1/keys", "keys", limit="4")

    created = [key["created_at"] for page in pages for key in page]
    assert [len(page) for page in pages] == [4, 2]
    assert created == sorted(created)


@pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "x"}, {"colour": "red"}, {"cursor": "forged"}])
@pytest.mark.parametrize("path", ["/v1/keys", "/v1/agents"])
async def test_a_bad_parameter_of_a_listing_is_refused_by_name(door: Door, path: str, query: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match=next(iter(query))):
        await door.get(path, **query)


async def test_the_longest_directives_are_listed_newest_first(tenant: Tenant, door: Door) -> None:
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(
            "INSERT INTO directives (org_id, agent_id, version, text, injection_mode, active) "
            "SELECT %s, %s, n, repeat(%s, 32768), 'system_first', n = 60 FROM generate_series(1, 60) n",
            (tenant.org_id, tenant.agent_id, WIDE),
        )

    path = f"/v1/agents/{tenant.agent_id}/directive/versions"
    pages = await door.pages(path, "versions", cursor="before", limit="100")

    assert [one["version"] for page in pages for one in page] == list(range(60, 0, -1))


async def test_a_page_of_the_longest_memories_can_be_sent(tenant: Tenant, door: Door) -> None:
    long = {"summary": '"' * 8000, "context": WIDE * 8000, "metadata": {"note": "\\" * 8000}}
    ids = await tenant.remember_texts(*(f"{number} {WIDE * 8000}" for number in range(60)), **long)

    listed = await door.pages("/v1/memories", "memories", limit="200", agent_id=str(tenant.agent_id))
    exported = [json.loads(line) for page in await export(door) for line in page]

    assert sorted(memory["id"] for page in listed for memory in page) == sorted(map(str, ids))
    assert sorted(memory["id"] for memory in exported) == sorted(map(str, ids))


async def test_a_memory_that_was_changed_very_often_is_read_and_exported(tenant: Tenant, door: Door) -> None:
    first, second = await tenant.remember_texts("One", "Two")
    async with tenant.database.transaction(tenant.org_id) as transaction:
        for memory_id in (first, second):
            await transaction.execute(
                "INSERT INTO memory_versions (org_id, memory_id, version, content, context) "
                "SELECT %s, %s, n, repeat(%s, 8192), repeat('\"', 8192) FROM generate_series(1, 120) n",
                (tenant.org_id, memory_id, WIDE),
            )
            await transaction.execute("UPDATE memories SET version = 121 WHERE memory_id = %s", [memory_id])

    exported = [json.loads(line) for page in await export(door) for line in page]
    pages = await door.pages(f"/v1/memories/{first}", "versions", cursor="before")

    newest_first = [version["version"] for page in pages for version in reversed(page)]
    assert newest_first == list(range(120, 0, -1))
    assert sorted(line["id"] for line in exported) == sorted([str(first), str(second)])
    for line in exported:
        assert line["versions"][-1]["version"] == 120
        assert line["next_before"] == line["versions"][0]["version"] > 1


@pytest.mark.parametrize("name", ["user_id", "userId"])
async def test_the_end_user_of_a_page_is_named_in_either_form(tenant: Tenant, door: Door, name: str) -> None:
    (memory_id,) = await tenant.remember_texts("Of Ada", user_id="ada")

    listed = await door.read("/v1/memories", **{"agent_id": str(tenant.agent_id), name: "ada"})
    exported = await door.get("/v1/export", **{name: "ada"})

    assert [memory["id"] for memory in listed["memories"]] == [str(memory_id)]
    assert str(memory_id) in exported["body"]


async def test_the_earlier_texts_of_one_memory_leave_room_for_those_of_the_next(tenant: Tenant, door: Door) -> None:
    first, second = await tenant.remember_texts("One", "Two")
    async with tenant.database.transaction(tenant.org_id) as transaction:
        for memory_id, versions in ((first, 60), (second, 1)):
            await transaction.execute(
                "INSERT INTO memory_versions (org_id, memory_id, version, content, summary, context) "
                "SELECT %(org_id)s, %(id)s, n, repeat(%(wide)s, 8192), repeat(%(wide)s, 8192), repeat(%(wide)s, 8192) "
                "FROM generate_series(1, %(versions)s) n",
                {"org_id": tenant.org_id, "id": memory_id, "wide": WIDE, "versions": versions},
            )
            await transaction.execute(
                "UPDATE memories SET version = %s WHERE memory_id = %s", [versions + 1, memory_id]
            )

    exported = [json.loads(line) for page in await export(door) for line in page]

    (line,) = [line for line in exported if line["id"] == str(second)]
    assert [version["version"] for version in line["versions"]] == [1]


async def test_a_memory_with_very_many_relations_is_read_and_exported(tenant: Tenant, door: Door) -> None:
    first, second = await tenant.remember_texts("One", "Two")
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(
            "INSERT INTO memories (memory_id, org_id, project_id, environment, agent_id, content, category, source, "
            "confidence, importance, quality, content_sha256, tokens_o200k, tokens_cl100k, created_at) "
            "SELECT gen_random_uuid(), org_id, project_id, environment, agent_id, 'n', category, source, 1, 1, 1, "
            "decode(lpad(to_hex(n), 64, '0'), 'hex'), 1, 1, now() FROM memories, generate_series(1, 5000) n "
            "WHERE memory_id = %s",
            [first],
        )
        await transaction.execute(
            "INSERT INTO memory_relations (relation_id, org_id, from_memory_id, to_memory_id, type, confidence) "
            "SELECT gen_random_uuid(), org_id, %s, memory_id, 'supports', 1 FROM memories WHERE memory_id <> %s",
            [first, first],
        )

    whole = await door.read(f"/v1/memories/{first}")
    few = await door.read(f"/v1/memories/{second}")
    exported = [json.loads(line) for page in await export(door) for line in page]

    assert (len(whole["relations"]), whole["has_more_relations"]) == (MOST_RELATIONS, True)
    assert (len(few["relations"]), few["has_more_relations"]) == (1, False)
    assert len(exported) == 5002
    (line,) = [line for line in exported if line["id"] == str(first)]
    assert (len(line["relations"]), line["has_more_relations"]) == (MOST_RELATIONS, True)


async def test_a_memory_in_the_middle_of_a_very_long_chain_shows_its_neighbours(tenant: Tenant, door: Door) -> None:
    ids = await tenant.remember_texts(*(f"Number {number}" for number in range(1300)))
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute(
            "UPDATE memories m SET supersedes = c.older, superseded_by = c.newer FROM unnest(%s::uuid[], %s::uuid[], "
            "%s::uuid[]) AS c (memory_id, older, newer) WHERE m.memory_id = c.memory_id",
            [ids, [None, *ids[:-1]], [*ids[1:], None]],
        )

    chain = (await door.read(f"/v1/memories/{ids[650]}"))["version_chain"]

    assert chain == [str(one) for one in ids[150:1151]]


async def test_feedback_and_metadata_leave_the_listing_whole(tenant: Tenant, door: Door) -> None:
    (memory_id,) = await tenant.remember_texts("One")
    await PostgresMemoryLife(tenant.database).rate(tenant.principal, memory_id, uuid4(), positive=True)
    async with tenant.database.transaction(tenant.org_id) as transaction:
        await transaction.execute("UPDATE memories SET metadata = %s", [Jsonb({"note": "x"})])

    (page,) = await door.pages("/v1/memories", "memories", agent_id=str(tenant.agent_id))

    assert [(memory["metadata"], memory["positive_count"]) for memory in page] == [({"note": "x"}, 1)]


async def export(door: Door) -> list[list[str]]:
    """The lines of each page."""
    pages = []
    query: dict[str, str] = {"limit": "500"}
    while True:
        answer = await door.get("/v1/export", **query)
        pages.append(answer["body"].splitlines())
        if "x-next-cursor" not in answer["headers"]:
            return pages
        query["cursor"] = answer["headers"]["x-next-cursor"]
