"""Questions with one or two right memories, among 300 memories of a small hotel's assistant, and turns that need none.

`memories.tsv` has an id and a memory a line: guests, staff, rules of the house, suppliers, repairs, events, places, and
a little small talk. `questions.tsv` has a kind, the ids of all memories that answer, and the question; a line without
ids is a turn that needs nothing. All were written by hand.
`python -m benchmarks.precision FOLDER` writes it as JSON Lines for `remembrancer eval FOLDER --budgets 2000`; `--half`
chooses the turns on which figures are chosen, or those on which they are confirmed.

Kinds of questions: `plain` (in the memory's words), `reworded`, `person` (by a role: the owner, the chef), `nameless`
(what is asked for has no name), `two-part` (two memories answer).
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import labelled

FOLDER = Path(__file__).parent
AGENT = "hotel"


def memories() -> Iterator[dict[str, Any]]:
    """The hotel's memories, in the order of their creation."""
    yield from labelled.memories(
        AGENT, [(identifier, text) for identifier, text in labelled.rows(FOLDER / "memories.tsv")]
    )


def lines(half: str = "") -> Iterator[dict[str, Any]]:
    """The set as `remembrancer eval` reads it, with all turns or those of one half."""
    yield from memories()
    turns = list(labelled.rows(FOLDER / "questions.tsv"))
    for (kind, gold, text), own in zip(turns, labelled.halves(kind for kind, _, _ in turns), strict=True):
        if half in ("", own):
            ids = gold.split(",") if gold else []
            yield {"agent": AGENT, "question": text, "kind": kind, "half": own, "gold": ids}


def main() -> None:
    """Writes `precision.jsonl` into the folder."""
    labelled.write("precision", __doc__, lines)
