"""Encryption of an organization: turning it on, rotating its key, resealing its text under the newest key.

Each step reads the remaining work from the store, so that the next run continues where the last one stopped.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from remembrancer.domain.encryption import data_key
from remembrancer.domain.encryption.data_key import KeyState, Resealed, StoredText
from remembrancer.domain.encryption.sealed_text import (
    CONTEXT,
    TERM_KEY,
    TEXT,
    TURN,
    Plain,
    Sealed,
    encode_text,
    key_context,
)
from remembrancer.errors import ConfigurationError, NotFound, StoreError
from remembrancer.ports.encryption import Cipher, KeyService, KeyStore
from remembrancer.ports.identity import Directory
from remembrancer.ports.system import Clock

BATCH = 100
KEPT_AFTER_RETIREMENT = timedelta(days=7)
"""Time before a retired key is destroyed: longer than any cache or warm instance keeps text sealed by it, and than a
deleted memory can be restored.
"""
_FIRST = (UUID(int=0), data_key.TURN - 1)


@dataclass(frozen=True, slots=True)
class EncryptionProgress:
    """Progress for one organization: `left` texts are not under `version` yet; some of those read cannot be opened.

    `finished` when nothing is left and every older version is retired.
    """

    version: int
    left: int
    unreadable: int
    finished: bool


@dataclass(frozen=True, slots=True)
class Encryption:
    """Encryption tasks of an operator, and of the scheduled run that completes them."""

    keys: KeyStore
    service: KeyService
    cipher: Cipher
    directory: Directory
    clock: Clock

    async def turn_on(self, org_id: UUID, kms_key_id: str) -> KeyState:
        """Adds the first key, unless there is one already; `advance` seals the texts stored before."""
        if await self.keys.state(org_id) is None:
            await self._add(org_id, 1, kms_key_id)
        return await self._with_term_key(org_id)

    async def rotate(self, org_id: UUID, kms_key_id: str) -> KeyState:
        """Adds a new key, used for all later writes; adds none while texts are still being resealed under the last
        one.
        """
        state = await self._state(org_id)
        if state.left == 0 and state.older == 0:
            await self._add(org_id, state.newest + 1, kms_key_id)
        return await self._with_term_key(org_id)

    async def rewrap(self, org_id: UUID, kms_key_id: str) -> int:
        """Wraps every version under another KMS key, without changing any text; returns the number of versions."""
        keys = await self.keys.of(org_id)
        context = key_context(org_id)
        for key in keys:
            plain = await self.service.unwrap(key.kms_key_id, key.wrapped, context)
            await self.keys.rewrap(org_id, key.version, await self.service.wrap(kms_key_id, plain, context))
        return len(keys)

    async def advance(self, org_id: UUID, *, until: float) -> EncryptionProgress:
        """Seals batch after batch while the clock's monotonic time is before `until`.

        When nothing is left, older versions are retired, and those retired long ago are destroyed.
        """
        newest = (await self._with_term_key(org_id)).newest
        after, unreadable = _FIRST, 0
        while texts := await self.keys.texts_to_seal(org_id, newest, after, BATCH):
            resealed = await self._resealed(org_id, newest, texts)
            await self.keys.reseal(org_id, newest, resealed)
            unreadable += len(texts) - len(resealed)
            after = (texts[-1].memory_id, texts[-1].number)
            if self.clock.monotonic() >= until:
                break
        else:
            await self.keys.retire(org_id, newest)
            await self.keys.destroy(org_id, self.clock.now() - KEPT_AFTER_RETIREMENT)
        state = await self._state(org_id)
        return EncryptionProgress(state.newest, state.left, unreadable, finished=state.left == 0 and state.older == 0)

    async def catch_up(self, *, until: float) -> Mapping[str, int]:
        """Continues unfinished work, one organization after another: how many still have some (`encrypting`), and how
        many failed, for which no other one waits.
        """
        done = Counter[str]()
        for org_id in await self.keys.organizations():
            try:
                state = await self.keys.state(org_id)
                if state is None or _is_done(state):
                    await self.keys.destroy(org_id, self.clock.now() - KEPT_AFTER_RETIREMENT)
                elif self.clock.monotonic() >= until or not (await self.advance(org_id, until=until)).finished:
                    done["encrypting"] += 1
            except (StoreError, NotFound):
                # NotFound: it was erased meanwhile.
                done["encryptions_failed"] += 1
        return done

    async def _state(self, org_id: UUID) -> KeyState:
        state = await self.keys.state(org_id)
        if state is None:
            raise NotFound("There is no such organization, or it is not encrypted.", code="not_encrypted")
        return state

    async def _add(self, org_id: UUID, version: int, kms_key_id: str) -> None:
        """If a concurrent call has added this version, its key is used."""
        if not kms_key_id:
            raise ConfigurationError("KMS_KEY_ID is not set: data keys cannot be wrapped")
        await self.keys.add(org_id, version, await self.service.generate(kms_key_id, key_context(org_id)))

    async def _with_term_key(self, org_id: UUID) -> KeyState:
        """The state, with the term key sealed under the newest key."""
        state = await self._state(org_id)
        if state.term_version == state.newest:
            return state
        organization = await self.directory.organization(org_id)
        if organization is None:
            raise NotFound("There is no such organization.", code="organization_not_found")
        field = Plain(org_id, TERM_KEY, organization.term_key)
        answer = await self.cipher.seal(org_id, [field], version=state.newest)
        await self.keys.keep_term_key(org_id, answer.values[0])
        return replace(state, term_version=state.newest)

    async def _resealed(self, org_id: UUID, version: int, texts: Sequence[StoredText]) -> list[Resealed]:
        """The resealed texts, without those that cannot be opened."""
        plain = await self._plain(org_id, texts)
        fields = [field for _, text, context in plain for field in (text, context) if field is not None]
        values = iter((await self.cipher.seal(org_id, fields, version=version)).values)
        return [Resealed(stored, next(values), next(values) if context else None) for stored, _, context in plain]

    async def _plain(self, org_id: UUID, texts: Sequence[StoredText]) -> list[tuple[StoredText, Plain, Plain | None]]:
        sealed = [
            (row, Sealed(stored.memory_id, name, value))
            for row, stored in enumerate(texts)
            for name, value in ((_field(stored), stored.sealed), (CONTEXT, stored.sealed_context))
            if value is not None
        ]
        answer = await self.cipher.open(org_id, [field for _, field in sealed])
        values = {(row, field.field): value for (row, field), value in zip(sealed, answer.values, strict=True)}
        found = []
        for row, stored in enumerate(texts):
            text, context = (
                _clear(stored) if stored.sealed is None else (values[row, _field(stored)], values.get((row, CONTEXT)))
            )
            if text is not None and (context is not None or stored.sealed_context is None):
                owner = stored.memory_id
                sealing = Plain(owner, _field(stored), text)
                found.append((stored, sealing, Plain(owner, CONTEXT, context) if context else None))
        return found


def _is_done(state: KeyState) -> bool:
    return state.left == 0 and state.older == 0 and state.term_version == state.newest


def _field(stored: StoredText) -> str:
    return TURN if stored.number == data_key.TURN else TEXT


def _clear(stored: StoredText) -> tuple[bytes | None, bytes | None]:
    return encode_text(stored.content or "", stored.summary), stored.context.encode() if stored.context else None
