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
    SQLiteSession,
    function_tool,
    set_trace_processors,
    set_tracing_disabled,
    trace,
)
from agents.testing import ModelCall, ModelStep, ScriptedModel, assistant_message, function_call
from openai.types.responses import ResponseTextDeltaEvent

from remembrancer_client import Assembled, Client
from remembrancer_client.openai_agents import RemembrancerFilter, RemembrancerHooks
from tests.frameworks import closing

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


def captures(users: list[str | None], questions: list[str], answer: str, **settings: Any) -> None:
    """Every user asks a question in a run and in a streamed run, and all questions in a session with a tool."""
    set_tracing_disabled(False)
    set_trace_processors([])
    with Client(**settings) as client:
        for user in users:
            asyncio.run(_captures(client, user, questions, answer))


async def _captures(client: Client, user: str | None, questions: list[str], answer: str) -> None:
    @function_tool  # type: ignore[untyped-decorator]
    def look() -> str:
        """Looks at the piano."""
        return "It is out of tune."

    memory, hooks, context = RemembrancerFilter(client), RemembrancerHooks(client), {"user_id": user}
    config = RunConfig(call_model_input_filter=memory)
    plain = Agent(name="Hob", instructions=INSTRUCTIONS, model=ScriptedModel([[assistant_message(answer)]] * 2))
    await Runner.run(plain, questions[0], context=context, hooks=hooks, run_config=config)
    async for _ in Runner.run_streamed(
        plain, questions[0], context=context, hooks=hooks, run_config=config
    ).stream_events():
        pass
    steps = [[function_call("look", {}, call_id="call-1")], [assistant_message(answer)]]
    kept = Agent(name="Hob", model=ScriptedModel(steps * len(questions)), tools=[look])
    session = SQLiteSession("of the test")
    with trace("All of them", group_id=f"group-of-{user}"):
        for question in questions:
            await Runner.run(kept, question, context=context, session=session, hooks=hooks, run_config=config)


def faults(services: dict[str, tuple[str, float]], question: str) -> dict[str, Any]:
    """By the service, of its URL and deadline: what the model was given, the reasons, how long the slowest run took."""
    went = {}
    with closing.together() as clients:
        for name, (url, deadline_ms) in services.items():
            clients.append(Client(url, "rk_test", agent_id="a", deadline_ms=deadline_ms))
            went[name] = _fault(clients[-1], question)
    return went


def _fault(client: Client, question: str) -> dict[str, Any]:
    answers: list[Assembled] = []
    memory = RemembrancerFilter(client, on_assembled=answers.append)
    given, slowest = [], 0.0
    for run in _WAYS.values():
        began = time.monotonic()
        given.append(run(memory, question, {"user_id": "isla"}, RemembrancerHooks(client)))
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


def _run(memory: RemembrancerFilter, question: Any, context: Any, hooks: Any = None) -> Any:
    config = RunConfig(call_model_input_filter=memory)
    running = Runner.run(_agent(), question, context=context, hooks=hooks, run_config=config)
    return json.loads(asyncio.run(running).final_output)


def _run_sync(memory: RemembrancerFilter, question: Any, context: Any, hooks: Any = None) -> Any:
    config = RunConfig(call_model_input_filter=memory)
    return json.loads(Runner.run_sync(_agent(), question, context=context, hooks=hooks, run_config=config).final_output)


def _run_streamed(memory: RemembrancerFilter, question: Any, context: Any, hooks: Any = None) -> Any:
    async def together() -> str:
        config = RunConfig(call_model_input_filter=memory)
        run = Runner.run_streamed(_agent(), question, context=context, hooks=hooks, run_config=config)
        events = [event.data async for event in run.stream_events() if event.type == "raw_response_event"]
        return "".join(event.delta for event in events if isinstance(event, ResponseTextDeltaEvent))

    return json.loads(asyncio.run(together()))


_WAYS: dict[str, Callable[..., Any]] = {
    "run": _run,
    "run_sync": _run_sync,
    "run_streamed": _run_streamed,
}
