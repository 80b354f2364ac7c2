"""Assembly under more and more load, to the knee and beyond: one process and the local Lambda, each with and without
admission.

`make bench-load` takes five minutes. Requests arrive at random and do not wait for answers (`benchmarks.open_loop`).
The rates are shares of what the process did at most with four callers, so that the same points of the curve are
measured on any machine. Then the simulated process (`benchmarks.shared_loop`) is given what one assembly cost, and its
curve is held against the measured one. Writes benchmarks/results/load.json, docs/capacity.md and its picture.

On a busy machine, `--slower 10` gives everything ten times as long: only the form of the curves counts then.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import assembly, corpus, figures, talkative
from benchmarks.open_loop import Answered, Generator, Load
from benchmarks.processor import spent_ms
from benchmarks.shared_loop import SharedLoop, Steps
from local.servers import ports
from local.stack import Stack

PAGE = Path(__file__).parents[1] / "docs" / "capacity.md"
SIZES = range(500, 520)
"""Memories of the agents that are asked."""
RATES = (0.25, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0)
"""As shares of the whole answers a second with `CALLERS`."""
CALLERS = 4
ASSEMBLY_MS = 48.0
CALLER_MS = 53.0
"""The caller's deadline: the service keeps 5 ms of it for the way back."""
IN_TIME_MS = 60.0
"""From the time at which a request was due until its answer has been read."""
KNEE = 0.95
"""The knee is the highest rate at which this share of the answers is in time, and so at all lower rates."""
DEPLOYED = {"STAGE": "dev", "LOG_EVERY": "20", "OPENBLAS_NUM_THREADS": "1"}
KEYS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local", "AWS_DEFAULT_REGION": "us-east-1"}
WITHOUT = {"PYTHONPATH": str(assembly.METERED), "WITHOUT_ADMISSION": "true"}
SIMULATED_SECONDS = 20.0
PLACES = ("process", "lambda")
BEFORE_SHARE = 0.85
"""Of an assembly's processor time, what is spent before its answer (processor.json: the rest follows the response)."""
STEPS = (0.1, 0.4, 0.15, 0.35)
"""Of that, the parts between waits: the request and its reads, the embedding, the search, composing."""
WAITS = (0.5, 0.0, 0.5, 0.0)
"""Of the waiting for servers, what follows each part."""


@dataclass(frozen=True, slots=True)
class Point:
    """What came of one rate: shares of the requests, and milliseconds from when they were due."""

    rate: float
    requests: int
    whole: float
    directive: float
    other: float
    late: float
    p50: float
    p99: float
    sent_p99: float
    reasons: Mapping[str, int]

    @classmethod
    def of(cls, rate: float, found: Sequence[Answered], in_time_ms: float) -> "Point":
        """`directive` is the share without memories for overload, `other` that which lacks something else in time."""
        shares = Counter(_kind(one, in_time_ms) for one in found)
        ms = [one.ms for one in found]
        return cls(
            rate=round(rate, 1),
            requests=len(found),
            **{kind: round(shares[kind] / len(found), 4) for kind in ("whole", "directive", "other", "late")},
            p50=round(figures.percentile(ms, 0.5), 1),
            p99=round(figures.percentile(ms, 0.99), 1),
            sent_p99=round(figures.percentile([one.sent_ms for one in found], 0.99), 1),
            reasons=dict(Counter(one.reason for one in found).most_common(5)),
        )

    @property
    def in_time(self) -> float:
        """The share of answers that came in time, whatever they lacked."""
        return round(1 - self.late, 4)

    def as_json(self) -> dict[str, Any]:
        """For the result file."""
        return {name: getattr(self, name) for name in Point.__slots__}


def _kind(one: Answered, in_time_ms: float) -> str:
    if one.status != 200 or one.ms > in_time_ms:
        return "late"
    if not one.reason:
        return "whole"
    return "directive" if "overload" in one.reason else "other"


def knee(points: Sequence[Point]) -> float:
    """The highest rate up to which answers are in time; 0 where they never are."""
    highest = 0.0
    for point in sorted(points, key=lambda one: one.rate):
        if point.in_time < KNEE:
            break
        highest = point.rate
    return highest


