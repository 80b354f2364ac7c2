"""Draws the curve of `remembrancer eval --budgets … --json` as SVG: evidence in the context over injected tokens.

`python -m benchmarks.evidence_curve` reads `benchmarks/results/evidence.json` (and `evidence_before.json`, if it is
there), and writes `docs/images/evidence-curve.svg` and the table of `docs/evaluation.md`.
"""

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import figures
from benchmarks.figures import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "evaluation.md"
PICTURE = Path(__file__).parents[1] / "docs" / "images" / "evidence-curve.svg"
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 56, 150, 28, 48
TICKS = (250, 500, 1_000, 2_000, 4_000, 8_000)
STYLE = """
    text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328; }
    .page { fill: #ffffff; stroke: #d1d9e0; }
    .grid { stroke: #d1d9e0; stroke-width: 1; }
    .line { fill: none; stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 5 4; }
    .own { stroke: #0969da; stroke-width: 2.5; stroke-dasharray: none; }
    .band { fill: #0969da; opacity: 0.15; }
    .dot { fill: #0969da; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; }
      .page { fill: #0d1117; stroke: #3d444d; }
      .grid { stroke: #3d444d; }
      .line { stroke: #9198a1; }
      .own { stroke: #4493f8; }
      .band, .dot { fill: #4493f8; }
    }
"""


@dataclass(frozen=True, slots=True)
class Point:
    """Mean tokens of the injected text, share of the evidence in it, and the confidence interval of that share."""

    tokens: float
    share: float
    low: float
    high: float


def main() -> None:
    """Writes the picture and the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--result", type=Path, default=RESULTS / "evidence.json")
    parser.add_argument("--before", type=Path, default=RESULTS / "evidence_before.json")
    parser.add_argument("--picture", type=Path, default=PICTURE)
    arguments = parser.parse_args()
    result = json.loads(arguments.result.read_text(encoding="utf-8"))
    before = json.loads(arguments.before.read_text(encoding="utf-8")) if arguments.before.exists() else None
    arguments.picture.write_text(drawn(result, before), encoding="utf-8")
    if arguments.picture == PICTURE:
        figures.document("evidence", table(result), page=PAGE)


def drawn(result: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> str:
    """The picture of a result; `before` adds the curve of an earlier one."""
    curves = {"assembly": points(result["curve"])}
    curves |= {"before": points(before["curve"])} if before else {}
    curves |= {name: points(curve) for name, curve in result["baselines"].items()}
    own = curves["assembly"]
    told = "; ".join(f"{point.share:.3f} at {point.tokens:.0f} tokens" for point in own)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'aria-labelledby="title description">',
            '  <title id="title">Evidence in the context by injected tokens</title>',
            f'  <desc id="description">Mean share of the evidence that assembly injects: {told}.</desc>',
            f"  <style>{STYLE}  </style>",
            f'  <rect class="page" x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="10"/>',
            *_grid(),
            _band(own),
            *(_line(name, curve) for name, curve in curves.items()),
            *(f'  <circle class="dot" cx="{_x(one.tokens):.1f}" cy="{_y(one.share):.1f}" r="3.5"/>' for one in own),
            *_labels(curves),
            f'  <text x="{LEFT}" y="{HEIGHT - 12}">tokens of the injected text (mean, log scale)</text>',
            "</svg>\n",
        ]
    )


def table(result: Mapping[str, Any]) -> list[str]:
    """The figures of each budget as Markdown."""
    kinds = sorted({kind for point in result["curve"].values() for kind in point["by_kind"]} - {"all"})
    lines = [
        f"| budget | evidence (95 %) | all of it (95 %) | {' | '.join(kinds)} | tokens | memories | newest first |",
        "|---|---|---|" + "---|" * (len(kinds) + 3),
    ]
    for budget, point in result["curve"].items():
        own, by_kind = point["by_kind"]["all"], point["by_kind"]
        newest = result["baselines"]["newest first"][budget]["by_kind"]["all"]["coverage"]
        cells = [
            f"{int(budget):,}",
            *(
                f"{own[name]:.3f} ({own[f'{name}_95'][0]:.3f}–{own[f'{name}_95'][1]:.3f})"
                for name in ("coverage", "whole")
            ),
            *(f"{by_kind[kind]['coverage']:.3f}" for kind in kinds),
            f"{own['tokens']:,.0f}",
            f"{own['memories']:.1f}",
            f"{newest:.3f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    questions = next(iter(result["curve"].values()))["by_kind"]["all"]["questions"]
    return [*lines, "", f"{questions} questions; weights `{result['weights_hash']}`."]


def points(curve: Mapping[str, Any]) -> list[Point]:
    """The points of a curve, by tokens; budgets that no question used are left out."""
    figures = [point["by_kind"]["all"] for point in curve.values()]
    found = [Point(one["tokens"], one["coverage"], *one["coverage_95"]) for one in figures if one["questions"]]
    return sorted(found, key=lambda point: point.tokens)


def _x(tokens: float) -> float:
    low, high = math.log(TICKS[0]), math.log(TICKS[-1])
    share = (math.log(max(tokens, TICKS[0])) - low) / (high - low)
    return LEFT + min(share, 1.0) * (WIDTH - LEFT - RIGHT)


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)


def _grid() -> Iterator[str]:
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield f'  <line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{_y(tick):.1f}" y2="{_y(tick):.1f}"/>'
        yield f'  <text x="{LEFT - 8}" y="{_y(tick) + 4:.1f}" text-anchor="end">{tick:.0%}</text>'
    for tokens in TICKS:
        yield f'  <text x="{_x(tokens):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{tokens:,}</text>'


def _band(curve: Sequence[Point]) -> str:
    edge = [(point.tokens, point.high) for point in curve] + [(point.tokens, point.low) for point in reversed(curve)]
    return f'  <polygon class="band" points="{_path(edge)}"/>'


def _line(name: str, curve: Sequence[Point]) -> str:
    kind = "line own" if name == "assembly" else "line"
    return f'  <polyline class="{kind}" points="{_path([(point.tokens, point.share) for point in curve])}"/>'


def _path(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_x(tokens):.1f},{_y(share):.1f}" for tokens, share in places)


def _labels(curves: Mapping[str, Sequence[Point]]) -> Iterator[str]:
    """A name at the end of each line, at least a line's height below the one above."""
    ends = sorted((_y(curve[-1].share), _x(curve[-1].tokens), name) for name, curve in curves.items() if curve)
    lowest = 0.0
    for height, end, name in ends:
        lowest = max(height + 4, lowest + 15)
        yield f'  <text x="{end + 10:.1f}" y="{lowest:.1f}">{name}</text>'


if __name__ == "__main__":
    main()
