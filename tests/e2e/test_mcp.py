"""The MCP server by the SDK's own client: over stdio, and over HTTP through an instance of its function."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from local.stack import ROOT
from remembrancer_client import __version__
from remembrancer_client.mcp import INSTRUCTIONS
from tests.e2e.conftest import PROJECT, NewTenant, Tenant
from tests.identity_provider import IdentityProvider

TOOLS = {"search_memories", "remember", "pin_memory", "correct_memory", "forget_memory", "forget", "assemble_context"}
BESIDE = (
    "Breakfast is served from seven.", "The boiler was repaired in May.", "Mrs Lindqvist is allergic to feathers.",
    "The boathouse has a new lock.", "Leeks grow behind the shed.", "The ferry leaves at noon.",
    "Room four has the best view.", "Firewood is stacked by the gate.", "The cook is off on Mondays.",
    "Letters are collected at five.", "The goose bites strangers.",
)  # fmt: skip
NOBODYS = "5f5b3f2e-52a8-4d0e-b8f4-4f3a2c1de9a7"
START_SECONDS = 60.0
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}

Connected = Callable[..., AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def over_stdio(tenant: Tenant, user: str = "isla", **environment: str) -> AsyncIterator[Client]:
    settings = {
        "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
        "REMEMBRANCER_URL": tenant.stack.url,
        "REMEMBRANCER_API_KEY": tenant.client.headers["x-api-key"],
        "REMEMBRANCER_ORG_ID": tenant.org_id,
        "REMEMBRANCER_AGENT_ID": tenant.agent_id,
        "REMEMBRANCER_USER_ID": user,
        **environment,
    }
    command = ["-c", "from remembrancer_client.mcp import main; main()"]
    async with Client(StdioServerParameters(command=sys.executable, args=command, env=settings)) as client:
        yield client


@asynccontextmanager
async def over_http(tenant: Tenant, user: str = "isla", **headers: str) -> AsyncIterator[Client]:
    identity = {"x-api-key": tenant.client.headers["x-api-key"], "x-agent-id": tenant.agent_id, "x-end-user-id": user}
    async with (
        httpx2.AsyncClient(headers={**identity, **headers}, timeout=START_SECONDS) as http,
        Client(streamable_http_client(f"{tenant.stack.url}/mcp", http_client=http)) as client,
    ):
        yield client


# Every server over stdio is a process that imports the SDK: two seconds.
@pytest.fixture(
    params=[pytest.param(over_stdio, marks=pytest.mark.long, id="stdio"), pytest.param(over_http, id="http")]
)
def connected(request: pytest.FixtureRequest) -> Connected:
    transport: Connected = request.param
    return transport


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    text = getattr(result.content[0], "text", "") if result.content else ""
    if result.is_error:
        return f"error: {text}"
    structured = result.structured_content
    return structured.get("result", structured) if structured else json.loads(text)


async def test_every_tool_is_listed_and_names_nobody(connected: Connected, tenant: Tenant) -> None:
    async with connected(tenant) as client:
        tools = (await client.list_tools()).tools

    assert {tool.name for tool in tools} == TOOLS
    arguments = {name for tool in tools for name in tool.input_schema["properties"]}
    assert not {"org_id", "agent_id", "user_id"} & arguments
    assert all(tool.description for tool in tools)


async def test_it_says_its_name_and_version_and_when_to_search(connected: Connected, tenant: Tenant) -> None:
    async with connected(tenant) as client:
        about, instructions = client.server_info, client.instructions
        tools = {tool.name: tool.description or "" for tool in (await client.list_tools()).tools}

    assert about
    assert (about.name, about.title, about.version) == ("remembrancer", "Remembrancer", __version__)
    assert instructions == INSTRUCTIONS
    assert "Call search_memories before you answer" in instructions
    assert "before you answer" in tools["search_memories"]
    assert not any("\n  " in description for description in tools.values())


WRONG = {
    "unknown tool": ("recall", {}, "There is no tool 'recall'. There are assemble_context, "),
    "unknown argument": (
        "search_memories",
        {"question": "Where?", "query": "Where?"},
        "search_memories has no argument 'question'. It takes query, limit, thoroughness.",
    ),
    "missing": ("search_memories", {}, "query is required."),
    "types": (
        "search_memories",
        {"query": ["a"], "limit": "many"},
        "query must be a text. limit must be a whole number.",
    ),
    "choice": (
        "search_memories",
        {"query": "Where?", "thoroughness": "very"},
        "thoroughness must be one of 'lean', 'balanced', 'thorough' or 'all'.",
    ),
    "refused": ("search_memories", {"query": " "}, "query must not be blank."),
    "no id": ("forget_memory", {"memory_id": "the tea"}, "memory_id must be a UUID."),
    "unknown memory": ("forget_memory", {"memory_id": NOBODYS}, "There is no such memory."),
}


@pytest.mark.parametrize(("tool", "arguments", "told"), WRONG.values(), ids=list(WRONG))
async def test_wrong_arguments_are_told_in_plain_words(
    connected: Connected, tenant: Tenant, tool: str, arguments: dict[str, Any], told: str
) -> None:
    async with connected(tenant) as client:
        answer = await call(client, tool, **arguments)

    assert answer.startswith(f"error: {told}")
    assert "Error executing" not in answer
    assert "pydantic" not in answer


async def test_a_memory_is_found_corrected_and_forgotten(connected: Connected, tenant: Tenant) -> None:
    async with connected(tenant) as client:
        written = await call(client, "remember", content="The piano is tuned on Tuesdays.")
        found = await call(client, "search_memories", query="When is the piano tuned?")
        corrected = await call(
            client, "correct_memory", memory_id=written["id"], content="The piano is tuned on Fridays."
        )
        context = await call(client, "assemble_context", question="When is the piano tuned?")
        forgotten = await call(client, "forget_memory", memory_id=corrected["id"])
        nothing = await call(client, "search_memories", query="When is the piano tuned?")

    assert [memory["content"] for memory in found["memories"]] == ["The piano is tuned on Tuesdays."]
    assert (found["ended_by"], found["left_out"], found["incomplete"]) == ("exhausted", 0, "")
    assert corrected["supersedes"] == written["id"]
    assert "Fridays" in context
    assert "Tuesdays" not in context
    assert forgotten["id"] == corrected["id"]
    assert nothing["memories"] == []


async def searched(client: Client, ended_by: str, **arguments: Any) -> Any:
    """Searches again while a source is late, without which nothing is cut."""
    for _ in range(20):
        found = await call(client, "search_memories", query="When is the piano tuned?", limit=10, **arguments)
        if found["ended_by"] == ended_by:
            break
    return found


async def test_a_search_ends_where_memories_do_not_help(connected: Connected, tenant: Tenant) -> None:
    tuned = "The piano is tuned on the first Tuesday of the month."
    tenant.remember(tuned, *BESIDE)
    tenant.until_embedded()
    async with connected(tenant) as client:
        found = await searched(client, "line")
        everything = await searched(client, "limit", thoroughness="all")

    assert [memory["content"] for memory in found["memories"]] == [tuned]
    assert (found["ended_by"], found["left_out"]) == ("line", 9)
    assert (len(everything["memories"]), everything["ended_by"], everything["left_out"]) == (10, "limit", 0)


async def test_a_sentence_forgets_what_the_user_said_and_nothing_of_others(
    connected: Connected, tenant: Tenant
) -> None:
    sentence = "Forget what I said about the piano."
    tenant.remember("The piano in the hall is tuned on Tuesdays.")
    tenant.remember("My piano is new.", user_id="bob")
    async with connected(tenant) as client:
        hers = await call(client, "remember", content="My piano is out of tune.")
        tried = await call(client, "forget", text=sentence, dry_run=True)
        forgotten = await call(client, "forget", text=sentence)
        nothing = await call(client, "forget", text=sentence)
        for _ in range(20):
            found = await call(client, "search_memories", query="piano")
            if not found["incomplete"]:
                break

    assert [memory["id"] for memory in tried["memories"]] == [hers["id"]]
    assert (tried["memories"][0]["status"], forgotten["memories"][0]["status"]) == ("active", "deleted")
    assert (forgotten["outcome"], nothing["outcome"]) == ("forgotten", "nothing_found")
    assert [memory["content"] for memory in found["memories"]] == ["The piano in the hall is tuned on Tuesdays."]


async def test_what_the_user_wants_always_is_pinned_and_unpinned(connected: Connected, tenant: Tenant) -> None:
    async with connected(tenant) as client:
        written = await call(client, "remember", content="Always answer in German.", pinned=True)
        pinned = await call(client, "assemble_context", question="When is the piano tuned?")
        unpinned = await call(client, "pin_memory", memory_id=written["id"], pinned=False)
        without = await call(client, "assemble_context", question="When is the piano tuned?")

    assert written["pinned"] is True
    assert "Always answer in German." in pinned.partition("<pinned-")[2]
    assert unpinned == {"id": written["id"], "pinned": False}
    assert "<pinned-" not in without


async def test_no_tool_pins_what_others_would_read(connected: Connected, tenant: Tenant) -> None:
    (shared,) = tenant.remember("Always recommend the grand piano.")
    async with connected(tenant) as client:
        refused = await call(client, "pin_memory", memory_id=shared)

    assert "is shared" in refused
    assert tenant.client.get(f"/v1/memories/{shared}").json()["pinned"] is False


async def test_it_acts_for_its_own_end_user_only(connected: Connected, tenant: Tenant) -> None:
    async with connected(tenant, user="isla") as isla, connected(tenant, user="ada") as ada:
        written = await call(isla, "remember", content="Isla's piano is tuned on Tuesdays.")
        seen = await call(ada, "search_memories", query="When is the piano tuned?")
        refused = await call(ada, "forget_memory", memory_id=written["id"])

    assert seen["memories"] == []
    assert refused.endswith("There is no such memory.")


async def test_the_directive_is_a_resource(connected: Connected, tenant: Tenant) -> None:
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": "You are Hob."})
    async with connected(tenant) as client:
        (content,) = (await client.read_resource("remembrancer://directive")).contents

    assert getattr(content, "text", "") == "You are Hob."


async def test_a_service_that_is_down_is_told_plainly(tenant: Tenant) -> None:
    async with over_stdio(tenant, REMEMBRANCER_URL="http://127.0.0.1:1") as client:
        answers = [
            await call(client, "search_memories", query="piano"),
            await call(client, "assemble_context", question="piano"),
        ]

    assert answers[0].endswith("The memory does not answer. Try again later.")
    assert answers[1] == (
        "Nothing was found, but not everything was searched. The service cannot be reached. "
        "Ask again before you say that nothing is known."
    )


async def test_a_warm_instance_serves_one_connection_after_the_other(tenant: Tenant) -> None:
    """Its application's lifespan is entered once."""
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.", user_id="isla")
    answers: list[str] = []

    for _ in range(5):
        async with over_http(tenant) as client:
            answers += [await call(client, "assemble_context", question="When is the piano tuned?") for _ in range(3)]

    assert len(answers) == 15
    assert all("Mr Sutherland" in answer for answer in answers)


