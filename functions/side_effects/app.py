"""Applies usage events, from the side-effects queue."""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.workers import side_effects_worker
from remembrancer.runtime.queues.sqs import sqs_handler

instance = Instance()
handler = sqs_handler(side_effects_worker(instance).consume, loop=instance.loop, after_response=instance.after_response)
