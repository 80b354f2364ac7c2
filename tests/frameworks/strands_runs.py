"""Agents of Strands with our plugin, on a model that answers with what it was given."""

import asyncio
import copy
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from strands import Agent, tool
from strands.models import Model
from strands.session import FileSessionManager

from remembrancer_client import Assembled, Client
from remembrancer_client.strands import RemembrancerPlugin
from tests.frameworks import closing

INSTRUCTIONS = "Be brief."


class Echo(Model):  # type: ignore[misc]
    """Says these steps, a text or the call of a tool; without steps, in JSON what it was given, as `given` has it."""

    def __init__(self, *steps: str) -> None:
        self._steps = list(steps)
        self.given: list[tuple[Any, Any]] = []

    def update_config(self, **_: Any) -> None: ...

    def get_config(self) -> dict[str, Any]:
        return {"model_id": "gpt-4o"}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: Any = None, **_: Any
    ) -> AsyncIterator[dict[str, Any]]:
        self.given.append((system_prompt, copy.deepcopy(messages)))
        step = self._steps.pop(0) if self._steps else json.dumps([system_prompt, shown(messages)])
        is_call = step == "look"
        start = {"toolUse": {"name": "look", "toolUseId": "call-1"}} if is_call else {}
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": start}}
        yield {"contentBlockDelta": {"delta": {"toolUse": {"input": "{}"}} if is_call else {"text": step}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if is_call else "end_turn"}}


def shown(messages: Sequence[Any]) -> Any:
    texts = [part["text"] for part in messages[-1]["content"] if "text" in part]
    return texts[0] if len(texts) == 1 else texts


@tool  # type: ignore[untyped-decorator]
def look() -> str:
    """Looks at the piano."""
    return "It is out of tune."


def agent(plugin: RemembrancerPlugin, model: Echo, **fields: Any) -> Agent:
    return Agent(model=model, system_prompt=INSTRUCTIONS, plugins=[plugin], callback_handler=None, **fields)


def _call(agent: Agent, question: Any, context: Any) -> str:
    return str(agent(question, invocation_state=context))


def _invoke_async(agent: Agent, question: Any, context: Any) -> str:
    return str(asyncio.run(agent.invoke_async(question, invocation_state=context)))


def _stream_async(agent: Agent, question: Any, context: Any) -> str:
    async def together() -> str:
        events = [one async for one in agent.stream_async(question, invocation_state=context)]
        return "".join(event["data"] for event in events if "data" in event)

    return asyncio.run(together())


_WAYS: dict[str, Callable[..., str]] = {"call": _call, "invoke_async": _invoke_async, "stream_async": _stream_async}


def chats(users: list[str | None], question: str, **settings: Any) -> dict[str, list[Any]]:
    """By the way of running: what the model was given for each end user, and what the agent keeps of it."""
    with Client(**settings) as client:
        plugin = RemembrancerPlugin(client)
        return {
            name: [_chat(run, plugin, question, {} if user is None else {"user_id": user}) for user in users]
            for name, run in _WAYS.items()
        }


def _chat(run: Callable[..., str], plugin: RemembrancerPlugin, question: str, context: Any) -> Any:
    own = agent(plugin, Echo())
    return [json.loads(run(own, question, context)), own.system_prompt, own.messages[0]]


def tools(question: str, **settings: Any) -> list[Any]:
    """What the model was given in each call of a run with a tool."""
    with Client(**settings) as client:
        model = Echo("look", "On Tuesdays.")
        agent(RemembrancerPlugin(client), model, tools=[look])(question, invocation_state={"user_id": "isla"})
        return model.given


def captures(
    users: list[str | None], questions: list[str], answer: str, mode: Any, folder: str, **settings: Any
) -> None:
    """Every user asks a question in each way, and all questions in a session with a tool."""
    with Client(**settings) as client:
        plugin = RemembrancerPlugin(client, capture=mode)
        for user in users:
            context = {} if user is None else {"user_id": user}
            for run in _WAYS.values():
                run(agent(plugin, Echo(answer)), questions[0], dict(context))
            manager = FileSessionManager(session_id=f"session-of-{users.index(user)}", storage_dir=folder)
            steps = [step for _ in questions for step in ("look", answer)]
            kept = agent(plugin, Echo(*steps), tools=[look], session_manager=manager)
            for question in questions:
                kept(question, invocation_state=dict(context))


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
    plugin = RemembrancerPlugin(client, on_assembled=answers.append)
    given, slowest = [], 0.0
    for run in _WAYS.values():
        began = time.monotonic()
        given.append(json.loads(run(agent(plugin, Echo()), question, {"user_id": "isla"})))
        slowest = max(slowest, time.monotonic() - began)
    return {"given": given, "reasons": [answer.reason for answer in answers], "seconds": slowest}


def our_own_faults(question: str, **settings: Any) -> list[Any]:
    """What the model was given: no end user can be told, the state names all, the callback fails, odd input."""

    def fails(_: Any) -> Any:
        raise RuntimeError

    odd: Any = [{"image": {"format": "png", "source": {"bytes": b"A" * 3_000}}}, {"text": question}]
    with Client(**settings) as client:
        unknown, unheard = RemembrancerPlugin(client, user_id=fails), RemembrancerPlugin(client, on_assembled=fails)
        every, plain = RemembrancerPlugin(client), RemembrancerPlugin(client)
        return [
            json.loads(_call(agent(unknown, Echo()), question, {})),
            json.loads(_call(agent(every, Echo()), question, {"user_id": "*"})),
            json.loads(_call(agent(unheard, Echo()), question, {})),
            json.loads(_call(agent(plain, Echo()), odd, {})),
        ]
