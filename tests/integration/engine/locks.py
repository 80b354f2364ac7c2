"""Tests that stop a call at a lock: a pool whose backends can be told from all others, and who waits."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import AsyncConnection

from local.servers import PostgresServer
from remembrancer.adapters.postgres.connection.database import Database

LOCK = "SELECT 1 FROM memories WHERE memory_id = %s FOR UPDATE"
LOCK_VECTOR = "SELECT 1 FROM memory_vectors WHERE memory_id = %s FOR UPDATE"
_WAITING = """
    SELECT pid FROM pg_stat_activity
    WHERE (application_name = %s OR pid = %s) AND wait_event_type = 'Lock' AND state = 'active'"""


@dataclass(frozen=True, slots=True)
class Stopped:
    """A pool of one connection, and a superuser in a transaction whose locks it meets."""

    database: Database
    holder: AsyncConnection[Any]
    name: str
    _observer: AsyncConnection[Any]

    async def hold(self, memory_id: UUID, statement: str = LOCK) -> None:
        cursor = await self.holder.execute(statement.encode(), [memory_id])
        assert await cursor.fetchall()

    async def waits(self) -> int:
        """The backend of the pool, once it waits for a lock."""
        return await self._waiting(self.name, 0)

    async def holder_waits(self) -> None:
        await self._waiting("", self.holder.info.backend_pid)

    async def _waiting(self, name: str, pid: int) -> int:
        async with asyncio.timeout(60):
            while True:
                rows = await (await self._observer.execute(_WAITING, [name, pid])).fetchall()
                if rows:
                    return int(rows[0][0])
                await asyncio.sleep(0.01)

    async def kill(self) -> None:
        """Ends the backend at the lock that it waits for."""
        await self._observer.execute("SELECT pg_terminate_backend(%s)", [await self.waits()])


@asynccontextmanager
async def stopped(server: PostgresServer, observer: AsyncConnection[Any]) -> AsyncIterator[Stopped]:
    name = f"stopped-{uuid4()}"
    database = Database(f"{server.app_url}?application_name={name}", connections=1, statement_ms=60_000)
    try:
        async with await psycopg.AsyncConnection.connect(server.superuser_url) as holder:
            # The other one always finds the deadlock first.
            await holder.execute("SET deadlock_timeout = '60s'")
            yield Stopped(database, holder, name, observer)
    finally:
        await database.close()
