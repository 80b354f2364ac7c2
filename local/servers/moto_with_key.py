"""Run by path: moto's server with one KMS key that is read from a file, and queues that lose nothing.

moto_with_key.py REGION ACCOUNT KEY_FILE [arguments of moto's server]
"""

import json
import sys
from pathlib import Path

from moto.kms.models import kms_backends
from moto.server import main
from moto.sqs.models import Queue


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


if __name__ == "__main__":
    keep_what_is_added_during_deletions()
    load_key(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    main(sys.argv[4:])
