"""`assemble` against services that do everything wrong: it never raises, and gives back what it was given."""

import asyncio
import json
import threading
import warnings
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remembrancer_client import AsyncClient, Client
from remembrancer_client.assembly import ANSWER_BYTES, ANSWER_FACTOR
from remembrancer_client.circuit_breaker import FAILURES, PROBE_AFTER_S
from tests.clients.faulty import FAULTS, Exchange, FaultyService, drips, fails, hangs, running, whole

MESSAGES: list[dict[str, Any]] = [{"role": "user", "content": "Which room?"}]
PATIENT_MS = 5000.0


@pytest.fixture
async def service() -> AsyncIterator[FaultyService]:
    async with running() as service:
        yield service


def connected(service: FaultyService, deadline_ms: float = PATIENT_MS, **settings: Any) -> AsyncClient:
    return AsyncClient(service.url, "rk_test", org_id="o", agent_id="a", deadline_ms=deadline_ms, **settings)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
async def test_every_fault_gives_the_same_messages_and_its_reason(service: FaultyService, fault: Any) -> None:
    service.behaviour = fault
    async with connected(service) as client:
        answer = await client.assemble(MESSAGES, model="gpt-4o")

    assert answer.messages is MESSAGES
    assert answer.reason == FAULTS[fault]
    assert answer.memory_ids == ()


@pytest.mark.parametrize("fault", [hangs, drips], ids=lambda fault: fault.__name__)
async def test_the_deadline_bounds_the_whole_call(service: FaultyService, fault: Any) -> None:
    service.behaviour = fault
    async with connected(service, deadline_ms=45) as client, asyncio.timeout(10):
        answer = await client.assemble(MESSAGES, model="gpt-4o")

    assert answer.messages is MESSAGES
    assert answer.reason == "timeout"


async def test_a_chat_is_held_up_no_longer_than_the_deadline(service: FaultyService) -> None:
    service.behaviour = hangs
    taken_ms: list[float] = []
    for _ in range(5):
        async with connected(service, deadline_ms=45) as client:
            taken_ms += [(await client.assemble(MESSAGES, model="gpt-4o")).elapsed_ms for _ in range(FAILURES - 1)]

    # A busy machine delays timers; one that was in time shows that the client leaves room for them.
    assert min(taken_ms) <= 45


async def test_nothing_listens(service: FaultyService) -> None:
    async with AsyncClient("http://127.0.0.1:1", "rk_test", deadline_ms=PATIENT_MS) as client:
        answer = await client.assemble(MESSAGES, model="gpt-4o", agent_id="a")

    assert (answer.messages is MESSAGES, answer.reason) == (True, "unreachable")


async def test_a_whole_answer_is_used(service: FaultyService) -> None:
    async with connected(service) as client:
        answer = await client.assemble(MESSAGES, model="gpt-4o", user_id="isla", turn_id="t-1", request_id="r-1")

    (exchange,) = service.received
    assert answer.messages[1] is MESSAGES[0]
    assert answer.injected.startswith("<memories-")
    assert (answer.reason, answer.memory_ids, answer.request_id) == ("", ("m-1",), "r-1")
    assert exchange.headers["x-api-key"] == "rk_test"
    assert exchange.headers["x-end-user-id"] == "isla"
    assert 0 < int(exchange.headers["x-deadline-ms"]) <= PATIENT_MS
    assert exchange.json() == {
        "org_id": "o",
        "agent_id": "a",
        "model": "gpt-4o",
        "turn_id": "t-1",
        "request_id": "r-1",
        "messages": MESSAGES,
    }


async def test_the_breaker_opens_leaves_calls_out_and_closes_by_itself(service: FaultyService) -> None:
    service.behaviour = fails
    async with connected(service) as client, asyncio.timeout(30):
        for _ in range(FAILURES):
            await client.assemble(MESSAGES, model="gpt-4o")
        seen = len(service.received)
        reasons = {(await client.assemble(MESSAGES, model="gpt-4o")).reason for _ in range(20)}
        unanswered = len(service.received) - seen
        service.behaviour = whole
        while (answer := await client.assemble(MESSAGES, model="gpt-4o")).reason:
            await asyncio.sleep(0.05)

    assert reasons == {"circuit_open"}
    assert unanswered == 0
    assert answer.memory_ids == ("m-1",)
    probes = [one.json() for one in service.received[seen:] if one.json().get("options")]
    # A probe is about nothing, and nobody's words are in it.
    assert {json.dumps(probe["messages"]) for probe in probes} == {'[{"role": "user", "content": "."}]'}


async def test_an_argument_that_cannot_be_sent_does_not_keep_the_breaker_open(service: FaultyService) -> None:
    service.behaviour = fails
    async with connected(service) as client, asyncio.timeout(30):
        for _ in range(FAILURES):
            await client.assemble(MESSAGES, model="gpt-4o")
        service.behaviour = whole
        await asyncio.sleep(1.1 * PROBE_AFTER_S)
        unsendable: Any = 7
        reasons = [
            (await client.assemble(MESSAGES, model="gpt-4o", user_id=unsendable)).reason,
            (await client.assemble(MESSAGES, model="gpt-4o", session_id=object())).reason,  # type: ignore[arg-type]
        ]
        while (answer := await client.assemble(MESSAGES, model="gpt-4o")).reason:
            await asyncio.sleep(0.05)

    assert reasons == ["client_error:TypeError"] * 2
    assert answer.memory_ids == ("m-1",)


