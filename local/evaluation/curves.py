"""The evidence in the assembled context at several budgets of tokens: one assembly for each question and budget."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from local.evaluation import metrics
from local.evaluation.dataset import Question
from local.evaluation.examinee import Examinee, Took

ALL = "all"
RESAMPLES = 2_000
SEED = 20_240_601
"""The same resamples each time, so that the same answers give the same intervals."""


@dataclass(frozen=True, slots=True)
class Assembled:
    """One answer: the share of the question's evidence in it, and the tokens of the injected text.

    `coverage` of a turn without evidence is 1, since nothing is missing. `precision` is the share of the injected
    memories that are evidence, 0 where none was injected.
    """

    question: Question
    coverage: float
    tokens: int
    memories: int
    precision: float
    took: Took | None = None
    incomplete: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all of the question's evidence is in it."""
        return self.coverage == 1.0


async def assemble_all(
    examinee: Examinee,
    questions: Sequence[Question],
    budgets: Sequence[int],
    options: Mapping[str, Any],
    *,
    asked: Callable[[], Awaitable[None]],
) -> dict[int, list[Assembled]]:
    """Answers by budget, in the order of the questions; `asked` is awaited after each."""
    answers: dict[int, list[Assembled]] = {budget: [] for budget in budgets}
    for budget in budgets:
        for question in questions:
            answer = await examinee.assemble(question, {**options, "memory_tokens": budget})
            share = answer.coverage(question) if question.gold else 1.0
            precision = metrics.precision(answer.ids, question.gold)
            found = Assembled(question, share, answer.tokens, len(answer.ids), precision, answer.took)
            answers[budget].append(replace(found, incomplete=bool(answer.degraded)))
            await asked()
    return answers


def summary(
    answers: Mapping[int, Sequence[Assembled]], baselines: Mapping[str, Mapping[int, Sequence[Assembled]]]
) -> dict[str, Any]:
    """The curve of the service and of each baseline: for each budget the figures, in `by_kind` those of each kind."""
    return {
        "curve": {str(budget): _point(several) for budget, several in answers.items()},
        "baselines": {
            name: {str(budget): _point(several) for budget, several in curve.items()}
            for name, curve in baselines.items()
        },
    }


def interval(values: Sequence[float], groups: Sequence[str]) -> tuple[float, float]:
    """The 95 % confidence interval of the mean, by bootstrap over groups (Efron & Tibshirani 1993, percentiles).

    Questions of one conversation are alike, so whole conversations are drawn. (0, 0) without values.
    """
    if not values:
        return 0.0, 0.0
    names = sorted(set(groups))
    sums = np.array([sum(value for value, own in zip(values, groups, strict=True) if own == name) for name in names])
    counts = np.array([groups.count(name) for name in names])
    drawn = np.random.default_rng(SEED).integers(0, len(names), (RESAMPLES, len(names)))
    resampled: NDArray[np.float64] = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(resampled, [2.5, 97.5])
    return float(low), float(high)


def _point(answers: Sequence[Assembled]) -> dict[str, Any]:
    needing = [one for one in answers if one.question.gold]
    kinds = sorted({one.question.kind for one in needing})
    by_kind = {kind: [one for one in needing if one.question.kind == kind] for kind in kinds}
    point: dict[str, Any] = {
        "by_kind": {kind: _figures(several) for kind, several in {**by_kind, ALL: needing}.items()},
    }
    timed = [one.took for one in answers if one.took is not None]
    if timed:
        point["latency_ms"] = _percentiles([took.client for took in timed])
        point["function_ms"] = _percentiles([took.function for took in timed])
        point["incomplete"] = fmean(one.incomplete for one in answers)
    if without := [one for one in answers if not one.question.gold]:
        point["without_need"] = {
            "turns": len(without),
            "tokens": fmean(one.tokens for one in without),
            "silent": fmean(not one.memories for one in without),
        }
    return point


def _figures(answers: Sequence[Assembled]) -> dict[str, Any]:
    if not answers:
        return {"questions": 0}
    agents = [one.question.agent for one in answers]
    coverage, whole = [one.coverage for one in answers], [float(one.is_whole) for one in answers]
    return {
        "questions": len(answers),
        "coverage": fmean(coverage),
        "coverage_95": interval(coverage, agents),
        "whole": fmean(whole),
        "whole_95": interval(whole, agents),
        "tokens": fmean(one.tokens for one in answers),
        "memories": fmean(one.memories for one in answers),
        "precision": fmean(one.precision for one in answers),
    }


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    return {"p50": metrics.percentile(times, 0.5), "p95": metrics.percentile(times, 0.95)}
