"""Run by path: moto's server with one KMS key that is read from a file, and queues that lose nothing and are quick.

moto_with_key.py REGION ACCOUNT KEY_FILE [arguments of moto's server]
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from moto.kms.models import kms_backends
from moto.server import main
from moto.sqs import models
from moto.sqs.models import Queue, SQSBackend

_COUNTS = {
    "ApproximateNumberOfMessages": "approximate_number_of_messages",
    "ApproximateNumberOfMessagesDelayed": "approximate_number_of_messages_delayed",
    "ApproximateNumberOfMessagesNotVisible": "approximate_number_of_messages_not_visible",
}


def load_key(region: str, account: str, path: Path) -> None:
    """moto makes keys anew at each start; this one gets the identity and material that it had before."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    backend = kms_backends[account][region]
    key = backend.create_key(None, "ENCRYPT_DECRYPT", "SYMMETRIC_DEFAULT", "Local key", None)
    del backend.keys[key.id]
    key.id = kept["id"]
    key.arn = f"arn:aws:kms:{region}:{account}:key/{key.id}"
    key.key_material = bytes.fromhex(kept["material"])
    backend.keys[key.id] = key


def keep_what_is_added_during_deletions() -> None:
    """moto deletes by building a queue's list anew: of two at once, the later one drops what was added after the other.

    Adding holds the queue's lock already.
    """
    delete = Queue.delete_message

    def delete_alone(queue: Queue, receipt_handle: str) -> None:
        with queue._messages_lock:
            delete(queue, receipt_handle)

    Queue.delete_message = delete_alone  # type: ignore[assignment, method-assign]


def count_only_when_asked() -> None:
    """moto counts a queue's messages three times whenever one is sent, and makes three dates for each message.

    With some thousand messages it does nothing else any more.
    """
    attributes_of = SQSBackend.get_queue_attributes

    def get_queue_attributes(backend: SQSBackend, queue_name: str, attribute_names: list[str]) -> dict[str, Any]:
        plain = [name for name in attribute_names if name not in _COUNTS]
        counted = _COUNTS if "All" in attribute_names else _COUNTS.keys() & set(attribute_names)
        queue = backend.get_queue(queue_name)
        counts = {name: getattr(queue, _COUNTS[name]) for name in counted}
        return attributes_of(backend, queue_name, plain) | counts

    Queue.BASE_ATTRIBUTES = [name for name in Queue.BASE_ATTRIBUTES if name not in _COUNTS]
    SQSBackend.get_queue_attributes = get_queue_attributes  # type: ignore[assignment, method-assign]
    vars(models).update(unix_time=time.time, unix_time_millis=lambda: time.time() * 1000)


if __name__ == "__main__":
    count_only_when_asked()
    keep_what_is_added_during_deletions()
    load_key(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    main(sys.argv[4:])
