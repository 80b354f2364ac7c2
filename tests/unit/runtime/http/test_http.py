"""HTTP as Lambda sees it: the limits of bodies, both kinds of event, one error shape."""

import asyncio
import base64
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import UUID

import pytest
from awslambdaric.lambda_context import LambdaContext
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.errors import (
    BodyTooLarge,
    Conflict,
    InvalidRequest,
    NotFound,
    NothingToCapture,
    RequestError,
    StoreUnavailable,
)
from remembrancer.runtime import after_response
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http import events, messages, router
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse, LastResort
from remembrancer.runtime.http.router import LambdaHandler
from tests.builders import AGENT_ID
from tests.unit.strategies import anything

MEBIBYTE = 1 << 20


def context(*, seconds: float = 30.0) -> LambdaContext:
    return LambdaContext("invocation-1", {}, {}, int((time.time() + seconds) * 1000))


def gateway_event(**changes: Any) -> dict[str, Any]:
    """API Gateway HTTP API, payload format 2.0."""
    request = {"http": {"method": changes.pop("method", "POST"), "path": "/v1/things"}}
    return {
        "version": "2.0",
        "rawPath": "/v1/things",
        "rawQueryString": "",
        "headers": {"content-type": "application/json"},
        "requestContext": request,
        "body": "{}",
        "isBase64Encoded": False,
        **changes,
    }


def alb_event(**changes: Any) -> dict[str, Any]:
    """An Application Load Balancer's target group."""
    return {
        "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/t/1"}},
        "httpMethod": "POST",
        "path": "/v1/things",
        "queryStringParameters": {},
        "headers": {"content-type": "application/json"},
        "body": "{}",
        "isBase64Encoded": False,
        **changes,
    }


def refused(body: bytes) -> InvalidRequest:
    with pytest.raises(InvalidRequest) as error:
        messages.parse_json(body)
    assert len(error.value.fields) == 1
    return error.value


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@given(value=anything)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_comes_back_as_it_was_sent(value: Any, ascii_only: bool) -> None:
    body = json.dumps(value, ensure_ascii=ascii_only).replace("\\u0000", "0").encode()

    assert messages.parse_json(body) == json.loads(body)


@pytest.mark.parametrize("body", [b"", b" \n\t"])
def test_no_body_is_refused_as_missing(body: bytes) -> None:
    assert refused(body).code == "missing_body"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"{", id="cut off"),
        pytest.param(b"{}{}", id="two values"),
        pytest.param(b"{'a': 1}", id="single quotes"),
        pytest.param(b'{"a": 1,}', id="trailing comma"),
        pytest.param(b"NaN", id="NaN"),
        pytest.param(b'{"a": NaN}', id="NaN inside"),
        pytest.param(b"[Infinity]", id="Infinity"),
        pytest.param(b"[-Infinity]", id="-Infinity"),
        pytest.param(b"[1e400]", id="a number beyond every float"),
        pytest.param(b"[-1.5e999999]", id="a negative one"),
        pytest.param(b"[" + b"9" * 5000 + b"]", id="an integer of 5,000 digits"),
        pytest.param(b'{"a": 1, "b": 2, "a": 1}', id="a name twice"),
        pytest.param(b'[{"a": {"b": 1, "\\u0062": 2}}]', id="a name twice, written differently"),
        pytest.param(b'"\\u0000"', id="NUL escaped"),
        pytest.param(b'{"a\\u0000": 1}', id="NUL in a key"),
        pytest.param(b'[[{"a": ["\\u0000"]}]]', id="NUL deep inside"),
        pytest.param(b'"a\x00b"', id="NUL itself"),
        pytest.param(b'"line\nbreak"', id="a control character"),
        pytest.param(b'"\\ud800"', id="a lone high surrogate"),
        pytest.param(b'"\\udbff"', id="the last high surrogate"),
        pytest.param(b'"\\udc00"', id="a lone low surrogate"),
        pytest.param(b'"\\uDFFF"', id="the last low surrogate"),
        pytest.param(b'"\\ude00\\ud83d"', id="a pair in the wrong order"),
        pytest.param(b'"\\ud83d \\ude00"', id="a pair apart"),
        pytest.param(b'{"\\ud83d": 1}', id="half a pair in a key"),
        pytest.param('"\ud83d"'.encode("utf-8", "surrogatepass"), id="a surrogate in the bytes"),
        pytest.param(b'"\xff"', id="no UTF-8"),
        pytest.param('{"a": "ä"}'.encode("latin-1"), id="Latin-1"),
        pytest.param('{"a": 1}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b"\xef\xbb\xbf{}", id="a byte order mark"),
        pytest.param(b"\xff", id="a stray byte"),
        pytest.param(nested(33), id="33 levels"),
        pytest.param(b'{"a":' * 33 + b"1" + b"}" * 33, id="33 levels of objects"),
        pytest.param(b"[" * 100_000, id="100,000 levels"),
        pytest.param(b'{"a":' * 100_000, id="100,000 levels of objects"),
        pytest.param(b"]" * 100 + b"[" * 100, id="brackets the wrong way round"),
    ],
)
def test_a_bad_body_is_refused_and_never_half_read(body: bytes) -> None:
    assert refused(body).status == 400


