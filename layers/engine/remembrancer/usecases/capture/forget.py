"""Finds the memories of an end user that a wish to forget is about, and forgets them for a request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.capture import forget_request, forgetting
from remembrancer.domain.capture.extracted import memory_ids
from remembrancer.domain.capture.forgetting import (
    FORGOTTEN,
    NOTHING,
    PROPOSED,
    Candidate,
    Forgetting,
    Match,
    Sought,
)
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.capture.turns import KEPT, Conversation, Turn
from remembrancer.domain.capture.wishes import Heard, Wish, said_before
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal, Scope
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS
from remembrancer.domain.lexical_index.words import language_of, words
from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.domain.requests.idempotency import Once
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import InvalidRequest, NotFound
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.identity import Directory
from remembrancer.ports.memories import MemoryLife
from remembrancer.ports.models import Embedder
from remembrancer.ports.search import MemoryIndex, Stemmer
from remembrancer.ports.system import Clock
from remembrancer.usecases.encryption.opening import opened
from remembrancer.usecases.identity.authorise import require_agent
from remembrancer.usecases.memories.change_announcements import Announcer
from remembrancer.usecases.memories.sealed_memories import MemoryReader
from remembrancer.usecases.retrieval import terms
from remembrancer.usecases.retrieval.after_response import Afterwards
from remembrancer.usecases.retrieval.serving_model import serving

NEAREST = 100
"""Memories that are looked at, by meaning and by words; those that others share are among them, and are left out."""


@dataclass(frozen=True, slots=True)
class Found:
    """What topics are about, the surest first, and the memories' texts."""

    matches: Sequence[Match] = ()
    texts: Mapping[UUID, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForgetSearch:
    """Searches like the memory query, and draws a line; `previous` embeds while the vectors of that model serve."""

    search: MemoryIndex
    embedder: Embedder
    stemmer: Stemmer
    opener: Cipher
    clock: Clock
    previous: Embedder | None = None

    async def of_conversation(
        self, organization: Organization, heard: Heard, new: Mapping[int, tuple[UUID, str]]
    ) -> list[Forgetting]:
        """What is to be done about the wishes in pending turns; the `new` memories, by turn with their texts, are not
        stored yet.

        A wish is about what was said before it. Without an end user it is about nothing: what is shared is everybody's.
        """
        return [
            await self._of_turn(organization, heard.conversation, number, wish, new)
            for number, wish in heard.wishes.items()
        ]

    async def matching(
        self,
        organization: Organization,
        scope: Scope,
        wish: Wish,
        *,
        until: datetime | None = None,
        new: Mapping[UUID, str] = MappingProxyType({}),
        before: frozenset[UUID] = frozenset(),
    ) -> Found:
        """Memories of the scope's end user that the wish is about, created until then; `new` are texts of memories that
        are not stored yet, and `before` memories that the wish points at. An end user who is not named has none.
        """
        if scope.end_user.name is None:
            return Found()
        views = [*(topic.text for topic in wish.topics), wish.said]
        embedder = serving(organization, self.embedder, self.previous)
        vectors = await embedder.embed(views)
        own, similarities = await self._near(organization, scope, views, vectors, embedder.model)
        own = {one: memory for one, memory in own.items() if until is None or memory.created_at <= until}
        texts = {one: own[one].content for one in sorted(own, key=lambda one: own[one].created_at)} | dict(new)
        bare = [one for one in texts if any(one not in near for near in similarities)]
        for one, vector in zip(bare, await embedder.embed([texts[one] for one in bare]) if bare else (), strict=True):
            for near, cosine in zip(similarities, vectors @ vector, strict=True):
                near[one] = float(cosine)
        latest = max(len(texts) - 1, 1)
        candidates = [
            Candidate(
                one,
                self._words(organization, text),
                [near[one] for near in similarities],
                lateness=(latest - place if wish.is_of_old else place) / latest,
                is_before=one in before,
            )
            for place, (one, text) in enumerate(texts.items())
        ]
        topics = [Sought(self._words(organization, topic.text), topic.is_open) for topic in wish.topics]
        wanted = self._words(organization, wish.said)
        return Found(forgetting.matches(topics, wanted, candidates, is_sure=wish.is_sure), texts)

    async def _of_turn(
        self,
        organization: Organization,
        conversation: Conversation,
        number: int,
        wish: Wish,
        new: Mapping[int, tuple[UUID, str]],
    ) -> Forgetting:
        turns = {turn.number: turn for turn in conversation.turns}
        turn = turns[number]
        earlier = dict(one for of, one in new.items() if of < number)
        before = _before(turns, turn, new) if wish.is_of_before and wish.is_sure else frozenset()
        found = await self.matching(
            organization, conversation.scope, wish, until=turn.observed_at, new=earlier, before=before
        )
        sure = [match.memory_id for match in found.matches if match.is_sure]
        doubtful = [match.memory_id for match in found.matches if not match.is_sure]
        # Each memory that a model made of one turn is meant; no search finds those without a vector, or in review.
        is_meant = before.isdisjoint(found.texts) or not before.isdisjoint((*sure, *doubtful[:1]))
        if before and conversation.user_id is not None and is_meant:
            sure += [one for one in sorted(before, key=str) if one not in sure]
        # The message of somebody else has a name, and nothing may show that it is not the end user's.
        if not organization.forgets_at_once or not wish.is_plain or turn.speaker is not None:
            sure, doubtful = [], sure + doubtful
        return Forgetting(number, tuple(dict.fromkeys(sure)), tuple(dict.fromkeys(doubtful)), wish.is_of_everything)

    async def _near(
        self, organization: Organization, scope: Scope, views: Sequence[str], vectors: NDArray[np.float32], model: str
    ) -> tuple[dict[UUID, Memory], list[dict[UUID, float]]]:
        """The end user's own memories near to each view by meaning or words, and the known cosines to each view."""
        now = self.clock.now()
        found: dict[UUID, Memory] = {}
        similarities: list[dict[UUID, float]] = []
        for view, vector in zip(views, vectors, strict=True):
            near = await self.search.nearest(scope, vector, Filters(), model=model, limit=NEAREST, now=now)
            query = terms.wanted(view, organization, self.stemmer)
            worded = await self.search.matching(scope, query, Filters(), limit=NEAREST, now=now)
            found |= {memory.id: memory for memory in (*near.memories, *worded.memories)}
            similarities.append(
                {memory.id: float(one) for memory, one in zip(near.memories, near.similarity, strict=True)}
            )
        readable = (await opened(self.opener, organization.org_id, list(found.values()))).memories
        owner = scope.end_user.name
        own = {memory.id: memory for memory in readable if memory.user_id == owner and not memory.is_unreadable}
        return own, similarities

    def _words(self, organization: Organization, text: str) -> frozenset[str]:
        """Stems of the words that mean something."""
        language = language_of(text, organization.languages)
        meant = [word for word in words(text, STOP_WORDS[language]) if word not in SMALL_TALK]
        return frozenset(self.stemmer.of(language).stem(meant))


def _before(turns: Mapping[int, Turn], turn: Turn, new: Mapping[int, tuple[UUID, str]]) -> frozenset[UUID]:
    """The memories of the last turn of the user before this one that has any."""
    before = said_before(turns, turn)
    while before is not None and before.state != KEPT and before.number not in new:
        before = said_before(turns, before)
    if before is None:
        return frozenset()
    made = memory_ids(before) if before.state == KEPT else []
    return frozenset((*made, *(new[before.number][:1] if before.number in new else ())))


@dataclass(frozen=True, slots=True)
class ForgetOutcome:
    """What a request to forget was about, and what was done: `memories` with their matches, the surest first."""

    outcome: str
    topics: Sequence[str]
    memories: Sequence[tuple[StoredMemory, Match]]
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Forgetter:
    """Forgets what a sentence is about: sure matches are deleted, so that they can be restored; others are proposed."""

    search: ForgetSearch
    memories: MemoryReader
    life: MemoryLife
    directory: Directory
    announcer: Announcer

    async def forget(
        self, body: object, principal: Principal, afterwards: Afterwards, *, once: Once | None = None
    ) -> ForgetOutcome:
        """Of the principal's end user's own memories alone; with `dry_run` nothing is done. Raises RequestError.

        Its answer shows what a search finds, so it takes the right to search, too.
        """
        principal.require("query")
        request = forget_request.parse(body)
        if request.user_id is not None:
            principal = principal.acting_for(request.user_id)
        if principal.user_id is None:
            problem = "is missing: only what one end user owns is forgotten"
            raise InvalidRequest("The request names no end user.", code="missing_end_user", fields={"user_id": problem})
        agent = await require_agent(principal, request.agent, self.directory)
        organization = await self.directory.organization(principal.org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        scope = Scope(principal.org_id, principal.project_id, principal.environment, agent.agent_id, principal.end_user)
        found = await self.search.matching(organization, scope, request.wish)
        matches = {match.memory_id: match for match in found.matches}
        topics = [topic.text for topic in request.wish.topics]
        if request.is_dry_run:
            shown = await self._shown(principal, list(matches), matches)
            return ForgetOutcome(_outcome(found.matches), topics, shown, is_dry_run=True)
        wish = Forgetting(
            0,
            tuple(match.memory_id for match in found.matches if match.is_sure),
            tuple(match.memory_id for match in found.matches if not match.is_sure),
        )
        done = await self.life.forget_all(principal, agent.agent_id, wish, once=once)
        if done.change is not None:
            await self.announcer.changed(principal.org_id, agent.agent_id, done.change, done.deleted, afterwards)
        touched = {memory_id: Match(memory_id, 0, True) for memory_id in done.deleted}
        touched |= {memory_id: Match(memory_id, 0, False) for memory_id in done.proposed}
        matches = {memory_id: matches.get(memory_id, match) for memory_id, match in touched.items()}
        return ForgetOutcome(
            _outcome(list(touched.values())), topics, await self._shown(principal, list(touched), matches)
        )

    async def _shown(
        self, principal: Principal, memory_ids: Sequence[UUID], matches: Mapping[UUID, Match]
    ) -> list[tuple[StoredMemory, Match]]:
        read = [await self.memories.get(principal, memory_id, deleted=True) for memory_id in memory_ids]
        return [(stored, matches[stored.memory.id]) for stored in read if stored is not None]


def _outcome(matches: Sequence[Match]) -> str:
    if any(match.is_sure for match in matches):
        return FORGOTTEN
    return PROPOSED if matches else NOTHING
