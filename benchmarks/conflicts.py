"""How many possible conflicts are found, and how many pairs are flagged by mistake, on our own labelled set.

    python -m benchmarks.conflicts          precision and recall, on each half of the set
    python -m benchmarks.conflicts --all    and every pair that is not as labelled

`data/conflicts.jsonl` has one pair of memories in each line: corrections, which conflict, and elaborations, repetitions
and unrelated pairs, which do not. The rules were chosen on one half; the other half was written before them, and they
were not changed for it. Cosines are those of the model of the layer. The last line counts flags among all pairs of the
sample's memories, none of which was written as a correction.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.domain.memories import conflicts
from remembrancer.domain.memories.memory import Vector

ROOT = Path(__file__).parents[1]
PAIRS = Path(__file__).parent / "data" / "conflicts.jsonl"
SAMPLE = ROOT / "local" / "sample" / "memories.jsonl"
KINDS = ("correction", "elaboration", "repetition", "unrelated")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two memories' texts; `differs_in` is None unless they conflict."""

    half: str
    kind: str
    older: str
    newer: str
    differs_in: str | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """`flags` by the kind of the pair, of `pairs`; `named` counts conflicts whose difference was named as labelled."""

    pairs: Counter[str]
    flags: Counter[str]
    named: int
    wrong: Sequence[LabelledPair]

    @property
    def precision(self) -> float:
        total = sum(self.flags.values())
        return self.flags["correction"] / total if total else 1.0

    @property
    def recall(self) -> float:
        return self.flags["correction"] / self.pairs["correction"] if self.pairs["correction"] else 1.0


def pairs(half: str) -> list[LabelledPair]:
    """The pairs of one half: `choosing` or `confirming`."""
    found = [LabelledPair(**json.loads(line)) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return [one for one in found if one.half == half]


def measure(chosen: Sequence[LabelledPair], similarities: Sequence[float]) -> Figures:
    """What the rules say of these pairs, with the cosine of each."""
    flags: Counter[str] = Counter()
    named, wrong = 0, []
    for pair, similarity in zip(chosen, similarities, strict=True):
        found = flagged(pair.older, pair.newer, similarity)
        flags[pair.kind] += found is not None
        named += found is not None and found == pair.differs_in
        if (found is not None) != (pair.kind == "correction"):
            wrong.append(pair)
    return Figures(Counter(pair.kind for pair in chosen), flags, named, wrong)


def flagged(older: str, newer: str, similarity: float) -> str | None:
    """What two memories differ in, from their texts and their cosine."""
    return conflicts.texts_differ(older, newer) if similarity >= conflicts.LEAST_SIMILARITY else None


async def cosines(chosen: Sequence[LabelledPair], embedder: OnnxEmbedder) -> list[float]:
    """By the model of the layer."""
    older = await embedder.embed([pair.older for pair in chosen])
    newer = await embedder.embed([pair.newer for pair in chosen])
    found: list[float] = (older * newer).sum(axis=1).tolist()
    return found


def among(texts: Sequence[str], vectors: Vector) -> list[tuple[str, str]]:
    """Flagged pairs of one collection, each memory compared with all others."""
    close = np.triu(vectors @ vectors.T, k=1)
    return [
        (texts[one], texts[other])
        for one, other in combinations(range(len(texts)), 2)
        if flagged(texts[one], texts[other], float(close[one, other])) is not None
    ]


def _print(half: str, figures: Figures, *, everything: bool) -> None:
    print(f"{half}: {sum(figures.pairs.values())} pairs")
    print("  kind          pairs  flagged")
    for kind in KINDS:
        print(f"  {kind:12} {figures.pairs[kind]:6} {figures.flags[kind]:8}")
    print(f"  precision {figures.precision:.3f}  recall {figures.recall:.3f}", end="  ")
    print(f"difference named as labelled {figures.named} of {figures.flags['correction']}")
    for pair in figures.wrong if everything else ():
        print(f"    {pair.kind}: {pair.older!r} / {pair.newer!r}: {conflicts.texts_differ(pair.older, pair.newer)}")


async def _main() -> None:
    embedder = OnnxEmbedder(ROOT / "layers" / "models" / "build")
    everything = "--all" in sys.argv
    for half in ("choosing", "confirming"):
        chosen = pairs(half)
        _print(half, measure(chosen, await cosines(chosen, embedder)), everything=everything)
    texts = [json.loads(line)["content"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    flags = among(texts, await embedder.embed(texts))
    print(f"sample: {len(flags)} flags among {len(texts)} memories")
    for older, newer in flags if everything else ():
        print(f"    {older!r} / {newer!r}")


if __name__ == "__main__":
    asyncio.run(_main())
