"""A server that hangs is found out once, not by every call; one that is slow or refuses is not taken for it."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from remembrancer.adapters.circuit_breaker import CircuitBreaker
from remembrancer.errors import StoreTimeout, StoreUnavailable

LATE_SECONDS = 0.01


class Server:
    """Answers at once, or never until it is mended."""

    def __init__(self) -> None:
        self.well = asyncio.Event()
        self.well.set()
        self.asked = 0
        self.pings = 0
        self.refusal: Exception | None = None

    async def call(self) -> str:
        self.asked += 1
        await self.well.wait()
        return "answer"

    async def ping(self) -> None:
        self.pings += 1
        if self.refusal:
            raise self.refusal
        await self.well.wait()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def breaker(server: Server) -> CircuitBreaker:
    return CircuitBreaker(server.ping, server="Redis", late_seconds=LATE_SECONDS)


async def give_up(breaker: CircuitBreaker, call: Callable[[], Awaitable[str]], *, after: float) -> None:
    task = asyncio.ensure_future(breaker.call(call))
    await asyncio.sleep(after)
    task.cancel()
    await asyncio.wait({task})


async def test_once_a_call_was_left_without_an_answer_the_next_ones_do_not_reach_the_server(
    breaker: CircuitBreaker, server: Server
) -> None:
    server.well.clear()
    await give_up(breaker, server.call, after=0.05)

    for _ in range(3):
        with pytest.raises(StoreTimeout, match="Redis has left a call unanswered"):
            await breaker.call(server.call)

    assert server.asked == 1
    assert server.pings >= 1
    await breaker.stop()


async def test_it_is_asked_again_by_itself_and_then_calls_go_through(breaker: CircuitBreaker, server: Server) -> None:
    server.well.clear()
    await give_up(breaker, server.call, after=0.05)
    # A ping that was not answered is followed by another.
    while server.pings < 2:
        await asyncio.sleep(0.01)

    server.well.set()

    assert await breaker.call(server.call) == "answer"


async def test_a_call_that_timed_out_by_itself_says_the_same(breaker: CircuitBreaker, server: Server) -> None:
    async def timed_out() -> str:
        await asyncio.sleep(0.05)
        raise StoreTimeout("late", cause="TimeoutError")

    server.well.clear()
    with pytest.raises(StoreTimeout, match="late"):
        await breaker.call(timed_out)

    with pytest.raises(StoreTimeout, match="unanswered"):
        await breaker.call(server.call)
    await breaker.stop()


async def test_a_call_given_up_early_says_nothing(breaker: CircuitBreaker, server: Server) -> None:
    server.well.clear()
    await give_up(breaker, server.call, after=0)
    server.well.set()

    assert await breaker.call(server.call) == "answer"
    assert server.pings == 0


async def test_who_answered_another_call_meanwhile_is_only_slow(breaker: CircuitBreaker, server: Server) -> None:
    never = asyncio.Event()
    slow = asyncio.ensure_future(breaker.call(never.wait))
    await asyncio.sleep(0.05)
    await breaker.call(server.call)
    slow.cancel()
    await asyncio.wait({slow})

    assert await breaker.call(server.call) == "answer"
    assert server.pings == 0


async def test_a_server_that_refuses_is_left_to_fail_by_itself(breaker: CircuitBreaker, server: Server) -> None:
    server.well.clear()
    server.refusal = StoreUnavailable("gone", cause="ConnectionError")
    await give_up(breaker, server.call, after=0.05)
    await asyncio.sleep(0.01)

    async def refused() -> str:
        raise StoreUnavailable("gone", cause="ConnectionError")

    with pytest.raises(StoreUnavailable):
        await breaker.call(refused)
    assert server.pings == 1


async def test_an_answer_that_came_while_nobody_could_hear_it_is_heard_first(
    breaker: CircuitBreaker, server: Server
) -> None:
    """As after an instance was frozen: the ping is answered, and the loop has not run since."""
    server.well.clear()
    await give_up(breaker, server.call, after=0.05)
    with pytest.raises(StoreTimeout):
        await breaker.call(server.call)

    server.well.set()

    assert await breaker.call(server.call) == "answer"
    assert server.asked == 2


async def test_a_call_that_ends_after_the_stop_begins_no_probe(breaker: CircuitBreaker, server: Server) -> None:
    server.well.clear()
    task = asyncio.ensure_future(breaker.call(server.call))
    await asyncio.sleep(0.05)

    await breaker.stop()
    task.cancel()
    await asyncio.wait({task})

    await asyncio.sleep(0)
    assert server.pings == 0
