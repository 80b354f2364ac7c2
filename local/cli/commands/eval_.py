"""Measure retrieval on questions with known evidence, through the service's own API.

FILE is a folder, or JSON Lines files of memories (`id`, `content`; `agent`, `session`, `created_at`, `context` and
whatever else the API takes) and of questions (`question`, `gold`: ids of memories; `agent`, `kind`).

`--budgets 500,1000,2000,4000` prints how much of the evidence reaches the context within each budget of tokens.

Everything is written into a scratch stack of its own that is gone afterwards, unless `--keep` names a folder for it,
or, with `--running`, into new agents of the service that is running.

With `--capture` the memories are said, too: each is a message of a conversation, and what the service remembers of it
is examined beside what was written.
"""

import asyncio
import contextlib
import tempfile
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from rich.table import Table

from local import dev_env
from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, service
from local.cli.terminal import Terminal
from local.evaluation import baselines, curves, dataset, examination, frozen, kept
from local.evaluation.dataset import Dataset, DatasetError
from local.evaluation.examinee import ExaminationError, Examinee
from local.stack import Stack, StackSettings, chosen_settings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.directory import configure_organization
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS

# What one question uses must not help or hinder the next.
IDLE = frozenset({"SideEffectsFunction"})
MOST_RESULTS = 50
LEARNED = "learned.json"
CAPTURED = "captured.json"
TOKENIZER = "o200k_base"
MODELS = StackSettings().models
_TIMEOUT_SECONDS = 30.0
_START_SECONDS = 60.0
"""Of one function: how fast it starts is not examined."""


def add_arguments(parser: ArgumentParser) -> None:
    """Arguments of `eval`."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    parser.add_argument("--kinds", default="", help="of questions, with commas; else all but adversarial ones")
    parser.add_argument("--k", type=int, default=MOST_RESULTS, help="results of a query, at most 50")
    parser.add_argument("--depth", type=int, help="of graph traversal, 1 to 3")
    parser.add_argument("--tier", choices=("low", "medium", "high"), help="of every query")
    parser.add_argument(
        "--weight", type=_assignment, action="append", default=[], metavar="FACTOR=NUMBER", help="can be repeated"
    )
    parser.add_argument("--assembly", action="store_true", help="evidence in the assembled context instead")
    parser.add_argument("--memory-tokens", type=int, default=1500, help="the budget of --assembly")
    parser.add_argument(
        "--budgets", type=_budgets, default=(), metavar="N,N", help="assembly at each of these budgets, as a curve"
    )
    parser.add_argument(
        "--pause-ms", type=float, default=25.0, help="between questions, for what follows a response on the same cores"
    )
    parser.add_argument(
        "--setting", type=_assignment, action="append", default=[], metavar="NAME=VALUE", help="of the scratch stack"
    )
    parser.add_argument(
        "--language", choices=tuple(STOP_WORDS), action="append", default=[], help="of the memories; can be repeated"
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the scratch stack there; another run then only asks",
    )
    parser.add_argument("--capture", action="store_true", help="memories that the service makes of conversations, too")
    parser.add_argument("--running", action="store_true", help="examine the service that is running; --url says so too")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when every question was asked."""
    kinds = [kind for kind in arguments.kinds.split(",") if kind]
    try:
        data = dataset.read(arguments.files).only(kinds, without_gold=bool(arguments.budgets))
    except DatasetError as error:
        raise CommandError(str(error)) from error
    if not data.questions:
        raise CommandError("there is no question of these kinds")
    if arguments.keep and (arguments.running or arguments.url):
        raise CommandError("--keep is for a scratch stack: leave out --running and --url")
    if arguments.language and (arguments.running or arguments.url):
        raise CommandError("--language is for a scratch stack: `configure` sets languages of a running service")
    if arguments.budgets and arguments.capture:
        raise CommandError("--budgets is for written memories: leave out --capture")
    options = _options(arguments)
    weights = frozen.weights_hash(MODELS, options, {**chosen_settings(), **dict(arguments.setting)})
    try:
        written, *captured = await _examined(arguments, data, terminal)
    except ExaminationError as error:
        raise CommandError(str(error)) from error
    result = {"memories": data.size, "options": options, "weights_hash": weights, **written}
    if captured:
        result["captured"] = captured[0]
    terminal.result(result)
    if not terminal.as_json:
        (_show_curve if arguments.budgets else _show)(terminal, result)
        if captured:
            terminal.say("\nMemories that the service made of the same texts, as conversations:\n")
            _show(terminal, captured[0])
            _compare(terminal, written, captured[0])
    return True


async def _examined(arguments: Namespace, data: Dataset, terminal: Terminal) -> list[dict[str, Any]]:
    """The figures of the written memories, and, if asked for, those of the captured ones."""
    ways = [False, True] if arguments.capture else [False]
    if arguments.running or arguments.url:
        running = service(arguments)
        async with running.client() as client:
            examinees = [Examinee(client, running.org_id, captures) for captures in ways]
            for examinee in examinees:
                await _learn(examinee, data, terminal)
            return [await _ask(arguments, examinee, data, terminal) for examinee in examinees]
    with _folder(arguments.keep) as folder:
        async with _scratch(arguments, folder, terminal) as (stack, first):
            examinees = [replace(first, captures=captures, agents={}, memories={}) for captures in ways]
            for examinee in examinees:
                learned = folder / (CAPTURED if examinee.captures else LEARNED)
                if not kept.recall(learned, data, examinee):
                    await _learn(examinee, data, terminal)
                    # The last memories are compared with the others after they got their vectors.
                    await stack.drain()
                    kept.keep(learned, data, examinee)
            return [await _ask(arguments, examinee, data, terminal) for examinee in examinees]


