"""Hypotheses for assembly, made after one turn for the next: within a turn there is no time to ask a language model."""

import asyncio
import hashlib
import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.retrieval import hypotheses
from remembrancer.ports.models import Embedder, LanguageModel
from remembrancer.ports.search import VectorCache

SECONDS = 2.0
"""What asking and embedding may take; the instance takes no other request meanwhile."""
TOKENS_EACH = 60


@dataclass(frozen=True, slots=True)
class Prefetcher:
    """One set of vectors for each agent, end user and session: those of the latest turn."""

    language_model: LanguageModel
    embedder: Embedder
    cache: VectorCache
    count: int = 5

    async def prepare(self, request: AssembleRequest) -> None:
        """For the turn after this request's; StoreError or TimeoutError when there will be none."""
        async with asyncio.timeout(SECONDS):
            window = hypotheses.window(request.messages, 0)
            answer = await self.language_model.complete(
                hypotheses.instruction(self.count),
                hypotheses.prompt(window, "What will matter in the next turn of this conversation?"),
                most_tokens=TOKENS_EACH * self.count,
            )
            statements = hypotheses.clean(answer, self.count)
            if statements:
                vectors = await self.embedder.embed(statements)
                await self.cache.put_turn(request.org_id, str(request.agent_id), self._next(request), vectors)

    async def vectors(self, request: AssembleRequest) -> NDArray[np.float32] | None:
        """(n, d), made after the turn before; None when there are none."""
        return await self.cache.turn(request.org_id, str(request.agent_id), self._next(request))

    def _next(self, request: AssembleRequest) -> str:
        parts = [self.embedder.model, request.end_user.text, request.session_id]
        return "next-" + hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
