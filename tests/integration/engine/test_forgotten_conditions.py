"""Every read of every adapter with the organization taken out of its conditions gives the same rows.

That is row-level security's doing: each is asked for what is another organization's, by its ids. A superuser, whom no
policy binds, shows that without the policies the condition would be missed.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from local.servers import PostgresServer
from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.connection.database import Database, Transaction
from remembrancer.adapters.postgres.connection.pipeline import Parameters, Row
from remembrancer.adapters.postgres.encryption.data_keys import PostgresDataKeys
from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials, PostgresDirectory
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.domain.erasure.erasure import Erasure
from remembrancer.domain.identity.scope import EVERYBODY, Scope
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.errors import StoreUnavailable
from remembrancer.ports.capture import ConversationListing
from remembrancer.ports.memories import ConflictPage, Export, Listing
from remembrancer.ports.search import Cursor
from tests.builders import NOW
from tests.integration.engine.every_table import furnish
from tests.integration.engine.store_calls import POSTGRES, on_postgres
from tests.integration.engine.tenant import ENVIRONMENT, MODEL, PROJECT_ID, Tenant, word_vector

LATER = NOW.replace(year=2999)
CONDITION = re.compile(r"(?:\w+\.)?org_id = (%\(org_id\)s|%s)(?!\w)")


class Watched(Database):
    """Keeps every row that a statement gave; a forgetful one takes the organization out of its conditions first."""

    def __init__(self, url: str, *, forgetful: bool) -> None:
        super().__init__(url, connections=1)
        self._forgetful = forgetful
        self.seen: list[str] = []
        self.forgotten = 0

    async def read(
        self,
        org_id: UUID | None,
        *statements: tuple[str, Parameters],
        settings: Mapping[str, str] | None = None,
        plan_once: bool = False,
        statement_ms: int | None = None,
    ) -> list[list[Row]]:
        changed = [(self.forget(statement), parameters) for statement, parameters in statements]
        found = await super().read(org_id, *changed, settings=settings, plan_once=plan_once, statement_ms=statement_ms)
        self.keep([row for rows in found for row in rows])
        return found

    @asynccontextmanager
    async def transaction(self, org_id: UUID | None, *, actor: str = "") -> AsyncIterator[Transaction]:
        async with super().transaction(org_id, actor=actor) as transaction:
            yield WatchedTransaction(self, transaction)

    def forget(self, statement: str) -> str:
        if not self._forgetful:
            return statement
        changed, number = CONDITION.subn(r"\1::uuid IS NOT NULL", statement)
        self.forgotten += number
        return changed

    def keep(self, rows: list[Row]) -> None:
        self.seen += sorted(map(repr, rows))


class WatchedTransaction(Transaction):
    """One of a watched database."""

    def __init__(self, database: Watched, transaction: Transaction) -> None:
        super().__init__(transaction._connection)
        self._database = database

    async def fetch(self, statement: str, parameters: Parameters = ()) -> list[Row]:
        rows = await super().fetch(self._database.forget(statement), parameters)
        self._database.keep(rows)
        return rows

    async def execute(self, statement: str, parameters: Parameters = ()) -> int:
        return await super().execute(self._database.forget(statement), parameters)


@dataclass(frozen=True, slots=True)
class Theirs:
    """Who asks, and what there is of somebody else to ask for."""

    asking: Tenant
    tenant: Tenant
    memory_ids: list[UUID]
    erasure_id: UUID
    conversation_id: UUID
    terms: list[int]
    vector: Any

    @property
    def org_id(self) -> UUID:
        return self.asking.org_id

    @property
    def agent_id(self) -> UUID:
        return self.tenant.agent_id

    @property
    def scope(self) -> Scope:
        return Scope(self.org_id, None, None, self.agent_id)


Read = Callable[[Any, Theirs], Awaitable[object]]
READS: dict[type, dict[str, Read]] = {
    PostgresCredentials: {"limit": lambda store, their: store.limit(their.org_id)},
    PostgresDirectory: {
        "organization": lambda store, their: store.organization(their.org_id),
        "agent": lambda store, their: store.agent(their.org_id, their.agent_id),
        "agent_named": lambda store, their: store.agent_named(their.asking.principal, "agent"),
        "names_like": lambda store, their: store.names_like(their.asking.principal, "Agent"),
        "time_zone": lambda store, their: store.time_zone(their.org_id, PROJECT_ID, ENVIRONMENT, "ada"),
        "list": lambda store, their: store.list(their.asking.principal),
        "end_users": lambda store, their: store.end_users(their.asking.principal, their.agent_id),
        "directive": lambda store, their: store.directive(their.org_id, their.agent_id),
        "state": lambda store, their: store.state(their.org_id, their.agent_id),
        "directive_versions": lambda store, their: store.directive_versions(
            their.org_id, their.agent_id, before=None, limit=5
        ),
    },
    PostgresApiKeys: {"list": lambda store, their: store.list(their.asking.principal)},
    PostgresMemories: {
        "get": lambda store, their: store.get(their.asking.principal, their.memory_ids[0]),
        "list": lambda store, their: store.list(their.asking.principal, Listing(their.agent_id)),
        "export": lambda store, their: store.export(their.asking.principal, Export(None, None, 5)),
    },
    PostgresConversations: {
        "waiting": lambda store, their: store.waiting(their.org_id, their.conversation_id, 5),
        "unread": lambda store, their: store.unread(their.org_id, their.conversation_id, 5),
        "get": lambda store, their: store.get(their.asking.principal, their.conversation_id),
        "list": lambda store, their: store.list(their.asking.principal, ConversationListing(their.agent_id)),
    },
    PostgresErasures: {
        "find": lambda store, their: store.find(their.asking.principal, their.erasure_id),
        "running": lambda store, their: store.running(their.org_id),
        "about": lambda store, their: store.about(their.org_id, "user", "ann"),
        "keys": lambda store, their: store.keys(
            Erasure(their.erasure_id, their.org_id, "organization", None, "running", {}, NOW)
        ),
        "beyond": lambda store, their: store.beyond(
            Erasure(their.erasure_id, their.org_id, "organization", None, "running", {}, NOW), [], their.memory_ids
        ),
    },
    PostgresConflicts: {
        "near": lambda store, their: store.near(their.org_id, their.memory_ids, MODEL),
        "near_duplicates": lambda store, their: store.near_duplicates(their.org_id, their.memory_ids, MODEL),
        "list": lambda store, their: store.list(their.asking.principal, ConflictPage(their.agent_id, 5)),
    },
    PostgresSearch: {
        "nearest": lambda store, their: store.nearest(
            their.scope, their.vector, Filters(), model=MODEL, limit=5, now=NOW
        ),
        "matching": lambda store, their: store.matching(
            their.scope, their.tenant.wanted("coffee machine"), Filters(), limit=5, now=NOW
        ),
        "known": lambda store, their: store.known(their.scope, their.terms),
    },
    PostgresRecall: {
        "neighbours": lambda store, their: store.neighbours(
            their.scope, their.memory_ids, model=MODEL, limit=5, now=NOW
        ),
        "circumstances": lambda store, their: store.circumstances(
            their.scope, their.memory_ids, vector=their.vector, model=MODEL, session_id="session", now=NOW
        ),
        "history": lambda store, their: store.history(their.scope, session_id="session"),
        "ranking_data": lambda store, their: store.ranking_data(their.org_id, their.agent_id, model=MODEL, most=99),
        "rows": lambda store, their: store.rows(their.scope, their.memory_ids, now=NOW),
        "state": lambda store, their: store.state(their.scope, now=NOW),
    },
    PostgresMapSource: {
        "change": lambda source, their: source.change(their.org_id, their.agent_id),
        "size": lambda source, their: source.size(their.org_id, their.agent_id, most=9),
        "page": lambda source, their: source.page(
            their.org_id, their.agent_id, Cursor(0, UUID(int=0)), since=0, limit=5
        ),
        "rows": lambda source, their: source.rows(their.org_id, their.agent_id, their.memory_ids),
        "pinned": lambda source, their: source.pinned(their.org_id, their.agent_id, EVERYBODY),
    },
    PostgresEmbeddingStore: {
        "pending": lambda store, their: store.pending(their.org_id, their.memory_ids, "another model"),
        "hot_candidates": lambda store, their: store.hot_candidates(their.org_id, their.agent_id, NOW, 5),
    },
    PostgresLexicalIndex: {
        "untidy": lambda store, their: store.untidy(their.org_id, LATER, 100),
        "agents": lambda store, their: store.agents(their.org_id),
        "outdated_texts": lambda store, their: store.outdated_texts(
            their.org_id, their.agent_id, ("german",), after=-1, limit=5
        ),
    },
    PostgresUpkeep: {"embedded": lambda store, their: store.embedded(their.org_id, MODEL)},
    PostgresDataKeys: {
        "of": lambda store, their: store.of(their.org_id),
        "texts_to_seal": lambda store, their: store.texts_to_seal(their.org_id, 1, (UUID(int=0), -1), 100),
        "state": lambda store, their: store.state(their.org_id),
    },
    PostgresUsage: {"current": lambda store, their: store.current(their.org_id, their.agent_id, their.memory_ids, NOW)},
}
"""Asked for by one organization, of another's."""
CHANGES: dict[type, set[str]] = {
    PostgresDirectory: {"create", "switch", "put_directive", "set_time_zone"},
    PostgresApiKeys: {"create", "revoke"},
    PostgresMemories: {"write"},
    PostgresConflicts: {"settle", "flag", "consolidate"},
    PostgresConversations: {"add", "store_decisions", "store_reading"},
    PostgresErasures: {"request", "erase_conversations", "erase_memories", "erase_records", "finish"},
    PostgresEmbeddingStore: {"store", "fail", "outdated", "stragglers", "serve", "retire"},
    PostgresLexicalIndex: {"tidy", "merge", "replace_terms", "finish_reindexing"},
    PostgresUpkeep: {
        "visited",
        "lost",
        "outdated",
        "waiting_conversations",
        "cool",
        "expire",
        "dissolve_mixed_clusters",
        "refresh_clusters",
        "forget",
    },
    PostgresDataKeys: {"add", "rewrap", "keep_term_key", "reseal", "retire", "destroy"},
    PostgresUsage: {"apply", "reserve_tokens", "charge_tokens"},
}
"""What changes rows: the same is asserted of whole tables where row-level security is tested."""
UNBOUND: dict[type, set[str]] = {
    PostgresCredentials: {"resolve"},
    PostgresUpkeep: {"organizations"},
    PostgresLexicalIndex: {"outdated_organizations"},
    PostgresDataKeys: {"organizations"},
}
"""Of no organization in particular: a presented key's row, and the list that maintenance works through."""


