"""A plugin for agents of Strands: `Agent(plugins=[RemembrancerPlugin()])`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from strands import Agent
from strands.hooks import AfterInvocationEvent
from strands.middleware import InvokeModelContext, InvokeModelStage
from strands.plugins import Plugin, hook

from remembrancer_client import conversations
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
from remembrancer_client.injected_text import BEFORE

FINAL = "end_turn"


class RemembrancerPlugin(Plugin):  # type: ignore[misc]
    """Adds what the agent should remember to each call of the model, and captures each turn: the directive after the
    system prompt, memories before the message of the user that they were found for.

    Whatever goes wrong, the run goes on as it is. The conversation that the agent keeps stays without the memories.
    The end user is `user_id` of the invocation's state (`agent("…", invocation_state={"user_id": "isla"})`), or what
    `user_id` says: a name, or a function of that state. Without one, shared memories only, and the turn is not
    captured, unless `capture` is `all`. `session_id` works alike; without one, the session of the agent's session
    manager is, else one is made of how the conversation begins. `options` are those of assembly:
    `{"placement": "system"}`. `on_assembled` is told each answer.
    """

    name = "remembrancer"

    def __init__(
        self,
        client: Client | None = None,
        *,
        user_id: EndUser = None,
        session_id: SessionId = None,
        capture: CaptureMode = "users",
        options: Options = None,
        on_assembled: OnAssembled | None = None,
    ) -> None:
        super().__init__()
        self._memory = RunMemory(client, user_id, session_id, options, on_assembled)
        self._capture = RunCapture(self._memory.client, user_id, session_id, capture)

    def init_agent(self, agent: Agent) -> None:
        """Strands' hook for each agent that has the plugin."""
        agent.add_middleware(InvokeModelStage.Input, self._with_memory)

    async def _with_memory(self, context: InvokeModelContext) -> InvokeModelContext:
        """The middleware before each call of the model; its messages are copies, made for this call."""
        changed = context
        with nothing_fails():
            before = [{"role": "system", "content": context.system_prompt}] if context.system_prompt else []
            answer = await self._memory.assembled_async(_call(context, before))
            standing = answer.standing(len(before))
            changed = context.replace(messages=list(answer.after(len(before), context.messages)))
            if standing:
                changed = changed.replace(system_prompt=_appended(context.system_prompt, standing))
        return changed

    @hook  # type: ignore[untyped-decorator]
    def after_invocation(self, event: AfterInvocationEvent) -> None:
        """Strands' hook after each run: captures what the user said since the last final answer, and the answer."""
        with nothing_fails():
            if event.result is not None and event.result.stop_reason == FINAL:
                *messages, answer = event.agent.messages
                said = conversations.text(answer["content"])
                self._capture.capture(messages, said, event.invocation_state, _session_id(event.agent))


def _call(context: InvokeModelContext, before: list[dict[str, Any]]) -> ModelCall:
    return ModelCall(
        [*before, *context.messages],
        _model_name(context.model),
        context.invocation_state,
        tools=[_tool(spec) for spec in context.tool_specs] or None,
        session_id=_session_id(context.agent),
    )


def _session_id(agent: Any) -> str | None:
    """That of the agent's session manager; None without one."""
    return getattr(getattr(agent, "_session_manager", None), "session_id", None)


def _model_name(model: Any) -> str:
    config = model.get_config()
    name = config.get("model_id") if isinstance(config, Mapping) else getattr(config, "model_id", None)
    return str(name) if name else type(model).__name__


def _tool(spec: Mapping[str, Any]) -> Mapping[str, Any]:
    schema = spec["inputSchema"]
    function = {"name": spec["name"], "description": spec["description"], "parameters": schema.get("json", schema)}
    return {"type": "function", "function": function}


def _appended(system: Any, standing: str) -> Any:
    """The agent's own prompt, a string or a list of blocks, followed by the text."""
    if isinstance(system, list):
        return [*system, {"text": standing}]
    return f"{system}{BEFORE}{standing}" if system else standing
