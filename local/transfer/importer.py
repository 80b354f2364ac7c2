"""Imports JSON Lines: batches run concurrently, in any order; their results are recorded in the order of the file."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx

from local.refusals import failed_request, json_object, refusal
from local.transfer import lines
from local.transfer.lines import AgentMapping, ImportLine
from local.transfer.progress import Counts, Progress

_ATTEMPTS = 8
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 15.0
_AGAIN = frozenset({429, 500, 502, 503, 504})


class ImportRefusedError(Exception):
    """The service refuses everything, or does not answer; the import can be resumed."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that the service refused, and the reason."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the lines of a batch."""

    counts: Counts
    refusals: Sequence[Refusal]


@dataclass(frozen=True, slots=True)
class Captured:
    """What became of a conversation: turns by status, messages left out by reason, and why the rest was `refused`."""

    turns: Mapping[str, int]
    skipped: Mapping[str, int]
    refused: str = ""


Job = TypeVar("Job")
Done = TypeVar("Done")


class Importer:
    """Writes memories in batches, and conversations. What fails is retried with growing pauses, then the run stops."""

    def __init__(self, client: httpx.AsyncClient, *, connections: int) -> None:
        self._client = client
        self._connections = connections

    async def run(
        self,
        path: Path,
        start: Progress,
        agents: AgentMapping,
        *,
        report: Path,
        progress_path: Path,
        decided: Callable[[Counts], None],
    ) -> Progress:
        """Returns the final progress. `decided` is called with the counts of each batch, in the order of the file.

        After a cancellation or failure, the progress file says where to resume; nothing is lost or written twice.
        """
        _report_until(report, start.number)
        progress = start
        async for batch, outcome in self.sent(lines.read(path, agents, number=start.number, offset=start.offset)):
            _note(report, outcome.refusals)
            last = batch[-1]
            decided(outcome.counts)
            progress = progress.advanced(last.number, last.end, outcome.counts)
            progress.save(progress_path)
        return progress

    async def sent(self, memories: Iterator[ImportLine]) -> AsyncIterator[tuple[list[ImportLine], Outcome]]:
        """Each batch with its outcome, in order; as many run concurrently as there are connections."""
        async for batch, outcome in self._in_order(lines.batches(memories), self._send):
            yield batch, outcome

    async def captured(
        self, conversations: Iterator[Sequence[Mapping[str, Any]]]
    ) -> AsyncIterator[tuple[Sequence[Mapping[str, Any]], Captured]]:
        """Each conversation, as bodies of POST /v1/conversations that follow each other, with what became of it."""
        async for bodies, captured in self._in_order(conversations, self._capture):
            yield bodies, captured

    async def _in_order(
        self, jobs: Iterator[Job], send: Callable[[Job], Coroutine[Any, Any, Done]]
    ) -> AsyncIterator[tuple[Job, Done]]:
        under_way: list[tuple[Job, asyncio.Task[Done]]] = []
        try:
            while True:
                while len(under_way) < self._connections and (job := next(jobs, None)) is not None:
                    under_way.append((job, asyncio.create_task(send(job))))
                if not under_way:
                    return
                job, task = under_way[0]
                done = await task
                del under_way[0]
                yield job, done
        finally:
            for _, task in under_way:
                task.cancel()
            await asyncio.gather(*(task for _, task in under_way), return_exceptions=True)

    async def _capture(self, bodies: Sequence[Mapping[str, Any]]) -> Captured:
        turns: Counter[str] = Counter()
        skipped: Counter[str] = Counter()
        for body in bodies:
            answer = await self._post("/v1/conversations", body)
            told = json_object(answer) or {}
            skipped.update(told.get("skipped") or {})
            if answer.is_success:
                turns.update(turn["status"] for turn in told["turns"])
            elif answer.status_code != httpx.codes.BAD_REQUEST:
                raise ImportRefusedError(refusal(answer))
            elif told["error"]["code"] != "nothing_to_capture":
                return Captured(turns, skipped, refused=refusal(answer))
        return Captured(turns, skipped)

    async def _send(self, batch: Sequence[ImportLine]) -> Outcome:
        refusals = [Refusal(line.number, line.problem) for line in batch if line.problem]
        skipped = sum(line.memory is None and not line.problem for line in batch)
        sent = [line for line in batch if line.memory is not None]
        results = await self._write(sent) if sent else []
        kinds = [result["status"] for result in results]
        for line, result in zip(sent, results, strict=True):
            if result["status"] not in {"accepted", "duplicate"}:
                refusals.append(Refusal(line.number, _reason(result)))
        refusals.sort(key=lambda refusal: refusal.number)
        counts = Counts(kinds.count("accepted"), kinds.count("duplicate"), len(refusals), skipped)
        return Outcome(counts, refusals)

    async def _write(self, batch: Sequence[ImportLine]) -> list[dict[str, Any]]:
        try:
            answer = await self._post("/v1/memories/batch", {"memories": [line.memory for line in batch]})
            if answer.status_code != httpx.codes.MULTI_STATUS:
                raise ImportRefusedError(refusal(answer))
        except ImportRefusedError as error:
            raise ImportRefusedError(f"lines {batch[0].number} to {batch[-1].number}: {error}") from error
        results: list[dict[str, Any]] = answer.json()["results"]
        return results

    async def _post(self, path: str, body: Mapping[str, Any]) -> httpx.Response:
        """The answer, retried while the service is busy or silent. Raises ImportRefusedError when that lasts."""
        for attempt in range(_ATTEMPTS):
            if attempt:
                pause = min(_FIRST_PAUSE_S * 2 ** (attempt - 1), _LONGEST_PAUSE_S)
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            try:
                answer = await self._client.post(path, json=body)
            except httpx.TransportError as error:
                problem = failed_request(error)
                continue
            if answer.status_code not in _AGAIN:
                return answer
            problem = refusal(answer)
        raise ImportRefusedError(problem)


def _report_until(report: Path, number: int) -> None:
    """Removes report lines after the last saved progress, since those lines are imported again."""
    if not report.exists():
        return
    known = [line for line in report.read_text(encoding="utf-8").splitlines() if _is_until(line, number)]
    report.write_text("".join(f"{line}\n" for line in known), encoding="utf-8")


def _note(report: Path, refusals: Sequence[Refusal]) -> None:
    if not refusals:
        return
    with report.open("a", encoding="utf-8") as file:
        for refusal in refusals:
            print(json.dumps({"line": refusal.number, "reason": refusal.reason}), file=file)


def _reason(result: dict[str, Any]) -> str:
    error = result.get("error") or {}
    fields = "; ".join(f"{name} {problem}" for name, problem in (error.get("fields") or {}).items())
    return str(fields or error.get("message") or result["status"])


def _is_until(text: str, number: int) -> bool:
    try:
        return bool(json.loads(text)["line"] <= number)
    except ValueError:
        # An incomplete line: the machine stopped while it was being written.
        return False
