"""A hook for the LiteLLM proxy: memories arrive in chat completions, Anthropic messages and Responses.

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
from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from remembrancer_client import responses_api
from remembrancer_client.assembled import Assembled
from remembrancer_client.async_client import DEADLINE_MS, AsyncClient

SKIP_HEADER = "x-remembrancer-skip"
AGENT_METADATA = "remembrancer_agent_id"
_REMEMBERED_CALLS = 10_000

logger = logging.getLogger("remembrancer_client")


class RemembrancerHook(CustomLogger):  # type: ignore[misc]
    """Adds what the agent should remember to each request; whatever goes wrong, the request goes on as it is.

    The end user is the proxy's (`user` of the request, or of its key), else REMEMBRANCER_USER_ID; without, shared
    memories only. The agent is `remembrancer_agent_id` in the metadata of the proxy's key, else REMEMBRANCER_AGENT_ID,
    else the model's name.
    A request with `X-Remembrancer-Skip: 1` is left alone.
    """

    def __init__(self, client: AsyncClient | None = None) -> None:
        super().__init__()
        self._client = client
        self._answers: OrderedDict[str, Assembled] = OrderedDict()
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
            if inject is not None and not _is_skipped(data):
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
        answer = self._answers.pop(str(data.get("litellm_call_id")), None)
        if answer is None:
            return None
        missing = {"x-context-fallback": answer.reason} if answer.reason else {}
        return {"x-memories-injected": str(len(answer.memory_ids)), **missing}

    async def inject_chat(self, caller: Any, data: dict[str, Any]) -> None:
        """Into `messages`, where the directive's injection mode says."""
        answer = await self._assemble(caller, data, data["messages"], data.get("tools"))
        if answer.injected:
            data["messages"] = list(answer.messages)

    async def inject_anthropic(self, caller: Any, data: dict[str, Any]) -> None:
        """After the client's own `system`, so that a prompt cache of it stays good."""
        system = data.get("system")
        before = [{"role": "system", "content": system}] if system else []
        answer = await self._assemble(caller, data, [*before, *data["messages"]], data.get("tools"))
        if not answer.injected:
            return
        if isinstance(system, list):
            data["system"] = [*system, {"type": "text", "text": answer.injected}]
        else:
            data["system"] = responses_api.appended(system, answer.injected)

    async def inject_responses(self, caller: Any, data: dict[str, Any]) -> None:
        """After the client's own `instructions`."""
        instructions = data.get("instructions")
        before = [{"role": "system", "content": instructions}] if instructions else []
        answer = await self._assemble(caller, data, [*before, *responses_api.chat(data["input"])], data.get("tools"))
        if answer.injected:
            data["instructions"] = responses_api.appended(instructions, answer.injected)

    async def _assemble(self, caller: Any, data: dict[str, Any], messages: Sequence[Any], tools: Any) -> Assembled:
        client = self._connected()
        metadata = getattr(caller, "metadata", None) or {}
        answer = await client.assemble(
            messages,
            model=data["model"],
            agent_id=metadata.get(AGENT_METADATA) or client.agent_id or data["model"],
            user_id=getattr(caller, "end_user_id", None) or data.get("user") or os.environ.get("REMEMBRANCER_USER_ID"),
            tools=tools,
        )
        self._answers[str(data.get("litellm_call_id"))] = answer
        if len(self._answers) > _REMEMBERED_CALLS:
            self._answers.popitem(last=False)
        return answer

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


def _is_skipped(data: Mapping[str, Any]) -> bool:
    request = data.get("proxy_server_request") or {}
    headers = request.get("headers") or {}
    return any(name.lower() == SKIP_HEADER and value == "1" for name, value in headers.items())


_INJECT = {
    "acompletion": RemembrancerHook.inject_chat,
    "completion": RemembrancerHook.inject_chat,
    "anthropic_messages": RemembrancerHook.inject_anthropic,
    "aresponses": RemembrancerHook.inject_responses,
    "responses": RemembrancerHook.inject_responses,
}

hook = RemembrancerHook()
