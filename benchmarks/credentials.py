"""Assembly with a valid key, with an unknown key, with another organization's key, and during an attack.

It measures through the front door and local Lambda instances. The attacker has three connections and sends bodies of
1 MB without a pause, each with a different invented key, from a separate address; the tenant is measured alternately
with and without the attack, so that load affects both. `python -m benchmarks.credentials` writes
benchmarks/results/credentials.json; `--as before` stores the figures of an earlier version beside the current ones.
"""

import argparse
import asyncio
import itertools
import json
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from rich.console import Console

from benchmarks import figures
from local import sample
from local.stack import Stack, StackSettings
from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.keys import fingerprint, new_api_key

PATH = "/v1/context/assemble"
QUESTION = "What does Tomasz like to cook?"
TENANT = "127.0.0.1"
ATTACKER = "127.0.0.66"
STRANGERS = tuple(f"127.0.1.{number}" for number in range(1, 41))
"""High enough that no request is limited: the benchmark measures the check of a key."""
CONNECTIONS = 3
BODY_BYTES = 1_000_000
ROUNDS = 5
WARMING = 60
PAUSE_SECONDS = 0.01


@dataclass(slots=True)
class CredentialRow:
    """Measured calls with one kind of key."""

    name: str
    caller: list[float] = field(default_factory=list)
    function: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)

    def as_json(self) -> dict[str, Any]:
        """Percentiles in milliseconds; the function's own time where the answer contains it."""
        return {
            "calls": len(self.caller),
            "caller_ms": figures.summary(self.caller),
            "function_ms": figures.summary(self.function) if self.function else None,
            "answers": dict(self.answers),
        }


@dataclass(frozen=True, slots=True)
class Place:
    """An organization, and the ids and keys for requests to it."""

    org_id: str
    agent_id: str
    api_key: str


