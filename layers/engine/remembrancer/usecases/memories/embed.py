"""Embeds new and changed memories, one batch of queue messages at a time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np

from remembrancer.domain.encryption.sealed_text import UNREADABLE_TEXT
from remembrancer.domain.identity.scope import EVERYBODY
from remembrancer.domain.memories import embedding_text
from remembrancer.domain.memories.memory import Change, Vector
from remembrancer.domain.retrieval.asked_time import PRESENT
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.errors import StoreError
from remembrancer.ports.cache import AgentCache
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.memories import EmbeddingStore, PendingMemory, ServingVectors
from remembrancer.ports.models import Embedder
from remembrancer.ports.system import Clock
from remembrancer.ports.upkeep import LexicalIndex
from remembrancer.usecases.encryption.opening import opened, opened_contexts
from remembrancer.usecases.memories.conflicts import ConflictFinder
from remembrancer.usecases.memories.near_duplicates import Consolidator
from remembrancer.usecases.retrieval.hot_set import entry


@dataclass(frozen=True, slots=True)
class EmbedMessage:
    """A memory to embed; `last_try` when a failure now moves the message to the dead-letter queue."""

    org_id: UUID
    memory_id: UUID
    last_try: bool = False


Failed = dict[EmbedMessage, str]
"""Messages that failed and are to be delivered again, with the reason."""

Texts = Sequence[tuple[str, float]]
"""The texts of one memory, each with its weight in the memory's vector."""

TEXTS_AT_ONCE = 32
"""Most texts, of several memories, in one call of the embedder: some servers take no more."""


