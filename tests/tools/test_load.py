"""The load that benchmarks send, and the fleets that are simulated from what they measure."""

import asyncio
import itertools
import time
from contextlib import suppress
from statistics import mean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import fleet
from benchmarks.fleet import AFFINE, KINDS, LAMBDA, Costs, Hits
from benchmarks.load import Point, knee
from benchmarks.open_loop import Answered, Connections, Load, arrivals, run
from scripts.idle_cost import read_prices

COSTS = Costs(function_ms=12.0, process_ms=9.0, postgres_ms=0.7, redis_ms=0.4, worker_ms=1.2)
ANSWER = b"HTTP/1.1 200 OK\r\nX-Context-Fallback: overload\r\nContent-Length: 2\r\n\r\n{}"


def test_arrivals_are_those_of_a_poisson_process() -> None:
    due = arrivals(200.0, 100.0, seed=1)

    gaps = [later - earlier for earlier, later in itertools.pairwise(due)]
    assert len(due) == pytest.approx(20_000, rel=0.03)
    # Of exponential gaps, the deviation is the mean.
    assert stdev(gaps) == pytest.approx(mean(gaps), rel=0.05)
    assert due == arrivals(200.0, 100.0, seed=1) != arrivals(200.0, 100.0, seed=2)


@pytest.mark.parametrize(
    "url", ["http://example.com:80", "http://localhost:3000", "http://127.0.0.1", "https://10.0.0.1:1"]
)
def test_nothing_is_sent_to_another_machine(url: str) -> None:
    with pytest.raises(ValueError, match=r"127\.0\.0\.1"):
        Connections(url)


async def test_a_server_that_stops_is_asked_as_often_and_what_waited_counts_from_when_it_was_due() -> None:
    until = time.monotonic() + 0.4

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while await reader.readuntil(b"}]}"):
                await asyncio.sleep(max(until - time.monotonic(), 0))
                writer.write(ANSWER)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    load = Load(f"http://127.0.0.1:{port}", "key", "org", ["a", "b"], rate=100.0, seconds=0.5, skipped_seconds=0.0)
    found = await run(load)
    server.close()
    await server.wait_closed()

    assert len(found) == len(arrivals(100.0, 0.5, load.seed))
    assert {(one.status, one.reason) for one in found} == {(200, "overload")}
    # No timing decides: whatever was due long before the server went on, waited for that long at least.
    began = min(found, key=lambda one: one.due)
    early = [one for one in found if one.due < 0.2]
    assert len(early) > 5
    assert all(one.ms >= (began.due - one.due) * 1000 + began.ms - 1 for one in early)


def answered(ms: float, reason: str = "", status: int = 200) -> Answered:
    return Answered(0.0, ms, 0.0, status, reason)


def test_a_point_tells_what_was_whole_what_lacked_something_and_what_was_late() -> None:
    found = [
        answered(10), answered(20), answered(61), answered(20, "overload"), answered(20, "cold_timeout"),
        answered(70, "overload"), answered(5, status=500), answered(2000, status=0),
    ]  # fmt: skip

    point = Point.of(100, found, 60.0)

    assert (point.whole, point.directive, point.other, point.late) == (0.25, 0.125, 0.125, 0.5)
    assert point.in_time == 0.5


def test_the_knee_is_the_last_rate_before_the_first_that_is_late() -> None:
    points = [Point.of(rate, [answered(ms)], 60.0) for rate, ms in ((30, 80), (10, 20), (20, 20), (40, 20))]

    assert knee(points) == 20
    assert knee(points[:1]) == 0


@given(agents=st.integers(2, 500), places=st.floats(1, 400), rate=st.floats(0.1, 1e5))
def test_a_shared_cache_is_full_and_holds_what_is_asked_most(agents: int, places: float, rate: float) -> None:
    there = fleet.held(fleet.popularity(agents) * rate, places)

    assert there.sum() == pytest.approx(min(places, agents), rel=0.01)
    assert (np.diff(there) <= 1e-9).all()


def test_one_process_holds_what_fits() -> None:
    shares = fleet.popularity(100)

    # 100 maps of 1.2 MB fit into 200 MB, but only 52 of 3.8 MB.
    assert fleet.simulate(shares, np.ones(100), seed=1, sample=20_000) == Hits(1.0, 0.0, 0.0)
    from_postgres = fleet.simulate(shares, np.zeros(100), seed=1, sample=20_000)
    assert from_postgres.redis == 0
    assert 0.6 < from_postgres.own < 0.9


@pytest.mark.parametrize("kind", KINDS)
def test_a_larger_fleet_needs_more_and_its_shares_are_whole(kind: str) -> None:
    small, large = (fleet.fleet(kind, rate, COSTS, read_prices(), sample=20_000) for rate in (1_000, 10_000))

    for one in (small, large):
        assert one.hits.own + one.hits.redis + one.hits.postgres == pytest.approx(1, abs=0.001)
    assert large.processes > 5 * small.processes
    assert large.together > 5 * small.together
    assert large.postgres_cores == pytest.approx(10 * small.postgres_cores, rel=0.2)


def test_requests_of_an_agent_that_reach_the_same_processes_find_its_map_there() -> None:
    anywhere, by_agent = (fleet.fleet(kind, 1_000, COSTS, read_prices(), sample=20_000) for kind in (LAMBDA, AFFINE))

    assert by_agent.hits.own > 1.5 * anywhere.hits.own
    assert by_agent.redis_mb < 0.5 * anywhere.redis_mb
