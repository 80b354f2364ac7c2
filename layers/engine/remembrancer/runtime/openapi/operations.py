"""Every operation of the API: route, scope, what goes in, what comes out. A test holds them against the handlers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from remembrancer.domain.memories.memory import CATEGORIES, STATUSES
from remembrancer.runtime.openapi.schemas import choice, end_user, ref, text, whole

Answers = Mapping[int, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Operation:
    """`scope` is empty where no credential is asked for; what every refusal has in common is not repeated.

    An answer is a description and a schema, with its content type before it when that is not JSON.
    """

    route: str
    name: str
    summary: str
    answers: Answers
    scope: str = ""
    body: str = ""
    parameters: Sequence[Mapping[str, Any]] = ()
    refusals: tuple[int, ...] = field(default=())
    connect: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether it reads `Idempotency-Key`."""
        return self.route.startswith("POST ")

    @property
    def refuses_reused_keys(self) -> bool:
        """Assembly does not: it is never the reason that a request fails."""
        return self.is_repeatable and self.scope != "assemble"


def _query(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _deadline(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    meaning = "How long the caller waits, in milliseconds; the answer comes 5 ms before."
    return {"name": name, "in": "header", "description": meaning, "schema": schema}


_DEADLINE = {"type": "number", "exclusiveMinimum": 0, "maximum": 60_000}

OPERATIONS = (
    Operation(
        "POST /v1/context/assemble",
        "assembleContext",
        "The context of one chat request",
        {200: ("Whatever is ready in time; `fallback_reason` says what is missing.", "AssembleResponse")},
        scope="assemble",
        body="AssembleRequest",
        parameters=(_deadline("X-Deadline-Ms", _DEADLINE),),
        refusals=(404,),
    ),
    Operation(
        "POST /remembrancer.context.v1.ContextAssemblyService/AssembleContext",
        "assembleContextRpc",
        "The same as a Connect call; application/proto is read and answered too",
        {200: ("AssembleContextResponse.", "ConnectResponse")},
        scope="assemble",
        body="ConnectRequest",
        parameters=(_deadline("Connect-Timeout-Ms", {"type": "integer", "minimum": 1, "maximum": 60_000}),),
        refusals=(404, 415, 501),
        connect=True,
    ),
    Operation(
        "POST /memory/query",
        "queryMemory",
        "Search with explained ranks",
        {200: ("Ranked memories.", "QueryResponse")},
        scope="query",
        body="QueryRequest",
        refusals=(404,),
    ),
    Operation(
        "POST /v1/memories/query",
        "queryMemories",
        "The same under another name",
        {200: ("Ranked memories.", "QueryResponse")},
        scope="query",
        body="QueryRequest",
        refusals=(404,),
    ),
    Operation(
        "POST /v1/memories",
        "createMemory",
        "Write one memory",
        {202: ("Written, or there already.", "Written")},
        scope="write",
        body="NewMemory",
        refusals=(404,),
    ),
    Operation(
        "POST /v1/memories/batch",
        "createMemories",
        "Write up to 100",
        {207: ("One result each, in order.", "WrittenMemories")},
        scope="write",
        body="NewMemories",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/memories/{memory_id}",
        "getMemory",
        "One memory with its versions and relations",
        {200: ("The memory.", "WholeMemory")},
        scope="query",
        parameters=(_query("before", whole(1, 2**31 - 1)),),
        refusals=(404,),
    ),
    Operation(
        "GET /v1/memories",
        "listMemories",
        "The memories, newest first",
        {200: ("A page.", "Memories")},
        scope="query",
        parameters=(
            _query("agent_id", ref("Id")),
            _query("user_id", end_user()),
            _query("category", choice(CATEGORIES)),
            _query("tag", text(64)),
            _query("since", {"type": "string", "format": "date-time"}),
            _query("status", choice(tuple(status for status in STATUSES if status != "deleted"))),
            _query("embedding_state", choice(("pending", "ready", "failed"))),
            _query("limit", whole(1, 200, default=50)),
            _query("cursor", text()),
        ),
        refusals=(404,),
    ),
    Operation(
        "PATCH /v1/memories/{memory_id}",
        "changeMemory",
        "Change one; a new text is a new version",
        {200: ("The memory as it is now.", "WholeMemory")},
        scope="write",
        body="MemoryChange",
        parameters=({"name": "If-Match", "in": "header", "schema": {"type": "string", "examples": ['"2"', "*"]}},),
        refusals=(404, 409, 412),
    ),
    Operation(
        "DELETE /v1/memories/{memory_id}",
        "deleteMemory",
        "Forget one, at once in every search",
        {200: ("It can be restored until then.", "DeletedMemory")},
        scope="write",
        refusals=(404,),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/restore",
        "restoreMemory",
        "Undo that, for 7 days",
        {200: ("The memory.", "WholeMemory")},
        scope="write",
        refusals=(404, 409),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/feedback",
        "rateMemory",
        "It was useful, or not",
        {200: ("How often either was said.", "FeedbackCounts")},
        scope="write",
        body="Feedback",
        refusals=(404, 409),
    ),
    Operation(
        "POST /v1/memories/{memory_id}/relations",
        "createRelation",
        "Relate two memories",
        {201: ("The new relation.", "Relation"), 200: ("The relation that is there.", "Relation")},
        scope="write",
        body="NewRelation",
        refusals=(404,),
    ),
    Operation(
        "DELETE /v1/memories/{memory_id}/relations/{relation_id}",
        "deleteRelation",
        "Undo that",
        {200: ("What was undone.", "Relation")},
        scope="write",
        refusals=(404,),
    ),
    Operation(
        "PUT /v1/agents/{agent_id}/directive",
        "putDirective",
        "A new version of the directive",
        {200: ("The version, active now.", "Directive")},
        scope="write",
        body="NewDirective",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/agents/{agent_id}/directive",
        "getDirective",
        "The active version",
        {200: ("The version.", "Directive")},
        scope="query",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/agents/{agent_id}/directive/versions",
        "listDirectives",
        "All versions, newest first",
        {200: ("A page.", "DirectiveVersions")},
        scope="query",
        parameters=(_query("before", whole(1, 2**31 - 1)), _query("limit", whole(1, 100, default=20))),
        refusals=(404,),
    ),
    Operation(
        "POST /v1/agents",
        "createAgent",
        "A new agent",
        {201: ("The agent.", "Agent")},
        scope="write",
        body="NewAgent",
        refusals=(409,),
    ),
    Operation(
        "GET /v1/agents",
        "listAgents",
        "The agents",
        {200: ("A page, by name.", "Agents")},
        scope="query",
        parameters=(_query("limit", whole(1, 500, default=100)), _query("cursor", text(2048))),
    ),
    Operation(
        "POST /v1/keys",
        "createKey",
        "A new API key",
        {
            201: ("The key; its text is never shown again.", "KeyWithText"),
            200: ("The key that this request made before, without its text.", "Key"),
        },
        scope="admin",
        body="NewKey",
    ),
    Operation(
        "GET /v1/keys",
        "listKeys",
        "The API keys",
        {200: ("A page, oldest first.", "Keys")},
        scope="admin",
        parameters=(_query("limit", whole(1, 100, default=50)), _query("cursor", text(2048))),
    ),
    Operation(
        "DELETE /v1/keys/{key_id}",
        "revokeKey",
        "Revoke an API key",
        {200: ("The key; within seconds nobody gets in with it.", "Key")},
        scope="admin",
        refusals=(404,),
    ),
    Operation(
        "POST /v1/erasures",
        "createErasure",
        "Erase an end user, an agent or the organization",
        {202: ("It goes on by itself until all is gone.", "AcceptedErasure")},
        scope="admin",
        body="NewErasure",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/erasures/{erasure_id}",
        "getErasure",
        "How far an erasure is",
        {200: ("The record of it.", "Erasure")},
        scope="admin",
        refusals=(404,),
    ),
    Operation(
        "GET /v1/export",
        "exportMemories",
        "Everything remembered, as JSON Lines",
        {200: ("A page; `X-Next-Cursor` leads to the next.", "application/x-ndjson Lines")},
        scope="query",
        parameters=(
            _query("agent_id", ref("Id")),
            _query("user_id", end_user()),
            _query("limit", whole(1, 500, default=100)),
            _query("cursor", text()),
        ),
        refusals=(404,),
    ),
    Operation("GET /v1/health", "health", "This process answers", {200: ("It does.", "Health")}),
    Operation(
        "GET /v1/ready",
        "ready",
        "Whether each dependency answers",
        {200: ("All that are needed do.", "Readiness"), 503: ("One that is needed does not.", "Readiness")},
        refusals=(429,),
    ),
    Operation("GET /openapi.json", "openapi", "This document", {200: ("OpenAPI 3.1.", "OpenApi")}),
)
