"""Calls of the LiteLLM hook as the proxy makes them, in the environment of LiteLLM; prints what each case gave."""

import asyncio
import gc
import json
import logging
import os
import sys
import weakref
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import httpx

from remembrancer.domain.context import placement
from remembrancer_client import AsyncClient
from remembrancer_client.litellm import RemembrancerHook

QUESTION = "Which room?"
BLANK = (
    "",
    " ",
    "\t",
    "\n ",
    "\u00a0",
    "\u3000",
    "\u200b",
    "\ufeff",
    "\u2060\u00ad",
    "\u2800",
    "\ufe0f",
    " \u200d\u2003",
)
BLOCK = "<memories-123456789>\n- Tea.\n</memories-123456789>\n"


class Message(dict[str, Any]):
    """A message that can be referred to weakly."""


class Capturing:
    """Keeps what is captured, in place of a client that sends it."""

    session_key = b"k" * 32

    def __init__(self) -> None:
        self.captured: list[dict[str, Any]] = []

    def capture(self, said: Sequence[Any], **fields: Any) -> None:
        self.captured.append({"said": said, **fields})


class Proxy:
    """What the proxy does with the hook, and a service that answers every assembly."""

    def __init__(self, mode: str = "system_first") -> None:
        self.assembled: list[httpx.Request] = []
        self._mode = mode
        self.capturing = Capturing()
        client = AsyncClient("http://service", "k", agent_id="a", transport=httpx.MockTransport(self._answer))
        self._hook = RemembrancerHook(client, capturing=self.capturing)  # type: ignore[arg-type]

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.assembled.append(request)
        metadata = {"fallback_reason": "", "memory_ids": ["m-1"]}
        messages = placement.inject(json.loads(request.content)["messages"], BLOCK, self._mode)
        return httpx.Response(200, json={"messages": messages, "metadata": metadata})

    async def begin(self, call_id: str, user: str | None = "isla", **fields: Any) -> dict[str, Any]:
        end_user, key_metadata = fields.pop("end_user", None), fields.pop("key_metadata", {})
        data = {"model": "m", "litellm_call_id": call_id, "messages": [{"role": "user", "content": QUESTION}], **fields}
        data |= {} if user is None else {"user": user}
        call_type = data.pop("call_type", "acompletion")
        caller = SimpleNamespace(metadata=key_metadata, end_user_id=end_user)
        return await self._hook.async_pre_call_hook(caller, None, data, call_type)

    async def headers(self, call_id: str) -> Any:
        data = {"litellm_call_id": call_id}
        return await self._hook.async_post_call_response_headers_hook(data, None, None)

    async def succeed(self, call_id: str, answer: str) -> None:
        response = {"choices": [{"message": {"role": "assistant", "content": answer}}]}
        await self._hook.async_log_success_event({"litellm_call_id": call_id}, response, None, None)

    async def fail_attempt(self, call_id: str) -> None:
        await self._hook.async_log_failure_event({"litellm_call_id": call_id}, None, None, None)

    async def fail(self, call_id: str) -> None:
        await self._hook.async_post_call_failure_hook({"litellm_call_id": call_id}, ValueError(), None)

    @property
    def turns(self) -> list[list[str]]:
        return [[one["user_id"], one["said"][-1]["content"]] for one in self.capturing.captured]


async def time_zones() -> Any:
    """Of the request, of the key, of both, of neither."""
    proxy = Proxy()
    request, key = {"remembrancer_time_zone": "Asia/Tokyo"}, {"remembrancer_time_zone": "Europe/Berlin"}
    for number, (of_request, of_key) in enumerate(((request, {}), ({}, key), (request, key), ({}, {}))):
        await proxy.begin(str(number), metadata=of_request, key_metadata=of_key)
    return [json.loads(asked.content).get("time_zone") for asked in proxy.assembled if asked.content]


async def options() -> Any:
    """Of an assembly, by the environment."""
    found = []
    for settings in (
        {},
        {"REMEMBRANCER_PLACEMENT": "turn"},
        {"REMEMBRANCER_CACHE_CONTROL": "on"},
        {"REMEMBRANCER_CACHE_CONTROL": "yes"},
    ):
        os.environ |= settings
        proxy = Proxy()
        await proxy.begin("1")
        found += [json.loads(asked.content).get("options") for asked in proxy.assembled if asked.content]
        for name in settings:
            del os.environ[name]
    return found


async def one_call() -> Any:
    proxy = Proxy()
    data = await proxy.begin("1")
    headers = await proxy.headers("1")
    await proxy.succeed("1", "The blue one.")
    return {"roles": [one["role"] for one in data["messages"]], "headers": headers, "turns": proxy.turns}


