"""The scheduled run: lost work is queued again; memories age and expire; erasures and encryption go on."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.tasks import task_handler

instance = Instance()
maintenance = instance.maintenance()
handler = task_handler({"run": maintenance.run}, loop=instance.loop, after_response=instance.after_response)
