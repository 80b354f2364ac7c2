"""Saves the ids of written memories in a file: the next evaluation of the same memories need not write them."""

import hashlib
import json
from pathlib import Path

from local.evaluation.dataset import Dataset
from local.evaluation.examinee import ExaminationError, Examinee


def recall(path: Path, data: Dataset, examinee: Examinee) -> bool:
    """Whether the service has the memories already; then sets the examinee's agents and memories from the file.

    Raises ExaminationError when the file is about other memories.
    """
    if not path.exists():
        return False
    known = json.loads(path.read_text(encoding="utf-8"))
    if known["memories_hash"] != _hash(data):
        raise ExaminationError(f"{path.parent} has other memories: keep these in another folder")
    examinee.agents.update(known["agents"])
    examinee.capture.update(known.get("capture", {}))
    examinee.memories.update(
        {
            agent: {identifier: frozenset(own) for identifier, own in memories.items()}
            for agent, memories in known["memories"].items()
        }
    )
    return True


def keep(path: Path, data: Dataset, examinee: Examinee) -> None:
    """Writes the file for `recall`; only when everything is embedded."""
    known = {
        "memories_hash": _hash(data),
        "agents": examinee.agents,
        "capture": examinee.capture,
        "memories": {
            agent: {identifier: sorted(own) for identifier, own in memories.items()}
            for agent, memories in examinee.memories.items()
        },
    }
    path.write_text(json.dumps(known), encoding="utf-8")


def _hash(data: Dataset) -> str:
    """A hash of the memories only: the questions may differ."""
    return hashlib.sha256(json.dumps(data.memories, sort_keys=True).encode()).hexdigest()
