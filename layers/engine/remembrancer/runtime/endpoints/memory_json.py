"""JSON of memories and of their versions and relations, as the API shows them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from remembrancer.domain.capture import proposals
from remembrancer.domain.memories.memory import MemoryVersion
from remembrancer.domain.memories.stored_memory import MOST_RELATIONS, Relation, StoredMemory
from remembrancer.runtime.http.messages import error_response
from remembrancer.runtime.http.pages import fitting
from remembrancer.usecases.memories.remember import WriteOutcome

VERSIONS_BYTES = 500_000
"""Most earlier texts of a memory in one answer."""


def written_json(written: WriteOutcome, request_id: str) -> dict[str, Any]:
    """The result of writing one memory."""
    if written.error is not None:
        refused = error_response(written.error, request_id)
        return {"status": "error", "client_ref": written.client_ref, "error": refused.error}
    redacted = {"redacted": dict(written.redacted)} if written.redacted else {}
    return {"id": str(written.memory_id), "status": written.status, "client_ref": written.client_ref, **redacted}


def stored_json(stored: StoredMemory) -> dict[str, Any]:
    """Every field of a memory, without versions and relations."""
    memory = stored.memory
    return {
        "id": str(memory.id),
        "agent_id": str(memory.agent_id),
        "user_id": memory.user_id,
        "session_id": memory.session_id,
        "content": memory.content,
        "summary": memory.summary,
        "context": stored.context,
        "category": memory.category,
        "source": memory.source,
        "confidence": round(memory.confidence, 6),
        "importance": round(memory.importance, 6),
        "quality": round(memory.quality, 6),
        "tags": list(memory.tags),
        "metadata": stored.metadata,
        "redacted": dict(stored.redactions),
        "provenance": _provenance(stored),
        "status": memory.status,
        "tier": memory.tier,
        "version": stored.version,
        "embedding_state": stored.embedding_state,
        "embedding_error": stored.embedding_error,
        "client_ref": stored.client_ref,
        "supersedes": _text(memory.supersedes),
        "superseded_by": _text(stored.superseded_by),
        "usage_count": memory.usage_count,
        "retrieval_count": memory.retrieval_count,
        "positive_count": memory.positive_count,
        "negative_count": memory.negative_count,
        "last_accessed_at": moment(memory.last_accessed_at),
        "valid_from": moment(memory.valid_from),
        "expires_at": moment(memory.expires_at),
        "occurred_from": moment(memory.occurred_from),
        "occurred_to": moment(memory.occurred_to),
        "conflicts": memory.conflicts,
        "pinned": memory.pinned_at is not None,
        "pinned_at": moment(memory.pinned_at),
        "pin_proposed": stored.is_pin_proposed,
        "forget_proposed": stored.is_forget_proposed,
        "created_at": moment(memory.created_at),
        "updated_at": moment(stored.updated_at),
    }


def _provenance(stored: StoredMemory) -> Mapping[str, Any] | None:
    """The provenance, with the text of the quote as long as the context that it is part of is unchanged."""
    provenance = dict(stored.provenance or {})
    provenance.pop(proposals.PIN, None)
    provenance.pop(proposals.FORGET, None)
    provenance.pop(proposals.PRELIMINARY, None)
    quote_at, version = provenance.pop("quote_at", None), provenance.pop("quote_version", 1)
    if quote_at is not None and stored.version == version and stored.context is not None:
        provenance["quote"] = stored.context[slice(*quote_at)]
    return provenance or None


def whole_json(stored: StoredMemory) -> dict[str, Any]:
    """A memory with its newest earlier texts, its chain and its relations, as far as they fit into one answer.

    `next_before` is the version number to continue from: older texts exist before it.
    """
    versions = fitting(map(version_json, reversed(stored.versions)), most=VERSIONS_BYTES)
    oldest = versions[-1]["version"] if versions else 1
    return stored_json(stored) | {
        "versions": versions[::-1],
        "next_before": oldest if oldest > 1 else None,
        "version_chain": [str(identifier) for identifier in stored.chain],
        "relations": [relation_json(relation) for relation in stored.relations[:MOST_RELATIONS]],
        "has_more_relations": len(stored.relations) > MOST_RELATIONS,
    }


def version_json(version: MemoryVersion) -> dict[str, Any]:
    """An earlier text of a memory."""
    return {
        "version": version.version,
        "content": version.content,
        "summary": version.summary,
        "context": version.context,
        "replaced_at": moment(version.replaced_at),
    }


def relation_json(relation: Relation) -> dict[str, Any]:
    """A relation as the API shows it; confidence has six decimals."""
    return {
        "relation_id": str(relation.relation_id),
        "from": str(relation.from_memory_id),
        "to": str(relation.to_memory_id),
        "type": relation.type,
        "confidence": round(relation.confidence, 6),
    }


def moment(value: datetime | None) -> str | None:
    """A time in ISO 8601 with its offset; None for None."""
    return None if value is None else value.isoformat()


def _text(identifier: UUID | None) -> str | None:
    return None if identifier is None else str(identifier)
