"""The tables that `remembrancer eval` prints."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from local.cli.terminal import Terminal
from local.evaluation import curves, examination, sessions


def show(terminal: Terminal, result: Mapping[str, Any]) -> None:
    """Figures by kind of question and by agent, and times."""
    for title, groups in (("kind", result["by_kind"]), ("agent", result["by_agent"])):
        table = Table(box=None, pad_edge=False)
        table.add_column(title)
        names = list(next(iter(groups.values())))
        for name in names:
            table.add_column(name, justify="right")
        for group, figures in groups.items():
            table.add_row(group, *(_figure(name, figures[name]) for name in names))
        terminal.console.print(table)
        terminal.say("")
    if found := result.get("without_need"):
        terminal.say(
            f"{found['turns']} turns without evidence got {found['memories']:.1f} memories in the mean; "
            f"{found['silent']:.1%} of them got none."
        )
    latency, own = result["latency_ms"], result["function_ms"]
    terminal.say(
        f"A request took {latency['p50']:.1f} ms (p50), {latency['p95']:.1f} ms (p95); "
        f"the function {own['p50']:.1f} and {own['p95']:.1f} of them."
    )
    if result["degraded"]:
        terminal.say(f"{result['degraded']} answers came without one of their sources.")


def show_curve(terminal: Terminal, result: Mapping[str, Any]) -> None:
    """The evidence by budget, beside the baselines."""
    curve, others = result["curve"], result["baselines"]
    columns = (
        "budget",
        "evidence",
        "95 %",
        "all of it",
        "95 %",
        "tokens",
        "memories",
        "precision",
        *others,
        "p50 ms",
        "p95 ms",
    )
    rows = []
    for budget, point in curve.items():
        own = point["by_kind"][curves.ALL]
        compared = [f"{point['by_kind'][curves.ALL].get('coverage', 0):.3f}" for curve in others.values()]
        if not own["questions"]:
            continue
        rows.append(
            [
                budget,
                f"{own['coverage']:.3f}",
                "–".join(f"{bound:.3f}" for bound in own["coverage_95"]),
                f"{own['whole']:.3f}",
                "–".join(f"{bound:.3f}" for bound in own["whole_95"]),
                f"{own['tokens']:.0f}",
                f"{own['memories']:.1f}",
                f"{own['precision']:.3f}",
                *compared,
                f"{point['latency_ms']['p50']:.1f}",
                f"{point['latency_ms']['p95']:.1f}",
                f"{point['incomplete']:.1%}",
            ]
        )
    _print_table(terminal, (*columns, "incomplete"), rows)
    kinds = sorted({kind for point in curve.values() for kind in point["by_kind"]} - {curves.ALL})
    _print_table(
        terminal,
        ("evidence by kind (all of it)", *curve),
        [
            [kind, *(f"{at[kind]['coverage']:.3f} ({at[kind]['whole']:.3f})" for at in _kinds_of(curve))]
            for kind in kinds
        ],
    )
    _print_table(
        terminal,
        ("turns without need", "turns", "tokens", "nothing injected"),
        [
            [budget, str(found["turns"]), f"{found['tokens']:.1f}", f"{found['silent']:.1%}"]
            for budget, point in curve.items()
            if (found := point.get("without_need"))
        ],
    )
    terminal.say(f"Weights: {result['weights_hash']}")


def _kinds_of(curve: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [point["by_kind"] for point in curve.values()]


def _print_table(terminal: Terminal, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if not rows:
        return
    table = Table(box=None, pad_edge=False)
    for place, name in enumerate(columns):
        table.add_column(name, justify="right" if place else "left")
    for row in rows:
        table.add_row(*row)
    terminal.console.print(table)
    terminal.say("")


def show_sessions(terminal: Terminal, result: Mapping[str, Any]) -> None:
    """The evidence in prompts and their tokens, of one question by itself and of several in a session."""
    ways, by_turn = result["ways"], result["by_turn"]
    columns = ("questions", "evidence in the prompt", "95 %", "tokens told newly", "tokens in all", "incomplete")
    rows = [[f"{kind}, {way}", *_session_cells(ways[way][kind])] for kind in ways[sessions.ALONE] for way in ways]
    _print_table(terminal, ("", *columns), rows)
    turns = [[number, *_session_cells(figures)] for number, figures in by_turn.items()]
    _print_table(terminal, ("turn of the session", *columns), turns)
    alone, together = (ways[way][curves.ALL]["new_tokens"] for way in (sessions.ALONE, sessions.TOGETHER))
    terminal.say(f"Tokens that are told newly in a session: {together / max(alone, 1) - 1:+.1%}")


def _session_cells(figures: Mapping[str, Any]) -> list[str]:
    return [
        str(figures["questions"]),
        f"{figures['coverage']:.3f}",
        "–".join(f"{bound:.3f}" for bound in figures["coverage_95"]),
        f"{figures['new_tokens']:,.0f}",
        f"{figures['tokens']:,.0f}",
        f"{figures['incomplete']:.1%}",
    ]


def show_answers(terminal: Terminal, result: Mapping[str, Any]) -> None:
    """Accuracy by kind of question, failures and tokens."""
    answers = result["answers"]
    rows = [
        [
            kind,
            str(own["questions"]),
            f"{own['accuracy']:.3f}",
            "–".join(f"{bound:.3f}" for bound in own["accuracy_95"]),
            f"{own['coverage']:.3f}",
        ]
        for kind, own in answers["by_kind"].items()
    ]
    _print_table(terminal, ("kind", "judged", "accuracy", "95 %", "evidence in the context"), rows)
    if answers["judged_by_evidence"]:
        terminal.say(f"{answers['judged_by_evidence']} questions have no answer in the file: judged by their evidence.")
    for name in ("failures", "tokens"):
        terminal.say(f"{name.capitalize()}: {_counted(answers[name])}.")


def compare(terminal: Terminal, results: Mapping[str, Mapping[str, Any]]) -> None:
    """The figures of the first way of storing the texts, and of the others with their differences from it."""
    first, *others = results
    table = Table(box=None, pad_edge=False)
    for name in ("", first, *(column for other in others for column in (other, "difference"))):
        table.add_column(name, justify="right" if name else "left")
    for name, own in results[first]["stored"].items():
        row = [name, str(own)]
        for other in others:
            count = results[other]["stored"][name]
            row += [str(count), f"{(count - own) / max(own, 1):+.1%}"]
        table.add_row(*row)
    for name, own in results[first]["by_kind"][examination.ALL].items():
        row = [name, _figure(name, own)]
        for other in others:
            value = results[other]["by_kind"][examination.ALL][name]
            row += [_figure(name, value), f"{value - own:+.3f}"]
        if name != "questions":
            table.add_row(*row)
    terminal.console.print(table)
    for other in others:
        for name, counts in results[other].get("capture", {}).items():
            terminal.say(f"{other}, {name.replace('_', ' ')}: {_counted(counts)}.")


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in counts.items()) or "none"


def _figure(name: str, value: float) -> str:
    return str(value) if name == "questions" else f"{value:.1f}" if name == "memories" else f"{value:.3f}"
