"""Pinned memories: they stand in every prompt of those whom they concern, in the order of pinning."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from remembrancer.domain.identity.scope import NOBODY, EndUser
from remembrancer.domain.memories.memory import Change, Memory

MOST_TOKENS = 500
"""Of the pinned memories of one prompt: the shared ones, and those of its end user."""
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Pins:
    """The pinned memories of an agent that concern an end user, valid now or not, as of a state of its memories."""

    as_of: Change
    memories: Sequence[Memory] = ()


def owner_of(end_user: EndUser) -> EndUser:
    """Whose pinned memories stand in a prompt beside the shared ones: of all end users together nobody's."""
    return NOBODY if end_user.is_all else end_user


def tokens_of(counts: Mapping[str, int]) -> int:
    """What a memory with these counts by tokenizer counts against the bound."""
    return max(counts.values(), default=0)


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """In the order of pinning; ties by id."""
    return sorted(memories, key=lambda memory: (memory.pinned_at or _NEVER, memory.id.int))
