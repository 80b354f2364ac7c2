"""Agent frameworks in front of services that do everything wrong: the run goes on as if there were no memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from tests.clients.faulty import FAULTS, drips, hangs, running
from tests.frameworks import environment

QUESTION = "Which room?"
DEADLINE_MS, PATIENT_MS = 45.0, 5000.0
PATIENCE_S = 3.0
"""How long a run may take on a busy machine with a service that hangs."""
UNCHANGED = {
    "langchain_runs": [["system", "Be brief."], ["human", QUESTION]],
    "openai_agents_runs": ["Be brief.", QUESTION],
}

pytestmark = environment.installed


@asynccontextmanager
async def broken_services() -> AsyncIterator[dict[str, tuple[str, float]]]:
    """For each fault the URL of a service, and the deadline to ask it with."""
    async with AsyncExitStack() as stack:
        services = {"down": ("http://127.0.0.1:1", PATIENT_MS)}
        for fault in (*FAULTS, hangs, drips):
            service = await stack.enter_async_context(running())
            service.behaviour = fault
            services[fault.__name__] = (service.url, PATIENT_MS if fault in FAULTS else DEADLINE_MS)
        yield services


@pytest.mark.parametrize("module", UNCHANGED)
async def test_every_run_goes_on_unchanged_whatever_the_service_does(module: str) -> None:
    reasons = {fault.__name__: reason for fault, reason in FAULTS.items()}
    reasons |= {"down": "unreachable", "hangs": "timeout", "drips": "timeout"}

    async with broken_services() as services:
        went = await called(module, "faults", services=services, question=QUESTION)

    assert went.keys() == services.keys()
    for fault, run in went.items():
        assert run["given"] == [UNCHANGED[module]] * len(run["given"]), fault
        assert set(run["reasons"]) == {reasons[fault]}, fault
        assert len(run["reasons"]) == len(run["given"]), fault
        assert run["seconds"] < PATIENCE_S, fault


@pytest.mark.parametrize("module", UNCHANGED)
async def test_faults_on_our_side_cost_a_run_nothing_but_memory(module: str) -> None:
    async with running() as service:
        arguments = {"url": service.url, "api_key": "rk_test", "agent_id": "a", "deadline_ms": PATIENT_MS}
        unknown, unheard, odd = await called(module, "our_own_faults", question=QUESTION, **arguments)

    assert unknown == unheard == UNCHANGED[module]
    assert "Tea." in str(odd)
    assert QUESTION in str(odd)
    # No end user could be told: the service was not asked for shared memories instead.
    assert len([exchange for exchange in service.received if exchange.body]) == 2


async def called(module: str, function: str, **arguments: Any) -> Any:
    """The services live on this loop, which has to go on meanwhile."""
    return await asyncio.to_thread(environment.call, module, function, {}, **arguments)
