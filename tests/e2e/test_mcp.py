"""The MCP server over stdio, by the SDK's own client."""

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters

from local.stack import ROOT
from tests.e2e.conftest import Tenant

TOOLS = {"search_memories", "remember", "correct_memory", "forget_memory", "assemble_context"}


@asynccontextmanager
async def connected(tenant: Tenant, user: str = "isla", **environment: str) -> AsyncIterator[Client]:
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


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    text = getattr(result.content[0], "text", "") if result.content else ""
    if result.is_error:
        return f"error: {text}"
    structured = result.structured_content
    return structured.get("result", structured) if structured else json.loads(text)


async def test_every_tool_is_listed_and_names_nobody(tenant: Tenant) -> None:
    async with connected(tenant) as client:
        tools = (await client.list_tools()).tools

    assert {tool.name for tool in tools} == TOOLS
    arguments = {name for tool in tools for name in tool.input_schema["properties"]}
    assert not {"org_id", "agent_id", "user_id"} & arguments
    assert all(tool.description for tool in tools)


async def test_a_memory_is_found_corrected_and_forgotten(tenant: Tenant) -> None:
    async with connected(tenant) as client:
        written = await call(client, "remember", content="The piano is tuned on Tuesdays.")
        found = await call(client, "search_memories", query="When is the piano tuned?")
        corrected = await call(
            client, "correct_memory", memory_id=written["id"], content="The piano is tuned on Fridays."
        )
        context = await call(client, "assemble_context", question="When is the piano tuned?")
        forgotten = await call(client, "forget_memory", memory_id=corrected["id"])
        nothing = await call(client, "search_memories", query="When is the piano tuned?")

    assert [memory["content"] for memory in found] == ["The piano is tuned on Tuesdays."]
    assert corrected["supersedes"] == written["id"]
    assert "Fridays" in context
    assert "Tuesdays" not in context
    assert forgotten["id"] == corrected["id"]
    assert nothing == []


async def test_it_acts_for_its_own_end_user_only(tenant: Tenant) -> None:
    async with connected(tenant, user="isla") as isla, connected(tenant, user="ada") as ada:
        written = await call(isla, "remember", content="Isla's piano is tuned on Tuesdays.")
        seen = await call(ada, "search_memories", query="When is the piano tuned?")
        refused = await call(ada, "forget_memory", memory_id=written["id"])

    assert seen == []
    assert refused.endswith("There is no such memory.")


async def test_the_directive_is_a_resource(tenant: Tenant) -> None:
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json={"text": "You are Hob."})
    async with connected(tenant) as client:
        (content,) = (await client.read_resource("remembrancer://directive")).contents

    assert getattr(content, "text", "") == "You are Hob."


async def test_a_service_that_is_down_is_told_plainly(tenant: Tenant) -> None:
    async with connected(tenant, REMEMBRANCER_URL="http://127.0.0.1:1") as client:
        answers = [
            await call(client, "search_memories", query="piano"),
            await call(client, "assemble_context", question="piano"),
        ]

    assert answers[0].endswith("The memory does not answer. Try again later.")
    assert answers[1] == "Nothing is known (unreachable)."
