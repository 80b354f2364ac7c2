"""Connections and transactions; the one place where psycopg's errors become ours."""

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

from remembrancer.adapters.postgres.connection import uuids
from remembrancer.adapters.postgres.connection.login import Login, UrlLogin, conninfo
from remembrancer.adapters.postgres.connection.pipeline import Parameters, Pipeline, Row
from remembrancer.errors import StoreTimeout, StoreUnavailable

CONNECT_SECONDS = 3
ADOPT_SECONDS = 1.0
"""A connection that has been opening for longer than this is begun anew: the server may be back by another way."""

IDLE_SECONDS = 60.0
"""A connection that was idle for longer may be dead: a frozen instance answers no keep-alives."""
PATIENCE_SECONDS = 0.05
"""How long a caller waits for a connection in use before it opens one: opening takes longer than most answers."""

# Planned anew each time: after five runs a generic plan would treat every agent as the average one. Where nothing is
# prepared that holds for the statements in functions and triggers, and is set for the transaction only: RDS Proxy pins
# a client that sets anything for its session to one connection.
_SESSION = "SELECT set_config('plan_cache_mode', 'force_custom_plan', false)"
# As pgvector's own registration asks for them, which takes a dozen round trips.
_TYPES = """
SELECT name, oid::int8, typarray::int8
FROM unnest(ARRAY['vector', 'halfvec']) AS name JOIN pg_type ON pg_type.oid = to_regtype(name)
"""
_SCOPE = """SELECT set_config('remembrancer.org_id', %s, true), set_config('statement_timeout', %s, true)"""
_SCOPE_AND_PLANS = f"{_SCOPE}, set_config('plan_cache_mode', 'force_custom_plan', true)"
_SETTING = "SELECT set_config(%s, %s, true)"


class Transaction:
    """One open transaction that sees one organization."""

    def __init__(self, connection: AsyncConnection[Row]) -> None:
        self._connection = connection

    async def fetch(self, statement: str, parameters: Parameters = ()) -> list[Row]:
        """All rows; parameters and results travel in binary."""
        cursor = await self._connection.execute(statement.encode(), parameters, binary=True)
        return await cursor.fetchall()

    async def execute(self, statement: str, parameters: Parameters = ()) -> int:
        """Runs one statement; gives the number of rows that it affected."""
        cursor = await self._connection.execute(statement.encode(), parameters, binary=True)
        return cursor.rowcount


