"""Vectors that were computed before."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.memory import Vector


class VectorCache(Protocol):
    """By what they are vectors of, and nothing but vectors: no text can be read from it.

    `key` is the organization's: who has the cache alone cannot tell whether a text is in it.
    """

    async def text(self, org_id: UUID, model: str, text: str, *, key: bytes) -> Vector | None:
        """The vector of a text; None when it is not cached."""
        ...

    async def put_text(self, org_id: UUID, model: str, text: str, vector: Vector, *, key: bytes) -> None:
        """Keeps it for an hour, unless the organization has put too many of late."""
        ...

    async def turn(self, org_id: UUID, place: str, turn: str) -> NDArray[np.float32] | None:
        """(n, d) vectors of a turn's hypotheses; `place` is agent or project, `turn` a hash of what was said."""
        ...

    async def put_turn(self, org_id: UUID, place: str, turn: str, vectors: NDArray[np.float32]) -> None:
        """Keeps them for ten minutes, with the same exception."""
        ...


class PopularResults(Protocol):
    """Answers to queries that are asked again and again: ids and figures, never text."""

    async def find(self, org_id: UUID, query_key: str) -> tuple[bytes | None, int]:
        """The kept answer, and how often the query was asked in the last ten minutes."""
        ...

    async def put(self, org_id: UUID, query_key: str, answer: bytes) -> None:
        """Keeps an answer for five minutes."""
        ...

    async def asked(self, org_id: UUID, counts: Sequence[tuple[str, int]]) -> None:
        """Counts (query key, times); a count is forgotten ten minutes after its first.

        Of an organization that asks too many different queries, new ones are not counted.
        """
        ...
