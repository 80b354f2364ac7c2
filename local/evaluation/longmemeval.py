"""Reads the files of LongMemEval (Wu et al. 2024): each question has its own history of chats with an assistant."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ABSTENTION = "_abs"
"""The end of the id of a question that the history does not answer."""
MOST_CHARACTERS = 10_000
"""Of a memory's content and of its context, as the API takes them."""
_DATE = "%Y/%m/%d (%a) %H:%M"


@dataclass(frozen=True, slots=True)
class Instance:
    """One question, and its history: `turns` are the lines of memories, oldest session first."""

    agent: str
    question: str
    answer: str
    kind: str
    gold: Sequence[str]
    turns: Sequence[Mapping[str, Any]]


def read(path: Path) -> Iterator[Instance]:
    """One instance for each question of the file.

    Raises ValueError for a file that is no JSON, KeyError or TypeError for one of another form.
    """
    for given in json.loads(path.read_text(encoding="utf-8")):
        turns = [turn for session in _sessions(given) for turn in session]
        answering = set(given["answer_session_ids"])
        marked = [turn["id"] for turn in turns if turn.pop("has_answer")]
        is_answerable = not str(given["question_id"]).endswith(ABSTENTION)
        # Without marks, every turn of the sessions with the answer counts.
        gold = marked or [turn["id"] for turn in turns if turn["session"] in answering]
        yield Instance(
            agent=str(given["question_id"]),
            question=given["question"],
            answer=str(given["answer"]),
            kind=given["question_type"],
            gold=gold if is_answerable else (),
            turns=turns,
        )


def _sessions(given: Mapping[str, Any]) -> Iterator[list[dict[str, Any]]]:
    ids, dates, chats = (given[f"haystack_{name}"] for name in ("session_ids", "dates", "sessions"))
    for number, (session, date, chat) in enumerate(zip(ids, dates, chats, strict=True)):
        begun = datetime.strptime(date, _DATE).replace(tzinfo=UTC)
        said = [(turn, f"{turn['role']}: {turn['content']}"[:MOST_CHARACTERS]) for turn in chat if turn["content"]]
        texts = [text for _, text in said]
        yield [
            {
                "id": f"{number}/{session}/{place}",
                "session": session,
                "created_at": (begun + timedelta(minutes=place)).isoformat(),
                "content": text,
                "context": "\n".join(texts[max(place - 1, 0) : place] + texts[place + 1 : place + 2])[:MOST_CHARACTERS],
                "has_answer": bool(turn.get("has_answer")),
            }
            for place, (turn, text) in enumerate(said)
        ]
