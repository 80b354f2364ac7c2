"""The scheduled run: lost work is queued again; memories age and expire; erasures and encryption go on.

And by hand: an erasure that reaches further than any credential.
"""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.upkeep import erasure_task, maintenance
from remembrancer.runtime.tasks.handler import task_handler

instance = Instance()
erasures = erasure_task(instance)
tasks = {"run": maintenance(instance).run, "erase": erasures.erase, "find_erasures": erasures.find}
handler = task_handler(tasks, loop=instance.loop, after_response=instance.after_response)
