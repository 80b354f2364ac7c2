"""Data keys near at hand: unwrapped once in an instance, kept for a while, and what is sealed and opened with them."""

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

from remembrancer.domain.encryption import sealed_text
from remembrancer.domain.encryption.sealed_text import Plain, Sealed, key_context
from remembrancer.errors import StoreError, StoreUnavailable
from remembrancer.ports.encryption import DataKey, DataKeys, KeyService, OpenedFields, SealedFields
from remembrancer.ports.system import Clock

INLINE_BYTES = 32_768
"""Up to here opening takes less time than handing it to a thread."""
PAUSE_SECONDS = 2.0
"""A failed attempt to get keys is not repeated at once: every request would wait for its own."""
_RINGS = 1024

Value = TypeVar("Value")


class _Ring:
    """One organization's keys as of one moment."""

    def __init__(self, keys: Sequence[DataKey], loaded_at: float) -> None:
        self.keys = {key.version: key for key in keys}
        self.newest = max((key.version for key in keys if key.retired_at is None), default=None)
        self.loaded_at = loaded_at
        self.ciphers: dict[int, Any] = {}
        self.missing: set[int] = set()


class KeyRing:
    """Serves the Sealer and Opener ports.

    A key is kept for `seconds` and fetched again, in the background, from half of that on: a request waits for KMS only
    in an instance that has not seen the organization for so long. Who needs a key meanwhile shares the one fetch.
    """

    def __init__(self, keys: DataKeys, service: KeyService, clock: Clock, *, seconds: float = 600.0) -> None:
        self._keys = keys
        self._service = service
        self._clock = clock
        self._seconds = seconds
        self._rings: OrderedDict[UUID, _Ring] = OrderedDict()
        self._running: dict[tuple[UUID, int], asyncio.Task[Any]] = {}
        self._failed: dict[tuple[UUID, int], tuple[float, StoreError]] = {}

    async def seal(self, org_id: UUID, fields: Sequence[Plain], *, version: int | None = None) -> SealedFields:
        """AES-256-GCM with a random nonce for each field."""
        ring = await self._ring(org_id, holding=version)
        chosen = ring.newest if version is None else version
        if chosen is None:
            raise StoreUnavailable("The organization has no data key", cause="NoDataKey")
        cipher = await self._cipher(org_id, chosen)
        return SealedFields(await _off_loop(lambda: _seal(cipher, org_id, chosen, fields), fields), chosen)

    async def open(self, org_id: UUID, fields: Sequence[Sealed]) -> OpenedFields:
        """Keys that are not known here yet are asked for once, all at the same time."""
        versions = {version for field in fields if (version := _version(field)) is not None}
        waiting = [self._cipher(org_id, version) for version in sorted(versions)]
        found = dict(zip(sorted(versions), await asyncio.gather(*waiting, return_exceptions=True), strict=True))
        for outcome in found.values():
            if isinstance(outcome, BaseException) and not isinstance(outcome, StoreError):
                raise outcome
        return await _off_loop(lambda: _open(found, org_id, fields), fields)

    def forget(self, org_id: UUID) -> None:
        """The next use asks the store and KMS again."""
        self._rings.pop(org_id, None)

    async def _cipher(self, org_id: UUID, version: int) -> Any:
        ring = await self._ring(org_id, holding=version)
        if version not in ring.keys:
            raise StoreUnavailable("This version of the data key is not there", cause="UnknownKeyVersion")
        if version not in ring.ciphers:
            await self._once((org_id, version), lambda: self._unwrap(org_id, ring, version))
        return ring.ciphers[version]

    async def _ring(self, org_id: UUID, *, holding: int | None) -> _Ring:
        """The kept one while it is young enough; a version that it lacks is looked for, but not again and again."""
        ring = self._rings.get(org_id)
        age = self._clock.monotonic() - ring.loaded_at if ring else 0.0
        if ring is None or age > self._seconds:
            return await self._once((org_id, 0), lambda: self._load(org_id, None))
        self._rings.move_to_end(org_id)
        if holding is not None and holding not in ring.keys:
            return ring if holding in ring.missing and age < PAUSE_SECONDS else await self._find(org_id, ring, holding)
        if age > self._seconds / 2:
            self._begin((org_id, 0), lambda: self._load(org_id, ring))
        return ring

    async def _find(self, org_id: UUID, ring: _Ring, version: int) -> _Ring:
        """Twice: a load that was under way already may have read before the key was added."""
        for _ in range(2):
            ring = await self._once((org_id, 0), lambda before=ring: self._load(org_id, before))  # type: ignore[misc]
            if version in ring.keys:
                return ring
        ring.missing.add(version)
        return ring

    async def _load(self, org_id: UUID, before: _Ring | None) -> _Ring:
        """Keys that were in use are unwrapped before the new ring takes over, so that nobody waits for them again."""
        ring = _Ring(await self._keys.of(org_id), self._clock.monotonic())
        if before is not None:
            used = before.ciphers.keys() & ring.keys.keys()
            await asyncio.gather(*(self._unwrap(org_id, ring, version) for version in used))
        self._rings[org_id] = ring
        if len(self._rings) > _RINGS:
            self._rings.popitem(last=False)
        return ring

    async def _unwrap(self, org_id: UUID, ring: _Ring, version: int) -> None:
        key = ring.keys[version]
        plain = await self._service.unwrap(key.kms_key_id, key.wrapped, key_context(org_id))
        # The library takes twenty milliseconds to import: not for organizations that need none, and not on the loop.
        ring.ciphers[version] = await asyncio.to_thread(_new_cipher, plain)

    async def _once(self, name: tuple[UUID, int], work: Callable[[], Coroutine[Any, Any, Value]]) -> Value:
        """A caller that gives up leaves the work running: the next one finds it further, or done."""
        task = self._begin(name, work)
        if task is None:
            error = self._failed[name][1]
            raise StoreUnavailable(str(error), cause=error.cause)
        value: Value = await asyncio.shield(task)
        return value

    def _begin(
        self, name: tuple[UUID, int], work: Callable[[], Coroutine[Any, Any, Value]]
    ) -> "asyncio.Task[Value] | None":
        """The task that does it, new or running; None just after it failed."""
        running = self._running.get(name)
        if running is not None:
            return running
        failed = self._failed.get(name)
        if failed is not None and self._clock.monotonic() - failed[0] < PAUSE_SECONDS:
            return None
        task = self._running[name] = asyncio.ensure_future(work())
        task.add_done_callback(lambda done: self._finish(name, done))
        return task

    def _finish(self, name: tuple[UUID, int], done: "asyncio.Task[Any]") -> None:
        del self._running[name]
        self._failed.pop(name, None)
        # Reading the error marks it as seen, should nobody wait any more.
        error = None if done.cancelled() else done.exception()
        if isinstance(error, StoreError):
            self._failed[name] = (self._clock.monotonic(), error)


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
