"""A hook for the LiteLLM proxy: memory for chat completions, Anthropic messages and Responses.

In the proxy's configuration: `litellm_settings: {callbacks: remembrancer_client.litellm.hook}`. Address and credential
come from the environment (REMEMBRANCER_URL, REMEMBRANCER_API_KEY, …).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from litellm.integrations.custom_logger import CustomLogger

from remembrancer_client import coding_agents, conversations, responses_api
from remembrancer_client.agent_frameworks import one_end_user
from remembrancer_client.assembled import Assembled
from remembrancer_client.async_client import DEADLINE_MS, AsyncClient
from remembrancer_client.client import Client
from remembrancer_client.conversations import CaptureMode
from remembrancer_client.end_users import BlankEndUser, is_blank

SKIP_HEADER = "x-remembrancer-skip"
AGENT_METADATA = "remembrancer_agent_id"
TIME_ZONE_METADATA = "remembrancer_time_zone"
"""In the metadata of a request, or of the key: where the end user's days begin."""
REDACTED = "redacted-by-litellm"
"""Where the proxy's `turn_off_message_logging` keeps texts from hooks like this one."""
LONGEST_SESSION = 256
_REMEMBERED_CALLS = 2_000

Remembered = TypeVar("Remembered")

logger = logging.getLogger("remembrancer_client")


@dataclass(frozen=True)
class _Asked:
    """What capture needs of a request, as it was before anything was injected."""

    agent_id: str
    user_id: str | None
    session_id: str | None
    said: Sequence[Mapping[str, Any]]
    """Without images and files: many requests wait for their answers."""


class _Latest(Generic[Remembered]):
    """Values of the latest calls, by the call's id.

    Clients may choose the id. When two calls have the same id at once, neither has a value: one call would get the
    other's.
    """

    def __init__(self) -> None:
        # None marks an id of two calls; it stays, as both of them ask for the value.
        self._values: OrderedDict[str, tuple[Remembered] | None] = OrderedDict()

    def keep(self, call_id: object, value: Remembered) -> None:
        name = str(call_id)
        self._values[name] = None if name in self._values else (value,)
        self._values.move_to_end(name)
        if len(self._values) > _REMEMBERED_CALLS:
            self._values.popitem(last=False)

    def take(self, call_id: object) -> Remembered | None:
        name = str(call_id)
        kept = self._values.get(name)
        if kept is None:
            return None
        del self._values[name]
        return kept[0]


