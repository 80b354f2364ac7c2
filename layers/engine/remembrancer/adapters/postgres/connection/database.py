"""Connections and transactions; the one place where psycopg's errors are translated."""

import asyncio
import math
import select
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from time import monotonic, time
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from pgvector.psycopg.halfvec import register_halfvec_info
from pgvector.psycopg.vector import register_vector_info
from psycopg import AsyncConnection, pq
from psycopg.types import TypeInfo

from remembrancer.adapters.postgres.connection import arrays
from remembrancer.adapters.postgres.connection.login import Login, UrlLogin, conninfo
from remembrancer.adapters.postgres.connection.pipeline import Parameters, Pipeline, Row
from remembrancer.errors import StoreTimeout, StoreUnavailable

CONNECT_SECONDS = 3
ADOPT_SECONDS = 1.0
"""Seconds after which a connection attempt is started again: the server may be reachable by another path."""

IDLE_SECONDS = 60.0
"""Seconds after which an idle connection may be dead, since a frozen instance answers no keep-alives."""
PATIENCE_SECONDS = 0.05
"""Seconds that a caller waits for a connection in use before it opens another: connecting takes longer than most
answers.
"""

# Planned anew each time: after five runs a generic plan would treat every agent as the average one. Where nothing is
# prepared that holds for the statements in functions and triggers, and is set for the transaction only: RDS Proxy pins
# a client that sets anything for its session to one connection.
_SESSION = "SELECT set_config('plan_cache_mode', 'force_custom_plan', false)"
# The types that pgvector's own registration looks up, which takes it a dozen round trips.
_TYPES = """
SELECT name, oid::int8, typarray::int8
FROM unnest(ARRAY['vector', 'halfvec']) AS name JOIN pg_type ON pg_type.oid = to_regtype(name)
"""
_SCOPE = """SELECT set_config('remembrancer.org_id', %s, true), set_config('statement_timeout', %s, true)"""
_ACTOR = ", set_config('remembrancer.actor', %s, true)"
_SCOPE_AND_PLANS = f"{_SCOPE}, set_config('plan_cache_mode', 'force_custom_plan', true)"
_SETTING = ", set_config(%s, %s, true)"


class Transaction:
    """One open transaction that sees one organization's rows."""

    def __init__(self, connection: AsyncConnection[Row]) -> None:
        self._connection = connection

    async def fetch(self, statement: str, parameters: Parameters = ()) -> list[Row]:
        """Returns all rows; parameters and results travel in binary."""
        cursor = await self._connection.execute(statement.encode(), parameters, binary=True)
        return await cursor.fetchall()

    async def execute(self, statement: str, parameters: Parameters = ()) -> int:
        """Runs one statement; returns the number of affected rows."""
        cursor = await self._connection.execute(statement.encode(), parameters, binary=True)
        return cursor.rowcount