async def all_users() -> Any:
    logged: list[Any] = []
    handler = logging.Handler()
    handler.emit = lambda record: logged.append([record.getMessage(), record.__dict__.get("cause")])  # type: ignore[method-assign]
    logging.getLogger("remembrancer_client").addHandler(handler)
    found = {}
    ways: dict[str, dict[str, Any]] = {"request": {"user": "*"}, "proxy": {"end_user": "*"}, "setting": {"user": None}}
    for way, fields in ways.items():
        proxy = Proxy()
        logged.clear()
        os.environ |= {"REMEMBRANCER_USER_ID": "*"} if way == "setting" else {}
        data = await proxy.begin("1", **fields)
        os.environ.pop("REMEMBRANCER_USER_ID", None)
        headers = await proxy.headers("1")
        await proxy.succeed("1", "The blue one.")
        roles = [one["role"] for one in data["messages"]]
        found[way] = [len(proxy.assembled), roles, headers, proxy.turns, list(logged)]
    return found


async def blank_users() -> Any:
    """What is assembled, answered and captured for a blank name, wherever a request or the proxy has it."""
    found = {}
    ways: dict[str, dict[str, Any]] = {
        "user": {"user": " "},
        "empty user": {"user": None, "metadata": {}, "safety_identifier": ""},
        "no-break space": {"user": "\u00a0"},
        "zero width": {"user": "\u200b\ufeff"},
        "Anthropic's metadata": {"user": None, "metadata": {"user_id": "\t"}},
        "LiteLLM's metadata": {"user": None, "litellm_metadata": {"user": "\u3000"}},
        "proxy": {"user": None, "end_user": "  "},
        "setting": {"user": None},
    }
    for way, fields in ways.items():
        proxy = Proxy()
        os.environ |= {"REMEMBRANCER_USER_ID": " "} if way == "setting" else {}
        data = await proxy.begin("1", **fields)
        os.environ.pop("REMEMBRANCER_USER_ID", None)
        headers = await proxy.headers("1")
        await proxy.succeed("1", "The blue one.")
        found[way] = [len(proxy.assembled), [one["role"] for one in data["messages"]], headers, proxy.turns]
    return found


async def blank_names_while_all_is_captured() -> Any:
    found = {}
    for name in BLANK:
        for way, fields in {"request": {"user": name}, "proxy": {"end_user": name, "user": "isla"}}.items():
            os.environ |= {"REMEMBRANCER_CAPTURE": "all", "REMEMBRANCER_USER_ID": "eve"}
            proxy = Proxy()
            data = await proxy.begin("1", **fields)
            headers = await proxy.headers("1")
            await proxy.succeed("1", "The blue one.")
            roles = [one["role"] for one in data["messages"]]
            found[f"{way} {name!a}"] = [len(proxy.assembled), roles, headers, proxy.turns]
    del os.environ["REMEMBRANCER_CAPTURE"], os.environ["REMEMBRANCER_USER_ID"]
    return found


async def blank_sessions() -> Any:
    found = []
    for name in BLANK:
        proxy = Proxy()
        await proxy.begin("1", metadata={"session_id": name})
        await proxy.succeed("1", "The blue one.")
        (turn,) = proxy.capturing.captured
        found.append(
            [
                json.loads(proxy.assembled[-1].content)["session_id"].partition("-")[0],
                turn["session_id"].partition("-")[0],
            ]
        )
    return found


async def one_id_for_two_calls() -> Any:
    proxy = Proxy()
    await proxy.begin("1", "isla")
    await proxy.begin("1", "ada")
    headers = await proxy.headers("1")
    await proxy.succeed("1", "To Isla.")
    await proxy.begin("1", "eve")
    await proxy.succeed("1", "To Ada.")
    return {"headers": headers, "turns": proxy.turns}


async def one_id_for_two_calls_of_which_one_is_not_captured() -> Any:
    found = {}
    skip = {"proxy_server_request": {"headers": {"X-Remembrancer-Skip": "1"}}}
    ways: dict[str, dict[str, Any]] = {"nobody": {"user": None}, "skipped": skip, "all users": {"user": "*"}}
    for way, fields in ways.items():
        proxy = Proxy()
        await proxy.begin("1", "isla")
        await proxy.begin("1", **fields)
        await proxy.succeed("1", "To the other.")
        await proxy.succeed("1", "To Isla.")
        found[way] = proxy.turns
    return found


async def one_id_again() -> Any:
    proxy = Proxy()
    for user in ("isla", None, "ada"):
        await proxy.begin("1", user)
        await proxy.succeed("1", f"To {user}.")
    return proxy.turns


