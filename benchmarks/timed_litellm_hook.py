"""The LiteLLM hook with a timer: the proxy's answers report in `x-hook-ms` how long the hook delayed the chat.

The proxy of `benchmarks.litellm_hook` loads it, in the environment where LiteLLM is installed.
"""

import time
from collections import OrderedDict
from typing import Any

from remembrancer_client.litellm import RemembrancerHook

HEADER = "x-hook-ms"
REMEMBERED_CALLS = 1000


class TimedHook(RemembrancerHook):
    """Defines both hooks itself, since the proxy ignores inherited ones."""

    def __init__(self) -> None:
        super().__init__()
        self._elapsed_ms: OrderedDict[str, float] = OrderedDict()

    async def async_pre_call_hook(
        self, user_api_key_dict: Any, cache: Any, data: dict[str, Any], call_type: str
    ) -> dict[str, Any]:
        started = time.perf_counter()
        try:
            return await super().async_pre_call_hook(user_api_key_dict, cache, data, call_type)
        finally:
            self._elapsed_ms[str(data.get("litellm_call_id"))] = (time.perf_counter() - started) * 1000
            if len(self._elapsed_ms) > REMEMBERED_CALLS:
                self._elapsed_ms.popitem(last=False)

    async def async_post_call_response_headers_hook(
        self,
        data: dict[str, Any],
        user_api_key_dict: Any,
        response: Any,
        request_headers: dict[str, str] | None = None,
        litellm_call_info: dict[str, Any] | None = None,
    ) -> dict[str, str]:
        headers = await super().async_post_call_response_headers_hook(data, user_api_key_dict, response)
        elapsed_ms = self._elapsed_ms.pop(str(data.get("litellm_call_id")), 0.0)
        return {**(headers or {}), HEADER: f"{elapsed_ms:.3f}"}


hook = TimedHook()
