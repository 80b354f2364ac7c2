"""Questions of end users about their own things, beside shared memories that sound alike, and about what is shared.

`memories.tsv` has agent, end user (empty for a shared memory), id and memory a line: a bicycle shop with three
customers, and a house of shared offices with three members. `questions.tsv` has agent, end user, kind, the id of the
memory that answers, and the question. All were written by hand.

`mine` ("What colour is my bike?") and `speaker` ("What did I order?") are about the end user; `open` asks in the first
person for what is shared ("Until when can I return something?", "May I bring my dog?"); `others` is about neither.

`python -m benchmarks.whose FOLDER` writes the set as JSON Lines for `remembrancer eval FOLDER`; `--half` chooses the
questions on which figures are chosen, or those on which they are confirmed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import labelled

FOLDER = Path(__file__).parent


def memories() -> Iterator[dict[str, Any]]:
    """Shared and own memories of each agent, mixed, in the order of their creation."""
    owners: dict[str, str] = {}
    texts: dict[str, list[tuple[str, str]]] = {}
    for agent, owner, identifier, text in labelled.rows(FOLDER / "memories.tsv"):
        owners[identifier] = owner
        texts.setdefault(agent, []).append((identifier, text))
    for agent, of_agent in texts.items():
        for memory in labelled.memories(agent, of_agent):
            owner = owners[memory["id"]]
            yield memory | ({"user_id": owner} if owner else {})


def lines(half: str = "") -> Iterator[dict[str, Any]]:
    """The set as `remembrancer eval` reads it, with all questions or those of one half."""
    yield from memories()
    questions = list(labelled.rows(FOLDER / "questions.tsv"))
    halves = labelled.halves(kind for _, _, kind, _, _ in questions)
    for (agent, user, kind, gold, text), own in zip(questions, halves, strict=True):
        if half in ("", own):
            question = {"agent": agent, "user_id": user, "question": text, "kind": kind, "half": own}
            yield question | {"gold": [gold]}


def main() -> None:
    """Writes `whose.jsonl` into the folder."""
    labelled.write("whose", __doc__, lines)
