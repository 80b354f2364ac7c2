"""Measure retrieval on questions with known evidence, through the service's own API.

FILE is a folder, or JSON Lines files of memories (`id`, `content`; `agent`, `session`, `created_at`, `context` and
whatever else the API takes) and of questions (`question`, `gold`: ids of memories; `agent`, `kind`, `answer`).

`--budgets 500,1000,2000,4000` prints how much of the evidence reaches the context within each budget of tokens.

Everything is written into a scratch stack of its own that is gone afterwards, unless `--keep` names a folder for it,
or, with `--running`, into new agents of the service that is running.

With `--capture` the memories are said, too: each is a message of a conversation, and what the service remembers of it,
by rules and with a language model, is examined beside what was written. The model is a scripted one, unless `--model`
names another.

With `--assembly --session 10` ten questions of an agent follow each other in one session, beside each by itself.

With `--conversations` the files are whole conversations, in which users correct, agree, and want something forgotten:
they are played, asked about afterwards, and `--show NAME` prints what a reader needs to judge one.

With `--answers` the model of `--model` answers the questions from the assembled context, and judges the answers. Only
with `--model` is anything sent to another server.
"""

import asyncio
import contextlib
import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from local.cli import conversing, scratch
from local.cli.command import CommandError
from local.cli.connection import add_service_arguments, service
from local.cli.evaluation_tables import compare, show, show_answers, show_curve, show_sessions
from local.cli.scratch import KEY, MODELS
from local.cli.terminal import Terminal
from local.evaluation import (
    answers,
    baselines,
    curves,
    dataset,
    examination,
    frozen,
    kept,
    sessions,
)
from local.evaluation.answers import AnswerFile, Answers
from local.evaluation.dataset import Dataset, DatasetError
from local.evaluation.examinee import ExaminationError, Examinee
from local.evaluation.ways import CAPTURED, EXTRACTED, WRITTEN, Way
from local.stack import chosen_settings
from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS
from remembrancer.domain.retrieval.query import ALL, THOROUGHNESS
from remembrancer.settings import DEFAULTS

# What one question uses must not help or hinder the next.
IDLE = frozenset({"SideEffectsFunction"})
MOST_RESULTS = 50
ANSWERS = "answers.jsonl"
TOKENIZER = "o200k_base"


