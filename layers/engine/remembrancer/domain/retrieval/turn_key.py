"""A turn of a conversation: asked again, it gets the same memories."""

import hashlib
import json
from dataclasses import asdict, dataclass
from uuid import UUID

from remembrancer.domain.context.assembly import AssembleRequest


@dataclass(frozen=True, slots=True)
class TurnMemory:
    """A memory that was injected and what was known of it; its text stays where it is."""

    memory_id: UUID
    dense: float | None
    lexical: float | None
    hot: bool
    subject: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """What one turn was given: the injected memories, and how many there were to choose from."""

    found: tuple[TurnMemory, ...]
    available: int


def turn_key(request: AssembleRequest) -> str:
    """The same for requests of one turn, end user and options; empty when turns cannot be told apart.

    The client's own id names a turn of a session. Without an id, the last user message and its position do; without a
    session, the message has to be the same too, since ids of two conversations may be equal.
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
        text if by_text else None,
        request.end_user.text,
        options,
    ]
    return hashlib.blake2b(json.dumps(named, sort_keys=True).encode(), digest_size=16).hexdigest()
