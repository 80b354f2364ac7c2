"""Links the turns of end users with those of their own memories that they correct."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from remembrancer.domain.capture import long_texts, proposals, rules, selection
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.turns import CORRECTION, DROPPED, KEPT, PENDING, Conversation, Decision, Turn
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories import corrections
from remembrancer.domain.memories.corrections import Candidate, Correction
from remembrancer.domain.memories.memory import Memory, NewMemory
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.search import MemoryIndex, Stemmer
from remembrancer.ports.system import Clock
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.retrieval import terms

MEMORIES = 10
"""Memories that are found by the words of a turn, and by those of the turns before it."""
BEFORE = 4
"""Turns before one that it may mean without a word about them."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Compares turns with the memories that their end user may change: never shared ones, nor those of anybody else.

    A conversation without an end user corrects nothing: whoever speaks in it, its memories are shared.
    """

    search: MemoryIndex
    stemmer: Stemmer
    opener: Cipher
    clock: Clock

    async def linked(self, organization: Organization, conversation: Conversation, plan: Plan) -> Plan:
        """The plan in which a turn's memory supersedes the one that it corrects for certain, or may contradict it.

        Turns that mean nothing without what they correct are kept with it.
        """
        if conversation.user_id is None:
            return plan
        decided = {decision.number: decision for decision in plan.decisions}
        gone: set[UUID] = set()
        for turn in conversation.turns:
            decision = decided.get(turn.number)
            said = spoken(turn.role, turn.speaker, turn.text)
            if decision is None or not _may_correct(turn, decision) or not corrections.may_correct(said):
                continue
            known = await self._known(organization, conversation, plan, turn)
            if found := corrections.linked(said, [candidate for candidate in known if candidate.id not in gone]):
                plan = _with(plan, conversation, turn, found)
                gone.update(candidate.id for candidate, correction in found if correction.is_certain)
        return plan

    async def _known(
        self, organization: Organization, conversation: Conversation, plan: Plan, turn: Turn
    ) -> list[Candidate]:
        """The memories that the turn may be about, the oldest first; those that the same plan makes are among them."""
        before = [other for other in conversation.turns if turn.number - BEFORE <= other.number < turn.number]
        told = next((other.text for other in reversed(before) if other.role == "assistant"), "")
        near = {other.memory_id for other in before}
        texts = [turn.text]
        if corrections.may_refer_back(turn.text):
            texts.append("\n".join(other.text for other in before))
        stored = [
            _candidate(memory.id, memory)
            for memory in await self._stored(organization, conversation, texts)
            if memory.created_at <= turn.observed_at and memory.id != turn.memory_id
        ]
        same = {candidate.id for candidate in stored} | {candidate.content for candidate in stored}
        planned = [
            _candidate(other.memory_id, memory)
            for other in conversation.turns
            if other.number < turn.number and other.state != KEPT and (memory := plan.memories.get(other.number))
            if same.isdisjoint({other.memory_id, memory.content})
        ]
        return [
            replace(one, is_near=one.id in near or corrections.is_told(one.content, told))
            for one in sorted([*stored, *planned], key=lambda one: one.created_at)
            if corrections.is_of_speaker(one.content, turn.role, turn.speaker)
        ]

    async def _stored(
        self, organization: Organization, conversation: Conversation, texts: Sequence[str]
    ) -> list[Memory]:
        """The end user's own memories with the words of each of the texts."""
        found: dict[UUID, Memory] = {}
        for text in filter(None, texts):
            wanted = terms.wanted(text, organization, self.stemmer)
            now = self.clock.now()
            hits = await self.search.matching(conversation.scope, wanted, Filters(), limit=MEMORIES, now=now)
            found |= {memory.id: memory for memory in hits.memories if memory.user_id == conversation.user_id}
        readable = await opened(self.opener, organization.org_id, list(found.values()))
        return [memory for memory in readable.memories if not memory.is_unreadable]


def unlinked(plan: Plan) -> Plan:
    """The plan without supersessions; the same plan where there are none."""
    if all(memory.supersedes is None for memory in plan.memories.values()):
        return plan
    memories = {
        number: memory
        if memory.supersedes is None
        else replace(
            memory,
            supersedes=None,
            provenance={name: value for name, value in (memory.provenance or {}).items() if name != CORRECTS},
        )
        for number, memory in plan.memories.items()
    }
    return replace(plan, memories=memories)


CORRECTS = "corrects"
"""In the provenance of a memory: the memories that its turn corrects, and what was done to them."""


def _candidate(memory_id: UUID, memory: Memory | NewMemory) -> Candidate:
    is_pinned = memory.pinned_at is not None
    return Candidate(memory_id, memory.content, memory.category, memory.created_at, is_pinned=is_pinned)


def _may_correct(turn: Turn, decision: Decision) -> bool:
    is_turned_down = decision.state == DROPPED and decision.reason == selection.NO_STATEMENT
    return turn.role == "user" and turn.state == PENDING and (decision.state == KEPT or is_turned_down)


def _with(plan: Plan, conversation: Conversation, turn: Turn, found: Sequence[tuple[Candidate, Correction]]) -> Plan:
    """The plan in which this turn is kept, and its memory linked with those that it corrects."""
    memory = plan.memories.get(turn.number) or rules.memory_of(conversation, turn)
    (first, correction), *_ = found
    targets = [candidate for candidate, _ in found]
    after = max(candidate.created_at for candidate in targets) + timedelta(microseconds=1)
    is_fact = correction.is_certain and memory.category == "episodic"
    about = next((one.about for _, one in found if one.about), "")
    # A mere possibility is no statement.
    label = "corrects" if correction.is_certain else "about"
    linked = replace(
        memory,
        content=corrected(spoken(turn.role, turn.speaker, turn.text), label, about) if about else memory.content,
        category=first.category if is_fact else memory.category,
        # The newer one of two is the one with the later time, also where a client sends one time for all messages.
        created_at=max(memory.created_at, after),
        supersedes=first.id if correction.is_certain else None,
        provenance={
            **(memory.provenance or {}),
            CORRECTS: [
                {
                    "memory_id": str(candidate.id),
                    "differs_in": one.differs_in,
                    "outcome": proposals.SUPERSEDED if one.is_certain else proposals.RELATED,
                }
                for candidate, one in found
            ],
        },
    )
    decision = Decision(turn.number, KEPT, CORRECTION)
    return replace(
        plan,
        memories={**plan.memories, turn.number: linked},
        decisions=[decision if one.number == turn.number else one for one in plan.decisions],
        contradicts={**plan.contradicts, turn.number: [one.id for one, of in found if not of.is_certain]},
    )


def corrected(said: str, label: str, about: str) -> str:
    """What was said, with what it is about, without which it means little."""
    return f"{said} ({label}: {long_texts.beginning(about, MOST_ABOUT)})"


MOST_ABOUT = 300
"""Characters of a corrected clause in the memory of the correction."""
