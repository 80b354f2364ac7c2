"""What a session was told: the memories that stand before its earlier user messages, each in one block.

A later request of the session gets the same blocks again, so that its prompt begins with the whole prompt of the one
before. A client may cut, rewrite or branch its history: blocks are found by the messages' texts and their order, not by
their positions.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.context.chat_messages import Message, text_of
from remembrancer.domain.context.placement import is_said

MOST_SAID = 200
"""Most user messages of a request that may have blocks: the last ones."""
MOST_BLOCKS = 200
"""Most blocks of a session that are remembered: the last ones."""
_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Said:
    """A user message at a position of the request, by keyed hashes: of its text, and of the text before it."""

    position: int
    text: str
    before: str


@dataclass(frozen=True, slots=True)
class ToldMemory:
    """A memory in a block, at a version of its text; `passages` are those that were shown of a long one."""

    memory_id: UUID
    version: int
    passages: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldBlock:
    """The memories before one user message, in their order; `number` orders a session's blocks."""

    number: int
    text: str
    before: str
    memories: tuple[ToldMemory, ...] = ()


def said_in(messages: Sequence[Message], key: bytes) -> list[Said]:
    """The user messages with a text, oldest first; `key` makes their hashes useless to a reader of the cache."""
    said, before = [], ""
    for position, message in enumerate(messages):
        text = text_of(message)
        if is_said(message) and text:
            said.append(Said(position, _digest(text, key), _digest(before, key)))
        before = text or before
    return said[-MOST_SAID:]


def matched(said: Sequence[Said], told: Sequence[ToldBlock]) -> dict[int, ToldBlock]:
    """The block of each message that had one, by its position, in the order of both; no memory twice.

    Of messages with the same text, such as "yes", the one counts that follows the same text.
    """
    blocks: dict[int, ToldBlock] = {}
    ordered = sorted(told, key=lambda block: (block.number, block.text))
    places: dict[str, list[int]] = {}
    for place, block in enumerate(ordered):
        places.setdefault(block.text, []).append(place)
    following = 0
    for message in said:
        same = places.get(message.text, [])
        same = same[bisect_left(same, following) :]
        if same:
            place = next((place for place in same if ordered[place].before == message.before), same[0])
            blocks[message.position] = ordered[place]
            following = place + 1
    return _each_once(blocks)


def next_number(blocks: Mapping[int, ToldBlock]) -> int:
    """That of a block after all of these."""
    return max((block.number for block in blocks.values()), default=0) + 1


def bounded(blocks: Iterable[int], tokens: Mapping[int, int], most: int) -> list[int]:
    """The positions of the blocks, oldest first; of their newer half where they have more than `most` tokens, so that
    the prompt's beginning changes rarely and not with each turn. `tokens` are those of each block.
    """
    kept = list(blocks)
    while kept and sum(tokens[position] for position in kept) > most:
        kept = kept[(len(kept) + 1) // 2 :]
    return kept


def _each_once(blocks: Mapping[int, ToldBlock]) -> dict[int, ToldBlock]:
    """Branches of a session may have been told the same: it stands where it was told first."""
    told: set[UUID] = set()
    found = {}
    for position, block in blocks.items():
        new = tuple(memory for memory in block.memories if memory.memory_id not in told)
        told.update(memory.memory_id for memory in new)
        found[position] = block if len(new) == len(block.memories) else replace(block, memories=new)
    return found


def _digest(text: str, key: bytes) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES, key=key[:64]).hexdigest()
