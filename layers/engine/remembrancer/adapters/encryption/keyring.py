"""Seals and opens text with organizations' data keys, which are unwrapped once in an instance and kept for a while."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from remembrancer.adapters.refresh_ahead import RefreshAhead, Times
from remembrancer.domain.encryption import sealed_text
from remembrancer.domain.encryption.data_key import DataKey
from remembrancer.domain.encryption.sealed_text import OpenedFields, Plain, Sealed, SealedFields, key_context
from remembrancer.errors import StoreError, StoreUnavailable
from remembrancer.ports.encryption import KeyService
from remembrancer.ports.system import Clock

INLINE_BYTES = 32_768
"""Up to here opening takes less time than handing it to a thread."""
PAUSE_SECONDS = 2.0
"""After a failed attempt to get keys; otherwise every request would wait for an attempt of its own."""
_RINGS = 1024
_CIPHERS = 4096

Value = TypeVar("Value")
KeysOf = Callable[[UUID], Awaitable[Sequence[DataKey]]]
"""The stored keys of an organization, as `KeyStore.of` gives them."""


class _Ring:
    """One organization's wrapped keys by version; `missing` are versions that were looked for and are not there."""

    def __init__(self, keys: Sequence[DataKey], loaded_at: float) -> None:
        self.keys = {key.version: key for key in keys}
        self.newest = max((key.version for key in keys if key.retired_at is None), default=None)
        self.loaded_at = loaded_at
        self.missing: set[int] = set()


class KeyRing:
    """Serves the Cipher port.

    Keys are kept for `seconds` and renewed from half of that on: a request waits for KMS only in an instance that has
    not used the organization's key for so long.
    """

    def __init__(self, keys_of: KeysOf, service: KeyService, clock: Clock, *, seconds: float = 600.0) -> None:
        self._keys_of = keys_of
        self._service = service
        self._clock = clock
        times = Times(fresh_seconds=seconds / 2, lifetime_seconds=seconds, pause_seconds=PAUSE_SECONDS)
        self._rings = RefreshAhead[UUID, _Ring](self._read, clock, times, entries=_RINGS)
        self._ciphers = RefreshAhead[tuple[UUID, int], Any](self._unwrap, clock, times, entries=_CIPHERS)

    async def seal(self, org_id: UUID, fields: Sequence[Plain], *, version: int | None = None) -> SealedFields:
        """AES-256-GCM with a random nonce for each field."""
        ring = await self._ring(org_id, holding=version)
        chosen = ring.newest if version is None else version
        if chosen is None:
            raise StoreUnavailable("The organization has no data key", cause="NoDataKey")
        cipher = await self._cipher(org_id, chosen)
        return SealedFields(await _off_loop(lambda: _seal(cipher, org_id, chosen, fields), fields), chosen)

    async def open(self, org_id: UUID, fields: Sequence[Sealed]) -> OpenedFields:
        """Keys that this instance does not have yet are unwrapped at the same time."""
        versions = {version for field in fields if (version := _version(field)) is not None}
        waiting = [self._cipher(org_id, version) for version in sorted(versions)]
        found = dict(zip(sorted(versions), await asyncio.gather(*waiting, return_exceptions=True), strict=True))
        for outcome in found.values():
            if isinstance(outcome, BaseException) and not isinstance(outcome, StoreError):
                raise outcome
        return await _off_loop(lambda: _open(found, org_id, fields), fields)

    def forget(self, org_id: UUID) -> None:
        """The next use asks the store and KMS again."""
        self._rings.discard(org_id)
        for key in [key for key in self._ciphers if key[0] == org_id]:
            self._ciphers.discard(key)

    async def _cipher(self, org_id: UUID, version: int) -> Any:
        # Looked up for kept ciphers too: a version that was destroyed opens nothing any more.
        await self._key(org_id, version)
        return await self._ciphers.get((org_id, version))

    async def _key(self, org_id: UUID, version: int) -> DataKey:
        ring = await self._ring(org_id, holding=version)
        if version not in ring.keys:
            raise StoreUnavailable("This version of the data key is not there", cause="UnknownKeyVersion")
        return ring.keys[version]

    async def _ring(self, org_id: UUID, *, holding: int | None) -> _Ring:
        """The ring, with the version `holding` if that exists: a missing version is looked for every PAUSE_SECONDS.

        A load that runs already may have read before the key was added, hence two attempts.
        """
        ring = await self._rings.get(org_id)
        if holding is None or (holding in ring.missing and self._clock.monotonic() - ring.loaded_at < PAUSE_SECONDS):
            return ring
        for _ in range(2):
            if holding in ring.keys:
                return ring
            ring = await self._rings.reload(org_id)
        if holding not in ring.keys:
            ring.missing.add(holding)
        return ring

    async def _read(self, org_id: UUID) -> _Ring:
        return _Ring(await self._keys_of(org_id), self._clock.monotonic())

    async def _unwrap(self, key: tuple[UUID, int]) -> Any:
        wrapped = await self._key(*key)
        plain = await self._service.unwrap(wrapped.kms_key_id, wrapped.wrapped, key_context(key[0]))
        # The library takes twenty milliseconds to import: not for organizations that need none, and not on the loop.
        return await asyncio.to_thread(_new_cipher, plain)


def _new_cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key)


async def _off_loop(work: Callable[[], Value], fields: Sequence[Plain] | Sequence[Sealed]) -> Value:
    if sum(len(field.value) for field in fields) <= INLINE_BYTES:
        return work()
    return await asyncio.to_thread(work)


def _seal(cipher: Any, org_id: UUID, version: int, fields: Sequence[Plain]) -> list[bytes]:
    header = sealed_text.header(version)
    sealed = []
    for field in fields:
        nonce = os.urandom(sealed_text.NONCE_BYTES)
        bound_to = sealed_text.associated_data(org_id, field.owner, field.field, version)
        sealed.append(header + nonce + cipher.encrypt(nonce, field.value, bound_to))
    return sealed


def _open(ciphers: Mapping[int, Any], org_id: UUID, fields: Sequence[Sealed]) -> OpenedFields:
    values: list[bytes | None] = []
    causes: list[str] = []
    for field in fields:
        try:
            values.append(_open_one(ciphers, org_id, field))
        except StoreError as error:
            values.append(None)
            causes.append(error.cause)
    return OpenedFields(values, causes)


def _open_one(ciphers: Mapping[int, Any], org_id: UUID, field: Sealed) -> bytes:
    from cryptography.exceptions import InvalidTag

    try:
        version, nonce, ciphertext = sealed_text.split(field.value)
    except ValueError as error:
        raise StoreUnavailable("Not a sealed text", cause="UnknownFormat") from error
    cipher = ciphers[version]
    if isinstance(cipher, StoreError):
        raise cipher
    try:
        bound_to = sealed_text.associated_data(org_id, field.owner, field.field, version)
        opened: bytes = cipher.decrypt(nonce, ciphertext, bound_to)
    except InvalidTag as error:
        raise StoreUnavailable("A sealed text does not open", cause="InvalidTag") from error
    return opened


def _version(field: Sealed) -> int | None:
    try:
        return sealed_text.split(field.value)[0]
    except ValueError:
        return None
