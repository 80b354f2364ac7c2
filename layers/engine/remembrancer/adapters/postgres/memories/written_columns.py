"""The columns that a new memory and a revised one have in common."""

from typing import Any

from psycopg.types.json import Jsonb

from remembrancer.adapters.postgres.memories.rows import text_columns
from remembrancer.domain.memories.prepared_write import MemoryWrite


def written_columns(write: MemoryWrite) -> dict[str, Any]:
    """The text, clear or sealed, and what callers and the engine say about it, by parameter."""
    memory = write.memory
    return text_columns(write) | {
        "category": memory.category,
        "source": memory.source,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "quality": write.quality,
        "tags": list(memory.tags),
        "metadata": Jsonb(dict(memory.metadata)),
        "redactions": Jsonb(dict(memory.redactions)),
        "tokens_o200k": write.tokens["o200k_base"],
        "tokens_cl100k": write.tokens["cl100k_base"],
        "valid_from": memory.valid_from,
        "expires_at": memory.expires_at,
        "occurred_from": memory.occurred_from,
        "occurred_to": memory.occurred_to,
        "pinned_at": memory.pinned_at,
    }
