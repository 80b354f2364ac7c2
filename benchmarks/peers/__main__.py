"""Compares Remembrancer with other memories on Postgres: same machine, Postgres, embedding model, memories, questions.

`make bench-peers` installs each of the others into an environment of its own and runs this. Databases stay in
`.cache/peers`, so a second run only measures; the results of systems that are not measured again (`--only`) are kept,
if they were measured with the same settings. `--quick` is smaller, for less than eight minutes.
"""

import argparse
import asyncio
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from rich.console import Console

from benchmarks import awake, figures, plots
from benchmarks.awake import Awake
from benchmarks.peers import others, ours, questions, report
from benchmarks.peers.freezing import frozen
from benchmarks.peers.ours import Ours, question_texts
from benchmarks.peers.peer_process import PeerProcess
from benchmarks.peers.systems.described import SYSTEMS, DescribedSystem
from benchmarks.talkative import TalkativeLine
from local.evaluation import dataset, metrics
from local.evaluation.dataset import Dataset, Question
from local.servers import PostgresServer
from local.servers.postgres import SUPERUSER
from local.stack import ROOT, StackSettings

OURS = "remembrancer"
K = 10
FROZEN_SECONDS = 5.0
WARM_UP = 40
IMPORT_BATCH = 50


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured: the sets, and how many memories of others stand beside them.

    `real` is a set that is not ours to publish: only its figures are kept.
    """

    generated: Dataset
    real: Dataset | None
    warm_up: Sequence[Question]
    others: int
    pause_ms: float

    @property
    def settings(self) -> dict[str, Any]:
        """What two results must have in common to stand in one table."""
        return {
            "memories": self.generated.size,
            "questions": len(self.generated.questions),
            "others": self.others,
            "k": K,
            "pause_ms": self.pause_ms,
            "frozen_seconds": FROZEN_SECONDS,
            "conversations": {"memories": self.real.size, "questions": len(self.real.questions)} if self.real else {},
        }


class Lines:
    """The texts of others' memories with their vectors, and the model's name; embedded when a database needs them."""

    def __init__(self) -> None:
        self._made: tuple[list[TalkativeLine], str] | None = None

    async def made(self) -> tuple[list[TalkativeLine], str]:
        """Embeds them at the first call."""
        if self._made is None:
            self._made = await others.lines()
        return self._made


def main() -> None:
    """Measures each chosen system, and writes the result file and the documents after each."""
    arguments = _parser().parse_args()
    folder: Path = arguments.folder
    if arguments.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_measure(arguments, _plan(arguments)))


async def _measure(arguments: argparse.Namespace, plan: Plan) -> None:
    console = Console()
    lines = Lines()
    with Awake(wanted=not arguments.let_sleep):
        for name in arguments.only:
            console.print(f"{name} …", highlight=False)
            result = await (_ours if name == OURS else _peer)(name, plan, lines, arguments)
            _write(name, result, plan, arguments)
            console.print(json.dumps(result), highlight=False)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="benchmarks.peers", description=__doc__)
    names = [OURS, *SYSTEMS]
    parser.add_argument("--only", nargs="+", choices=names, default=names, help="the others' results are kept")
    parser.add_argument("--memories", type=int, default=1_000, help="of the agent that is asked")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--others", type=int, default=100_000, help="memories of a hundred other agents")
    parser.add_argument("--quick", action="store_true", help="100 questions, 20,000 memories of others")
    parser.add_argument("--conversations", type=Path, help="a folder with real conversations and questions")
    parser.add_argument("--pause-ms", type=float, default=20.0, help="between calls")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "peers", help="where databases stay")
    parser.add_argument("--environments", type=Path, default=ROOT / ".venv-peers")
    parser.add_argument("--fresh", action="store_true", help="begin with empty databases")
    awake.add_option(parser)
    return parser


def _plan(arguments: argparse.Namespace) -> Plan:
    number, beside = (100, 20_000) if arguments.quick else (arguments.questions, arguments.others)
    generated = questions.generated(arguments.memories, number + WARM_UP)
    real = dataset.read([arguments.conversations]).only([]).spread(number) if arguments.conversations else None
    asked = Dataset(generated.memories, generated.questions[WARM_UP:])
    return Plan(asked, real, generated.questions[:WARM_UP], beside, arguments.pause_ms)


async def _ours(_: str, plan: Plan, lines: Lines, arguments: argparse.Namespace) -> dict[str, Any]:
    key = _key("ours", plan)
    alone, beside = (arguments.folder / f"ours-{key}-{place}" for place in ("alone", "beside"))
    result: dict[str, Any] = {"title": "Remembrancer", "searches": "both", "settings": ours.SETTINGS, "versions": {}}
    async with ours.started(alone) as service:
        if not service.knows(plan.generated):
            result["import"] = _imported(plan.generated, await service.learn(plan.generated))
        await service.warm(plan.warm_up, K)
        result["stored"] = await service.stored(questions.AGENT)
        result["alone"] = await _ways(service, plan.generated, plan)
        result["rss_mb"] = service.rss_mb()
    if not beside.exists():
        ours.copied(alone, beside)
    async with ours.started(beside) as service:
        if plan.real:
            await service.learn(plan.real)
        if not service.has_others(plan.others):
            await service.add_others(*await lines.made(), plan.others)
        await service.warm(plan.warm_up, K)
        result["beside"] = await _ways(service, plan.generated, plan)
        if plan.real:
            await service.warm(plan.real.questions, K)
            result["conversations"] = await _ways(service, plan.real, plan)
        await service.warm(plan.warm_up, K)
        result["waterfall"] = await service.waterfall(plan.generated.questions)
        result["postgres"] = _versions(service.superuser_url)
        result["frozen"] = await service.freeze(plan.warm_up[: int(FROZEN_SECONDS)], K, FROZEN_SECONDS)
    return result


async def _ways(service: Ours, data: Dataset, plan: Plan) -> dict[str, Any]:
    found = {}
    for way in ("query", "assembly"):
        asked = await service.ask(way, data.questions, K, plan.pause_ms)
        found[way] = _figures(data.questions, [one.ids for one in asked]) | {
            "ms": figures.summary([one.door_ms for one in asked]),
            "function_ms": figures.summary([one.function_ms for one in asked]),
            "complete": round(sum(one.complete for one in asked) / len(asked), 4),
        }
    return found


async def _peer(name: str, plan: Plan, lines: Lines, arguments: argparse.Namespace) -> dict[str, Any]:
    system = SYSTEMS[name]
    result: dict[str, Any] = {"title": system.title, "searches": system.searches, "settings": system.settings}
    with PostgresServer(arguments.folder / "postgres") as postgres:
        result["postgres"] = _versions(postgres.superuser_url)
        alone, beside = (f"{name}_{_key(name, plan)}_{place}" for place in ("alone", "beside"))
        new = _create(postgres, alone)
        async with _process(system, postgres, alone, arguments) as process:
            if new:
                result["import"] = _imported(plan.generated, await _add(process, plan.generated))
                _finish(postgres, alone)
            result["versions"] = process.versions
            result["stored"] = _stored(postgres, alone, system, questions.AGENT)
            result["alone"] = await _asked(process, plan.generated, plan)
            result["rss_mb"] = {"query": (await process.ask("rss"))["rss_mb"]}
        if _create(postgres, beside, template=alone):
            async with _process(system, postgres, beside, arguments) as process:
                if plan.real:
                    await _add(process, plan.real)
            rows = others.memories((await lines.made())[0], plan.others)
            await asyncio.to_thread(others.load, postgres.url(SUPERUSER, beside), system.others, rows)
            _finish(postgres, beside)
        async with _process(system, postgres, beside, arguments) as process:
            result["beside"] = await _asked(process, plan.generated, plan)
            if plan.real:
                result["conversations"] = await _asked(process, plan.real, plan)
            result["frozen"] = {"query": await _freeze(process, postgres, plan)}
    return result


def _process(system: DescribedSystem, postgres: PostgresServer, database: str, arguments: Any) -> PeerProcess:
    return PeerProcess(
        arguments.environments.absolute() / system.name / "bin" / "python",
        system.module,
        postgres.url(SUPERUSER, database),
        StackSettings().models,
        arguments.folder / f"{system.name}.log",
    )


async def _add(process: PeerProcess, data: Dataset) -> float:
    seconds = 0.0
    for agent, known in data.memories.items():
        memories = [(identifier, fields["content"]) for identifier, fields in known]
        seconds += (await process.ask("add", owner=agent, memories=memories, batch=IMPORT_BATCH))["seconds"]
    return seconds


async def _asked(process: PeerProcess, data: Dataset, plan: Plan) -> dict[str, Any]:
    warm = [(data.questions[0].agent, one.text) for one in plan.warm_up]
    await process.ask("search", questions=warm, limit=K, pause_ms=plan.pause_ms)
    asked = list(question_texts(data.questions))
    found = await process.ask("search", questions=asked, limit=K, pause_ms=plan.pause_ms)
    told = _figures(data.questions, [references for _, references in found])
    return {"query": told | {"ms": figures.summary([milliseconds for milliseconds, _ in found])}}


async def _freeze(process: PeerProcess, postgres: PostgresServer, plan: Plan) -> Any:
    asked = list(question_texts(plan.warm_up[: int(FROZEN_SECONDS)]))
    await process.ask("search", questions=asked, limit=K, pause_ms=plan.pause_ms)
    assert postgres.pid is not None
    async with frozen(postgres.pid, FROZEN_SECONDS):
        return await process.ask("frozen", questions=asked, limit=K, every_seconds=1.0)


def _figures(asked: Sequence[Question], rankings: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Means over questions; `rows_missing` of K rows for each question, which each agent has."""
    judged = metrics.means([metrics.judge(ranking, one.gold) for one, ranking in zip(asked, rankings, strict=True)])
    rows = sum(len(ranking[:K]) for ranking in rankings)
    return {
        "recall@10": round(judged["recall@10"], 4),
        "mrr@10": round(judged["mrr@10"], 4),
        "rows_missing": K * len(asked) - rows,
        "rows_asked": K * len(asked),
    }


