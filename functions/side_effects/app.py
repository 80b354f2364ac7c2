"""Applies usage events, from the side-effects queue."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.sqs import sqs_handler

instance = Instance()
handler = sqs_handler(
    instance.side_effects_worker().consume, loop=instance.loop, after_response=instance.after_response
)