class Database:
    """A small pool that fails fast: a server that refuses connections is an error at once, without waiting.

    At most `connections` are open; a caller beyond that waits for one. Callers open `at_first` of them when first
    needed, and each further one only after `PATIENCE_SECONDS`; `renew`, between requests, opens those that callers
    waited for. A connection is reused, and closed after any error on it. A caller that gives up does not affect later
    ones: a connection that it was opening is opened anyway, and the answer that it waited for is still read, if it
    comes soon. `statement_ms` limits every statement on the server's side too, so that an abandoned one ends. With
    `prepare_threshold` 0 no transaction leaves state on its connection, as RDS Proxy needs.
    """

    def __init__(
        self,
        url: str,
        *,
        connections: int = 3,
        at_first: int | None = None,
        prepare_threshold: int = 5,
        statement_ms: int = 5000,
        unread_ms: float = 100.0,
        login: Login | None = None,
        now: Callable[[], float] = time,
    ) -> None:
        """`at_first` None: all of them. `login` adds credentials for new connections; without it the URL contains
        them. `unread_ms` is how long an abandoned answer is still read; then the server is told to cancel. `now`
        is the wall clock, which includes the time that an instance was frozen.
        """
        self._url = url
        self._login = login or UrlLogin()
        self._prepare_threshold = prepare_threshold or None
        self._statement_ms = statement_ms
        self._unread_seconds = unread_ms / 1000
        self._idle: list[AsyncConnection[Row]] = []
        self._pipelines: WeakKeyDictionary[AsyncConnection[Row], Pipeline] = WeakKeyDictionary()
        self._last_used: WeakKeyDictionary[AsyncConnection[Row], float] = WeakKeyDictionary()
        self._now = now
        self._scope = _SCOPE if self._prepare_threshold else _SCOPE_AND_PLANS
        self._connections = connections
        self._open_to = connections if at_first is None else min(at_first, connections)
        self._places = asyncio.Semaphore(self._open_to)
        self._wants_more = False
        self._openings: dict[asyncio.Task[AsyncConnection[Row]], float] = {}
        self._unread: set[AsyncConnection[Row]] = set()
        self._is_closed = False

    async def read(
        self,
        org_id: UUID | None,
        *statements: tuple[str, Parameters],
        settings: Mapping[str, str] | None = None,
        plan_once: bool = False,
        statement_ms: int | None = None,
    ) -> list[list[Row]]:
        """The rows of each statement, all in one transaction and one round trip; `settings` apply to it only.

        With `plan_once` a connection plans them for any parameters, and keeps the plan: for statements that read a few
        rows by keys. Where nothing is prepared they are planned each time, for their parameters, which is faster.
        """
        settings = dict(settings or {})
        if plan_once and self._prepare_threshold:
            settings["plan_cache_mode"] = "force_generic_plan"
        named = [text for setting in settings.items() for text in setting]
        scope = self._scope + _SETTING * (len(named) // 2)
        entry: tuple[str, Parameters] = (scope, (str(org_id or ""), str(statement_ms or self._statement_ms), *named))
        while True:
            async with self._connection() as connection:
                was_idle = self._is_old(connection)
                try:
                    _, *rows = await self._pipelines[connection].run([entry, *statements])
                except psycopg.OperationalError:
                    # The server had closed the connection while the instance was frozen, so it has not run any of this.
                    if not (was_idle and connection.closed):
                        raise
                else:
                    return rows

    @asynccontextmanager
    async def transaction(self, org_id: UUID | None, *, actor: str = "") -> AsyncIterator[Transaction]:
        """Commits at the end, rolls back on an error. `actor` is whoever the audit trail names for its changes; empty
        for the service's own.
        """
        async with self._connection() as connection:
            try:
                async with connection.transaction():
                    scope = (str(org_id or ""), str(self._statement_ms), actor)
                    await connection.execute(self._scope + _ACTOR, scope)
                    yield Transaction(connection)
            except BaseException:
                self._pipelines[connection].forget()
                raise

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[Row]]:
        await self._enter()
        connection: AsyncConnection[Row] | None = None
        try:
            connection = await self._take()
            with _translated():
                yield connection
        finally:
            if connection is None:
                self._places.release()
            elif self._pipelines[connection].under_way:
                self._unread.add(connection)
                then = partial(self._give_back, connection)
                self._pipelines[connection].see_through(then, seconds=self._unread_seconds)
            else:
                self._give_back(connection)

    def _give_back(self, connection: AsyncConnection[Row]) -> None:
        """Returns a healthy connection to the pool, and admits the next caller."""
        self._unread.discard(connection)
        if _is_clean(connection) and not self._is_closed:
            self._last_used[connection] = self._now()
            self._idle.append(connection)
        else:
            self._pipelines[connection].let_go()
            connection.pgconn.finish()
        self._places.release()

    async def _enter(self) -> None:
        """Waits for a free connection; after `PATIENCE_SECONDS` opens another if the limit allows."""
        if not self._places.locked() or self._open_to == self._connections:
            await self._places.acquire()
            return
        self._wants_more = True
        try:
            await asyncio.wait_for(self._places.acquire(), PATIENCE_SECONDS)
        except TimeoutError:
            if self._open_to == self._connections:
                await self._places.acquire()
            else:
                self._open_to += 1

    def is_worn(self) -> bool:
        """Whether `renew` has something to do."""
        return self._lacks_one or any(map(self._is_old, self._idle))

    async def renew(self) -> None:
        """Replaces connections that were idle for too long, and opens those that callers waited for; call between
        requests.
        """
        for connection in [connection for connection in self._idle if self._is_old(connection)]:
            async with self._places:
                if connection in self._idle:
                    self._idle.remove(connection)
                    # Without a graceful close, which would wait for a server that is gone.
                    connection.pgconn.finish()
                    self._idle.append(await self._open())
        if self._lacks_one:
            self._wants_more = False
            self._idle.append(await self._open())
            self._open_to += 1
            self._places.release()

    async def warm(self) -> None:
        """Opens the connections that callers may open, before the first request."""
        opened = await asyncio.gather(*(self._take() for _ in range(self._open_to)), return_exceptions=True)
        self._idle += [connection for connection in opened if isinstance(connection, AsyncConnection)]
        for error in opened:
            if isinstance(error, BaseException):
                raise error

    @property
    def _lacks_one(self) -> bool:
        return self._wants_more and self._open_to < self._connections

    def _is_old(self, connection: AsyncConnection[Row]) -> bool:
        return self._now() - self._last_used.get(connection, math.inf) > IDLE_SECONDS

    async def ping(self) -> None:
        """Returns when Postgres has answered a query. Raises StoreError when it does not."""
        await self.read(None, ("SELECT 1", ()), statement_ms=1000)

    async def close(self) -> None:
        """Closes idle connections, those being opened, those with abandoned answers, and later those in use.

        A new call opens connections again.
        """
        self._is_closed = True
        for opening in self._openings:
            opening.cancel()
        await asyncio.gather(*self._openings, return_exceptions=True)
        for connection in self._unread:
            self._pipelines[connection].let_go()
            # Its answer may have arrived without being noticed yet.
            connection.pgconn.finish()
        while self._idle:
            await self._idle.pop().close()

    async def _take(self) -> AsyncConnection[Row]:
        self._is_closed = False
        while self._idle:
            connection = self._idle.pop()
            if not connection.closed and not _has_unread(connection):
                return connection
            await connection.close()
        opening, begun = self._adopted() or (asyncio.ensure_future(self._open()), monotonic())
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            self._openings[opening] = begun
            opening.add_done_callback(self._opened)
            raise

    def _adopted(self) -> "tuple[asyncio.Task[AsyncConnection[Row]], float] | None":
        """A connection attempt of another caller that gave up, with its start, unless that is too long ago."""
        while self._openings:
            opening, begun = self._openings.popitem()
            if begun > monotonic() - ADOPT_SECONDS:
                return opening, begun
            opening.cancel()
        return None

    def _opened(self, opening: "asyncio.Task[AsyncConnection[Row]]") -> None:
        """Keeps the connection for the next caller, unless a caller has taken it over or the attempt failed."""
        failed = opening.cancelled() or opening.exception() is not None
        if self._openings.pop(opening, None) is not None and not failed:
            self._idle.append(opening.result())

    async def _open(self) -> AsyncConnection[Row]:
        with _translated():
            connection = await self._connect()
            first = Pipeline(connection, prepare=False)
            try:
                await _prepare(connection, first, session=self._prepare_threshold is not None)
            except BaseException:
                first.let_go()
                await connection.close()
                raise
            self._pipelines[connection] = Pipeline(connection, prepare=self._prepare_threshold is not None)
            self._last_used[connection] = self._now()
            return connection

    async def _connect(self) -> AsyncConnection[Row]:
        """Connects; retries once if the login can offer newer credentials."""
        while True:
            parameters = await self._login.parameters()
            try:
                return await AsyncConnection.connect(
                    conninfo(self._url, parameters),
                    autocommit=True,
                    prepare_threshold=self._prepare_threshold,
                    connect_timeout=CONNECT_SECONDS,
                )
            except psycopg.OperationalError as error:
                # For a failed connection libpq only reports whether it got as far as the password.
                was_password = error.pgconn is not None and error.pgconn.used_password
                if not (was_password and self._login.refused(parameters)):
                    raise


