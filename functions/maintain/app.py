"""The scheduled run: queues lost work again; ages and expires memories; continues erasures and encryption.

Operators can also invoke it for an erasure beyond the reach of any credential.
"""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.upkeep import erasure_task, maintenance
from remembrancer.runtime.tasks.handler import task_handler

instance = Instance()
erasures = erasure_task(instance)
tasks = {"run": maintenance(instance).run, "erase": erasures.erase, "find_erasures": erasures.find}
handler = task_handler(tasks, loop=instance.loop, after_response=instance.after_response)
