"""Figures of rankings against known evidence; every one is in [0, 1], and better when greater."""

import math
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean

CUTOFFS = (5, 10, 25, 50)
DEPTH = 10
"""How many ranks MRR and nDCG count."""


def judge(ranking: Sequence[str], gold: Collection[str]) -> dict[str, float]:
    """Figures of one question, 0 without `gold`. `recall@k` is coverage: the share of the gold in the first k."""
    hits = [identifier in gold for identifier in ranking]
    figures = {f"recall@{cutoff}": sum(hits[:cutoff]) / max(len(gold), 1) for cutoff in CUTOFFS}
    first = next((place for place, hit in enumerate(hits[:DEPTH], start=1) if hit), None)
    gain = sum(1 / math.log2(place + 1) for place, hit in enumerate(hits[:DEPTH], start=1) if hit)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(gold), DEPTH) + 1))
    return {**figures, f"mrr@{DEPTH}": 1 / first if first else 0.0, f"ndcg@{DEPTH}": gain / ideal if ideal else 0.0}


def coverage(included: Collection[str], gold: Collection[str]) -> float:
    """The share of `gold` that is in `included`; `gold` is not empty."""
    return len(set(included) & set(gold)) / len(gold)


def precision(included: Collection[str], gold: Collection[str]) -> float:
    """The share of `included` that is in `gold`; 0 where nothing is included."""
    return len(set(included) & set(gold)) / len(set(included)) if included else 0.0


def means(figures: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Means over questions with equal weights; empty without questions."""
    return {name: fmean(one[name] for one in figures) for name in figures[0]} if figures else {}


def percentile(values: Sequence[float], share: float) -> float:
    """The least value that `share` of the values do not exceed; 0 for none."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else 0.0
