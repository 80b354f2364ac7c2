"""What capture proposes with a memory, and does not do: that it be pinned or forgotten, or what a language model wants
to be done to another memory, which waits with its own memory for approval.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

SUPERSEDED, RELATED, NOTHING = "superseded", "related", "nothing"
"""Outcomes: the memory supersedes the other one; the two may contradict each other; the other one is left alone."""
PIN = "pin_proposed"
"""In the provenance of a memory that is proposed as pinned, until somebody pins it or refuses."""
PRELIMINARY = "preliminary"
"""In the provenance of a memory of the rules that a language model may replace, until anybody changes it."""
REPLACES = "replaces"
"""In the provenance of a memory that waits for approval: the memory of the rules that it then replaces."""
FORGET = "forget_proposed"
"""In the provenance of a memory that its end user wished to be forgotten, until somebody deletes it or refuses."""


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """To `supersede` or `contradict` the memory `target`, which was at `version` then; None: it was gone already.

    `outcome` is what an earlier approval has done.
    """

    action: str
    target: UUID
    version: int | None = None
    outcome: str | None = None


def is_pin_proposed(provenance: Mapping[str, Any] | None) -> bool:
    """Whether the memory with this provenance was proposed as pinned, and nobody has decided."""
    return PIN in (provenance or {})


def is_forget_proposed(provenance: Mapping[str, Any] | None) -> bool:
    """Whether the end user of the memory with this provenance wished it forgotten, and nobody has decided."""
    return FORGET in (provenance or {})


def of(provenance: Mapping[str, Any] | None) -> ProposedChange | None:
    """The proposal in a memory's provenance, if there is one."""
    given = (provenance or {}).get("proposed")
    if given is None:
        return None
    return ProposedChange(given["action"], UUID(given["target"]), given.get("version"), given.get("outcome"))


def decided(proposed: ProposedChange, target_version: int | None, *, is_as_proposed: bool) -> str:
    """The outcome of an approval. `target_version` is None where the target is not active, or of another owner.

    Only what was proposed for exactly these two texts supersedes; `is_as_proposed` says so of the memory itself.
    """
    if target_version is None:
        return NOTHING
    if proposed.action == "supersede" and is_as_proposed and target_version == proposed.version:
        return SUPERSEDED
    return RELATED


def replaced(provenance: Mapping[str, Any] | None) -> UUID | None:
    """The memory of the rules that the memory with this provenance replaces when it is approved, if there is one."""
    given = (provenance or {}).get(REPLACES)
    return None if given is None else UUID(given)
