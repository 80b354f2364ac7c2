"""The interface of a compared system: what a program in the system's own environment can do with it."""

from collections.abc import Sequence
from typing import Protocol

from benchmarks.peers.embedding import WaitingEmbedder

Memories = Sequence[tuple[str, str]]
"""References of the set, and texts."""


class System(Protocol):
    """One library on one empty or filled Postgres database, with memories of several owners.

    Its module has a function `connect(url, embedder)` that makes it, and four constants: PACKAGES, the distributions
    whose versions a report gives; SETTINGS, one sentence; STORED, SQL for the number of an owner's rows; OTHERS, SQL
    that adds the rows of the table `others (owner, ref, content, embedding)` as the library would write them.
    """

    async def open(self) -> None:
        """Connects, and makes tables and indexes that do not exist."""

    async def add(self, owner: str, memories: Memories) -> None:
        """Stores memories through the library; when it returns, they can be found."""

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        """The references of an owner's memories, best first."""

    async def close(self) -> None:
        """Ends the connections; the database stays as it is for the next run."""


class Connect(Protocol):
    """Makes a system; `url` is that of a database with pgvector."""

    def __call__(self, url: str, embedder: WaitingEmbedder) -> System: ...
