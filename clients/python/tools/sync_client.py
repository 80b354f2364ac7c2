"""Writes client.py, the client without asyncio, from async_client.py: `python tools/sync_client.py`.

Each public coroutine becomes a method of the same signature that runs it on the client's thread. What is special about
assembly, capture and export stands in the header, and so does `submit`, which only this client has.
"""

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "remembrancer_client"
SPECIAL = {"__init__", "__aenter__", "__aexit__", "close", "assemble", "capture", "export"}
HEADER = '''"""The client without asyncio. Made by tools/sync_client.py from async_client.py."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from remembrancer_client import at_exit
from remembrancer_client.assembled import Assembled, Message
from remembrancer_client.async_client import DEADLINE_MS, FLUSH_S, AsyncClient
from remembrancer_client.calls import Page
from remembrancer_client.conversations import spoken
from remembrancer_client.loop_thread import LoopThread
from remembrancer_client.results import (
    Agent,
    Captured,
    Conflict,
    Conversation,
    Deleted,
    Directive,
    Erasure,
    FeedbackCounts,
    Forgotten,
    Found,
    Key,
    Memory,
    Readiness,
    Relation,
    SettledConflict,
    Written,
)

GRACE_S = 0.005
"""Time beyond the deadline for handing the result from thread to thread."""

logger = logging.getLogger("remembrancer_client")

Value = TypeVar("Value")


class Client:
    """As AsyncClient, with the same arguments; may be shared by threads, and survives a fork."""

    def __init__(self, url: str | None = None, api_key: str | None = None, **settings: Any) -> None:
        self.deadline_ms = float(settings.get("deadline_ms", DEADLINE_MS))
        self._thread = LoopThread(lambda: AsyncClient(url, api_key, **settings))

    @property
    def agent_id(self) -> str | None:
        """The agent of calls that name none."""
        return self._thread.owned.agent_id

    @property
    def session_key(self) -> bytes:
        """Keys the hashes by which integrations name the sessions of clients that name none."""
        return self._thread.owned.session_key

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Sends what waits to be captured, for 5 s at most, and ends the connections and the thread."""
        at_exit.unregister(self._flush_at_exit)
        self._thread.run(self._thread.owned.close())
        self._thread.stop()

    def submit(self, work: Callable[[AsyncClient], Coroutine[Any, Any, Value]]) -> Future[Value]:
        """Begins calls of the AsyncClient behind this one, on its thread; `asyncio.wrap_future` awaits them."""
        return self._thread.submit(work(self._thread.owned))

    def assemble(
{assemble}
        """The messages, with the directive and relevant memories added to some of them.

        Never raises. On any failure `messages` of the answer is the object that was given, and `reason` says why.
        `time_zone` is the end user's, such as Europe/Berlin.
        """
        bound_ms = self.deadline_ms if deadline_ms is None else deadline_ms
        try:
            work = self._thread.owned.assemble(
                messages,
{passed}
            )
            return self._thread.run(work, seconds=bound_ms / 1000 + GRACE_S)
        except TimeoutError:
            return Assembled(messages, "timeout")
        except Exception as error:
            logger.warning("assembly_failed", extra={{"cause": type(error).__name__}})
            return Assembled(messages, f"client_error:{{type(error).__name__}}")

    def capture(
{capture}
        """As `add_conversation`, in the background: returns at once, and never raises.

        Sends only what end users and assistants said, without injected blocks. While the service does not answer, up to
        1,000 calls wait; what is dropped is logged. `flush`, `close` and the end of the process send what waits.
        """
        try:
            said = spoken(messages)
            if not said:
                return
            capture = partial(
                self._thread.owned.capture,
                said,
{captured}
            )
            at_exit.register(self._flush_at_exit)
            self._thread.call(capture)
        except Exception as error:
            logger.warning("capture_failed", extra={{"cause": type(error).__name__}})

    def export(self, *, agent_id: str | None = None, user_id: str | None = None) -> Iterator[Mapping[str, Any]]:
        """All memories, oldest first, page by page; each has the fields that `write_many` accepts, and more."""
        lines = self._thread.owned.export(agent_id=agent_id, user_id=user_id)
        while True:
            try:
                yield self._thread.run(_next(lines))
            except StopAsyncIteration:
                return

    def _flush_at_exit(self) -> None:
        if self._thread.is_running:
            self.flush()
'''
FOOTER = """

async def _next(lines: Any) -> Any:
    return await lines.__anext__()
"""


def written() -> str:
    """The text of client.py, before formatting."""
    source = (SOURCE / "async_client.py").read_text()
    (client,) = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    methods = {node.name: node for node in client.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    assemble, capture = methods["assemble"], methods["capture"]
    text = HEADER.format(
        assemble=_signature(assemble),
        passed=_passed(assemble),
        capture=_signature(capture),
        captured=_passed(capture),
    )
    return text + "".join(_method(node) for name, node in methods.items() if _is_plain(name)) + FOOTER


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return f"        {ast.unparse(node.args)}\n    ) -> {_returned(node)}:"


def _passed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    return "\n".join(f"                {one.arg}={one.arg}," for one in node.args.kwonlyargs)


def _is_plain(name: str) -> bool:
    return name not in SPECIAL and not name.startswith("_")


def _method(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    arguments = node.args
    positional = [one.arg for one in arguments.args if one.arg != "self"]
    passed = positional + [f"{one.arg}={one.arg}" for one in arguments.kwonlyargs]
    passed += [f"**{arguments.kwarg.arg}"] if arguments.kwarg else []
    docstring = ast.get_docstring(node) or ""
    docstring += "\n        " if "\n" in docstring else ""
    return f'''
    def {node.name}({ast.unparse(arguments)}) -> {_returned(node)}:
        """{docstring}"""
        return self._thread.run(self._thread.owned.{node.name}({", ".join(passed)}))
'''


def _returned(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    assert node.returns is not None
    return ast.unparse(node.returns)


if __name__ == "__main__":
    (SOURCE / "client.py").write_text(written())