class Measuring:
    """One stack, one generator, and loads for one place."""

    def __init__(self, stack: Stack, generator: Generator, key: str, options: argparse.Namespace) -> None:
        self._stack = stack
        self._generator = generator
        self._options = options
        self._key = key
        self._seed = 0

    def load(self, url: str, **fields: Any) -> Load:
        """With a seed that no other has: no question is asked twice."""
        self._seed += 1
        agents = [str(talkative.agent_id(size)) for size in SIZES]
        known = Load(url, self._key, str(corpus.ORGANIZATION), agents, seed=self._seed)
        return replace(known, **{"deadline_ms": CALLER_MS * self._options.slower, **fields})

    async def send(self, load: Load) -> list[Answered]:
        """The answers, when all that they left to do is done."""
        found = await self._generator.send(load)
        await asyncio.sleep(0.5)
        return found

    async def warm(self, url: str) -> None:
        """Calls until a whole round is whole, with a deadline that allows it: maps, connections, statements."""
        for _ in range(8):
            patient = self.load(url, callers=2, seconds=2.0, deadline_ms=10 * CALLER_MS * self._options.slower)
            if not any(one.reason for one in await self.send(patient)):
                return

    async def most(self, url: str) -> float:
        """Whole answers a second with some callers that wait for each."""
        patient = self.load(url, callers=CALLERS, seconds=3.0, deadline_ms=10 * CALLER_MS * self._options.slower)
        for _ in range(3):
            found = await self.send(patient)
            if whole := sum(one.status == 200 and not one.reason for one in found):
                return whole / (patient.seconds - patient.skipped_seconds)
        raise RuntimeError("this machine is too busy: no answer was whole")

    async def curve(self, url: str, most: float, console: Console) -> list[Point]:
        """A point for each rate."""
        points = []
        for share in self._options.rates:
            load = self.load(url, rate=share * most, seconds=self._options.seconds)
            found = await self.send(load)
            if not found:
                continue
            points.append(Point.of(load.rate, found, IN_TIME_MS * self._options.slower))
            console.print(points[-1].as_json(), highlight=False)
        return points

    async def cost(self, url: str, process_id: int, *, searches: bool) -> dict[str, float]:
        """Processor milliseconds of the process for one assembly by one caller, and those of all processes; the median
        of its answers.
        """
        before, before_all = spent_ms(process_id), tree_ms(os.getpid())
        found = await self.send(
            self.load(url, callers=1, seconds=3.0, skipped_seconds=0.0, searches=searches, deadline_ms=2000.0)
        )
        return {
            "processor_ms": round((spent_ms(process_id) - before) / len(found), 2),
            "all_ms": round((tree_ms(os.getpid()) - before_all) / len(found), 2),
            "p50": round(figures.percentile([one.ms for one in found], 0.5), 2),
        }


def tree_ms(root: int) -> float:
    """Milliseconds of the processor of a process and all that it started, which live."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError):
            children.setdefault(int(path.read_text().rpartition(")")[2].split()[1]), []).append(int(path.parent.name))
    total, left = 0.0, [root]
    while left:
        process_id = left.pop()
        left += children.get(process_id, [])
        with suppress(OSError):
            total += spent_ms(process_id)
    return total


@asynccontextmanager
async def process(stack: Stack, environment: Mapping[str, str]) -> AsyncIterator[tuple[str, int]]:
    """A server of one process beside the stack's functions: its address and its process id."""
    port = ports.free_port()
    wired = stack.functions[assembly.FUNCTION].spec.environment
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.one_process",
        env={**os.environ, **wired, **DEPLOYED, **KEYS, **environment, "PORT": str(port)},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        end = time.monotonic() + 60
        while not ports.listeners(port):
            if started.returncode is not None or time.monotonic() > end:
                raise RuntimeError("the server did not start")
            await asyncio.sleep(0.1)
        yield f"http://127.0.0.1:{port}", started.pid
    finally:
        with suppress(ProcessLookupError):
            started.kill()
        await started.wait()


@asynccontextmanager
async def measuring(
    directory: Path, environment: Mapping[str, str], options: argparse.Namespace
) -> AsyncIterator[tuple[Stack, Measuring]]:
    """A stack with agents, and a generator."""
    async with assembly.local_stack(directory, {**DEPLOYED, **environment}) as stack:
        await assembly.load(stack, list(SIZES), 2000, 10)
        key = await assembly.new_key(stack)
        async with Generator() as generator:
            yield stack, Measuring(stack, generator, key, options)


async def measure(directory: Path, options: argparse.Namespace, console: Console) -> dict[str, Any]:
    """The curves of each place, without admission first; and what an assembly costs in the process."""
    results: dict[str, Any] = {"slower": options.slower, "seconds": options.seconds, "places": {}}
    places: dict[str, Any] = {name: {} for name in options.places}
    for version, environment in (("before", WITHOUT), ("after", {})):
        async with measuring(directory, environment, options) as (stack, run):
            for name in options.places:
                console.print(f"{name}, {version}")
                async with _serving(name, stack, environment) as (url, process_id):
                    await run.warm(url)
                    found = places[name]
                    found.setdefault("most", round(await run.most(url), 1))
                    if process_id and "costs" not in results:
                        results["costs"] = {
                            "whole": await run.cost(url, process_id, searches=True),
                            "directive": await run.cost(url, process_id, searches=False),
                        }
                    found[version] = [point.as_json() for point in await run.curve(url, found["most"], console)]
    results["places"] = places
    return results