def test_a_body_over_a_mebibyte_is_413() -> None:
    with pytest.raises(BodyTooLarge) as error:
        messages.parse_json(b'"' + b"x" * MEBIBYTE + b'"')

    assert (error.value.status, error.value.fields) == (413, {"body": "must have at most 1,048,576 bytes"})


@pytest.mark.parametrize(
    ("headers", "body", "status", "field"),
    [
        ({}, b"query=x", 400, "body"),
        ({"content-type": "application/json"}, b"query=x", 400, "body"),
        ({"content-type": "application/vnd.x+json; charset=utf-8"}, b"query=x", 400, "body"),
        ({"content-type": "application/x-www-form-urlencoded"}, b"query=x", 415, "Content-Type"),
        ({"content-type": "text/plain"}, b"{", 415, "Content-Type"),
        ({"content-type": "text/plain"}, b"", 400, "body"),
        ({"content-type": "application/json", "content-encoding": "gzip"}, b"\x1f\x8b", 415, "Content-Encoding"),
    ],
)
def test_a_body_in_another_form_is_refused_by_what_its_headers_say(
    headers: dict[str, str], body: bytes, status: int, field: str
) -> None:
    request = HttpRequest("POST", "/v1/things", headers, {}, body, "r", 1000.0)

    with pytest.raises(RequestError) as error:
        request.json()

    assert (error.value.status, list(error.value.fields)) == (status, [field])


def test_json_is_read_whatever_its_content_type_says() -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}  # as curl sends it

    assert HttpRequest("POST", "/v1/things", headers, {}, b'{"a": 1}', "r", 1000.0).json() == {"a": 1}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b'"\\u0000"', "body"),
        (b'{"content": "a\\u0000"}', "content"),
        (b'{"messages": [{}, {"content": [{"text": "\\ud800"}]}]}', "messages[1].content[0].text"),
        (b'{"metadata": {"\\u0000": 1}}', "metadata"),
        (b"{", "body"),
    ],
)
def test_a_refusal_names_the_place(body: bytes, place: str) -> None:
    assert list(refused(body).fields) == [place]


def test_a_number_of_too_many_digits_is_refused_without_a_word_about_python() -> None:
    assert refused(b"[" + b"9" * 5000 + b"]").fields["body"] == "is not valid JSON: a number has too many digits"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'"\\ud83d\\ude00"', "😀"),
        (b'"\\uD83D\\uDE00"', "😀"),
        (b'"\\\\u0000"', "\\u0000"),
        (b'"\\\\ud800"', "\\ud800"),
        ('"😀"'.encode(), "😀"),
        (b'"\\u0001\\u001f"', "\x01\x1f"),
        (
            b"[1e308, 5e-324, -0.0, 123456789012345678901234567890]",
            [1e308, 5e-324, -0.0, 123456789012345678901234567890],
        ),
        (b"null", None),
        (b' {"a" : [ ] } ', {"a": []}),
    ],
)
def test_what_only_looks_bad_is_taken(body: bytes, value: Any) -> None:
    assert messages.parse_json(body) == value


