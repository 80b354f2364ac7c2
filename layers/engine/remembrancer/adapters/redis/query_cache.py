"""Caches what came of queries and turns: their vectors, as float32 after a schema byte, cached answers and counts of
popular queries, and which request had which idempotency key. Losing one costs time or a refusal, never data.
"""

import hashlib
import hmac
import json
import re
import struct
from collections.abc import Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.adapters.redis.growth import Growth
from remembrancer.domain.identity.scope import Scope
from remembrancer.domain.memories.memory import Vector
from remembrancer.domain.requests.idempotency import Once

TEXT_SECONDS = 3600
TURN_SECONDS = 600
TEXTS_AN_HOUR = 2_000
"""Most new vectors of an organization in a window: 3.5 MB; at most twice as many exist. Others are computed each
time.
"""
TURNS_AT_A_TIME = 500
"""Most new turns of an organization in `TURN_SECONDS`: 4 MB with five hypotheses each."""
_SCHEMA = b"2"

RESULT_SECONDS = 300
ASKED_SECONDS = 600

# Keys: result, count.
_FIND = "return {redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])}"
COUNTED = 5_000
"""Most different queries of an organization counted in `ASKED_SECONDS`, at 0.2 kB each."""

# Key: count. Arguments: times, seconds, whether a new count may begin. The window starts with the first. Returns 0
# when a new count may not begin.
_ASKED = """
if ARGV[3] == '0' and redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
if count == tonumber(ARGV[1]) then redis.call('EXPIRE', KEYS[1], ARGV[2]) end
return 1
"""

_COUNT = re.compile(rb"\d{1,15}")

KEY_SECONDS = 24 * 3600
KEYS_A_DAY = 100_000
"""Most different idempotency keys of an organization's queries in a window, at 0.2 kB each. Later ones are not compared
with their first request, which costs a refusal and nothing else.
"""

# Key: one request's. Arguments: hash of the request, seconds, whether it may begin. The first value stays until it
# expires.
_FIRST = """
local known = redis.call('GET', KEYS[1])
if known or ARGV[3] == '0' then return known end
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return ARGV[1]
"""


class RedisQueryCache:
    """Serves the QueryCache port; a value says how many dimensions its vectors have. Both keys of a popular query share
    its hash tag. Values of idempotency keys are `1` and the hash; values of other versions are ignored.
    """

    def __init__(
        self,
        client: RedisClient,
        *,
        texts_an_hour: int = TEXTS_AN_HOUR,
        turns_at_a_time: int = TURNS_AT_A_TIME,
        counted: int = COUNTED,
        keys_a_day: int = KEYS_A_DAY,
    ) -> None:
        self._client = client
        self._texts = Growth(client, "emb", most=texts_an_hour, seconds=TEXT_SECONDS)
        self._counts = Growth(client, "asked", most=counted, seconds=ASKED_SECONDS)
        self._keys = Growth(client, "request", most=keys_a_day, seconds=KEY_SECONDS)
        self._turns = Growth(client, "hyde", most=turns_at_a_time, seconds=TURN_SECONDS)

    async def text(self, scope: Scope, model: str, text: str, *, key: bytes) -> Vector | None:
        """Keyed by a keyed hash over the scope, model and text."""
        vectors = _decode(await self._client.get(self._text_key(scope, model, text, key)))
        return vectors[0] if vectors is not None and len(vectors) == 1 else None

    async def put_text(self, scope: Scope, model: str, text: str, vector: Vector, *, key: bytes) -> None:
        if await self._texts.admits(scope.org_id):
            await self._client.put(self._text_key(scope, model, text, key), _encode(vector), seconds=TEXT_SECONDS)

    async def turn(self, org_id: UUID, place: str, turn: str) -> NDArray[np.float32] | None:
        return _decode(await self._client.get(_turn_key(org_id, place, turn)))

    async def put_turn(self, org_id: UUID, place: str, turn: str, vectors: NDArray[np.float32]) -> None:
        if await self._turns.admits(org_id):
            await self._client.put(_turn_key(org_id, place, turn), _encode(vectors), seconds=TURN_SECONDS)

    async def find(self, org_id: UUID, query_key: str) -> tuple[bytes | None, int]:
        answer, asked = await self._client.script(_FIND, [_result(org_id, query_key), _count(org_id, query_key)], [])
        return answer, int(asked) if _COUNT.fullmatch(asked or b"") else 0

    async def put(self, org_id: UUID, query_key: str, answer: bytes) -> None:
        await self._client.put(_result(org_id, query_key), answer, seconds=RESULT_SECONDS)

    async def asked(self, org_id: UUID, counts: Sequence[tuple[str, int]]) -> None:
        """Sequential calls: in a cluster the keys are on different nodes."""
        for query_key, times in counts:
            key = _count(org_id, query_key)
            known = await self._client.script(_ASKED, [key], [times, ASKED_SECONDS, 0])
            if not known and await self._counts.admits(org_id):
                await self._client.script(_ASKED, [key], [times, ASKED_SECONDS, 1])

    async def is_same(self, org_id: UUID, once: Once) -> bool:
        asked = b"1 " + once.request.hex().encode()
        key = f"{org_id}:request:{{{once.key.hex()}}}"
        known = await self._client.script(_FIRST, [key], [asked, KEY_SECONDS, 0])
        if known is None and await self._keys.admits(org_id):
            known = await self._client.script(_FIRST, [key], [asked, KEY_SECONDS, 1])
        return known is None or bytes(known) == asked or not known.startswith(b"1 ")

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


def _result(org_id: UUID, query_key: str) -> str:
    return f"{org_id}:query:{{{query_key}}}"


def _count(org_id: UUID, query_key: str) -> str:
    return f"{org_id}:asked:{{{query_key}}}"