async def kept_messages() -> Any:
    proxy = Proxy()
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    message = Message(role="user", content=[image, {"type": "text", "text": QUESTION}])
    kept = weakref.ref(message)
    await proxy.begin("1", messages=[message])
    del message
    gc.collect()
    is_kept = kept() is not None
    await proxy.succeed("1", "The blue one.")
    return {"is_kept": is_kept, "said": proxy.capturing.captured[0]["said"]}


async def failures() -> Any:
    proxy = Proxy()
    await proxy.begin("repeated")
    await proxy.fail_attempt("repeated")
    await proxy.succeed("repeated", "At the second attempt.")
    await proxy.begin("failed")
    await proxy.fail("failed")
    await proxy.begin("failed", "ada")
    await proxy.succeed("failed", "To Ada.")
    return proxy.turns


ANTHROPIC: list[Any] = [
    {"role": "user", "content": QUESTION},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "7"}]},
]
RESPONSES: list[Any] = [
    {"role": "user", "content": [{"type": "input_image", "image_url": "x"}, {"type": "input_text", "text": QUESTION}]},
    {"type": "function_call", "call_id": "t1", "name": "look", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "t1", "output": "7"},
]
DEVELOPER = {"role": "developer", "content": "Be brief."}
PLACES: dict[str, dict[str, Any]] = {
    "messages": {"call_type": "anthropic_messages", "messages": ANTHROPIC},
    "messages, text": {"call_type": "anthropic_messages", "messages": ANTHROPIC, "system": "Be brief."},
    "messages, list": {
        "call_type": "anthropic_messages",
        "messages": ANTHROPIC,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    },
    "responses": {"call_type": "aresponses", "input": RESPONSES},
    "responses, text": {"call_type": "aresponses", "input": QUESTION, "instructions": "Be brief."},
    "responses, developer": {"call_type": "aresponses", "input": [DEVELOPER, *RESPONSES]},
    "responses, developer's list": {
        "call_type": "aresponses",
        "input": [{"role": "developer", "content": [{"type": "input_text", "text": "Be brief."}]}, *RESPONSES],
    },
}


async def places() -> Any:
    """What the hook changed of each request, by the place that the operator chose."""
    found: dict[str, dict[str, Any]] = {}
    for mode in ("system_first", "system_append", "user_prepend"):
        found[mode] = {}
        for name, fields in PLACES.items():
            data = await Proxy(mode).begin("1", **fields)
            found[mode][name] = {
                key: data[key]
                for key in ("system", "instructions", "messages", "input")
                if data.get(key) != fields.get(key) and (key != "messages" or "input" not in fields)
            }
    return found


async def pictures() -> Any:
    """By the shape of the request: the size of what the service was sent, whether the request has all that it had and
    one more text, and the size of what is captured.
    """
    data = "A" * 3_000_000
    url = f"data:image/png;base64,{data}"
    text = {"type": "text", "text": QUESTION}
    shapes: dict[str, Any] = {
        "acompletion": ({"type": "image_url", "image_url": {"url": url}}, text),
        "anthropic_messages": ({"type": "image", "source": {"type": "base64", "data": data}}, text),
        "aresponses": (
            {"type": "input_image", "image_url": url},
            {"type": "input_file", "filename": "a.pdf", "file_data": url},
            {"type": "input_text", "text": QUESTION},
        ),
        "completion": ({"type": "text", "text": f"![]({url}) {QUESTION}"},),
    }
    found = {}
    for call_type, parts in shapes.items():
        proxy = Proxy("user_prepend")
        name = "input" if call_type == "aresponses" else "messages"
        messages: Any = [{"role": "user", "content": list(parts), "timestamp": 0}]
        data_after = await proxy.begin("1", "isla", call_type=call_type, **{name: messages})
        await proxy.succeed("1", f"It is yours: {url}")
        content = [part for part in data_after[name][-1]["content"] if part.get("text") != BLOCK]
        is_whole = content == list(parts) and len(data_after[name][-1]["content"]) == len(parts) + 1
        (turn,) = proxy.capturing.captured
        found[call_type] = [len(proxy.assembled[-1].content), is_whole, len(str(turn)), turn["said"][0]["timestamp"]]
    return found


CASES = (
    pictures,
    places,
    one_call,
    options,
    time_zones,
    all_users,
    blank_users,
    blank_names_while_all_is_captured,
    blank_sessions,
    one_id_for_two_calls,
    one_id_for_two_calls_of_which_one_is_not_captured,
    one_id_again,
    kept_messages,
    failures,
)


async def main() -> None:
    json.dump({case.__name__: await case() for case in CASES}, sys.stdout)


if __name__ == "__main__":
    asyncio.run(main())