def test_a_body_of_exactly_one_mebibyte_is_taken() -> None:
    body = b'"' + b"x" * (MEBIBYTE - 2) + b'"'

    assert len(messages.parse_json(body)) == MEBIBYTE - 2


@pytest.mark.parametrize("body", [nested(32), b'{"a":' * 32 + b"1" + b"}" * 32, b"[" + nested(31) + b"]"])
def test_thirty_two_levels_are_taken(body: bytes) -> None:
    assert messages.parse_json(body)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    body = b"[" + b",".join([b'{"a":[]}'] * 5000) + b"]"

    assert len(messages.parse_json(body)) == 5000


@pytest.mark.parametrize("text", ["[" * 100, "{[" * 100, '"' + "[" * 50, '\\"[' * 60, "\\" * 7 + "[{" * 40, "]}" * 99])
def test_brackets_inside_of_strings_do_not_count(text: str) -> None:
    assert messages.parse_json(json.dumps({text: [text]}).encode()) == {text: [text]}


@given(value=st.recursive(st.text(alphabet='[]{}"\\a', max_size=20), st.lists, max_leaves=60))
def test_depth_is_that_of_the_value(value: Any) -> None:
    def depth(item: Any) -> int:
        return 1 + max(map(depth, item), default=0) if isinstance(item, list) else 0

    body = json.dumps([value, "[" * 40]).encode()

    if depth(value) < 32:
        assert messages.parse_json(body) == [value, "[" * 40]
    else:
        refused(body)


