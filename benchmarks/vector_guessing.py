"""How much of a text can be guessed from its vector with the model, as stored and with fewer bits.

    python -m benchmarks.vector_guessing

An attacker has vectors and a list of texts that contains the text of each: 1,000 PINs in a sentence, or 400 memories of
our own set. Reported are the share of vectors that are nearer to their own text than to any other, and the share of
each memory's ten nearest neighbours that fewer bits keep, which shows the loss in search.
"""

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder

ROOT = Path(__file__).parents[1]
Vectors = NDArray[np.float32]


def signs(bits: int) -> Callable[[Vectors], Vectors]:
    """Reduces vectors to the signs of `bits` random projections (Charikar 2002)."""
    plane = np.random.default_rng(1).standard_normal((384, bits)).astype(np.float32)

    def projected(vectors: Vectors) -> Vectors:
        return np.asarray(np.sign(vectors @ plane), dtype=np.float32)

    return projected


def levels(most: int) -> Callable[[Vectors], Vectors]:
    def rounded(vectors: Vectors) -> Vectors:
        return np.asarray(np.round(vectors / np.abs(vectors).max(axis=1, keepdims=True) * most), dtype=np.float32)

    return rounded


FORMS: dict[str, Callable[[Vectors], Vectors]] = {
    "16 bits a number, as stored": lambda vectors: vectors.astype(np.float16).astype(np.float32),
    "8 bits": levels(127),
    "4 bits": levels(7),
    "1 bit": lambda vectors: np.sign(vectors).astype(np.float32),
    "64 bits a vector": signs(64),
}


def cosines(vectors: Vectors) -> Vectors:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(unit @ unit.T, dtype=np.float32)


def found(vectors: Vectors) -> float:
    """Share of vectors that are nearer to their own text than to any other; ties do not count."""
    near = cosines(vectors)
    return float(((near >= near.diagonal()[:, None] - 1e-6).sum(axis=1) == 1).mean())


def kept(vectors: Vectors, form: Callable[[Vectors], Vectors]) -> float:
    def nearest(given: Vectors) -> list[set[int]]:
        near = cosines(given)
        np.fill_diagonal(near, -2)
        return [set(row) for row in np.argsort(-near, axis=1)[:, :10].tolist()]

    pairs = zip(nearest(vectors), nearest(form(vectors)), strict=True)
    return float(np.mean([len(before & after) / 10 for before, after in pairs]))


async def main() -> None:
    embedder = OnnxEmbedder(ROOT / "layers" / "models" / "build")

    async def vectors(texts: list[str]) -> Vectors:
        batches = [await embedder.embed(texts[start : start + 32]) for start in range(0, len(texts), 32)]
        return np.concatenate([np.asarray(batch, dtype=np.float32) for batch in batches])

    numbers = random.Random(3).sample(range(10_000), 1_000)
    pins = await vectors([f"Her PIN is {number:04d}." for number in numbers])
    lines = (ROOT / "benchmarks" / "quality" / "memories.jsonl").read_text(encoding="utf-8").splitlines()[:400]
    memories = await vectors([json.loads(line)["content"] for line in lines])
    print("form                         PINs found  memories found  ten nearest kept")
    for name, form in FORMS.items():
        print(f"{name:28} {found(form(pins)):10.3f} {found(form(memories)):15.3f} {kept(memories, form):17.3f}")


if __name__ == "__main__":
    asyncio.run(main())
