"""Part of step 4: vectors of what a relevant memory might say, written by a language model for this turn."""

import hashlib
import json
from dataclasses import dataclass, field
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.retrieval import hypotheses
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.memories import Embedder
from remembrancer.ports.models import LanguageModel
from remembrancer.ports.search import VectorCache
from remembrancer.usecases.query.embedding import CACHE_MS
from remembrancer.usecases.query.plan import Plan
from remembrancer.usecases.retrieval.after_response import Afterwards

SEARCH_RESERVE_MS = 200.0
"""Of the searches' time, what is kept for searching; at most a fifth of it."""
TOKENS_EACH = 60
"""What one hypothesis may take of the model's answer."""


@dataclass(frozen=True, slots=True)
class Hypothesised:
    """(n, d) unit vectors of `model`, n 0 when there are none; `origin` is `cache`, `model` or `none`."""

    model: str
    origin: str = "none"
    report: SourceReport = field(default_factory=lambda: SourceReport("skipped"))
    vectors: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 0), np.float32))


@dataclass(frozen=True, slots=True)
class Hypothesiser:
    """Asks the language model once a turn."""

    language_model: LanguageModel
    embedder: Embedder
    cache: VectorCache
    count: int = 5
    cache_ms: float = CACHE_MS

    async def vectors(self, plan: Plan, afterwards: Afterwards) -> Hypothesised:
        """Those of this turn, from the cache or new; whatever fails, the report says so and there are none."""
        started = plan.searching.elapsed_ms
        window = hypotheses.window(plan.request.messages, plan.request.summary_index)
        org_id, turn = plan.scope.org_id, self._turn(plan, window)
        deadline = plan.searching.reserving(min(SEARCH_RESERVE_MS, plan.searching.end_ms / 5))
        cached = self.cache.turn(org_id, plan.place, turn)
        kept = await deadline.within(started + self.cache_ms).run("hypotheses", cached)
        if kept.value is not None and len(kept.value):
            report = SourceReport("ok", started, deadline.elapsed_ms - started, len(kept.value))
            return Hypothesised(self.embedder.model, "cache", report, kept.value)
        made = await deadline.run("hypotheses", self._make(window, plan.request.query), count=len)
        if made.value is None:
            return Hypothesised(self.embedder.model, report=made.report)
        vectors = made.value
        afterwards.add("cache_hypotheses", lambda: self._keep(org_id, plan.place, turn, vectors))
        return Hypothesised(self.embedder.model, "model", made.report, vectors)

    async def _make(self, window: str, query: str) -> NDArray[np.float32]:
        answer = await self.language_model.complete(
            hypotheses.instruction(self.count), hypotheses.prompt(window, query), most_tokens=TOKENS_EACH * self.count
        )
        statements = hypotheses.clean(answer, self.count)
        if not statements:
            raise StoreUnavailable("The language model gave no statement", cause="EmptyAnswer")
        return await self.embedder.embed(statements)

    async def _keep(self, org_id: UUID, place: str, turn: str, vectors: NDArray[np.float32]) -> None:
        await self.cache.put_turn(org_id, place, turn, vectors)

    def _turn(self, plan: Plan, window: str) -> str:
        """A hash of everything that the hypotheses depend on."""
        parts = [
            self.language_model.name, self.embedder.model, self.count, plan.scope.end_user.text,
            plan.request.session_id, window, plan.request.query,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
