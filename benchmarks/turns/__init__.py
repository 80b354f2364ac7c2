"""Turns that need a memory and turns that need none, without memories: for fitting a function of the turn's vector.

`turns.tsv` has 740 lines, written by hand: need (1 or 0), kind, half, language, and the text. 200 that need a memory
are about others or impersonal (`person`, `thing`, `group`, `told`), 180 are of the speaker (`first`) or requests that a
memory makes better (`request`); 360 need nothing, of fourteen kinds. No name in those that need a memory is one of
`benchmarks/silence`, and no text is in that set or in `benchmarks/precision`.

The turns that need a memory have none here. `python -m benchmarks.turns FOLDER` writes the 360 others as JSON Lines for
`remembrancer eval FOLDER --budgets 2000`, asked of the hotel of `benchmarks/precision`, which has small talk among its
memories; `--half` chooses the turns on which figures are chosen, or those on which they are confirmed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import labelled, precision

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of an end user; `language` is that of ISO 639-1."""

    needs_memory: bool
    kind: str
    half: str
    language: str
    text: str


def turns() -> Iterator[Turn]:
    """All turns, in the order of the file."""
    for need, kind, half, language, text in labelled.rows(FOLDER / "turns.tsv"):
        yield Turn(need == "1", kind, half, language, text)


def lines(half: str = "") -> Iterator[dict[str, Any]]:
    """A hotel's memories, and all turns that need nothing, or those of one half, as `remembrancer eval` reads them."""
    yield from precision.memories()
    for turn in turns():
        if not turn.needs_memory and half in ("", turn.half):
            yield {"agent": precision.AGENT, "question": turn.text, "kind": turn.kind, "half": turn.half, "gold": []}


def main() -> None:
    """Writes `turns.jsonl` into the folder."""
    labelled.write("turns", __doc__, lines)
