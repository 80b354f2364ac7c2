"""For each function an event, what is taken of its answer, and what that must be."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from tests.e2e.conftest import Tenant
from tests.e2e.events import http_event, queue_event

FOLDERS = {
    "assemble": "AssembleFunction",
    "query": "QueryFunction",
    "memories": "MemoriesFunction",
    "mcp": "McpFunction",
    "embed": "EmbedFunction",
    "capture": "CaptureFunction",
    "side_effects": "SideEffectsFunction",
    "maintain": "MaintainFunction",
    "migrate": "MigrateFunction",
}


def case_of(tenant: Tenant, folder: str) -> tuple[dict[str, Any], Callable[[Any], Any], Any]:
    """The event, what is taken of the answer, and what that must be."""
    nobody = json.dumps({"org_id": tenant.org_id, "memory_id": str(uuid4())})
    no_conversation = json.dumps({"org_id": tenant.org_id, "conversation_id": str(uuid4())})
    assembly = {
        "org_id": tenant.org_id,
        "agent_id": tenant.agent_id,
        "model": "gpt-4o",
        "request_id": "r",
        "messages": [{"role": "user", "content": "Where does the heron sleep?"}],
    }
    # The highest tier, since its deadline is the longest: a new instance on a busy machine is slow.
    query = {"query": "heron", "agent_id": tenant.agent_id, "computation_tier": "high"}
    memory = {"agent_id": tenant.agent_id, "content": "The heron sleeps in the old oak"}
    failures = {"batchItemFailures": [{"itemIdentifier": "message-1"}]}
    cases: dict[str, tuple[dict[str, Any], Callable[[Any], Any], Any]] = {
        "assemble": (http_event(tenant, "POST", "/v1/context/assemble", assembly), assembled, (200, "", 1)),
        "query": (http_event(tenant, "POST", "/memory/query", query), found, (200, [memory["content"]])),
        "memories": (http_event(tenant, "POST", "/v1/memories", memory), accepted, (202, "duplicate")),
        # A write, since no tool lets a search of a new instance on a busy machine take longer.
        "mcp": (mcp_event(tenant, "remember", content=memory["content"]), told, (200, "duplicate")),
        "embed": (queue_event(nobody, "poison"), dict, failures),
        "capture": (queue_event(no_conversation, "poison"), dict, failures),
        "side_effects": (queue_event(usage_event(tenant), "[]"), dict, failures),
        "maintain": ({}, lambda answer: answer["failed"], 0),
        "migrate": ({}, lambda answer: answer["applied"], []),
    }
    return cases[folder]


def assembled(answer: dict[str, Any]) -> Any:
    body = json.loads(answer["body"])
    return answer["statusCode"], body["metadata"]["fallback_reason"], body["metadata"]["memories_injected"]


def found(answer: dict[str, Any]) -> Any:
    return answer["statusCode"], [memory["content"] for memory in json.loads(answer["body"])["memories"]]


def mcp_event(tenant: Tenant, tool: str, **arguments: str) -> dict[str, Any]:
    call = {"name": tool, "arguments": arguments}
    event = http_event(tenant, "POST", "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    named = {"accept": "application/json, text/event-stream", "x-agent-id": tenant.agent_id}
    return {**event, "headers": {**event["headers"], **named}}


def told(answer: dict[str, Any]) -> Any:
    return answer["statusCode"], json.loads(answer["body"])["result"]["structuredContent"]["status"]


def accepted(answer: dict[str, Any]) -> Any:
    return answer["statusCode"], json.loads(answer["body"])["status"]


def usage_event(tenant: Tenant) -> str:
    return json.dumps(
        {
            "event_id": str(uuid4()),
            "org_id": tenant.org_id,
            "agent_id": tenant.agent_id,
            "memory_ids": [str(uuid4())],
            "kind": "query",
            "at": "2026-01-01T00:00:00+00:00",
        }
    )