@pytest.mark.parametrize("unit", [b'\\"', b'"', b'\\\\"', b'"[', b'{"', b"\\"])
def test_a_hostile_body_is_read_in_one_pass(unit: bytes) -> None:
    body = b"[" * 20 + b'"' + b"{" * 20 + unit * (MEBIBYTE // len(unit) - 50)

    refused(body)


@pytest.mark.parametrize("make", [gateway_event, alb_event], ids=["API Gateway", "ALB"])
def test_a_request_reads_the_same_from_both_kinds_of_event(make: Any) -> None:
    event = make(headers={"X-API-Key": "key", "X-Request-ID": "req-9"}, body='{"a": "ä"}')

    request = events.to_request(event, context())

    assert (request.method, request.path, request.request_id) == ("POST", "/v1/things", "req-9")
    assert request.headers == {"x-api-key": "key", "x-request-id": "req-9"}
    assert request.json() == {"a": "ä"}
    assert 25_000 < request.remaining_ms <= 30_000


@pytest.mark.parametrize("make", [gateway_event, alb_event], ids=["API Gateway", "ALB"])
def test_a_body_in_base64_is_decoded(make: Any) -> None:
    event = make(body=base64.b64encode('{"a": "ä"}'.encode()).decode(), isBase64Encoded=True)

    assert events.to_request(event, context()).json() == {"a": "ä"}


@pytest.mark.parametrize("make", [gateway_event, alb_event], ids=["API Gateway", "ALB"])
@pytest.mark.parametrize("missing", ["headers", "body", "queryStringParameters"])
@pytest.mark.parametrize("value", [None, "absent"])
def test_a_request_without_its_optional_parts(make: Any, missing: str, value: str | None) -> None:
    event = make(**{missing: None})
    if value == "absent":
        del event[missing]

    request = events.to_request(event, context())

    assert request.query == {}
    assert request.request_id == "invocation-1"


def test_query_parameters_arrive_decoded_from_both() -> None:
    decoded = {"user_id": "anna b&c+d", "since": "2026-01-01T00:00:00+01:00"}
    encoded = {"user_id": "anna+b%26c%2Bd", "since": "2026-01-01T00%3A00%3A00%2B01%3A00"}

    gateway = events.to_request(gateway_event(queryStringParameters=decoded), context())
    alb = events.to_request(alb_event(queryStringParameters=encoded), context())

    assert gateway.query == alb.query == decoded


def test_a_lone_surrogate_in_an_event_is_a_bad_request_and_no_crash() -> None:
    request = events.to_request(gateway_event(body='"\ud800"'), context())

    with pytest.raises(InvalidRequest):
        request.json()


@pytest.mark.parametrize("text", ["7", "x" * 36, "", "../etc"])
def test_a_path_parameter_that_is_no_uuid_names_nothing(text: str) -> None:
    request = HttpRequest("GET", "/", {}, {}, b"", "req-1", 1000.0, {"memory_id": text})

    with pytest.raises(NotFound):
        request.uuid("memory_id")


def test_a_path_parameter_that_is_a_uuid() -> None:
    request = HttpRequest("GET", "/", {}, {}, b"", "req-1", 1000.0, {"agent_id": str(AGENT_ID)})

    assert request.uuid("agent_id") == AGENT_ID


def test_an_error_tells_more_beside_itself_where_it_has_more() -> None:
    answer = messages.error_response(NothingToCapture({"system": 2, "empty": 1}), "req-1")

    assert answer.status == 400
    assert answer.body == {
        "error": {
            "code": "nothing_to_capture",
            "message": "Nothing of this conversation can be stored.",
            "fields": {"messages": "have nothing that a user or an assistant said (empty 1, system 2)"},
        },
        "request_id": "req-1",
        "skipped": {"system": 2, "empty": 1},
    }


def test_the_error_shape_names_the_fields_only_when_there_are_some() -> None:
    with_fields = messages.error_response(InvalidRequest("Bad.", fields={"k": "must be a number"}), "req-1")
    without = messages.error_response(Conflict("Taken.", code="agent_exists"), "req-1")

    assert (with_fields.status, with_fields.body) == (
        400,
        {
            "error": {"code": "invalid_request", "message": "Bad.", "fields": {"k": "must be a number"}},
            "request_id": "req-1",
        },
    )
    assert (without.status, without.body) == (
        409,
        {"error": {"code": "agent_exists", "message": "Taken."}, "request_id": "req-1"},
    )


@pytest.mark.parametrize(
    ("request_id", "header"), [("req-1", "req-1"), ("a\r\nset-cookie: b", "a__set-cookie:_b"), ("ä" * 300, "_" * 256)]
)
def test_the_request_id_cannot_break_out_of_its_header(request_id: str, header: str) -> None:
    answer = events.to_event_response({}, HttpResponse(200, {"a": "ä"}, {"x-own": "1"}), request_id)

    assert answer["headers"] == {"content-type": "application/json", "x-request-id": header, "x-own": "1"}
    assert (answer["statusCode"], json.loads(answer["body"])) == (200, {"a": "ä"})


def test_an_alb_that_sends_every_value_is_read_and_answered_in_kind() -> None:
    event = alb_event(path="/v1/things/a%20b", multiValueHeaders={"X-API-Key": ["key"], "Accept": ["a", "b"]})
    event["multiValueQueryStringParameters"] = {"tag": ["x%26y", "z"], "user+id": ["ada"]}
    del event["headers"], event["queryStringParameters"]

    request = events.to_request(event, context())
    answer = events.to_event_response(event, HttpResponse(200, {}, {"x-own": "1"}), "req-1")

    assert request.headers == {"x-api-key": "key", "accept": "a,b"}
    assert request.query == {"tag": "x&y,z", "user id": "ada"}
    assert request.path == "/v1/things/a b"
    assert answer["multiValueHeaders"] == {
        "content-type": ["application/json"],
        "x-request-id": ["req-1"],
        "x-own": ["1"],
    }
    assert "headers" not in answer


def test_only_api_gateway_is_believed_about_a_token() -> None:
    authorizer = {"jwt": {"claims": {"sub": "ada"}, "scopes": None}}
    gateway = gateway_event()
    gateway["requestContext"]["authorizer"] = authorizer
    alb = alb_event()
    alb["requestContext"] |= {"authorizer": authorizer, "http": gateway["requestContext"]["http"]}

    assert events.to_request(gateway, context()).claims == {"sub": "ada"}
    assert events.to_request(alb, context()).claims is None
    assert events.to_request(alb, context()).path == "/v1/things"


@pytest.mark.parametrize(
    ("body", "sent", "is_base64"),
    [({"a": "ä"}, '{"a":"ä"}', False), ("one\ntwo", "one\ntwo", False), (b"\x00\xff", "AP8=", True)],
)
def test_a_body_is_sent_as_json_as_text_or_as_it_is(body: Any, sent: str, is_base64: bool) -> None:
    answer = events.to_event_response(gateway_event(), HttpResponse(200, body), "req-1")

    assert (answer["body"], answer["isBase64Encoded"]) == (sent, is_base64)


def test_every_function_tells_a_load_balancer_that_it_is_there(loop: LoopThread) -> None:
    handle = router.http_handler({}, loop=loop, after_response=AfterResponse(loop, None))

    answer = handle(alb_event(httpMethod="GET", path="/v1/health", body=""), context())

    assert (answer["statusCode"], json.loads(answer["body"])) == (200, {"status": "ok"})


async def show(request: HttpRequest, work: Work) -> HttpResponse:
    return HttpResponse(200, {"parameters": dict(request.path_parameters)})


async def refuse(request: HttpRequest, work: Work) -> HttpResponse:
    raise Conflict("Taken.", code="agent_exists")


async def lose_the_store(request: HttpRequest, work: Work) -> HttpResponse:
    raise StoreUnavailable("no answer from 10.0.0.7", cause="ConnectionError")


async def hang(request: HttpRequest, work: Work) -> HttpResponse:
    await asyncio.Event().wait()
    return HttpResponse(200, {})


async def crash(request: HttpRequest, work: Work) -> HttpResponse:
    raise TypeError("secret of the implementation")


@pytest.fixture(scope="module")
def loop() -> LoopThread:
    return LoopThread()


def handler(
    loop: LoopThread,
    *,
    last_resort: LastResort | None = None,
    elsewhere: Callable[[], Iterable[str]] = tuple,
) -> LambdaHandler:
    return router.http_handler(
        {
            "GET /v1/things/{thing_id}": show,
            "GET /v1/things/{thing_id}/parts/{part_id}": show,
            "POST /v1/refusal": refuse,
            "POST /v1/loss": lose_the_store,
            "POST /v1/hanging": hang,
            "POST /v1/crash": crash,
        },
        loop=loop,
        after_response=AfterResponse(loop, None),
        last_resort=last_resort,
        elsewhere=elsewhere,
        within_ms=lambda request: 20.0,
    )


def call(handle: LambdaHandler, method: str, path: str) -> tuple[int, Mapping[str, Any], Mapping[str, str]]:
    event = gateway_event(rawPath=path, requestContext={"http": {"method": method, "path": path}})
    answer = handle(event, context())
    return answer["statusCode"], json.loads(answer["body"]), answer["headers"]


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/v1/things/7", {"thing_id": "7"}),
        ("/v1/things/7/parts/a.b", {"thing_id": "7", "part_id": "a.b"}),
    ],
)
def test_a_route_hands_over_its_parameters(loop: LoopThread, path: str, parameters: dict[str, str]) -> None:
    status, body, _ = call(handler(loop), "GET", path)

    assert (status, body) == (200, {"parameters": parameters})


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/things"),
        ("GET", "/v1/things/"),
        ("GET", "/v1/things/7//"),
        ("GET", "/x/v1/things/7"),
    ],
)
def test_an_unknown_route_is_404_in_the_error_shape(loop: LoopThread, method: str, path: str) -> None:
    status, body, _ = call(handler(loop), method, path)

    assert (status, body["error"]["code"], body["request_id"]) == (404, "no_such_route", "invocation-1")


