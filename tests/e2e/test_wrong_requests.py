"""Requests as newcomers write them: each is answered with what is wrong, or with what was left out.

`python -m pytest tests/e2e/test_wrong_requests.py -n 0 --log-cli-level=INFO` shows each answer, to be read by a person.
"""

import gzip
import json
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from local.stack import Stack
from tests.e2e.conftest import Loop, NewTenant, Tenant, tenants

logger = logging.getLogger(__name__)

CHAT: dict[str, Any] = {
    "agent_id": "agent",
    "model": "gpt-4o",
    "request_id": "r",
    "messages": [{"role": "user", "content": "When is the piano tuned?"}],
}
ASSEMBLE, QUERY, MEMORIES = "/v1/context/assemble", "/memory/query", "/v1/memories"
CONNECT = "/remembrancer.context.v1.ContextAssemblyService/AssembleContext"
FACT: dict[str, Any] = {"agent_id": "agent", "content": "The piano is tuned on Tuesdays."}
SECRET = "S3cretPart"
FORM = {"content-type": "application/x-www-form-urlencoded"}
NOT_A_MEMORY = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class Case:
    """A request, the status of its answer, and parts of the answer's text."""

    status: int
    parts: tuple[str, ...]
    method: str = "POST"
    path: str = QUERY
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    absent: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The name of the test."""
        body = self.body if isinstance(self.body, bytes) else json.dumps(self.body)
        return f"{self.method} {self.path} {self.headers or ''} {body[:60]!r}"


def get(path: str, status: int, *parts: str, **more: Any) -> Case:
    return Case(status, parts, "GET", path, **more)


def query(body: Any, status: int, *parts: str, **more: Any) -> Case:
    return Case(status, parts, path=QUERY, body=body, **more)


def chat(fields: Mapping[str, Any], status: int, *parts: str, **more: Any) -> Case:
    return Case(status, parts, path=ASSEMBLE, body={**CHAT, **fields}, **more)


def fact(fields: Mapping[str, Any], status: int, *parts: str, **more: Any) -> Case:
    return Case(status, parts, path=MEMORIES, body={**FACT, **fields}, **more)


def key(written: str, *parts: str, header: str = "X-API-Key") -> Case:
    headers = {"X-API-Key": "", header: written}
    return Case(401, parts, body={"query": "x"}, headers=headers, absent=(SECRET,))


UNKNOWN_FIELDS = [
    query({"qeury": "x"}, 400, "query", "is required", "did you mean query?"),
    query({"query": "x", "top_k": 3}, 400, "did you mean k?"),
    query({"query": "x", "limit": 3}, 400, "did you mean k?"),
    query({"q": "x"}, 400, '"q":"unknown field; did you mean query?"'),
    query({"query": "x", "categories": ["factual"]}, 400, "did you mean filters.categories?"),
    query({"query": "x", "filters": {"tag": ["a"]}}, 400, "filters.tag", "did you mean filters.tags?"),
    query({"query": "x", "thoroughnes": "lean"}, 400, "did you mean thoroughness?"),
    query({"query": "x", "agent": "agent"}, 400, "did you mean agent_id?"),
    fact({"contents": "x"}, 400, "did you mean content?"),
    fact({"importence": 1}, 400, "did you mean importance?"),
    fact({"tag": "a"}, 400, "did you mean tags?"),
    Case(400, ("did you mean content?",), path=MEMORIES, body={"agent_id": "agent", "text": "x"}),
    Case(400, ("did you mean text?",), "PUT", "/v1/agents/agent/directive", {"content": "x"}),
    chat({"thoroughnes": "lean"}, 200, '"ignored":{"thoroughnes":"unknown field; did you mean options.thoroughness?"}'),
    chat({"options": {"Thoroughnes": "lean"}}, 200, "did you mean options.thoroughness?"),
    chat({"options": {"user_id": "ada"}}, 200, '"options.user_id":"unknown field; did you mean user_id?"'),
    chat({"max_memories": 3}, 200, "did you mean options.max_memories?"),
    chat({"system": "Be brief."}, 200, '"system":"unknown field"'),
    chat({"temperature": 1, "stream": True, "max_tokens": 5}, 200, absent=("ignored", "temperature")),
    Case(200, ("did you mean session_id?",), path=CONNECT, body={**CHAT, "sesion_id": "s"}),
    Case(200, ('"ignored":{"?limit"',), path=f"{QUERY}?limit=3", body={"query": "x"}),
    Case(200, ('"ignored":{"?explain"',), path=f"{ASSEMBLE}?explain=true", body=CHAT),
    Case(202, ('"ignored":{"?dry_run"',), path=f"{MEMORIES}?dry_run=1", body={**FACT, "content": "Tea is at four."}),
    get(f"{MEMORIES}?limits=3", 400, "did you mean limit?"),
]
CONVERSATIONS, BATCH = "/v1/conversations", "/v1/memories/batch"
OTHER_ROUTES = [
    Case(
        400, ("POST /v1/conversations takes it",), path=MEMORIES, body={"messages": CHAT["messages"]}, absent=("mean",)
    ),
    Case(400, ("POST /v1/memories/batch takes it",), path=MEMORIES, body={"memories": [FACT]}),
    Case(400, ("POST /v1/memories takes it", "memories"), path=BATCH, body=FACT),
    Case(400, ("POST /v1/memories takes it", "messages"), path=CONVERSATIONS, body=FACT),
    Case(400, ("POST /memory/query takes it",), path=CONVERSATIONS, body={"agent_id": "agent", "query": "x"}),
    Case(400, ("POST /memory/query takes it", '"messages":"is required"'), path=ASSEMBLE, body={"query": "x"}),
    Case(400, ("POST /v1/memories takes it",), path=ASSEMBLE, body=FACT),
    Case(400, ("POST /memory/query takes it",), path=CONNECT, body={"query": "x"}),
    query(FACT, 400, "POST /v1/memories takes it", '"query":"is required"'),
    query({"query": "x", "memories": []}, 400, "POST /v1/memories/batch takes it"),
    Case(
        400, ("PUT /v1/agents/{agent_id}/directive takes it",), path="/v1/agents", body={"name": "b", "directive": "x"}
    ),
    chat({"filters": {}}, 200, '"filters":"unknown field; POST /memory/query takes it"'),
    Case(400, ("did you mean messages?",), path=ASSEMBLE, body={"mesages": []}),
]
END_USERS = [
    query({"query": "x", "user": ""}, 400, '"user":"must not be blank'),
    query({"query": "x", "user": 5}, 400, '"user":"must be a string"'),
    query({"query": "x", "user": "ada", "user_id": "bob"}, 400, "differs from user_id, which means the same"),
    query({"query": "x", "user": "ada"}, 400, "two different end users", headers={"X-End-User-ID": "bob"}),
    query({"query": "x", "user": "*"}, 200),
    query({"query": "x", "user": "a*"}, 400, '"user":"must not contain *"'),
    query({"query": "x", "user": "ada", "user_id": "ada"}, 200),
    chat({"user": " "}, 400, '"user":"must not be blank'),
    chat({"user": "ada"}, 400, "two different end users", headers={"X-End-User-ID": "bob"}),
    chat({"user": "ada", "userId": "bob"}, 400, '"user":"differs from userId'),
    fact({"user": "ada", "user_id": None, "content": "Ada's piano."}, 202),
    fact({"user": "ada", "user_id": " "}, 400, '"user_id":"must not be blank'),
    get(f"{MEMORIES}?user=", 400, "must not be blank"),
    get(f"{MEMORIES}?user=ada&user_id=bob", 400, "two different end users"),
    get(f"{MEMORIES}?user=ada", 200),
    Case(400, ("X-End-User-ID",), path=f"{MEMORIES}?user_id=ada", body=FACT),
    Case(400, ("X-End-User-ID",), path=f"{QUERY}?user=ada", body={"query": "x"}),
    Case(400, ("X-End-User-ID",), path=f"{ASSEMBLE}?user_id=ada", body=CHAT),
    get(f"{MEMORIES}/{NOT_A_MEMORY}?user_id=ada", 400, "X-End-User-ID"),
]
ROUTES = [
    get("/", 200, "/openapi.json"),
    get("", 200, "/openapi.json"),
    Case(405, ('"code":"method_not_allowed"', "takes GET only"), path="/"),
    get(ASSEMBLE, 405, "takes POST only"),
    get(QUERY, 405, "takes POST only"),
    Case(405, ("takes GET or POST only",), "PUT", MEMORIES, FACT),
    get("/v1/forget", 405, "takes POST only"),
    get("/mcp", 405, "takes POST only"),
    get("/v1/agents/", 200, '"agents"'),
    Case(200, ('"memories"',), path=f"{QUERY}/", body={"query": "x"}),
    Case(200, ('"metadata"',), path=f"{ASSEMBLE}/", body=CHAT),
    Case(404, ("Did you mean POST /v1/context/assemble?",), path="/v1/assemble", body=CHAT),
    Case(404, ("Did you mean POST /memory/query?",), path="/v1/memory/query", body={"query": "x"}),
    Case(404, ("Did you mean POST /v1/memories?",), path="/memories", body=FACT),
    Case(400, ("needs a JSON body",), path="/v1/forget/"),
    Case(405, ("takes DELETE, GET or PATCH only", "Did you mean POST /v1/memories/query?"), path=f"{MEMORIES}/search"),
    Case(404, ("Did you mean POST /v1/memories/query?",), path="/v2/memories/search", body={"query": "x"}),
    get("/v1/agent", 404, "Did you mean GET /v1/agents?"),
    get("/health", 404, "Did you mean GET /v1/health?"),
    get("/v1/agents/agent/directives", 404, "Did you mean GET /v1/agents/{agent_id}/directive?"),
    Case(404, ('"code":"no_such_route"', "/openapi.json"), path="/v1/chat/completions", body=CHAT),
    Case(404, ("calls no model", "proxy"), path="/v1/messages", body=CHAT),
    get(f"{MEMORIES}/12345", 404, "memory_id", "UUID"),
    get(f"{MEMORIES}/{NOT_A_MEMORY}", 404, "There is no such memory."),
]
AGENTS = [
    chat({"agent_id": "Agent"}, 404, "There is no such agent."),
    query({"query": "x", "agent_id": "Agent"}, 404, "There is no such agent. Did you mean 'agent'?"),
    query({"query": "x", "agent_id": "agnet"}, 404, "Did you mean 'agent'?"),
    query({"query": "x", "agent_id": "nobody"}, 404, "There is no such agent.", absent=("mean",)),
    get("/v1/agents/AGENT/directive", 404, "Did you mean 'agent'?"),
]
BODIES = [
    query(None, 400, "needs a JSON body"),
    query(b"{'query': 'x'}", 400, "not valid JSON"),
    query(b'{"query": "x",}', 400, "not valid JSON"),
    query(b"\xef\xbb\xbf{}", 400, "byte order mark", absent=("utf-8-sig",)),
    query(b'{"query": "x"', 400, "not valid JSON"),
    query(b"query=x", 415, "must be JSON", "application/x-www-form-urlencoded", headers=FORM),
    query(b'{"query": "x"}', 200, headers=FORM),
    query(b"<query/>", 415, "application/xml", headers={"content-type": "application/xml"}),
    query(gzip.compress(b'{"query": "x"}', mtime=0), 415, "compressed", headers={"content-encoding": "gzip"}),
    query({"query": "x" * (1 << 20)}, 413, '"code":"body_too_large"', "1,048,576 bytes"),
    Case(415, ("application/json or application/proto",), path=CONNECT, body=b"x", headers=FORM),
    query([{"query": "x"}], 400, "must be a JSON object"),
    query({"query": "x", "weights": {"semantic": 1e9}}, 400, "between 0 and 1000000", absent=("e+",)),
    chat({"options": {"memory_tokens": 10**9}}, 400, "between 0 and 10000000", absent=("e+",)),
    chat({"messages": "Hello"}, 400, "messages", "list"),
    chat({"messages": []}, 400, "messages", "list"),
    chat({"options": {"thoroughness": "Lean"}}, 400, "must be one of lean, balanced, thorough"),
    chat({}, 400, "milliseconds", headers={"X-Deadline-Ms": "5s"}),
]
KEYS = [
    key("", "Send an API key in the header X-API-Key"),
    key(f'"rk_{SECRET}"', "quotation marks"),
    key(f"'rk_{SECRET}'", "quotation marks"),
    key(f"Bearer rk_{SECRET}", "Bearer", "key alone"),
    key(f"Bearer Bearer rk_{SECRET}", "Bearer", "key alone", header="Authorization"),
    key(f'Bearer "rk_{SECRET}"', "quotation marks", header="Authorization"),
    key(f"rk_{SECRET}", "write Bearer and a space", header="Authorization"),
    key("$REMEMBRANCER_KEY", "placeholder"),
    key(f"sk-{SECRET}", "begin with rk_"),
    key(f"rk_{SECRET}", "unknown, revoked or expired"),
]
CASES = [*UNKNOWN_FIELDS, *OTHER_ROUTES, *END_USERS, *ROUTES, *AGENTS, *BODIES, *KEYS]


@pytest.fixture(scope="module")
def newcomer(stack: Stack, loop: Loop) -> Iterator[Tenant]:
    making = tenants(stack, loop)
    yield next(making)()
    next(making, None)


def sent(tenant: Tenant, case: Case) -> httpx.Response:
    content = case.body if isinstance(case.body, bytes) else json.dumps(case.body).encode() if case.body else b""
    headers = {"content-type": "application/json", **case.headers}
    return tenant.client.request(case.method, case.path, content=content, headers=headers)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_wrong_request_is_told_what_is_wrong(newcomer: Tenant, case: Case) -> None:
    answer = sent(newcomer, case)

    told = answer.text
    logger.info(
        "%s\n  %s %s", case, answer.status_code, told[told.find('"ignored"') if answer.is_success else 0 :][:400]
    )
    assert answer.status_code == case.status, told
    assert [part for part in case.parts if part not in told] == []
    assert [part for part in case.absent if part in told] == []
    assert answer.status_code != 405 or answer.headers["allow"]


def test_there_are_at_least_sixty() -> None:
    assert len(CASES) >= 60


def test_user_stores_and_finds_what_is_the_end_users_own(newcomer: Tenant) -> None:
    newcomer.remember("Ada's cello has four strings.", user="ada")

    found = {
        user: [one["content"] for one in newcomer.whole("cello", user=user, thoroughness="all").json()["memories"]]
        for user in ("ada", "bob")
    }

    assert "Ada's cello has four strings." in found["ada"]
    assert "Ada's cello has four strings." not in found["bob"]


def test_no_agents_name_is_told_to_a_key_that_may_not_list_agents(new_tenant: NewTenant) -> None:
    tenant = new_tenant(scopes=("assemble", "write"))

    answers = [sent(tenant, chat({"agent_id": "Agent"}, 404)), sent(tenant, fact({"agent_id": "Agent"}, 404))]

    assert {(one.status_code, one.json()["error"]["message"]) for one in answers} == {(404, "There is no such agent.")}
