"""Draws the pictures of the documents from the result files: `make plots`.

Without a result file its picture stays as it is. Tests check that each picture is that of its result file.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks import evidence_curve, figures, svg
from benchmarks.endurance_plot import endurance
from benchmarks.fleet import MILLION_A_MONTH
from benchmarks.load import points_of, predicted
from benchmarks.svg import IMAGES, Area, Scale

WIDTH = 760
DEADLINE_MS = 48
_TIERS = {"map": ("own", "under", "dot", -5.0), "postgres": ("second", "under2", "dot2", 5.0)}
"""The classes of a line, of its floor and of its points; how far they stand from the other tier's."""
_FLOORS = {"map": "floor of a map", "postgres": "floor of Postgres"}
_NAMES = {"map": "map", "postgres": "Postgres"}
_STAGES = {
    "credential": "credential",
    "directive": "directive, counters",
    "hot": "hot set",
    "embed": "embedding",
    "cold": "search by meaning",
    "lexical": "search by words",
    "graph": "relations",
    "budget": "token budget",
    "score": "scores",
    "pack": "packing",
    "format": "formatting",
}


def main() -> None:
    """Writes every picture whose result file is there."""
    evidence_curve.main([])
    for name, drawn in current():
        (IMAGES / name).write_text(drawn, encoding="utf-8")


def write(name: str) -> None:
    """Writes this picture, whose result file is there."""
    (IMAGES / name).write_text(dict(current())[name], encoding="utf-8")


def latency(result: Mapping[str, Any]) -> str:
    """Assembly over the memories of the agent, by the source that answers, with its lower bound; one caller."""
    rows: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in sorted(result["rows"], key=lambda one: one["memories"]):
        if row["callers"] == 1 and row["tier"] in _TIERS:
            rows[row["tier"]].append(row)
    sizes = sorted({row["memories"] for known in rows.values() for row in known})
    ticks = svg.steps(max(row["stages_ms"]["total"]["p99"] for known in rows.values() for row in known))
    area = Area(56, 58, WIDTH - 160, 372)
    x = Scale(sizes[0], sizes[-1], area.left + 20, area.right - 20, logarithmic=True)
    y = Scale(0, ticks[-1], area.bottom, area.top)
    lines = [
        *svg.rows(y, ticks, area),
        *svg.columns(x, sizes, area),
        svg.text(area.left - 40, 30, "Assembly in the function, ms: median, and from it up to p99", kind="head"),
        svg.text(area.left, area.bottom + 42, "memories of the agent (log scale), one caller", kind="quiet"),
    ]
    ends = []
    for tier, known in rows.items():
        kind, under, dot, beside = _TIERS[tier]
        points = [(x(row["memories"]) + beside, y(row["stages_ms"]["total"]["p50"])) for row in known]
        floor = [(x(row["memories"]) + beside, y(row["floor_ms"]["p50"])) for row in known]
        lines += [svg.path(f"line {under}", floor), svg.path(f"line {kind}", points)]
        for (place, middle), row in zip(points, known, strict=True):
            lines += svg.spread(f"line {kind} thin", place, middle, y(row["stages_ms"]["total"]["p99"]))
            lines.append(svg.dot(dot, place, middle))
        ends += [(*points[-1], _NAMES[tier]), (*floor[-1], _FLOORS[tier])]
    told = "; ".join(
        f"{_NAMES[tier]} at {row['memories']:,} memories {row['stages_ms']['total']['p50']:.1f} ms, floor "
        f"{row['floor_ms']['p50']:.1f}"
        for tier, known in rows.items()
        for row in known
    )
    title = "Latency of assembly over the agent's memories"
    return svg.picture(title, f"Medians: {told}.", WIDTH, 430, [*lines, *svg.names(ends)])


def waterfall(result: Mapping[str, Any]) -> str:
    """When each stage of an assembly starts and ends, at the median of many; empty where it was not measured."""
    measured = result["systems"].get("remembrancer", {}).get("waterfall", {})
    if not measured.get("stages"):
        return ""
    stages = sorted(
        ((name, stage) for name, stage in measured["stages"].items() if name in _STAGES),
        key=lambda one: (one[1]["started_ms"], one[1]["ms"]),
    )
    area = Area(170, 52, WIDTH - 40, 52 + 26 * len(stages))
    ticks = svg.steps(measured["total_ms"], most=8)
    x = Scale(0, ticks[-1], area.left, area.right)
    lines = [
        svg.text(16, 30, "One assembly, ms from the event to the answer (medians)", kind="head"),
        *svg.columns(x, ticks, area),
    ]
    for place, (name, stage) in enumerate(stages):
        top = area.top + 26 * place
        start, end = x(stage["started_ms"]), x(stage["started_ms"] + stage["ms"])
        kind = "bar" if name in {"embed", "cold", "lexical", "hot", "directive", "credential", "graph"} else "bar2"
        lines.append(svg.text(area.left - 12, top + 18, _STAGES[name], anchor="end"))
        lines.append(svg.rectangle(kind, start, top + 6, end - start, 16))
        label, beside = f"{stage['ms']:.1f}", end + 44 < area.right
        lines.append(
            svg.text(
                end + 6 if beside else start - 6, top + 18, label, anchor="start" if beside else "end", kind="quiet"
            )
        )
    total = x(measured["total_ms"])
    lines.append(svg.line("limit", total, area.top - 6, total, area.bottom))
    lines.append(svg.text(total - 6, area.top - 8, f"answer {measured['total_ms']:.1f}", anchor="end", kind="quiet"))
    lines += svg.legend([("bar", "sources, at the same time"), ("bar2", "composing")], 16, area.bottom + 46)
    told = "; ".join(f"{_STAGES[name]} from {one['started_ms']:.1f} for {one['ms']:.1f}" for name, one in stages)
    return svg.picture("Waterfall of one assembly", f"Milliseconds: {told}.", WIDTH, int(area.bottom + 64), lines)


