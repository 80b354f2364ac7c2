"""Every route behind a load balancer: its events through the real functions, with the answers of API Gateway's."""

import json
from typing import Any
from uuid import uuid4

import pytest

from tests.e2e.conftest import Tenant
from tests.e2e.events import alb_event
from tests.served_routes import ROUTES, function_of

KINDS = ("single", "several", "base64")
ATTEMPTS = 20
CONTENT_TYPES = {
    "GET /v1/export": "application/x-ndjson",
    "GET /inspector": "text/html; charset=utf-8",
}
FUNCTIONS = {route: function_of(route) for route in ROUTES}


def requests(tenant: Tenant) -> dict[str, tuple[str, Any, str, int]]:
    """For each route a path, a body, a query and the status that it gets."""
    first, second = tenant.remember("The lift is out of order", "The stairs are open")
    (replaced,) = tenant.remember("The lift smells")
    tenant.remember("The lift smells of paint", supersedes=replaced)
    chat = {"model": "gpt-4o", "requestId": "r", "messages": [{"role": "user", "content": "Is the lift working?"}]}
    said = {"messages": [{"role": "user", "content": "The lift is out of order"}]}
    stored = tenant.client.post("/v1/conversations", json={"agent_id": tenant.agent_id, **said})
    conversation = stored.json()["conversation_id"]
    place = {"tenant_id": tenant.org_id, "agentId": tenant.agent_id}
    memory, agent = f"/v1/memories/{first}", f"/v1/agents/{tenant.agent_id}"
    relation = tenant.client.post(f"{memory}/relations", json={"to": second, "type": "supports"}).json()["relation_id"]
    doubted = tenant.client.post(f"{memory}/relations", json={"to": second, "type": "may_contradict"}).json()
    conflict = f"/v1/conflicts/{doubted['relation_id']}/settle"
    rpc = "/remembrancer.context.v1.ContextAssemblyService/AssembleContext"
    agent_query = f"agent_id={tenant.agent_id}&tag=out%20of%26order"
    return {
        "POST /v1/context/assemble": ("/v1/context/assemble", place | chat, "", 200),
        f"POST {rpc}": (rpc, place | chat, "", 200),
        "POST /memory/query": ("/memory/query", {"query": "lift", "agentId": tenant.agent_id}, "", 200),
        "POST /v1/memories/query": ("/v1/memories/query", {"query": "lift"}, "", 200),
        "POST /v1/forget": ("/v1/forget", {"agentId": tenant.agent_id, "userId": "ada", "text": "the lift"}, "", 200),
        "POST /v1/memories": ("/v1/memories", {"agentId": tenant.agent_id, "content": "x", "clientRef": "c"}, "", 202),
        "POST /v1/memories/batch": ("/v1/memories/batch", {"memories": [{"agentId": "none"}]}, "", 207),
        "POST /v1/conversations": (
            "/v1/conversations",
            {"agentId": tenant.agent_id, "sessionId": "s", **said},
            "",
            202,
        ),
        "GET /v1/conversations": ("/v1/conversations", None, f"agent_id={tenant.agent_id}&session_id=s", 200),
        "GET /v1/conversations/{conversation_id}": (f"/v1/conversations/{conversation}", None, "before=9", 200),
        "GET /v1/memories/{memory_id}": (memory, None, "", 200),
        "GET /v1/memories": ("/v1/memories", None, agent_query, 200),
        "PATCH /v1/memories/{memory_id}": (memory, {"validFrom": "2026-01-01"}, "", 200),
        "POST /v1/memories/{memory_id}/feedback": (f"{memory}/feedback", {"feedback": "positive"}, "", 200),
        "POST /v1/memories/{memory_id}/relations": (f"{memory}/relations", {"to": second, "type": "refines"}, "", 201),
        "GET /v1/audit": ("/v1/audit", None, "limit=1", 403),
        "GET /v1/conflicts": ("/v1/conflicts", None, agent_query.partition("&")[0] + "&limit=1", 200),
        "POST /v1/conflicts/{conflict_id}/settle": (conflict, {"action": "keep_both"}, "", 200),
        "DELETE /v1/memories/{memory_id}/relations/{relation_id}": (f"{memory}/relations/{relation}", None, "", 200),
        "DELETE /v1/memories/{memory_id}": (memory, None, "", 200),
        "POST /v1/memories/{memory_id}/restore": (f"{memory}/restore", None, "", 200),
        "POST /v1/memories/{memory_id}/unsupersede": (
            f"/v1/memories/{replaced}/unsupersede",
            {"keepBoth": True},
            "",
            200,
        ),
        "PUT /v1/agents/{agent_id}/directive": (
            f"{agent}/directive",
            {"text": "x", "injectionMode": "system_first"},
            "",
            200,
        ),
        "GET /v1/agents/{agent_id}/directive": (f"{agent}/directive", None, "", 200),
        "GET /v1/agents/{agent_id}/directive/versions": (f"{agent}/directive/versions", None, "limit=1", 200),
        "PATCH /v1/agents/{agent_id}": (agent, {"enabled": True}, "", 200),
        "PUT /v1/agents/{agent_id}": ("/v1/agents/third%20of%20all", None, "", 201),
        "GET /v1/agents/{agent_id}/end-users": (f"{agent}/end-users", None, "limit=1", 200),
        "GET /v1/end-user": ("/v1/end-user", None, "user_id=ann", 200),
        "PATCH /v1/end-user": ("/v1/end-user", {"userId": "ann", "timeZone": "Europe/Berlin"}, "", 200),
        "POST /v1/agents": ("/v1/agents", {"name": "second"}, "", 201),
        "GET /v1/agents": ("/v1/agents", None, "", 200),
        "POST /v1/keys": ("/v1/keys", {"name": "x", "scopes": ["query"], "endUserRequired": False}, "", 201),
        "GET /v1/keys": ("/v1/keys", None, "", 200),
        "DELETE /v1/keys/{key_id}": (f"/v1/keys/{uuid4()}", None, "", 404),
        "POST /v1/erasures": ("/v1/erasures", {"userId": "nobody"}, "", 202),
        "GET /v1/erasures/{erasure_id}": (f"/v1/erasures/{uuid4()}", None, "", 404),
        "GET /v1/export": ("/v1/export", None, agent_query.partition("&")[0] + "&limit=1", 200),
        "GET /v1/health": ("/v1/health", None, "", 200),
        "GET /v1/ready": ("/v1/ready", None, "", 200),
        "GET /": ("/", None, "", 200),
        "GET /openapi.json": ("/openapi.json", None, "", 200),
        "GET /inspector": ("/inspector", None, "", 200),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_every_route_is_served_to_a_load_balancer(tenant: Tenant, kind: str) -> None:
    asked = requests(tenant)
    # One that is added to the template is to be added above.
    assert asked.keys() == FUNCTIONS.keys()

    for route, (path, body, query, status) in asked.items():
        sent = alb_event(tenant, route.partition(" ")[0], path, body, kind, query)
        answer = tenant.loop.run(tenant.stack.invoke(FUNCTIONS[route], sent))
        assert answer["statusCode"] == status, (route, answer["body"])
        headers = {name: values[0] for name, values in answer.get("multiValueHeaders", {}).items()} or answer["headers"]
        assert ("multiValueHeaders" in answer) == (kind == "several")
        assert headers["content-type"] == CONTENT_TYPES.get(route, "application/json")
        assert headers["x-request-id"] in {"alb-1", "r"}
        assert route == "GET /inspector" or all(map(json.loads, answer["body"].splitlines()))


@pytest.mark.parametrize("function", sorted({*FUNCTIONS.values()}))
def test_every_function_answers_the_checks_of_a_load_balancer(tenant: Tenant, function: str) -> None:
    check = {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/t/1"}},
        "httpMethod": "GET",
        "path": "/v1/health",
        "queryStringParameters": {},
        "headers": {"user-agent": "ELB-HealthChecker/2.0"},
        "body": "",
        "isBase64Encoded": False,
    }

    answer = tenant.loop.run(tenant.stack.invoke(function, check))

    assert (answer["statusCode"], answer["body"]) == (200, '{"status":"ok"}')


@pytest.mark.parametrize(
    ("method", "path", "status", "allow", "told"),
    [
        ("GET", "/v1/context/assemble", 405, "POST", "takes POST only"),
        ("POST", "/v1/context/assemble/", 400, None, "needs a JSON body"),
        ("PUT", "/v1/memories", 405, "GET, POST", "takes GET or POST only"),
        ("POST", "/v1/context/asemble", 404, None, "Did you mean POST /v1/context/assemble?"),
    ],
)
def test_a_load_balancers_request_without_a_route_is_told_which_was_meant(
    tenant: Tenant, method: str, path: str, status: int, allow: str | None, told: str
) -> None:
    function = "AssembleFunction" if path.startswith("/v1/context/assemble") else "MemoriesFunction"
    event = alb_event(tenant, method, path, None, "single")

    answer = tenant.loop.run(tenant.stack.invoke(function, event))

    assert (answer["statusCode"], answer["headers"].get("allow")) == (status, allow), answer
    assert told in json.loads(answer["body"])["error"]["message"]


def test_long_pages_end_under_the_load_balancers_megabyte_and_go_on(tenant: Tenant) -> None:
    texts = [f'{number} "said" {"the heron sleeps " * 470}' for number in range(150)]
    for first in range(0, len(texts), 75):
        batch = [{"agentId": tenant.agent_id, "content": text} for text in texts[first : first + 75]]
        assert tenant.client.post("/v1/memories/batch", json={"memories": batch}).status_code == 207

    exported = 0
    export = "limit=500"
    while export:
        answer = invoke(tenant, "/v1/export", export)
        exported += len(answer["body"].splitlines())
        cursor = answer["headers"].get("x-next-cursor")
        export = cursor and f"limit=500&cursor={cursor}"

    assert exported == len(texts)


def test_results_of_a_query_end_under_the_load_balancers_megabyte(tenant: Tenant) -> None:
    owls = "\N{OWL}" * 8000
    for first in (0, 25):
        batch = [{"agentId": tenant.agent_id, "content": f"{n} herons {owls}"} for n in range(first, first + 25)]
        assert tenant.client.post("/v1/memories/batch", json={"memories": batch}).status_code == 207
    asked = {"agentId": tenant.agent_id, "query": "herons", "k": 50, "thoroughness": "all", "computationTier": "high"}
    sent = alb_event(tenant, "POST", "/memory/query", asked, "single")

    # Until no source was late.
    answers = (tenant.loop.run(tenant.stack.invoke("QueryFunction", sent)) for _ in range(ATTEMPTS))
    answer = next(one for one in answers if '"degraded":[]' in one["body"])

    assert answer["statusCode"] == 200
    assert len(json.dumps(answer, ensure_ascii=False).encode()) < 1_000_000
    body = json.loads(answer["body"])
    number = len(body["memories"])
    assert 20 < number < 50
    assert len(body["explanations"]) == len(body["confidence_scores"]) == number
    assert body["adjusted"] == {"k": {"given": 50, "used": number}}


def invoke(tenant: Tenant, path: str, query: str) -> dict[str, Any]:
    """The answer of the memories function, which a load balancer takes."""
    sent = alb_event(tenant, "GET", path, None, "single", query)
    answer: dict[str, Any] = tenant.loop.run(tenant.stack.invoke("MemoriesFunction", sent))
    assert answer["statusCode"] == 200
    assert len(json.dumps(answer)) < 1_000_000
    return answer