class Caller:
    """Sends requests from one address of 127.0.0.0/8, as one client of many."""

    def __init__(self, stack: Stack, place: Place, address: str) -> None:
        self._url = f"{stack.url}{PATH}"
        self._place = place
        self._numbers = itertools.count()
        connector = aiohttp.TCPConnector(local_addr=(address, 0))
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(60), connector=connector)

    async def ask(self, row: CredentialRow, key: str, *, padding: int = 0) -> None:
        """Makes one call and records it in the row."""
        body = {
            "org_id": self._place.org_id,
            "agent_id": self._place.agent_id,
            "model": "gpt-4o",
            "request_id": "benchmark",
            # The number at the end makes each question different, so that no cache answers it.
            "messages": [{"role": "user", "content": f"{QUESTION} {next(self._numbers)}"}],
        }
        if padding:
            body["messages"] = [{"role": "user", "content": QUESTION + " again" * (padding // 6)}]
        headers = {"X-API-Key": key, "Content-Type": "application/json"}
        data = json.dumps(body)
        started = time.perf_counter()
        async with self._session.post(self._url, data=data, headers=headers) as response:
            answer = await response.json()
        row.caller.append((time.perf_counter() - started) * 1000)
        metadata = answer.get("metadata")
        if metadata is None:
            row.answers[str(response.status)] += 1
            return
        row.function.append(metadata["timings_ms"]["total"])
        row.answers[f"{response.status} {metadata['fallback_reason'] or 'whole'}"] += 1

    async def close(self) -> None:
        """Closes the connections; call it once, when the row is measured."""
        await self._session.close()


async def measure(stack: Stack, calls: int) -> Sequence[CredentialRow]:
    """Measures every kind of key, then the tenant with and without the attack."""
    own, other = await _place(stack, "Tenant"), await _place(stack, "Other")
    await stack.drain()
    tenant = Caller(stack, own, TENANT)
    strangers = [Caller(stack, own, address) for address in STRANGERS]
    kinds: Sequence[tuple[str, Sequence[Caller], Callable[[], str]]] = (
        ("good key", [tenant], lambda: own.api_key),
        ("another organization's key", [tenant], lambda: other.api_key),
        ("unknown key", strangers, new_api_key),
        ("unknown key, again", [tenant], lambda: "made-up"),
        ("unknown keys of one address", [Caller(stack, own, ATTACKER)], new_api_key),
    )
    rows = {name: CredentialRow(name) for name, _, _ in kinds}
    warming = CredentialRow("warming")
    for _ in range(WARMING):
        await asyncio.gather(*(tenant.ask(warming, own.api_key) for _ in range(2)))
        await asyncio.sleep(PAUSE_SECONDS)
    for _ in range(ROUNDS):
        for name, callers, key in kinds:
            for number in range(calls // ROUNDS):
                await callers[number % len(callers)].ask(rows[name], key())
                await asyncio.sleep(PAUSE_SECONDS)
    alone, beside, attack = (
        CredentialRow("tenant alone"),
        CredentialRow("tenant beside the attacker"),
        CredentialRow("the attacker"),
    )
    attacker = Caller(stack, own, ATTACKER)
    for _ in range(ROUNDS):
        await _tenant(tenant, alone, own.api_key, calls // ROUNDS)
        async with _attack(attacker, attack):
            await _tenant(tenant, beside, own.api_key, calls // ROUNDS)
    for caller in {*itertools.chain.from_iterable(callers for _, callers, _ in kinds), attacker}:
        await caller.close()
    return [*rows.values(), alone, beside, attack]


async def _tenant(tenant: Caller, row: CredentialRow, key: str, calls: int) -> None:
    for _ in range(calls):
        await tenant.ask(row, key)
        await asyncio.sleep(PAUSE_SECONDS)


@asynccontextmanager
async def _attack(attacker: Caller, row: CredentialRow) -> AsyncIterator[None]:
    async def connection() -> None:
        while True:
            await attacker.ask(row, new_api_key(), padding=BODY_BYTES)

    under_way = [asyncio.create_task(connection()) for _ in range(CONNECTIONS)]
    await asyncio.sleep(0.5)
    try:
        yield
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _place(stack: Stack, name: str) -> Place:
    """Creates an organization with the sample's memories."""
    text = new_api_key()
    key = FirstKey("benchmark", fingerprint(text), ("admin",))
    principal = await create_organization(
        stack.owner_database_url, name=name, project_id="proj_bench", environment="production", key=key
    )
    loaded = await sample.load(stack.url, text, org_id=str(principal.org_id))
    return Place(loaded.org_id, loaded.agent_id, text)


async def main() -> None:
    """Prints the table, writes `benchmarks/results/credentials.json` and docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200, help="of each row")
    parser.add_argument("--as", dest="version", choices=("before", "after"), default="after")
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as directory:
        # No maintenance runs during the measurement.
        without = frozenset({"MaintainFunction"})
        stack = Stack(StackSettings(directory=Path(directory), port=0, start_seconds=60, without=without))
        await stack.start()
        try:
            rows = await measure(stack, arguments.calls)
        finally:
            await stack.stop()
    known = (figures.read("credentials") or {}).get("versions", {})
    versions = {**known, arguments.version: {row.name: row.as_json() for row in rows}}
    lines = _markdown(versions, arguments.calls)
    console.print("\n".join(lines), highlight=False, soft_wrap=True)
    if arguments.version == "after":
        figures.document("credentials", lines)
    console.print(f"Written to {figures.write('credentials', {'versions': versions})}", highlight=False)


def _markdown(versions: Mapping[str, Mapping[str, Any]], calls: int) -> list[str]:
    machine = figures.machine()
    lines = [
        f"{calls} calls a row, {machine['cores']} cores, {machine['architecture']}, Python {machine['python']}. "
        "Milliseconds. `caller` is HTTP in and out, `function` from the event's arrival to its answer, where the "
        "answer says it.",
        "",
        "| | version | caller p50/p95/p99 | function p50/p95/p99 | answers |",
        "|---|---|---|---|---|",
    ]
    names = dict.fromkeys(name for rows in versions.values() for name in rows)
    for name in names:
        for version in ("before", "after"):
            row = versions.get(version, {}).get(name)
            if row is not None:
                cells = (name, version, _percentiles(row["caller_ms"]), _percentiles(row["function_ms"]), _answers(row))
                lines.append("| " + " | ".join(cells) + " |")
    return lines


def _answers(row: Mapping[str, Any]) -> str:
    """Counts by status and completeness; the results file contains every reason."""
    kinds: Counter[str] = Counter()
    for answer, number in row["answers"].items():
        status, _, reason = answer.partition(" ")
        kinds[f"{status} {'whole' if reason == 'whole' else 'in part'}" if reason else status] += number
    return ", ".join(f"{kind}: {number}" for kind, number in sorted(kinds.items()))


def _percentiles(summary: Mapping[str, float] | None) -> str:
    return "" if summary is None else " / ".join(f"{summary[name]:.1f}" for name in ("p50", "p95", "p99"))


if __name__ == "__main__":
    asyncio.run(main())
