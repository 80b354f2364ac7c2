"""A warm function instance: every adapter that its requests share, created on first use."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from remembrancer.adapters.postgres.encryption.data_keys import PostgresDataKeys
from remembrancer.bootstrap import snapshot
from remembrancer.bootstrap.identity import Identity
from remembrancer.bootstrap.models import Models
from remembrancer.bootstrap.process import unless_unavailable
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.ports.models import Embedder

if TYPE_CHECKING:
    from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
    from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
    from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
    from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
    from remembrancer.adapters.postgres.search.vector_tables import VectorTables
    from remembrancer.usecases.audit.auditor import Auditor
    from remembrancer.usecases.capture.add import ConversationIntake
    from remembrancer.usecases.capture.forget import ForgetSearch
    from remembrancer.usecases.encryption.encrypt import Encryption
    from remembrancer.usecases.erasure.erase import Eraser
    from remembrancer.usecases.retrieval.confirmations import Confirmations
    from remembrancer.usecases.retrieval.known_agents import KnownAgents
    from remembrancer.usecases.retrieval.map_segments import MapSegments
    from remembrancer.usecases.retrieval.memory_maps import MemoryMaps
    from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
    from remembrancer.usecases.retrieval.retrieval import Retrieval
    from remembrancer.usecases.retrieval.searcher import Searcher
    from remembrancer.usecases.retrieval.serving_model import ServingSpaces
    from remembrancer.usecases.usage.usage_delivery import UsageDelivery

COLLECT_AFTER = 10_000
"""Objects made and not freed, after which the youngest are collected; Python's own threshold is 700."""
USAGE_TOGETHER = 20
"""Usage events that an instance sends together, unless it has sent none for a second; in the stage `local` each at
once.
"""