@contextlib.contextmanager
def _folder(chosen: Path | None) -> Iterator[Path]:
    if chosen is not None:
        chosen.mkdir(parents=True, exist_ok=True)
        yield chosen.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="remembrancer-eval-") as directory:
        yield Path(directory)


@contextlib.asynccontextmanager
async def _scratch(arguments: Namespace, folder: Path, terminal: Terminal) -> AsyncIterator[tuple[Stack, Examinee]]:
    environment = {**chosen_settings(), **dict(arguments.setting)}
    settings = StackSettings(
        directory=folder, port=0, start_seconds=_START_SECONDS, environment=environment, without=IDLE
    )
    stack = Stack(settings)
    with terminal.console.status("Starting a scratch stack") as status:
        await stack.start(status.update)
    try:
        known = await dev_env.ensure(
            folder / "dev.env", stack.url, owner_database_url=stack.owner_database_url, organization="Evaluation"
        )
        if arguments.language:
            languages = {"languages": arguments.language}
            await configure_organization(stack.owner_database_url, UUID(known.org_id), languages)
        headers = {"X-API-Key": known.api_key}
        async with httpx.AsyncClient(base_url=stack.url, headers=headers, timeout=_TIMEOUT_SECONDS) as client:
            yield stack, Examinee(client, known.org_id)
    finally:
        await stack.stop()


async def _learn(examinee: Examinee, data: Dataset, terminal: Terminal) -> None:
    with terminal.progress() as bar:
        task = bar.add_task("Saying memories" if examinee.captures else "Learning memories", total=data.size)
        await examinee.learn(data, learned=lambda count: bar.advance(task, count))


async def _ask(arguments: Namespace, examinee: Examinee, data: Dataset, terminal: Terminal) -> dict[str, Any]:
    """The figures, with the number of memories that the service has and the tokens of their texts."""
    budgets, options = arguments.budgets, _options(arguments)
    ask = examination.assemble_all if arguments.assembly else examination.ask_all
    with terminal.progress() as bar:
        task = bar.add_task("Asking", total=len(data.questions) * max(len(budgets), 1))

        async def asked() -> None:
            bar.advance(task)
            await asyncio.sleep(arguments.pause_ms / 1000)

        if budgets:
            answers = await curves.assemble_all(examinee, data.questions, budgets, options, asked=asked)
            return curves.summary(answers, _baselines(data, budgets))
        examined = await ask(examinee, data.questions, options, asked=asked)
    return {**examination.summary(examined), "stored": await _stored(examinee)}


def _baselines(data: Dataset, budgets: Sequence[int]) -> dict[str, dict[int, list[curves.Assembled]]]:
    counter = TiktokenCounter(MODELS)
    try:
        return baselines.of(data, budgets, counter)
    finally:
        counter.close()


async def _stored(examinee: Examinee) -> dict[str, int]:
    contents = [memory["content"] for agent in examinee.agents async for memory in examinee.stored(agent)]
    counter = TiktokenCounter(MODELS)
    try:
        counts = await counter.count_many(contents, TOKENIZER)
    finally:
        counter.close()
    return {"memories": len(contents), "tokens": sum(count.tokens for count in counts)}


def _options(arguments: Namespace) -> dict[str, Any]:
    """The fields of each request beside the question; unset options are left to the service."""
    try:
        weights = {name: float(value) for name, value in arguments.weight}
    except ValueError as error:
        raise CommandError(f"a weight is a number: {error}") from error
    chosen = {"weights": weights} if weights else {}
    if arguments.budgets:
        return chosen
    if arguments.assembly:
        return {**chosen, "memory_tokens": arguments.memory_tokens}
    if arguments.depth:
        chosen["traversal_depth"] = arguments.depth
    if arguments.tier:
        chosen["computation_tier"] = arguments.tier
    return {**chosen, "k": arguments.k}


def _show(terminal: Terminal, result: Mapping[str, Any]) -> None:
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
    latency, own = result["latency_ms"], result["function_ms"]
    terminal.say(
        f"A request took {latency['p50']:.1f} ms (p50), {latency['p95']:.1f} ms (p95); "
        f"the function {own['p50']:.1f} and {own['p95']:.1f} of them."
    )
    if result["degraded"]:
        terminal.say(f"{result['degraded']} answers came without one of their sources.")


def _show_curve(terminal: Terminal, result: Mapping[str, Any]) -> None:
    curve, others = result["curve"], result["baselines"]
    columns = ("budget", "evidence", "95 %", "all of it", "95 %", "tokens", "memories", *others, "p50 ms", "p95 ms")
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


def _compare(terminal: Terminal, written: Mapping[str, Any], captured: Mapping[str, Any]) -> None:
    table = Table(box=None, pad_edge=False)
    for name in ("", "written", "captured", "difference"):
        table.add_column(name, justify="right" if name else "left")
    for name, figure in written["stored"].items():
        other = captured["stored"][name]
        table.add_row(name, str(figure), str(other), f"{(other - figure) / max(figure, 1):+.1%}")
    for name, value in written["by_kind"][examination.ALL].items():
        if name != "questions":
            other = captured["by_kind"][examination.ALL][name]
            table.add_row(name, _figure(name, value), _figure(name, other), f"{other - value:+.3f}")
    terminal.console.print(table)


def _figure(name: str, value: float) -> str:
    return str(value) if name == "questions" else f"{value:.1f}" if name == "memories" else f"{value:.3f}"


def _budgets(text: str) -> tuple[int, ...]:
    try:
        budgets = tuple(sorted({int(number) for number in text.split(",")}))
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a list of numbers with commas") from error
    if budgets[0] < 1:
        raise ArgumentTypeError("a budget is at least one token")
    return budgets


def _assignment(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (name and separator):
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value
