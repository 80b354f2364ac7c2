"""Bars made of characters, readable without colour."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.columns import Columns
from rich.text import Text

FULL = "█"
EIGHTHS = " ▏▎▍▌▋▊▉"


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of segment of a stacked bar: it starts with `letter`; `gloss` is its text in the legend."""

    letter: str
    name: str
    gloss: str
    style: str


def level(share: float, width: int, style: str = "cyan") -> Text:
    """`share` of `width` cells filled, to an eighth of a cell, the rest dotted; outside [0, 1] is clamped."""
    eighths = round(min(max(share, 0.0), 1.0) * width * 8)
    filled = FULL * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")
    return Text.assemble((filled, style), ("·" * (width - len(filled)), "dim"))


def stacked(parts: Mapping[str, Part], shares: Mapping[str, float], width: int) -> Text:
    """Segments in the order of `parts`, each with its letter first; a full bar is 1. A part of no cells is left out."""
    bar = Text()
    used = 0
    total = 0.0
    for name, part in parts.items():
        total += max(shares.get(name, 0.0), 0.0)
        cells = min(round(total * width), width) - used
        if cells > 0:
            bar.append(part.letter + FULL * (cells - 1), part.style)
            used += cells
    return bar.append("·" * (width - used), "dim")


def legend(parts: Sequence[Part]) -> Columns:
    """Letter, name and gloss of each part, as many per line as fit."""
    entries = [
        Text.assemble((f"{part.letter}{FULL} ", part.style), (f"{part.name}:", "bold"), f" {part.gloss}")
        for part in parts
    ]
    return Columns(entries, padding=(0, 3))


def interval(start: float, length: float, axis: float, width: int, *, style: str, mark: float | None = None) -> Text:
    """A span on a common axis of `axis` units, at least one cell long, with `mark` drawn as a line through it."""
    first = min(int(start / axis * width), width - 1)
    last = max(first + 1, min(round((start + length) / axis * width), width))
    line = min(int(mark / axis * width), width - 1) if mark is not None else -1
    text = Text()
    for cell in range(width):
        inside = first <= cell < last
        if cell == line:
            text.append("┃" if not inside else "▐", "red")
        else:
            text.append(FULL if inside else "·", style if inside else "dim")
    return text
