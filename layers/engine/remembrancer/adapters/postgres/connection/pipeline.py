"""Several statements in one round trip: sent together, answered together, one implicit transaction.

psycopg's own pipeline waits on the event loop for each statement that it sends, which would take half the time of a
retrieval. This uses the driver's libpq layer (`psycopg.pq`) for reads that are known beforehand.

When a caller gives up, its round trip continues: the answer is read and dropped, and the connection stays usable.
Opening another connection takes longer than most answers are late, and under load, opening connections for every late
answer would delay the next answers.
"""

import asyncio
import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from psycopg import AsyncConnection, Error, OperationalError, errors, generators, pq, waiting
from psycopg.abc import AdaptContext, Buffer
from psycopg.abc import Transformer as Adapter
from psycopg.adapt import PyFormat, Transformer
from psycopg.waiting import Ready, Wait

Row = tuple[Any, ...]
Parameters = Mapping[str, Any] | Sequence[Any]

CANCEL_SECONDS = 1.0
_POLL_SECONDS = 0.1
_BINARY = pq.Format.BINARY


@dataclass(frozen=True, slots=True)
class _Statement:
    """Text with numbered parameters, and their values as they travel."""

    text: bytes
    values: Sequence[Buffer | None]
    transformer: Adapter

    @property
    def signature(self) -> tuple[bytes, tuple[int, ...]]:
        """The key under which the statement is prepared: other parameter types make another statement."""
        return self.text, tuple(self.transformer.types or ())