class Database:
    """A small pool that fails fast: a server that refuses is an error at once, not a wait.

    At most `connections` are open; a caller beyond that waits for one. Callers open `at_first` of them when first
    needed, and each of the rest only after `PATIENCE_SECONDS`: `renew`, between requests, opens what they waited for.
    A connection is kept, and thrown away when anything went wrong on it. A caller that gives up harms no later one: a
    connection that it was opening is opened all the same, and an answer that it waited for is still read, if it comes
    soon. `statement_ms` bounds every statement on the server's side too, so that an abandoned one does not go on.
    With `prepare_threshold` 0 no transaction leaves anything behind on its connection, as RDS Proxy needs.
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
        """`at_first` None: all of them. `login` adds what a new connection proves itself with; without one the URL says
        it all. `unread_ms` is how long an answer that nobody waits for any more is read; then the server is told to
        stop. `now` is the wall clock, which knows how long an instance was frozen.
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
        statement_ms: int | None = None,
    ) -> list[list[Row]]:
        """The rows of each statement, all in one transaction and one round trip; `settings` hold for it only."""
        entry: list[tuple[str, Parameters]] = [
            (self._scope, (str(org_id or ""), str(statement_ms or self._statement_ms)))
        ]
        entry += [(_SETTING, setting) for setting in (settings or {}).items()]
        while True:
            async with self._connection() as connection:
                was_idle = self._is_old(connection)
                try:
                    rows = await self._pipelines[connection].run([*entry, *statements])
                except psycopg.OperationalError:
                    # The server had closed it while the instance was frozen, so it has read nothing of this.
                    if not (was_idle and connection.closed):
                        raise
                else:
                    return rows[len(entry) :]

    @asynccontextmanager
    async def transaction(self, org_id: UUID | None) -> AsyncIterator[Transaction]:
        """Commits at the end, rolls back on an error."""
        async with self._connection() as connection:
            try:
                async with connection.transaction():
                    await connection.execute(self._scope, (str(org_id or ""), str(self._statement_ms)))
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
        """Keeps what is as good as new, and lets the next caller in."""
        self._unread.discard(connection)
        if _is_clean(connection) and not self._is_closed:
            self._last_used[connection] = self._now()
            self._idle.append(connection)
        else:
            self._pipelines[connection].let_go()
            connection.pgconn.finish()
        self._places.release()

    async def _enter(self) -> None:
        """Waits for a place; makes one of the room there is after `PATIENCE_SECONDS`."""
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
        """Opens anew what was idle for too long, and what callers had to wait for; to be done while nobody waits."""
        for connection in [connection for connection in self._idle if self._is_old(connection)]:
            async with self._places:
                if connection in self._idle:
                    self._idle.remove(connection)
                    # At once: a server that has gone would be waited for.
                    connection.pgconn.finish()
                    self._idle.append(await self._open())
        if self._lacks_one:
            self._wants_more = False
            self._idle.append(await self._open())
            self._open_to += 1
            self._places.release()

    async def warm(self) -> None:
        """Opens what callers may open, ahead of the first request."""
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
        """Returns when Postgres has answered a query; StoreError when it does not."""
        await self.read(None, ("SELECT 1", ()), statement_ms=1000)

    async def close(self) -> None:
        """Closes what is idle, what is being opened for nobody, what nobody waits for, and what comes back later.

        A new call opens connections again.
        """
        self._is_closed = True
        for opening in self._openings:
            opening.cancel()
        await asyncio.gather(*self._openings, return_exceptions=True)
        for connection in self._unread:
            self._pipelines[connection].let_go()
            # Its answer may be there already, and only not be noticed yet.
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
        """What another caller began to open and did not wait for, and when, unless that is too long ago."""
        while self._openings:
            opening, begun = self._openings.popitem()
            if begun > monotonic() - ADOPT_SECONDS:
                return opening, begun
            opening.cancel()
        return None

    def _opened(self, opening: "asyncio.Task[AsyncConnection[Row]]") -> None:
        """Keeps the connection for the next caller, unless a caller has adopted the opening or it failed."""
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
        """Tries again while its login has something better to offer, which is once."""
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
                # libpq tells no more about a connection that failed than that it got as far as the password.
                was_password = error.pgconn is not None and error.pgconn.used_password
                if not (was_password and self._login.refused(parameters)):
                    raise


async def _prepare(connection: AsyncConnection[Row], pipeline: Pipeline, *, session: bool) -> None:
    """In one round trip: the types that need no text between here and the server, and what holds for the session."""
    statements: list[tuple[str, Parameters]] = [(_TYPES, ())]
    if session:
        statements.append((_SESSION, ()))
    rows, *_ = await pipeline.run(statements)
    types = {name: TypeInfo(name, oid, array_oid) for name, oid, array_oid in rows}
    register_vector_info(connection, types.get("vector"))
    register_halfvec_info(connection, types["halfvec"])
    uuids.register(connection)


def _is_clean(connection: AsyncConnection[Row]) -> bool:
    return (
        not connection.closed
        and connection.pgconn.pipeline_status == pq.PipelineStatus.OFF
        and connection.info.transaction_status == pq.TransactionStatus.IDLE
    )


def _has_unread(connection: AsyncConnection[Row]) -> bool:
    """An idle connection has nothing to say unless the server ended it."""
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class _translated:  # noqa: N801 - reads as a clause
    """Driver errors as ours; what the caller raised inside passes unchanged."""

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