async def test_a_tool_tells_what_a_model_may_mend_and_nothing_of_others(tenant: Tenant, new_tenant: NewTenant) -> None:
    other = new_tenant()
    (theirs,) = other.remember("The safe's code is 4711.")
    async with over_http(tenant) as client:
        answers = [
            await call(client, "forget_memory", memory_id=theirs),
            await call(client, "forget_memory", memory_id="../erasures"),
            await call(client, "remember", content=""),
            await call(client, "search_memories", query="What is the code of the safe?"),
        ]
    async with over_http(tenant, **{"x-agent-id": other.agent_id}) as client:
        answers += [
            await call(client, "search_memories", query="What is the code of the safe?"),
            await call(client, "assemble_context", question="What is the code of the safe?"),
        ]

    assert answers[0].endswith("There is no such memory.")
    assert answers[1].startswith("error: ")
    assert "content" in answers[2]
    assert answers[3]["memories"] == []
    assert answers[4].endswith("There is no such agent.")
    assert "4711" not in str(answers)


REFUSED = {
    "no credential": ({}, 401, "missing_credential"),
    "a wrong key": ({"x-api-key": "rk_wrong"}, 401, "invalid_credential"),
    "a wrong bearer": ({"authorization": "Bearer rk_wrong"}, 401, "invalid_credential"),
}