def _imported(data: Dataset, seconds: float) -> dict[str, float]:
    return {"seconds": round(seconds, 1), "a_second": round(data.size / seconds, 1)}


def _key(name: str, plan: Plan) -> str:
    """Names a database after all that it is made of."""
    made = [plan.generated.memories, plan.real.memories if plan.real else None, plan.others, others.TEXTS, name]
    if name in SYSTEMS:
        made += [SYSTEMS[name].requirements.read_text(encoding="utf-8"), SYSTEMS[name].settings, SYSTEMS[name].others]
    return sha256(json.dumps(made).encode()).hexdigest()[:8]


def _create(postgres: PostgresServer, name: str, *, template: str = "template1") -> bool:
    """Makes a database unless a finished one is there; then returns False."""
    with psycopg.connect(postgres.superuser_url, autocommit=True) as connection:
        found = connection.execute(
            "SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = %s", (name,)
        ).fetchone()
        if found == (_FINISHED,):
            return False
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(template))
        )
    return True


_FINISHED = "finished"


def _finish(postgres: PostgresServer, name: str) -> None:
    """Marks a database as complete, so that another run uses it."""
    with psycopg.connect(postgres.superuser_url, autocommit=True) as connection:
        connection.execute(sql.SQL("COMMENT ON DATABASE {} IS {}").format(sql.Identifier(name), sql.Literal(_FINISHED)))


