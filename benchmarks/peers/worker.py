"""Runs one compared system in its own environment: reads commands as lines of JSON, and answers each with a line.

`python -m benchmarks.peers.worker MODULE URL MODELS`; `benchmarks.peers` starts it.
"""

import asyncio
import importlib
import json
import sys
import time
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import System

_KB = 1024
Command = Callable[..., Awaitable[Any]]


async def main() -> None:
    """Serves until the end of the input."""
    name, url, models = sys.argv[1:]
    # Libraries print notices: only our answers may be on the output.
    answers, sys.stdout = sys.stdout, sys.stderr
    module = importlib.import_module(name)
    embedder = WaitingEmbedder(Path(models))
    embedder.vector("warm")
    system: System = module.connect(url, embedder)
    await system.open()
    await _serve(system, answers, {one: version(one) for one in module.PACKAGES})
    await system.close()
    embedder.close()


async def _serve(system: System, answers: TextIO, versions: dict[str, str]) -> None:
    commands: dict[str, Command] = {"add": _add, "search": _search, "frozen": _frozen, "rss": _rss}
    loop = asyncio.get_running_loop()
    _answer(answers, {"versions": versions})
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(line)
        _answer(answers, await commands[asked.pop("do")](system, **asked))


def _answer(answers: TextIO, answer: Any) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


async def _rss(_: System) -> dict[str, float]:
    return {"rss_mb": rss_mb()}


async def _add(system: System, owner: str, memories: list[tuple[str, str]], batch: int) -> dict[str, float]:
    started = time.perf_counter()
    for start in range(0, len(memories), batch):
        await system.add(owner, memories[start : start + batch])
    return {"seconds": time.perf_counter() - started}


async def _search(
    system: System, questions: list[tuple[str, str]], limit: int, pause_ms: float
) -> list[tuple[float, list[str]]]:
    """Milliseconds and references of each question, one after the other; a question names its owner."""
    found = []
    for owner, question in questions:
        started = time.perf_counter()
        references = await system.search(owner, question, limit)
        found.append(((time.perf_counter() - started) * 1000, references))
        await asyncio.sleep(pause_ms / 1000)
    return found


async def _frozen(
    system: System, questions: list[tuple[str, str]], limit: int, every_seconds: float
) -> list[dict[str, Any]]:
    """Starts a search at each interval without waiting for the last one; what each answered, and when."""

    async def one(place: int, owner: str, question: str) -> dict[str, Any]:
        await asyncio.sleep(place * every_seconds)
        started = time.perf_counter()
        try:
            rows = len(await system.search(owner, question, limit))
            answer: dict[str, Any] = {"rows": rows}
        except Exception as error:  # each library has its own classes
            answer = {"error": type(error).__name__}
        return answer | {"ms": (time.perf_counter() - started) * 1000}

    return await asyncio.gather(*(one(place, *question) for place, question in enumerate(questions)))


def rss_mb(status: Path = Path("/proc/self/status")) -> float:
    """Resident memory of a process in MB, now."""
    line = next(one for one in status.read_text(encoding="ascii").splitlines() if one.startswith("VmRSS:"))
    return round(int(line.split()[1]) / _KB, 1)


if __name__ == "__main__":
    asyncio.run(main())
