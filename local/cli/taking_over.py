"""Takes over a file of another product: `remembrancer import --from`.

1. The file is read once without sending anything: what there is, whose it is, what cannot be taken.
2. Where nothing says whose something is, the command ends: it never becomes shared by itself.
3. Facts go through the importer in batches, conversations through capture. What is there already is not written again.
"""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from local.cli.command import CommandError
from local.cli.connection import Service, named
from local.cli.terminal import STANDARD, Terminal
from local.transfer.importer import Importer, ImportRefusedError
from local.transfer.lines import ImportLine
from local.transfer.take_over import langgraph, owners, zep
from local.transfer.take_over.documents import FormatError
from local.transfer.take_over.owners import USER, Owners
from local.transfer.take_over.products import PRODUCTS, records_of
from local.transfer.take_over.records import Fact
from local.transfer.take_over.survey import Survey, survey

OPTIONS = ("user", "shared", "namespace", "dry_run")
_WITH_NAMESPACES = (langgraph.NAME, zep.NAME)
_SHOWN = 10
_SKIPPED = {
    "empty": "messages without text",
    "not_written": "messages that no person wrote, such as logs",
    "tool_call": "calls of tools",
    "cut": "middles of messages that are too long",
}
"""What the service does not store of a conversation."""


def add_arguments(parser: ArgumentParser) -> None:
    """The options of `import --from`."""
    group = parser.add_argument_group("another product's file")
    group.add_argument("--from", dest="product", choices=PRODUCTS, help="the product that the file is of")
    group.add_argument(
        "--user",
        type=_user,
        action="append",
        metavar="NAME|FROM=NAME",
        help="the end user of what has none in the file; or the end user here of FROM there; again for more",
    )
    group.add_argument("--shared", action="store_true", help="what has no end user in the file is for all end users")
    group.add_argument(
        "--namespace",
        type=_namespace,
        metavar="LABELS",
        help=f"of LangGraph: which label is the end user, as memories.{USER}; * is any label. Of Zep: {USER} "
        "where each group is an end user",
    )
    group.add_argument("--dry-run", action="store_true", help="say what would be taken, and send nothing")


