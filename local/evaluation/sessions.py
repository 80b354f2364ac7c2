"""An agent's questions asked in sessions of several turns, and the same questions each in a session of its own.

A prompt's evidence may stand in what its session was told before. Its tokens are counted twice: those that are told
newly, and all that are injected.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Any
from uuid import uuid4

from local.evaluation import curves
from local.evaluation.dataset import Question
from local.evaluation.examinee import Answer, Examinee

REPLY = "I have looked that up for you."
"""What the assistant says to each question: nothing that helps to find anything."""
ALONE, TOGETHER = "one by one", "in a session"


@dataclass(frozen=True, slots=True)
class Turn:
    """The answer to a question; `number` is its place in the session, from 1 on."""

    question: Question
    number: int
    answer: Answer

    @property
    def coverage(self) -> float:
        """The share of the question's evidence in the whole prompt."""
        return self.answer.coverage(self.question)


async def ask(
    examinee: Examinee,
    questions: Sequence[Question],
    turns: int,
    options: Mapping[str, Any],
    *,
    asked: Callable[[], Awaitable[None]],
) -> list[Turn]:
    """Asks the questions of each agent in sessions of so many; `asked` is awaited after each question."""
    answers = []
    for several in _sessions(questions, turns):
        session_id, said = f"evaluation-{uuid4()}", list[Mapping[str, Any]]()
        for number, question in enumerate(several, start=1):
            answer = await examinee.assemble(question, options, said=said, session_id=session_id)
            answers.append(Turn(question, number, answer))
            said += [{"role": "user", "content": question.text}, {"role": "assistant", "content": REPLY}]
            await asked()
    return answers


def summary(alone: Sequence[Turn], together: Sequence[Turn]) -> dict[str, Any]:
    """The figures of both ways, by kind of question and in all, and those of each turn of the sessions."""
    kinds = sorted({turn.question.kind for turn in alone})
    ways = {
        way: {kind: _figures([turn for turn in turns if turn.question.kind == kind]) for kind in kinds}
        | {curves.ALL: _figures(turns)}
        for way, turns in {ALONE: alone, TOGETHER: together}.items()
    }
    numbers = sorted({turn.number for turn in together})
    by_turn = {str(number): _figures([turn for turn in together if turn.number == number]) for number in numbers}
    return {"ways": ways, "by_turn": by_turn}


def _sessions(questions: Sequence[Question], turns: int) -> Iterator[Sequence[Question]]:
    for _, several in groupby(sorted(questions, key=_agent), key=_agent):
        own = list(several)
        yield from (own[start : start + turns] for start in range(0, len(own), turns))


def _agent(question: Question) -> str:
    return question.agent


def _figures(turns: Sequence[Turn]) -> dict[str, Any]:
    agents = [turn.question.agent for turn in turns]
    coverage = [turn.coverage for turn in turns]
    return {
        "questions": len(turns),
        "coverage": fmean(coverage),
        "coverage_95": curves.interval(coverage, agents),
        "new_tokens": fmean(turn.answer.tokens - turn.answer.told for turn in turns),
        "tokens": fmean(turn.answer.tokens for turn in turns),
        "incomplete": fmean(bool(turn.answer.degraded) for turn in turns),
    }
