"""Caches vectors of queries and of a turn's hypotheses, as float32 after a schema byte."""

import hashlib
import hmac
import json
import struct
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.growth import Growth
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Vector

TEXT_SECONDS = 3600
TURN_SECONDS = 600
TEXTS_AN_HOUR = 2_000
"""Most new vectors of an organization in a window: 3.5 MB; at most twice as many exist. Others are computed each
time.
"""
TURNS_AT_A_TIME = 500
"""Most new turns of an organization in `TURN_SECONDS`: 4 MB with five hypotheses each."""
_SCHEMA = b"2"


class RedisVectorCache:
    """Serves the VectorCache port; a value says how many dimensions its vectors have."""

    def __init__(
        self,
        client: RedisClient,
        *,
        texts_an_hour: int = TEXTS_AN_HOUR,
        turns_at_a_time: int = TURNS_AT_A_TIME,
    ) -> None:
        self._client = client
        self._growth = Growth(client, "emb", most=texts_an_hour, seconds=TEXT_SECONDS)
        self._turns = Growth(client, "hyde", most=turns_at_a_time, seconds=TURN_SECONDS)

    async def text(self, scope: Scope, model: str, text: str, *, key: bytes) -> Vector | None:
        """Keyed by a keyed hash over the scope, model and text."""
        vectors = _decode(await self._client.get(self._text_key(scope, model, text, key)))
        return vectors[0] if vectors is not None and len(vectors) == 1 else None

    async def put_text(self, scope: Scope, model: str, text: str, vector: Vector, *, key: bytes) -> None:
        if await self._growth.admits(scope.org_id):
            await self._client.put(self._text_key(scope, model, text, key), _encode(vector), seconds=TEXT_SECONDS)

    async def turn(self, org_id: UUID, place: str, turn: str) -> NDArray[np.float32] | None:
        return _decode(await self._client.get(_turn_key(org_id, place, turn)))

    async def put_turn(self, org_id: UUID, place: str, turn: str, vectors: NDArray[np.float32]) -> None:
        if await self._turns.admits(org_id):
            await self._client.put(_turn_key(org_id, place, turn), _encode(vectors), seconds=TURN_SECONDS)

    def _text_key(self, scope: Scope, model: str, text: str, key: bytes) -> str:
        """A keyed hash: without the organization's key, a reader of Redis cannot test whether a text was asked."""
        place = [scope.project_id, scope.environment, scope.agent_id, scope.end_user.text]
        said = json.dumps([*place, model, text], default=str)
        digest = hashlib.sha256(said.encode()).digest()
        return f"{scope.org_id}:emb:{hmac.digest(key, b'query:' + digest, 'sha256').hex()[:24]}"


def _encode(vectors: NDArray[np.float32]) -> bytes:
    """Schema, dimensions as two bytes, then the vectors."""
    return _SCHEMA + struct.pack("<H", vectors.shape[-1]) + vectors.astype("<f4").tobytes()


def _decode(value: bytes | None) -> NDArray[np.float32] | None:
    """Vectors (n, dimensions); None without a value, for another schema, or for a damaged value."""
    start = len(_SCHEMA) + 2
    if value is None or not value.startswith(_SCHEMA) or len(value) < start:
        return None
    (dimensions,) = struct.unpack_from("<H", value, len(_SCHEMA))
    if not dimensions or (len(value) - start) % (4 * dimensions):
        return None
    return np.frombuffer(value, "<f4", offset=start).astype(np.float32).reshape(-1, dimensions)


def _turn_key(org_id: UUID, place: str, turn: str) -> str:
    return f"{org_id}:hyde:{{{place}}}:{turn}"
