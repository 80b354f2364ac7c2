"""What operators are told: figures in CloudWatch's embedded format, one line in the log, and no text of anybody's."""

import asyncio
import json
import logging
import operator
import time
from functools import partial, reduce
from typing import Any

import pytest
from awslambdaric.lambda_context import LambdaContext
from awslambdaric.lambda_runtime_log_utils import JsonFormatter

from remembrancer.errors import NotFound, StoreUnavailable
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.router import SLOW_MS, http_handler
from remembrancer.runtime.queues.sqs import Failures, QueueMessage, sqs_handler
from remembrancer.runtime.telemetry import MOST_VALUES, Measurement, Metrics, count, duration, emit
from tests.unit.runtime.embedded_metrics import SERVICE, published


def context(name: str = "function") -> LambdaContext:
    context = LambdaContext("invocation-1", {}, {}, int((time.time() + 30) * 1000))
    context.function_name = name
    return context


@pytest.fixture
def loop() -> LoopThread:
    return LoopThread()


def test_each_set_of_dimensions_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    emit(
        duration("AssemblyLatency", 12.3456),
        count("Tier", tier="postgres"),
        count("Fallback", reason="hot_timeout"),
        duration("StageLatency", 1.5, stage="embed"),
        duration("Other", 9),
    )

    output = capsys.readouterr().out
    assert output.count("\n") == 4
    assert list(published(output)) == [
        ("AssemblyLatency", (SERVICE,), 12.35, "Milliseconds"),
        ("Other", (SERVICE,), 9, "Milliseconds"),
        ("Tier", (SERVICE, ("tier", "postgres")), 1, "Count"),
        ("Tier", (SERVICE,), 1, "Count"),
        ("Fallback", (SERVICE, ("reason", "hot_timeout")), 1, "Count"),
        ("Fallback", (SERVICE,), 1, "Count"),
        ("StageLatency", (SERVICE, ("stage", "embed")), 1.5, "Milliseconds"),
    ]


def test_counts_are_added_up_and_durations_kept(capsys: pytest.CaptureFixture[str]) -> None:
    emit(count("InternalError"), count("InternalError"), duration("Latency", 1.0), duration("Latency", 2.0))

    assert list(published(capsys.readouterr().out)) == [
        ("InternalError", (SERVICE,), 2, "Count"),
        ("Latency", (SERVICE,), 1.0, "Milliseconds"),
        ("Latency", (SERVICE,), 2.0, "Milliseconds"),
    ]


class Wall:
    """A wall clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = time.time() // 60 * 60 - 300

    def __call__(self) -> float:
        return self.seconds


def blobs(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def test_an_instance_writes_its_metrics_once_a_minute_as_of_the_minute_of_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wall = Wall()
    begun = wall.seconds
    metrics = Metrics(clock=wall)
    metrics.seconds = 60.0

    due = []
    for _ in range(8):
        metrics.add(count("Requests"), duration("Latency", 5.0))
        due.append(metrics.due)
        if metrics.due:
            metrics.write()
        wall.seconds += 20

    lines = blobs(capsys.readouterr().out)
    assert due == [True, False, False, True, False, False, True, False]
    assert [(line["Requests"], len(line["Latency"]), line["_aws"]["Timestamp"] / 1000 - begun) for line in lines] == [
        ([1], 1, 0),
        ([2], 2, 0),
        ([1], 1, 60),
        ([2], 2, 60),
        ([1], 1, 120),
    ]


def test_more_than_a_hundred_durations_of_a_minute_are_several_lines(capsys: pytest.CaptureFixture[str]) -> None:
    emit(*(duration("Latency", number) for number in range(250)))

    lines = blobs(capsys.readouterr().out)
    assert [len(line["Latency"]) for line in lines] == [MOST_VALUES, MOST_VALUES, 250 - 2 * MOST_VALUES]
    assert reduce(operator.iadd, (line["Latency"] for line in lines), []) == list(range(250))


def test_nothing_measured_is_nothing_written(capsys: pytest.CaptureFixture[str]) -> None:
    emit()

    assert capsys.readouterr().out == ""


def test_namespace_and_service_are_those_of_the_deployment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "Elsewhere")
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "remembrancer-dev")

    emit(count("InternalError"))

    output = capsys.readouterr().out
    assert json.loads(output)["_aws"]["CloudWatchMetrics"][0]["Namespace"] == "Elsewhere"
    assert list(published(output)) == [("InternalError", (("service", "remembrancer-dev"),), 1, "Count")]


class Endpoint:
    """Answers or raises as told."""

    def __init__(self, outcome: HttpResponse | Exception) -> None:
        self.outcome = outcome

    async def __call__(self, request: HttpRequest, work: Work) -> HttpResponse:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def call(loop: LoopThread, outcome: HttpResponse | Exception, *, path: str = "/v1/things/7") -> dict[str, Any]:
    handler = http_handler(
        {"GET /v1/things/{thing_id}": Endpoint(outcome)}, loop=loop, after_response=AfterResponse(loop, None)
    )
    event = {
        "rawPath": path,
        "headers": {"X-Request-ID": "request\n7", "X-API-Key": "rk_hidden"},
        "requestContext": {"http": {"method": "GET", "path": path}},
        "body": json.dumps({"content": "hidden text"}),
    }
    return handler(event, context())


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """As Lambda's JSON format writes it."""
    return [json.loads(JsonFormatter().format(record)) for record in caplog.records]


