"""Every call except assembly, against services that answer oddly."""

import asyncio
import json

import httpx
import pytest

from remembrancer_client import AsyncClient, NotReachable
from tests.clients.faulty import drips, running


async def test_the_time_out_bounds_a_whole_attempt() -> None:
    async with running() as service:
        service.behaviour = drips
        async with AsyncClient(service.url, "k", agent_id="a", timeout_s=0.2) as client, asyncio.timeout(10):
            with pytest.raises(NotReachable):
                await client.write("Tea.")
            with pytest.raises(NotReachable):
                await client.memories()

    assert len(service.received) == 6


async def test_an_exported_text_may_contain_any_line_separator() -> None:
    texts = ["Tea.\u2028Milk.", "Tea.\u2029Milk.", "Tea.\x85Milk.", "Tea.\nMilk."]
    page = "\r\n".join(json.dumps({"content": text}, ensure_ascii=False) for text in texts)
    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=f"{page}\n".encode()))

    async with AsyncClient("http://service", "k", agent_id="a", transport=transport) as client:
        exported = [memory["content"] async for memory in client.export()]

    assert exported == texts