@asynccontextmanager
async def _serving(name: str, stack: Stack, environment: Mapping[str, str]) -> AsyncIterator[tuple[str, int]]:
    if name == "lambda":
        yield stack.url, 0
        return
    async with process(stack, environment) as found:
        yield found


def steps(cost: Mapping[str, float]) -> tuple[Steps, Steps]:
    """The simulated steps of an assembly with this cost, before its answer and after it."""
    before_ms = BEFORE_SHARE * cost["processor_ms"]
    waits_ms = max(cost["p50"] - before_ms, 0.0)
    parts = [(share * before_ms, wait * waits_ms) for share, wait in zip(STEPS, WAITS, strict=True)]
    return parts, [(cost["processor_ms"] - before_ms, 0.0)]


def predicted(results: Mapping[str, Any], version: str) -> list[Point]:
    """What the simulated process answers at the measured rates."""
    costs, slower = results["costs"], results["slower"]
    whole, after = steps(costs["whole"])
    directive, _ = steps(costs["directive"])
    points = []
    for measured in results["places"]["process"][version]:
        loop = SharedLoop(
            whole=whole,
            directive=directive,
            after=after,
            deadline_ms=(ASSEMBLY_MS - 5) * slower,
            admits=version == "after",
        )
        answers = [
            Answered(0.0, one.ms, 0.0, 200, one.reason)
            for one in loop.run(measured["rate"], max(results["seconds"], 20))
        ]
        points.append(Point.of(measured["rate"], answers, IN_TIME_MS * slower))
    return points


def points_of(rows: Sequence[Mapping[str, Any]]) -> list[Point]:
    """Those of a result file."""
    return [Point(**row) for row in rows]


async def main() -> None:
    """Measures, then writes the results, the page and the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each rate")
    parser.add_argument("--rates", type=float, nargs="+", default=RATES)
    parser.add_argument("--places", nargs="+", default=PLACES, choices=PLACES)
    parser.add_argument("--slower", type=float, default=1.0, help="all times are this much longer")
    parser.add_argument("--directory", type=Path, help="where the database stays, to be measured again")
    parser.add_argument("--print", action="store_true", help="writes neither results nor the page")
    options = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        results = await measure(options.directory or Path(folder), options, console)
    if options.print:
        console.print("\n".join(markdown({"machine": figures.machine(), **results})), highlight=False)
        return
    figures.write("load", results)
    figures.document("load", markdown(figures.read("load")), page=PAGE)


def markdown(results: Mapping[str, Any]) -> list[str]:
    """The lines of docs/capacity.md."""
    machine, slower = results["machine"], results["slower"]
    lines = [
        f"{machine['cores']} cores, {machine['architecture']}, Python {machine['python']}, {results['seconds']:g} s "
        f"for each rate. Deadline {ASSEMBLY_MS * slower:g} ms; in time is {IN_TIME_MS * slower:g} ms from when a "
        f"request was due. {len(SIZES)} agents of {SIZES[0]} memories, asked by Zipf's law.",
    ]
    if slower != 1:
        lines += ["", f"**A busy machine, times {slower:g} times as long**: only the form of the curves counts."]
    for name, found in results["places"].items():
        lines += ["", *_of_place(name, found, results)]
    return lines


_TITLES = {"process": "One process", "lambda": "The local Lambda, four instances"}
_HEADS = (
    "requests a second", "without: whole, in time", "in time", "p50, p99 ms", "with: whole, in time",
    "directive alone, in time", "in time", "p50, p99 ms",
)  # fmt: skip
_SIMULATED_HEADS = ("simulated: whole, in time", "in time")


def _of_place(name: str, found: Mapping[str, Any], results: Mapping[str, Any]) -> list[str]:
    before, after = points_of(found["before"]), points_of(found["after"])
    simulated = predicted(results, "after") if name == "process" else []
    heads = [*_HEADS, *(_SIMULATED_HEADS if simulated else ())]
    lines = [
        f"{_TITLES[name]}: {found['most']:g} whole answers a second with {CALLERS} callers. Of the answers, {KNEE:.0%} "
        f"are in time up to {knee(before):g} a second without admission, and up to {knee(after):g} with it.",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
    ]
    for place, (without, point) in enumerate(zip(before, after, strict=True)):
        cells = [f"{point.rate:g}", f"{without.whole:.0%}", f"{without.in_time:.0%}", _ms(without)]
        cells += [f"{point.whole:.0%}", f"{point.directive:.0%}", f"{point.in_time:.0%}", _ms(point)]
        cells += [f"{simulated[place].whole:.0%}", f"{simulated[place].in_time:.0%}"] if simulated else []
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _ms(point: Point) -> str:
    return f"{point.p50:.0f}, {point.p99:.0f}"


if __name__ == "__main__":
    asyncio.run(main())