class Instance(Models, Identity):
    """Settings, event loop and adapters of one function instance."""

    has_maps = True
    """False where the searches in Postgres are to be seen, for agents of any size."""

    def warm(self, *steps: Callable[[], Awaitable[object]]) -> None:
        """Prepares everything that the first request needs; a server that does not answer yet is no error.

        Garbage collection is off during the start, since it would scan the new objects repeatedly. They live as long as
        the instance, so they are frozen: no later collection scans them during a request. A request makes some
        thousands of objects, nearly all without cycles: with Python's own threshold each would run collections.
        """
        gc.disable()
        try:
            self.loop.run(self._warm(steps))
            self.finish_start()
            snapshot.prepare(self)
        finally:
            gc.freeze()
            gc.set_threshold(COLLECT_AFTER, *gc.get_threshold()[1:])
            gc.enable()

    async def _warm(self, steps: Sequence[Callable[[], Awaitable[object]]]) -> None:
        # Waits for the network while the model loads in its thread.
        model = asyncio.ensure_future(self.embedder.warm())
        await unless_unavailable(self.database.warm)
        await unless_unavailable(self.redis.ping)
        # A remote embedder may be unavailable for a while; its vectors are checked when it answers.
        await unless_unavailable(lambda: model)
        # Each of them holds the interpreter for longer than the time-out of a server.
        for step in steps:
            await unless_unavailable(step)

    @property
    def spaces(self) -> list[VectorSpace]:
        """The vector spaces of the embedder and the previous one; empty where the embedder is the packaged model and
        its folder is missing.

        Functions without the models layer embed nothing.
        """
        if self.settings.embedder == "onnx" and not self.has_packaged_model:
            return []
        return [space_of(one) for one in (self.embedder, self.previous_embedder) if one is not None]

    @cached_property
    def serving_spaces(self) -> "ServingSpaces":
        """The model whose vectors serve an organization."""
        from remembrancer.usecases.retrieval.serving_model import ServingSpaces

        previous = self.previous_embedder
        return ServingSpaces(self.directory, space_of(self.embedder), None if previous is None else space_of(previous))

    @cached_property
    def vector_tables(self) -> "VectorTables":
        """The tables of vectors by model."""
        from remembrancer.adapters.postgres.search.vector_tables import VectorTables

        return VectorTables(self.database, self.serving_spaces.of)

    @cached_property
    def search(self) -> "PostgresSearch":
        """Searches vectors of the embedder's model, and words, in Postgres."""
        from remembrancer.adapters.postgres.search.memory_search import PostgresSearch

        return PostgresSearch(
            self.database,
            model=self.embedder.model,
            tables=self.vector_tables,
            vector_index=self.settings.vector_index,
        )

    @cached_property
    def map_source(self) -> "PostgresMapSource":
        """The source from which memory maps are read."""
        from remembrancer.adapters.postgres.search.map_source import PostgresMapSource

        return PostgresMapSource(
            self.database,
            self.vector_tables,
            model=self.embedder.model,
            dimensions=self.embedder.dimensions,
            serving=self.serving_spaces.of,
        )

    @cached_property
    def maps(self) -> "MemoryMaps":
        """Memory maps of this instance, limited in number of memories and in bytes."""
        from remembrancer.runtime.telemetry import METRICS, size
        from remembrancer.usecases.retrieval.memory_maps import MOST_MEMORIES, MemoryMaps

        return MemoryMaps(
            self.map_source,
            self.agent_cache,
            self.clock,
            dimensions=self.embedder.dimensions,
            most_memories=MOST_MEMORIES if self.has_maps else 0,
            segments=self.map_segments,
            agents=self.known_agents,
            # Written after a response, with the others: a map may arrive while a request waits for it.
            note=lambda nbytes: METRICS.add(size("MapBytes", nbytes)),
        )

    @cached_property
    def known_agents(self) -> "KnownAgents":
        """Map, ranking data and confirmation of each agent that this instance knows."""
        from remembrancer.usecases.retrieval.known_agents import KnownAgents

        return KnownAgents()

    @cached_property
    def map_segments(self) -> "MapSegments":
        """Memory maps that travel between instances, in Redis."""
        from remembrancer.adapters.redis.map_segments import RedisSegments
        from remembrancer.usecases.retrieval.map_segments import MapSegments

        return MapSegments(
            RedisSegments(self.redis),
            self.directory,
            self.key_ring,
            models=frozenset(space.model for space in self.spaces),
            new_generation=lambda: uuid4().hex,
        )

    def searcher(self, embedding: "QueryEmbedding") -> "Searcher":
        """Chooses where memories are searched; `embedding` embeds the query."""
        from remembrancer.usecases.retrieval.searcher import Searcher

        previous = self.previous_embedder
        return Searcher(
            directory=self.directory,
            embedding=embedding,
            store=self.search,
            stemmer=self.stemmer,
            cache=self.agent_cache,
            source=self.map_source,
            maps=self.maps,
            hypothesiser=self.hypothesiser,
            previous=None if previous is None else replace(embedding, embedder=previous),
            remembered=self.directory.remembered_organization,
        )

    def retrieval(self, embedding: "QueryEmbedding") -> "Retrieval":
        """Finds memories for assembly or the memory query."""
        from remembrancer.adapters.postgres.identity.agent_states import WatchedAgentStates
        from remembrancer.usecases.retrieval.background_reads import BackgroundReads
        from remembrancer.usecases.retrieval.confirmations import RENEWAL_SECONDS
        from remembrancer.usecases.retrieval.hot_set import REFILL_SECONDS, HotSets
        from remembrancer.usecases.retrieval.retrieval import Retrieval

        refills = BackgroundReads(self.clock, longest_seconds=REFILL_SECONDS)
        return Retrieval(
            states=WatchedAgentStates(self.stored_directory, self.database),
            searcher=self.searcher(embedding),
            confirmations=self.confirmations,
            hot_sets=HotSets(self.agent_cache, self.embedding_store, refills),
            renewals=BackgroundReads(self.clock, longest_seconds=RENEWAL_SECONDS),
        )

    @cached_property
    def confirmations(self) -> "Confirmations":
        """How long caches may answer while Postgres is silent."""
        from remembrancer.usecases.retrieval.confirmations import Confirmations

        return Confirmations(
            self.known_agents,
            self.agent_cache,
            self.clock,
            seconds=self.settings.unconfirmed_seconds,
            repeat_seconds=self.confirmed_seconds,
        )

    @cached_property
    def usage(self) -> "UsageDelivery":
        """Sends usage events to the queue, or applies them in the database when the queue refuses them."""
        from remembrancer.adapters.postgres.memories.usage import PostgresUsage
        from remembrancer.runtime.telemetry import count, emit
        from remembrancer.usecases.retrieval.background_reads import BackgroundReads
        from remembrancer.usecases.usage.apply_side_effects import SideEffects
        from remembrancer.usecases.usage.usage_delivery import UsageDelivery

        delivery = UsageDelivery(
            self.queue(self.settings.side_effects_queue_url),
            SideEffects(
                PostgresUsage(self.database, self.vector_tables),
                self.agent_cache,
                self.query_cache,
                self.clock,
            ),
            BackgroundReads(self.clock),
            self.clock,
            note=lambda name, number: emit(count(name, number)),
            # Without work after the response, nothing would send the events that wait.
            together=USAGE_TOGETHER if self.after_response.registered and not self.is_local else 1,
        )
        self.after_response.always("usage", delivery.deliver, when=lambda: delivery.due)
        self.after_response.at_end("usage", delivery.end, when=lambda: delivery.kept > 0)
        return delivery

    @cached_property
    def embedding_store(self) -> "PostgresEmbeddingStore":
        """Stores vectors of new memories, and refills the hot set."""
        from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore

        return PostgresEmbeddingStore(self.database, self.vector_tables)

    @cached_property
    def lexical_index(self) -> "PostgresLexicalIndex":
        """Merges new words into the blocks of the lexical index."""
        from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex

        return PostgresLexicalIndex(self.database)

    @cached_property
    def conversation_intake(self) -> "ConversationIntake":
        """Stores the turns of conversations, from requests to do so and from assembled requests."""
        from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
        from remembrancer.adapters.text.phone_numbers import find_phones
        from remembrancer.usecases.capture.add import ConversationIntake
        from remembrancer.usecases.memories.redaction import Redactor

        return ConversationIntake(
            conversations=PostgresConversations(self.database, self.quotas),
            directory=self.directory,
            redactor=Redactor(find_phones),
            sealer=self.key_ring,
            capture_queue=self.work_queue(self.settings.capture_queue_url),
            clock=self.clock,
            new_id=uuid4,
        )

    @cached_property
    def forget_search(self) -> "ForgetSearch":
        """Finds what wishes to forget are about."""
        from remembrancer.usecases.capture.forget import ForgetSearch

        return ForgetSearch(self.search, self.embedder, self.stemmer, self.key_ring, self.clock, self.previous_embedder)

    @cached_property
    def eraser(self) -> "Eraser":
        """Erasures, for requests and for the scheduled run."""
        from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
        from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
        from remembrancer.adapters.redis.sweep import RedisSweep
        from remembrancer.usecases.erasure.erase import Eraser

        return Eraser(
            erasures=PostgresErasures(self.database),
            upkeep=PostgresUpkeep(self.database),
            cache=self.writers_cache,
            sweep=RedisSweep(self.redis).sweep,
            forget_key=self.credentials.revoke,
            dead_letters=self.dead_letters,
            clock=self.clock,
            new_id=uuid4,
        )

    @cached_property
    def auditor(self) -> "Auditor":
        """Links audit entries, and records reads."""
        from remembrancer.adapters.encryption.signatures import signer
        from remembrancer.adapters.postgres.audit.trail import PostgresAuditTrail
        from remembrancer.usecases.audit.auditor import Auditor

        return Auditor(PostgresAuditTrail(self.database), self.directory, signer, self.clock)

    @cached_property
    def encryption(self) -> "Encryption":
        """Encryption tasks: turning on, rotation, and completing both."""
        from remembrancer.usecases.encryption.encrypt import Encryption

        keys = PostgresDataKeys(self.database)
        return Encryption(keys, self.kms, self.key_ring, self.stored_directory, self.clock)


def space_of(embedder: Embedder) -> VectorSpace:
    """The space of an embedder's vectors."""
    return VectorSpace(embedder.model, embedder.dimensions)
