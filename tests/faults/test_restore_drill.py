"""The restore that `make drill` rehearses, and what it would not let pass."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from local.restore_drill import State, differences, drill
from remembrancer.adapters.encryption.signatures import signer
from remembrancer.domain.audit import chain
from remembrancer.domain.audit.chain import Checkpoint
from tests.e2e.conftest import Loop

ORG_ID = "00000000-0000-0000-0000-000000000007"


def audit(*actions: str) -> list[str]:
    """An export of these entries."""
    lines, before = [], chain.genesis(ORG_ID)
    start = before.hex()
    for position, action in enumerate(actions, start=1):
        before = chain.link(before, chain.digest({"action": action}))
        lines.append(json.dumps({"position": position, "action": action, "hash": before.hex()}))
    end = Checkpoint(ORG_ID, 0, start, len(actions), before.hex(), "now")
    public_key, signature = signer(b"key")(end.message)
    signed = replace(end, public_key=public_key, signature=signature)
    return [*lines, json.dumps({"checkpoint": {name: getattr(signed, name) for name in signed.__slots__}})]


THEN = State(frozenset({"one", "two"}), "Be brief.", audit("memory.created", "memory.created"))


@pytest.mark.parametrize(
    ("after", "problems"),
    [
        (THEN, []),
        (replace(THEN, audit=audit("memory.created", "memory.created", "memory.changed")), []),
        (replace(THEN, memories=frozenset({"one"})), ["1 memories that were there at the dump are missing"]),
        (replace(THEN, memories=THEN.memories | {"later"}), ["1 memories of after the dump are still there"]),
        (replace(THEN, prompt="Be long."), ["a warm function injects another text than at the dump: Be long."]),
        (
            replace(THEN, audit=audit("memory.created")),
            ["audit trail: the earlier export reached 2: the end was cut off, or written anew"],
        ),
        (
            replace(THEN, audit=THEN.audit[1:]),
            ["audit trail: 2 follows 0: entries are missing, added or in another order"],
        ),
    ],
)
def test_a_restore_that_lost_or_kept_too_much_is_not_called_one(after: State, problems: list[str]) -> None:
    assert differences(THEN, after) == problems


@pytest.mark.long
def test_the_rehearsal_restores_everything(loop: Loop, tmp_path: Path) -> None:
    steps: list[str] = []

    assert loop.run(drill(tmp_path, steps.append)) == []

    assert steps[-1] == "Verifying"
