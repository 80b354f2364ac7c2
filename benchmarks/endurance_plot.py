"""The picture of `make endurance`: what processes, servers and queues hold over the time of the load, in panels."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks import svg
from benchmarks.svg import Area, Scale

WIDTH, HEIGHT = 380, 250
"""Of one panel."""
COLUMNS = 2
LINES = ("line own", "line second", "line under", "line under2", "line")
"""The classes of a panel's lines, in their order; names stand at their ends."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines of samples by the name that the picture shows."""

    title: str
    lines: Mapping[str, Points]


def endurance(result: Mapping[str, Any]) -> str:
    """All panels; their horizontal axis is the time in minutes."""
    panels = list(_panels(result))
    minutes = result["seconds"] / 60
    drawn = [
        line
        for place, panel in enumerate(panels)
        for line in _drawn(panel, minutes, WIDTH * (place % COLUMNS), HEIGHT * (place // COLUMNS))
    ]
    rows = -(-len(panels) // COLUMNS)
    told = "; ".join(
        f"{panel.title}: "
        + ", ".join(f"{name} from {points[0][1]:,g} to {points[-1][1]:,g}" for name, points in panel.lines.items())
        for panel in panels
    )
    title = f"{minutes:g} minutes of mixed load, {result['requests']:,} requests"
    return svg.picture(title, told, WIDTH * COLUMNS, HEIGHT * rows, drawn)


def _panels(result: Mapping[str, Any]) -> Iterator[Panel]:
    samples = result["samples"]

    def of(*names: str, cut: str = "") -> Mapping[str, Points]:
        return {
            name.removesuffix(cut).removesuffix("Function"): points
            for name in names
            if (points := _line(samples, name))
        }

    assembly = of("AssembleFunction MB", "AssembleFunction maps MB", cut=" MB")
    yield Panel("Assembly: a process and its maps, MB", {_of_assembly(name): assembly[name] for name in assembly})
    others = [f"{name}Function MB" for name in ("Query", "Memories", "Embed", "SideEffects", "Maintain")]
    yield Panel("The other functions: a process, MB", _short(of(*others), " MB"))
    yield Panel("Connections of an instance", of("Postgres connections", "Redis connections", cut=" connections"))
    files = [f"{name}Function files" for name in ("Assemble", "Query", "Memories", "Embed", "SideEffects")]
    yield Panel("Open files of a process", _short(of(*files), " files"))
    yield Panel("Redis: keys, and MB", of("Redis keys", "Redis MB"))
    yield Panel("Postgres: tables and indexes, MB", of("tables MB", "indexes MB", cut=" MB"))
    queued = [name for name in samples[-1] if name.endswith("Queue messages") and "DeadLetter" not in name]
    yield Panel(
        "Messages in queues; oldest work, s",
        {**_short(of(*sorted(queued)), "Queue messages"), "oldest, s": _line(samples, "oldest without a vector s")},
    )
    yield Panel("p99 by request, ms", {kind: _parts(result, values) for kind, values in result["p99_ms"].items()})


def _of_assembly(name: str) -> str:
    return "maps" if "maps" in name else "process"


def _short(lines: Mapping[str, Points], cut: str) -> Mapping[str, Points]:
    return {name.removesuffix(cut).removesuffix("Function"): points for name, points in lines.items()}


def _line(samples: Sequence[Mapping[str, float]], name: str) -> Points:
    return [(one["seconds"] / 60, one[name]) for one in samples if name in one]


def _parts(result: Mapping[str, Any], values: Sequence[float | None]) -> Points:
    minutes = result["seconds"] / 60 / len(values)
    return [(minutes * (place + 0.5), value) for place, value in enumerate(values) if value is not None]


def _drawn(panel: Panel, minutes: float, left: float, top: float) -> Iterator[str]:
    area = Area(left + 58, top + 44, left + WIDTH - 92, top + HEIGHT - 34)
    ticks = svg.steps(
        max((value for points in panel.lines.values() for _, value in points), default=1.0) or 1.0, most=4
    )
    x, y = Scale(0, minutes, area.left, area.right), Scale(0, ticks[-1], area.bottom, area.top)
    yield svg.text(left + 16, top + 26, panel.title, kind="head")
    yield from svg.rows(y, ticks, area)
    yield from svg.columns(x, [tick for tick in svg.steps(minutes, most=4) if tick <= minutes], area, " min")
    ends = []
    for kind, (name, points) in zip((LINES * 2), panel.lines.items(), strict=False):
        if points:
            places = [(x(when), y(value)) for when, value in points]
            yield svg.path(f"{kind} thin", places)
            ends.append((area.right - 4, places[-1][1], name))
    # Names of lines that lie together at the bottom stand above each other, within the panel.
    lowest_first = sorted(ends, key=lambda end: -end[1])
    within = [
        (right, min(end, area.bottom - 15 * place), name) for place, (right, end, name) in enumerate(lowest_first)
    ]
    yield from svg.names(within, height=14)
