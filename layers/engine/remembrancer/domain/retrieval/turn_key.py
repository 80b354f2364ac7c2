"""Keys that identify a conversation turn: a repeated request of one turn gets the same memories."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.retrieval.evidence import Evidence, Vectors
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.query import QueryRequest


@dataclass(frozen=True, slots=True)
class TurnMemory:
    """A memory that a turn was given, with its evidence (fields named as in `Evidence`); its text is not kept.

    `passages` are those that were shown of a long one.
    """

    memory_id: UUID
    dense: float | None
    content: float | None
    context: float | None
    subject: float = 0.0
    terms: tuple[int, ...] = ()
    hot: bool = False
    passages: tuple[int, ...] = ()

    @classmethod
    def of(cls, item: Evidence) -> "TurnMemory":
        """Builds the entry from a memory's evidence."""
        return cls(item.memory.id, item.dense, item.content, item.context, item.subject, item.terms, item.hot)

    def evidence(self, memory: Memory) -> Evidence:
        """Evidence built from the memory's current row and the scores of this entry."""
        return Evidence(memory, self.dense, self.content, self.context, self.subject, self.terms, self.hot)


@dataclass(frozen=True, slots=True)
class Turn:
    """The memories that one turn was given, in their order, and the number of candidates.

    `vectors` (n, d) holds the vectors of the query and of its hypotheses, by `model`, where they are needed again, and
    `information` says how many rare words the query has. `silent`: the turn was given none, because none helped.
    `duplicates` were left out, since others said the same. `missing` are the reasons why it may have been given too
    few.
    """

    found: tuple[TurnMemory, ...]
    available: int
    vectors: Vectors | None = field(default=None, compare=False)
    silent: bool = False
    model: str = ""
    duplicates: int = 0
    missing: tuple[str, ...] = ()
    information: float = 0.0


def turn_key(request: AssembleRequest) -> str:
    """The key that all requests of one turn, end user and options share; empty when turns cannot be told apart.

    The client's own id identifies a turn within a session. Without that id, the last user message, what it chooses and
    refers to, and its position do; without a session, the texts are part of the key too, since ids of two conversations
    may be equal.
    """
    position, text = request.question
    if not text or not (request.turn_id or request.session_id):
        return ""
    by_text = not (request.turn_id and request.session_id)
    options = {**asdict(request.options), "explain": None}
    named = [
        request.session_id,
        request.turn_id,
        None if request.turn_id else position,
        (request.query, request.referred) if by_text else None,
        request.end_user.text,
        options,
        request.time_zone,
    ]
    return _digest(named)


def session_key(request: AssembleRequest) -> str:
    """The key of the end user's session; empty without one."""
    if request.session_id is None:
        return ""
    return _digest([request.session_id, request.end_user.text])


def is_asked_again(request: AssembleRequest) -> bool:
    """Whether this goes on with a turn: the client says which one, or the agent has acted since the user's message.

    A message that stands last begins its turn: its answer may be made again, or another conversation of a session that
    a client derives may begin with the same words, and what was learned since has to be found.
    """
    position, _ = request.question
    return bool(request.turn_id) or position < len(request.messages) - 1


def query_turn_key(request: QueryRequest, scope: Scope, filters: Filters, *, limit: int, hyde: bool) -> str:
    """The key that repetitions of one query in one turn share; empty unless the client names agent, session and turn.

    It covers the end user and the filters. It is also empty with a metadata filter, since only the store's search can
    check metadata. Options that only order the memories afterwards are not part of it: weights, relations, `explain`.
    """
    if not (scope.agent_id and request.session_id and request.turn_id) or filters.metadata:
        return ""
    named = [
        "query", scope.project_id, scope.environment, scope.end_user.text, request.session_id, request.turn_id,
        request.query, asdict(filters), limit, hyde,
    ]  # fmt: skip
    return _digest(named)


def _digest(named: Sequence[Any]) -> str:
    text = json.dumps(named, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
