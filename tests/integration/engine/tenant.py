"""An organization with one agent, and what tests do with its memories."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.pipeline import Row
from remembrancer.adapters.postgres.identity.directory import FirstKey, PostgresDirectory, create_organization
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.identity.scope import EVERYBODY, EndUser, Principal, Scope
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.lexical_index.bm25 import QueryTerms
from remembrancer.domain.memories.memory import NewMemory, Vector, day_of, fingerprint
from remembrancer.domain.memories.prepared_write import MemoryWrite
from remembrancer.ports.memories import PendingMemory, WriteResult
from tests import builders

MODEL = "hash"
PROJECT_ID = "project"
ENVIRONMENT = "production"


@dataclass(frozen=True, slots=True)
class Tenant:
    """Everything named here belongs to one organization."""

    principal: Principal
    agent_id: UUID
    term_key: bytes
    key_sha256: bytes
    database: Database

    @property
    def org_id(self) -> UUID:
        return self.principal.org_id

    def scope(self, *, user_id: str | None = None) -> Scope:
        """All of the agent, or what this end user may see."""
        end_user = EVERYBODY if user_id is None else EndUser(user_id)
        return Scope(self.org_id, None, None, self.agent_id, end_user)

    def project_scope(self, **changes: Any) -> Scope:
        """All agents of the project and environment, and all end users."""
        return replace(Scope(self.org_id, PROJECT_ID, ENVIRONMENT, end_user=EVERYBODY), **changes)

    def new_memory(self, content: str, **changes: Any) -> NewMemory:
        return builders.new_memory(agent_id=self.agent_id, content=content, **changes)

    def write(self, content: str, **changes: Any) -> MemoryWrite:
        """A memory with what the use case derives from its text."""
        return self.derived(self.new_memory(content, **changes))

    def derived(self, memory: NewMemory) -> MemoryWrite:
        indexed = bm25.index(memory.content, memory.context, key=self.term_key, stem=SnowballStemmer().stem)
        tokens = {"o200k_base": 20, "cl100k_base": 21}
        undated = fingerprint(memory.content, key=self.term_key)
        dated = fingerprint(memory.content, day_of(memory), key=self.term_key)
        return MemoryWrite(uuid4(), memory, 0.5, indexed, tokens, dated, undated)

    def wanted(self, query: str) -> QueryTerms:
        stemmer = SnowballStemmer()
        return bm25.wanted(query, key=self.term_key, stem=stemmer.stem, kinds=stemmer.kinds)

    async def remember(self, *writes: MemoryWrite) -> Sequence[WriteResult]:
        report = await PostgresMemories(self.database).write(self.principal, dict(enumerate(writes)))
        return [report.results[position] for position in range(len(writes))]

    async def remember_texts(self, *contents: str, **changes: Any) -> list[UUID]:
        """Ids of new memories with these texts, all of which must be accepted."""
        results = await self.remember(*(self.write(content, **changes) for content in contents))
        assert [result.status for result in results] == ["accepted"] * len(contents)
        return [result.memory_id for result in results if result.memory_id is not None]

    async def pending(self, ids: Sequence[UUID]) -> list[PendingMemory]:
        """In the order of `ids`; those that wait for nothing are left out."""
        found = await PostgresEmbeddingStore(self.database).pending(self.org_id, ids, MODEL)
        by_id = {pending.memory.id: pending for pending in found}
        return [by_id[identifier] for identifier in ids if identifier in by_id]

    async def embed(self, ids: Sequence[UUID]) -> None:
        """Gives memories the vectors of their words."""
        pending = await self.pending(ids)
        vectors = await HashEmbedder().embed([one.memory.content for one in pending])
        await PostgresEmbeddingStore(self.database).store(self.org_id, pending, vectors, MODEL)

    async def set_vectors(self, ids: Sequence[UUID], vectors: NDArray[np.float32]) -> None:
        """Gives memories these vectors, one row each."""
        pending = await self.pending(ids)
        assert len(pending) == len(ids)
        await PostgresEmbeddingStore(self.database).store(self.org_id, pending, vectors, MODEL)

    async def with_agent(self, name: str, **changes: Any) -> "Tenant":
        """The same organization with another agent, in the principal's place or that of the changed principal."""
        principal = replace(self.principal, **changes)
        agent = await PostgresDirectory(self.database).create(principal, uuid4(), name)
        assert agent is not None
        return replace(self, principal=principal, agent_id=agent.agent_id)

    async def insert(self, table: str, **values: object) -> None:
        """A row of this organization."""
        names, places = ", ".join(values), ", ".join(["%s"] * len(values))
        async with self.database.transaction(self.org_id) as transaction:
            await transaction.execute(
                f"INSERT INTO {table} (org_id, {names}) VALUES (%s, {places})", (self.org_id, *values.values())
            )

    async def fetch(self, statement: str, *parameters: object) -> list[Row]:
        """Rows as the functions' role sees them for this organization."""
        (rows,) = await self.database.read(self.org_id, (statement, parameters))
        return rows


async def create_tenant(owner_url: str, database: Database) -> Tenant:
    """A new organization with one project, key and agent; its principal reads the memories of all end users."""
    key = FirstKey("tests", uuid4().bytes + uuid4().bytes, ("assemble", "query", "write"))
    principal = await create_organization(
        owner_url, name="Organization", project_id=PROJECT_ID, environment=ENVIRONMENT, key=key
    )
    directory = PostgresDirectory(database)
    organization = await directory.organization(principal.org_id)
    agent = await directory.create(principal, uuid4(), "agent")
    assert organization is not None
    assert agent is not None
    return Tenant(replace(principal, sees_all=True), agent.agent_id, organization.term_key, key.key_sha256, database)


async def word_vector(text: str) -> Vector:
    """What HashEmbedder gives for one text."""
    vector: Vector = (await HashEmbedder().embed([text]))[0]
    return vector
