"""Handlers that answer within the process, many at a time."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from remembrancer.adapters.own_handlers import OwnHandlers, OwnInvocation

AT_ONCE = 5


async def test_handlers_that_need_a_thread_of_the_loop_do_not_wait_for_each_other() -> None:
    loop = asyncio.get_running_loop()
    loop.set_default_executor(ThreadPoolExecutor(max_workers=2))

    def handler(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        asyncio.run_coroutine_threadsafe(asyncio.to_thread(dict), loop).result(10)
        return {"statusCode": 200, "headers": {}, "body": event["rawPath"], "isBase64Encoded": False}

    context = OwnInvocation("id", 15_000)
    transport = OwnHandlers(handler, headers={}, address="", place={}, context=context)
    async with httpx.AsyncClient(transport=transport, base_url="http://own") as client:
        answers = await asyncio.wait_for(asyncio.gather(*(client.get(f"/{one}") for one in range(AT_ONCE))), 5)

    assert [answer.text for answer in answers] == [f"/{one}" for one in range(AT_ONCE)]
