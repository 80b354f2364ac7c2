"""Finds the memories of an end user that a wish to forget is about, and forgets them for a request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np

from remembrancer.domain.capture import forget_request, forgetting
from remembrancer.domain.capture.extracted import memory_ids
from remembrancer.domain.capture.forgetting import FORGOTTEN, NOTHING, PROPOSED, Candidate, Forgetting, Match
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.capture.turns import KEPT, Conversation
from remembrancer.domain.capture.wishes import Heard, Topic, Wish, said_before
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import Principal, Scope
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS
from remembrancer.domain.lexical_index.words import language_of, words
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
        topics: Sequence[Topic],
        *,
        until: datetime | None = None,
        new: Mapping[UUID, str] | None = None,
    ) -> Found:
        """Memories of the scope's end user that the topics are about, created until then; `new` are texts of memories
        that are not stored yet. An end user who is not named has none.
        """
        matches: dict[UUID, Match] = {}
        texts: dict[UUID, str] = {}
        if scope.end_user.name is None:
            return Found()
        for topic in topics:
            own, similarities = await self._own(organization, scope, topic, until, new or {})
            wanted = self._words(organization, topic.text)
            candidates = [
                Candidate(memory_id, self._words(organization, text), similarities[memory_id])
                for memory_id, text in own.items()
            ]
            for match in forgetting.matches(wanted, candidates, is_open=topic.is_open):
                matches.setdefault(match.memory_id, match)
                texts[match.memory_id] = own[match.memory_id]
        return Found(list(matches.values()), texts)

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
        found = await self.matching(organization, conversation.scope, wish.topics, until=turn.observed_at, new=earlier)
        sure = [match.memory_id for match in found.matches if match.is_sure]
        doubtful = [match.memory_id for match in found.matches if not match.is_sure]
        before = said_before(turns, turn) if wish.is_of_before and conversation.user_id is not None else None
        if before is not None:
            sure += memory_ids(before) if before.state == KEPT else []
            sure += [new[before.number][0]] if before.number in new else []
        # The message of somebody else has a name, and nothing may show that it is not the end user's.
        if not organization.forgets_at_once or turn.speaker is not None:
            sure, doubtful = [], sure + doubtful
        return Forgetting(number, tuple(dict.fromkeys(sure)), tuple(dict.fromkeys(doubtful)), wish.is_of_everything)

    async def _own(
        self,
        organization: Organization,
        scope: Scope,
        topic: Topic,
        until: datetime | None,
        new: Mapping[UUID, str],
    ) -> tuple[dict[UUID, str], dict[UUID, float]]:
        """Texts of memories near to the topic, and their cosines; those without a vector yet are embedded here."""
        now, owner = self.clock.now(), scope.end_user.name
        embedder = serving(organization, self.embedder, self.previous)
        (vector,) = await embedder.embed([topic.text])
        near = await self.search.nearest(scope, vector, Filters(), model=embedder.model, limit=NEAREST, now=now)
        query = terms.wanted(topic.text, organization, self.stemmer)
        worded = await self.search.matching(scope, query, Filters(), limit=NEAREST, now=now)
        similarities = {
            memory.id: float(similarity) for memory, similarity in zip(near.memories, near.similarity, strict=True)
        }
        found = {memory.id: memory for memory in (*near.memories, *worded.memories)}
        readable = (await opened(self.opener, organization.org_id, list(found.values()))).memories
        texts = {
            memory.id: memory.content
            for memory in readable
            if memory.user_id == owner and not memory.is_unreadable and (until is None or memory.created_at <= until)
        } | dict(new)
        bare = [memory_id for memory_id in texts if memory_id not in similarities]
        for memory_id, other in zip(
            bare, await embedder.embed([texts[one] for one in bare]) if bare else (), strict=True
        ):
            similarities[memory_id] = float(np.dot(vector, other))
        return texts, similarities

    def _words(self, organization: Organization, text: str) -> frozenset[str]:
        """Stems of the words that mean something."""
        language = language_of(text, organization.languages)
        meant = [word for word in words(text, STOP_WORDS[language]) if word not in SMALL_TALK]
        return frozenset(self.stemmer.of(language).stem(meant))


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
        found = await self.search.matching(organization, scope, request.topics)
        matches = {match.memory_id: match for match in found.matches}
        topics = [topic.text for topic in request.topics]
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
