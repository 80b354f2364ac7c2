"""Asks every question once, and computes figures by kind of question and by agent."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from local.evaluation import metrics
from local.evaluation.dataset import Question
from local.evaluation.examinee import Answer, Examinee, Took

ALL = "all"


@dataclass(frozen=True, slots=True)
class Examined:
    """The figures of one question's answer."""

    question: Question
    figures: Mapping[str, float]
    took: Took
    degraded: Sequence[str]


async def ask_all(
    examinee: Examinee,
    questions: Sequence[Question],
    options: Mapping[str, Any],
    *,
    asked: Callable[[], Awaitable[None]],
) -> list[Examined]:
    """Asks one question after the other through the memory query; `asked` is awaited after each."""
    examined = []
    for question in questions:
        answer = await examinee.query(question, options)
        figures = {
            **metrics.judge(answer.ids, question.gold),
            "precision": metrics.precision(answer.ids, question.gold),
            "memories": float(len(answer.ids)),
        }
        examined.append(_examined(question, answer, figures))
        await asked()
    return examined


async def assemble_all(
    examinee: Examinee,
    questions: Sequence[Question],
    options: Mapping[str, Any],
    *,
    asked: Callable[[], Awaitable[None]],
) -> list[Examined]:
    """Asks each question through assembly: how much of the evidence is in the context, in how many memories."""
    examined = []
    for question in questions:
        answer = await examinee.assemble(question, options)
        figures = {"coverage": answer.coverage(question), "memories": float(len(answer.ids))}
        examined.append(_examined(question, answer, figures))
        await asked()
    return examined


def summary(examined: Sequence[Examined]) -> dict[str, Any]:
    """Means over questions, `by_kind` (and all) and `by_agent`; milliseconds, and how many answers were degraded.

    Turns without evidence are counted by themselves, as `without_need`.
    """
    needing = [one for one in examined if one.question.gold]
    kinds = sorted({one.question.kind for one in needing})
    agents = sorted({one.question.agent for one in needing})
    by_kind = {kind: _group([one for one in needing if one.question.kind == kind]) for kind in kinds}
    return {
        "by_kind": {**by_kind, ALL: _group(needing)},
        "by_agent": {agent: _group([one for one in needing if one.question.agent == agent]) for agent in agents},
        **({"without_need": _without_need(examined)} if len(needing) < len(examined) else {}),
        "latency_ms": _percentiles([one.took.client for one in examined]),
        "function_ms": _percentiles([one.took.function for one in examined]),
        "degraded": sum(1 for one in examined if one.degraded),
    }


def _percentiles(times: Sequence[float]) -> dict[str, float]:
    return {"p50": metrics.percentile(times, 0.5), "p95": metrics.percentile(times, 0.95)}


def _group(examined: Sequence[Examined]) -> dict[str, float]:
    return {"questions": len(examined), **metrics.means([one.figures for one in examined])}


def _without_need(examined: Sequence[Examined]) -> dict[str, float]:
    memories = [one.figures["memories"] for one in examined if not one.question.gold]
    return {"turns": len(memories), "memories": fmean(memories), "silent": memories.count(0.0) / len(memories)}


def _examined(question: Question, answer: Answer, figures: Mapping[str, float]) -> Examined:
    return Examined(question, figures, answer.took, answer.degraded)