@dataclass(frozen=True, slots=True)
class MemoryEmbedder:
    """Embeds memories; idempotent: a repeated or late message changes nothing.

    While all memories of an organization are embedded again, by another model, those that are new or changed get a
    vector by `previous`, too, since that serves; `serving` tells which model does.
    """

    store: EmbeddingStore
    conflicts: ConflictFinder
    consolidator: Consolidator
    index: LexicalIndex
    cache: AgentCache
    embedder: Embedder
    opener: Cipher
    clock: Clock
    previous: Embedder | None = None
    serving: Callable[[UUID], Awaitable[VectorSpace]] | None = None

    async def embed(self, messages: Sequence[EmbedMessage]) -> Failed:
        """Embeds the batch with one call of the embedder; returns messages to be delivered again, with the reason."""
        failed: Failed = {}
        pending: list[tuple[UUID, PendingMemory]] = []
        for org_id, ids in _by_organization(messages):
            try:
                found = await self.store.pending(org_id, ids, self.embedder.model)
            except StoreError as error:
                failed |= dict.fromkeys(_messages_of(messages, set(ids)), error.cause)
                continue
            readable = await self._readable(org_id, found)
            pending += [(org_id, memory) for memory in readable]
            closed = {one.memory.id for one in found} - {one.memory.id for one in readable}
            failed |= await self._not_embedded(_messages_of(messages, closed), "DecryptionFailed")
        failed |= await self._embed(messages, pending)
        # Before the clusters: a memory with a cluster counts as compared, also for the delivery after a crash.
        failed |= await self._find_conflicts([message for message in messages if message not in failed])
        return failed | await self._consolidate([message for message in messages if message not in failed])

    async def _embed(self, messages: Sequence[EmbedMessage], pending: Sequence[tuple[UUID, PendingMemory]]) -> Failed:
        """When a message is on its last try, texts are embedded one by one, so that a failing text does not affect
        the others.
        """
        if not pending:
            return {}
        concerned = _messages_of(messages, {memory.memory.id for _, memory in pending})
        texts = [embedding_text.texts(memory.memory.content, memory.context) for _, memory in pending]
        serving = await self._by_serving(pending, texts)
        try:
            vectors = await _embedded(self.embedder, texts)
        except StoreError as error:
            await self._store_serving(pending, serving)
            if len(pending) == 1 or not any(message.last_try for message in concerned):
                return await self._not_embedded(concerned, error.cause)
            apart = [await self._embed(messages, [one]) for one in pending]
            return {message: cause for failed in apart for message, cause in failed.items()}

        async def stored(org_id: UUID) -> Failed:
            rows = [row for row, (owner, _) in enumerate(pending) if owner == org_id]
            memories = [pending[row][1] for row in rows]
            try:
                await self._store(org_id, memories, vectors[rows], self.embedder.model, serving.get(org_id))
            except StoreError as error:
                return dict.fromkeys(_messages_of(messages, {memory.memory.id for memory in memories}), error.cause)
            return {}

        return await _of_all(stored(org_id) for org_id in sorted({org_id for org_id, _ in pending}))

    async def _by_serving(
        self, pending: Sequence[tuple[UUID, PendingMemory]], texts: Sequence[Texts]
    ) -> dict[UUID, ServingVectors]:
        """For each organization in which `previous` serves: its vectors of the memories that have none of it yet. Empty
        where it fails: such memories are found by their words until the current model serves.
        """
        if self.previous is None or self.serving is None:
            return {}
        spaces = {org_id: await self.serving(org_id) for org_id in {org_id for org_id, _ in pending}}
        model = self.previous.model
        lacking = [
            row for row, (org_id, one) in enumerate(pending) if spaces[org_id].model == model and one.model != model
        ]
        found = {org_id: ServingVectors(model, {}) for org_id, space in spaces.items() if space.model == model}
        if not lacking:
            return found
        try:
            vectors = await _embedded(self.previous, [texts[row] for row in lacking])
        except StoreError:
            return found
        for row, vector in zip(lacking, vectors, strict=True):
            org_id, one = pending[row]
            found[org_id] = replace(found[org_id], vectors={**found[org_id].vectors, one.memory.id: vector})
        return found

    async def _store_serving(
        self, pending: Sequence[tuple[UUID, PendingMemory]], serving: Mapping[UUID, ServingVectors]
    ) -> None:
        """Stores the vectors by `previous` alone: the current model has failed, and embeds these memories later."""
        for org_id, ready in sorted(serving.items()):
            own = [one for owner, one in pending if owner == org_id and one.memory.id in ready.vectors]
            if own:
                try:
                    await self._store(org_id, own, np.stack([ready.vectors[one.memory.id] for one in own]), ready.model)
                except StoreError:
                    # The message comes again.
                    continue

    async def _find_conflicts(self, messages: Sequence[EmbedMessage]) -> Failed:
        async def found(org_id: UUID, ids: Sequence[UUID]) -> Failed:
            try:
                for flagged in await self.conflicts.find(org_id, ids, self.embedder.model):
                    await self._announce(org_id, flagged.agent_id, flagged.change, flagged.memory_ids)
            except StoreError as error:
                # Searches already find the memories: after a failed last try, maintenance does the rest.
                again = [message for message in messages if message.org_id == org_id and not message.last_try]
                return dict.fromkeys(again, error.cause)
            return {}

        return await _of_all(found(org_id, ids) for org_id, ids in _by_organization(messages))

    async def _consolidate(self, messages: Sequence[EmbedMessage]) -> Failed:
        """Compares memories that have a vector with the others, including vectors from an earlier try."""

        async def compared(org_id: UUID, ids: Sequence[UUID]) -> Failed:
            try:
                for done in await self.consolidator.consolidate(org_id, ids, self.embedder.model):
                    if done.change is not None:
                        await self._announce(org_id, done.agent_id, done.change, done.superseded)
            except StoreError as error:
                # Vector search already finds them: after a failed last try, maintenance does the rest.
                again = [message for message in messages if message.org_id == org_id and not message.last_try]
                return dict.fromkeys(again, error.cause)
            return {}

        return await _of_all(compared(org_id, ids) for org_id, ids in _by_organization(messages))

    async def _announce(self, org_id: UUID, agent_id: UUID, change: Change, gone: Sequence[UUID]) -> None:
        try:
            await self.cache.changed(org_id, agent_id, change, gone)
        except StoreError:
            # The next change updates the cache; until then readers validate cached data themselves.
            return

    async def _readable(self, org_id: UUID, found: Sequence[PendingMemory]) -> list[PendingMemory]:
        """Memories whose text can be opened now; a later delivery may find the key of the others."""
        answer = await opened(self.opener, org_id, [pending.memory for pending in found])
        contexts = await opened_contexts(
            self.opener, org_id, {one.memory.id: one.sealed_context for one in found if one.sealed_context}
        )
        return [
            replace(pending, memory=memory, context=contexts.get(memory.id, pending.context))
            for pending, memory in zip(found, answer.memories, strict=True)
            if not memory.is_unreadable and contexts.get(memory.id) != UNREADABLE_TEXT
        ]

    async def _store(
        self,
        org_id: UUID,
        memories: Sequence[PendingMemory],
        vectors: Vector,
        model: str,
        serving: ServingVectors | None = None,
    ) -> None:
        report = await self.store.store(org_id, memories, vectors, model, serving=serving)
        now = self.clock.now()
        for agent_id, change in sorted(report.changes.items()):
            valid = [
                one
                for one in report.memories
                if one.is_visible(agent_id=agent_id, end_user=EVERYBODY, now=now) and PRESENT.admits(one, now=now)
            ]
            entries = [entry(memory, now) for memory in valid]
            try:
                await self.cache.changed(org_id, agent_id, change)
                await self.cache.put_hot(org_id, agent_id, entries, change)
            except StoreError:
                # The vectors are stored; a cache that failed is refilled later.
                pass
            await self._tidy(org_id, agent_id)

    async def _tidy(self, org_id: UUID, agent_id: UUID) -> None:
        """Merges the lexical index where needed: writes cause the need, and every write is embedded, so this is
        early enough and outside requests.
        """
        try:
            await self.index.tidy(org_id, agent_id)
        except StoreError:
            # Recoverable: the next batch or the maintenance run merges.
            return

    async def _not_embedded(self, messages: set[EmbedMessage], reason: str) -> Failed:
        """Reports these messages as failed; stores the reason in the rows that will not be tried again."""
        for org_id, ids in _by_organization([message for message in messages if message.last_try]):
            try:
                await self.store.fail(org_id, ids, reason)
            except StoreError:
                # The message goes to the dead-letter queue anyway, and maintenance marks the row as failed in time.
                continue
        return dict.fromkeys(messages, reason)


async def _embedded(embedder: Embedder, memories: Sequence[Texts]) -> Vector:
    """One vector for each memory's texts, with few calls of the embedder."""
    texts = [text for several in memories for text, _ in several]
    batches = [texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE)]
    vectors = np.concatenate([await embedder.embed(batch) for batch in batches])
    return embedding_text.combined(vectors, [[weight for _, weight in several] for several in memories])


async def _of_all(work: Iterable[Coroutine[None, None, Failed]]) -> Failed:
    """Runs all organizations concurrently: workers of one agent wait for each other, those of other organizations do
    not.
    """
    return {message: cause for failed in await asyncio.gather(*work) for message, cause in failed.items()}


def _by_organization(messages: Sequence[EmbedMessage]) -> list[tuple[UUID, list[UUID]]]:
    """Pairs (organization, memories), in the order of the organizations."""
    owners = sorted({message.org_id for message in messages})
    return [(owner, [message.memory_id for message in messages if message.org_id == owner]) for owner in owners]


def _messages_of(messages: Sequence[EmbedMessage], ids: set[UUID]) -> set[EmbedMessage]:
    return {message for message in messages if message.memory_id in ids}