def faults(result: Mapping[str, Any]) -> str:
    """The median and p99 of assembly with each broken source, answered by Postgres and by a map."""
    cases: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = defaultdict(dict)
    of_one_server = [case for case in result["cases"] if case["cache"] == "server"]
    for case in of_one_server:
        cases[case["source"], case["fault"]][case["tier"]] = case
    row = 32
    area = Area(150, 74, WIDTH - 40, 74 + row * len(cases))
    ticks = svg.steps(max(DEADLINE_MS, *(case["ms"]["p99"] for case in of_one_server)))
    x = Scale(0, ticks[-1], area.left, area.right)
    lines = [
        svg.text(16, 30, "Assembly with a broken source, ms: median, and from it up to p99", kind="head"),
        *svg.columns(x, ticks, area),
    ]
    for place, ((source, fault), tiers) in enumerate(cases.items()):
        top = area.top + row * place
        name = "nothing broken" if source == "none" else f"{_source(source)}: {fault}"
        lines.append(svg.text(area.left - 12, top + 20, name, anchor="end"))
        for tier, kind, offset in (("map", "bar", 5), ("postgres", "bar2", 17)):
            if tier in tiers:
                ms = tiers[tier]["ms"]
                lines.append(svg.rectangle(kind, area.left, top + offset, x(ms["p50"]) - area.left, 10))
                lines.append(svg.line("whisker", x(ms["p50"]), top + offset + 5, x(ms["p99"]), top + offset + 5))
                lines.append(svg.line("whisker", x(ms["p99"]), top + offset + 1, x(ms["p99"]), top + offset + 9))
    lines.append(svg.line("limit", x(DEADLINE_MS), area.top - 4, x(DEADLINE_MS), area.bottom))
    lines.append(svg.text(x(DEADLINE_MS), area.top - 10, f"deadline {DEADLINE_MS}", anchor="middle", kind="quiet"))
    lines += svg.legend([("bar", "answered by a map"), ("bar2", "answered by Postgres")], 16, 54)
    late = sum(case["ms"]["p99"] > DEADLINE_MS for case in result["cases"])
    told = f"{len(result['cases'])} cases; p99 is over {DEADLINE_MS} ms in {late}."
    return svg.picture("Assembly with broken sources", told, WIDTH, int(area.bottom + 36), lines)


def peers(result: Mapping[str, Any]) -> str:
    """The median and p99 of a question for ten memories beside those of others, and the recall of the ten."""
    bars = _peer_bars(result)
    row = 30
    area = Area(216, 66, WIDTH - 130, 66 + row * len(bars))
    ticks = svg.steps(max(ms["p99"] for _, ms, _, _ in bars))
    x = Scale(0, ticks[-1], area.left, area.right)
    others = result["settings"]["others"]
    lines = [
        svg.text(
            16, 30, f"Ten memories for a question, beside {others:,} of others, ms: median, up to p99", kind="head"
        ),
        *svg.columns(x, ticks, area),
        svg.text(WIDTH - 24, area.top - 10, "recall@10", anchor="end", kind="quiet"),
    ]
    for place, (name, ms, recall, own) in enumerate(bars):
        top = area.top + row * place
        lines.append(svg.text(area.left - 12, top + 20, name, anchor="end"))
        lines.append(svg.rectangle("bar" if own else "bar3", area.left, top + 8, x(ms["p50"]) - area.left, 14))
        lines.append(svg.line("whisker", x(ms["p50"]), top + 15, x(ms["p99"]), top + 15))
        lines.append(svg.line("whisker", x(ms["p99"]), top + 10, x(ms["p99"]), top + 20))
        lines.append(svg.text(WIDTH - 24, top + 20, f"{recall:.2f}", anchor="end"))
    told = "; ".join(f"{name} {ms['p50']:.1f} ms at the median, recall {recall:.2f}" for name, ms, recall, _ in bars)
    return svg.picture("Comparison with other memories on Postgres", told, WIDTH, int(area.bottom + 36), lines)


