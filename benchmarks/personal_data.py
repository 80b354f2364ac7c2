"""How much personal data redaction finds, and how much other text it replaces by mistake, on our own labelled set.

    python -m benchmarks.personal_data          precision and recall of each kind
    python -m benchmarks.personal_data --all    and every line that is not as labelled

`data/personal_data.jsonl` has one text in each line; `{{kind:value}}` marks the values to find; all other text must
stay. A value counts as found when all of it is replaced by its own kind. Held-out lines were written after the patterns
were finished, and the patterns were not changed for them.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remembrancer.adapters.text.phone_numbers import find_phones
from remembrancer.domain.personal_data import search
from remembrancer.domain.personal_data.redaction import DEFAULT_REGION, KINDS, Redaction

LINES = Path(__file__).parent / "data" / "personal_data.jsonl"
_MARK = re.compile(r"\{\{(\w+):(.*?)\}\}", re.DOTALL)

Span = tuple[int, int, str]
Finder = Callable[[str, str], Iterable[Span]]


@dataclass(frozen=True, slots=True)
class LabelledLine:
    """A text without its marks, and the positions of the marked values."""

    text: str
    region: str
    held_out: bool
    labels: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts for one kind: found, found by mistake, missed."""

    hits: int
    mistakes: int
    misses: int

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.mistakes) if self.hits + self.mistakes else 1.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.misses) if self.hits + self.misses else 1.0


def lines() -> list[LabelledLine]:
    return [_line(json.loads(one)) for one in LINES.read_text().splitlines()]


def find(text: str, region: str) -> Sequence[Span]:
    """Finds personal data of every kind."""
    return search.find(text, Redaction(KINDS, region), find_phones)


def measure(lines: Sequence[LabelledLine], find: Finder) -> tuple[dict[str, Figures], list[LabelledLine]]:
    """Figures by kind, and the lines that are not as labelled."""
    hits: Counter[str] = Counter()
    mistakes: Counter[str] = Counter()
    misses: Counter[str] = Counter()
    wrong = []
    for line in lines:
        found = list(find(line.text, line.region))
        right = [label for label in line.labels if any(_covers(one, label) for one in found)]
        extra = [one for one in found if not any(_covers(one, label) for label in line.labels)]
        hits.update(kind for *_, kind in right)
        mistakes.update(kind for *_, kind in extra)
        misses.update(kind for *_, kind in line.labels)
        if extra or len(right) < len(line.labels):
            wrong.append(line)
    return {kind: Figures(hits[kind], mistakes[kind], misses[kind] - hits[kind]) for kind in KINDS}, wrong


def _covers(found: Span, label: Span) -> bool:
    """Whether the found span covers the whole label, and little more."""
    return (
        found[2] == label[2] and found[0] <= label[0] and found[1] >= label[1] and _length(found) <= 2 * _length(label)
    )


def _length(span: Span) -> int:
    return span[1] - span[0]


def _line(record: dict[str, Any]) -> LabelledLine:
    parts: list[str] = []
    labels: list[Span] = []
    at = length = 0
    marked = record["text"]
    for match in _MARK.finditer(marked):
        parts += [marked[at : match.start()], match[2]]
        length += match.start() - at
        labels.append((length, length + len(match[2]), match[1]))
        length += len(match[2])
        at = match.end()
    return LabelledLine(
        "".join([*parts, marked[at:]]),
        record.get("region", DEFAULT_REGION),
        bool(record.get("held_out")),
        tuple(labels),
    )


def main() -> None:
    everything = lines()
    for held_out in (False, True):
        texts = [line for line in everything if line.held_out == held_out]
        figures, wrong = measure(texts, find)
        print("Held out" if held_out else "Known to the patterns", end=": ")
        print(f"{len(texts)} lines, {sum(len(line.labels) for line in texts)} labels, {len(wrong)} not as labelled")
        print("kind   precision  recall  labels")
        for kind, one in figures.items():
            print(f"{kind:6} {one.precision:9.3f} {one.recall:7.3f} {one.hits + one.misses:7}")
        for line in wrong if "--all" in sys.argv else ():
            found = [line.text[start:end] for start, end, _ in find(line.text, line.region)]
            print(json.dumps(line.text, ensure_ascii=False), "found:", found)


if __name__ == "__main__":
    main()
