"""The timings of an assembly: all sources on one time axis, with the deadline marked."""

from collections.abc import Callable, Mapping
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from local.demonstration.bars import interval
from local.demonstration.words import SOURCES

STATUSES = {"timeout": "too late", "error": "failed", "skipped": "not asked"}
Span = Callable[[float, float, str], Text]
AFTERWARDS = ("score", "pack", "format")
COLUMNS_BESIDE = 45
SEARCHES = ("hot", "cold", "lexical")


def render(metadata: Mapping[str, Any], deadline_ms: float, width: int) -> Group:
    """One row per source, then the later steps, then the total; `width` is the width of the screen."""
    timings = metadata["timings_ms"]
    total = float(timings["total"])
    axis = max(deadline_ms, total) * 1.04
    cells = max(width - COLUMNS_BESIDE, 12)

    def bar(start: float, length: float, style: str) -> Text:
        return interval(start, length, axis, cells, style=style, mark=deadline_ms)

    table = Table.grid(padding=(0, 1))
    table.add_column(width=20)
    table.add_column(width=cells)
    table.add_column(justify="right", width=9)
    table.add_column(width=11)
    table.add_row("", _scale(axis, deadline_ms, cells), "", "")
    for name, label in SOURCES.items():
        if source := metadata["sources"].get(name):
            table.add_row(label, *_source(name, source, bar, cells))
    after = sum(float(timings.get(stage, 0)) for stage in AFTERWARDS)
    table.add_row("weigh and pack", bar(max(total - after, 0), after, "yellow"), f"{after:.1f} ms", "")
    table.add_row(Text("altogether", "bold"), bar(0, total, "bold"), Text(f"{total:.1f} ms", "bold"), "")
    return Group(table)


def _source(name: str, source: Mapping[str, Any], bar: Span, cells: int) -> tuple[Text, str, Text]:
    status = str(source["status"])
    latency = float(source.get("latency_ms", 0))
    if status == "skipped":
        return Text("·" * cells, "dim"), "", Text(STATUSES[status], "dim")
    drawn = bar(float(source.get("started_ms", 0)), latency, "cyan" if status == "ok" else "red")
    if status == "ok":
        found = f"{source.get('count', 0)} found" if name in SEARCHES else ""
        return drawn, f"{latency:.1f} ms", Text(found, "dim")
    return drawn, f"{latency:.1f} ms", Text(STATUSES.get(status, status), "red")


def _scale(axis: float, deadline_ms: float, cells: int) -> Text:
    """Labels at each tenth millisecond that do not overlap the deadline's label."""
    line = [" "] * cells
    mark = min(int(deadline_ms / axis * cells), cells - 1)
    caption = f"{deadline_ms:g}"
    step = 10 if axis <= 80 else 10 * round(axis / 40)
    for tick in range(0, int(axis) + 1, step):
        place, figure = int(tick / axis * cells), str(tick)
        if place + len(figure) + 1 < mark - len(caption) // 2 or place > mark + len(caption):
            line[place : place + len(figure)] = figure
    start = max(min(mark - len(caption) // 2, cells - len(caption)), 0)
    line[start : start + len(caption)] = caption
    return Text("".join(line)[:cells], "dim")