def test_another_method_is_405_and_names_those_that_there_are(loop: LoopThread) -> None:
    status, body, headers = call(handler(loop), "POST", "/v1/things/7")

    assert (status, body["error"]["code"], headers["allow"]) == (405, "method_not_allowed", "GET")


def test_a_slash_at_the_end_makes_no_difference(loop: LoopThread) -> None:
    assert call(handler(loop), "GET", "/v1/things/7/")[0] == call(handler(loop), "GET", "/v1/things/7")[0] == 200


@pytest.mark.parametrize(
    ("method", "path", "meant"),
    [
        ("GET", "/v1/thing/7", "GET /v1/things/{thing_id}"),
        ("POST", "/v1/crashes", "POST /v1/crash"),
        ("POST", "/crash", "POST /v1/crash"),
        ("GET", "/v1/crach", "POST /v1/crash"),
        ("POST", "/v1/context/assemble-it", "POST /v1/context/assemble"),
        ("GET", "/.env", None),
        ("GET", "/" + "x" * 9000, None),
    ],
)
def test_an_unknown_route_names_the_one_that_was_probably_meant(
    loop: LoopThread, method: str, path: str, meant: str | None
) -> None:
    handle = handler(loop, elsewhere=lambda: ["POST /v1/context/assemble"])

    _, body, _ = call(handle, method, path)

    told = body["error"]["message"]
    assert f"Did you mean {meant}?" in told if meant else "Did you mean" not in told


