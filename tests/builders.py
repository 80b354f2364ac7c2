"""Values for tests, with a default for every field: name only what the test is about."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from remembrancer.domain.context.assembly import AssembleRequest, AssemblyOptions
from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.domain.identity.scope import EVERYBODY, Principal, Scope
from remembrancer.domain.memories.memory import Directive, Memory, NewMemory, Vector
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.retrieval.query import QueryRequest

ROOT = Path(__file__).parents[1]
MODELS = Path(os.environ.get("MODELS_DIR") or ROOT / "layers" / "models" / "build")
"""Embedding model, tokenizers and catalogue, as `make models` builds them."""
NOW = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)
ORG_ID = UUID("0a000000-0000-4000-8000-000000000001")
AGENT_ID = UUID("0b000000-0000-4000-8000-000000000001")
KEY_ID = UUID("0c000000-0000-4000-8000-000000000001")
PROJECT_ID = "proj_main"
ENVIRONMENT = "production"
NONCE = "7f3a9c1e"
DIMENSIONS = 384
_STARTED = 1000.0
"""What a clock that stands still says of the time since some start."""


@dataclass(slots=True)
class SetClock:
    """Serves Clock: stands still until a test lets seconds pass.

    Without a `start` it is the machine's clock, which runs, and the seconds come on top.
    """

    start: datetime | None = NOW
    seconds: float = 0.0

    def now(self) -> datetime:
        return (self.start or datetime.now(UTC)) + timedelta(seconds=self.seconds)

    def monotonic(self) -> float:
        return self.seconds + (time.perf_counter() if self.start is None else _STARTED)


def identifier(number: int = 1) -> UUID:
    """A memory's id; ids order as their numbers do."""
    return UUID(int=(0x0D << 120) | number)


def ago(*, days: float = 0.0, hours: float = 0.0) -> datetime:
    """So long before `NOW`."""
    return NOW - timedelta(days=days, hours=hours)


def unit_vector(seed: int = 0, *, dimensions: int = DIMENSIONS) -> Vector:
    """A random direction, the same for the same seed."""
    direction = np.random.default_rng(seed).standard_normal(dimensions)
    return (direction / np.linalg.norm(direction)).astype(np.float32)


def at_cosine(vector: Vector, cosine: float, *, seed: int = 1) -> Vector:
    """A unit vector at the given cosine to a unit vector."""
    other = unit_vector(seed, dimensions=len(vector)).astype(np.float64)
    aside = other - (other @ vector) * vector
    aside /= np.linalg.norm(aside)
    turned: Vector = (cosine * vector + np.sqrt(1 - cosine**2) * aside).astype(np.float32)
    return turned


def memory(number: int = 1, **changes: Any) -> Memory:
    """A stored memory, visible to everybody of the agent; `number` sets id and text."""
    plain = Memory(
        id=identifier(number),
        agent_id=AGENT_ID,
        content=f"The office on floor {number} has a coffee machine.",
        category="factual",
        source="extracted",
        confidence=0.8,
        importance=0.5,
        status="active",
        created_at=ago(days=10),
        tokens={"o200k_base": 20, "cl100k_base": 20},
        vector_model="model",
    )
    return replace(plain, **changes)


def new_memory(number: int = 1, **changes: Any) -> NewMemory:
    """A validated memory before it is written."""
    plain = NewMemory(
        agent_id=AGENT_ID,
        content=f"The office on floor {number} has a coffee machine.",
        category="factual",
        source="extracted",
        confidence=0.8,
        importance=0.5,
        created_at=NOW,
    )
    return replace(plain, **changes)


def stored_memory(number: int = 1, **changes: Any) -> StoredMemory:
    """A stored memory as the API shows it; changes are of what surrounds the memory."""
    plain = StoredMemory(
        memory=memory(number),
        context=None,
        metadata={},
        version=1,
        embedding_state="ready",
        embedding_error=None,
        client_ref=None,
        superseded_by=None,
        updated_at=ago(days=10),
    )
    return replace(plain, **changes)


def memory_body(number: int = 1, **changes: Any) -> dict[str, Any]:
    """The JSON body that writes one memory."""
    return {
        "agent_id": str(AGENT_ID),
        "content": f"The office on floor {number} has a coffee machine.",
        "category": "factual",
        **changes,
    }


def directive(**changes: Any) -> Directive:
    """An agent's active directive."""
    return replace(Directive(version=1, text="Answer in one paragraph.", injection_mode="system_first"), **changes)


def principal(**changes: Any) -> Principal:
    """The bearer of a key with every scope but `admin`, for any end user."""
    plain = Principal(
        org_id=ORG_ID,
        project_id=PROJECT_ID,
        environment=ENVIRONMENT,
        key_id=KEY_ID,
        scopes=frozenset({"assemble", "query", "write"}),
    )
    return replace(plain, **changes)


def scope(**changes: Any) -> Scope:
    """Everything of one agent."""
    return replace(Scope(ORG_ID, PROJECT_ID, ENVIRONMENT, AGENT_ID, EVERYBODY), **changes)


def profile(**changes: Any) -> ModelProfile:
    """A model like gpt-4o, whose tokenizer is counted exactly."""
    plain = ModelProfile(
        name="gpt-4o",
        window=128_000,
        max_output_tokens=16_384,
        tokenizer_family="o200k_base",
        safety_fraction=0.02,
        known=True,
    )
    return replace(plain, **changes)


def message(content: Any = "Where is the coffee machine?", *, role: Any = "user", **fields: Any) -> dict[str, Any]:
    """One chat message of the client."""
    return {"role": role, "content": content, **fields}


def assemble_body(**changes: Any) -> dict[str, Any]:
    """The JSON body of an assembly."""
    return {
        "org_id": str(ORG_ID),
        "agent_id": str(AGENT_ID),
        "model": "gpt-4o",
        "request_id": "req-1",
        "messages": [message()],
        **changes,
    }


def assemble_request(**changes: Any) -> AssembleRequest:
    """A validated assembly request."""
    plain = AssembleRequest(
        org_id=ORG_ID,
        agent_id=AGENT_ID,
        model="gpt-4o",
        request_id="req-1",
        messages=[message()],
        options=AssemblyOptions(),
    )
    return replace(plain, **changes)


def query_body(**changes: Any) -> dict[str, Any]:
    """The JSON body of a memory query."""
    return {"query": "Where is the coffee machine?", **changes}


def query_request(**changes: Any) -> QueryRequest:
    """A validated memory query."""
    return replace(QueryRequest(query="Where is the coffee machine?"), **changes)


def counting_ids(start: int = 1) -> Callable[[], UUID]:
    """A source of new ids that counts up."""
    numbers = iter(range(start, 1 << 62))
    return lambda: identifier(next(numbers))