def _versions(url: str) -> dict[str, str]:
    """Versions of Postgres and pgvector, by name, for the result file."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'"
        ).fetchone()
    assert row is not None
    return {"postgres": str(row[0]), "pgvector": str(row[1])}


def _stored(postgres: PostgresServer, database: str, system: DescribedSystem, owner: str) -> int:
    with psycopg.connect(postgres.url(SUPERUSER, database), autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        row = connection.execute(system.stored.encode(), (owner,)).fetchone()
    assert row is not None
    return int(str(row[0]))


def _write(name: str, result: dict[str, Any], plan: Plan, arguments: argparse.Namespace) -> None:
    """Adds a system's result to those that were measured with the same settings."""
    settings = plan.settings | {"let_sleep": arguments.let_sleep}
    last = figures.read("peers") or {}
    systems = last["systems"] if last.get("settings") == settings else {}
    # A database that was there already was not imported this time.
    kept = {"import": systems[name]["import"]} if name in systems and "import" in systems[name] else {}
    postgres = result.pop("postgres")
    systems[name] = kept | result | {"at": figures.machine()["at"]}
    ordered = {one: systems[one] for one in (OURS, *SYSTEMS) if one in systems}
    figures.write("peers", {"settings": settings, "postgres": postgres, "systems": ordered})
    report.write(figures.read("peers"))
    plots.main()


if __name__ == "__main__":
    main()
