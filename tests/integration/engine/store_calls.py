"""Each public method of each adapter of Postgres and Redis, called once."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from remembrancer.adapters.postgres.capture.conversations import PostgresConversations
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.encryption.data_keys import PostgresDataKeys
from remembrancer.adapters.postgres.erasure.erasures import PostgresErasures
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.adapters.postgres.identity.directory import PostgresCredentials, PostgresDirectory
from remembrancer.adapters.postgres.memories.conflicts import PostgresConflicts
from remembrancer.adapters.postgres.memories.embedding_store import PostgresEmbeddingStore
from remembrancer.adapters.postgres.memories.memories import PostgresMemories
from remembrancer.adapters.postgres.memories.memory_life import PostgresMemoryLife
from remembrancer.adapters.postgres.memories.usage import PostgresUsage
from remembrancer.adapters.postgres.search.index_upkeep import PostgresLexicalIndex
from remembrancer.adapters.postgres.search.map_source import PostgresMapSource
from remembrancer.adapters.postgres.search.memory_search import PostgresSearch
from remembrancer.adapters.postgres.search.ranking_data import PostgresRecall
from remembrancer.adapters.postgres.search.vector_tables import VectorTables
from remembrancer.adapters.postgres.upkeep import PostgresUpkeep
from remembrancer.adapters.redis.agent_cache import RedisAgentCache
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.map_segments import RedisSegments
from remembrancer.adapters.redis.query_cache import RedisQueryCache
from remembrancer.adapters.redis.rate_limits import RedisRateLimits
from remembrancer.domain.capture import turns
from remembrancer.domain.capture.forgetting import Forgetting
from remembrancer.domain.capture.turns import Conversation, Decision
from remembrancer.domain.context.told import ToldBlock
from remembrancer.domain.encryption.data_key import NewKey
from remembrancer.domain.erasure.erasure import Asking, Erasure
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import EVERYBODY, NOBODY, RateLimit, Scope
from remembrancer.domain.lexical_index.bm25 import IndexedText, QueryTerms
from remembrancer.domain.memories.memory import Change
from remembrancer.domain.memories.pins import Pins
from remembrancer.domain.memories.prepared_write import MemoryWrite, Revision
from remembrancer.domain.memories.stored_memory import Relation
from remembrancer.domain.requests.idempotency import Once
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.turn_key import Turn
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.ports.cache import HotEntry, StoredSegment
from remembrancer.ports.capture import ConversationListing, ExtractedWrite
from remembrancer.ports.memories import (
    ConflictPage,
    Export,
    FoundConflict,
    Listing,
    PendingMemory,
    Settlement,
)
from remembrancer.ports.search import Cursor
from remembrancer.ports.usage import UsageEvent
from tests import builders
from tests.builders import AGENT_ID, ENVIRONMENT, NOW, ORG_ID, PROJECT_ID, unit_vector
from tests.integration.engine.tenant import MODEL

MINUTE = timedelta(minutes=1)
PRINCIPAL = builders.principal()
ANN = PRINCIPAL.acting_for("ann")
EVENT = UsageEvent(uuid4(), ORG_ID, AGENT_ID, (uuid4(),), "query", NOW)
PENDING = PendingMemory(builders.memory(), "project", "production")
WRITE = MemoryWrite(
    uuid4(), builders.new_memory(), 0.5, IndexedText(((1, 1, 0),), 3), {"o200k_base": 1, "cl100k_base": 1}, b"print"
)
KEY = NewKey(bytes(32), b"wrapped", "key")
ERASURE = Erasure(uuid4(), ORG_ID, "user", "ann", "running", {}, NOW)
REVISION = Revision(builders.stored_memory(), WRITE, "active")
CONFLICT = FoundConflict(builders.memory(2), builders.memory(1), "day", 0.5)
TURN = turns.Turn(uuid4(), "user", "text", NOW, fingerprint=b"print")
CONVERSATION = Conversation(uuid4(), ORG_ID, "project", "production", AGENT_ID, None, "session", NOW, NOW)
RELATION = Relation(uuid4(), uuid4(), uuid4(), "similar", 0.5)

Call = Callable[[Any], Awaitable[object]]

DIRECTORY: dict[str, Call] = {
    "organization": lambda store: store.organization(ORG_ID),
    "agent": lambda store: store.agent(ORG_ID, AGENT_ID),
    "agent_named": lambda store: store.agent_named(PRINCIPAL, "name"),
    "time_zone": lambda store: store.time_zone(ORG_ID, PROJECT_ID, ENVIRONMENT, "ada"),
}
CREDENTIALS: dict[str, Call] = {
    "resolve": lambda store: store.resolve(b"\0" * 32),
    "limit": lambda store: store.limit(ORG_ID),
}

POSTGRES: dict[type, dict[str, Call]] = {
    PostgresCredentials: CREDENTIALS,
    PostgresDirectory: DIRECTORY
    | {
        "create": lambda store: store.create(PRINCIPAL, uuid4(), "name"),
        "switch": lambda store: store.switch(PRINCIPAL, AGENT_ID, enabled=False),
        "list": lambda store: store.list(PRINCIPAL),
        "names_like": lambda store: store.names_like(PRINCIPAL, "name"),
        "end_users": lambda store: store.end_users(PRINCIPAL, AGENT_ID),
        "set_time_zone": lambda store: store.set_time_zone(PRINCIPAL, "ada", "Europe/Berlin"),
        "directive": lambda store: store.directive(ORG_ID, AGENT_ID),
        "state": lambda store: store.state(ORG_ID, AGENT_ID),
        "directive_versions": lambda store: store.directive_versions(ORG_ID, AGENT_ID, before=None, limit=5),
        "put_directive": lambda store: store.put_directive(ORG_ID, AGENT_ID, "text", "system_first"),
    },
    PostgresApiKeys: {
        "create": lambda store: store.create(PRINCIPAL, uuid4(), b"\0" * 32, KeyRequest("key", ("query",))),
        "list": lambda store: store.list(PRINCIPAL),
        "revoke": lambda store: store.revoke(PRINCIPAL, uuid4()),
    },
    PostgresMemories: {
        "write": lambda store: store.write(PRINCIPAL, {0: WRITE}),
        "get": lambda store: store.get(PRINCIPAL, uuid4()),
        "list": lambda store: store.list(PRINCIPAL, Listing(AGENT_ID)),
        "export": lambda store: store.export(PRINCIPAL, Export(None, None, 5)),
    },
    PostgresConversations: {
        "add": lambda store: store.add(PRINCIPAL, CONVERSATION, [TURN]),
        "waiting": lambda store: store.waiting(ORG_ID, uuid4(), 5),
        "unread": lambda store: store.unread(ORG_ID, uuid4(), 5),
        "store_reading": lambda store: store.store_reading(
            CONVERSATION, [ExtractedWrite(1, WRITE)], [Decision(1, "kept", "extracted")]
        ),
        "store_decisions": lambda store: store.store_decisions(
            CONVERSATION, {1: WRITE}, [Decision(1, "kept", "statement")]
        ),
        "get": lambda store: store.get(PRINCIPAL, uuid4()),
        "list": lambda store: store.list(PRINCIPAL, ConversationListing(AGENT_ID)),
    },
    PostgresErasures: {
        "request": lambda store: store.request(Asking(ORG_ID), uuid4(), "user", "ann"),
        "find": lambda store: store.find(PRINCIPAL, uuid4()),
        "running": lambda store: store.running(ORG_ID),
        "about": lambda store: store.about(ORG_ID, "user", "ann"),
        "erase_conversations": lambda store: store.erase_conversations(ERASURE, 5),
        "erase_memories": lambda store: store.erase_memories(ERASURE, 5),
        "erase_records": lambda store: store.erase_records(ERASURE, 5),
        "keys": lambda store: store.keys(ERASURE),
        "beyond": lambda store: store.beyond(ERASURE, [AGENT_ID], [uuid4()]),
        "finish": lambda store: store.finish(ERASURE),
    },
    PostgresConflicts: {
        "list": lambda store: store.list(PRINCIPAL, ConflictPage(AGENT_ID, 5)),
        "settle": lambda store: store.settle(PRINCIPAL, uuid4(), Settlement()),
        "near": lambda store: store.near(ORG_ID, [uuid4()], MODEL),
        "flag": lambda store: store.flag(ORG_ID, [CONFLICT]),
        "near_duplicates": lambda store: store.near_duplicates(ORG_ID, [uuid4()], MODEL),
        "consolidate": lambda store: store.consolidate(ORG_ID, [uuid4()], MODEL),
    },
    PostgresMemoryLife: {
        "revise": lambda store: store.revise(PRINCIPAL, REVISION),
        "forget": lambda store: store.forget(PRINCIPAL, uuid4(), NOW),
        "forget_all": lambda store: store.forget_all(ANN, AGENT_ID, Forgetting(0)),
        "restore": lambda store: store.restore(PRINCIPAL, REVISION),
        "was_done": lambda store: store.was_done(PRINCIPAL, Once(b"key", b"request")),
        "unsupersede": lambda store: store.unsupersede(PRINCIPAL, REVISION, uuid4()),
        "rate": lambda store: store.rate(PRINCIPAL, uuid4(), uuid4(), True),
        "relate": lambda store: store.relate(PRINCIPAL, RELATION),
        "unrelate": lambda store: store.unrelate(PRINCIPAL, uuid4(), uuid4()),
    },
    PostgresSearch: {
        "nearest": lambda store: store.nearest(
            builders.scope(), unit_vector(1), Filters(), model=MODEL, limit=5, now=NOW
        ),
        "matching": lambda store: store.matching(builders.scope(), QueryTerms.of([1]), Filters(), limit=5, now=NOW),
        "known": lambda store: store.known(builders.scope(), [1]),
    },
    PostgresRecall: {
        "neighbours": lambda store: store.neighbours(builders.scope(), [uuid4()], model=MODEL, limit=5, now=NOW),
        "circumstances": lambda store: store.circumstances(
            builders.scope(), [uuid4()], vector=unit_vector(1), model=MODEL, session_id="session", now=NOW
        ),
        "history": lambda store: store.history(builders.scope(), session_id="session"),
        "ranking_data": lambda store: store.ranking_data(ORG_ID, AGENT_ID, model=MODEL, most=9),
        "rows": lambda store: store.rows(builders.scope(), [uuid4()], now=NOW),
        "state": lambda store: store.state(builders.scope(), now=NOW),
    },
    PostgresMapSource: {
        "change": lambda source: source.change(ORG_ID, AGENT_ID),
        "size": lambda source: source.size(ORG_ID, AGENT_ID, most=9),
        "page": lambda source: source.page(ORG_ID, AGENT_ID, Cursor(0, AGENT_ID), since=0, limit=5),
        "rows": lambda source: source.rows(ORG_ID, AGENT_ID, [uuid4()]),
        "pinned": lambda source: source.pinned(ORG_ID, AGENT_ID, NOBODY),
    },
    PostgresEmbeddingStore: {
        "pending": lambda store: store.pending(ORG_ID, [uuid4()], MODEL),
        "store": lambda store: store.store(ORG_ID, [PENDING], unit_vector(1)[None], MODEL),
        "fail": lambda store: store.fail(ORG_ID, [uuid4()], "reason"),
        "hot_candidates": lambda store: store.hot_candidates(ORG_ID, AGENT_ID, NOW, 5),
        "outdated": lambda store: store.outdated(ORG_ID, MODEL, NOW, 5),
        "stragglers": lambda store: store.stragglers(ORG_ID, MODEL, NOW, 5),
        "serve": lambda store: store.serve(ORG_ID, MODEL, NOW),
        "retire": lambda store: store.retire(ORG_ID, MODEL, NOW, 5),
    },
    PostgresLexicalIndex: {
        "tidy": lambda store: store.tidy(ORG_ID, AGENT_ID),
        "merge": lambda store: store.merge(ORG_ID, AGENT_ID),
        "untidy": lambda store: store.untidy(ORG_ID, NOW, 5),
        "outdated_organizations": lambda store: store.outdated_organizations(NOW),
        "agents": lambda store: store.agents(ORG_ID),
        "outdated_texts": lambda store: store.outdated_texts(ORG_ID, AGENT_ID, ("german",), after=-1, limit=5),
        "replace_terms": lambda store: store.replace_terms(ORG_ID, AGENT_ID, []),
        "finish_reindexing": lambda store: store.finish_reindexing(ORG_ID, NOW),
    },
    PostgresUpkeep: {
        "organizations": lambda store: store.organizations(),
        "visited": lambda store: store.visited(ORG_ID, NOW),
        "lost": lambda store: store.lost(ORG_ID, NOW, 5),
        "embedded": lambda store: store.embedded(ORG_ID, MODEL),
        "outdated": lambda store: store.outdated(ORG_ID, MODEL, 5),
        "waiting_conversations": lambda store: store.waiting_conversations(ORG_ID, NOW, 5, idle=MINUTE, ahead=MINUTE),
        "cool": lambda store: store.cool(ORG_ID, NOW, 5),
        "expire": lambda store: store.expire(ORG_ID, NOW, 5),
        "dissolve_mixed_clusters": lambda store: store.dissolve_mixed_clusters(ORG_ID, 5),
        "refresh_clusters": lambda store: store.refresh_clusters(ORG_ID, NOW, 5),
        "forget": lambda store: store.forget(ORG_ID, NOW, 5),
    },
    VectorTables: {
        "of": lambda store: store.of(MODEL),
        "serving": lambda store: store.serving(ORG_ID, ""),
        "all": lambda store: store.all(),
        "require": lambda store: store.require(VectorSpace(MODEL, 384)),
    },
    PostgresDataKeys: {
        "of": lambda store: store.of(ORG_ID),
        "add": lambda store: store.add(ORG_ID, 1, KEY),
        "rewrap": lambda store: store.rewrap(ORG_ID, 1, KEY),
        "keep_term_key": lambda store: store.keep_term_key(ORG_ID, b"sealed"),
        "texts_to_seal": lambda store: store.texts_to_seal(ORG_ID, 1, (uuid4(), 0), 5),
        "reseal": lambda store: store.reseal(ORG_ID, 1, []),
        "state": lambda store: store.state(ORG_ID),
        "organizations": lambda store: store.organizations(),
        "retire": lambda store: store.retire(ORG_ID, 2),
        "destroy": lambda store: store.destroy(ORG_ID, NOW),
    },
    PostgresUsage: {
        "apply": lambda store: store.apply(ORG_ID, [EVENT]),
        "current": lambda store: store.current(ORG_ID, AGENT_ID, [uuid4()], NOW),
        "reserve_tokens": lambda store: store.reserve_tokens(ORG_ID, NOW.date(), 1, most=None),
        "charge_tokens": lambda store: store.charge_tokens(ORG_ID, NOW.date(), reserved=1, used=1),
    },
    Database: {
        "read": lambda store: store.read(ORG_ID, ("SELECT 1", ())),
        "warm": lambda store: store.warm(),
        "ping": lambda store: store.ping(),
    },
}
REDIS: dict[type, dict[str, Call]] = {
    RedisAgentCache: {
        "read": lambda cache: cache.read(ORG_ID, AGENT_ID, EVERYBODY, 5),
        "put_directive": lambda cache: cache.put_directive(ORG_ID, AGENT_ID, builders.directive()),
        "put_hot": lambda cache: cache.put_hot(ORG_ID, AGENT_ID, [HotEntry(builders.memory(), 0.5)], Change(1, 1)),
        "rescore": lambda cache: cache.rescore(ORG_ID, AGENT_ID, [HotEntry(builders.memory(), 0.5)], Change(1, 1)),
        "put_turn": lambda cache: cache.put_turn(ORG_ID, AGENT_ID, "turn", Turn((), 0)),
        "put_told": lambda cache: cache.put_told(ORG_ID, AGENT_ID, "session", [ToldBlock(1, "a", "b")]),
        "put_pinned": lambda cache: cache.put_pinned(ORG_ID, AGENT_ID, NOBODY, Pins(Change(1, 1), [])),
        "changed": lambda cache: cache.changed(ORG_ID, AGENT_ID, Change(1, 1), [uuid4()]),
        "confirm": lambda cache: cache.confirm(ORG_ID, AGENT_ID, "a", Change(1, 1), 1),
        "contradict": lambda cache: cache.contradict(ORG_ID, AGENT_ID),
    },
    RedisSegments: {
        "read": lambda segments: segments.read(ORG_ID, AGENT_ID),
        "wants": lambda segments: segments.wants(ORG_ID, AGENT_ID, Change(1, 1), 0.0),
        "write": lambda segments: segments.write(
            ORG_ID, AGENT_ID, StoredSegment("one", Change(1, 1), 0.0, is_sealed=False, parts=[b"part"])
        ),
        "drop": lambda segments: segments.drop(ORG_ID, AGENT_ID, "one"),
    },
    RedisQueryCache: {
        "text": lambda cache: cache.text(Scope(ORG_ID, "project", "production"), MODEL, "text", key=b"k"),
        "put_text": lambda cache: cache.put_text(
            Scope(ORG_ID, "project", "production"), MODEL, "text", unit_vector(1), key=b"k"
        ),
        "turn": lambda cache: cache.turn(ORG_ID, "place", "turn"),
        "put_turn": lambda cache: cache.put_turn(ORG_ID, "place", "turn", unit_vector(1)[None]),
        "find": lambda cache: cache.find(ORG_ID, "key"),
        "put": lambda cache: cache.put(ORG_ID, "key", b"{}"),
        "asked": lambda cache: cache.asked(ORG_ID, [("key", 1)]),
        "is_same": lambda cache: cache.is_same(ORG_ID, Once(b"key", b"request")),
    },
    RedisRateLimits: {"take": lambda limits: limits.take(uuid4(), {uuid4(): RateLimit(1, 1)})},
    RedisClient: {
        "script": lambda client: client.script("return 1", ["key"], []),
        "get": lambda client: client.get("key"),
        "fields": lambda client: client.fields("hash", ["one"]),
        "put": lambda client: client.put("key", b"value", seconds=5),
        "drop": lambda client: client.drop("key"),
        "names": lambda client: client.names("*"),
        "ping": lambda client: client.ping(),
    },
}


def on_postgres(kind: type, database: Database) -> Any:
    if kind is Database:
        return database
    if kind is PostgresMapSource:
        return PostgresMapSource(database, model=MODEL, dimensions=384)
    if kind is PostgresEmbeddingStore:
        return PostgresEmbeddingStore(database, VectorTables(database))
    return PostgresSearch(database, model=MODEL) if kind is PostgresSearch else kind(database)


def on_redis(kind: type, client: RedisClient) -> Any:
    if kind is RedisSegments:
        return RedisSegments(client, organization_bytes=1_000)
    return client if kind is RedisClient else kind(client)


def cases(table: dict[type, dict[str, Call]]) -> list[Any]:
    return [
        pytest.param(kind, call, id=f"{kind.__name__}.{name}")
        for kind, calls in table.items()
        for name, call in calls.items()
    ]
