"""Run by path: moto's server with one KMS key read from a file, and with faster, fair queues that lose no message.

moto_with_key.py REGION ACCOUNT KEY_FILE [arguments of moto's server]
"""

import json
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from moto.kms.models import kms_backends
from moto.server import main
from moto.sqs import models
from moto.sqs.models import Message, Queue, SQSBackend

_NOISY_SHARE = 0.1
_NOISY_IN_FLIGHT = 30
_LATELY_S = 60.0
_COUNTS = {
    "ApproximateNumberOfMessages": "approximate_number_of_messages",
    "ApproximateNumberOfMessagesDelayed": "approximate_number_of_messages_delayed",
    "ApproximateNumberOfMessagesNotVisible": "approximate_number_of_messages_not_visible",
}


def load_key(region: str, account: str, path: Path) -> None:
    """Restores the key's id and material from a file, since moto creates new keys at each start."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    backend = kms_backends[account][region]
    key = backend.create_key(None, "ENCRYPT_DECRYPT", "SYMMETRIC_DEFAULT", "Local key", None)
    del backend.keys[key.id]
    key.id = kept["id"]
    key.arn = f"arn:aws:kms:{region}:{account}:key/{key.id}"
    key.key_material = bytes.fromhex(kept["material"])
    backend.keys[key.id] = key


def keep_what_is_added_during_deletions() -> None:
    """Makes deletions hold the queue's lock, as additions do.

    moto deletes by replacing the queue's list, so a message that is added at the same time would be lost.
    """
    delete = Queue.delete_message

    def delete_alone(queue: Queue, receipt_handle: str) -> None:
        with queue._messages_lock:
            delete(queue, receipt_handle)

    Queue.delete_message = delete_alone  # type: ignore[assignment, method-assign]


def count_only_when_asked() -> None:
    """Counts messages only when attributes are requested.

    moto counts a queue's messages three times for each message that is sent, and creates three dates for each message:
    with some thousand messages, this takes all of its time.
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


class Deliveries:
    """Numbers of deliveries from one queue in the last minute, by message group."""

    def __init__(self) -> None:
        self._recent: deque[tuple[float, str]] = deque()
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, groups: Sequence[str | None]) -> None:
        """Counts deliveries; a message without a group is counted as a group of its own."""
        now = time.monotonic()
        with self._lock:
            for group in groups:
                name = group or f"message {len(self._recent)} of {now}"
                self._recent.append((now, name))
                self._counts[name] += 1

    def noisy(self) -> set[str]:
        """Groups with more than a tenth of all deliveries."""
        with self._lock:
            while self._recent and self._recent[0][0] < time.monotonic() - _LATELY_S:
                _, name = self._recent.popleft()
                self._counts[name] -= 1
            self._counts += Counter()
            return {name for name, count in self._counts.items() if count > _NOISY_SHARE * len(self._recent)}


def deliver_in_turn() -> None:
    """Adds fair queues; moto accepts message groups in standard queues, but delivers in the order of arrival.

    As SQS documents, a group is noisy if it has over a tenth of the messages in flight, and at least 30, or over a
    tenth of the recent processing time (here: of the deliveries of the last minute). Messages of other groups are
    delivered first, then those of the noisy group with the fewest in flight.
    """
    receive = SQSBackend.receive_message
    deliveries: WeakKeyDictionary[Queue, Deliveries] = WeakKeyDictionary()

    def receive_message(backend: SQSBackend, queue_name: str, *arguments: Any, **named: Any) -> list[Message]:
        messages = receive(backend, queue_name, *arguments, **named)
        deliveries.setdefault(backend.get_queue(queue_name), Deliveries()).add([one.group_id for one in messages])
        return messages

    def messages_in_turn(queue: Queue) -> list[Message]:
        waiting: list[Message] = []
        in_flight: Counter[str | None] = Counter()
        for message in queue._messages:
            if not message.visible:
                in_flight[message.group_id] += 1
            elif not message.delayed:
                waiting.append(message)
        if len({message.group_id for message in waiting}) < 2:
            return waiting
        noisy = deliveries[queue].noisy() if queue in deliveries else set()
        limit = max(_NOISY_SHARE * in_flight.total(), _NOISY_IN_FLIGHT - 1)
        noisy |= {group for group, count in in_flight.items() if group and count > limit}
        return sorted(waiting, key=lambda one: 1 + in_flight[one.group_id] if one.group_id in noisy else 0)

    SQSBackend.receive_message = receive_message  # type: ignore[assignment, method-assign]
    Queue.messages = property(messages_in_turn)  # type: ignore[method-assign, assignment]


if __name__ == "__main__":
    deliver_in_turn()
    count_only_when_asked()
    keep_what_is_added_during_deletions()
    load_key(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    main(sys.argv[4:])
