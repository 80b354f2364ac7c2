"""The log of one function: the output of all its instances, in one file."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO

_TAIL_LINES = 25


class FunctionLog:
    """A file that is appended to, and emptied when it is too long (log_files).

    With `echo`, it is also called with each line, without the newline.
    """

    def __init__(self, path: Path, echo: Callable[[str], None] | None = None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file: IO[bytes] = path.open("ab", buffering=0)
        self._echo = echo

    def output(self) -> IO[bytes] | int:
        """Where a process should write: the file itself, or a pipe that `follow` reads."""
        return self._file if self._echo is None else asyncio.subprocess.PIPE

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Copy a process's output until it ends."""
        while line := await _line(stream):
            self._file.write(line)
            if self._echo is not None:
                self._echo(line.decode("utf-8", "replace").rstrip("\n"))

    def write(self, line: str) -> None:
        """Appends a line of the platform, such as a report of an end."""
        self._file.write(f"{line}\n".encode())
        if self._echo is not None:
            self._echo(line)

    def position(self) -> int:
        """The length of the log so far, in bytes."""
        return os.fstat(self._file.fileno()).st_size

    def tail(self, position: int) -> str:
        """The last lines that were written after a position, or since the log was emptied."""
        with self._path.open("rb") as file:
            file.seek(position if position <= self.position() else 0)
            lines = file.read().decode("utf-8", "replace").replace("\r", "\n").splitlines()
        return "\n".join(lines[-_TAIL_LINES:])

    def close(self) -> None:
        """Closes the file; nothing can be written afterwards."""
        self._file.close()


async def _line(stream: asyncio.StreamReader) -> bytes:
    """The next line, or a part of one that is longer than the stream's buffer; empty at the end."""
    try:
        return await stream.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError as error:
        return await stream.readexactly(error.consumed)
