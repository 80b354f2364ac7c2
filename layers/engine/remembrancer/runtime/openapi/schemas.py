"""JSON Schemas of response bodies; request bodies are described in `domain`, where they are parsed."""

from collections.abc import Sequence
from typing import Any

from remembrancer.domain.capture.forgetting import FORGOTTEN, NOTHING, OUTCOMES, PROPOSED
from remembrancer.domain.capture.turns import STATES
from remembrancer.domain.context.authored_text import ROLES
from remembrancer.domain.context.placement import PLACEMENTS
from remembrancer.domain.context.prefix import BREAKS
from remembrancer.domain.identity.agent_reference import LONGEST_NAME
from remembrancer.domain.identity.scope import KEY_SCOPES
from remembrancer.domain.memories.conflicts import DIFFERENCES
from remembrancer.domain.memories.memory import CATEGORIES, RELATION_TYPES, SOURCES, STATUSES
from remembrancer.domain.memories.settlement_request import ACTIONS
from remembrancer.domain.memories.write_request import INJECTION_MODES
from remembrancer.domain.requests.field_types import text
from remembrancer.domain.retrieval.intents import INTENTS, TIERS
from remembrancer.domain.retrieval.query import ENDS, MEMORY_TIERS

Schema = dict[str, Any]


def ref(name: str) -> Schema:
    """A reference to another schema of this module."""
    return {"$ref": f"#/components/schemas/{name}"}


def optional(schema: Schema) -> Schema:
    """A schema that also allows null, which means the same as absent."""
    return {"anyOf": [schema, {"type": "null"}]}


def choice(values: Sequence[str]) -> Schema:
    """A string out of these values."""
    return {"type": "string", "enum": list(values)}


def listing(items: Schema, **more: Any) -> Schema:
    """An array of these items; `more` adds keywords of JSON Schema."""
    return {"type": "array", "items": items, **more}


def number(low: float, high: float, **more: Any) -> Schema:
    """A number in a range, bounds included."""
    return {"type": "number", "minimum": low, "maximum": high, **more}


def whole(low: int, high: int, **more: Any) -> Schema:
    """An integer in a range, bounds included."""
    return {"type": "integer", "minimum": low, "maximum": high, **more}


def answered(**fields: Schema) -> Schema:
    """An object with all these fields required; further fields are allowed."""
    return {"type": "object", "required": list(fields), "properties": fields}


def partly(schema: Schema, **fields: Schema) -> Schema:
    """The same, except that these fields are optional."""
    return schema | {"properties": schema["properties"] | fields}


_ID: Schema = {
    "type": "string",
    "format": "uuid",
    "pattern": "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
}
_STRING: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "number"}
_INTEGER: Schema = {"type": "integer"}
_BOOLEAN: Schema = {"type": "boolean"}
_OPEN: Schema = {"type": "object"}
_IGNORED: Schema = {
    "type": "object",
    "additionalProperties": _STRING,
    "description": "What of the request nothing reads, each with what was probably meant; absent without any.",
}
_SKIPPED: Schema = {"type": "object", "additionalProperties": _INTEGER}
_TIMINGS: Schema = {"type": "object", "additionalProperties": _NUMBER}

_CONFLICTING = answered(id=ref("Id"), is_newer=_BOOLEAN)

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
    "occurred_from": optional(_STRING),
    "occurred_to": optional(_STRING),
    "conflicts": listing(_CONFLICTING),
    "usage_count": _INTEGER,
    "supersedes": optional(ref("Id")),
}

_CONVERSATION = {
    "conversation_id": ref("Id"),
    "agent_id": ref("Id"),
    "user_id": optional(_STRING),
    "session_id": _STRING,
    "created_at": _STRING,
    "updated_at": _STRING,
    "pending": _INTEGER,
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
    pinned_memory_ids=listing(ref("Id")),
    earlier_memory_ids=listing(ref("Id")),
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
    duplicates=_INTEGER,
    directive_version=_INTEGER,
    silent=_BOOLEAN,
    helpfulness=optional(_NUMBER),
    prefix=optional(answered(tokens=_INTEGER, of=_INTEGER, broken_by=optional(choice(BREAKS)))),
)

