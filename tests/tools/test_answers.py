"""Answer accuracy: what is asked of the models, what is remembered of it, and the figures."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from local.evaluation import answers
from local.evaluation.answers import Answered, AnswerFile, Answers
from local.evaluation.dataset import Dataset, Question
from local.evaluation.examinee import ExaminationError, Examinee
from remembrancer.errors import StoreTimeout
from remembrancer.ports.models import StructuredAnswer

GOOSE = Question("ada", "Which bird?", "single-hop", frozenset({"m1"}), "a goose")
FERRY = Question("bo", "What left?", "multi-hop", frozenset({"m2"}))
DATA = Dataset(
    {
        "ada": [("m1", {"content": "Ada: I bought a goose."})],
        "bo": [("m2", {"content": "Bo: The ferry left.", "created_at": "2025-01-02T10:00:00Z"})],
    },
    [GOOSE, FERRY],
)
RIGHT, WRONG = '{"correct": true}', '{"correct": false}'


@dataclass
class Scripted:
    """Serves Model with these texts in turn, the last one again and again; None is an answer that never comes."""

    texts: list[str | None]
    name: str = "scripted"
    asked: list[Sequence[Mapping[str, Any]]] = field(default_factory=list)

    async def chat(
        self, messages: Sequence[Mapping[str, Any]], *, most_tokens: int, schema: Mapping[str, Any] | None = None
    ) -> StructuredAnswer:
        self.asked.append(messages)
        text = self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]
        if text is None:
            raise StoreTimeout("late", cause="ReadTimeout")
        return StructuredAnswer(text, 10, 1)


def examinee() -> Examinee:
    def assembled(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content)
        metadata = {"fallback_reason": None, "memory_ids": ["s1"], "total_tokens_injected": 9}
        answer = {"messages": [*body["messages"], {"role": "system", "content": "context"}], "metadata": metadata}
        return httpx.Response(200, json=answer, headers={"server-timing": "total;dur=1"})

    client = httpx.AsyncClient(transport=httpx.MockTransport(assembled), base_url="http://service")
    names = {"ada": {"s1": frozenset({"m1"})}, "bo": {"s1": frozenset({"other"})}}
    return Examinee(client, "org", agents={"ada": "a1", "bo": "b1"}, memories=names)


async def nothing() -> None:
    return


async def answered(model: Scripted, judge: Scripted, *, memory: AnswerFile | None = None) -> list[Answered]:
    return await Answers(examinee(), DATA, model, judge, memory).all({"memory_tokens": 1500}, asked=nothing)


async def test_the_context_is_answered_and_judged_by_the_answer_or_by_the_evidence() -> None:
    model, judge = Scripted(["A goose.", "No idea."]), Scripted([RIGHT, WRONG])

    goose, ferry = await answered(model, judge)

    assert (goose.answer, goose.correct, goose.coverage) == ("A goose.", True, 1.0)
    assert (ferry.answer, ferry.correct, ferry.coverage) == ("No idea.", False, 0.0)
    assert [message["content"] for message in model.asked[0]] == [answers.INSTRUCTION, "Which bird?", "context"]
    cases = [json.loads(messages[1]["content"]) for messages in judge.asked]
    assert [case["right"] for case in cases] == ["a goose", "(2025-01-02) Bo: The ferry left."]
    assert cases[0]["answer"] == "A goose."


async def test_a_failed_call_is_repeated_and_a_failed_question_is_neither_right_nor_wrong() -> None:
    model = Scripted([None, "A goose.", "The ferry."])
    judge = Scripted([RIGHT, "correct", '{"correct": "yes"}', "[]"])

    found = await answered(model, judge)
    figures = answers.summary(found)

    assert [one.failure for one in found] == ["", "judge: BadAnswer"]
    assert figures["by_kind"]["all"]["questions"] == 1
    assert figures["by_kind"]["all"]["accuracy"] == 1.0
    assert figures["failures"] == {"judge: BadAnswer": 1}
    assert figures["tokens"] == {"answer_prompt": 20, "answer_answer": 2, "judge_prompt": 40, "judge_answer": 4}


async def test_where_no_call_succeeds_the_evaluation_ends() -> None:
    model = Scripted([None])
    many = Dataset(DATA.memories, [FERRY] * 100)

    with pytest.raises(ExaminationError, match="answer: ReadTimeout"):
        await Answers(examinee(), many, model, Scripted([RIGHT])).all({}, asked=nothing)

    assert len(model.asked) == answers.MOST_FAILURES * answers.ATTEMPTS


async def test_a_second_run_asks_only_what_the_first_did_not(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    first = await answered(Scripted(["A goose.", ""]), Scripted([RIGHT]), memory=AnswerFile(path))
    with path.open("a") as file:
        file.write('{"answer": "cut o')
    model = Scripted(["The ferry."])

    second = await answered(model, Scripted([RIGHT]), memory=AnswerFile(path))
    third = await answered(Scripted([None]), Scripted([None]), memory=AnswerFile(path))
    other = await answered(Scripted(["Hm."], name="other"), Scripted([WRONG]), memory=AnswerFile(path))

    assert [one.failure for one in first] == ["", "answer: BadAnswer"]
    assert len(model.asked) == 1
    assert third == second
    assert [one.answer for one in second] == ["A goose.", "The ferry."]
    assert [one.answer for one in other] == ["Hm.", "Hm."]
    assert path.stat().st_mode & 0o077 == 0


def test_accuracy_has_an_interval_over_conversations() -> None:
    found = [Answered(question, correct=question is GOOSE) for question in (GOOSE, FERRY) for _ in range(5)]

    figures = answers.summary(found)["by_kind"]

    assert list(figures) == ["multi-hop", "single-hop", "all"]
    assert figures["all"]["accuracy"] == 0.5
    assert figures["all"]["accuracy_95"] == (0.0, 1.0)
    assert figures["single-hop"]["accuracy_95"] == (1.0, 1.0)
