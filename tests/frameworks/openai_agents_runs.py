"""Agents of the OpenAI Agents SDK with our filter, on a model that answers with what it was given."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from agents import (
    Agent,
    RunConfig,
    Runner,
    function_tool,
    set_trace_processors,
    set_tracing_disabled,
    trace,
)
from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call
from openai.types.responses import ResponseTextDeltaEvent

from remembrancer_client import Assembled, Client
from remembrancer_client.openai_agents import RemembrancerFilter

INSTRUCTIONS = "Be brief."


def chats(users: list[str | None], question: str, **settings: Any) -> dict[str, list[Any]]:
    """By the way of running: what the model was given for each end user."""
    with Client(**settings) as client:
        memory = RemembrancerFilter(client)
        return {name: [run(memory, question, {"user_id": user}) for user in users] for name, run in _WAYS.items()}


def tools(users: list[str], question: str, **settings: Any) -> dict[str, list[Any]]:
    """What the model was given in each call of runs with a tool, in one trace; the provider holds the conversations.

    No run goes on before all have asked.
    """
    set_tracing_disabled(False)
    set_trace_processors([])
    with Client(**settings) as client, trace("All of them"):
        return asyncio.run(_with_tools(RemembrancerFilter(client), users, question))


async def _with_tools(memory: RemembrancerFilter, users: list[str], question: str) -> dict[str, list[Any]]:
    everyone = asyncio.Barrier(len(users))

    @function_tool  # type: ignore[untyped-decorator]
    async def look() -> str:
        """Looks at the piano."""
        await everyone.wait()
        return "It is out of tune."

    async def calls(user: str) -> list[Any]:
        model = ScriptedModel([[function_call("look", {}, call_id="call-1")], [assistant_message("On Tuesdays.")]])
        agent = Agent(name="Hob", instructions=INSTRUCTIONS, model=model, tools=[look])
        config = RunConfig(call_model_input_filter=memory)
        await Runner.run(agent, question, context={"user_id": user}, conversation_id=user, run_config=config)
        return [[one.system_instructions, one.input] for one in model.calls]

    return dict(zip(users, await asyncio.gather(*map(calls, users)), strict=True))


def faults(services: dict[str, tuple[str, float]], question: str) -> dict[str, Any]:
    """By the service, of its URL and deadline: what the model was given, the reasons, how long the slowest run took."""
    return {name: _fault(url, question, deadline_ms) for name, (url, deadline_ms) in services.items()}


def _fault(url: str, question: str, deadline_ms: float) -> dict[str, Any]:
    answers: list[Assembled] = []
    with Client(url, "rk_test", agent_id="a", deadline_ms=deadline_ms) as client:
        memory = RemembrancerFilter(client, on_assembled=answers.append)
        given, slowest = [], 0.0
        for run in _WAYS.values():
            began = time.monotonic()
            given.append(run(memory, question, None))
            slowest = max(slowest, time.monotonic() - began)
        return {"given": given, "reasons": [answer.reason for answer in answers], "seconds": slowest}


def our_own_faults(question: str, **settings: Any) -> list[Any]:
    """What the model was given: no end user can be told, the context names all, the callback fails, odd input."""

    def fails(_: Any) -> Any:
        raise RuntimeError

    image = {"type": "input_image", "image_url": "x", "detail": "auto"}
    odd: Any = [{"role": "user", "content": [image, {"type": "input_text", "text": question}]}]
    with Client(**settings) as client:
        unknown, unheard = RemembrancerFilter(client, user_id=fails), RemembrancerFilter(client, on_assembled=fails)
        return [
            _run(unknown, question, None),
            _run(RemembrancerFilter(client), question, {"user_id": "*"}),
            _run(unheard, question, None),
            _run(RemembrancerFilter(client), odd, None),
        ]


def _echo(call: ModelCall) -> Any:
    given = call.input if isinstance(call.input, str) else [item.get("content") for item in call.input]
    text = given[0] if isinstance(given, list) and len(given) == 1 else given
    return [assistant_message(json.dumps([call.system_instructions, text]))]


def _agent() -> Any:
    return Agent(name="Hob", instructions=INSTRUCTIONS, model=ScriptedModel([ModelStep.respond(_echo)]))


def _run(memory: RemembrancerFilter, question: Any, context: Any) -> Any:
    config = RunConfig(call_model_input_filter=memory)
    return json.loads(asyncio.run(Runner.run(_agent(), question, context=context, run_config=config)).final_output)


def _run_sync(memory: RemembrancerFilter, question: Any, context: Any) -> Any:
    config = RunConfig(call_model_input_filter=memory)
    return json.loads(Runner.run_sync(_agent(), question, context=context, run_config=config).final_output)


def _run_streamed(memory: RemembrancerFilter, question: Any, context: Any) -> Any:
    async def together() -> str:
        config = RunConfig(call_model_input_filter=memory)
        run = Runner.run_streamed(_agent(), question, context=context, run_config=config)
        events = [event.data async for event in run.stream_events() if event.type == "raw_response_event"]
        return "".join(event.delta for event in events if isinstance(event, ResponseTextDeltaEvent))

    return json.loads(asyncio.run(together()))


_WAYS: dict[str, Callable[[RemembrancerFilter, Any, Any], Any]] = {
    "run": _run,
    "run_sync": _run_sync,
    "run_streamed": _run_streamed,
}
