"""Makes memories of conversations, from the capture queue."""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.workers import capture_worker
from remembrancer.ports.system import CAPTURE_RECEIVES
from remembrancer.runtime.queues.sqs import sqs_handler

instance = Instance()
handler = sqs_handler(
    capture_worker(instance).consume,
    loop=instance.loop,
    after_response=instance.after_response,
    most_receives=CAPTURE_RECEIVES,
)
