"""Draws the curve of `remembrancer eval --budgets … --json` as SVG: evidence in the context over injected tokens.

`python -m benchmarks.evidence_curve` reads `benchmarks/results/evidence.json`, and writes
`docs/images/evidence-curve.svg` and the table of `docs/evaluation.md`.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import figures, svg
from benchmarks.figures import RESULTS
from benchmarks.svg import Area, Scale

PAGE = Path(__file__).parents[1] / "docs" / "evaluation.md"
PICTURE = svg.IMAGES / "evidence-curve.svg"
WIDTH, HEIGHT = 720, 400
AREA = Area(56, 28, WIDTH - 150, HEIGHT - 48)
TICKS = (250, 500, 1_000, 2_000, 4_000, 8_000)
X = Scale(TICKS[0], TICKS[-1], AREA.left, AREA.right, logarithmic=True)
Y = Scale(0.0, 1.0, AREA.bottom, AREA.top)


@dataclass(frozen=True, slots=True)
class Point:
    """Mean tokens of the injected text, share of the evidence in it, and the confidence interval of that share."""

    tokens: float
    share: float
    low: float
    high: float


def main(given: Sequence[str] | None = None) -> None:
    """Writes the picture and the table; nothing without a result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--result", type=Path, default=RESULTS / "evidence.json")
    parser.add_argument("--picture", type=Path, default=PICTURE)
    arguments = parser.parse_args(given)
    result = json.loads(arguments.result.read_text(encoding="utf-8"))
    arguments.picture.write_text(drawn(result), encoding="utf-8")
    if arguments.picture == PICTURE:
        figures.document("evidence", table(result), page=PAGE)


def drawn(result: Mapping[str, Any]) -> str:
    """The SVG of a result: the curve of assembly beside those of the baselines."""
    curves = {"assembly": points(result["curve"])}
    curves |= {name: points(curve) for name, curve in result["baselines"].items()}
    own = curves["assembly"]
    told = "; ".join(f"{point.share:.3f} at {point.tokens:.0f} tokens" for point in own)
    lines = [
        *svg.rows(Y, (0.0, 0.25, 0.5, 0.75, 1.0), AREA, form=".0%"),
        *(svg.text(X(tokens), AREA.bottom + 18, f"{tokens:,}", anchor="middle", kind="quiet") for tokens in TICKS),
        svg.area("band", [(X(one.tokens), Y(one.high)) for one in own], [(X(one.tokens), Y(one.low)) for one in own]),
        *(svg.path(f"line{' own' * (name == 'assembly')}", _places(curve)) for name, curve in curves.items()),
        *(svg.dot("dot", *place) for place in _places(own)),
        # The oracle needs fewer tokens than the axis shows: its line is a point.
        *(svg.dot("bar3", *_places(curve)[-1]) for name, curve in curves.items() if name != "assembly" and curve),
        *svg.names((*_places(curve)[-1], name) for name, curve in curves.items() if curve),
        svg.text(AREA.left, HEIGHT - 12, "tokens of the injected text (mean, log scale)", kind="quiet"),
    ]
    description = f"Mean share of the evidence that assembly injects: {told}."
    return svg.picture("Evidence in the context by injected tokens", description, WIDTH, HEIGHT, lines)


def table(result: Mapping[str, Any]) -> list[str]:
    """The figures of each budget as Markdown."""
    kinds = sorted({kind for point in result["curve"].values() for kind in point["by_kind"]} - {"all"})
    lines = [
        f"| budget | evidence (95 %) | all of it (95 %) | {' | '.join(kinds)} | tokens | memories | incomplete "
        "| newest first |",
        "|---|---|---|" + "---|" * (len(kinds) + 4),
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
            f"{point['incomplete']:.1%}",
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


def _places(curve: Sequence[Point]) -> list[tuple[float, float]]:
    return [(X(one.tokens), Y(one.share)) for one in curve]


if __name__ == "__main__":
    main()
