"""A middleware for LangChain's agents: `create_agent(model, middleware=[RemembrancerMiddleware()])`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, convert_to_openai_messages
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.runtime import Runtime

from remembrancer_client import message_times
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
from remembrancer_client.injected_text import AFTER
from remembrancer_client.responses_api import appended, text_parts


class RemembrancerMiddleware(AgentMiddleware):  # type: ignore[misc]
    """Adds what the agent should remember to each call of the model, and captures each turn: the directive after the
    system prompt, memories before the message of the user that they were found for.

    Whatever goes wrong, the run goes on as it is. The conversation that the agent keeps stays without the memories.
    The end user is `user_id` of the run's context (`agent.invoke(…, context={"user_id": "isla"})`), or what `user_id`
    says: a name, or a function of the context. Without one, shared memories only, and the turn is not captured, unless
    `capture` is `all`. `session_id` works alike; without one, the thread of the checkpointer is the session, else one
    is made of how the conversation begins. `options` are those of assembly: `{"placement": "system"}`.
    `on_assembled` is told each answer.
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

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]) -> ModelResponse:
        """LangChain's hook around each call of the model."""
        changed = request
        with nothing_fails():
            changed = _with_added(request, self._memory.assembled(_call(request)).added)
        return handler(changed)

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> ModelResponse:
        """As `wrap_model_call`."""
        changed = request
        with nothing_fails():
            changed = _with_added(request, (await self._memory.assembled_async(_call(request))).added)
        return await handler(changed)

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        """LangChain's hook after each run: captures what the user said since the last final answer, and the answer."""
        with nothing_fails():
            *messages, answer = state["messages"] or [None]
            if isinstance(answer, AIMessage) and not answer.tool_calls:
                self._capture.capture(_chat(messages), answer.text, runtime.context, _thread_id(runtime))

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> None:
        """As `after_agent`, which does not wait."""
        self.after_agent(state, runtime)


def _call(request: ModelRequest) -> ModelCall:
    before = [] if request.system_message is None else [request.system_message]
    asked = next((message for message in reversed(request.messages) if isinstance(message, HumanMessage)), None)
    return ModelCall(
        _chat([*before, *request.messages]),
        _model_name(request.model),
        getattr(request.runtime, "context", None),
        tools=[convert_to_openai_tool(tool) for tool in request.tools] or None,
        # The calls that follow the results of tools belong to the same turn, and get the same memories.
        turn_id=None if asked is None else asked.id,
        session_id=_thread_id(request.runtime),
    )


def _thread_id(runtime: Any) -> str | None:
    """`thread_id` of the run's configuration."""
    return getattr(getattr(runtime, "execution_info", None), "thread_id", None)


def _chat(messages: Sequence[BaseMessage]) -> list[Mapping[str, Any]]:
    """In OpenAI's shape, with the times that LangChain's integrations keep beside the content. Only texts: LangChain
    converts not every kind of picture and file, and the service reads none.
    """
    texts = (message.model_copy(update={"content": text_parts(message.content)}) for message in messages)
    return [{**convert_to_openai_messages(text), **_times(text)} for text in texts]


def _times(message: BaseMessage) -> Mapping[str, Any]:
    beside = {**message.response_metadata, **message.additional_kwargs}
    return {name: beside[name] for name in message_times.PLAIN_FIELDS if name in beside}


def _model_name(model: Any) -> str:
    """The attribute that has the name differs between chat models."""
    names = (getattr(model, name, None) for name in ("model_name", "model", "model_id"))
    return next((name for name in names if isinstance(name, str) and name), type(model).__name__)


def _with_added(request: ModelRequest, added: Sequence[tuple[int, str]]) -> ModelRequest:
    """The request with each text where the service added it; those of the system after the agent's own prompt."""
    before = 0 if request.system_message is None else 1
    standing = "".join(text for place, text in added if place < before)
    messages = list(request.messages)
    for place, text in added:
        if place >= before:
            messages[place - before] = _with_text(messages[place - before], text)
    changed = request.override(messages=messages) if added else request
    return changed.override(system_message=_system_message(request.system_message, standing)) if standing else changed


def _with_text(message: BaseMessage, text: str) -> BaseMessage:
    """The message with the text before its own; one of the system has it at its end."""
    content = message.content
    if isinstance(message, SystemMessage):
        changed = appended(content, text)
    elif isinstance(content, list):
        texts = [place for place, part in enumerate(content) if isinstance(part, str) or "text" in part]
        place = texts[0] if texts else len(content)
        changed = [*content[:place], {"type": "text", "text": text}, *content[place:]]
    else:
        changed = f"{text}{AFTER}{content}"
    return message.model_copy(update={"content": changed})


def _system_message(system: SystemMessage | None, injected: str) -> SystemMessage:
    if system is None:
        return SystemMessage(injected)
    # After the client's own, so that a prompt cache of it stays good.
    return system.model_copy(update={"content": appended(system.content, injected)})
