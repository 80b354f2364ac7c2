"""More requests than the process can answer in time: the directive alone, or the client's messages, at once."""

import asyncio
import json
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest

from remembrancer.adapters.clock import SystemClock
from remembrancer.errors import NotFound
from remembrancer.runtime.endpoints.assembly_api import AssemblyApi
from remembrancer.runtime.http.messages import HttpRequest
from remembrancer.usecases.assembly.admission import Admission, Admitted, Extent
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from tests.builders import SetClock, assemble_body, message
from tests.integration.engine.assembly.bench import (
    COFFEE,
    DIRECTIVE,
    EVERYTHING,
    QUESTION,
    TEA,
    Accepted,
    Bench,
    counting,
    injected,
    searching,
    statuses,
    warmed,
)
from tests.integration.engine.assembly.test_switched_off import Hung
from tests.integration.engine.later import LaterWork

BENCH_PIN = "Sam must not have nuts."


@dataclass
class Decided(Admission):
    """Admits as a test says, and notes what has ended."""

    extent: Extent | None
    ended: list[tuple[Extent, bool]] = field(default_factory=list)

    def begin(self, left_ms: float) -> Admitted | None:
        return None if self.extent is None else Admitted(self.extent, 0.0, 0.0, 0.0)

    def end(self, admitted: Admitted, *, finished: bool) -> None:
        self.ended.append((admitted.extent, finished))


def deciding(bench: Bench, extent: Extent | None) -> tuple[Bench, Decided]:
    decided = Decided(extent)
    return replace(bench, assembler=replace(bench.assembler, admission=decided)), decided


async def test_the_directive_alone_comes_without_a_search_and_is_named(bench: Bench) -> None:
    request = replace(bench.request(session_id=str(UUID(int=7))), turn_id="turn")
    await warmed(bench, request)
    calls: Counter[str] = Counter()
    overloaded, decided = deciding(counting(bench, calls), Extent.DIRECTIVE)
    later = LaterWork()

    answer = await overloaded.assemble(request, later=later)

    assert DIRECTIVE in injected(answer)
    assert not any(text in injected(answer) for text in (COFFEE, TEA))
    assert answer.fallback_reason == "overload"
    assert statuses(answer) == dict.fromkeys(EVERYTHING, "skipped") | {"directive": "ok"}
    assert not calls
    assert not {"memory_map", "turn_cache", "usage"}.intersection(later.names)
    assert decided.ended == [(Extent.DIRECTIVE, True)]
    assert COFFEE in injected(await bench.assemble(request))


async def test_pinned_memories_come_with_the_directive(bench: Bench) -> None:
    await bench.tenant.remember_texts(BENCH_PIN, pinned_at=SetClock().now())
    overloaded, _ = deciding(bench, Extent.DIRECTIVE)

    answer = await overloaded.assemble()

    assert BENCH_PIN in injected(answer)
    assert answer.fallback_reason == "overload"


async def test_where_nothing_can_be_in_time_the_clients_messages_come_back(bench: Bench) -> None:
    overloaded, decided = deciding(bench, None)
    later = LaterWork()

    answer = await overloaded.assemble(later=later)

    assert [sent["content"] for sent in answer.messages] == [QUESTION]
    assert answer.fallback_reason == "overload"
    assert not later.names
    assert not decided.ended


async def test_what_is_late_without_searches_names_both(bench: Bench) -> None:
    overloaded, decided = deciding(bench, Extent.DIRECTIVE)

    answer = await overloaded.assemble(deadline_ms=1)

    assert answer.fallback_reason in {"overload,assembly_timeout", "credential_timeout"}
    assert decided.ended == [(Extent.DIRECTIVE, False)]


async def test_a_whole_assembly_ends_its_turn_whatever_happens(bench: Bench) -> None:
    counted, decided = deciding(bench, Extent.WHOLE)

    await counted.assemble()
    hung = searching(counted, embedding=QueryEmbedding(Hung(), most_attempts=1))
    await hung.assemble(deadline_ms=200)
    with pytest.raises(NotFound):
        await counted.assemble(replace(bench.request(), agent_id=UUID(int=99)))
    cancelled = asyncio.ensure_future(hung.assemble())
    await asyncio.sleep(0.05)
    cancelled.cancel()
    await asyncio.wait({cancelled})

    assert decided.ended == [(Extent.WHOLE, True), (Extent.WHOLE, False), (Extent.WHOLE, False), (Extent.WHOLE, False)]


async def test_the_deadline_counts_from_the_arrival_however_late_the_loop_takes_the_request(bench: Bench) -> None:
    tenant = bench.tenant
    api = AssemblyApi(bench.assembler, Accepted(tenant.principal), SystemClock(), 20_000)  # type: ignore[arg-type]
    body = assemble_body(org_id=str(tenant.org_id), agent_id=str(tenant.agent_id), messages=[message(QUESTION)])

    async def fallback_reason(waited_seconds: float) -> str:
        sent = json.dumps(body).encode()
        received = time.perf_counter() - waited_seconds
        request = HttpRequest("POST", "/", {}, {}, sent, "r", remaining_ms=60_000, received=received)
        response = await api.assemble(request, LaterWork())  # type: ignore[arg-type]
        return str(response.headers["x-context-fallback"])

    assert await fallback_reason(0) == ""
    assert await fallback_reason(21) == "assembly_timeout"