def test_a_route_of_another_function_is_not_told_as_another_method(loop: LoopThread) -> None:
    handle = handler(loop, elsewhere=lambda: ["POST /v1/context/assemble"])

    status, body, headers = call(handle, "POST", "/v1/context/assemble")

    assert (status, body["error"]["code"], "allow" in headers) == (404, "no_such_route", False)
    assert "wrong function" in body["error"]["message"]


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/refusal", 409, "agent_exists"),
        ("/v1/loss", 503, "unavailable"),
        ("/v1/hanging", 504, "timeout"),
        ("/v1/crash", 500, "internal_error"),
    ],
)
def test_every_failure_has_its_status_and_says_nothing_of_the_inside(
    loop: LoopThread, path: str, status: int, code: str
) -> None:
    got, body, headers = call(handler(loop), "POST", path)

    assert (got, body["error"]["code"]) == (status, code)
    assert not {"secret", "10.0.0.7", "TypeError"} & set(json.dumps(body).replace('"', " ").split())
    assert ("retry-after" in headers) == (status == 503)


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/v1/loss", "unavailable:ConnectionError"), ("/v1/hanging", "timeout"), ("/v1/crash", "internal_error")],
)
def test_a_last_resort_answers_instead_with_the_reason(loop: LoopThread, path: str, reason: str) -> None:
    handle = handler(loop, last_resort=lambda request, why: HttpResponse(200, {"reason": why, "path": request.path}))

    assert call(handle, "POST", path)[:2] == (200, {"reason": reason, "path": path})


def test_a_refusal_is_no_case_for_the_last_resort(loop: LoopThread) -> None:
    handle = handler(loop, last_resort=lambda request, why: HttpResponse(200, {}))

    assert call(handle, "POST", "/v1/refusal")[0] == 409


def test_work_left_for_afterwards_is_done(loop: LoopThread) -> None:
    done: list[UUID] = []

    async def leave_work(request: HttpRequest, work: Work) -> HttpResponse:
        async def note() -> None:
            done.append(AGENT_ID)

        work.add("note", note)
        assert not done
        return HttpResponse(202, {})

    handle = router.http_handler({"POST /v1/things": leave_work}, loop=loop, after_response=AfterResponse(loop, None))

    handle(gateway_event(), context())

    assert done == [AGENT_ID]


