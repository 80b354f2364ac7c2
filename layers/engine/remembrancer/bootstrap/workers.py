"""Builds the consumers of the queues."""

from datetime import timedelta

from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.vector_tables import VectorTables
from remembrancer.bootstrap.instance import Instance
from remembrancer.runtime.queues.workers import CaptureWorker, EmbedWorker, SideEffectsWorker
from remembrancer.usecases.capture.corrections import Corrections
from remembrancer.usecases.capture.echoes import Echoes
from remembrancer.usecases.capture.extract import Extractor
from remembrancer.usecases.capture.pending_turns import Capturer
from remembrancer.usecases.memories.conflicts import ConflictFinder
from remembrancer.usecases.memories.embed import MemoryEmbedder
from remembrancer.usecases.memories.near_duplicates import Consolidator
from remembrancer.usecases.memories.precomputation import Deriver
from remembrancer.usecases.usage.apply_side_effects import SideEffects


def embed_worker(instance: Instance) -> EmbedWorker:
    """The consumer of the embedding queue."""
    conflicts = PostgresConflicts(instance.database, instance.vector_tables)
    return EmbedWorker(
        MemoryEmbedder(
            store=instance.embedding_store,
            conflicts=ConflictFinder(conflicts, instance.key_ring),
            consolidator=Consolidator(conflicts, instance.key_ring),
            index=instance.lexical_index,
            cache=instance.agent_cache,
            embedder=instance.embedder,
            opener=instance.key_ring,
            clock=instance.clock,
            previous=instance.previous_embedder,
            serving=instance.serving_spaces.of,
        )
    )


def capture_worker(instance: Instance) -> CaptureWorker:
    """The consumer of the capture queue."""
    search = PostgresSearch(instance.database, model="")
    return CaptureWorker(
        Capturer(
            conversations=PostgresConversations(instance.database, instance.quotas),
            directory=instance.directory,
            opener=instance.key_ring,
            deriver=Deriver(instance.counter, instance.stemmer, instance.key_ring),
            echoes=Echoes(search, instance.stemmer, instance.key_ring, instance.clock),
            corrections=Corrections(
                instance.search,
                instance.embedder,
                instance.packaged_embedder if instance.has_packaged_model else instance.embedder,
                instance.stemmer,
                instance.key_ring,
                instance.clock,
                instance.previous_embedder,
            ),
            cache=instance.agent_cache,
            embed_queue=instance.work_queue(instance.settings.embed_queue_url),
            forget_search=lambda: instance.forget_search,
            extractor=_extractor(instance),
            wish_reader=instance.wish_reader,
        )
    )


def _extractor(instance: Instance) -> Extractor | None:
    """None without a capture model."""
    model = instance.capture_model
    if model is None:
        return None
    return Extractor(
        model=model,
        usage=PostgresUsage(instance.database),
        search=instance.search,
        embedder=instance.embedder,
        stemmer=instance.stemmer,
        opener=instance.key_ring,
        clock=instance.clock,
        tokens=instance.settings.capture_tokens,
        idle=timedelta(seconds=instance.settings.capture_idle_seconds),
        previous=instance.previous_embedder,
    )


def side_effects_worker(instance: Instance) -> SideEffectsWorker:
    """The consumer of the side-effects queue."""
    counting = SideEffects(
        PostgresUsage(instance.database, VectorTables(instance.database)),
        instance.agent_cache,
        instance.query_cache,
        instance.clock,
    )
    return SideEffectsWorker(counting, instance.clock)
