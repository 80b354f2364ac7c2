"""Reads the sample from the files beside this module: one guesthouse, its assistant, a year of memories."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Person:
    """An end user of the sample's agent, with a name for the screen."""

    user_id: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class StoryLine:
    """One memory of the sample file: the API's fields, but `days_ago` counts back from the moment of loading."""

    client_ref: str
    content: str
    category: str
    source: str
    confidence: float
    importance: float
    days_ago: float
    tags: tuple[str, ...] = ()
    context: str | None = None
    summary: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    supersedes: str | None = None


@dataclass(frozen=True, slots=True)
class StoryRelation:
    """A typed edge between two memories, named by their references."""

    origin: str
    target: str
    type: str
    confidence: float


@dataclass(frozen=True, slots=True)
class AssemblyQuestion:
    """The chat that the demonstration sends; `expected` are the references that a good answer injects."""

    user_id: str
    model: str
    messages: Sequence[Mapping[str, Any]]
    options: Mapping[str, Any]
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QueryQuestion:
    """The search that the demonstration sends; `expected` are the references that a good answer returns."""

    user_id: str
    query: str
    k: int
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CaptureScene:
    """The conversation that the demonstration stores; `kept` are the numbers of the turns that become memories.

    `expected` are those of them that a good answer to `question` injects.
    """

    user_id: str
    name: str
    messages: Sequence[Mapping[str, Any]]
    kept: tuple[int, ...]
    question: str
    expected: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """The whole sample; `lines` have each superseded memory before the one that replaces it."""

    organization: str
    project: str
    about: str
    agent: str
    directive: str
    injection_mode: str
    people: tuple[Person, ...]
    lines: tuple[StoryLine, ...]
    relations: tuple[StoryRelation, ...]
    assembly: AssemblyQuestion
    query: QueryQuestion
    capture: CaptureScene

    def name_of(self, user_id: str) -> str:
        """The name of an end user for the screen."""
        return next((person.name for person in self.people if person.user_id == user_id), user_id)

    def private_to_others(self, user_id: str) -> int:
        """How many memories belong to other end users and must not be returned to this one."""
        return sum(1 for line in self.lines if line.user_id not in {None, user_id})


def read(folder: Path = FOLDER) -> Story:
    """The sample from its three files; raises KeyError or TypeError where a field is missing or unknown."""
    plan = json.loads((folder / "organization.json").read_text("utf-8"))
    assembly, query, capture = (plan["demonstration"][name] for name in ("assembly", "query", "capture"))
    return Story(
        organization=plan["organization"],
        project=plan["project"],
        about=plan["about"],
        agent=plan["agent"],
        directive=plan["directive"]["text"],
        injection_mode=plan["directive"]["injection_mode"],
        people=tuple(Person(**person) for person in plan["end_users"]),
        lines=tuple(_line(row) for row in _rows(folder / "memories.jsonl")),
        relations=tuple(
            StoryRelation(row["from"], row["to"], row["type"], row["confidence"])
            for row in _rows(folder / "relations.jsonl")
        ),
        assembly=AssemblyQuestion(**{**assembly, "expected": tuple(assembly["expected"])}),
        query=QueryQuestion(**{**query, "expected": tuple(query["expected"])}),
        capture=CaptureScene(**{**capture, "kept": tuple(capture["kept"]), "expected": tuple(capture["expected"])}),
    )


def _line(row: Mapping[str, Any]) -> StoryLine:
    return StoryLine(**{**row, "tags": tuple(row["tags"])})


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text("utf-8").splitlines()]
