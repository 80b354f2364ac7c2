"""Memory for the OpenAI Agents SDK.

`RunConfig(call_model_input_filter=RemembrancerFilter())` adds what the agent should remember, and
`Runner.run(…, hooks=RemembrancerHooks())` captures what was said.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from agents import Agent, AgentHookContext, FunctionTool, RunHooks, get_current_trace
from agents.models import get_default_model
from agents.run import CallModelData, ModelInputData

from remembrancer_client import responses_api
from remembrancer_client.agent_frameworks import (
    EndUser,
    ModelCall,
    OnAssembled,
    Options,
    RunCapture,
    RunMemory,
    SessionId,
    nothing_fails,
)
from remembrancer_client.client import Client
from remembrancer_client.conversations import CaptureMode

Added = tuple[tuple[int, str], ...]
UNTRACED = "no-op"
_REMEMBERED_RUNS = 1_000


class RemembrancerFilter:
    """Adds what the agent should remember before each call of the model: the directive after the agent's instructions,
    memories before the message of the user that they were found for.

    Whatever goes wrong, the call goes on as it is. The end user is `user_id` of the run's context
    (`Runner.run(…, context={"user_id": "isla"})`), or what `user_id` says: a name, or a function of the context.
    Without one, shared memories only. `session_id` works alike; without one, the group of the run's trace is the
    session, else one is made of how the conversation begins. `options` are those of assembly:
    `{"placement": "system"}`. `on_assembled` is told each answer.
    """

    def __init__(
        self,
        client: Client | None = None,
        *,
        user_id: EndUser = None,
        session_id: SessionId = None,
        options: Options = None,
        on_assembled: OnAssembled | None = None,
    ) -> None:
        self._memory = RunMemory(client, user_id, session_id, options, on_assembled)
        self._latest: OrderedDict[tuple[str | None, str | None], Added] = OrderedDict()

    async def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """The SDK's hook before each call of the model; memories go into the input items, which stay the same ones."""
        given = data.model_data
        with nothing_fails():
            added = await self._added(data)
            before = 1 if given.instructions else 0
            standing = "".join(text for place, text in added if place < before)
            instructions = responses_api.appended(given.instructions, standing) if standing else given.instructions
            if added:
                texts = responses_api.with_texts(given.input, added, before)
                return ModelInputData(_in_place(given.input, texts), instructions)
        return given

    async def _added(self, data: CallModelData[Any]) -> Added:
        """The texts for a call. One with only results of tools gets the text of the system that its question had: the
        provider has stored the question with its memories.
        """
        trace_id = _trace_id()
        call = _call(data, trace_id)
        asked = (trace_id, self._memory.end_user(data.context))
        if not _questions(call.messages):
            return () if trace_id is None else self._latest.get(asked, ())
        added = (await self._memory.assembled_async(call)).added
        if trace_id is not None:
            before = 1 if data.model_data.instructions else 0
            self._latest[asked] = tuple((place, text) for place, text in added if place < before)
            self._latest.move_to_end(asked)
            if len(self._latest) > _REMEMBERED_RUNS:
                self._latest.popitem(last=False)
        return added


class RemembrancerHooks(RunHooks[Any]):  # type: ignore[misc]
    """Captures each finished turn: what the user said since the last final answer, and the run's final output.

    Whatever goes wrong, the run goes on. The end user is as for RemembrancerFilter; without one, nothing is captured,
    unless `capture` is `all`. `session_id` works alike; without one, the group of the run's trace is the session.
    """

    def __init__(
        self,
        client: Client | None = None,
        *,
        user_id: EndUser = None,
        session_id: SessionId = None,
        capture: CaptureMode = "users",
    ) -> None:
        self._capture = RunCapture(client, user_id, session_id, capture)

    async def on_agent_end(self, context: AgentHookContext[Any], agent: Agent[Any], output: Any) -> None:
        """The SDK's hook for the final output."""
        with nothing_fails():
            messages = responses_api.chat(context.turn_input)
            self._capture.capture(messages, str(output), context.context, _group_id())


def _in_place(given: Any, changed: Any) -> Any:
    """The changed input, in the given items: by them the SDK knows what a provider's conversation has already, and it
    would send others again with the results of tools. They are its copies, made for this call.
    """
    if isinstance(given, list):
        for item, new in zip(given, changed, strict=True):
            if new is not item:
                item.update(new)
        return given
    return changed


def _call(data: CallModelData[Any], trace_id: str | None) -> ModelCall:
    given = data.model_data
    before = [{"role": "system", "content": given.instructions}] if given.instructions else []
    messages = [*before, *responses_api.chat(given.input)]
    tools = [_tool(tool) for tool in data.agent.tools if isinstance(tool, FunctionTool)]
    # The same for all calls that answer one message of the user, so that they get the same memories.
    turn_id = None if trace_id is None else f"{trace_id}:{_questions(messages)}"
    return ModelCall(messages, _model_name(data.agent), data.context, tools or None, turn_id, _group_id())


def _model_name(agent: Agent[Any]) -> str:
    """The agent's model: the SDK does not pass a model of the RunConfig to filters."""
    name = agent.model if isinstance(agent.model, str) else getattr(agent.model, "model", None)
    return str(name) if name else get_default_model()


def _tool(tool: FunctionTool) -> Mapping[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.params_json_schema}
    return {"type": "function", "function": function}


def _questions(messages: Sequence[Mapping[str, Any]]) -> int:
    return sum(message["role"] == "user" for message in messages)


def _group_id() -> str | None:
    return getattr(get_current_trace(), "group_id", None)


def _trace_id() -> str | None:
    """Identifies a run: the SDK creates a trace for each run without one. None when tracing is disabled."""
    trace = get_current_trace()
    return None if trace is None or trace.trace_id == UNTRACED else trace.trace_id
