"""What runs on a schedule or when an operator asks."""

from remembrancer.adapters.postgres.ageing import PostgresAgeing
from remembrancer.adapters.postgres.upkeep import PostgresBacklog
from remembrancer.bootstrap.instance import Instance
from remembrancer.runtime.encryption_tasks import EncryptionTasks
from remembrancer.runtime.erasure_task import ErasureTask
from remembrancer.runtime.upkeep import MaintenanceTask
from remembrancer.usecases.maintain import Maintenance


def maintenance(instance: Instance) -> MaintenanceTask:
    """The scheduled run."""
    return MaintenanceTask(
        Maintenance(
            backlog=PostgresBacklog(instance.database),
            ageing=PostgresAgeing(instance.database),
            index=instance.lexical_index,
            cache=instance.agent_cache,
            embed_queue=instance.queue(instance.settings.embed_queue_url),
            clock=instance.clock,
        ),
        instance.encryption,
        instance.eraser,
        instance.clock,
    )


def encryption_tasks(instance: Instance) -> EncryptionTasks:
    """What an operator asks for."""
    return EncryptionTasks(instance.encryption, instance.settings.kms_key_id)


def erasure_task(instance: Instance) -> ErasureTask:
    """What an operator asks for."""
    return ErasureTask(instance.eraser)