class RemembrancerHook(CustomLogger):  # type: ignore[misc]
    """Adds what the agent should remember to each request, and captures the turn after the answer.

    Whatever goes wrong, the request goes on as it is.

    The end user is the proxy's (`user` of the request, or of its key), else REMEMBRANCER_USER_ID; without, shared
    memories only. The agent is `remembrancer_agent_id` in the metadata of the proxy's key, else REMEMBRANCER_AGENT_ID,
    else the model's name.
    A request with `X-Remembrancer-Skip: 1` is left alone. REMEMBRANCER_CAPTURE says which turns are captured: `users`
    (those of an end user; the default), `all` or `off`; REMEMBRANCER_PLACEMENT, where memories stand: `turn` or
    `system`; REMEMBRANCER_CACHE_CONTROL, whether the directive ends with a mark of Anthropic's prompt cache: `on` or
    `off` (the default).
    """

    def __init__(self, client: AsyncClient | None = None, *, capturing: Client | None = None) -> None:
        super().__init__()
        self._client = client
        # Captures are sent on a thread of their own, which delays no chat and sends what waits when the proxy ends.
        self._capturing = capturing
        self._mode = _capture_mode()
        self._options = _options()
        self._headers: _Latest[dict[str, str]] = _Latest()
        # With None for calls that are not captured: their answers must not be captured for another call of the same id.
        self._asked: _Latest[_Asked | None] = _Latest()
        # Without a loop, the first request opens the connection.
        with suppress(RuntimeError):
            self._warming = asyncio.get_running_loop().create_task(self._warm())

    # The proxy looks for the hooks in the attributes of the registered class itself: an inherited one is ignored.
    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        """The proxy's hook before each request."""
        try:
            inject = _INJECT.get(str(getattr(call_type, "value", call_type)))
            if inject is not None and _is_skipped(data):
                self._asked.keep(data.get("litellm_call_id"), None)
            elif inject is not None:
                await inject(self, user_api_key_dict, data)
        except Exception as error:
            logger.warning("litellm_hook_failed", extra={"cause": type(error).__name__})
        return data

    async def async_post_call_response_headers_hook(
        self,
        data: dict[str, Any],
        user_api_key_dict: Any,
        response: Any,
        request_headers: dict[str, str] | None = None,
        litellm_call_info: dict[str, Any] | None = None,
    ) -> dict[str, str] | None:
        """The headers `x-memories-injected` and, where something is missing, `x-context-fallback`."""
        return self._headers.take(data.get("litellm_call_id"))

    # Not async_log_failure_event: the proxy calls that for a failed attempt too, which it may repeat with success.
    async def async_post_call_failure_hook(
        self,
        request_data: dict[str, Any],
        original_exception: Exception,
        user_api_key_dict: Any,
        traceback_str: str | None = None,
    ) -> None:
        """The proxy's hook after a request that has no answer: nothing of it is kept for capture."""
        self._asked.take(request_data.get("litellm_call_id"))

    async def async_log_success_event(
        self, kwargs: dict[str, Any], response_obj: Any, start_time: Any, end_time: Any
    ) -> None:
        """The proxy's hook after each whole answer, streamed or not; the client has it already."""
        try:
            asked = self._asked.take(kwargs.get("litellm_call_id"))
            answer = _final_text(response_obj)
            if asked is not None and answer and answer != REDACTED:
                self._capture(asked, answer)
        except Exception as error:
            logger.warning("litellm_capture_failed", extra={"cause": type(error).__name__})

    async def inject_chat(self, caller: Any, data: dict[str, Any]) -> None:
        """Into `messages`, where the directive's injection mode says."""
        answer = await self._assemble(caller, data, data["messages"], data.get("tools"))
        if answer.injected:
            data["messages"] = list(answer.messages)

    async def inject_anthropic(self, caller: Any, data: dict[str, Any]) -> None:
        """The directive at the end of the client's own `system`, where its prompt cache stays good; memories in users'
        messages.
        """
        system = data.get("system")
        before = [{"role": "system", "content": system}] if system else []
        said = data["messages"]
        answer = await self._assemble(caller, data, [*before, *said], data.get("tools"))
        standing = answer.standing(len(before))
        data["messages"] = answer.after(len(before), said)
        if standing:
            data["system"] = responses_api.appended(system, standing)

    async def inject_responses(self, caller: Any, data: dict[str, Any]) -> None:
        """The directive at the end of the client's own `instructions`, memories in messages of its input."""
        instructions = data.get("instructions")
        before = [{"role": "system", "content": instructions}] if instructions else []
        sent = [*before, *responses_api.chat(data["input"])]
        answer = await self._assemble(caller, data, sent, data.get("tools"))
        standing = answer.standing(len(before))
        data["input"] = responses_api.with_texts(data["input"], answer.added, len(before))
        if standing:
            data["instructions"] = responses_api.appended(instructions, standing)

    async def _assemble(self, caller: Any, data: dict[str, Any], messages: Sequence[Any], tools: Any) -> Assembled:
        client = self._connected()
        metadata = getattr(caller, "metadata", None) or {}
        call_id, session_id = data.get("litellm_call_id"), _session_id(data)
        agent_id = next(
            one for one in (metadata.get(AGENT_METADATA), client.agent_id, data["model"]) if one is not None
        )
        try:
            user_id = one_end_user(_end_user(caller, data))
        except BlankEndUser:
            # Nothing is captured or injected: without a name, both would be of what everybody shares.
            self._asked.keep(call_id, None)
            self._headers.keep(call_id, _headers(Assembled(messages, "blank_end_user")))
            return Assembled(messages, "blank_end_user")
        except ValueError:
            self._asked.keep(call_id, None)
            raise
        is_captured = conversations.includes(self._mode, user_id) and coding_agents.is_said_by_a_person(
            _request_headers(data), messages
        )
        said = conversations.spoken(messages) if is_captured else []
        self._asked.keep(call_id, _Asked(agent_id, user_id, session_id, said) if is_captured else None)
        time_zone = _metadata(data).get(TIME_ZONE_METADATA) or metadata.get(TIME_ZONE_METADATA)
        answer = await client.assemble(
            messages,
            model=data["model"],
            agent_id=agent_id,
            user_id=user_id,
            session_id=session_id or _derived_session(data, messages, agent_id, user_id, client.session_key),
            tools=tools,
            options=self._options,
            time_zone=time_zone,
        )
        self._headers.keep(call_id, _headers(answer))
        return answer

    def _capture(self, asked: _Asked, answer: str) -> None:
        said = conversations.turn(asked.said, answer)
        if said:
            if self._capturing is None:
                self._capturing = Client()
            key = self._capturing.session_key
            session_id = asked.session_id or conversations.session(asked.said, answer, key=key)
            self._capturing.capture(said, agent_id=asked.agent_id, user_id=asked.user_id, session_id=session_id)

    def _connected(self) -> AsyncClient:
        if self._client is None:
            deadline_ms = float(os.environ.get("REMEMBRANCER_DEADLINE_MS") or DEADLINE_MS)
            self._client = AsyncClient(deadline_ms=deadline_ms)
        return self._client

    async def _warm(self) -> None:
        try:
            await self._connected().warm()
        except Exception as error:
            logger.warning("litellm_hook_not_warm", extra={"cause": type(error).__name__})