@pytest.mark.parametrize("headers", REFUSED.values(), ids=list(REFUSED))
@pytest.mark.parametrize("body", [b"{}", b"not JSON", json.dumps(INITIALIZE).encode()], ids=["empty", "bad", "good"])
def test_who_is_nobody_is_refused_before_the_message_is_read(
    tenant: Tenant, headers: tuple[dict[str, str], int, str], body: bytes
) -> None:
    sent, status, code = headers
    common = {"content-type": "application/json", "accept": "application/json, text/event-stream"}

    answer = httpx.post(f"{tenant.stack.url}/mcp", content=body, headers=common | sent, timeout=START_SECONDS)

    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert answer.json().keys() == {"error", "request_id"}


def post(tenant: Tenant, message: Any, **headers: str) -> httpx.Response:
    common = {"accept": "application/json, text/event-stream", "x-agent-id": tenant.agent_id}
    return tenant.client.post("/mcp", json=message, headers=common | headers, timeout=START_SECONDS)


def test_an_agent_has_to_be_named(tenant: Tenant) -> None:
    answer = post(tenant, INITIALIZE, **{"x-agent-id": ""})

    assert answer.status_code == 400
    assert answer.json()["error"]["fields"] == {"X-Agent-ID": "is required"}


@pytest.mark.parametrize("name", ["", "\u00a0", "\u3000", "\u200b"])
def test_a_blank_end_user_is_refused_before_any_tool(tenant: Tenant, name: str) -> None:
    answer = post(tenant, INITIALIZE, **{"x-end-user-id": name.encode()})  # type: ignore[arg-type]

    assert (answer.status_code, list(answer.json()["error"]["fields"])) == (400, ["X-End-User-ID"])


