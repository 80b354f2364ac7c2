"""Links the turns of end users, and what was agreed with them, with those of their own memories that they correct."""

import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

import numpy as np

from remembrancer.domain.capture import proposals, rules, selection
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.capture.rules import Plan
from remembrancer.domain.capture.turns import (
    AGREED,
    CORRECTION,
    DROPPED,
    KEPT,
    PENDING,
    Conversation,
    Decision,
    Turn,
)
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.memories import correction_cue, corrections, embedding_text
from remembrancer.domain.memories.correction_features import Said, Similarity
from remembrancer.domain.memories.corrections import BEFORE, Candidate, Correction
from remembrancer.domain.memories.memory import Memory, NewMemory, Vector
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import StoreError
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.models import Embedder
from remembrancer.ports.search import MemoryIndex, Stemmer
from remembrancer.ports.system import Clock
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.retrieval import terms
from remembrancer.usecases.retrieval.serving_model import serving

MEMORIES = 10
"""Memories that are found by the words of a turn, and by its meaning."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Corrections:
    """Compares turns with the memories that their end user may change: never shared ones, nor those of anybody else.

    A conversation without an end user corrects nothing: whoever speaks in it, its memories are shared. `embedder` and
    `previous` find memories by the vectors that serve. `packaged` compares them: the weights are fitted with its
    cosines, and a remote model may take a request for each clause.
    """

    search: MemoryIndex
    embedder: Embedder
    packaged: Embedder
    stemmer: Stemmer
    opener: Cipher
    clock: Clock
    previous: Embedder | None = None

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
            if decision is None or not _may_correct(turn, decision):
                continue
            said = _said(conversation, turn, plan, decision)
            if not corrections.may_correct(said.text):
                continue
            vector = await _embedded(self.packaged, [said.text])
            own = vector[0] if vector else None
            said = replace(said, cue=correction_cue.cue(said, vector=own, model=self.packaged.model))
            if not correction_cue.is_worth_comparing(said):
                continue
            known = await self._known(organization, conversation, plan, turn, said, vector)
            if found := corrections.linked(said, [candidate for candidate in known if candidate.id not in gone]):
                plan = _with(plan, conversation, turn, decision, found)
                gone.update(candidate.id for candidate, correction in found if correction.is_certain)
        return plan

    async def _known(
        self,
        organization: Organization,
        conversation: Conversation,
        plan: Plan,
        turn: Turn,
        said: Said,
        vector: Sequence[Vector],
    ) -> list[Candidate]:
        """The memories that the turn may be about, the oldest first; those that the same plan makes are among them.
        `vector`: that of the turn, empty where it has none.
        """
        before = [other for other in conversation.turns if turn.number - BEFORE <= other.number < turn.number]
        near = {other.memory_id for other in before}
        texts = [said.text]
        if corrections.is_elliptic(said.text):
            texts.append("\n".join(other.text for other in before))
        planned = {
            other.memory_id: memory
            for other in conversation.turns
            if other.number < turn.number and other.state != KEPT and (memory := plan.memories.get(other.number))
        }
        stored, nearest = await self._stored(organization, conversation, texts, vector)
        same = {memory.content for memory in stored.values()}
        known: dict[UUID, Memory | NewMemory] = {
            memory_id: memory for memory_id, memory in stored.items() if memory.created_at <= turn.observed_at
        }
        known |= {memory_id: memory for memory_id, memory in planned.items() if memory.content not in same}
        known = {
            memory_id: memory
            for memory_id, memory in sorted(known.items(), key=lambda one: one[1].created_at)
            if memory_id != turn.memory_id and corrections.is_of_speaker(memory.content, turn.role, turn.speaker)
        }
        similar = await _similar(self.packaged, said.text, vector, known, nearest) if vector else {}
        session = {other.memory_id for other in conversation.turns}
        return [
            Candidate(
                memory_id,
                memory.content,
                memory.category,
                memory.created_at,
                is_near=memory_id in near,
                is_of_session=memory_id in session,
                is_pinned=memory.pinned_at is not None,
                similarity=similar.get(memory_id),
            )
            for memory_id, memory in known.items()
        ]

    async def _stored(
        self, organization: Organization, conversation: Conversation, said: Sequence[str], vector: Sequence[Vector]
    ) -> tuple[dict[UUID, Memory], dict[UUID, float]]:
        """The end user's own memories with words of one of the texts, and those nearest to the first in meaning, with
        the cosines of these where they are of the packaged model.
        """
        now, scope = self.clock.now(), conversation.scope
        found: list[Memory] = []
        for text in filter(None, said):
            wanted = terms.wanted(text, organization, self.stemmer)
            found += (await self.search.matching(scope, wanted, Filters(), limit=MEMORIES, now=now)).memories
        cosines: dict[UUID, float] = {}
        embedder = serving(organization, self.embedder, self.previous)
        is_packaged = embedder.model == self.packaged.model
        searched = vector if is_packaged else await _embedded(embedder, said[:1])
        if searched:
            near = await self.search.nearest(
                scope, searched[0], Filters(), model=embedder.model, limit=MEMORIES, now=now
            )
            found += near.memories
            ids = [memory.id for memory in near.memories]
            cosines = dict(zip(ids, map(float, near.similarity), strict=True)) if is_packaged else {}
        own = {memory.id: memory for memory in found if memory.user_id == conversation.user_id}
        readable = (await opened(self.opener, organization.org_id, list(own.values()))).memories
        return {memory.id: memory for memory in readable if not memory.is_unreadable}, cosines


async def _similar(
    packaged: Embedder,
    said: str,
    vector: Sequence[Vector],
    memories: Mapping[UUID, Memory | NewMemory],
    nearest: Mapping[UUID, float],
) -> dict[UUID, Similarity]:
    """How similar what is said is to each memory; `nearest` has cosines that are known. Empty where nothing can be
    embedded now.
    """
    if not memories:
        return {}
    contents = [memory.content for memory in memories.values()]
    sentences, clauses = corrections.compared_texts(said, contents)
    others = [memory_id for memory_id in memories if memory_id not in nearest]
    wholes = [_whole(memories[one]) for one in others]
    texts = [*sentences, *itertools.chain(*clauses), *(text for whole in wholes for text, _ in whole)]
    vectors = np.array(await _embedded(packaged, texts))
    if not len(vectors):
        return {}
    of_sentences, *of_clauses, of_wholes = np.split(vectors, np.cumsum([len(sentences), *map(len, clauses)]))
    combined = embedding_text.combined(of_wholes, [[weight for _, weight in whole] for whole in wholes])
    cosines = {**nearest, **dict(zip(others, (combined @ vector[0]).tolist(), strict=True))}
    return {
        memory_id: corrections.similarity(cosines[memory_id], vector[0], of_sentences, own)
        for memory_id, own in zip(memories, of_clauses, strict=True)
    }


def _whole(memory: Memory | NewMemory) -> tuple[tuple[str, float], ...]:
    """As the embedding worker reads it; the context of a stored memory is not at hand."""
    return embedding_text.texts(memory.content, memory.context if isinstance(memory, NewMemory) else None)


async def _embedded(embedder: Embedder, texts: Sequence[str]) -> Sequence[Vector]:
    """Empty where the embedder fails: the turn is kept all the same, and linked with what it corrects for certain."""
    try:
        return list(await embedder.embed(texts)) if texts else ()
    except StoreError as error:
        logger.warning("correction_not_compared", extra={"cause": error.cause})
        return ()


def _said(conversation: Conversation, turn: Turn, plan: Plan, decision: Decision) -> Said:
    """What the turn says; of the assistant's, what was agreed."""
    is_assistant = turn.role == "assistant"
    before = next((other for other in conversation.turns if other.number == turn.after), None)
    return Said(
        plan.memories[turn.number].content.partition(": ")[2] if is_assistant else turn.text,
        is_assistant=is_assistant,
        is_statement=decision.state == KEPT,
        is_answer=before is not None and before.role != turn.role and bool(selection.last_question(before.text)),
        before=before.text if before else "",
    )


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


def _may_correct(turn: Turn, decision: Decision) -> bool:
    if turn.role == "assistant":
        return turn.state != KEPT and decision.state == KEPT and decision.reason == AGREED
    is_turned_down = decision.state == DROPPED and decision.reason in {selection.NO_STATEMENT, selection.QUESTION}
    return turn.state == PENDING and (decision.state == KEPT or is_turned_down)


def _with(
    plan: Plan,
    conversation: Conversation,
    turn: Turn,
    decision: Decision,
    found: Sequence[tuple[Candidate, Correction]],
) -> Plan:
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
        content=f"{_content(memory, turn)} ({label}: {about.removeprefix(f'{label} ')})" if about else memory.content,
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
    # What was agreed may still be rejected by the next turn.
    decision = Decision(turn.number, KEPT, AGREED if decision.reason == AGREED else CORRECTION)
    return replace(
        plan,
        memories={**plan.memories, turn.number: linked},
        decisions=[decision if one.number == turn.number else one for one in plan.decisions],
        contradicts={**plan.contradicts, turn.number: [one.id for one, of in found if not of.is_certain]},
    )


def _content(memory: NewMemory, turn: Turn) -> str:
    return memory.content if turn.role == "assistant" else spoken(turn.role, turn.speaker, turn.text)
