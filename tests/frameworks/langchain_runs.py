"""Agents of LangChain with our middleware, on a model that answers with what it was given."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from remembrancer_client import Assembled, Client
from remembrancer_client.langchain import RemembrancerMiddleware
from tests.frameworks import closing

PROMPT = "Be brief."


class Echo(BaseChatModel):  # type: ignore[misc]
    """Answers with the messages, as JSON, or with `answer`; `tool` is called first, where there is one."""

    tool: str = ""
    answer: str = ""

    @property
    def _llm_type(self) -> str:
        return "echo"

    def bind_tools(self, tools: Any, **_: Any) -> "Echo":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        if self.tool and messages[-1].type == "human":
            calls = [ToolCall(name=self.tool, args={}, id="call-1")]
            message = AIMessage(_shown(messages), tool_calls=calls)
        else:
            message = AIMessage(self.answer or _shown(messages))
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        text = self.answer or _shown(messages)
        for start in range(0, len(text), 50):
            yield ChatGenerationChunk(message=AIMessageChunk(text[start : start + 50]))


def _shown(messages: list[BaseMessage]) -> str:
    return json.dumps([[message.type, message.text] for message in messages])


@dataclass
class Context:
    user_id: str | None = None


def chats(users: list[str | None], question: str, **settings: Any) -> dict[str, list[Any]]:
    """By the way of running: what the model was given for each end user, and what the agent kept of it."""
    with Client(**settings) as client:
        agent = create_agent(
            Echo(),
            system_prompt=PROMPT,
            middleware=[RemembrancerMiddleware(client)],
            context_schema=Context,
        )
        return {
            name: [
                (json.loads(answer), kept) for answer, kept in (run(agent, question, Context(user)) for user in users)
            ]
            for name, run in _WAYS.items()
        }


def without_system_prompt(question: str, user_id: str, **settings: Any) -> Any:
    """What the model was given where the middleware names the end user, and the agent has no prompt."""
    with Client(**settings) as client:
        agent = create_agent(Echo(), middleware=[RemembrancerMiddleware(client, user_id=user_id)])
        return json.loads(_invoke(agent, question, None)[0])


def tools(question: str, **settings: Any) -> list[Any]:
    """What the model was given in each call of a run with a tool."""

    def look() -> str:
        """Looks at the piano."""
        return "It is out of tune."

    with Client(**settings) as client:
        agent = create_agent(Echo(tool="look"), tools=[look], middleware=[RemembrancerMiddleware(client)])
        messages = agent.invoke({"messages": question})["messages"]
        return [json.loads(message.text) for message in messages if message.type == "ai"]


def captures(users: list[str | None], questions: list[str], answer: str, mode: str, **settings: Any) -> None:
    """Every user asks a question in each way of running, and all questions in a thread of a checkpointer."""

    def look() -> str:
        """Looks at the piano."""
        return "It is out of tune."

    capture: Any = mode
    with Client(**settings) as client:
        middleware = RemembrancerMiddleware(client, capture=capture)
        plain = create_agent(Echo(answer=answer), middleware=[middleware], context_schema=Context)
        for user in users:
            for run in _WAYS.values():
                run(plain, questions[0], Context(user))
            kept = create_agent(
                Echo(tool="look", answer=answer),
                tools=[look],
                middleware=[middleware],
                context_schema=Context,
                checkpointer=InMemorySaver(),
            )
            for question in questions:
                thread: Any = {"configurable": {"thread_id": f"thread-of-{user}"}}
                kept.invoke({"messages": question}, thread, context=Context(user))


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
    middleware = RemembrancerMiddleware(client, on_assembled=answers.append)
    agent = create_agent(Echo(), system_prompt=PROMPT, middleware=[middleware], context_schema=Context)
    given, slowest = [], 0.0
    for run in _WAYS.values():
        began = time.monotonic()
        given.append(json.loads(run(agent, question, Context("isla"))[0]))
        slowest = max(slowest, time.monotonic() - began)
    return {"given": given, "reasons": [answer.reason for answer in answers], "seconds": slowest}


def our_own_faults(question: str, **settings: Any) -> list[Any]:
    """What the model was given: no end user can be told, the context names all, the callback fails, odd messages."""

    def fails(_: Any) -> Any:
        raise RuntimeError

    def given(messages: Any, context: Any = None, **arguments: Any) -> Any:
        middleware = RemembrancerMiddleware(client, **arguments)
        agent = create_agent(Echo(), system_prompt=PROMPT, middleware=[middleware])
        return json.loads(agent.invoke({"messages": messages}, context=context)["messages"][-1].text)

    odd: list[Any] = [{"role": "user", "content": [{"type": "image", "url": "x"}, {"type": "text", "text": question}]}]
    with Client(**settings) as client:
        return [
            given(question, user_id=fails),
            given(question, {"user_id": "*"}),
            given(question, on_assembled=fails),
            given(odd),
        ]


def pictures(question: str, **settings: Any) -> list[Any]:
    """What the model was given of messages with pictures and files; their turns are captured."""
    data = "A" * 2_000_000
    kinds: list[Any] = [
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
        {"type": "image", "source_type": "base64", "mime_type": "image/png", "data": data},
        {"type": "video", "base64": data, "mime_type": "video/mp4"},
        {"type": "media", "mime_type": "video/mp4", "data": b"x"},
        {"type": "hologram", "surface": data},
    ]
    given = []
    with Client(**settings) as client:
        agent = create_agent(Echo(), middleware=[RemembrancerMiddleware(client)], context_schema=Context)
        for kind in kinds:
            message = HumanMessage([kind, question], additional_kwargs={"timestamp": "2026-05-04T05:02:01+02:00"})
            given.append(agent.invoke({"messages": [message]}, context=Context("isla"))["messages"][-1].text[:300])
    return given


def _invoke(agent: Any, question: str, context: Any) -> tuple[str, str]:
    messages = agent.invoke({"messages": question}, context=context)["messages"]
    return messages[-1].text, messages[0].text


def _ainvoke(agent: Any, question: str, context: Any) -> tuple[str, str]:
    messages = asyncio.run(agent.ainvoke({"messages": question}, context=context))["messages"]
    return messages[-1].text, messages[0].text


def _stream(agent: Any, question: str, context: Any) -> tuple[str, str]:
    chunks = agent.stream({"messages": question}, context=context, stream_mode="messages")
    return "".join(chunk.text for chunk, _ in chunks), question


def _astream(agent: Any, question: str, context: Any) -> tuple[str, str]:
    async def together() -> str:
        chunks = agent.astream({"messages": question}, context=context, stream_mode="messages")
        return "".join([chunk.text async for chunk, _ in chunks])

    return asyncio.run(together()), question


_WAYS: dict[str, Callable[[Any, str, Any], tuple[str, str]]] = {
    "invoke": _invoke,
    "ainvoke": _ainvoke,
    "stream": _stream,
    "astream": _astream,
}