def _peer_bars(result: Mapping[str, Any]) -> Sequence[tuple[str, Mapping[str, float], float, bool]]:
    bars = []
    for name, system in result["systems"].items():
        title, measured = system["title"].replace("`", ""), system["beside"]["query"]
        if name == "remembrancer":
            bars.append((f"{title}, function", measured["function_ms"], measured["recall@10"], True))
            bars.append((f"{title}, door", measured["ms"], measured["recall@10"], True))
        else:
            bars.append((_short(title), measured["ms"], measured["recall@10"], False))
    return bars


def _short(title: str) -> str:
    """The library's name without that of its class."""
    return title.partition(" ")[0]


def _source(name: str) -> str:
    return {"redis": "Redis", "postgres": "Postgres"}.get(name, name)


def load(result: Mapping[str, Any]) -> str:
    """Answers in time over the rate of one process: whole ones, and all, with admission and without; and simulated."""
    found = result["places"]["process"]
    area = Area(56, 58, WIDTH - 190, 372)
    ticks = svg.steps(max(row["rate"] for row in found["after"]), most=8)
    x, y = Scale(0, ticks[-1], area.left, area.right), Scale(0, 1, area.bottom, area.top)
    curves = {
        "whole, with": ("line own", "dot", points_of(found["after"]), "whole"),
        "all, with": ("line under", "", points_of(found["after"]), "in_time"),
        "whole, without": ("line second", "dot2", points_of(found["before"]), "whole"),
        "whole, simulated": ("line", "", predicted(result, "after"), "whole"),
    }
    lines = [
        *svg.rows(y, [0, 0.25, 0.5, 0.75, 1], area, form=".0%"),
        *svg.columns(x, ticks, area),
        svg.text(area.left - 40, 30, "Answers in time, with admission and without; one process", kind="head"),
        svg.text(area.left, area.bottom + 42, "requests a second, at random times", kind="quiet"),
    ]
    ends = []
    for name, (kind, dot, points, share) in curves.items():
        places = [(x(point.rate), y(getattr(point, share))) for point in points]
        lines.append(svg.path(kind, places))
        lines += [svg.dot(dot, *place) for place in places if dot]
        ends.append((*places[-1], name))
    told = "; ".join(
        f"{name} {getattr(points[-1], share):.0%} at {points[-1].rate:g} a second"
        for name, (_, _, points, share) in curves.items()
    )
    return svg.picture("Assembly under load", told, WIDTH, 430, [*lines, *svg.names(ends)])


def fleet(result: Mapping[str, Any]) -> str:
    """Dollars of a million assemblies for each fleet, by what they pay for."""
    rows = result["fleets"]
    height = 30
    area = Area(230, 66, WIDTH - 90, 66 + height * len(rows))
    bars = [
        (f"{row['rate']:,}, {row['kind']}", [one / row["rate"] / MILLION_A_MONTH for one in row["dollars"].values()])
        for row in rows
    ]
    ticks = svg.steps(max(sum(parts) for _, parts in bars))
    x = Scale(0, ticks[-1], area.left, area.right)
    lines = [
        svg.text(16, 30, "A million assemblies, in dollars, by requests a second", kind="head"),
        *svg.columns(x, ticks, area),
    ]
    for place, (name, parts) in enumerate(bars):
        top, start = area.top + height * place, 0.0
        lines.append(svg.text(area.left - 12, top + 20, name, anchor="end"))
        for kind, part in zip(("bar", "bar2", "bar3"), parts, strict=True):
            lines.append(svg.rectangle(kind, x(start), top + 8, x(start + part) - x(start), 14))
            start += part
        lines.append(svg.text(x(start) + 8, top + 20, f"{start:.2f}"))
    lines += svg.legend([("bar", "compute, front door, logs"), ("bar2", "Redis"), ("bar3", "Postgres")], 16, 54)
    told = "; ".join(f"{name}: {sum(parts):.2f}" for name, parts in bars)
    return svg.picture("Dollars of a million assemblies", told, WIDTH, int(area.bottom + 36), lines)


Draw = Callable[[Mapping[str, Any]], str]
PICTURES: Mapping[str, tuple[str, Draw]] = {
    "assembly-latency.svg": ("assembly", latency),
    "assembly-waterfall.svg": ("peers", waterfall),
    "endurance.svg": ("endurance", endurance),
    "faults.svg": ("faults", faults),
    "peers.svg": ("peers", peers),
    "load.svg": ("load", load),
    "fleet.svg": ("fleet", fleet),
}


def current() -> Iterator[tuple[str, str]]:
    """File name and content of each picture whose result file is there."""
    for name, (result, draw) in PICTURES.items():
        read = figures.read(result)
        if read is not None and (drawn := draw(read)):
            yield name, drawn


if __name__ == "__main__":
    main()
