"""A tenant whose text is sealed: keys by local KMS, and everything between text and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from local.servers import AwsServer
from local.servers.aws import ACCOUNT_ID, REGION
from remembrancer.adapters.aws.credentials import AwsCredentials
from remembrancer.adapters.aws.kms import Kms
from remembrancer.adapters.aws.signed_calls import JsonService
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.encryption.keyring import KeyRing
from remembrancer.adapters.postgres.encryption.data_keys import PostgresDataKeys
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.domain.encryption.data_key import KeyState, NewKey
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.encryption import KeyService
from remembrancer.ports.system import Clock
from remembrancer.usecases.encryption.encrypt import Encryption
from remembrancer.usecases.memories.sealed_memories import MemoryReader, sealed
from tests.integration.engine.tenant import Tenant

ANY_KEY = f"arn:aws:kms:{REGION}:{ACCOUNT_ID}:key/any"


def kms_service(server: AwsServer) -> JsonService:
    credentials = AwsCredentials("local", "local", "")
    return JsonService("KMS", "kms", "TrentService", credentials, SystemClock(), server.endpoint_url)


async def new_kms_key(server: AwsServer) -> str:
    """The ARN of a new key."""
    answer = await kms_service(server).call("CreateKey", {}, arn=ANY_KEY, seconds=5)
    return str(answer["KeyMetadata"]["Arn"])


@dataclass
class WatchedKms:
    """Serves KeyService by another: counts what is asked, and fails when told."""

    service: KeyService
    unwrapped: list[bytes] = field(default_factory=list)
    is_down: bool = False

    async def generate(self, kms_key_id: str, context: Mapping[str, str]) -> NewKey:
        return await self.service.generate(kms_key_id, context)

    async def wrap(self, kms_key_id: str, plain: bytes, context: Mapping[str, str]) -> NewKey:
        return await self.service.wrap(kms_key_id, plain, context)

    async def unwrap(self, kms_key_id: str, wrapped: bytes, context: Mapping[str, str]) -> bytes:
        self.unwrapped.append(wrapped)
        if self.is_down:
            raise StoreUnavailable("KMS is down", cause="KmsDown")
        return await self.service.unwrap(kms_key_id, wrapped, context)


@dataclass
class Vault:
    """One organization's encryption as one warm instance sees it."""

    tenant: Tenant
    kms: WatchedKms
    kms_key_id: str
    clock: Clock
    ring: KeyRing

    @classmethod
    def of(cls, tenant: Tenant, server: AwsServer, kms_key_id: str, clock: Clock | None = None) -> "Vault":
        watched = WatchedKms(Kms(kms_service(server), seconds=5))
        chosen = clock or SystemClock()
        ring = KeyRing(PostgresDataKeys(tenant.database).of, watched, chosen)
        return cls(tenant, watched, kms_key_id, chosen, ring)

    @property
    def keys(self) -> PostgresDataKeys:
        return PostgresDataKeys(self.tenant.database)

    @property
    def encryption(self) -> Encryption:
        directory = PostgresDirectory(self.tenant.database, self.ring)
        return Encryption(self.keys, self.kms, self.ring, directory, self.clock)

    @property
    def reader(self) -> MemoryReader:
        return MemoryReader(PostgresMemories(self.tenant.database), self.ring)

    async def turn_on(self) -> KeyState:
        return await self.encryption.turn_on(self.tenant.org_id, self.kms_key_id)

    async def remember(self, *writes: MemoryWrite) -> list[UUID]:
        """Sealed as the use case does it."""
        results = await self.tenant.remember(*await sealed(self.ring, self.tenant.org_id, writes))
        assert [result.status for result in results] == ["accepted"] * len(writes)
        return [result.memory_id for result in results if result.memory_id is not None]

    async def remember_texts(self, *contents: str, **changes: Any) -> list[UUID]:
        return await self.remember(*(self.tenant.write(content, **changes) for content in contents))

    async def content(self, memory_id: UUID) -> str:
        stored = await self.reader.get(self.tenant.principal, memory_id)
        assert stored is not None
        return stored.memory.content

    async def contents(self, ids: Sequence[UUID]) -> list[str]:
        return [await self.content(identifier) for identifier in ids]
