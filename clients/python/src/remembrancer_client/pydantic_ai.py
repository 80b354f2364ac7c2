"""A capability for agents of Pydantic AI: `Agent(…, capabilities=[RemembrancerCapability()])`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext
from pydantic_ai.run import AgentRunResult

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
from remembrancer_client.injected_text import AFTER, BEFORE

Place = tuple[int, int]
"""Of a part: the message, and the part in it."""


class RemembrancerCapability(AbstractCapability[Any]):  # type: ignore[misc]
    """Adds what the agent should remember to each call of the model, and captures each turn: the directive after the
    agent's instructions, memories before the prompt of the user that they were found for.

    Whatever goes wrong, the run goes on as it is. The history that the agent keeps stays without the memories. The end
    user is `user_id` of the run's dependencies (`agent.run("…", deps={"user_id": "isla"})`), or what `user_id` says: a
    name, or a function of the dependencies. Without one, shared memories only, and the turn is not captured, unless
    `capture` is `all`. `session_id` works alike; without one, the run's `conversation_id` is the session. `options` are
    those of assembly: `{"placement": "system"}`. `on_assembled` is told each answer.
    """

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

    @classmethod
    def get_serialization_name(cls) -> str | None:
        """None: a client is in no specification of an agent."""
        return None

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Pydantic AI's hook before each call of the model; its messages are of this call only."""
        changed = request_context
        with nothing_fails():
            parameters = request_context.model_request_parameters
            own = parameters.instruction_parts or []
            before = [{"role": "system", "content": "\n\n".join(part.content for part in own)}] if own else []
            chat, places = _chat(request_context.messages)
            answer = await self._memory.assembled_async(
                ModelCall(
                    [*before, *chat],
                    request_context.model.model_name,
                    ctx.deps,
                    tools=[_tool(tool) for tool in parameters.function_tools] or None,
                    session_id=ctx.conversation_id,
                )
            )
            added = [(places[place - len(before)], text) for place, text in answer.added if place >= len(before)]
            changed = replace(request_context, messages=_with_added(request_context.messages, added))
            if standing := answer.standing(len(before)):
                instructions = [*own, InstructionPart(content=standing, dynamic=True)]
                changed.model_request_parameters = replace(parameters, instruction_parts=instructions)
        return changed

    async def after_run(self, ctx: RunContext[Any], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Pydantic AI's hook after each run: captures what the user said since the last final answer, and the answer.

        A structured output is one for a program, and is not captured.
        """
        with nothing_fails():
            *messages, answer = result.all_messages()
            if isinstance(result.output, str) and isinstance(answer, ModelResponse):
                self._capture.capture(_chat(messages)[0], result.output, ctx.deps, ctx.conversation_id)
        return result


def _chat(messages: Sequence[ModelMessage]) -> tuple[list[dict[str, Any]], list[Place]]:
    """As chat messages, without calls and results of tools, pictures and files; and where each of them stands."""
    chat: list[dict[str, Any]] = []
    places: list[Place] = []
    for at, message in enumerate(messages):
        if isinstance(message, ModelResponse):
            text = "".join(part.content for part in message.parts if isinstance(part, TextPart))
            chat.append({"role": "assistant", "content": text})
            if any(isinstance(part, ToolCallPart) for part in message.parts):
                chat[-1]["tool_calls"] = [{}]
            places.append((at, 0))
            continue
        for number, part in enumerate(message.parts):
            if isinstance(part, SystemPromptPart):
                chat.append({"role": "system", "content": part.content})
                places.append((at, number))
            elif isinstance(part, UserPromptPart):
                texts = [part.content] if isinstance(part.content, str) else _texts(part.content)
                chat.append({"role": "user", "content": "\n".join(texts), "timestamp": part.timestamp.isoformat()})
                places.append((at, number))
    return chat, places


def _texts(content: Sequence[Any]) -> list[str]:
    return [part for part in content if isinstance(part, str)]


def _with_added(messages: Sequence[ModelMessage], added: Sequence[tuple[Place, str]]) -> list[ModelMessage]:
    """The messages with each text in its part: after a text of the system, before the first text of a user."""
    changed = list(messages)
    for (at, number), text in added:
        parts = list(changed[at].parts)
        parts[number] = replace(parts[number], content=_with_text(parts[number], text))
        changed[at] = replace(changed[at], parts=parts)
    return changed


def _with_text(part: Any, text: str) -> Any:
    content = part.content
    if isinstance(part, SystemPromptPart):
        return f"{content}{BEFORE}{text}"
    if isinstance(content, str):
        return f"{text}{AFTER}{content}"
    first = next((place for place, one in enumerate(content) if isinstance(one, str)), len(content))
    return [*content[:first], text, *content[first:]]


def _tool(tool: Any) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters_json_schema}
    return {"type": "function", "function": function}
