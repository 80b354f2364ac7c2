"""The same requests to two checkouts, which must answer the same: assemblies and queries, explained, from a map and
from Postgres, on the same servers at the same time.

    python -m benchmarks.replay --before FOLDER [--requests 2000]    another checkout, run by this one's Python

Ends with status 1 and shows the first differences where answers differ in more than their durations.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

from benchmarks import assembly, corpus, replay_worker, talkative
from benchmarks.checkout import Checkout
from local.stack import Stack, StackSettings

ROOT = Path(__file__).parents[1]
SIZES = (100, 1_000, 10_000)
"""Memories of the agents that are asked."""
SHOWN = 5
"""Requests with differences that are printed, and differences of each."""
CLOSE = 1e-6
"""Numbers that differ by less are equal: ages grow between the two answers."""
TRIES = 4
"""Tries in which two answers must differ: what waits for names a few milliseconds may miss them on a busy machine."""
TIMES = ("", "last month", "in November", "yesterday", "in 2025")


async def main() -> int:
    """The exit status: 0 where all answers are equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, required=True, help="another checkout")
    parser.add_argument("--requests", type=int, default=2000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        async with assembly.local_stack(Path(directory), {}) as stack:
            await assembly.load(stack, SIZES, 0, 1)
            key = await assembly.new_key(stack)
            return await asyncio.to_thread(_compare, stack, key, arguments)


def requests(count: int, agent_ids: Sequence[str]) -> Iterator[tuple[str, str, str, str, dict[str, Any]]]:
    """So many: the tier that answers, the agent, the route, the question, and further fields."""
    random = Random(1)
    for number in range(count):
        tier, route = ("map", "postgres")[number % 2], ("assemble", "query")[number // 2 % 2]
        question = f"{random.choice(assembly.QUESTIONS)} {random.choice(TIMES)}".strip()
        fields = _assembly(random) if route == "assemble" else _query(random)
        yield tier, agent_ids[number // 4 % len(agent_ids)], route, question, fields


def _assembly(random: Random) -> dict[str, Any]:
    return {
        "options": {
            "explain": True,
            **_some(
                random,
                max_memories=random.choice([0, 1, 5, 40, 200]),
                memory_tokens=random.choice([0, 120, 600, 4000]),
                categories=random.choice([["factual"], ["episodic", "preference"], ["procedural"]]),
                relevance_floor=random.choice([0.0, 0.2, 0.6, 1.0]),
                skip=random.choice([["hot"], ["cold"], ["lexical"], ["hot", "lexical"]]),
                weights={"relevance": random.random(), "recency": random.random()},
                silence=random.random() < 0.5,
                as_of=random.choice(["2025-06-01T00:00:00Z", "2026-01-15T00:00:00Z"]),
            ),
        }
    }


def _query(random: Random) -> dict[str, Any]:
    return {
        "explain": True,
        **_some(
            random,
            k=random.choice([1, 10, 50]),
            traversal_depth=random.choice([1, 3]),
            filters={"categories": [random.choice(["factual", "episodic", "preference"])]},
            computation_tier=random.choice(["low", "medium", "high"]),
            weights={"semantic": random.random(), "recency": random.random()},
            hyde=False,
        ),
    }


def _some(random: Random, **fields: Any) -> dict[str, Any]:
    return {name: fields[name] for name in random.sample(sorted(fields), random.randrange(4))}


def _compare(stack: Stack, key: str, arguments: argparse.Namespace) -> int:
    agent_ids = [str(talkative.agent_id(size)) for size in SIZES]
    settings = {
        "org_id": str(corpus.ORGANIZATION),
        "agent_ids": agent_ids,
        "key": key,
        "database_url": stack.database_url,
        "redis_url": stack.redis_url,
        "MODELS_DIR": str(StackSettings().models),
    }
    checkouts = []
    for root in (arguments.before.resolve(), ROOT):
        checkouts.append(Checkout(root, replay_worker.__file__, settings))
        # One after the other: each drops the maps that Redis has.
        checkouts[-1].answer()
    console, statuses, different = Console(), Counter[int](), 0
    for request in requests(arguments.requests, agent_ids):
        status, differences = _answered(checkouts, request)
        statuses[status] += 1
        different += bool(differences)
        if differences and different <= SHOWN:
            console.print(json.dumps(request), *differences[:SHOWN], sep="\n  ", markup=False)
    for checkout in checkouts:
        checkout.close()
    console.print(f"{arguments.requests} requests, answered {dict(statuses)}: {different} answers differ.")
    return 1 if different else 0


def _answered(checkouts: Sequence[Checkout], request: object) -> tuple[int, list[str]]:
    """The status, and the differences that are there in every try."""
    differences: list[str] = []
    for _ in range(TRIES):
        for checkout in checkouts:
            checkout.ask(request)
        old, new = (checkout.answer() for checkout in checkouts)
        if not (differences := list(_different("", old, new))):
            break
    return new[0], differences


def _different(where: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({*old, *new}):
            yield from _different(f"{where}.{name}", old.get(name), new.get(name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from _different(f"{where}[{index}]", *pair)
    elif old != new and not (isinstance(old, float) and isinstance(new, float) and abs(old - new) < CLOSE):
        yield f"{where}: {json.dumps(old)[:200]} -> {json.dumps(new)[:200]}"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
