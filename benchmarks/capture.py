"""How long a turn takes from its acceptance until words and meaning find its memory.

Stores conversations one turn at a time through the front door of a local stack, with queues, functions and the packaged
embedding model. `python -m benchmarks.capture` writes benchmarks/results/capture.json.
"""

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from benchmarks import figures
from local import sample
from local.stack import Stack, StackSettings
from remembrancer.adapters.postgres.identity.directory import FirstKey, create_organization
from remembrancer.keys import fingerprint, new_api_key

POLL_SECONDS = 0.01
PATIENCE_SECONDS = 60.0


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument(
        "--pause-ms", type=float, default=100.0, help="between the memory of one turn and the next turn"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        stack = Stack(StackSettings(directory=Path(directory), port=0))
        await stack.start()
        try:
            results = await measure(stack, arguments.turns, arguments.pause_ms / 1000)
        finally:
            await stack.stop()
    print(figures.write("capture", results))
    print(results)


async def measure(stack: Stack, turns: int, pause: float) -> dict[str, Any]:
    """Percentiles in milliseconds: of the request, and from its answer to each way of finding the memory."""
    api_key = new_api_key()
    key = FirstKey("benchmark", fingerprint(api_key), ("admin",))
    await create_organization(
        stack.owner_database_url, name="Benchmark", project_id="p", environment="production", key=key
    )
    taken: dict[str, list[float]] = {"accepted": [], "by_words": [], "by_meaning": []}
    async with httpx.AsyncClient(base_url=stack.url, headers={"X-API-Key": api_key}, timeout=30) as client:
        agent_id = (await client.post("/v1/agents", json={"name": "agent"})).json()["agent_id"]
        for number, text in enumerate(_texts(turns)):
            await _one(client, agent_id, number, text, taken)
            await asyncio.sleep(pause)
    return {"turns": turns} | {name: figures.summary(values) for name, values in taken.items()}


async def _one(client: httpx.AsyncClient, agent_id: str, number: int, text: str, taken: dict[str, list[float]]) -> None:
    """Stores a turn and takes the times until its memory is found; ten consecutive turns are one conversation."""
    body = {
        "agent_id": agent_id,
        "session_id": f"session {number // 10}",
        "messages": [{"role": "user", "content": text}],
    }
    started = time.perf_counter()
    stored = (await client.post("/v1/conversations", json=body)).raise_for_status().json()
    accepted = time.perf_counter()
    path = f"/v1/conversations/{stored['conversation_id']}"
    place = stored["turns"][0]["number"]

    async def memory_id() -> str | None:
        turns = (await client.get(path)).json()["turns"]
        found: str | None = next(turn["memory_id"] for turn in turns if turn["number"] == place)
        return found

    # The transaction that keeps the turn makes its memory searchable by words.
    memory = await _until(memory_id)
    by_words = time.perf_counter()

    async def is_embedded() -> bool:
        shown = (await client.get(f"/v1/memories/{memory}")).json()
        return bool(shown["embedding_state"] == "ready")

    await _until(is_embedded)
    by_meaning = time.perf_counter()
    taken["accepted"].append((accepted - started) * 1000)
    taken["by_words"].append((by_words - accepted) * 1000)
    taken["by_meaning"].append((by_meaning - accepted) * 1000)


async def _until(ask: Callable[[], Awaitable[Any]]) -> Any:
    end = time.perf_counter() + PATIENCE_SECONDS
    while time.perf_counter() < end:
        if answer := await ask():
            return answer
        await asyncio.sleep(POLL_SECONDS)
    raise TimeoutError("a turn was not captured in time")


def _texts(count: int) -> list[str]:
    lines = [line.content for line in sample.read().lines]
    chance = random.Random(1)
    return [f"I noted on day {number}: {chance.choice(lines)}" for number in range(count)]


if __name__ == "__main__":
    asyncio.run(main())
