"""Drops what an assistant repeats of memories: assembly has injected them, and they must not be stored again."""

from dataclasses import dataclass, replace

from remembrancer.domain.capture.echo import is_echo
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.turns import DROPPED, ECHO, KEPT, Conversation, Decision, Turn
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.search import MemoryIndex, Stemmer
from remembrancer.ports.system import Clock
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.retrieval import terms

MEMORIES = 10
"""Memories with the most important common words that a turn is compared with."""


def _said(plan: Plan, turn: Turn) -> str:
    """What its memory says, behind the speaker."""
    memory = plan.memories.get(turn.number)
    return turn.text if memory is None else memory.content.partition(": ")[2]


@dataclass(frozen=True, slots=True)
class Echoes:
    """Compares turns of assistants with the memories that their end user may read."""

    search: MemoryIndex
    stemmer: Stemmer
    opener: Cipher
    clock: Clock

    async def dropped(self, organization: Organization, conversation: Conversation, plan: Plan) -> Plan:
        """The plan without memories of assistants' turns that repeat a memory; usually it has none, and nothing is
        read.
        """
        kept = {decision.number for decision in plan.decisions if decision.state == KEPT}
        echoes = {
            turn.number
            for turn in conversation.turns
            if turn.role == "assistant"
            and turn.number in kept
            and is_echo(said := _said(plan, turn), await self._known(organization, conversation, said))
        }
        if not echoes:
            return plan
        decisions = [Decision(one.number, DROPPED, ECHO) if one.number in echoes else one for one in plan.decisions]
        memories = {number: memory for number, memory in plan.memories.items() if number not in echoes}
        return replace(plan, memories=memories, decisions=decisions, followed=plan.followed - echoes)

    async def _known(self, organization: Organization, conversation: Conversation, text: str) -> list[str]:
        scope = conversation.scope
        wanted = terms.wanted(text, organization, self.stemmer, kinds=True)
        found = await self.search.matching(scope, wanted, Filters(), limit=MEMORIES, now=self.clock.now())
        return [memory.content for memory in (await opened(self.opener, conversation.org_id, found.memories)).memories]