class _RoundTrip:
    """Advances `steps` whenever the socket is ready, whether or not a caller still waits for `rows`."""

    def __init__(self, steps: "Generator[Wait, Ready, list[list[Row]]]", socket: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._steps = steps
        self._socket = socket
        self._writes = False
        self.rows: asyncio.Future[list[list[Row]]] = self._loop.create_future()
        self._loop.add_reader(socket, self._advance, Ready.R)
        self._advance(None)

    def stop(self) -> None:
        """Call before the socket is closed, since the event loop watches it."""
        self._loop.remove_reader(self._socket)
        if self._writes:
            self._loop.remove_writer(self._socket)
        self._steps.close()
        self.rows.cancel()

    def _advance(self, ready: Ready | None) -> None:
        try:
            wanted = self._steps.send(ready)  # type: ignore[arg-type] # None starts it
        except StopIteration as end:
            self.rows.set_result(end.value)
        except Exception as error:  # raised to the caller that waits for the rows
            self.rows.set_exception(error)
        else:
            self._write(wanted is Wait.RW)
            return
        self._write(False)
        self._loop.remove_reader(self._socket)

    def _write(self, wanted: bool) -> None:
        if wanted and not self._writes:
            self._loop.add_writer(self._socket, self._advance, Ready.W)
        elif self._writes and not wanted:
            self._loop.remove_writer(self._socket)
        self._writes = wanted


class Pipeline:
    """Pipelining on one connection; with `prepare` False no statement outlives its round trip, as RDS Proxy prefers."""

    def __init__(self, connection: AsyncConnection[Row], *, prepare: bool) -> None:
        self._connection = connection
        self._prepare = prepare
        self._names: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        self._prepared = 0
        self._trip: _RoundTrip | None = None

    async def run(self, statements: Iterable[tuple[str, Parameters]]) -> list[list[Row]]:
        """The rows of each statement. Raises psycopg's error of the first that failed; then nothing was changed."""
        prepared = [self._dump(*statement) for statement in statements]
        self._trip = _RoundTrip(self._run(prepared), self._connection.pgconn.socket)
        return await asyncio.shield(self._trip.rows)

    @property
    def under_way(self) -> bool:
        """Whether an abandoned answer is still to come."""
        return self._trip is not None and not self._trip.rows.done()

    def see_through(self, then: Callable[[], None], *, seconds: float) -> None:
        """Calls `then` when the answer has arrived, or after `seconds`, when the connection is closed."""
        trip = self._trip
        if trip is None or trip.rows.done():
            then()
            return
        timer = asyncio.get_running_loop().call_later(seconds, self.let_go)

        def over(rows: "asyncio.Future[list[list[Row]]]") -> None:
            timer.cancel()
            then()

        trip.rows.add_done_callback(over)

    def let_go(self) -> None:
        """Closes a busy connection at once, so that another can be opened, and cancels the statement later.

        psycopg would wait up to ten seconds for a server that may be gone.
        """
        if self._trip is None or self._trip.rows.done():
            return
        cancel = self._connection.pgconn.cancel_conn()
        self._trip.stop()
        self._connection.pgconn.finish()
        task = asyncio.ensure_future(_cancel(cancel))
        _cancelling.add(task)
        task.add_done_callback(_cancelling.discard)

    def forget(self) -> None:
        """Call after a rollback: psycopg has then deallocated every prepared statement, including these."""
        self._names.clear()

    def _dump(self, statement: str, parameters: Parameters) -> _Statement:
        text, names = _numbered(statement)
        values = [parameters[name] for name in names] if isinstance(parameters, Mapping) else list(parameters)
        transformer = _adapter(self._connection)
        return _Statement(text, transformer.dump_sequence(values, [PyFormat.AUTO] * len(values)), transformer)

    def _run(self, statements: Sequence[_Statement]) -> Generator[Wait, Ready, list[list[Row]]]:
        connection = self._connection.pgconn
        connection.enter_pipeline_mode()
        new = self._send(connection, statements)
        connection.pipeline_sync()
        unsent = connection.flush()
        results: list[pq.abc.PGresult] = []
        between = True
        while True:
            ready = yield Wait.RW if unsent else Wait.R
            if ready is Ready.R:
                connection.consume_input()
            if unsent:
                unsent = connection.flush()
            while not connection.is_busy():
                result = connection.get_result()
                if result is None and between:
                    # A separator between the results of two statements. An endless series means that the server breaks
                    # the protocol.
                    raise OperationalError("the server's answer breaks the protocol")
                between = result is None
                if result is None:
                    continue
                if result.status == pq.ExecStatus.PIPELINE_SYNC:
                    connection.exit_pipeline_mode()
                    rows = _rows(statements, results)
                    self._names |= new
                    return rows
                results.append(result)

    def _send(
        self, connection: pq.abc.PGconn, statements: Sequence[_Statement]
    ) -> dict[tuple[bytes, tuple[int, ...]], bytes]:
        """Names of statements prepared in this round trip; they become valid when it succeeds."""
        new: dict[tuple[bytes, tuple[int, ...]], bytes] = {}
        for statement in statements:
            types, formats = statement.transformer.types, statement.transformer.formats
            if not self._prepare:
                connection.send_query_params(statement.text, statement.values, types, formats, _BINARY)
                continue
            name = self._names.get(statement.signature) or new.get(statement.signature)
            if name is None:
                self._prepared += 1
                name = new[statement.signature] = b"_exchange_%d" % self._prepared
                connection.send_prepare(name, statement.text, types)
            connection.send_query_prepared(name, statement.values, formats, _BINARY)
        return new


async def _cancel(cancel: pq.abc.PGcancelConn) -> None:
    """If cancelling fails, the statement's own time limit ends it."""
    try:
        cancel.start()
        await asyncio.wait_for(waiting.wait_conn_async(generators.cancel(cancel), _POLL_SECONDS), CANCEL_SECONDS)
    except (Error, OSError, TimeoutError):
        return
    finally:
        cancel.finish()


_cancelling: "set[asyncio.Future[None]]" = set()


def _adapter(context: AdaptContext) -> Adapter:
    adapter: Adapter = Transformer(context)
    return adapter


def _rows(statements: Sequence[_Statement], results: Sequence[pq.abc.PGresult]) -> list[list[Row]]:
    for result in results:
        if result.status == pq.ExecStatus.FATAL_ERROR:
            raise errors.error_from_result(result)
    answers = [result for result in results if result.status == pq.ExecStatus.TUPLES_OK]
    loaded = []
    for statement, answer in zip(statements, answers, strict=True):
        statement.transformer.set_pgresult(answer)
        loaded.append(statement.transformer.load_rows(0, answer.ntuples, tuple))
    return loaded


@lru_cache(maxsize=256)
def _numbered(statement: str) -> tuple[bytes, tuple[str, ...]]:
    """Rewrites `%(name)s` and `%s` to `$1`, `$2`, …: a name used twice is one parameter; names in order, empty for
    `%s`.
    """
    names: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        name = match[1] or f"%s {len(names)}"
        return f"${names.setdefault(name, len(names) + 1)}"

    text = _PARAMETER.sub(number, statement)
    return text.encode(), tuple(names)


_PARAMETER = re.compile(r"%(?:\((\w+)\))?s")
