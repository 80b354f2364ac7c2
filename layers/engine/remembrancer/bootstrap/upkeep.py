"""Builds the scheduled and operator tasks."""

from datetime import timedelta

from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.search.vector_tables import VectorTables
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.bootstrap.instance import Instance
from remembrancer.runtime.tasks.encryption_tasks import EncryptionTasks
from remembrancer.runtime.tasks.erasure_task import ErasureTask
from remembrancer.runtime.tasks.maintenance_task import MaintenanceTask
from remembrancer.usecases.upkeep.maintenance import Maintenance
from remembrancer.usecases.upkeep.reindexing import Reindexing


def maintenance(instance: Instance) -> MaintenanceTask:
    """Builds the task that the schedule runs, with every step of maintenance."""
    tables = VectorTables(instance.database)
    spaces = instance.spaces
    return MaintenanceTask(
        Maintenance(
            upkeep=PostgresUpkeep(instance.database, tables),
            index=instance.lexical_index,
            cache=instance.agent_cache,
            embed_queue=instance.work_queue(instance.settings.embed_queue_url),
            capture_queue=instance.work_queue(instance.settings.capture_queue_url),
            clock=instance.clock,
            idle=timedelta(seconds=instance.settings.capture_idle_seconds),
            vectors=PostgresEmbeddingStore(instance.database, tables) if spaces else None,
            model=spaces[0].model if spaces else "",
            auditor=instance.auditor,
        ),
        instance.encryption,
        instance.eraser,
        Reindexing(
            directory=instance.stored_directory,
            stemmer=instance.stemmer,
            opener=instance.key_ring,
            index=instance.lexical_index,
            cache=instance.agent_cache,
            clock=instance.clock,
        ),
        instance.clock,
    )


def encryption_tasks(instance: Instance) -> EncryptionTasks:
    """Encryption tasks, run by an operator."""
    return EncryptionTasks(instance.encryption, instance.settings.kms_key_id)


def erasure_task(instance: Instance) -> ErasureTask:
    """Erasure tasks, run by an operator."""
    return ErasureTask(instance.eraser)
