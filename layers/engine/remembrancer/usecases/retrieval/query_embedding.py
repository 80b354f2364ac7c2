"""Embeds the query with the best source that is available."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.retrieval.evidence import Vectors
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.cache import QueryCache
from remembrancer.ports.identity import Directory
from remembrancer.ports.models import Embedder
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.deadline import Deadline

MOST_ATTEMPTS = 5
FIRST_PAUSE_MS = 25.0
"""Milliseconds before the second attempt; each later pause is twice as long."""
CACHE_MS = 15.0
"""Most milliseconds to wait for the cache: a slower one costs more than computing the vector."""
SHARE_OF_EMBEDDER = 0.6
"""Share of the time left at the start; the rest is for the fallbacks and the searches."""


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The query's vector and its origin: `turn`, `cache`, `embedder`, `packaged`, `hash` or `none`.

    `incomplete`: not all memories have a vector of the model yet, and the model before is not there any more.
    """

    vector: Vector | None
    model: str
    origin: str
    attempts: int = 0
    incomplete: bool = False

    @property
    def vectors(self) -> Vectors | None:
        """The vector as an array of shape (1, d)."""
        return None if self.vector is None else self.vector[None]

    @property
    def degraded(self) -> tuple[str, ...]:
        """The names that the answer reports: the vector is not of the configured model, or not all memories have one
        of it.
        """
        other = {"packaged": ("packaged_embedding",), "hash": ("hash_embedding",)}.get(self.origin, ())
        return (*other, "incomplete_embeddings") if self.incomplete else other

    def as_json(self) -> dict[str, Any]:
        """The JSON for the answer's report of its sources."""
        return {"origin": self.origin, "model": self.model, "attempts": self.attempts}


NO_VECTOR = QueryVector(None, "", "none")


@dataclass(frozen=True, slots=True)
class QueryEmbedding:
    """Tries cache, embedder, packaged model and hashed words in this order, each when the one before has failed.

    Sources that are None are skipped. `last` never fails.
    """

    embedder: Embedder
    directory: Directory | None = None
    cache: QueryCache | None = None
    packaged: Embedder | None = None
    last: Embedder | None = None
    most_attempts: int = MOST_ATTEMPTS
    cache_ms: float = CACHE_MS
    first_pause_ms: float = FIRST_PAUSE_MS

    @property
    def model(self) -> str:
        """The configured model."""
        return self.embedder.model

    @property
    def is_free(self) -> bool:
        """Whether a vector costs nothing but time of this process: one that another server computes is cached."""
        return self.cache is None

    async def embed(self, scope: Scope, text: str, deadline: Deadline, afterwards: Afterwards) -> QueryVector:
        """Embeds by the deadline; returns no vector only where `last` is None. The report stands under `embed`."""
        started = deadline.elapsed_ms
        embedded = await self._embed(scope, text, deadline, afterwards)
        report = deadline.account.reports["embed"]
        latency = deadline.elapsed_ms - started
        count = int(report.status == "ok")
        deadline.account.reports["embed"] = SourceReport(report.status, started, latency, count, report.cause)
        return embedded

    async def _embed(self, scope: Scope, text: str, deadline: Deadline, afterwards: Afterwards) -> QueryVector:
        model, key = self.embedder.model, None
        if self.cache is not None and self.directory is not None:
            known, key = await self._cached(self.cache, self.directory, scope, text, deadline)
            if known is not None:
                return QueryVector(known, model, "cache")
        vector, attempts = await self._attempt(text, deadline)
        if vector is None:
            return await self._instead(text, attempts, deadline)
        if self.cache is not None and key is not None:
            afterwards.add("cache_embedding", partial(self.cache.put_text, scope, model, text, vector, key=key))
        return QueryVector(vector, model, "embedder", attempts)

    async def _cached(
        self, cache: QueryCache, directory: Directory, scope: Scope, text: str, deadline: Deadline
    ) -> tuple[Vector | None, bytes | None]:
        """The cached vector, and the organization's key under which a vector may be cached."""
        keys: list[bytes] = []

        async def look_up() -> Vector | None:
            organization = await directory.organization(scope.org_id)
            if organization is None:
                return None
            keys.append(organization.term_key)
            return await cache.text(scope, self.embedder.model, text, key=organization.term_key)

        looked_up = await deadline.soon(self.cache_ms).run("embed", look_up())
        return looked_up.value, keys[0] if keys else None

    async def _attempt(self, text: str, deadline: Deadline) -> tuple[Vector | None, int]:
        """Repeats after a pause while there is time; a late model is not tried again."""
        if self.packaged is not None:
            deadline = deadline.soon(SHARE_OF_EMBEDDER * deadline.left_ms)
        pause = self.first_pause_ms
        for attempt in range(1, self.most_attempts + 1):
            outcome = await deadline.run("embed", vector_of(self.embedder, text))
            if outcome.value is not None:
                return outcome.value, attempt
            if outcome.report.status == "timeout" and deadline.left_ms <= 1:
                break
            if deadline.left_ms <= pause or attempt == self.most_attempts:
                break
            await asyncio.sleep(pause / 1000)
            pause *= 2
        return None, attempt

    async def _instead(self, text: str, attempts: int, deadline: Deadline) -> QueryVector:
        if self.packaged is not None:
            outcome = await deadline.run("packaged", vector_of(self.packaged, text))
            if outcome.value is not None:
                return QueryVector(outcome.value, self.packaged.model, "packaged", attempts)
        if self.last is None:
            return QueryVector(None, self.embedder.model, "none", attempts)
        return QueryVector(await vector_of(self.last, text), self.last.model, "hash", attempts)


async def vector_of(embedder: Embedder, text: str) -> Vector:
    """Checks the embedder's vector. Raises StoreUnavailable for a vector that is not a unit vector."""
    vectors = await embedder.embed([text])
    if vectors.shape != (1, embedder.dimensions) or not 0.9 < float(vectors[0] @ vectors[0]) < 1.1:
        raise StoreUnavailable("the embedder did not return a unit vector", cause="InvalidVector")
    return np.asarray(vectors[0], dtype=np.float32)
