"""Measures what network and front door add to an assembly: the caller's time less the function's own.

`python -m scripts.front_door --agent AGENT_ID --count 200`, with REMEMBRANCER_URL and REMEMBRANCER_API_KEY in the
environment, from the machine of the proxy. The 48 ms of docs/deadlines.md are the function's; this comes on top.
"""

import argparse
import os
import statistics
import sys
import time
import uuid
from collections.abc import Iterator

import httpx


def ask(client: httpx.Client, agent_id: str, count: int) -> Iterator[tuple[float, float]]:
    """Milliseconds of the caller, and of the function, for each assembly on a kept connection. The first, for which the
    connection and perhaps an instance are made, is left out.
    """
    for number in range(count + 1):
        body = {
            "agent_id": agent_id,
            "model": "gpt-4o",
            "request_id": str(uuid.uuid4()),
            "messages": [{"role": "user", "content": f"What do you know about this, {number}?"}],
        }
        started = time.perf_counter()
        response = client.post("/v1/context/assemble", json=body)
        elapsed_ms = (time.perf_counter() - started) * 1000
        response.raise_for_status()
        if number:
            yield elapsed_ms, float(response.json()["metadata"]["timings_ms"]["total"])


def summary(name: str, values: list[float]) -> str:
    """Median and 99th percentile on one line."""
    p99 = statistics.quantiles(values, n=100, method="inclusive")[98]
    return f"{name:28} p50 {statistics.median(values):7.1f} ms   p99 {p99:7.1f} ms\n"


def main() -> int:
    """Prints three lines: caller, function, difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agent", required=True, help="an agent of the key")
    parser.add_argument("--count", type=int, default=200, help="assemblies that are measured, two at least")
    options = parser.parse_args()
    try:
        url, api_key = os.environ["REMEMBRANCER_URL"], os.environ["REMEMBRANCER_API_KEY"]
    except KeyError as missing:
        sys.stderr.write(f"set {missing.args[0]}\n")
        return 2
    try:
        with httpx.Client(base_url=url, headers={"X-API-Key": api_key}, timeout=30.0) as client:
            times = list(ask(client, options.agent, max(options.count, 2)))
    except httpx.HTTPError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    callers, functions = [list(column) for column in zip(*times, strict=True)]
    added = [caller - function for caller, function in times]
    sys.stdout.write(
        summary("caller", callers) + summary("function", functions) + summary("network and front door", added)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
