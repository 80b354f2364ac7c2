"""Opens sealed text immediately before use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import (
    CONTEXT,
    TEXT,
    UNREADABLE_TEXT,
    OpenedFields,
    Plain,
    Sealed,
    SealedFields,
    decode_text,
)
from remembrancer.domain.memories.memory import Memory
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.encryption import Cipher
from remembrancer.usecases.retrieval.deadline import Deadline

DECRYPTING = "decrypt"
"""The name under which opening in time is reported."""


class Keyless:
    """Serves the Cipher port for a deployment without data keys."""

    async def seal(self, org_id: UUID, fields: Sequence[Plain], *, version: int | None = None) -> SealedFields:
        """Always raises StoreUnavailable, since nothing can be sealed without a key."""
        raise StoreUnavailable("There are no data keys here", cause="NoDataKey")

    async def open(self, org_id: UUID, fields: Sequence[Sealed]) -> OpenedFields:
        """Returns None for every field, with the cause `NoDataKey`."""
        return OpenedFields([None] * len(fields), ["NoDataKey"] * len(fields))


@dataclass(frozen=True, slots=True)
class Opened:
    """The memories with their text, in order; `causes` lists why some are unreadable."""

    memories: Sequence[Memory]
    causes: Sequence[str] = ()


async def opened(opener: Cipher, org_id: UUID, memories: Sequence[Memory]) -> Opened:
    """Opens the memories' texts; free of cost when none is sealed. Unreadable text is replaced by a notice."""
    closed = [memory for memory in memories if memory.is_closed]
    if not closed:
        return Opened(memories)
    answer = await opener.open(org_id, [Sealed(memory.id, TEXT, memory.sealed or b"") for memory in closed])
    texts = {
        memory.id: (UNREADABLE_TEXT, None) if value is None else decode_text(value)
        for memory, value in zip(closed, answer.values, strict=True)
    }
    return Opened([_with_text(memory, texts) for memory in memories], answer.causes)


async def opened_in_time(
    opener: Cipher, org_id: UUID, memories: Sequence[Memory], deadline: Deadline
) -> tuple[Sequence[Memory], Sequence[str]]:
    """The memories with their text, unreadable where it could not be opened by the deadline, and the reasons."""
    if not any(memory.is_closed for memory in memories):
        return memories, ()
    outcome = await deadline.run(DECRYPTING, opened(opener, org_id, memories))
    if outcome.value is None:
        return marked_unreadable(memories), (f"decrypt_{outcome.report.reason}",)
    return outcome.value.memories, [f"decrypt_error:{cause}" for cause in dict.fromkeys(outcome.value.causes)]


async def opened_contexts(opener: Cipher, org_id: UUID, contexts: Mapping[UUID, bytes]) -> dict[UUID, str]:
    """Opens sealed contexts, by memory; an unreadable one is replaced by a notice."""
    if not contexts:
        return {}
    fields = [Sealed(memory_id, CONTEXT, value) for memory_id, value in contexts.items()]
    answer = await opener.open(org_id, fields)
    return {
        field.owner: UNREADABLE_TEXT if value is None else value.decode()
        for field, value in zip(fields, answer.values, strict=True)
    }


def marked_unreadable(memories: Sequence[Memory]) -> list[Memory]:
    """The memories marked as unreadable, without trying to open them."""
    return [
        replace(memory, content=UNREADABLE_TEXT, summary=None) if memory.is_closed else memory for memory in memories
    ]


def _with_text(memory: Memory, texts: Mapping[UUID, tuple[str, str | None]]) -> Memory:
    if not memory.is_closed:
        return memory
    content, summary = texts[memory.id]
    return replace(memory, content=content, summary=summary)
