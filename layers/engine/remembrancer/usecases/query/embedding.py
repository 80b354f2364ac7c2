"""Step 3: the query's vector, from the best of what can still give one."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Vector
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import Embedder
from remembrancer.ports.search import VectorCache
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.deadline import Deadline

MOST_ATTEMPTS = 5
FIRST_PAUSE_MS = 25.0
"""Before the second attempt; each later pause is twice the one before."""
CACHE_MS = 15.0
"""How long a cache is waited for: one that is slower is slower than computing."""
SHARE_OF_EMBEDDER = 0.6
"""Of the time that is left when it starts; the rest is for what steps in for it, and for the searches."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The query's vector and where it comes from: `cache`, `embedder`, `packaged` or `hash`."""

    vector: Vector
    model: str
    origin: str
    report: SourceReport
    attempts: int = 0

    @property
    def degraded(self) -> tuple[str, ...]:
        """How the answer names a vector that is not the configured model's."""
        return {"packaged": ("packaged_embedding",), "hash": ("hash_embedding",)}.get(self.origin, ())

    def as_json(self) -> dict[str, Any]:
        """For the answer's account of its sources."""
        return {"origin": self.origin, "model": self.model, "attempts": self.attempts}


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """Cache, embedder, packaged model, hashed words: in this order, each when the one before has failed.

    `packaged` is None where it is the embedder itself. `last` never fails.
    """

    directory: Directory
    embedder: Embedder
    packaged: Embedder | None
    last: Embedder
    cache: VectorCache
    cache_ms: float = CACHE_MS
    first_pause_ms: float = FIRST_PAUSE_MS

    async def embed(self, scope: Scope, text: str, deadline: Deadline, afterwards: Afterwards) -> Embedded:
        """By the deadline, and never without a vector. Cached where the organization is known."""
        started = deadline.elapsed_ms
        model = self.embedder.model
        keys: list[bytes] = []

        async def look_up() -> Vector | None:
            organization = await self.directory.organization(scope.org_id)
            if organization is None:
                return None
            keys.append(organization.term_key)
            return await self.cache.text(scope, model, text, key=organization.term_key)

        looked_up = await deadline.soon(self.cache_ms).run("vector_cache", look_up())
        if looked_up.value is not None:
            report = SourceReport("ok", started, deadline.elapsed_ms - started, 1)
            return Embedded(looked_up.value, self.embedder.model, "cache", report)
        attempted = await self._attempt(text, deadline)
        if attempted.vector is not None:
            vector = attempted.vector
            for key in keys:
                afterwards.add("cache_embedding", partial(self.cache.put_text, scope, model, text, vector, key=key))
            report = SourceReport("ok", started, deadline.elapsed_ms - started, 1)
            return Embedded(vector, self.embedder.model, "embedder", report, attempted.attempts)
        return await self._instead(text, attempted, started, deadline)

    async def _attempt(self, text: str, deadline: Deadline) -> "_Attempted":
        """Again after a pause while there is time; a model that is late is not tried again."""
        if self.packaged is not None:
            deadline = deadline.soon(SHARE_OF_EMBEDDER * deadline.left_ms)
        pause = self.first_pause_ms
        for attempt in range(1, MOST_ATTEMPTS + 1):
            outcome = await deadline.run("embed", vector_of(self.embedder, text))
            if outcome.value is not None:
                return _Attempted(outcome.value, attempt, outcome.report)
            if outcome.report.status == "timeout" and deadline.left_ms <= 1:
                break
            if deadline.left_ms <= pause or attempt == MOST_ATTEMPTS:
                break
            await asyncio.sleep(pause / 1000)
            pause *= 2
        return _Attempted(None, attempt, outcome.report)

    async def _instead(self, text: str, attempted: "_Attempted", started: float, deadline: Deadline) -> Embedded:
        origin, embedder = "hash", self.last
        vector = None
        if self.packaged is not None:
            outcome = await deadline.run("packaged", vector_of(self.packaged, text))
            if outcome.value is not None:
                origin, embedder, vector = "packaged", self.packaged, outcome.value
        if vector is None:
            vector = await vector_of(self.last, text)
        failed = attempted.report
        report = SourceReport(failed.status, started, deadline.elapsed_ms - started, 0, failed.cause)
        return Embedded(vector, embedder.model, origin, report, attempted.attempts)


async def vector_of(embedder: Embedder, text: str) -> Vector:
    """Of one text."""
    vector: Vector = np.asarray((await embedder.embed([text]))[0], dtype=np.float32)
    return vector


@dataclass(frozen=True, slots=True)
class _Attempted:
    vector: Vector | None
    attempts: int
    report: SourceReport
