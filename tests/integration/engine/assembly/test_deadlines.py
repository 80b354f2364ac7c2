"""What is late is given up: the check of the credential, counting, composing, the whole request."""

import asyncio
import gc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.models.hash_embedder import HashEmbedder
from remembrancer.domain.context.assembly import AssembleRequest, Assembly, AssemblyOptions
from remembrancer.domain.context.token_counts import TokenCount
from remembrancer.domain.identity.scope import Principal
from remembrancer.ports.models import TokenCounter
from remembrancer.settings import Bounds
from remembrancer.usecases.assembly import plan
from remembrancer.usecases.assembly.compose import Composer
from remembrancer.usecases.retrieval.deadline import Deadline
from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding
from tests.builders import message
from tests.integration.engine.assembly.bench import (
    QUESTION,
    WIDE,
    Bench,
    searching,
    statuses,
)
from tests.integration.engine.later import LaterWork


async def unidentified(bench: Bench, request: AssembleRequest, *, deadline_ms: float) -> Assembly:
    """With a credential that was accepted before, and whose check does not end."""

    async def never() -> Principal:
        await asyncio.Event().wait()
        raise AssertionError

    principal = asyncio.ensure_future(never())
    assembly = await bench.assembler.assemble(
        request,
        bench.tenant.principal,
        principal,
        Deadline.begin(SystemClock(), deadline_ms),
        LaterWork(),
    )
    principal.cancel()
    return assembly


class SlowEmbedder(HashEmbedder):
    """Needs longer than a deployment allows."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        await asyncio.sleep(0.1)
        return await super().embed(texts)


@pytest.mark.parametrize(("deadline_ms", "embedding"), [(48, "timeout"), (20_000, "ok")])
async def test_a_longer_deadline_is_one_for_every_source(bench: Bench, deadline_ms: float, embedding: str) -> None:
    here = searching(bench, embedding=QueryEmbedding(SlowEmbedder(), most_attempts=1)).bounded(Bounds())

    assembly = await here.assemble(deadline_ms=deadline_ms)

    assert statuses(assembly).get("embed", "timeout") == embedding


async def test_a_credential_that_is_late_is_named_while_there_is_time_to_answer(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "FORMAT_RESERVE_MS", WIDE.assembly_ms * 0.95)
    request = bench.request()

    assembly = await unidentified(bench, request, deadline_ms=WIDE.assembly_ms)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.fallback_reason == "credential_timeout"
    assert (dict(assembly.sources), set(assembly.timings_ms)) == ({}, {"total"})


async def test_an_instance_learns_how_long_it_composes_from_all_answers_but_explanations(bench: Bench) -> None:
    deadline = Deadline.begin(SystemClock(), WIDE.assembly_ms)
    explained = bench.request(options=AssemblyOptions(explain=True))

    expected = []
    for request in (bench.request(), explained, explained, bench.request()):
        await bench.assemble(request)
        expected.append(bench.assembler.composing.expected_ms(deadline))

    assert expected[:3] == [0.0, 0.0, 0.0]
    assert 0.0 < expected[3] < WIDE.assembly_ms


async def test_an_instance_that_is_late_gets_its_hot_set_and_map_all_the_same(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whatever ends composing too late, these are done before it begins.
    done: list[str] = []
    compose = Composer.compose

    async def noted(self: Composer, *arguments: Any, **options: Any) -> Assembly:
        done.extend(later.names)
        return await compose(self, *arguments, **options)

    monkeypatch.setattr(Composer, "compose", noted)
    later = LaterWork()

    await bench.assemble(later=later)

    assert {"refill_hot_set", "memory_map"} <= set(done)
    assert "usage" in later.names


@pytest.mark.parametrize("deadline_ms", [0.0, 1.0])
async def test_a_deadline_that_nothing_can_meet_passes_the_messages_unchanged(bench: Bench, deadline_ms: float) -> None:
    request = bench.request()

    assembly = await unidentified(bench, request, deadline_ms=deadline_ms)

    assert list(assembly.messages) == list(request.messages)
    assert assembly.memory_ids == ()
    assert assembly.fallback_reason in {"assembly_timeout", "credential_timeout"}
    assert (dict(assembly.sources), set(assembly.timings_ms)) == ({}, {"total"})


LONG_HISTORY = [
    {**message(f"Turn {turn}: " + "we talked about the harvest " * 60), "role": ("user", "assistant")[turn % 2]}
    for turn in range(400)
]
"""Some 128,000 tokens."""


async def test_a_history_of_128000_tokens_costs_no_memory_and_is_counted_a_little_further_each_time(
    bench: Bench,
) -> None:
    request = bench.request(model="gpt-4.1", messages=[*LONG_HISTORY, message(QUESTION)])

    first = await bench.assemble(request)
    exact = first
    for _ in range(5):
        exact = await bench.assemble(request)

    assert first.budget is not None and exact.budget is not None
    assert (first.fallback_reason, first.budget.exact) == ("", False)
    assert set(first.memory_ids) == {bench.coffee, bench.tea}
    assert 120_000 < exact.budget.messages < 140_000
    assert exact.budget.messages <= first.budget.messages
    assert exact.budget.exact


class Stuck:
    """Counts, but never ends with a long conversation."""

    def __init__(self, counter: TokenCounter) -> None:
        self._counter = counter

    async def count_many(self, texts: Sequence[str], family: str) -> Sequence[TokenCount]:
        if len(texts) > len(LONG_HISTORY):
            await asyncio.Event().wait()
        return await self._counter.count_many(texts, family)


async def test_counting_that_does_not_end_is_given_up_and_estimated(bench: Bench) -> None:
    composer = replace(bench.assembler.composer, counter=Stuck(bench.assembler.composer.counter))
    here = replace(bench, assembler=replace(bench.assembler, composer=composer))
    request = here.request(model="gpt-4.1", messages=[*LONG_HISTORY, message(QUESTION)])

    for _ in range(20):
        assembly = await here.assemble(request, deadline_ms=300)
        if not assembly.fallback_reason:
            break

    assert assembly.budget is not None
    assert (assembly.budget.exact, assembly.fallback_reason) == (False, "")
    assert assembly.budget.messages > 128_000
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}


async def test_requests_given_up_early_leave_nothing_behind_for_the_next(bench: Bench) -> None:
    for tenths in range(40):
        assembly = await bench.assemble(deadline_ms=tenths / 4)
        [asked] = bench.request().messages
        assert str(assembly.messages[-1]["content"]).endswith(str(asked["content"]))
    gc.collect()  # a coroutine that nobody awaited warns here, and a warning fails the test

    assembly = await bench.assemble()

    assert assembly.fallback_reason == ""
    assert set(assembly.memory_ids) == {bench.coffee, bench.tea}
