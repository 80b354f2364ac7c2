"""Seals whole memories before they are stored, and opens whole memories for the API."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from remembrancer.domain.encryption.sealed_text import (
    CONTEXT,
    TEXT,
    UNREADABLE_TEXT,
    Plain,
    Sealed,
    decode_text,
    encode_text,
)
from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.memories.memory import MemoryVersion
from remembrancer.domain.memories.prepared_write import MemoryWrite, SealedMemory
from remembrancer.domain.memories.stored_memory import StoredMemory
from remembrancer.ports.encryption import Cipher
from remembrancer.ports.memories import Listing, Memories


async def sealed(
    sealer: Cipher, org_id: UUID, writes: Sequence[MemoryWrite], *, version: int | None = None
) -> list[MemoryWrite]:
    """The same writes with their text sealed under the organization's data key, in its newest version or in
    `version`.
    """
    texts = [Plain(write.memory_id, TEXT, encode_text(write.memory.content, write.memory.summary)) for write in writes]
    contexts = [
        Plain(write.memory_id, CONTEXT, write.memory.context.encode()) for write in writes if write.memory.context
    ]
    answer = await sealer.seal(org_id, [*texts, *contexts], version=version)
    values = iter(answer.values[len(texts) :])
    return [
        replace(write, sealed=SealedMemory(text, next(values) if write.memory.context else None, answer.key_version))
        for write, text in zip(writes, answer.values, strict=False)
    ]


@dataclass(frozen=True, slots=True)
class MemoryReader:
    """Reads memories for the API, with their text opened."""

    memories: Memories
    opener: Cipher

    async def get(
        self, principal: Principal, memory_id: UUID, *, deleted: bool = False, before: int | None = None
    ) -> StoredMemory | None:
        """Reads one memory like the Memories port, with its earlier texts opened."""
        stored = await self.memories.get(principal, memory_id, deleted=deleted, before=before)
        return None if stored is None else await self.opened_whole(principal.org_id, stored)

    async def list(self, principal: Principal, listing: Listing) -> Sequence[StoredMemory]:
        """Reads a page like the Memories port, with all its texts opened in one call."""
        return await self.opened(principal.org_id, await self.memories.list(principal, listing))

    async def opened(self, org_id: UUID, stored: Sequence[StoredMemory]) -> Sequence[StoredMemory]:
        """The memories with content, summary and context opened in one call."""
        closed = [one for one in stored if one.memory.is_closed]
        if not closed:
            return stored
        texts = [Sealed(one.memory.id, TEXT, one.memory.sealed or b"") for one in closed]
        contexts = [Sealed(one.memory.id, CONTEXT, one.sealed_context) for one in closed if one.sealed_context]
        answer = await self.opener.open(org_id, [*texts, *contexts])
        by_id = {field.owner: value for field, value in zip(texts, answer.values, strict=False)}
        contexts_by_id = {
            field.owner: value for field, value in zip(contexts, answer.values[len(texts) :], strict=True)
        }
        return [_stored_with_text(one, by_id, contexts_by_id) for one in stored]

    async def opened_whole(self, org_id: UUID, stored: StoredMemory) -> StoredMemory:
        """Opens the earlier texts as well; they are sealed under the same identity as the current one."""
        (opened,) = await self.opened(org_id, [stored])
        fields = [
            Sealed(stored.memory.id, name, value)
            for version in stored.versions
            for name, value in ((TEXT, version.sealed), (CONTEXT, version.sealed_context))
            if value is not None
        ]
        if not fields:
            return opened
        values = iter((await self.opener.open(org_id, fields)).values)
        return replace(opened, versions=tuple(_version_with_text(version, values) for version in stored.versions))


def _version_with_text(version: MemoryVersion, values: Iterator[bytes | None]) -> MemoryVersion:
    """Fills a version's text; `values` are the opened texts and contexts of the sealed versions, version by version."""
    if version.sealed is None:
        return version
    text = next(values)
    content, summary = (UNREADABLE_TEXT, None) if text is None else decode_text(text)
    context = None
    if version.sealed_context is not None:
        opened_context = next(values)
        context = UNREADABLE_TEXT if opened_context is None else opened_context.decode()
    return replace(version, content=content, summary=summary, context=context)


def _stored_with_text(
    stored: StoredMemory, texts: Mapping[UUID, bytes | None], contexts: Mapping[UUID, bytes | None]
) -> StoredMemory:
    if not stored.memory.is_closed:
        return stored
    text = texts[stored.memory.id]
    content, summary = (UNREADABLE_TEXT, None) if text is None else decode_text(text)
    context = None
    if stored.sealed_context is not None:
        opened_context = contexts[stored.memory.id]
        context = UNREADABLE_TEXT if opened_context is None else opened_context.decode()
    return replace(stored, memory=replace(stored.memory, content=content, summary=summary), context=context)