def test_every_read_of_every_adapter_is_tried() -> None:
    readers = [kind for kind in POSTGRES if kind in READS]
    left = {
        kind: POSTGRES[kind].keys() - READS[kind].keys() - CHANGES.get(kind, set()) - UNBOUND.get(kind, set())
        for kind in readers
    }
    others = {kind.__name__ for kind in POSTGRES if kind not in READS}

    assert {kind.__name__: names for kind, names in left.items() if names} == {}
    assert others == {
        "PostgresMemoryLife", "VectorTables", "Database",
    }  # fmt: skip


@pytest.fixture
async def theirs(tenant: Tenant, stranger: Tenant) -> Theirs:
    await stranger.remember_texts("Ann drinks tea.", user_id="ann")
    await stranger.remember_texts("Answer in Dutch.", pinned_at=NOW)
    for one in (tenant, stranger):
        await furnish(one)
    erasure = (await stranger.fetch("SELECT erasure_id FROM erasures"))[0][0]
    conversation = (await stranger.fetch("SELECT conversation_id FROM conversations"))[0][0]
    ids = [row[0] for row in await stranger.fetch("SELECT memory_id FROM memories")]
    terms = list(stranger.wanted("coffee machine").terms)
    return Theirs(tenant, stranger, ids, erasure, conversation, terms, await word_vector("coffee machine"))


async def test_a_read_that_forgets_its_organization_gives_the_same_rows_and_would_not_without_the_policies(
    migrated: PostgresServer, theirs: Theirs
) -> None:
    async def rows(url: str, kind: type, read: Read, *, forgetful: bool) -> tuple[list[str], int]:
        database = Watched(url, forgetful=forgetful)
        # A superuser may get the row of some encrypted organization, whose key is not at hand.
        with suppress(StoreUnavailable) if url == migrated.superuser_url else nullcontext():
            await read(on_postgres(kind, database), theirs)
        await database.close()
        return database.seen, database.forgotten

    for kind, reads in READS.items():
        for name, read in reads.items():
            honest, _ = await rows(migrated.app_url, kind, read, forgetful=False)
            forgetful, forgotten = await rows(migrated.app_url, kind, read, forgetful=True)
            unbound, _ = await rows(migrated.superuser_url, kind, read, forgetful=True)

            assert forgotten > 0, f"{kind.__name__}.{name} names no organization"
            assert forgetful == honest, f"{kind.__name__}.{name}"
            assert unbound != honest, f"{kind.__name__}.{name} finds nothing of the other organization"
