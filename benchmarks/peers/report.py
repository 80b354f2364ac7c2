"""The tables of a comparison, for docs/benchmarks.md."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks import figures

OURS = "remembrancer"
NAME = "peers"
"""Of the result file, and of the marks around its part of docs/benchmarks.md."""
_WATERFALL = (
    "",
    "The stages of an assembly that explains itself, in this run, each at the median of its start and of its duration:",
    "",
    "![Start and end of each stage of an assembly](images/assembly-waterfall.svg)",
)
_PATIENCE_MS = 1_000.0
"""An answer in a freeze that came so soon did not wait for its end."""


def write(result: Mapping[str, Any]) -> None:
    """Rewrites the part of docs/benchmarks.md that has these tables."""
    figures.document(NAME, tables(result))


def tables(result: Mapping[str, Any]) -> list[str]:
    """Latency and quality; real conversations; a freeze; versions and settings."""
    settings, machine = result["settings"], result["machine"]
    asked = next(iter(result["systems"].values()))["beside"]["query"]["rows_asked"]
    lines = [
        "![Median and p99 of a question for ten memories by system, with recall](images/peers.svg)",
        "",
        f"{settings['questions']} questions for {settings['k']} of an agent's {settings['memories']:,} memories, one "
        f"caller, {settings['pause_ms']:g} ms between calls; alone, and beside {settings['others']:,} memories of a "
        f"hundred other agents in the same tables. {machine['cores']} cores, {machine['architecture']}, Python "
        f"{machine['python']}, {_database(result)}. Milliseconds p50 / p95 / p99, the question's embedding included. "
        f"Missing are rows of the {asked:,} that were asked for. Import is memories a second until all can be found "
        "by meaning, embedded one at a time by the same model. Memory is the resident memory of the process that "
        "answers.",
        "",
        f"| | searches by | alone | beside {settings['others']:,} | recall@10 | MRR@10 | missing, alone / beside | "
        "stored | import a second | MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in _rows(result)),
    ]
    if settings["conversations"]:
        real = settings["conversations"]
        lines += [
            "",
            f"{real['questions']} questions about {real['memories']:,} turns of real conversations (LoCoMo, [as in "
            "the evaluation](evaluation.md)), stored beside the others:",
            "",
            "| | recall@10 | MRR@10 | missing | p50 / p95 / p99 |",
            "|---|---|---|---|---|",
            *(f"| {' | '.join(row)} |" for row in _conversations(result)),
        ]
    return [
        *lines,
        "",
        f"Postgres stands still for {settings['frozen_seconds']:g} s (SIGSTOP); a question each second from its "
        "beginning on:",
        "",
        "| | answered at once | with memories | each after, s | what answers said |",
        "|---|---|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in _freezes(result)),
        "",
        "| | versions | settings |",
        "|---|---|---|",
        *(f"| {' | '.join(row)} |" for row in _versions(result)),
        *(_WATERFALL if result["systems"].get(OURS, {}).get("waterfall", {}).get("stages") else ()),
    ]


def _database(result: Mapping[str, Any]) -> str:
    return f"Postgres {result['postgres']['postgres']} with pgvector {result['postgres']['pgvector']}"


def _latencies(name: str, system: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Ours has two: in the function, and through the local door."""
    measured = system[place]["query"]
    if name == OURS:
        yield f"{system['title']}, query, function", measured["function_ms"]
        yield f"{system['title']}, query, door", measured["ms"]
    else:
        yield system["title"], measured["ms"]


def _rows(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for name, system in result["systems"].items():
        alone, beside = system["alone"]["query"], system["beside"]["query"]
        latencies = zip(_latencies(name, system, "alone"), _latencies(name, system, "beside"), strict=True)
        for (title, ms), (_, ms_beside) in latencies:
            imported = f"{system['import']['a_second']:.0f}" if "import" in system else ""
            yield (
                title,
                "meaning" if system["searches"] == "meaning" else "meaning, words",
                _ms(ms),
                _ms(ms_beside),
                f"{beside['recall@10']:.3f}",
                f"{beside['mrr@10']:.3f}",
                f"{alone['rows_missing']:,} / {beside['rows_missing']:,}",
                f"{system['stored']:,}",
                imported,
                f"{system['rss_mb']['query']:.0f}",
            )
        if "assembly" in system["beside"]:
            for way, times in (("function", "function_ms"), ("door", "ms")):
                ours = [_ms(system[place]["assembly"][times]) for place in ("alone", "beside")]
                memory = f"{system['rss_mb']['assembly']:.0f}"
                yield (f"{system['title']}, assembly, {way}", "meaning, words", *ours, "", "", "", "", "", memory)


def _conversations(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for name, system in result["systems"].items():
        measured = system["conversations"]["query"]
        for title, ms in _latencies(name, system, "conversations"):
            yield (
                title,
                f"{measured['recall@10']:.3f}",
                f"{measured['mrr@10']:.3f}",
                f"{measured['rows_missing']:,}",
                _ms(ms),
            )


def _freezes(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for system in result["systems"].values():
        for way, answers in system["frozen"].items():
            said = dict.fromkeys(one.get("error") or one.get("said", "") for one in answers)
            yield (
                f"{system['title']}, {way}" if "assembly" in system["frozen"] else system["title"],
                f"{_soon(answers)} of {len(answers)}",
                f"{_found(answers)} of {len(answers)}",
                ", ".join(f"{one['ms'] / 1000:.2f}" for one in answers),
                "; ".join(one for one in said if one),
            )


def _soon(answers: Sequence[Mapping[str, Any]]) -> int:
    return sum(one["ms"] < _PATIENCE_MS and "error" not in one for one in answers)


def _found(answers: Sequence[Mapping[str, Any]]) -> int:
    return sum(bool(one.get("rows")) for one in answers)


def _versions(result: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    for system in result["systems"].values():
        yield (
            system["title"],
            ", ".join(f"{name} {version}" for name, version in system["versions"].items()) or "this revision",
            system["settings"],
        )


def _ms(summary: Mapping[str, float]) -> str:
    return " / ".join(f"{summary[name]:.1f}" for name in ("p50", "p95", "p99"))
