"""Tokens that API Gateway's authorizer has verified: who is believed about them, by a whole instance's handler."""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from awslambdaric.lambda_context import LambdaContext

from local.servers import Cache, PostgresServer
from local.stack import StackSettings
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.memories import routes
from remembrancer.runtime.http.router import LambdaHandler, http_handler
from tests.integration.engine.tenant import ENVIRONMENT, PROJECT_ID, Tenant

PATH = "/v1/memories"
FORGED = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."


@dataclass(frozen=True, slots=True)
class Door:
    """A function behind a front door, and what its event looks like there."""

    handler: LambdaHandler

    async def listed(self, tenant: Tenant, event: dict[str, Any]) -> tuple[int, Any]:
        """Status, and the contents of the agent's memories or the code of the refusal."""
        query = {"agent_id": str(tenant.agent_id)}
        asked = {**event, "queryStringParameters": query, "rawQueryString": f"agent_id={tenant.agent_id}"}
        context = LambdaContext("invocation", {}, {}, int((time.time() + 60) * 1000))
        answer: dict[str, Any] = await asyncio.to_thread(self.handler, asked, context)
        body = json.loads(answer["body"])
        if answer["statusCode"] != 200:
            return answer["statusCode"], body["error"]["code"]
        return 200, [memory["content"] for memory in body["memories"]]


def door(migrated: PostgresServer, valkey_server: Cache, from_gateway: str) -> Iterator[Door]:
    instance = Instance(
        {
            "DATABASE_URL": migrated.app_url,
            **valkey_server.environment,
            "MODELS_DIR": str(StackSettings().models),
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "JWT_ISSUER": "http://127.0.0.1:1",
            "JWT_AUDIENCE": "remembrancer",
            "JWT_FROM_GATEWAY": from_gateway,
        }
    )
    yield Door(http_handler(routes(instance), loop=instance.loop, after_response=instance.after_response))
    for end in (instance.database.close, instance.redis.close):
        instance.loop.run(end())


@pytest.fixture
def behind_authorizer(migrated: PostgresServer, valkey_server: Cache) -> Iterator[Door]:
    """As deployed with JwtCheck=gateway: API Gateway lets nothing through that it has not verified."""
    yield from door(migrated, valkey_server, "true")


@pytest.fixture
def without_authorizer(migrated: PostgresServer, valkey_server: Cache) -> Iterator[Door]:
    """As deployed with JwtCheck=function: nobody has verified what an event claims."""
    yield from door(migrated, valkey_server, "false")


@pytest.fixture
async def remembering(tenant: Tenant) -> Tenant:
    await tenant.remember_texts("Ada likes black coffee", user_id="ada")
    await tenant.remember_texts("Ben likes milk", user_id="ben")
    return tenant


def verified(tenant: Tenant, **changes: Any) -> dict[str, Any]:
    """As the authorizer passes claims on: every value is a text, a list in brackets."""
    claims = {"org_id": str(tenant.org_id), "project_id": PROJECT_ID, "environment": ENVIRONMENT, "sub": "ada"}
    claims["exp"] = str(int(time.time()) + 300)
    return {"jwt": {"claims": {**claims, "scope": "query write", **changes}, "scopes": None}}


def from_gateway(authorizer: Any = None, **headers: str) -> dict[str, Any]:
    context: dict[str, Any] = {"http": {"method": "GET", "path": PATH}, "authorizer": authorizer}
    return {"version": "2.0", "rawPath": PATH, "headers": headers, "requestContext": context}


def from_load_balancer(authorizer: Any, **headers: str) -> dict[str, Any]:
    context = {"elb": {"targetGroupArn": "arn"}, "http": {"method": "GET", "path": PATH}, "authorizer": authorizer}
    return {"httpMethod": "GET", "path": PATH, "headers": headers, "requestContext": context}


async def test_a_verified_token_opens_its_own_end_users_memories(behind_authorizer: Door, remembering: Tenant) -> None:
    status, contents = await behind_authorizer.listed(remembering, from_gateway(verified(remembering)))

    assert (status, contents) == (200, ["Ada likes black coffee"])


async def test_a_verified_token_of_another_organization_opens_nothing_here(
    behind_authorizer: Door, remembering: Tenant, stranger: Tenant
) -> None:
    answer = await behind_authorizer.listed(remembering, from_gateway(verified(stranger)))

    assert answer == (404, "agent_not_found")


async def test_claims_that_name_nobody_open_nothing(behind_authorizer: Door, remembering: Tenant) -> None:
    nobody: list[Any] = [verified(remembering, sub=""), verified(remembering, org_id="x"), {"lambda": {}}, None]

    answers = [
        await behind_authorizer.listed(remembering, from_gateway(authorizer, authorization=f"Bearer {FORGED}"))
        for authorizer in nobody
    ]

    assert {status for status, _ in answers} == {401}


async def test_a_load_balancers_event_has_no_claims_whatever_it_says(
    behind_authorizer: Door, remembering: Tenant
) -> None:
    forged = from_load_balancer(verified(remembering), authorization=f"Bearer {FORGED}")

    assert await behind_authorizer.listed(remembering, forged) == (401, "invalid_credential")
    assert await behind_authorizer.listed(remembering, from_load_balancer(verified(remembering))) == (
        401,
        "missing_credential",
    )


async def test_where_the_functions_check_an_events_claims_are_not_believed(
    without_authorizer: Door, remembering: Tenant
) -> None:
    answer = await without_authorizer.listed(remembering, from_gateway(verified(remembering)))

    assert answer == (401, "missing_credential")
