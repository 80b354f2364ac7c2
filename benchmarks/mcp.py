"""Duration of tool calls over MCP's streamable HTTP, with the SDK's client and a running stack.

    make run                                                              # in another terminal
    source .local/dev.env && export ${!REMEMBRANCER_*}
    python -m benchmarks.mcp

Each call is a separate request, without a session. The same operation is measured through the API too; the difference
is the cost of the protocol.
"""

import argparse
import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from remembrancer_client import AsyncClient

QUESTION = "Which room does Mrs Lindqvist get?"
Call = Callable[[], Awaitable[object]]


async def measure(name: str, call: Call, calls: int) -> None:
    """Makes calls one after another; the first few warm the stack and do not count."""
    for _ in range(5):
        await call()
    taken = []
    for _ in range(calls):
        started = time.perf_counter()
        await call()
        taken.append((time.perf_counter() - started) * 1000)
    taken.sort()
    print(f"{name:<32} p50 {statistics.median(taken):6.1f} ms   p95 {taken[int(0.95 * len(taken))]:6.1f} ms")


async def main(calls: int, user: str) -> None:
    url, agent = os.environ["REMEMBRANCER_URL"], os.environ["REMEMBRANCER_AGENT_ID"]
    headers = {"x-api-key": os.environ["REMEMBRANCER_API_KEY"], "x-agent-id": agent, "x-end-user-id": user}
    started = time.perf_counter()
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        AsyncClient(deadline_ms=2000) as api,
    ):
        await client.list_tools()
        print(f"connected, and tools listed, in {(time.perf_counter() - started) * 1000:.0f} ms")
        chat = [{"role": "user", "content": QUESTION}]
        await measure("list of tools", client.list_tools, calls)
        await measure(
            "search_memories", lambda: client.call_tool("search_memories", {"query": QUESTION, "limit": 5}), calls
        )
        await measure("  the same by the API", lambda: api.query(QUESTION, k=5, user_id=user), calls)
        await measure("assemble_context", lambda: client.call_tool("assemble_context", {"question": QUESTION}), calls)
        await measure("  the same by the API", lambda: api.assemble(chat, model="gpt-4o", user_id=user), calls)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200)
    parser.add_argument("--user", default="isla")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.calls, arguments.user))