async def test_a_refusal_is_told_once_and_loudly(service: FaultyService) -> None:
    told: list[tuple[str, str]] = []

    async def forbids(exchange: Exchange) -> None:
        error = {"code": "invalid_credential", "message": "The API key is unknown or revoked."}
        await exchange.answer(401, {"error": error, "request_id": "r"})

    service.behaviour = forbids
    async with connected(service, on_refused=lambda *what: told.append(what)) as client:
        with pytest.warns(RuntimeWarning, match="invalid_credential"):
            first = await client.assemble(MESSAGES, model="gpt-4o")
        others = [await client.assemble(MESSAGES, model="gpt-4o") for _ in range(2 * FAILURES)]

    assert {answer.reason for answer in [first, *others]} == {"invalid_credential"}
    assert told == [("invalid_credential", "The API key is unknown or revoked.")]


async def test_retry_after_is_honoured(service: FaultyService) -> None:
    async def limits(exchange: Exchange) -> None:
        error = {"code": "too_many_requests", "message": "Too many requests."}
        await exchange.answer(429, {"error": error, "request_id": "r"}, "retry-after: 60")

    service.behaviour = limits
    async with connected(service) as client:
        reasons = [(await client.assemble(MESSAGES, model="gpt-4o")).reason for _ in range(3)]

    assert reasons == ["too_many_requests", "circuit_open", "circuit_open"]
    assert len(service.received) == 1


async def test_what_cannot_be_sent_is_not_an_exception_either(service: FaultyService) -> None:
    unsendable: list[dict[str, Any]] = [{"role": "user", "content": object()}]
    large = [{"role": "user", "content": "x " * (1 << 19)}]
    async with connected(service) as client:
        answers = [await client.assemble(messages, model="gpt-4o") for messages in (unsendable, large)]

    assert answers[0].messages is unsendable
    assert answers[1].messages is large
    assert [answer.reason for answer in answers] == ["client_error:TypeError", "too_large"]
    assert service.received == []


async def test_the_callers_own_cancellation_passes_through(service: FaultyService) -> None:
    service.behaviour = hangs
    async with connected(service) as client:
        asking = asyncio.ensure_future(client.assemble(MESSAGES, model="gpt-4o"))
        while not service.received:
            await asyncio.sleep(0.01)
        asking.cancel()

        with pytest.raises(asyncio.CancelledError):
            await asking


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.just(MESSAGES[0]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["messages", "metadata", "error", "code"]), inner),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    status=st.integers(200, 599),
    body=st.binary(max_size=200) | json_values.map(lambda value: json.dumps(value).encode()),
    headers=st.dictionaries(
        st.sampled_from(["retry-after", "content-type", "content-encoding", "location"]),
        st.text("0aβ-.;=/g", max_size=9),
    ),
)
async def test_any_answer_at_all_gives_the_same_messages(status: int, body: bytes, headers: dict[str, str]) -> None:
    def respond(_: httpx.Request) -> httpx.Response:
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        return httpx.Response(status, stream=httpx.ByteStream(body), headers=raw)

    async with AsyncClient(
        "http://service", "k", agent_id="a", deadline_ms=PATIENT_MS, transport=httpx.MockTransport(respond)
    ) as client:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = await client.assemble(MESSAGES, model="gpt-4o")

    assert answer.messages is MESSAGES
    assert answer.reason


def test_without_asyncio_it_is_the_same() -> None:
    """Also from several threads at once, and while the service hangs."""
    ready, stop = threading.Event(), threading.Event()
    services: list[FaultyService] = []

    async def serve() -> None:
        async with running() as service:
            services.append(service)
            ready.set()
            while not stop.is_set():
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait()
    (service,) = services
    try:
        with Client(service.url, "k", agent_id="a", deadline_ms=PATIENT_MS) as client:
            answers: list[Any] = []
            threads = [
                threading.Thread(target=lambda: answers.append(client.assemble(MESSAGES, model="gpt-4o")))
                for _ in range(8)
            ]
            for one in threads:
                one.start()
            for one in threads:
                one.join()
            service.behaviour = hangs
            late = client.assemble(MESSAGES, model="gpt-4o", deadline_ms=45)
    finally:
        stop.set()
        thread.join()

    assert {answer.memory_ids for answer in answers} == {("m-1",)}
    assert (late.messages is MESSAGES, late.reason) == (True, "timeout")


def test_a_two_megabyte_answer_to_a_small_request_is_beyond_the_bound() -> None:
    assert ANSWER_FACTOR * len(json.dumps(MESSAGES)) + ANSWER_BYTES < 2 << 20