@pytest.mark.parametrize("fails", [False, True])
def test_what_is_only_for_an_answer_that_is_sent_is_not_done_for_another_one(loop: LoopThread, *, fails: bool) -> None:
    """An endpoint that ends too late, or fails at the last moment, has counted its answer already."""
    done: list[str] = []
    ended = threading.Event()

    async def answer(request: HttpRequest, work: Work) -> HttpResponse:
        work.add("usage", lambda: done.append("usage"), first=True, if_sent=True)
        work.add("cache", lambda: done.append("cache"))
        if "late" in request.path:
            # It cannot be cancelled while it computes, as what writes the JSON of an answer.
            time.sleep(0.1)
        try:
            return _failing() if fails else HttpResponse(200, {"reason": ""})
        finally:
            ended.set()

    routes = {"POST /v1/late": answer, "POST /v1/things": answer}
    handle = router.http_handler(
        routes,
        loop=loop,
        after_response=AfterResponse(loop, None),
        last_resort=lambda request, why: HttpResponse(200, {"reason": why}),
        within_ms=lambda request: 20.0 if "late" in request.path else 5000.0,
    )

    late = call(handle, "POST", "/v1/late")[1]["reason"]
    assert ended.wait(5)
    while_late = list(done)
    in_time = call(handle, "POST", "/v1/things")[1]["reason"]

    assert (late, while_late) == ("timeout", ["cache"])
    assert (in_time, done[1:]) == (("internal_error", ["cache"]) if fails else ("", ["usage", "cache"]))


def _failing() -> HttpResponse:
    raise TypeError("a bug")


def test_work_that_hangs_is_given_up_and_the_rest_is_done(loop: LoopThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(after_response, "LONGEST_SECONDS", 0.05)
    done: list[str] = []

    async def hang_for_ever() -> None:
        await asyncio.Event().wait()

    async def finish() -> None:
        done.append("second")

    async def leave_work(request: HttpRequest, work: Work) -> HttpResponse:
        work.add("first", hang_for_ever)
        work.add("second", finish)
        return HttpResponse(202, {})

    handle = router.http_handler({"POST /v1/things": leave_work}, loop=loop, after_response=AfterResponse(loop, None))

    assert handle(gateway_event(), context())["statusCode"] == 202
    assert done == ["second"]


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("10.0.0.1, 198.51.100.1, 203.0.113.7", "203.0.113.7"),
        ("10.0.0.1,203.0.113.7:51234", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]:51234", "2001:db8::1"),
        ("", ""),
    ],
)
def test_the_address_is_the_one_that_the_load_balancer_has_seen(forwarded: str, address: str) -> None:
    event = alb_event(headers={"X-Forwarded-For": forwarded})

    assert events.to_request(event, context()).address == address


def test_the_address_is_the_gateways_whatever_a_header_says() -> None:
    event = gateway_event(headers={"x-forwarded-for": "10.0.0.1"})
    event["requestContext"]["http"]["sourceIp"] = "203.0.113.7"

    assert events.to_request(event, context()).address == "203.0.113.7"
    assert events.to_request(gateway_event(), context()).address == ""


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"tag": "a\0b"}, {"tag"}),
        ({"tag": "\0", "user_id": "ada\0"}, {"tag", "user_id"}),
        ({"a\0": ""}, {"a"}),
        ({"tag": "jos\udce9"}, {"tag"}),
    ],
)
def test_what_nothing_can_store_in_a_query_is_a_400_that_names_the_parameter(
    loop: LoopThread, query: dict[str, str], names: set[str]
) -> None:
    event = gateway_event(rawPath="/v1/things/7", queryStringParameters=query, method="GET")

    response = handler(loop)(event, context())

    assert response["statusCode"] == 400
    assert json.loads(response["body"])["error"]["fields"].keys() == names


@pytest.mark.parametrize("written", ["a\0b", "jos\udce9"])
def test_what_nothing_can_store_in_a_path_is_a_400_that_names_it(loop: LoopThread, written: str) -> None:
    response = handler(loop)(gateway_event(rawPath=f"/v1/things/{written}", method="GET"), context())

    assert response["statusCode"] == 400
    assert json.loads(response["body"])["error"]["fields"].keys() == {"thing_id"}
