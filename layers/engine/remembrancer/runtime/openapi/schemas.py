"""The bodies of requests and answers as JSON Schema, with the limits that the readers in `domain` keep."""

from collections.abc import Mapping, Sequence
from typing import Any

from remembrancer.domain.context import assembly
from remembrancer.domain.identity import key_request
from remembrancer.domain.identity.scope import KEY_SCOPES, LONGEST_END_USER
from remembrancer.domain.memories import write_request
from remembrancer.domain.memories.memory import CATEGORIES, RELATION_TYPES, SOURCES, STATUSES
from remembrancer.domain.ranking.assembly_score import DEFAULT_WEIGHTS as ASSEMBLY_WEIGHTS
from remembrancer.domain.ranking.hybrid_ranking import DEFAULT_WEIGHTS as QUERY_WEIGHTS
from remembrancer.domain.retrieval.intents import INTENTS, TIERS

Schema = dict[str, Any]

# Visible somewhere: strings are trimmed, and NUL is refused.
_VISIBLE = r"^[^\u0000]*[!-~][^\u0000]*$"
_NAME = r"[^\u0000*]*[!-)+-~][^\u0000*]*"
_SHORT = 256
_MEMORY_TIERS = ("hot", "warm", "cold")


def ref(name: str) -> Schema:
    """Another of the schemas here."""
    return {"$ref": f"#/components/schemas/{name}"}


def text(longest: int = _SHORT, **more: Any) -> Schema:
    """A string with something to see in it."""
    return {"type": "string", "minLength": 1, "maxLength": longest, "pattern": _VISIBLE, **more}


def end_user() -> dict[str, Any]:
    """The name of an end user."""
    return {**text(LONGEST_END_USER), "pattern": rf"^{_NAME}$"}


def optional(schema: Schema) -> Schema:
    """Or null, which is the same as absent."""
    return {"anyOf": [schema, {"type": "null"}]}


def choice(values: Sequence[str]) -> Schema:
    """One of these."""
    return {"type": "string", "enum": list(values)}


def listing(items: Schema, **more: Any) -> Schema:
    """A list."""
    return {"type": "array", "items": items, **more}


def number(low: float, high: float, **more: Any) -> Schema:
    """A number in a range, its ends included."""
    return {"type": "number", "minimum": low, "maximum": high, **more}


def whole(low: int, high: int, **more: Any) -> Schema:
    """A whole number in a range, its ends included."""
    return {"type": "integer", "minimum": low, "maximum": high, **more}


def asked(required: Sequence[str], open_: bool = False, /, **fields: Schema) -> Schema:
    """What a request may have: fields that are not required may be null; others than these are refused."""
    properties = {name: schema if name in required else optional(schema) for name, schema in fields.items()}
    return {
        "type": "object",
        "required": list(required),
        "properties": properties,
        **({} if open_ else {"additionalProperties": False}),
    }


def answered(**fields: Schema) -> Schema:
    """What an answer has, all of it, and maybe more."""
    return {"type": "object", "required": list(fields), "properties": fields}


def partly(schema: Schema, **fields: Schema) -> Schema:
    """The same, with fields that an answer may lack."""
    return schema | {"properties": schema["properties"] | fields}


def _weights(defaults: Mapping[str, float]) -> Schema:
    return {
        "type": "object",
        "properties": {name: number(0, 1_000_000, default=value) for name, value in defaults.items()},
        "additionalProperties": False,
    }


_ID: Schema = {
    "type": "string",
    "format": "uuid",
    "pattern": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
}
_MOMENT: Schema = {
    "type": "string",
    "format": "date-time",
    "description": "ISO 8601; without an offset it is UTC.",
}
_STRING: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_INTEGER: Schema = {"type": "integer"}
_BOOLEAN: Schema = {"type": "boolean"}
_OPEN: Schema = {"type": "object"}
_TIMINGS: Schema = {"type": "object", "additionalProperties": _NUMBER}

_MEMORY = {
    "id": ref("Id"),
    "agent_id": ref("Id"),
    "user_id": optional(_STRING),
    "session_id": optional(_STRING),
    "content": _STRING,
    "summary": optional(_STRING),
    "category": choice(CATEGORIES),
    "source": choice(SOURCES),
    "confidence": number(0, 1),
    "importance": number(0, 1),
    "tags": listing(_STRING),
    "created_at": _STRING,
    "expires_at": optional(_STRING),
    "usage_count": _INTEGER,
    "supersedes": optional(ref("Id")),
}

