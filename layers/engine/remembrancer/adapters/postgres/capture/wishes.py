"""Does what users wish to be forgotten, in the transaction that decides on their turns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.adapters.postgres.connection.database import Transaction
from remembrancer.adapters.postgres.memories import forgetting
from remembrancer.adapters.postgres.search.searchable_memories import LiveSet
from remembrancer.domain.capture.forgetting import FORGOTTEN, NOTHING, PROPOSED, TOO_MUCH, Forgetting
from remembrancer.domain.capture.turns import Conversation
from remembrancer.domain.memories.memory import Change
from remembrancer.ports.memories import Forgotten


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What was done, by the turn's number; the memories that are gone, and the agent's counters after that."""

    outcomes: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    gone: frozenset[UUID] = frozenset()
    change: Change | None = None


async def carry_out(transaction: Transaction, conversation: Conversation, wishes: Sequence[Forgetting]) -> Outcomes:
    """Touches memories of the conversation's own end user, and what was made of its own rejected turns."""
    if not wishes:
        return Outcomes()
    live = await LiveSet.lock(transaction, conversation.org_id, conversation.agent_id)
    if live is None:
        return Outcomes()
    place = {
        "org_id": conversation.org_id,
        "agent_id": conversation.agent_id,
        "user_id": conversation.user_id,
    }
    made_of = {turn.number: turn.memory_id for turn in conversation.turns}
    outcomes: dict[int, Mapping[str, Any]] = {}
    gone: set[UUID] = set()
    for wish in wishes:
        source = {"conversation_id": str(conversation.conversation_id), "turn": wish.number}
        forgotten = await forgetting.forget(transaction, live, place, wish, source, rejected=made_of[wish.number])
        gone |= set(forgotten.deleted)
        outcomes[wish.number] = {
            "outcome": _outcome(wish, forgotten),
            "forgotten": [str(memory_id) for memory_id in forgotten.deleted],
            "proposed": [str(memory_id) for memory_id in forgotten.proposed],
        }
    return Outcomes(outcomes, frozenset(gone), await live.finish() if gone else None)


def _outcome(wish: Forgetting, forgotten: Forgotten) -> str:
    if forgotten.deleted:
        return FORGOTTEN
    if forgotten.proposed:
        return PROPOSED
    return TOO_MUCH if wish.is_of_everything else NOTHING
