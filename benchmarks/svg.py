"""What all pictures of the documents share: the style for light and dark pages, the frame, titles, axes.

Pictures are SVG, made of the result files by `make plots` without a plotting library. A picture has its own background,
so that it can be read on pages of both kinds; colours change with the reader's scheme.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CHARACTER = 6.8
"""Width of a character of the font, on average; for the space that names need."""
STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328;
      paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
    .page { fill: #ffffff; stroke: #d1d9e0; }
    .quiet { fill: #59636e; }
    .head { font-weight: 600; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .line { fill: none; stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 5 4; }
    .own { stroke: #0969da; stroke-width: 2.5; stroke-dasharray: none; }
    .second { stroke: #bc4c00; stroke-width: 2.5; stroke-dasharray: none; }
    .thin { stroke-width: 1.5; }
    .under { stroke: #0969da; }
    .under2 { stroke: #bc4c00; }
    .band { fill: #0969da; opacity: 0.15; }
    .dot, .bar { fill: #0969da; }
    .dot2, .bar2 { fill: #bc4c00; }
    .bar3 { fill: #8c959f; }
    .limit { stroke: #cf222e; stroke-width: 1.5; stroke-dasharray: 3 3; }
    .whisker { stroke: #1f2328; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; stroke: #0d1117; }
      .page { fill: #0d1117; stroke: #3d444d; }
      .quiet { fill: #9198a1; }
      .grid { stroke: #3d444d; }
      .line { stroke: #9198a1; }
      .own, .under { stroke: #4493f8; }
      .second, .under2 { stroke: #f0883e; }
      .band, .dot, .bar { fill: #4493f8; }
      .dot2, .bar2 { fill: #f0883e; }
      .bar3 { fill: #656c76; }
      .limit { stroke: #f85149; }
      .whisker { stroke: #e6edf3; }
    }
"""


@dataclass(frozen=True, slots=True)
class Area:
    """The place of the drawing in a picture, in pixels from the top left."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to pixels, from `low` to `high`, both linear or logarithmic; values outside lie on the edge."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        """The pixel of a value."""
        low, high, value = self.low, self.high, min(max(value, self.low), self.high)
        if self.logarithmic:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return self.start + (value - low) / (high - low) * (self.end - self.start)


def picture(title: str, description: str, width: int, height: int, lines: Iterable[str]) -> str:
    """The whole file; `description` is for readers who do not see it."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            'aria-labelledby="title description">',
            f'  <title id="title">{escape(title)}</title>',
            f'  <desc id="description">{escape(description)}</desc>',
            f"  <style>{STYLE}  </style>",
            f'  <rect class="page" x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10"/>',
            *lines,
            "</svg>\n",
        ]
    )


def text(x: float, y: float, content: str, *, anchor: str = "start", kind: str = "") -> str:
    """One line of text; `y` is its base line."""
    told = f' class="{kind}"' if kind else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'  <text{told} x="{x:.1f}" y="{y:.1f}"{place}>{escape(content)}</text>'


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    """A straight line."""
    return f'  <line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def rectangle(kind: str, x: float, y: float, width: float, height: float) -> str:
    """A bar, at least half a pixel wide, so that the shortest is seen."""
    return (
        f'  <rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height:.1f}" rx="2"/>'
    )


def path(kind: str, points: Sequence[tuple[float, float]]) -> str:
    """A line through points."""
    return f'  <polyline class="{kind}" points="{places(points)}"/>'


def area(kind: str, upper: Sequence[tuple[float, float]], lower: Sequence[tuple[float, float]]) -> str:
    """The area between two lines with the same direction."""
    return f'  <polygon class="{kind}" points="{places([*upper, *reversed(lower)])}"/>'


def spread(kind: str, x: float, low: float, high: float) -> Iterator[str]:
    """A vertical line between two values, with a stroke across the higher one."""
    yield line(kind, x, low, x, high)
    yield line(kind, x - 4, high, x + 4, high)


def dot(kind: str, x: float, y: float) -> str:
    """A point of a curve."""
    return f'  <circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.5"/>'


def places(points: Sequence[tuple[float, float]]) -> str:
    """Coordinates as an attribute."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def columns(scale: Scale, ticks: Iterable[float], area: Area, unit: str = "") -> Iterator[str]:
    """Vertical grid lines with their values below."""
    for tick in ticks:
        yield line("grid", scale(tick), area.top, scale(tick), area.bottom)
        yield text(scale(tick), area.bottom + 18, f"{tick:,g}{unit}", anchor="middle", kind="quiet")


def rows(scale: Scale, ticks: Iterable[float], area: Area, *, form: str = ",g") -> Iterator[str]:
    """Horizontal grid lines with their values to the left."""
    for tick in ticks:
        yield line("grid", area.left, scale(tick), area.right, scale(tick))
        yield text(area.left - 8, scale(tick) + 4, f"{tick:{form}}", anchor="end", kind="quiet")


def names(ends: Iterable[tuple[float, float, str]], *, height: float = 15) -> Iterator[str]:
    """A name beside the end of each line (x, y, name), each at least `height` below the one above."""
    lowest = 0.0
    for y, x, name in sorted((y, x, name) for x, y, name in ends):
        lowest = max(y + 4, lowest + height)
        yield text(x + 10, lowest, name)


def legend(entries: Iterable[tuple[str, str]], x: float, y: float) -> Iterator[str]:
    """Squares with their meaning in a row."""
    for kind, meaning in entries:
        yield rectangle(kind, x, y - 10, 12, 12)
        yield text(x + 18, y, meaning)
        x += 18 + CHARACTER * len(meaning) + 24


def steps(high: float, *, most: int = 6) -> list[float]:
    """Round values from 0 to at least `high`, at most `most` intervals."""
    size = next(base * 10**power for power in range(-3, 7) for base in (1, 2, 5) if high / (base * 10.0**power) <= most)
    return [round(size * number, 6) for number in range(math.ceil(high / size - 1e-9) + 1)]
