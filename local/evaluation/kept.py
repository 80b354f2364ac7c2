"""What a service was taught, in a file: the next examination of the same memories asks at once."""

import hashlib
import json
from pathlib import Path

from local.evaluation.dataset import Dataset
from local.evaluation.examinee import ExaminationError, Examinee


def recall(path: Path, data: Dataset, examinee: Examinee) -> bool:
    """Whether the examinee knows the memories from before; its agents are then those of that time.

    ExaminationError when it was taught others.
    """
    if not path.exists():
        return False
    known = json.loads(path.read_text(encoding="utf-8"))
    if known["memories_hash"] != _hash(data):
        raise ExaminationError(f"{path.parent} has other memories: keep these in another folder")
    examinee.agents.update(known["agents"])
    examinee.memories.update(
        {
            agent: {identifier: frozenset(own) for identifier, own in memories.items()}
            for agent, memories in known["memories"].items()
        }
    )
    return True


def keep(path: Path, data: Dataset, examinee: Examinee) -> None:
    """For `recall`, once everything is embedded."""
    known = {
        "memories_hash": _hash(data),
        "agents": examinee.agents,
        "memories": {
            agent: {identifier: sorted(own) for identifier, own in memories.items()}
            for agent, memories in examinee.memories.items()
        },
    }
    path.write_text(json.dumps(known), encoding="utf-8")


def _hash(data: Dataset) -> str:
    """Of the memories; questions may be others."""
    return hashlib.sha256(json.dumps(data.memories, sort_keys=True).encode()).hexdigest()
