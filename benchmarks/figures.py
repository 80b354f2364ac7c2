"""Percentiles, a description of the machine, and the files of results."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
DOCUMENT = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest rank; `values` may be unsorted and must not be empty."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def summary(values: Sequence[float]) -> dict[str, float]:
    """p50, p95 and p99, rounded to microseconds."""
    return {f"p{round(share * 100)}": round(percentile(values, share), 3) for share in (0.5, 0.95, 0.99)}


def machine() -> dict[str, Any]:
    """The machine's data that a comparison of results needs."""
    return {
        "cores": os.cpu_count(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def write(name: str, results: Mapping[str, Any]) -> Path:
    """Writes `benchmarks/results/<name>.json` and returns its path."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({"machine": machine(), **results}, indent=2) + "\n", encoding="utf-8")
    return path


def read(name: str) -> Any:
    """Reads the file that `write` wrote; None when there is none."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def document(name: str, lines: Sequence[str], *, page: Path = DOCUMENT) -> None:
    """Replaces the part of the page between `<!-- name -->` and `<!-- /name -->`."""
    text = page.read_text(encoding="utf-8")
    head, _, rest = text.partition(f"<!-- {name} -->")
    _, _, tail = rest.partition(f"<!-- /{name} -->")
    body = "\n".join(lines)
    page.write_text(f"{head}<!-- {name} -->\n{body}\n<!-- /{name} -->{tail}", encoding="utf-8")