SCHEMAS: dict[str, Schema] = {
    "Id": _ID,
    "AgentReference": {
        "description": "The id of an agent, or its name. What has the form of a UUID is an id.",
        **text(LONGEST_NAME).schema,
    },
    "Error": partly(
        answered(
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
        skipped=_SKIPPED,
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
    "InjectionMetadata": partly(
        _INJECTION_METADATA,
        map_behind=_INTEGER,
        ignored=_IGNORED,
        candidates=listing(ref("Candidate"), description="With `explain`."),
        explanation=ref("AssemblyExplanation"),
    ),
    "AssemblyExplanation": answered(weights=_TIMINGS, relevance_floor=_NUMBER, bounds_ms=_TIMINGS, started_ms=_TIMINGS),
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
        evidence=answered(
            dense=optional(_NUMBER),
            lexical=optional(_NUMBER),
            hot=_BOOLEAN,
            subject=_NUMBER,
            relevance=_NUMBER,
            helps=optional(_NUMBER),
            probability=optional(_NUMBER),
        ),
        replaced=_BOOLEAN,
        occurred_from=optional(_STRING),
        occurred_to=optional(_STRING),
        conflicts=listing(_CONFLICTING),
    ),
    "Index": answered(service=_STRING, documents=_OPEN),
    "AssembleResponse": answered(
        messages=listing(ref("ChatMessage")), metadata=ref("InjectionMetadata"), request_id=_STRING
    ),
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
    "QueryResponse": answered(
        memories=listing(answered(**_MEMORY, score=_NUMBER)),
        ended_by=choice(ENDS),
        left_out=_INTEGER,
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
    "Written": partly(
        answered(id=ref("Id"), status=choice(("accepted", "duplicate")), client_ref=optional(_STRING)), redacted=_OPEN
    ),
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
        provenance=optional(_OPEN),
        status=choice(STATUSES),
        tier=choice(MEMORY_TIERS),
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
        pinned=_BOOLEAN,
        pinned_at=optional(_STRING),
        pin_proposed=_BOOLEAN,
        forget_proposed=_BOOLEAN,
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
    "AcceptedConversation": answered(
        conversation_id=ref("Id"),
        turns=listing(answered(number=_INTEGER, status=choice(("accepted", "known")))),
        skipped=_SKIPPED,
    ),
    "Conversations": answered(
        conversations=listing(answered(**_CONVERSATION, first_words=optional(_STRING))), next_cursor=optional(_STRING)
    ),
    "WholeConversation": answered(
        **_CONVERSATION,
        turns=listing(
            answered(
                number=_INTEGER,
                role=choice(ROLES),
                speaker=optional(_STRING),
                text=optional(_STRING),
                observed_at=_STRING,
                client_ref=optional(_STRING),
                redacted=_OPEN,
                state=choice(STATES),
                reason=optional(_STRING),
                memory_id=optional(ref("Id")),
                forget=optional(
                    answered(outcome=choice(OUTCOMES), forgotten=listing(ref("Id")), proposed=listing(ref("Id")))
                ),
            )
        ),
        next_before=optional(_INTEGER),
    ),
    "Forgotten": answered(
        outcome=choice((FORGOTTEN, PROPOSED, NOTHING)),
        dry_run=_BOOLEAN,
        topics=listing(_STRING),
        memories=listing(
            answered(
                id=ref("Id"),
                content=_STRING,
                score=number(0, 2),
                sure=_BOOLEAN,
                status=choice(STATUSES),
                restorable_until=optional(_STRING),
            )
        ),
    ),
    "DeletedMemory": answered(id=ref("Id"), status=choice(("deleted",)), restorable_until=_STRING),
    "AcceptedErasure": answered(erasure_id=ref("Id"), status=choice(("accepted",))),
    "Erasure": answered(
        erasure_id=ref("Id"),
        kind=choice(("user", "agent", "organization")),
        status=choice(("running", "done")),
        counts=_OPEN,
        requested_at=_STRING,
        finished_at=optional(_STRING),
    ),
    "Page": {"type": "string"},
    "Lines": {"type": "string", "description": "A WholeMemory without `version_chain` on each line."},
    "AuditLines": {
        "type": "string",
        "description": "An audit entry on each line; the last line of the last page is the checkpoint.",
    },
    "FeedbackCounts": answered(id=ref("Id"), positive_count=_INTEGER, negative_count=_INTEGER),
    "Memories": answered(memories=listing(ref("StoredMemory")), next_cursor=optional(_STRING)),
    "Relation": answered(
        **{"from": ref("Id")},
        relation_id=ref("Id"),
        to=ref("Id"),
        type=choice(RELATION_TYPES),
        confidence=number(0, 1),
    ),
    "Conflicts": answered(
        conflicts=listing(
            answered(
                conflict_id=ref("Id"),
                differs_in=optional(choice(DIFFERENCES)),
                confidence=number(0, 1),
                found_at=_STRING,
                newer=ref("StoredMemory"),
                older=ref("StoredMemory"),
            )
        ),
        next_cursor=optional(_STRING),
    ),
    "SettledConflict": answered(
        conflict_id=ref("Id"), action=choice(ACTIONS), kept=listing(ref("Id")), superseded=optional(ref("Id"))
    ),
    "Directive": answered(agent_id=ref("Id"), version=_INTEGER, text=_STRING, injection_mode=choice(INJECTION_MODES)),
    "DirectiveVersions": answered(versions=listing(ref("Directive")), next_before=optional(_INTEGER)),
    "Agent": answered(
        agent_id=ref("Id"),
        name=_STRING,
        enabled=_BOOLEAN,
        capture=_BOOLEAN,
        time_zone=optional(_STRING),
        placement=optional(choice(PLACEMENTS)),
        created_at=optional(_STRING),
    ),
    "EndUser": answered(user_id=_STRING, time_zone=optional(_STRING)),
    "EndUsers": answered(end_users=listing(answered(user_id=_STRING)), next_cursor=optional(_STRING)),
    "Agents": answered(agents=listing(ref("Agent")), next_cursor=optional(_STRING)),
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