def _options() -> dict[str, Any] | None:
    """The options of each assembly that the environment names; None without any."""
    marks = os.environ.get("REMEMBRANCER_CACHE_CONTROL") or "off"
    if marks not in ("on", "off"):
        logger.error("litellm_cache_control_off", extra={"REMEMBRANCER_CACHE_CONTROL": marks, "known": ("on", "off")})
    chosen = {"placement": os.environ.get("REMEMBRANCER_PLACEMENT"), "cache_control": marks == "on"}
    return {name: value for name, value in chosen.items() if value} or None


def _capture_mode() -> CaptureMode:
    told = os.environ.get("REMEMBRANCER_CAPTURE") or "users"
    for mode in conversations.MODES:
        if told == mode:
            return mode
    logger.error("litellm_capture_off", extra={"REMEMBRANCER_CAPTURE": told, "known": conversations.MODES})
    return "off"


def _end_user(caller: Any, data: Mapping[str, Any]) -> str | None:
    """The end user that LiteLLM found, else the first name in the request, blank ones included, else the setting's.

    LiteLLM itself passes over a blank name, as if the request had none. A coding agent's installation is no person's
    name: the setting's counts before it.
    """
    metadata = [found for name in ("litellm_metadata", "metadata") if isinstance(found := data.get(name), Mapping)]
    named = [data.get("user"), *(found.get(name) for found in metadata for name in ("user", "user_id"))]
    names = [getattr(caller, "end_user_id", None), *named, data.get("safety_identifier")]
    set_name = os.environ.get("REMEMBRANCER_USER_ID")
    first = next((name for name in names if name is not None), set_name)
    found = coding_agents.installation(first)
    if found is not None:
        return found.name if set_name is None else set_name
    return None if first is None else str(first)


def _session_id(data: Mapping[str, Any]) -> str | None:
    """The session that the client names in one of LiteLLM's ways."""
    session_id = str(data.get("litellm_session_id") or _metadata(data).get("session_id") or "")
    found = None if session_id else coding_agents.installation(_metadata(data).get("user_id"))
    session_id = session_id if found is None else found.session_id
    return None if is_blank(session_id) else session_id[:LONGEST_SESSION]


def _derived_session(
    data: Mapping[str, Any], messages: Sequence[Any], agent_id: str, user_id: str | None, key: bytes
) -> str | None:
    """A session of a client that names none. One that continues a stored conversation does not send how it began.

    LiteLLM's trace ids are not read: they may be those of one request, from its `traceparent`. Where a client names a
    trace by LiteLLM's own header, LiteLLM makes it the session.
    """
    stored = data.get("conversation")
    stored_id = stored.get("id") if isinstance(stored, Mapping) else stored
    if isinstance(stored_id, str) and not is_blank(stored_id):
        return stored_id[:LONGEST_SESSION]
    if data.get("previous_response_id"):
        return None
    return conversations.derived_session(messages, agent_id=agent_id, user_id=user_id, key=key)


def _metadata(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return data.get("litellm_metadata") or data.get("metadata") or {}


def _headers(answer: Assembled) -> dict[str, str]:
    missing = {"x-context-fallback": answer.reason} if answer.reason else {}
    return {"x-memories-injected": str(len(answer.memory_ids)), **missing}


def _final_text(response: Any) -> str:
    """The answer's text in any of the three shapes; empty for one that calls tools, as the turn is not finished."""
    answer = response.model_dump() if hasattr(response, "model_dump") else response
    if not isinstance(answer, Mapping):
        return ""
    if "choices" in answer:
        message = answer["choices"][0]["message"]
        return "" if message.get("tool_calls") else conversations.text(message.get("content"))
    parts = answer.get("output") or answer.get("content") or []
    if any(part.get("type") in _TOOL_CALLS for part in parts):
        return ""
    return "\n".join(conversations.text(part.get("content", [part])) for part in parts).strip()


_TOOL_CALLS = ("tool_use", "function_call", "custom_tool_call", "mcp_approval_request", "computer_call")


def _is_skipped(data: Mapping[str, Any]) -> bool:
    headers, metadata = _request_headers(data), data.get("metadata") or {}
    user_id = metadata.get("user_id") if isinstance(metadata, Mapping) else None
    return headers.get(SKIP_HEADER) == "1" or coding_agents.is_chore(headers, user_id, data.get("tools"))


def _request_headers(data: Mapping[str, Any]) -> Mapping[str, str]:
    """The client's, by their names in lower case."""
    request = data.get("proxy_server_request") or {}
    return {name.lower(): value for name, value in (request.get("headers") or {}).items()}


_INJECT = {
    "acompletion": RemembrancerHook.inject_chat,
    "completion": RemembrancerHook.inject_chat,
    "anthropic_messages": RemembrancerHook.inject_anthropic,
    "aresponses": RemembrancerHook.inject_responses,
    "responses": RemembrancerHook.inject_responses,
}

hook = RemembrancerHook()