async def _prepare(connection: AsyncConnection[Row], pipeline: Pipeline, *, session: bool) -> None:
    """In one round trip: registers types with binary formats, and sets the session's parameters."""
    statements: list[tuple[str, Parameters]] = [(_TYPES, ())]
    if session:
        statements.append((_SESSION, ()))
    rows, *_ = await pipeline.run(statements)
    types = {name: TypeInfo(name, oid, array_oid) for name, oid, array_oid in rows}
    register_vector_info(connection, types.get("vector"))
    register_halfvec_info(connection, types["halfvec"])
    arrays.register(connection)


def _is_clean(connection: AsyncConnection[Row]) -> bool:
    return (
        not connection.closed
        and connection.pgconn.pipeline_status == pq.PipelineStatus.OFF
        and connection.info.transaction_status == pq.TransactionStatus.IDLE
    )


def _has_unread(connection: AsyncConnection[Row]) -> bool:
    """Whether data is waiting on an idle connection: the server only sends some when it ends the connection."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _translated:  # noqa: N801 - reads as a clause
    """Translates driver errors; errors that the caller raised inside pass unchanged."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, psycopg.errors.QueryCanceled):
            raise StoreTimeout("Postgres did not answer in time", cause="QueryCanceled") from error
        if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError | OSError):
            raise StoreUnavailable("Postgres is unavailable", cause=_public_name(error)) from error


def _public_name(error: BaseException) -> str:
    """The documented class: psycopg raises private subclasses of it for some failures."""
    return type(error).__name__
