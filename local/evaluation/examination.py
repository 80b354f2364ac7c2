"""Every question once, and the figures by kind of question and by agent."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from local.evaluation import metrics
from local.evaluation.dataset import Question
from local.evaluation.examinee import Answer, Examinee

ALL = "all"


@dataclass(frozen=True, slots=True)
class Examined:
    """One question's figures."""

    question: Question
    figures: Mapping[str, float]
    elapsed_ms: float
    degraded: Sequence[str]


async def ask_all(
    examinee: Examinee, questions: Sequence[Question], options: Mapping[str, Any], *, asked: Callable[[], None]
) -> list[Examined]:
    """One after the other through the memory query."""
    examined = []
    for question in questions:
        answer = await examinee.query(question, options)
        examined.append(_examined(question, answer, metrics.judge(answer.ids, question.gold)))
        asked()
    return examined


async def assemble_all(
    examinee: Examinee, questions: Sequence[Question], options: Mapping[str, Any], *, asked: Callable[[], None]
) -> list[Examined]:
    """One after the other through assembly: how much of the evidence is in the context, and in how many memories."""
    examined = []
    for question in questions:
        answer = await examinee.assemble(question, options)
        figures = {"coverage": metrics.coverage(answer.ids, question.gold), "memories": float(len(answer.ids))}
        examined.append(_examined(question, answer, figures))
        asked()
    return examined


def summary(examined: Sequence[Examined]) -> dict[str, Any]:
    """Means over questions, `by_kind` (and all) and `by_agent`; milliseconds, and how many answers were degraded."""
    kinds = sorted({one.question.kind for one in examined})
    agents = sorted({one.question.agent for one in examined})
    by_kind = {kind: _group([one for one in examined if one.question.kind == kind]) for kind in kinds}
    times = [one.elapsed_ms for one in examined]
    return {
        "by_kind": {**by_kind, ALL: _group(examined)},
        "by_agent": {agent: _group([one for one in examined if one.question.agent == agent]) for agent in agents},
        "latency_ms": {"p50": metrics.percentile(times, 0.5), "p95": metrics.percentile(times, 0.95)},
        "degraded": sum(1 for one in examined if one.degraded),
    }


def _group(examined: Sequence[Examined]) -> dict[str, float]:
    return {"questions": len(examined), **metrics.means([one.figures for one in examined])}


def _examined(question: Question, answer: Answer, figures: Mapping[str, float]) -> Examined:
    return Examined(question, figures, answer.elapsed_ms, answer.degraded)
