"""Questions in sessions: who is asked after what, and what counts as evidence and as told."""

from collections.abc import Mapping, Sequence
from typing import Any

from local.evaluation import sessions
from local.evaluation.dataset import Question
from local.evaluation.examinee import Answer, Took

TOOK = Took(1.0, 1.0)
QUESTIONS = [
    Question("ada", "one", "single-hop", frozenset({"m1"})),
    Question("bo", "two", "single-hop", frozenset({"m2"})),
    Question("ada", "three", "temporal", frozenset({"m1", "m3"})),
    Question("ada", "four", "temporal", frozenset({"m9"})),
]


class Told:
    """Tells each agent's m1 once, for ten tokens, and m3 with every question, for five."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str], str | None]] = []

    async def assemble(
        self, question: Question, options: Any, *, said: Sequence[Mapping[str, Any]], session_id: str | None
    ) -> Answer:
        users = [str(one["content"]) for one in said if one["role"] == "user"]
        self.asked.append((question.text, users, session_id))
        return Answer(["m3", "m1"], TOOK, tokens=10 + 5, told=10 if users else 0)


async def asked() -> None:
    pass


async def test_an_agents_questions_follow_each_other_in_sessions_of_so_many() -> None:
    examinee: Any = Told()

    turns = await sessions.ask(examinee, QUESTIONS, 2, {}, asked=asked)

    assert [(text, users) for text, users, _ in examinee.asked] == [
        ("one", []),
        ("three", ["one"]),
        ("four", []),
        ("two", []),
    ]
    first, second, third, fourth = (session for *_, session in examinee.asked)
    assert first == second
    assert len({first, third, fourth}) == 3
    assert [turn.number for turn in turns] == [1, 2, 1, 1]


async def test_what_the_session_was_told_is_evidence_but_not_told_newly() -> None:
    examinee: Any = Told()
    alone = await sessions.ask(examinee, QUESTIONS, 1, {}, asked=asked)
    together = await sessions.ask(examinee, QUESTIONS, 10, {}, asked=asked)

    found = sessions.summary(alone, together)

    by_itself, in_session = (found["ways"][way] for way in (sessions.ALONE, sessions.TOGETHER))
    assert list(by_itself) == ["single-hop", "temporal", "all"]
    assert by_itself["all"]["coverage"] == in_session["all"]["coverage"] == 0.5
    assert (by_itself["all"]["new_tokens"], by_itself["all"]["tokens"]) == (15, 15)
    assert (in_session["all"]["new_tokens"], in_session["all"]["tokens"]) == (10, 15)
    assert [figures["questions"] for figures in found["by_turn"].values()] == [2, 1, 1]
    assert found["by_turn"]["2"]["new_tokens"] == 5