_INJECTION_METADATA = answered(
    directive_injected=_BOOLEAN,
    memories_injected=_INTEGER,
    memories_available=_INTEGER,
    total_tokens_injected=_INTEGER,
    context_window_used=whole(0, 100),
    was_truncated=_BOOLEAN,
    fallback_reason=_STRING,
    memory_ids=listing(ref("Id")),
    tier=_STRING,
    sources={
        "type": "object",
        "additionalProperties": answered(
            status=choice(("ok", "timeout", "error", "skipped")),
            started_ms=_NUMBER,
            latency_ms=_NUMBER,
            count=_INTEGER,
        ),
    },
    timings_ms=_TIMINGS,
    deadline_ms=_NUMBER,
    deadline_met=_BOOLEAN,
    budget=optional(_OPEN),
    packing=_STRING,
    directive_version=_INTEGER,
)

SCHEMAS: dict[str, Schema] = {
    "Id": _ID,
    "Error": answered(
        error={
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": _STRING,
                "message": _STRING,
                "fields": {"type": "object", "additionalProperties": _STRING},
            },
        },
        request_id=_STRING,
    ),
    "ConnectError": answered(code=_STRING, message=_STRING, details=listing(_OPEN)),
    "ChatMessage": {
        "type": "object",
        "required": ["role"],
        "properties": {
            "role": {"type": "string", "minLength": 1},
            "content": {"anyOf": [_STRING, {"type": "null"}, listing(_OPEN)]},
        },
    },
    "AssembleRequest": asked(
        ("org_id", "agent_id", "model", "request_id", "messages"),
        True,
        org_id=ref("Id"),
        agent_id=ref("Id"),
        session_id=ref("Id"),
        turn_id=text(),
        user_id=text(),
        model=text(),
        request_id=text(),
        messages=listing(ref("ChatMessage"), minItems=1, maxItems=assembly.MOST_MESSAGES),
        tools=listing(_OPEN, maxItems=1000),
        options=asked(
            (),
            True,
            max_memories=whole(0, 1000),
            memory_tokens=whole(0, assembly.MOST_MEMORY_TOKENS),
            categories=listing(choice(CATEGORIES), maxItems=16),
            relevance_floor=number(0, 1),
            skip=listing(choice(assembly.SKIPPABLE), maxItems=3),
            weights=_weights(ASSEMBLY_WEIGHTS),
            explain=_BOOLEAN,
            hyde=_BOOLEAN,
        ),
    ),
    "InjectionMetadata": partly(
        _INJECTION_METADATA,
        map_behind=_INTEGER,
        candidates=listing(ref("Candidate"), description="With `explain`."),
    ),
    "Candidate": answered(
        id=ref("Id"),
        content=_STRING,
        category=choice(CATEGORIES),
        created_at=_STRING,
        user_id=optional(_STRING),
        score=_NUMBER,
        tokens=_INTEGER,
        disposition=_STRING,
        factors={"type": "object", "additionalProperties": _NUMBER},
        evidence=answered(dense=optional(_NUMBER), lexical=optional(_NUMBER), hot=_BOOLEAN, subject=_NUMBER),
        replaced=_BOOLEAN,
    ),
    "AssembleResponse": answered(
        messages=listing(ref("ChatMessage")), metadata=ref("InjectionMetadata"), request_id=_STRING
    ),
    "ConnectRequest": {
        "description": "AssembleContextRequest of proto/remembrancer/context/v1/context.proto, as proto3 JSON.",
        **asked(
            ("org_id", "agent_id", "model", "request_id", "messages"),
            True,
            org_id=ref("Id"),
            agent_id=ref("Id"),
            model=text(),
            request_id=text(),
            messages=listing(ref("ConnectMessage"), minItems=1, maxItems=assembly.MOST_MESSAGES),
        ),
    },
    "ConnectMessage": {
        "type": "object",
        "required": ["role"],
        "properties": {
            "role": {"type": "string", "minLength": 1},
            "content": _STRING,
            "fields_json": {"type": "string", "contentMediaType": "application/json", "examples": ['{"name":"ada"}']},
        },
    },
    "ConnectResponse": answered(
        messages=listing(ref("ConnectMessage")), metadata=ref("InjectionMetadata"), request_id=_STRING
    ),
    "QueryRequest": asked(
        ("query",),
        query={**text(8000), "description": "Longer ones are cut."},
        k={**_INTEGER, "default": 5, "description": "Clamped to 1..50."},
        traversal_depth={**_INTEGER, "default": 1, "description": "Clamped to 1..3."},
        agent_id=ref("Id"),
        user_id={**choice(("*",)), "description": "Of all end users, for a key with the scope `all_users`."},
        session_id=text(),
        turn_id=text(),
        filters=asked(
            (),
            categories=listing(choice(CATEGORIES), maxItems=16),
            sources=listing(choice(SOURCES), maxItems=16),
            tags=listing(text(64), maxItems=20),
            since=_MOMENT,
            until=_MOMENT,
            min_confidence={**_NUMBER, "description": "Clamped to 0..1."},
            include_summaries=_BOOLEAN,
            tier=listing(choice(_MEMORY_TIERS), maxItems=3),
        ),
        weights=_weights(QUERY_WEIGHTS),
        computation_tier=choice(TIERS),
        messages=listing(_OPEN, maxItems=2000),
        summary_index=whole(0, 1_000_000),
        hyde=_BOOLEAN,
        explain=_BOOLEAN,
    ),
    "QueryResponse": answered(
        memories=listing(answered(**_MEMORY, score=_NUMBER)),
        query_intent=choice(INTENTS),
        confidence_scores=listing(_NUMBER),
        computation_tier=choice(TIERS),
        sla_target_ms=_NUMBER,
        sla_met=_BOOLEAN,
        routing_info=_OPEN,
        timings_ms=_TIMINGS,
        tiebreak_applied=_BOOLEAN,
        adjusted=_OPEN,
        degraded=listing(_STRING),
        request_id=_STRING,
    ),
    "NewMemory": asked(
        ("agent_id", "content"),
        agent_id=ref("Id"),
        content=text(write_request.CONTENT_CHARACTERS),
        summary=text(write_request.CONTENT_CHARACTERS),
        context=text(write_request.CONTENT_CHARACTERS),
        category=choice(CATEGORIES),
        source=choice(SOURCES),
        confidence=number(0, 1, default=0.8),
        importance=number(0, 1, default=0.5),
        tags=listing(text(64), maxItems=20),
        metadata={"type": "object", "maxProperties": write_request.METADATA_KEYS},
        user_id=end_user(),
        session_id=text(),
        created_at=_MOMENT,
        valid_from=_MOMENT,
        expires_at=_MOMENT,
        supersedes=ref("Id"),
        client_ref=text(),
    ),
    "Written": partly(
        answered(id=ref("Id"), status=choice(("accepted", "duplicate")), client_ref=optional(_STRING)), redacted=_OPEN
    ),
    "NewMemories": asked(("memories",), memories=listing(ref("NewMemory"), minItems=1, maxItems=write_request.BATCH)),
    "WrittenMemories": answered(
        results=listing(
            {
                "anyOf": [
                    ref("Written"),
                    answered(status=choice(("error",)), client_ref=optional(_STRING), error=_OPEN),
                ]
            }
        )
    ),
    "StoredMemory": answered(
        **_MEMORY,
        context=optional(_STRING),
        quality=number(0, 1),
        metadata=_OPEN,
        redacted=_OPEN,
        status=choice(STATUSES),
        tier=choice(_MEMORY_TIERS),
        version=_INTEGER,
        embedding_state=choice(("pending", "ready", "failed", "dropped")),
        embedding_error=optional(_STRING),
        client_ref=optional(_STRING),
        superseded_by=optional(ref("Id")),
        retrieval_count=_INTEGER,
        positive_count=_INTEGER,
        negative_count=_INTEGER,
        last_accessed_at=optional(_STRING),
        valid_from=optional(_STRING),
        updated_at=optional(_STRING),
    ),
    "WholeMemory": {
        "allOf": [
            ref("StoredMemory"),
            answered(
                versions=listing(_OPEN),
                next_before=optional(_INTEGER),
                version_chain=listing(ref("Id")),
                relations=listing(ref("Relation")),
                has_more_relations=_BOOLEAN,
            ),
        ]
    },
    "MemoryChange": asked(
        (),
        content=text(write_request.CONTENT_CHARACTERS),
        summary=text(write_request.CONTENT_CHARACTERS),
        context=text(write_request.CONTENT_CHARACTERS),
        category=choice(CATEGORIES),
        source=choice(SOURCES),
        confidence=number(0, 1),
        importance=number(0, 1),
        tags=listing(text(64), maxItems=20),
        metadata={"type": "object", "maxProperties": write_request.METADATA_KEYS},
        valid_from=_MOMENT,
        expires_at=_MOMENT,
        status=choice(("active", "archived", "pending_review")),
    ),
    "DeletedMemory": answered(id=ref("Id"), status=choice(("deleted",)), restorable_until=_STRING),
    "NewErasure": asked((), user_id=end_user(), agent_id=ref("Id"), org_id=ref("Id"))
    | {"description": "Exactly one of the three."},
    "AcceptedErasure": answered(erasure_id=ref("Id"), status=choice(("accepted",))),
    "Erasure": answered(
        erasure_id=ref("Id"),
        kind=choice(("user", "agent", "organization")),
        status=choice(("running", "done")),
        counts=_OPEN,
        requested_at=_STRING,
        finished_at=optional(_STRING),
    ),
    "Lines": {"type": "string", "description": "A WholeMemory without `version_chain` on each line."},
    "Feedback": asked(("feedback",), feedback=choice(("positive", "negative"))),
    "FeedbackCounts": answered(id=ref("Id"), positive_count=_INTEGER, negative_count=_INTEGER),
    "Memories": answered(memories=listing(ref("StoredMemory")), next_cursor=optional(_STRING)),
    "NewRelation": asked(
        ("to", "type"), to=ref("Id"), type=choice(RELATION_TYPES), confidence=number(0, 1, default=0.8)
    ),
    "Relation": answered(
        **{"from": ref("Id")},
        relation_id=ref("Id"),
        to=ref("Id"),
        type=choice(RELATION_TYPES),
        confidence=number(0, 1),
    ),
    "NewDirective": asked(
        ("text",),
        text=text(write_request.DIRECTIVE_CHARACTERS),
        injection_mode=choice(write_request.INJECTION_MODES),
    ),
    "Directive": answered(
        agent_id=ref("Id"), version=_INTEGER, text=_STRING, injection_mode=choice(write_request.INJECTION_MODES)
    ),
    "DirectiveVersions": answered(versions=listing(ref("Directive")), next_before=optional(_INTEGER)),
    "NewAgent": asked(("name",), name=text()),
    "Agent": answered(agent_id=ref("Id"), name=_STRING, created_at=optional(_STRING)),
    "Agents": answered(agents=listing(ref("Agent")), next_cursor=optional(_STRING)),
    "NewKey": asked(
        ("name", "scopes"),
        name=text(),
        scopes=listing(choice(KEY_SCOPES), minItems=1, maxItems=len(KEY_SCOPES)),
        end_users=listing({**text(), "pattern": rf"^({_NAME}\*?|\*)$"}, maxItems=key_request.MOST_END_USERS),
        end_user_required=_BOOLEAN,
        rate_per_second=number(0, key_request.HIGHEST_RATE),
        rate_burst=whole(1, 10 * key_request.HIGHEST_RATE),
        expires_at=_MOMENT,
    ),
    "Key": answered(
        key_id=ref("Id"),
        name=_STRING,
        scopes=listing(choice(KEY_SCOPES)),
        end_users=optional(listing(_STRING)),
        has_more_end_users=_BOOLEAN,
        end_user_required=_BOOLEAN,
        rate_per_second=optional(_NUMBER),
        rate_burst=optional(_INTEGER),
        created_at=_STRING,
        revoked_at=optional(_STRING),
        expires_at=optional(_STRING),
    ),
    "KeyWithText": {"allOf": [ref("Key"), answered(api_key=_STRING)]},
    "Keys": answered(keys=listing(ref("Key")), next_cursor=optional(_STRING)),
    "Health": answered(status=choice(("ok",))),
    "Readiness": answered(ready=_BOOLEAN, checks={"type": "object", "additionalProperties": _STRING}),
    "OpenApi": answered(openapi=_STRING, info=_OPEN, paths=_OPEN),
}
