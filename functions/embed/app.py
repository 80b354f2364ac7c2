"""Embeds new and changed memories, from the embedding queue."""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.workers import embed_worker
from remembrancer.runtime.queues.sqs import sqs_handler

instance = Instance()
handler = sqs_handler(embed_worker(instance).consume, loop=instance.loop, after_response=instance.after_response)