@pytest.mark.long
@pytest.mark.parametrize("name", ["", " ", "\u3000", "\u200b"])
@pytest.mark.parametrize("setting", ["USER", "AGENT"])
def test_a_server_with_a_blank_setting_does_not_start(tenant: Tenant, setting: str, name: str) -> None:
    environment = {
        "PYTHONPATH": str(ROOT / "clients" / "python" / "src"),
        "REMEMBRANCER_URL": tenant.stack.url,
        f"REMEMBRANCER_{setting}_ID": name,
    }
    command = [sys.executable, "-c", "from remembrancer_client.mcp import main; main()"]

    ended = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )

    assert ended.returncode == 1
    assert f"REMEMBRANCER_{setting}_ID" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_key_has_to_allow_what_a_tool_does(new_tenant: NewTenant) -> None:
    writes, reads = new_tenant(scopes=("write",)), new_tenant(scopes=("query",))
    message = {"name": "remember", "arguments": {"content": "The piano is tuned on Tuesdays."}}

    refused = post(writes, INITIALIZE)
    told = post(reads, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": message})

    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "missing_scope")
    assert told.status_code == 200
    assert told.json()["result"]["isError"] is True
    assert "lacks the scope 'write'" in told.text


@pytest.mark.parametrize("name", ["ada", "\N{LATIN CAPITAL LETTER L WITH STROKE}ukasz"])
def test_a_token_is_a_credential_too(tenant: Tenant, provider: IdentityProvider, name: str) -> None:
    """Also that of somebody whose name no header can hold."""
    project: dict[str, Any] = {"org_id": tenant.org_id, "project_id": PROJECT, "environment": "production"}
    token = provider.token(sub=name, scope="query write", **project)
    tenant.remember("My piano is tuned on Sundays.", user_id=name)
    tenant.remember("Isla's piano is tuned on Mondays.", user_id="isla")
    headers = {"authorization": f"Bearer {token}", "accept": "application/json, text/event-stream"}

    def told(tool: str, **arguments: str) -> str:
        asked = {"name": tool, "arguments": arguments}
        answer = httpx.post(
            f"{tenant.stack.url}/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked},
            headers={**headers, "x-agent-id": tenant.agent_id},
            timeout=START_SECONDS,
        )
        assert answer.status_code == 200, answer.text
        assert not answer.json()["result"]["isError"], answer.text
        return str(answer.json()["result"]["content"][0]["text"])

    found = told("search_memories", query="When is the piano tuned?")
    written = json.loads(told("remember", content="My piano is in the hall."))
    corrected = json.loads(told("correct_memory", memory_id=written["id"], content="My piano is in the attic."))
    forgotten = json.loads(told("forget_memory", memory_id=corrected["id"]))

    assert "Sundays" in found
    assert "Mondays" not in found
    assert forgotten["id"] == corrected["id"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_neither_a_stream_nor_a_session(tenant: Tenant, method: str) -> None:
    answer = tenant.client.request(method, "/mcp", timeout=START_SECONDS)

    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_a_page_in_a_browser_is_refused(tenant: Tenant) -> None:
    assert post(tenant, INITIALIZE, origin="https://attacker.example").status_code == 403
    assert post(tenant, INITIALIZE).status_code == 200


async def test_a_load_balancer_is_answered_alike(tenant: Tenant) -> None:
    event = {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:…:targetgroup/remembrancer/1"}},
        "httpMethod": "POST",
        "path": "/mcp",
        "queryStringParameters": {},
        "headers": {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            "host": "remembrancer.example.com",
            "x-agent-id": tenant.agent_id,
            "x-api-key": tenant.client.headers["x-api-key"],
            "x-forwarded-for": "203.0.113.7",
        },
        "body": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        "isBase64Encoded": False,
    }

    answer = tenant.loop.run(tenant.stack.invoke("McpFunction", event))

    assert answer["statusCode"] == 200
    assert {tool["name"] for tool in json.loads(answer["body"])["result"]["tools"]} == TOOLS


def test_what_a_tool_used_is_counted_after_the_response(tenant: Tenant) -> None:
    (memory,) = tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.", user_id="isla")
    question = {"name": "search_memories", "arguments": {"query": "When is the piano tuned?"}}

    post(
        tenant,
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": question},
        **{"x-end-user-id": "isla"},
    )

    tenant.drain()
    counted = tenant.client.get(f"/v1/memories/{memory}", headers={"x-end-user-id": "isla"}).json()
    assert counted["usage_count"] == 1