async def take_over(path: Path, report: Path, api: Service, arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when nothing was refused."""
    agent = arguments.agent_id or api.agent_id
    if not agent:
        raise CommandError("name the agent: --agent-id, or REMEMBRANCER_AGENT_ID")
    run = _Run(path, arguments.product, agent, _owners(arguments))
    name = "standard input" if str(arguments.file) == STANDARD else arguments.file
    try:
        with terminal.waiting(f"Reading {name}"):
            found = run.survey()
    except FormatError as error:
        raise CommandError(f"{name} {error}") from error
    if found.nobodys:
        raise CommandError(_nobody(found))
    counts: Counter[str] = Counter()
    if not arguments.dry_run:
        async with api.client() as client:
            importer = Importer(client, connections=arguments.connections)
            try:
                await run.send(importer, found, counts, terminal)
            except ImportRefusedError as error:
                raise CommandError(
                    f"{error}. Run the same command again: what is written is not written twice"
                ) from error
    _list(found, report)
    _show(found, counts, arguments, report, terminal)
    return not found.refused


class _Run:
    """Reads the file as often as needed: large ones do not fit into memory."""

    def __init__(self, path: Path, product: str, agent: str, whose: Owners) -> None:
        self._path, self._product, self._agent, self._whose = path, PRODUCTS[product], agent, whose
        self._places: dict[int, str] = {}

    def survey(self) -> Survey:
        return survey(records_of(self._path, self._product), self._agent, self._whose)

    async def send(self, importer: Importer, found: Survey, counts: Counter[str], terminal: Terminal) -> None:
        """Notes in the survey what the service refuses or leaves out."""
        with terminal.progress() as bar:
            if found.facts:
                task = bar.add_task("Memories", total=found.facts)
                async for batch, outcome in importer.sent(self._lines()):
                    counts.update(accepted=outcome.counts.accepted, duplicate=outcome.counts.duplicate)
                    for one in outcome.refusals:
                        found.refuse(self._places[one.number], one.reason)
                    for line in batch:
                        del self._places[line.number]
                    bar.advance(task, len(batch))
            if found.conversations:
                task = bar.add_task("Conversations", total=found.conversations)
                async for bodies, captured in importer.captured(self._requests()):
                    place = self._places.pop(id(bodies))
                    counts.update(turns=captured.turns.get("accepted", 0), known=captured.turns.get("known", 0))
                    for reason, count in captured.skipped.items():
                        found.leave_out(_SKIPPED.get(reason, f"messages ({reason})"), count, place)
                    if captured.refused:
                        found.refuse(place, captured.refused)
                    bar.advance(task)

    def _lines(self) -> Iterator[ImportLine]:
        facts = (record for record in records_of(self._path, self._product) if isinstance(record, Fact))
        for number, fact in enumerate(facts):
            line = owners.import_line(fact, number, self._agent, self._whose)
            if not line.problem:
                self._places[number] = fact.place
                yield line

    def _requests(self) -> Iterator[list[dict[str, Any]]]:
        records = records_of(self._path, self._product)
        for place, bodies in owners.oldest_first(records, self._agent, self._whose):
            self._places[id(bodies)] = place
            yield bodies


def _user(text: str) -> tuple[str | None, str]:
    there, equals, here = text.partition("=")
    return (there or None, named(here)) if equals else (None, named(text))


def _namespace(text: str) -> list[str]:
    labels = text.split(".")
    if labels.count(USER) != 1:
        raise ArgumentTypeError(f"must have one label {USER}")
    return labels


def _owners(arguments: Namespace) -> Owners:
    given = arguments.user or []
    rest = [here for there, here in given if there is None]
    if len(rest) > 1:
        raise CommandError("--user NAME is given twice: FROM=NAME is for end users who have a name in the file")
    if arguments.namespace and arguments.product not in _WITH_NAMESPACES:
        raise CommandError(f"--namespace is for --from {' and --from '.join(_WITH_NAMESPACES)}")
    if rest and arguments.shared:
        raise CommandError("--user NAME and --shared exclude each other")
    names = {there: here for there, here in given if there is not None}
    return Owners(names, rest[0] if rest else None, arguments.shared, arguments.namespace or ())


def _nobody(found: Survey) -> str:
    lines = [f"nothing is written: without an end user in the file: {found.nobodys}."]
    if found.namespaces:
        seen = sorted(found.namespaces)
        longest = max(seen, key=lambda one: one.count("."))
        example = ".".join([*longest.split(".")[:-1], USER])
        lines.append(f"Is a label the end user? --namespace {example}, for instance; there are {', '.join(seen)}.")
    lines.append("--user NAME gives that to an end user, --shared to all end users.")
    return "\n".join(lines)


def _list(found: Survey, report: Path) -> None:
    report.unlink(missing_ok=True)
    if found.refused:
        lines = (json.dumps({"place": place, "reason": reason}) for place, reason in found.refused)
        report.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _show(found: Survey, counts: Counter[str], arguments: Namespace, report: Path, terminal: Terminal) -> None:
    shared = found.by_owner[None]
    users = sorted(name for name in found.by_owner if name is not None)
    terminal.result({
        "product": arguments.product,
        "dry_run": arguments.dry_run,
        "memories": found.facts,
        "accepted": counts["accepted"],
        "duplicate": counts["duplicate"],
        "conversations": found.conversations,
        "messages": found.messages,
        "turns": counts["turns"],
        "known_turns": counts["known"],
        "end_users": len(users),
        "shared": shared,
        "left_out": {reason: count for reason, (count, _) in found.left_out.items()},
        "refused": len(found.refused),
        "report": str(report) if found.refused else None,
    })  # fmt: skip
    if terminal.as_json:
        return
    if arguments.dry_run:
        lines = [
            f"Would be taken over: memories: {found.facts}, conversations: {found.conversations}, with messages: "
            f"{found.messages}"
        ]
    else:
        lines = []
        if found.facts or not found.conversations:
            lines.append(f"Memories: {counts['accepted']} accepted, {counts['duplicate']} there already")
        if found.conversations:
            lines.append(
                f"Conversations: {found.conversations}, turns: {counts['turns']} accepted, {counts['known']} there "
                "already. Memories are made of them in the background"
            )
    more = f", and {len(users) - _SHOWN} more" if len(users) > _SHOWN else ""
    lines.append(f"Of end users: {', '.join(users[:_SHOWN]) or 'none'}{more}. Shared by all: {shared}")
    for reason, (count, place) in sorted(found.left_out.items(), key=lambda one: -one[1][0]):
        lines.append(f"Left out: {reason}: {count}, the first at {place}")
    if found.refused:
        lines.append(f"Refused: {len(found.refused)}, see {report}. The first is {': '.join(found.refused[0])}")
    for line in lines:
        terminal.say(line)
