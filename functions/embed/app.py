"""Embeds new and changed memories, from the embedding queue."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.sqs import sqs_handler

instance = Instance()
handler = sqs_handler(instance.embed_worker().consume, loop=instance.loop, after_response=instance.after_response)
