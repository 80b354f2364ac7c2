"""Makes the vectors of hypotheses that a language model writes."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from remembrancer.domain.context.assembly import SourceReport
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.retrieval import hypotheses
from remembrancer.domain.retrieval.evidence import Vectors
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.cache import QueryCache
from remembrancer.ports.models import Embedder, LanguageModel
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.query_embedding import CACHE_MS
from remembrancer.usecases.retrieval.search import Hypotheses, Search

SEARCH_RESERVE_MS = 200.0
"""Time in ms reserved for searching with the hypotheses, out of the time for making them; at most a fifth of it."""
TOKENS_EACH = 60
"""Tokens of the model's answer for one hypothesis."""


@dataclass(frozen=True, slots=True)
class Hypothesiser:
    """Calls the language model once a turn."""

    language_model: LanguageModel
    embedder: Embedder
    cache: QueryCache
    count: int = hypotheses.COUNT
    cache_ms: float = CACHE_MS

    async def vectors(self, search: Search, asked: Hypotheses, afterwards: Afterwards) -> tuple[str, Vectors | None]:
        """Returns the origin (`cache`, `model`, `none`) and the vectors found; the report is under `hyde`."""
        deadline = asked.making
        started = deadline.elapsed_ms
        org_id, kept_by, turn = search.scope.org_id, place(search.scope), self._turn(search, asked)
        deadline = deadline.reserving(min(SEARCH_RESERVE_MS, deadline.end_ms / 5))
        kept = await deadline.soon(self.cache_ms).run("hyde", self.cache.turn(org_id, kept_by, turn))
        if kept.value is not None and len(kept.value):
            report = SourceReport("ok", started, deadline.elapsed_ms - started, len(kept.value))
            deadline.account.reports["hyde"] = report
            return "cache", kept.value
        made = (await deadline.run("hyde", self._make(asked, search.query), count=len)).value
        if made is None:
            return "none", None
        afterwards.add("cache_hypotheses", partial(self.cache.put_turn, org_id, kept_by, turn, made))
        return "model", made

    async def _make(self, asked: Hypotheses, query: str) -> Vectors:
        """Makes the vectors: one call of the model, and one batch of the embedder."""
        window = hypotheses.window(asked.messages, asked.summary_index)
        answer = await self.language_model.complete(
            hypotheses.instruction(self.count), hypotheses.prompt(window, query), most_tokens=TOKENS_EACH * self.count
        )
        statements = hypotheses.clean(answer, self.count)
        if not statements:
            raise StoreUnavailable("The language model gave no statement", cause="EmptyAnswer")
        return await self.embedder.embed(statements)

    def _turn(self, search: Search, asked: Hypotheses) -> str:
        """A hash that identifies the turn: its id in the session, else the messages up to the user's last message."""
        if asked.turn_id and asked.session_id:
            told_by = asked.turn_id
        else:
            told_by = hypotheses.window(until_user(asked.messages), asked.summary_index)
        parts = [
            self.language_model.name, self.embedder.model, self.count, search.scope.end_user.text,
            asked.session_id, bool(asked.turn_id), told_by, search.query,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def until_user(messages: Sequence[Any]) -> Sequence[Any]:
    """The messages up to the user's last one, since later ones belong to the same turn; all messages if the user sent
    none.
    """
    for position in range(len(messages) - 1, -1, -1):
        if isinstance(messages[position], dict) and messages[position].get("role") == "user":
            return messages[: position + 1]
    return messages


def place(scope: Scope) -> str:
    """The key prefix of a turn's vectors: the agent, or the project and environment."""
    return str(scope.agent_id or f"{scope.project_id}/{scope.environment}")
