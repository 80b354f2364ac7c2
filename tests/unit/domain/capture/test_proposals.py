"""What the approval of a memory does to the one that its model wanted to replace or to contradict."""

from uuid import UUID

import pytest

from remembrancer.domain.capture import proposals
from remembrancer.domain.capture.proposals import NOTHING, RELATED, SUPERSEDED, ProposedChange

TARGET = UUID(int=7)


def test_a_proposal_is_read_from_the_provenance() -> None:
    said = {"action": "supersede", "target": str(TARGET), "version": 3, "outcome": "related"}

    assert proposals.of({"proposed": said}) == ProposedChange("supersede", TARGET, 3, "related")
    assert proposals.of({"proposed": {"action": "contradict", "target": str(TARGET)}}) == ProposedChange(
        "contradict", TARGET
    )
    assert proposals.of({"turns": [1]}) is None
    assert proposals.of(None) is None


@pytest.mark.parametrize(
    ("action", "version", "is_as_proposed", "outcome"),
    [
        ("supersede", 3, True, SUPERSEDED),
        ("supersede", 4, True, RELATED),
        ("supersede", 3, False, RELATED),
        ("supersede", None, True, NOTHING),
        ("contradict", 3, True, RELATED),
        ("contradict", 4, False, RELATED),
        ("contradict", None, True, NOTHING),
    ],
)
def test_only_what_was_proposed_for_these_texts_supersedes(
    action: str, version: int | None, is_as_proposed: bool, outcome: str
) -> None:
    proposed = ProposedChange(action, TARGET, 3)

    assert proposals.decided(proposed, version, is_as_proposed=is_as_proposed) == outcome


def test_of_a_proposal_without_a_version_nothing_supersedes() -> None:
    assert proposals.decided(ProposedChange("supersede", TARGET), 1, is_as_proposed=True) == RELATED
