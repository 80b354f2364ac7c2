"""Reads conversations for the API, with their text opened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.capture.turns import Conversation
from remembrancer.domain.identity.scope import Principal
from remembrancer.ports.capture import ConversationListing, Conversations
from remembrancer.ports.encryption import Cipher
from remembrancer.usecases.capture.sealed_turns import opened


@dataclass(frozen=True, slots=True)
class ConversationReader:
    """Conversations that a principal may see."""

    conversations: Conversations
    opener: Cipher

    async def get(self, principal: Principal, conversation_id: UUID, *, before: int | None) -> Conversation | None:
        """One conversation with its newest turns before the number `before`."""
        found = await self.conversations.get(principal, conversation_id, before=before)
        if found is None:
            return None
        return replace(found, turns=await opened(self.opener, principal.org_id, found.turns))

    async def list(self, principal: Principal, listing: ConversationListing) -> Sequence[Conversation]:
        """One page; each with the first turn of its user only."""
        found = await self.conversations.list(principal, listing)
        turns = await opened(self.opener, principal.org_id, [turn for one in found for turn in one.turns])
        first = {turn.memory_id: turn for turn in turns}
        return [replace(one, turns=[first[turn.memory_id] for turn in one.turns]) for one in found]
