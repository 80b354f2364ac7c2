"""Memories and questions with known evidence, from JSON Lines."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from local.evaluation import longmemeval

UNANSWERABLE = "adversarial"
"""Questions of this kind are asked only when they are chosen: their evidence misleads."""

_RENAMED = {"agent": "agent_id", "session": "session_id", "text": "content", "timestamp": "created_at"}
_GOLD = ("gold", "gold_ids", "evidence")
_QUESTION = ("question", "query")


class DatasetError(Exception):
    """The files are not a valid data set; the message says which line and why."""


@dataclass(frozen=True, slots=True)
class Question:
    """`gold` are the file's ids of the memories that hold the answer's evidence; empty for a turn that needs none.

    `answer` is the right answer, empty where the file has none. `passages`: the part of a memory that has the evidence,
    by the file's id; without it all of the memory. `messages` are those of the conversation before it, oldest first.
    `user_id` is the end user who asks, None for nobody.
    `user_id` is the end user who asks, None for nobody.
    """

    agent: str
    text: str
    kind: str
    gold: frozenset[str]
    answer: str = ""
    passages: Mapping[str, str] = field(default_factory=dict)
    messages: Sequence[Mapping[str, str]] = ()
    user_id: str | None = None


@dataclass(frozen=True, slots=True)
class Dataset:
    """`memories` by agent, in the order of the file: the file's id and the fields that the API takes."""

    memories: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]
    questions: Sequence[Question]

    @property
    def size(self) -> int:
        """How many memories all agents have together."""
        return sum(map(len, self.memories.values()))

    def only(self, kinds: Sequence[str], *, without_gold: bool = False) -> "Dataset":
        """The data set with only the questions of these kinds; without kinds, all but the unanswerable ones.

        Turns that need no memory stay only where they are measured (`without_gold`).
        """
        chosen = [one for one in self.questions if (one.kind in kinds if kinds else one.kind != UNANSWERABLE)]
        return Dataset(self.memories, [one for one in chosen if one.gold or without_gold])

    def spread(self, most: int) -> "Dataset":
        """The data set with at most so many of the questions, at equal distances in the file.

        Where each question has an agent of its own, the other agents are left out.
        """
        count = len(self.questions)
        if count <= most:
            return self
        chosen = [self.questions[place * count // most] for place in range(most)]
        own = len({one.agent for one in self.questions}) == count
        agents = {one.agent for one in chosen} if own else set(self.memories)
        return Dataset({agent: lines for agent, lines in self.memories.items() if agent in agents}, chosen)


def read(paths: Sequence[Path]) -> Dataset:
    """Reads files, or every `.jsonl` file of a folder: lines with a question are questions, all others memories.

    A `.json` file is one of LongMemEval.
    """
    memories: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
    questions: list[Question] = []
    for path in _files(paths):
        if path.suffix == ".json":
            _add_instances(path, memories, questions)
            continue
        for place, line in _lines(path):
            text = next((line[name] for name in _QUESTION if name in line), None)
            agent = str(line.get("agent") or line.get("agent_id") or "")
            if text is None:
                memories.setdefault(agent, []).append(_memory(place, line))
            else:
                gold = next((line[name] for name in _GOLD if name in line), None)
                if not isinstance(text, str) or not isinstance(gold, list):
                    raise DatasetError(f"{place}: a question needs its text and a list of gold ids")
                kind, answer = str(line.get("kind") or "unnamed"), line.get("answer")
                right = "" if answer is None else str(answer)
                questions.append(
                    Question(
                        agent,
                        text,
                        kind,
                        frozenset(map(str, gold)),
                        right,
                        _passages(place, line),
                        _messages(place, line),
                        _user_id(place, line),
                    )
                )
    _require_known(memories, questions)
    return Dataset(memories, questions)


def _add_instances(
    path: Path, memories: dict[str, list[tuple[str, Mapping[str, Any]]]], questions: list[Question]
) -> None:
    try:
        for one in longmemeval.read(path):
            memories[one.agent] = [_memory(path.name, turn) for turn in one.turns]
            questions.append(Question(one.agent, one.question, one.kind, frozenset(one.gold), one.answer))
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(f"{path.name} is not a file of LongMemEval: {type(error).__name__} {error}") from error


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(path.glob("*.jsonl"))
        elif path.is_file():
            yield path
        else:
            raise DatasetError(f"there is no file {path}")


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for number, text in enumerate(file, start=1):
            place = f"{path.name}, line {number}"
            try:
                line = json.loads(text) if text.strip() else {}
            except ValueError as error:
                raise DatasetError(f"{place}: {error}") from error
            if not isinstance(line, dict):
                raise DatasetError(f"{place} is not a JSON object")
            if line:
                yield place, line


def _memory(place: str, line: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    fields = {_RENAMED.get(name, name): value for name, value in line.items() if value not in (None, "")}
    identifier = fields.pop("id", None)
    fields.pop("agent_id", None)
    if identifier is None or not isinstance(fields.get("content"), str):
        raise DatasetError(f"{place}: a memory needs an id and its content")
    return str(identifier), fields


def _passages(place: str, line: Mapping[str, Any]) -> Mapping[str, str]:
    passages = line.get("passages") or {}
    if not isinstance(passages, dict) or not all(isinstance(text, str) for text in passages.values()):
        raise DatasetError(f"{place}: `passages` has a text for each id of a memory")
    return passages


def _messages(place: str, line: Mapping[str, Any]) -> Sequence[Mapping[str, str]]:
    messages = line.get("messages") or []
    if not isinstance(messages, list) or not all(_is_message(message) for message in messages):
        raise DatasetError(f"{place}: `messages` is a list of messages with a text as `role` and one as `content`")
    return messages


def _user_id(place: str, line: Mapping[str, Any]) -> str | None:
    user_id = line.get("user_id")
    if user_id is not None and (not isinstance(user_id, str) or not user_id.strip()):
        raise DatasetError(f"{place}: `user_id` is the name of the end user who asks; leave it out for nobody")
    return user_id


def _is_message(message: object) -> bool:
    return isinstance(message, dict) and all(isinstance(message.get(name), str) for name in ("role", "content"))


def _require_known(memories: Mapping[str, Sequence[tuple[str, Any]]], questions: Sequence[Question]) -> None:
    if not memories or not questions:
        raise DatasetError("both memories and questions are needed: name two files, or a folder with them")
    known = {agent: {identifier for identifier, _ in lines} for agent, lines in memories.items()}
    for question in questions:
        if unknown := question.gold - known.get(question.agent, set()):
            raise DatasetError(
                f"“{question.text}”: agent {question.agent or 'without a name'} has no memory {min(unknown)}"
            )
