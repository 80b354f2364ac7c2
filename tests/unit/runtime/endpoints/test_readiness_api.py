"""`GET /v1/ready`: one question a second for the dependencies, however many are asked."""

import asyncio

import pytest

from remembrancer.domain.identity.scope import RateLimit
from remembrancer.errors import StoreUnavailable, TooManyRequests
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.readiness_api import FRESH_SECONDS, ReadinessApi
from remembrancer.runtime.http.messages import HttpRequest
from remembrancer.usecases.identity.admission import AddressBuckets
from tests.builders import SetClock


class Dependency:
    """Answers, or fails, and counts."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False

    async def ping(self) -> None:
        self.asked += 1
        await asyncio.sleep(0)
        if self.fails:
            raise StoreUnavailable("gone", cause="OperationalError")


def asking(address: str = "203.0.113.7") -> HttpRequest:
    return HttpRequest("GET", "/v1/ready", {}, {}, b"", "req-1", 1000.0, address=address)


async def test_one_answer_is_everybodys_for_a_second() -> None:
    postgres, clock = Dependency(), SetClock()
    api = ReadinessApi({"postgres": postgres.ping}, AddressBuckets(clock, RateLimit(0, 1)), clock, dict)

    answers = await asyncio.gather(*(api.ready(asking(), Work()) for _ in range(5)))
    postgres.fails = True
    within = await api.ready(asking(), Work())
    clock.seconds += FRESH_SECONDS
    later = await api.ready(asking(), Work())

    assert [answer.status for answer in [*answers, within]] == [200] * 6
    assert (later.status, later.body) == (503, {"ready": False, "checks": {"postgres": "OperationalError"}})
    assert postgres.asked == 2


async def test_an_address_that_asks_too_often_is_told_to_wait() -> None:
    clock = SetClock()
    api = ReadinessApi({"postgres": Dependency().ping}, AddressBuckets(clock, RateLimit(1, 2)), clock, dict)

    for _ in range(2):
        await api.ready(asking(), Work())
    with pytest.raises(TooManyRequests) as refused:
        await api.ready(asking(), Work())

    assert refused.value.headers == {"retry-after": "1"}
    assert (await api.ready(asking("203.0.113.8"), Work())).status == 200
