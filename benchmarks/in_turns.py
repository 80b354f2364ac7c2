"""Assembly of two checkouts in turns, a few calls each: a difference of some percent shows on a machine whose speed
changes by half within minutes.

    python -m benchmarks.in_turns --before FOLDER            another checkout, run by this one's Python
    python -m benchmarks.in_turns --before FOLDER --first    each call is the first of the agent on its instance

Each checkout's handler runs in a process of its own, on the same Postgres and Redis; both use this checkout's models.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console

from benchmarks import assembly, assembly_worker, corpus, figures, talkative
from benchmarks.checkout import Checkout
from local.stack import Stack, StackSettings

ROOT = Path(__file__).parents[1]
TOGETHER = 40
"""Calls of one checkout before the other's turn: more than a second, since counters are read once a second."""


class Calls:
    """The worker of one checkout, and its calls so far."""

    def __init__(self, name: str, root: Path, settings: Mapping[str, Any]) -> None:
        self.name = name
        self.calls: list[dict[str, Any]] = []
        self._worker = Checkout(root, assembly_worker.__file__, settings)

    def wait(self) -> None:
        """Returns when the instance is warm."""
        self._worker.answer()

    def call(self) -> None:
        """Makes as many calls as one turn has, and keeps their figures."""
        self._worker.ask(TOGETHER)
        self.calls += self._worker.answer()

    def close(self) -> None:
        """Kills the worker, which has nothing to save."""
        self._worker.close()

    def of(self, name: str) -> Sequence[float]:
        """This figure of every call so far, in their order."""
        return [call[name] for call in self.calls]


async def main() -> None:
    """Prints a table, and writes the rows to benchmarks/results/in_turns.json and
    docs/benchmarks.md.
    """
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True, help="another checkout")
    parser.add_argument("--size", type=int, default=1_000, help="memories of the agent")
    parser.add_argument("--rounds", type=int, default=16, help=f"of {TOGETHER} calls of each checkout")
    parser.add_argument("--pause-ms", type=float, default=20.0)
    parser.add_argument("--first", action="store_true", help="forget the agent's map and its confirmation each time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        async with assembly.local_stack(Path(directory), {}) as stack:
            await assembly.load(stack, [arguments.size], 0, 1)
            key = await assembly.new_key(stack)
            checkouts = await asyncio.to_thread(_measure, stack, key, arguments)
    kind = {"memories": arguments.size, "calls": "first" if arguments.first else "next"}
    rows = [kind | _row(checkout) for checkout in checkouts]
    kept = [row for row in (figures.read("in_turns") or {}).get("rows", []) if row | kind != row]
    rows = kept + rows
    Console().print_json(data=rows)
    figures.write("in_turns", {"rows": rows})
    figures.document("in_turns", _markdown(rows))


def _measure(stack: Stack, key: str, arguments: argparse.Namespace) -> Sequence[Calls]:
    settings = {
        "org_id": str(corpus.ORGANIZATION),
        "agent_id": str(talkative.agent_id(arguments.size)),
        "key": key,
        "questions": assembly.QUESTIONS,
        "is_first": arguments.first,
        "pause_ms": arguments.pause_ms,
        "database_url": stack.database_url,
        "redis_url": stack.redis_url,
        "MODELS_DIR": str(StackSettings().models),
    }
    checkouts = [Calls("before", arguments.before.resolve(), settings), Calls("now", ROOT, settings)]
    try:
        for checkout in checkouts:
            checkout.wait()
        for number in range(arguments.rounds):
            for checkout in checkouts[:: 1 if number % 2 else -1]:
                checkout.call()
    finally:
        for checkout in checkouts:
            checkout.close()
    return checkouts


def _row(checkout: Calls) -> dict[str, Any]:
    return {
        "version": checkout.name,
        "wall_ms": figures.summary(checkout.of("wall_ms")),
        "in_request_ms": round(median(checkout.of("in_request_ms")), 2),
        "after_it_ms": round(median(checkout.of("after_it_ms")), 2),
        "answers": dict(Counter(call["answer"] for call in checkout.calls)),
    }


def _markdown(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    machine = figures.machine()
    return [
        f"One caller, {machine['cores']} cores, {machine['architecture']}, Python {machine['python']}. Milliseconds of "
        "the handler, and of the processor in the request and after it. `first`: the instance never saw the agent, "
        "whose map is in Redis.",
        "",
        "| memories | calls | version | wall p50/p95/p99 | processor, in the request | after it | answers |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {row['memories']:,} | {row['calls']} | {row['version']} | "
            f"{' / '.join(f'{value:.1f}' for value in row['wall_ms'].values())} | {row['in_request_ms']:.2f} | "
            f"{row['after_it_ms']:.2f} | {', '.join(f'{name} {count}' for name, count in row['answers'].items())} |"
            for row in rows
        ),
    ]


if __name__ == "__main__":
    asyncio.run(main())
