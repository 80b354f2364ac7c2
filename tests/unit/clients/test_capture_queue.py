import asyncio
import logging
from collections.abc import Iterable
from typing import Any

import pytest

from remembrancer_client.calls import Call
from remembrancer_client.capture_queue import ATTEMPTS, CONCURRENT, MOST_CALLS, MOST_CHARACTERS, CaptureQueue
from remembrancer_client.errors import NotReachable, refused
from remembrancer_client.refusals import Refusals

FIRST_WAIT_S = 0.01


def call(name: str) -> Call[Any]:
    return Call("POST", name, lambda body: body)


def refusal(status: int, code: str = "code") -> Exception:
    return refused(status, code, "No.", fields={}, request_id="r", retry_after_s=None)


class Service:
    """Fails with what `errors` has for a call, once for each error, and keeps the order of what it was sent."""

    def __init__(self, **errors: Iterable[Exception]) -> None:
        self.errors = {name: list(each) for name, each in errors.items()}
        self.attempts: list[str] = []
        self.accepted: list[str] = []
        self.answering = asyncio.Event()
        self.answering.set()
        self.open = self.most_open = 0

    async def send(self, sent: Call[Any]) -> None:
        self.attempts.append(sent.path)
        self.open += 1
        self.most_open = max(self.open, self.most_open)
        try:
            await self.answering.wait()
            await asyncio.sleep(0)
        finally:
            self.open -= 1
        if self.errors.get(sent.path):
            raise self.errors[sent.path].pop(0)
        self.accepted.append(sent.path)


def queue(service: Service, **settings: Any) -> CaptureQueue:
    return CaptureQueue(service.send, settings.pop("refusals", Refusals(None)), first_wait_s=FIRST_WAIT_S, **settings)


async def until_sent(captures: CaptureQueue, *names: str) -> None:
    """Adds calls to one session first."""
    for name in names:
        captures.add("s", call(name), characters=1)
    async with asyncio.timeout(10):
        while await captures.flush(1):
            await asyncio.sleep(FIRST_WAIT_S)


async def test_turns_of_a_session_are_sent_in_order_and_sessions_at_once() -> None:
    service = Service()
    captures = queue(service)

    for number in range(5):
        for session in range(3 * CONCURRENT):
            captures.add(session, call(f"{session}-{number}"), characters=1)
    await until_sent(captures)

    for session in range(3 * CONCURRENT):
        own = [name for name in service.accepted if name.startswith(f"{session}-")]
        assert own == [f"{session}-{number}" for number in range(5)]
    assert service.most_open == CONCURRENT


async def test_while_the_service_fails_one_call_at_a_time_asks_whether_it_is_back() -> None:
    service = Service(**{name: [NotReachable()] * 99 for name in "abcdef"})
    captures = queue(service)

    for name in "abcdef":
        captures.add(name, call(name), characters=1)
    async with asyncio.timeout(10):
        while service.attempts.count("a") < 4:
            await asyncio.sleep(0.001)
    alone = service.attempts[CONCURRENT:]
    service.errors.clear()
    await until_sent(captures)

    assert alone == ["a"] * len(alone), "the others wait, in order"
    assert sorted(service.accepted) == list("abcdef")


async def test_nothing_is_lost_while_the_service_is_away_and_nothing_is_sent_twice_when_it_is_back() -> None:
    away = [NotReachable(), refusal(503), refusal(429), refusal(502), NotReachable(), refusal(504), NotReachable()]
    service = Service(a=away)
    captures = queue(service)

    await until_sent(captures, "a", "b")

    assert service.accepted == ["a", "b"]
    assert service.attempts == ["a"] * (len(away) + 1) + ["b"]


async def test_a_call_that_the_service_fails_at_again_and_again_holds_up_no_other() -> None:
    service = Service(a=[refusal(500)] * 99)
    captures = queue(service)

    await until_sent(captures, "a", "b")

    assert service.attempts == ["a"] * ATTEMPTS + ["b"]
    assert service.accepted == ["b"]


async def test_what_is_refused_is_dropped_and_told_once(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    names = [f"a{number}" for number in range(3)]
    service = Service(b=[refusal(400, "bad_request")], **{name: [refusal(401, "revoked")] for name in names})
    captures = queue(service, refusals=Refusals(lambda code, _: told.append(code)))

    with pytest.warns(RuntimeWarning, match="revoked"):
        await until_sent(captures, *names, "b", "c")

    assert service.attempts == [*names, "b", "c"]
    assert service.accepted == ["c"]
    assert told == ["revoked"]
    assert "capture_refused" in caplog.messages


async def test_that_there_was_nothing_to_capture_is_no_warning_and_not_asked_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = Service(a=[refusal(400, "nothing_to_capture")])
    captures = queue(service)

    with caplog.at_level(logging.INFO):
        await until_sent(captures, "a", "b")

    assert service.attempts == ["a", "b"]
    assert [(record.levelname, record.message) for record in caplog.records] == [("INFO", "nothing_to_capture")]


async def test_a_callback_that_fails_and_an_exception_of_our_own_lose_one_call_only() -> None:
    def fails(*_: str) -> None:
        raise RuntimeError

    service = Service(a=[refusal(404)], b=[RuntimeError()])
    captures = queue(service, refusals=Refusals(fails))

    with pytest.warns(RuntimeWarning):
        await until_sent(captures, *"abc")

    assert service.attempts == ["a", "b", "c"]


@pytest.mark.parametrize(("number", "characters"), [(MOST_CALLS, 1), (2, MOST_CHARACTERS // 2)])
async def test_what_comes_when_the_queue_is_full_is_dropped_and_logged_once(
    number: int, characters: int, caplog: pytest.LogCaptureFixture
) -> None:
    service = Service()
    service.answering.clear()
    captures = queue(service)

    for place in range(number + 3):
        captures.add("s", call(str(place)), characters=characters)
    waiting = await captures.flush(0.01)
    service.answering.set()
    await until_sent(captures)
    await until_sent(captures, "later")

    assert waiting == number
    assert service.accepted == [*map(str, range(number)), "later"]
    assert caplog.messages.count("capture_queue_full") == 1


async def test_flushing_ends_when_the_service_fails_and_when_the_time_is_over() -> None:
    down, hanging = Service(a=[NotReachable()] * 99), Service()
    hanging.answering.clear()
    failing, waiting = queue(down), queue(hanging)
    failing.add("s", call("a"), characters=1)
    waiting.add("s", call("a"), characters=1)

    async with asyncio.timeout(5):
        left = [await failing.flush(60), await waiting.flush(0.01)]

    assert left == [1, 1]


async def test_closing_stops_and_says_how_many_are_lost(caplog: pytest.LogCaptureFixture) -> None:
    service = Service()
    service.answering.clear()
    captures = queue(service)
    captures.add("s", call("a"), characters=1)
    captures.add("s", call("b"), characters=1)
    await captures.flush(0.01)

    with caplog.at_level(logging.WARNING):
        await captures.close()

    assert service.open == 0
    assert "captures_dropped" in caplog.messages
    assert await captures.flush(0.01) == 0
