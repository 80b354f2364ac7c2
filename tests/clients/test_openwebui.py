"""The filter of Open WebUI, called as Open WebUI calls it: loaded from a function's text, with valves set before each
call, what the signature names, and an exception that would fail the chat.
"""

import asyncio
import copy
import inspect
import types
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from remembrancer_client import without_injected
from tests.clients.faulty import FAULTS, FaultyService, drips, hangs, running
from tests.unit.documents import PAGES, blocks

PAGE = next(page for page in PAGES if page.name == "open-webui.md")
QUESTION, ANSWER = "Which room?", "The blue one."
USER = {"id": "5f0c7a0e", "email": "isla@example.org", "name": "Isla", "role": "user"}
CHAT = {"chat_id": "c0ffee", "session_id": "of-the-browser", "message_id": "m-2"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 3_000}}


@asynccontextmanager
async def using(service: FaultyService, **valves: Any) -> AsyncIterator["OpenWebUI"]:
    host = OpenWebUI(service, **valves)
    try:
        yield host
    finally:
        await host.close()


class OpenWebUI:
    """What it does with a function."""

    def __init__(self, service: FaultyService, **valves: Any) -> None:
        [text] = [block.text for block in blocks(PAGE) if block.language == "python"]
        module = types.ModuleType("function_remembrancer")
        exec(text, module.__dict__)
        self.function = module.Filter()
        self.valves = {"url": service.url, "api_key": "rk_test", "agent_id": "a", "deadline_ms": 5000, **valves}
        self.statuses: list[str] = []

    async def call(self, name: str, body: dict[str, Any], **extra: Any) -> dict[str, Any]:
        handler: Callable[..., Any] = getattr(self.function, name)
        self.function.valves = self.function.Valves(**self.valves)
        whole = {"__user__": USER, "__metadata__": CHAT, "__event_emitter__": self._emit, "__model__": {}, **extra}
        named = inspect.signature(handler).parameters
        changed: dict[str, Any] = await handler(body=body, **{k: v for k, v in whole.items() if k in named})
        return changed

    async def sent(self, service: FaultyService, number: int) -> list[dict[str, Any]]:
        """What was captured, once nothing waits any more."""
        opened = self.function._opened
        if opened is not None:
            await asyncio.to_thread(opened.capture.client.flush)
        found = [
            one.json() | {"header": one.headers.get("x-end-user-id")}
            for one in service.received
            if one.path == "/v1/conversations"
        ]
        assert len(found) == number
        return found

    async def close(self) -> None:
        if self.function._opened is not None:
            await asyncio.to_thread(self.function._opened.memory.client.close)

    async def _emit(self, event: dict[str, Any]) -> None:
        self.statuses.append(event["data"]["description"])


def asked(*content: Any) -> dict[str, Any]:
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": list(content) or QUESTION}]
    return {"stream": True, "model": "llama3.2:latest", "messages": messages, "features": {}, "metadata": CHAT}


def stored(**more: Any) -> dict[str, Any]:
    """The body of `outlet`: the chat as it is stored."""
    messages = [
        {"id": "m-1", "role": "user", "content": QUESTION, "timestamp": 1764280000},
        {
            "id": "m-2",
            "role": "assistant",
            "content": f'<details type="reasoning" done="true">\nHm.\n</details>\n{ANSWER}',
        },
    ]
    return {"model": "llama3.2:latest", "messages": messages, "chat_id": "c0ffee", "id": "m-2", **more}


def assemblies(service: FaultyService) -> list[Any]:
    return [one for one in service.received if one.path == "/v1/context/assemble"]


async def test_a_chat_gets_memories_for_the_user_who_is_logged_in() -> None:
    async with running() as service, using(service) as host:
        given = asked(PICTURE, {"type": "text", "text": QUESTION})
        before = copy.deepcopy(given)

        body = await host.call("inlet", given)

        [assembly] = assemblies(service)
        assert "Tea." in body["messages"][0]["content"]
        assert without_injected(body["messages"]) == before["messages"]
        assert {**body, "messages": 0} == {**before, "messages": 0}
        assert assembly.headers["x-end-user-id"] == USER["id"]
        assert (assembly.json()["session_id"], assembly.json()["model"]) == ("c0ffee", "llama3.2:latest")
        assert len(assembly.body) < 1_500
        assert host.statuses == ["1 memories"]


async def test_a_turn_is_captured_without_reasoning() -> None:
    async with running() as service, using(service) as host:
        body = await host.call("outlet", stored())

        [turn] = await host.sent(service, 1)
        assert body == stored()
        assert (turn["session_id"], turn["header"]) == ("c0ffee", USER["id"])
        question = {"role": "user", "content": QUESTION, "timestamp": "2025-11-27T21:46:40+00:00"}
        assert turn["messages"] == [question, {"role": "assistant", "content": ANSWER}]


@pytest.mark.parametrize("name", ["", " ", "\u3000", "\u200b", "*"])
async def test_a_blank_user_and_all_users_get_no_memory_and_no_capture(name: str) -> None:
    async with running() as service, using(service) as host:
        body = await host.call("inlet", asked(), __user__={"id": name})
        await host.call("outlet", stored(), __user__={"id": name})

        assert body == asked()
        assert assemblies(service) == []
        await host.sent(service, 0)


async def test_without_a_user_there_are_shared_memories_only_and_no_capture() -> None:
    async with running() as service, using(service) as host:
        await host.call("inlet", asked(), __user__={})
        await host.call("outlet", stored(), __user__=None)

        [assembly] = assemblies(service)
        assert "x-end-user-id" not in assembly.headers
        assert "user_id" not in assembly.json()
        await host.sent(service, 0)


async def test_titles_get_no_memories_and_temporary_chats_are_not_captured() -> None:
    async with running() as service, using(service) as host:
        title = await host.call("inlet", asked(), __task__="title_generation")
        temporary = {"chat_id": "local:of-the-browser"}
        await host.call("outlet", stored(**temporary), __metadata__=temporary)
        await host.call("outlet", {**stored(), "messages": []})
        async with using(service, capture="off") as off:
            await off.call("outlet", stored())

        assert title == asked()
        assert assemblies(service) == []
        await host.sent(service, 0)


@pytest.mark.parametrize("fault", [*FAULTS, hangs, drips], ids=lambda fault: fault.__name__)
async def test_every_chat_goes_on_unchanged_whatever_the_service_does(fault: Any) -> None:
    patience = {} if fault in FAULTS else {"deadline_ms": 45}
    async with running() as service, using(service, **patience) as host:
        service.behaviour = fault

        body = await host.call("inlet", asked())

        assert body == asked()
        assert len(host.statuses) == 1
        assert host.statuses[0]


async def test_faults_on_our_side_cost_a_chat_nothing_but_memory() -> None:
    async def fails(_: Any) -> None:
        raise RuntimeError

    async with running() as service, using(service) as host:
        without_address = await OpenWebUI(service, url="").call("inlet", asked())
        unheard = await host.call("inlet", asked(), __event_emitter__=fails)
        odd = await host.call("inlet", {"messages": None})

        assert without_address == asked()
        assert "Tea." in unheard["messages"][0]["content"]
        assert odd == {"messages": None}


async def test_changed_valves_count_from_the_next_chat() -> None:
    async with running() as service, running() as other, using(service) as host:
        await host.call("inlet", asked())
        host.valves["url"] = other.url
        await host.call("inlet", asked())

        assert [len(assemblies(one)) for one in (service, other)] == [1, 1]
