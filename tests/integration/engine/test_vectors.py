"""An end user who asks as often as it likes computes no vector of what it may not see.

The attack is the best that linear algebra can do: each answer's cosine is one equation for 384 unknowns.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from remembrancer.adapters.redis.client import RedisClient
from remembrancer.domain.memories.memory import Vector
from tests.builders import at_cosine, unit_vector
from tests.integration.engine.query_bench import CountingEmbedder, query_bench
from tests.integration.engine.tenant import MODEL, Tenant
from tests.integration.engine.workers import consolidation

QUERIES = 450
KNOWN = unit_vector(70)
PRIVATE = at_cosine(KNOWN, 0.8)


def question(number: int) -> Vector:
    """Near enough to what is known for every cosine to be above zero, where explanations cut it."""
    return at_cosine(KNOWN, 0.5, seed=100 + number)


class Questions(CountingEmbedder):
    """Embeds a number as the question of that number."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([question(int(text)) for text in texts])


def other_member(centroid: Vector, known: Vector) -> Vector:
    """Of two unit vectors, the one that is not known, from the direction between them."""
    other: Vector = 2 * float(centroid @ known) * centroid - known
    return other


@pytest.mark.parametrize("owner", [None, "alice"])
async def test_no_vector_of_another_end_user_follows_from_450_explanations(
    tenant: Tenant, redis: RedisClient, owner: str | None
) -> None:
    (known,) = await tenant.remember_texts("The cable car is out of order.", user_id=owner)
    (private,) = await tenant.remember_texts("Bob has a PIN.", user_id="bob")
    await tenant.set_vectors([known, private], np.stack([KNOWN, PRIVATE]))
    await consolidation(tenant.database).consolidate(tenant.org_id, [known, private], MODEL)
    bench = query_bench(tenant, redis, embedder=Questions())
    alice = replace(tenant.principal, user_id="alice")

    cosines = []
    for number in range(QUERIES):
        answer = await bench.ask(str(number), principal=alice, hyde=False)
        (explanation,) = answer["explanations"]
        cosines.append(explanation["factors"]["cluster"]["raw"])

    asked = np.stack([question(number) for number in range(QUERIES)])
    centroid = np.linalg.lstsq(asked, np.array(cosines), rcond=None)[0]
    guess = other_member(centroid / np.linalg.norm(centroid), KNOWN)
    assert float(guess @ PRIVATE) / float(np.linalg.norm(guess)) == pytest.approx(float(KNOWN @ PRIVATE), abs=0.02)