def add_arguments(parser: ArgumentParser) -> None:
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
        "--session", type=int, metavar="N", help="with --assembly: N questions follow each other in one"
    )
    parser.add_argument(
        "--budgets", type=_budgets, default=(), metavar="N,N", help="assembly at each of these budgets, as a curve"
    )
    parser.add_argument("--thoroughness", choices=THOROUGHNESS, help="of every query or assembly")
    parser.add_argument(
        "--pause-ms", type=float, default=25.0, help="between questions, for what follows a response on the same cores"
    )
    parser.add_argument(
        "--setting", type=_setting, action="append", default=[], metavar="NAME=VALUE", help="of the scratch stack"
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
    parser.add_argument("--conversations", action="store_true", help="play whole conversations with labelled turns")
    parser.add_argument(
        "--show", action="append", default=[], metavar="NAME", help="with --conversations: print this one, or all"
    )
    parser.add_argument("--answers", action="store_true", help="let --model answer from the context, and judge that")
    parser.add_argument("--model", default="", help="a model of your own, for --capture or --answers")
    parser.add_argument("--model-url", default="", help=f"of its OpenAI-compatible server; its key is in {KEY}")
    parser.add_argument("--judge-model", default="", help="another model of that server, to judge the answers")
    parser.add_argument("--model-seconds", type=float, default=60.0, help="for one call with --answers")
    parser.add_argument("--questions", type=int, help="at most so many, at equal distances in the file")
    parser.add_argument("--running", action="store_true", help="examine the service that is running; --url says so too")
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when every question was asked."""
    if arguments.conversations:
        return await conversing.converse(arguments, terminal)
    kinds = [kind for kind in arguments.kinds.split(",") if kind]
    try:
        # A query without a line returns as many memories to turns that need none as to any other.
        is_cut = bool(arguments.thoroughness) and not (arguments.assembly or arguments.answers or arguments.capture)
        data = dataset.read(arguments.files).only(kinds, without_gold=bool(arguments.budgets) or is_cut)
    except DatasetError as error:
        raise CommandError(str(error)) from error
    _require(arguments, data)
    if arguments.questions is not None:
        data = data.spread(arguments.questions)
    if arguments.model:
        terminal.say(f"Texts of the memories and {len(data.questions)} questions go to {arguments.model_url}.")
    options = _options(arguments)
    weights = frozen.weights_hash(MODELS, options, {**chosen_settings(), **dict(arguments.setting)})
    try:
        results = await _examined(arguments, data, terminal)
    except ExaminationError as error:
        raise CommandError(str(error)) from error
    others = {way.name: result for way, result in results.items() if way is not WRITTEN}
    result = {"memories": data.size, "options": options, "weights_hash": weights, **results[WRITTEN], **others}
    terminal.result(result)
    if not terminal.as_json:
        _print(arguments, terminal, {way.title: {"weights_hash": weights, **one} for way, one in results.items()})
    return True


def _require(arguments: Namespace, data: Dataset) -> None:
    """Raises CommandError for options that do not go together."""
    if not data.questions:
        raise CommandError("there is no question of these kinds")
    if arguments.keep and (arguments.running or arguments.url):
        raise CommandError("--keep is for a scratch stack: leave out --running and --url")
    if arguments.language and (arguments.running or arguments.url):
        raise CommandError("--language is for a scratch stack: `configure` sets languages of a running service")
    if arguments.thoroughness == ALL and (arguments.budgets or arguments.assembly or arguments.answers):
        raise CommandError("--thoroughness all is for queries")
    if arguments.budgets and arguments.capture:
        raise CommandError("--budgets is for written memories: leave out --capture")
    if arguments.session is not None and (arguments.session < 2 or not arguments.assembly or arguments.capture):
        raise CommandError("--session is at least 2, and for --assembly of written memories")
    if arguments.questions is not None and arguments.questions < 1:
        raise CommandError("--questions is at least 1")
    _require_model(arguments)


def _require_model(arguments: Namespace) -> None:
    """Raises CommandError for options about a model that do not go together."""
    if bool(arguments.model) != bool(arguments.model_url):
        raise CommandError("--model and --model-url belong together")
    if arguments.model and not (arguments.answers or arguments.capture):
        raise CommandError("--model is for --answers and --capture")
    if arguments.model and arguments.capture and (arguments.running or arguments.url):
        raise CommandError("a running service reads with its own model: leave out --capture or --model")
    if arguments.answers and not arguments.model:
        raise CommandError("--answers needs a model of your own: --model and --model-url")
    if arguments.answers and arguments.budgets:
        raise CommandError("--answers has one budget: --memory-tokens")


def _print(arguments: Namespace, terminal: Terminal, results: Mapping[str, Mapping[str, Any]]) -> None:
    for title, result in results.items():
        if len(results) > 1:
            terminal.say(f"\nMemories that were {title}:\n")
        _table(arguments)(terminal, result)
    if len(results) > 1 and not arguments.answers:
        terminal.say("")
        compare(terminal, results)


def _table(arguments: Namespace) -> Callable[[Terminal, Mapping[str, Any]], None]:
    if arguments.session:
        return show_sessions
    return show_answers if arguments.answers else show_curve if arguments.budgets else show


async def _examined(arguments: Namespace, data: Dataset, terminal: Terminal) -> dict[Way, dict[str, Any]]:
    """The figures of the written memories, and, if asked for, those of the captured ones."""
    if arguments.running or arguments.url:
        ways = [WRITTEN, CAPTURED] if arguments.capture else [WRITTEN]
        running = service(arguments)
        async with running.client() as client:
            examinees = {way: Examinee(client, running.org_id, way.captures) for way in ways}
            for examinee in examinees.values():
                await _learn(examinee, data, terminal)
            return {way: await _ask(arguments, examinee, data, terminal) for way, examinee in examinees.items()}
    with scratch.folder(arguments.keep) as folder:
        ways = [WRITTEN, CAPTURED, EXTRACTED] if arguments.capture else [WRITTEN]
        async with scratch.scratch(arguments, folder, terminal, ways=ways, idle=IDLE) as own:
            for way, examinee in own.examinees.items():
                learned = folder / way.learned(own.model)
                if not kept.recall(learned, data, examinee):
                    await _learn(examinee, data, terminal)
                    # The last memories are compared with the others after they got their vectors.
                    await own.drain()
                    if way.reads:
                        examinee.capture.update(own.counts.figures())
                    kept.keep(learned, data, examinee)
            memory = AnswerFile(folder / ANSWERS) if arguments.answers and arguments.keep else None
            return {
                way: await _ask(arguments, examinee, data, terminal, memory) for way, examinee in own.examinees.items()
            }


async def _learn(examinee: Examinee, data: Dataset, terminal: Terminal) -> None:
    with terminal.progress() as bar:
        task = bar.add_task("Saying memories" if examinee.captures else "Learning memories", total=data.size)
        await examinee.learn(data, learned=lambda count: bar.advance(task, count))


async def _ask(
    arguments: Namespace, examinee: Examinee, data: Dataset, terminal: Terminal, memory: AnswerFile | None = None
) -> dict[str, Any]:
    """The figures, with the number of memories that the service has and the tokens of their texts."""
    budgets, options = arguments.budgets, _options(arguments)
    ask = examination.assemble_all if arguments.assembly else examination.ask_all
    with terminal.progress() as bar:
        ways = 2 if arguments.session else max(len(budgets), 1)
        task = bar.add_task("Asking", total=len(data.questions) * ways)

        async def asked() -> None:
            bar.advance(task)
            await asyncio.sleep(arguments.pause_ms / 1000)

        if budgets:
            curve = await curves.assemble_all(examinee, data.questions, budgets, options, asked=asked)
            return curves.summary(curve, _baselines(data, budgets))
        if arguments.session:
            alone = await sessions.ask(examinee, data.questions, 1, options, asked=asked)
            together = await sessions.ask(examinee, data.questions, arguments.session, options, asked=asked)
            return sessions.summary(alone, together)
        if arguments.answers:
            async with _own_models(arguments) as (model, judge):
                answering = Answers(examinee, data, model, judge, memory)
                return {"answers": answers.summary(await answering.all(options, asked=asked))}
        examined = await ask(examinee, data.questions, options, asked=asked)
    made = {"capture": examinee.capture} if examinee.captures else {}
    return {**examination.summary(examined), "stored": await _stored(examinee), **made}


@contextlib.asynccontextmanager
async def _own_models(arguments: Namespace) -> AsyncIterator[tuple[OpenAiLanguageModel, OpenAiLanguageModel]]:
    """The model that answers and the one that judges, at the user's server."""
    server = JsonServer(arguments.model_url, key=os.environ.get(KEY, ""), seconds=arguments.model_seconds)
    try:
        judge = arguments.judge_model or arguments.model
        yield OpenAiLanguageModel(server, arguments.model), OpenAiLanguageModel(server, judge)
    finally:
        await server.close()


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
    chosen: dict[str, Any] = {"weights": weights} if weights else {}
    asked = {"thoroughness": arguments.thoroughness} if arguments.thoroughness else {}
    if arguments.budgets or arguments.assembly or arguments.answers:
        placed = {"placement": "turn"} if arguments.session else {}
        return {
            **chosen,
            **asked,
            **placed,
            **({} if arguments.budgets else {"memory_tokens": arguments.memory_tokens}),
        }
    if arguments.depth:
        chosen["traversal_depth"] = arguments.depth
    if arguments.tier:
        chosen["computation_tier"] = arguments.tier
    return {**chosen, **asked, "k": arguments.k}


def _assignment(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not (name and separator):
        raise ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _setting(text: str) -> tuple[str, str]:
    name, value = _assignment(text)
    if name not in DEFAULTS:
        raise ArgumentTypeError(f"{name!r} is no setting")
    return name, value


def _budgets(text: str) -> tuple[int, ...]:
    try:
        budgets = tuple(sorted({int(number) for number in text.split(",")}))
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a list of numbers with commas") from error
    if budgets[0] < 1:
        raise ArgumentTypeError("a budget is at least one token")
    return budgets