def test_a_request_is_one_line_with_what_its_endpoint_accounts_for(
    loop: LoopThread, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = (duration("QueryLatency", 3.0, tier="light"),)
    with caplog.at_level(logging.INFO):
        call(loop, HttpResponse(200, {"text": "hidden"}, {}, measured, {"org_id": "organization-1", "tokens": 30}))

    (line,) = logged(caplog)
    assert line.pop("handler_ms") >= 0
    line.pop("timestamp")
    assert line == {
        "level": "INFO",
        "message": "request",
        "logger": "remembrancer.runtime.http.router",
        "request_id": "request_7",
        "route": "GET /v1/things/{thing_id}",
        "status": 200,
        "org_id": "organization-1",
        "tokens": 30,
    }
    assert list(published(capsys.readouterr().out)) == [
        ("QueryLatency", (SERVICE, ("tier", "light")), 3.0, "Milliseconds"),
        ("Requests", (SERVICE,), 1, "Count"),
    ]


def test_one_ordinary_request_in_so_many_has_a_line_and_every_other_one(
    loop: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    outcomes: list[HttpResponse | Exception] = [HttpResponse(200, {}) for _ in range(7)]
    outcomes[2] = HttpResponse(200, {}, {}, (), {"fallback_reason": "cold_timeout"})
    outcomes[4] = NotFound("hidden", code="thing_not_found")
    endpoint = Endpoint(outcomes[0])
    handler = http_handler(
        {"GET /v1/things/{thing_id}": endpoint}, loop=loop, after_response=AfterResponse(loop, None), log_every=3
    )
    event = {"rawPath": "/v1/things/7", "requestContext": {"http": {"method": "GET", "path": "/v1/things/7"}}}

    with caplog.at_level(logging.INFO):
        for number, outcome in enumerate(outcomes):
            endpoint.outcome = outcome
            handler({**event, "headers": {"X-Request-ID": str(number)}}, context())

    lines = [(line["request_id"], line.get("one_in")) for line in logged(caplog)]
    assert lines == [("0", 3), ("2", None), ("4", None), ("5", 3)]


def test_a_part_of_a_request_is_not_counted_as_one_but_its_failure_is(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoint = Endpoint(HttpResponse(200, {}))
    handler = http_handler(
        {"GET /v1/things": endpoint}, loop=loop, after_response=AfterResponse(loop, None), counts_requests=False
    )
    event = {"rawPath": "/v1/things", "headers": {}, "requestContext": {"http": {"method": "GET"}}}

    handler(event, context())
    ordinary = capsys.readouterr().out
    endpoint.outcome = StoreUnavailable("hidden", cause="OSError")
    handler(event, context())

    assert ordinary == ""
    assert list(published(capsys.readouterr().out)) == [("Failed", (SERVICE,), 1, "Count")]


def test_a_slow_request_always_has_a_line(loop: LoopThread, caplog: pytest.LogCaptureFixture) -> None:
    async def slow(request: HttpRequest, work: Work) -> HttpResponse:
        await asyncio.sleep(SLOW_MS / 1000)
        return HttpResponse(200, {})

    handler = http_handler({"GET /slow": slow}, loop=loop, after_response=AfterResponse(loop, None), log_every=1000)
    event = {"rawPath": "/slow", "headers": {}, "requestContext": {"http": {"method": "GET", "path": "/slow"}}}

    with caplog.at_level(logging.INFO):
        for _ in range(3):
            handler(event, context())

    assert [line["message"] for line in logged(caplog)] == ["request"] * 3


@pytest.mark.parametrize(
    ("outcome", "path", "status", "code", "route"),
    [
        (
            NotFound("hidden", code="thing_not_found"),
            "/v1/things/7",
            404,
            "thing_not_found",
            "GET /v1/things/{thing_id}",
        ),
        (StoreUnavailable("hidden", cause="OSError"), "/v1/things/7", 503, "unavailable", "GET /v1/things/{thing_id}"),
        (HttpResponse(200, {}), "/v1/hidden/7", 404, "no_such_route", ""),
        (HttpResponse(503, {"ready": False}), "/v1/things/7", 503, None, "GET /v1/things/{thing_id}"),
    ],
)
def test_what_is_refused_or_fails_is_a_line_with_its_code_and_no_message(
    loop: LoopThread,
    caplog: pytest.LogCaptureFixture,
    outcome: HttpResponse | Exception,
    path: str,
    status: int,
    code: str | None,
    route: str,
) -> None:
    with caplog.at_level(logging.INFO):
        call(loop, outcome, path=path)

    (line,) = [line for line in logged(caplog) if line["message"] == "request"]
    assert (line["status"], line.get("error_code"), line["route"]) == (status, code, route)
    assert "hidden" not in json.dumps(line)


def test_a_bug_is_counted_without_dimensions_that_callers_choose(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    call(loop, KeyError("a bug"))

    assert list(published(capsys.readouterr().out)) == [
        ("InternalError", (SERVICE,), 1, "Count"),
        ("Requests", (SERVICE,), 1, "Count"),
        ("Failed", (SERVICE,), 1, "Count"),
    ]


def test_a_bug_is_logged_with_its_place_and_without_its_message(
    loop: LoopThread, caplog: pytest.LogCaptureFixture
) -> None:
    error = KeyError("hidden")
    error.__cause__ = ValueError("hidden too")
    call(loop, error)

    (line,) = [line for line in logged(caplog) if line["message"] == "internal_error"]
    assert line["error"] == ["KeyError", "ValueError"]
    assert "raise self.outcome" in line["stack"][-1]
    assert "hidden" not in json.dumps(line)


def test_messages_that_fail_are_counted_by_function_and_their_causes_logged(
    loop: LoopThread, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    async def consume(messages: list[QueueMessage]) -> Failures:
        return {messages[0].message_id: "QueryCanceled", messages[1].message_id: "QueryCanceled"}

    handler = sqs_handler(consume, loop=loop, after_response=AfterResponse(loop, None))
    records = [{"messageId": f"message-{number}", "body": "{}"} for number in range(3)]

    handler({"Records": records}, context("stack-EmbedFunction-1"))

    assert list(published(capsys.readouterr().out)) == [
        ("MessagesFailed", (SERVICE, ("function", "stack-EmbedFunction-1")), 2, "Count"),
        ("MessagesFailed", (SERVICE,), 2, "Count"),
    ]
    (line,) = [line for line in logged(caplog) if line["message"] == "messages_failed"]
    assert (line["causes"], line["of"]) == ({"QueryCanceled": 2}, 3)


@pytest.mark.parametrize(
    "body",
    [
        '{"user_id": "a\\u0000"}',
        '{"user_id": "\\ud800"}',
        '{"user_id": "\ud800"}',
        '{"at": NaN}',
        '{"a": ' + "[" * 100_000,
        '{"a": ' + "[" * 40 + "]" * 40 + "}",
        '{"a": 1, "a": 2}',
        "[]",
        "",
    ],
    ids=["NUL", "escaped surrogate", "surrogate", "NaN", "endless", "deep", "twice", "list", "empty"],
)
def test_text_that_no_code_of_ours_writes_is_poisoned_and_no_bug(
    loop: LoopThread, caplog: pytest.LogCaptureFixture, body: str
) -> None:
    async def consume(messages: list[QueueMessage]) -> Failures:
        raise AssertionError(messages)

    handler = sqs_handler(consume, loop=loop, after_response=AfterResponse(loop, None))

    answer = handler({"Records": [{"messageId": "message", "body": body}]}, context())

    assert answer == {"batchItemFailures": [{"itemIdentifier": "message"}]}
    (line,) = [line for line in logged(caplog) if line["message"] == "messages_failed"]
    assert line["causes"] == {"poisoned": 1}
    assert "internal_error" not in caplog.text


def test_a_message_that_meets_a_bug_fails_alone(loop: LoopThread, caplog: pytest.LogCaptureFixture) -> None:
    done: list[str] = []

    async def consume(messages: list[QueueMessage]) -> Failures:
        if any(message.body.get("bad") for message in messages):
            raise ValueError("hidden")
        done.extend(message.message_id for message in messages)
        return {message.message_id: "StoreError" for message in messages if message.message_id == "message-4"}

    handler = sqs_handler(consume, loop=loop, after_response=AfterResponse(loop, None))
    records = [{"messageId": f"message-{number}", "body": json.dumps({"bad": number == 2})} for number in range(5)]

    answer = handler({"Records": records}, context())

    assert [failure["itemIdentifier"] for failure in answer["batchItemFailures"]] == ["message-2", "message-4"]
    assert done == ["message-0", "message-1", "message-3", "message-4"]
    assert "hidden" not in caplog.text


def test_what_no_later_request_makes_up_for_is_done_first(loop: LoopThread) -> None:
    done: list[str] = []
    work = Work()

    async def do(name: str) -> None:
        done.append(name)

    for name in ("hot set", "usage", "map"):
        work.add(name, partial(do, name), first=name == "usage")
    AfterResponse(loop, None).finish(work)

    assert done == ["usage", "hot set", "map"]


def test_work_that_fails_after_the_response_is_counted_by_its_name(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    async def fail() -> None:
        raise StoreUnavailable("hidden", cause="OSError")

    work = Work()
    work.add("usage", fail)

    AfterResponse(loop, None).finish(work)

    assert ("AfterResponseFailed", (SERVICE,), 1, "Count") in list(published(capsys.readouterr().out))


def test_what_an_instance_left_undone_is_done_once_behind_its_first_requests_work(loop: LoopThread) -> None:
    done: list[str] = []

    async def note(name: str) -> None:
        done.append(name)

    after_response = AfterResponse(loop, None)
    after_response.once("vocabularies", lambda: note("vocabularies"))
    for number in range(2):
        work = Work()
        work.add("usage", lambda number=number: note(f"usage {number}"))  # type: ignore[misc]
        after_response.finish(work)

    assert done == ["usage 0", "vocabularies", "usage 1"]


def test_figures_are_written_after_the_work_of_the_endpoint_was_left(
    loop: LoopThread, capsys: pytest.CaptureFixture[str]
) -> None:
    """They come with the work after the response, so that they cost the caller nothing."""
    written: list[str] = []

    class Later(AfterResponse):
        def finish(self, work: Work) -> None:
            written.append(capsys.readouterr().out)
            super().finish(work)

    response = HttpResponse(200, {}, {}, (Measurement("Some", 1, "Count"),))
    handler = http_handler({"GET /": Endpoint(response)}, loop=loop, after_response=Later(loop, None))

    handler({"rawPath": "/", "requestContext": {"http": {"method": "GET"}}}, context())

    assert written == [""]
    assert "Some" in capsys.readouterr().out
