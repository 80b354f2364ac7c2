"""What the MCP tools say of an answer that lacks a source, without a service."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from remembrancer_client import AsyncClient
from remembrancer_client.mcp import Caller, server

NOW = "2026-11-27T12:00:00+00:00"
FOUND = {"memories": [], "query_intent": "fact", "computation_tier": "medium", "ended_by": "exhausted", "left_out": 0}
MEMORY = {"id": "m", "agent_id": "a", "content": "Tea.", "category": "factual", "created_at": NOW, "score": 0.5}


def told(tool: str, answer: Any, **arguments: Any) -> Any:
    """The structured result of a tool where the service answers so."""

    def service(request: httpx.Request) -> httpx.Response:
        body = answer(json.loads(request.content)) if callable(answer) else answer
        return httpx.Response(200, json=body)

    async def asked() -> Any:
        client = AsyncClient(
            "http://service", api_key="k", org_id="o", agent_id="a", transport=httpx.MockTransport(service)
        )
        async with client:
            return await server(lambda: Caller(client)).call_tool(tool, arguments)

    return asyncio.run(asked())


@pytest.mark.parametrize(
    ("degraded", "incomplete"),
    [
        ([], ""),
        (["vector_timeout"], "Search by meaning took too long."),
        (
            ["vector_timeout", "lexical_error:OperationalError"],
            "Search by meaning took too long. Search by words failed",
        ),
    ],
)
@pytest.mark.parametrize("memories", [[], [MEMORY]], ids=["nothing", "something"])
def test_a_search_says_what_was_late(degraded: list[str], incomplete: str, memories: list[Any]) -> None:
    result = told("search_memories", FOUND | {"memories": memories, "degraded": degraded}, query="Tea?")

    found = result.structured_content
    assert len(found["memories"]) == len(memories)
    assert found["incomplete"].startswith(incomplete)
    assert bool(found["incomplete"]) == bool(degraded)


@pytest.mark.parametrize(
    ("reason", "injected", "text"),
    [
        ("", "", "Nothing is known."),
        ("", "Tea.", "Tea."),
        (
            "cold_timeout,lexical_timeout",
            "",
            "Nothing was found, but not everything was searched. Search by meaning and search by words took too long. "
            "Ask again before you say that nothing is known.",
        ),
        (
            "hot_error:ConnectionError",
            "Tea.",
            "Tea.\nThis is incomplete. The read of the most used memories failed (ConnectionError). "
            "Memories may be missing.",
        ),
    ],
)
def test_a_context_says_what_is_missing(reason: str, injected: str, text: str) -> None:
    def assembled(asked: Any) -> Any:
        metadata = {"fallback_reason": reason, "memory_ids": []}
        new = [{"role": "system", "content": injected}] if injected else []
        return {"messages": [*new, *asked["messages"]], "metadata": metadata}

    result = told("assemble_context", assembled, question="Tea?")

    assert result.content[0].text == text
