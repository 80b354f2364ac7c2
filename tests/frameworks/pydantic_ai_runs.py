"""Agents of Pydantic AI with our capability, on a model that answers with what it was given."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from pydantic_ai import Agent, BinaryContent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from remembrancer_client import Assembled, Client
from remembrancer_client.pydantic_ai import RemembrancerCapability
from tests.frameworks import closing

INSTRUCTIONS = "Be brief."


class Echo:
    """Says these steps, a text or the call of a tool; without steps, in JSON what it was given, as `given` has it."""

    def __init__(self, *steps: str) -> None:
        self._steps = list(steps)
        self.given: list[list[Any]] = []

    def model(self) -> FunctionModel:
        return FunctionModel(self._whole, stream_function=self._streamed, model_name="gpt-4o")

    def _next(self, messages: Any, info: AgentInfo) -> str:
        shown = [info.instructions, _shown(messages)]
        self.given.append(shown)
        return self._steps.pop(0) if self._steps else json.dumps(shown)

    def _whole(self, messages: Any, info: AgentInfo) -> ModelResponse:
        step = self._next(messages, info)
        return ModelResponse([ToolCallPart("look", {})] if step == "look" else [TextPart(step)])

    async def _streamed(self, messages: Any, info: AgentInfo) -> AsyncIterator[str]:
        yield self._next(messages, info)


def _shown(messages: Any) -> Any:
    prompts = [part.content for one in messages for part in one.parts if isinstance(part, UserPromptPart)]
    return prompts[-1] if isinstance(prompts[-1], str) else [part for part in prompts[-1] if isinstance(part, str)]


def agent(capability: RemembrancerCapability, echo: Echo) -> Agent[Any, str]:
    return Agent(echo.model(), instructions=INSTRUCTIONS, capabilities=[capability], deps_type=dict)


def _run(agent: Agent[Any, str], question: Any, deps: Any, history: Any = None) -> Any:
    return asyncio.run(agent.run(question, deps=deps, message_history=history))


def _run_sync(agent: Agent[Any, str], question: Any, deps: Any) -> Any:
    return agent.run_sync(question, deps=deps)


def _run_stream(agent: Agent[Any, str], question: Any, deps: Any) -> Any:
    async def together() -> Any:
        async with agent.run_stream(question, deps=deps) as streamed:
            streamed.output = await streamed.get_output()
            return streamed

    return asyncio.run(together())


_WAYS: dict[str, Callable[..., Any]] = {"run": _run, "run_sync": _run_sync, "run_stream": _run_stream}


def chats(users: list[str | None], question: str, **settings: Any) -> dict[str, list[Any]]:
    """By the way of running: what the model was given for each end user, and what the agent keeps of the prompt."""
    with Client(**settings) as client:
        capability = RemembrancerCapability(client)
        return {name: [_chat(run, capability, question, user) for user in users] for name, run in _WAYS.items()}


def _chat(run: Callable[..., Any], capability: RemembrancerCapability, question: str, user: str | None) -> Any:
    result = run(agent(capability, Echo()), question, {} if user is None else {"user_id": user})
    return [json.loads(result.output), _shown(result.all_messages())]


def tools(question: str, **settings: Any) -> list[Any]:
    """What the model was given in each call of a run with a tool."""
    with Client(**settings) as client:
        echo = Echo("look", "On Tuesdays.")
        own = agent(RemembrancerCapability(client), echo)
        own.tool_plain(_look, name="look")
        _run(own, question, {"user_id": "isla"})
        return echo.given


def _look() -> str:
    """Looks at the piano."""
    return "It is out of tune."


def captures(users: list[str | None], questions: list[str], answer: str, mode: Any, **settings: Any) -> None:
    """Every user asks a question in each way, and all questions in a conversation with a tool."""
    with Client(**settings) as client:
        capability = RemembrancerCapability(client, capture=mode)
        for user in users:
            deps = {} if user is None else {"user_id": user}
            for run in _WAYS.values():
                run(agent(capability, Echo(answer)), questions[0], deps)
            own = agent(capability, Echo(*[step for _ in questions for step in ("look", answer)]))
            own.tool_plain(_look, name="look")
            history: Any = None
            for question in questions:
                history = _run(own, question, deps, history).all_messages()


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
    capability = RemembrancerCapability(client, on_assembled=answers.append)
    given, slowest = [], 0.0
    for run in _WAYS.values():
        began = time.monotonic()
        given.append(json.loads(run(agent(capability, Echo()), question, {"user_id": "isla"}).output))
        slowest = max(slowest, time.monotonic() - began)
    return {"given": given, "reasons": [answer.reason for answer in answers], "seconds": slowest}


def our_own_faults(question: str, **settings: Any) -> list[Any]:
    """What the model was given: no end user can be told, the context names all, the callback fails, odd input."""

    def fails(_: Any) -> Any:
        raise RuntimeError

    odd: Any = [BinaryContent(b"A" * 3_000, media_type="image/png"), question]
    with Client(**settings) as client:
        unknown, unheard = (
            RemembrancerCapability(client, user_id=fails),
            RemembrancerCapability(client, on_assembled=fails),
        )
        plain = RemembrancerCapability(client)
        return [
            json.loads(_run(agent(unknown, Echo()), question, {}).output),
            json.loads(_run(agent(plain, Echo()), question, {"user_id": "*"}).output),
            json.loads(_run(agent(unheard, Echo()), question, {}).output),
            json.loads(_run(agent(plain, Echo()), odd, {}).output),
        ]
