"""The front door over real HTTP, with real function processes behind it."""

import asyncio
import base64
import io
import json
import socket
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from local.gateway import Gateway
from local.lambda_.instance import Sandbox
from local.lambda_.pool import FunctionPool
from local.routes import RouteTable
from local.servers.errors import PortTakenError
from local.template import Route, read

SMALL = Path(__file__).parents[3] / "tests" / "functions_for_tests" / "template.yaml"


@dataclass(frozen=True, slots=True)
class Door:
    """A front door with the routes of the small template, and a client for it."""

    gateway: Gateway
    pool: FunctionPool
    client: aiohttp.ClientSession

    async def event(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        """The event that the function got."""
        async with self.client.request(method, self.gateway.url + path, **request) as response:
            assert response.status == 200
            event: dict[str, Any] = (await response.json())["event"]
            return event

    async def answer(self, answer: Any) -> tuple[int, Any, bytes]:
        """Status, headers and body when the function answers this."""
        body = {"action": "answer", "answer": answer}
        async with self.client.post(f"{self.gateway.url}/actions", json=body) as response:
            return response.status, response.headers, await response.read()


@pytest.fixture
async def door(tmp_path: Path) -> AsyncIterator[Door]:
    spec = read(SMALL, environment={"DATABASE_URL": "x", "QUEUE_URL": "x"}).function("ActionsFunction")
    pool = FunctionPool(spec, Sandbox(), log_folder=tmp_path)
    gateway = Gateway([(route, pool) for route in spec.routes], port=0, integration_timeout_s=2.0)
    await gateway.start()
    async with aiohttp.ClientSession() as client:
        yield Door(gateway, pool, client)
    await gateway.stop()
    await pool.stop()


async def test_a_request_becomes_an_event_of_payload_2(door: Door) -> None:
    event = await door.event(
        "GET",
        "/things/a%20b?tag=x&tag=y&empty=",
        headers=[("X-Two", "1"), ("X-Two", "2"), ("Cookie", "a=1; b=2"), ("User-Agent", "tests")],
    )

    context = event["requestContext"]
    assert event["version"] == "2.0"
    assert event["routeKey"] == context["routeKey"] == "GET /things/{thing_id}"
    assert event["rawPath"] == context["http"]["path"] == "/things/a b"
    assert event["rawQueryString"] == "tag=x&tag=y&empty="
    assert event["queryStringParameters"] == {"tag": "x,y", "empty": ""}
    assert event["pathParameters"] == {"thing_id": "a b"}
    assert event["cookies"] == ["a=1", "b=2"]
    assert event["headers"]["x-two"] == "1,2"
    assert event["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert event["headers"]["x-amzn-trace-id"].startswith("Root=1-")
    assert "cookie" not in event["headers"]
    assert "body" not in event
    assert event["isBase64Encoded"] is False
    assert context["http"]["method"] == "GET"
    assert context["http"]["protocol"] == "HTTP/1.1"
    assert context["http"]["sourceIp"] == "127.0.0.1"
    assert context["http"]["userAgent"] == "tests"
    assert context["stage"] == "$default"
    assert isinstance(context["timeEpoch"], int)


async def test_what_is_empty_is_left_out(door: Door) -> None:
    event = await door.event("GET", "/things/special")

    assert {"cookies", "queryStringParameters", "pathParameters", "body"}.isdisjoint(event)


async def test_the_callers_trace_and_forwarding_are_kept(door: Door) -> None:
    sent = {"X-Amzn-Trace-Id": "Root=1-6b0221de-616996f6af8546bb9cd2f50b", "X-Forwarded-For": "203.0.113.9"}

    event = await door.event("GET", "/things/special", headers=sent)

    assert event["headers"]["x-amzn-trace-id"] == "Root=1-6b0221de-616996f6af8546bb9cd2f50b"
    assert event["headers"]["x-forwarded-for"] == "203.0.113.9, 127.0.0.1"


@pytest.mark.parametrize(
    ("content_type", "body", "encoded"),
    [
        ("application/json", b'{"q": "gr\xc3\xbc\xc3\x9fe"}', False),
        ("application/json; charset=utf-8", b"{}", False),
        ("text/csv", b"a,b", False),
        ("application/xml", b"<a/>", False),
        ("application/x-www-form-urlencoded", b"a=1", True),
        ("application/octet-stream", b"\x00\xff", True),
        ("application/json", b'{"broken": "\xff"}', True),
    ],
)
async def test_the_content_type_decides_whether_a_body_is_base64(
    door: Door, content_type: str, body: bytes, encoded: bool
) -> None:
    event = await door.event("PUT", "/any/thing", data=body, headers={"Content-Type": content_type})

    assert event["isBase64Encoded"] is encoded
    assert event["body"] == (base64.b64encode(body).decode() if encoded else body.decode())


async def test_a_compressed_body_arrives_as_it_was_sent(door: Door) -> None:
    headers = {"Content-Encoding": "gzip", "Content-Type": "application/octet-stream"}

    event = await door.event("PUT", "/any/thing", data=b"\x1f\x8bnot really", headers=headers)

    assert base64.b64decode(event["body"]) == b"\x1f\x8bnot really"


async def test_the_most_specific_route_wins(door: Door) -> None:
    assert (await door.event("GET", "/things/special"))["routeKey"] == "GET /things/special"
    assert (await door.event("GET", "/things/other"))["routeKey"] == "GET /things/{thing_id}"
    greedy = await door.event("PATCH", "/any/deep/er")
    assert greedy["routeKey"] == "ANY /any/{proxy+}"
    assert greedy["pathParameters"] == {"proxy": "deep/er"}


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/nothing"), ("GET", "/actions"), ("GET", "/things/"), ("GET", "/things/a/b"), ("OPTIONS", "/actions")],
)
async def test_without_a_route_the_answer_is_not_found(door: Door, method: str, path: str) -> None:
    async with door.client.request(method, door.gateway.url + path) as response:
        assert response.status == 404
        assert await response.json() == {"message": "Not Found"}
        assert response.headers["Apigw-Requestid"]


def test_route_priority_is_api_gateways() -> None:
    paths = ["GET /pets/dog/1", "GET /pets/dog/{id}", "GET /pets/{proxy+}", "ANY /{proxy+}", "ANY /pets/dog/1"]
    routes = [Route(*path.split(" ")) for path in paths] + [Route("ANY", "$default")]

    table = RouteTable((route, None) for route in reversed(routes))

    def key(method: str, path: str) -> str | None:
        match = table.match(method, path)
        return None if match is None else match.key

    assert key("GET", "/pets/dog/1") == "GET /pets/dog/1"
    assert key("POST", "/pets/dog/1") == "ANY /pets/dog/1"
    assert key("GET", "/pets/dog/2") == "GET /pets/dog/{id}"
    assert key("GET", "/pets/cat/1") == "GET /pets/{proxy+}"
    assert key("POST", "/test/5") == "ANY /{proxy+}"
    assert key("GET", "/") == "$default"


async def test_a_full_answer_is_taken_by_its_fields(door: Door) -> None:
    answer = {
        "statusCode": 201,
        "headers": {"X-Number": 5, "Content-Type": "text/plain", "Server-Timing": "db;dur=1.5", "Date": "yesterday"},
        "cookies": ["a=1; Path=/", "b=2"],
        "body": base64.b64encode(b"\x00\x01").decode(),
        "isBase64Encoded": True,
    }

    status, headers, body = await door.answer(answer)

    assert (status, body) == (201, b"\x00\x01")
    assert headers["X-Number"] == "5"
    assert headers["Content-Type"] == "text/plain"
    assert headers["Server-Timing"] == "db;dur=1.5"
    assert headers.getall("Set-Cookie") == ["a=1; Path=/", "b=2"]
    assert headers["Date"] != "yesterday"


@pytest.mark.parametrize(
    ("answer", "body"),
    [
        ({"text": "hello"}, b'{"text": "hello"}'),
        ("hello", b"hello"),
        ([1, 2], b"[1, 2]"),
        (None, b"null"),
    ],
)
async def test_an_answer_without_a_status_is_the_body_of_a_200(door: Door, answer: Any, body: bytes) -> None:
    status, headers, received = await door.answer(answer)

    assert (status, headers["Content-Type"], received) == (200, "application/json", body)


async def test_a_status_alone_is_an_empty_text(door: Door) -> None:
    status, headers, body = await door.answer({"statusCode": 202})

    assert (status, headers["Content-Type"], body) == (202, "text/plain; charset=utf-8", b"")


@pytest.mark.parametrize(
    "answer",
    [
        {"statusCode": "soon"},
        {"statusCode": 700},
        {"statusCode": 200, "body": {"not": "text"}},
        {"statusCode": 200, "body": "%", "isBase64Encoded": True},
        {"statusCode": 200, "headers": {"X": ["a"]}},
        {"statusCode": 200, "headers": {"X": "a\r\nInjected: b"}},
        {"statusCode": 200, "cookies": "a=1"},
        {"statusCode": 200, "cookies": ["a=1\nInjected: b"]},
    ],
)
async def test_an_answer_that_makes_no_sense_is_an_internal_error(door: Door, answer: Any) -> None:
    status, _, body = await door.answer(answer)

    assert (status, json.loads(body)) == (500, {"message": "Internal Server Error"})


@pytest.mark.parametrize("request_body", [{"action": "fail", "message": "secret"}, {"action": "exit", "status": 1}])
async def test_a_failing_function_is_an_internal_error_without_its_message(
    door: Door, request_body: dict[str, Any]
) -> None:
    async with door.client.post(f"{door.gateway.url}/actions", json=request_body) as response:
        assert response.status == 500
        assert await response.json() == {"message": "Internal Server Error"}


async def test_a_function_that_outlasts_the_integration_is_unavailable(door: Door) -> None:
    async with door.client.post(f"{door.gateway.url}/actions", json={"action": "sleep", "seconds": 3}) as response:
        assert response.status == 503
        assert await response.json() == {"message": "Service Unavailable"}


@pytest.mark.parametrize(
    ("sent", "arrived"), [("60000", range(1, 60000)), ("0.5", [1]), ("soon", ["soon"]), ("inf", ["inf"])]
)
async def test_a_deadline_goes_on_while_its_request_waits_for_an_instance(
    door: Door, sent: str, arrived: Sequence[int | str]
) -> None:
    # The first one waits until an instance has started.
    event = await door.event("GET", "/things/special", headers={"X-Deadline-Ms": sent})

    left = event["headers"]["x-deadline-ms"]
    assert (int(left) if left.isdigit() else left) in arrived


@pytest.mark.parametrize(
    ("header", "sent"),
    [
        ("Content-Length: 10000001", b""),
        ("Transfer-Encoding: chunked", b"%x\r\n%s\r\n" % (10_000_001, b"x" * 10_000_001)),
    ],
)
async def test_a_body_over_ten_megabytes_is_refused_before_its_end(door: Door, header: str, sent: bytes) -> None:
    host, port = door.gateway.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"PUT /any/thing HTTP/1.1\r\nHost: x\r\n{header}\r\n\r\n".encode() + sent)
    status = await reader.readline()
    writer.close()
    await writer.wait_closed()

    assert status.split()[1] == b"413"


async def test_an_event_that_lambda_does_not_take_is_refused(door: Door) -> None:
    async with door.client.put(f"{door.gateway.url}/any/thing", data=io.BytesIO(b"x" * 9_000_000)) as response:
        assert response.status == 413


async def test_a_client_that_asks_before_it_sends_is_told_to_go_on(door: Door) -> None:
    event = await door.event("PUT", "/any/thing", data=io.BytesIO(b"x" * 2_000_000), expect100=True)

    assert len(base64.b64decode(event["body"])) == 2_000_000


async def test_head_has_the_headers_of_the_answer_and_no_body(door: Door) -> None:
    async with door.client.head(f"{door.gateway.url}/any/thing") as response:
        assert response.status == 200
        assert int(response.headers["Content-Length"]) > 100
        assert await response.read() == b""


async def test_a_connection_serves_many_requests(door: Door) -> None:
    host, port = door.gateway.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    bodies = []
    for _ in range(3):
        writer.write(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line.split(":")[1]) for line in head.splitlines() if line.startswith("Content-Length"))
        bodies.append(await reader.readexactly(length))
    writer.close()
    await writer.wait_closed()

    assert [json.loads(body) for body in bodies] == [{"message": "Not Found"}] * 3


async def test_a_client_that_hangs_up_in_the_middle_does_no_harm(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    host, port = door.gateway.url.removeprefix("http://").split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"PUT /any/thing HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf")
    await writer.drain()
    # So that its body is being read when the connection ends.
    await door.event("GET", "/things/special")
    writer.close()
    await writer.wait_closed()

    event = await door.event("GET", "/things/special")

    assert event["routeKey"] == "GET /things/special"
    assert caplog.records == []


@pytest.mark.parametrize("body", [b"", b"x" * 500_000], ids=["no body", "a large body"])
async def test_a_client_that_closes_its_own_direction_gets_the_answer_and_the_end(door: Door, body: bytes) -> None:
    host, port = door.gateway.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"PUT /any/thing HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    writer.write_eof()
    async with asyncio.timeout(10):
        head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()

    assert head.startswith(b"HTTP/1.1 200 ")
    assert len(base64.b64decode(json.loads(answer)["event"].get("body", ""))) == len(body)


async def test_an_idle_connection_ends_when_its_client_closes_it(door: Door) -> None:
    host, port = door.gateway.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
    await reader.readuntil(b'{"message": "Not Found"}')
    writer.write_eof()
    async with asyncio.timeout(10):
        rest = await reader.read()
    writer.close()
    await writer.wait_closed()

    assert rest == b""


async def test_bytes_that_are_not_text_do_no_harm(door: Door) -> None:
    host, port = door.gateway.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"GET /things/%ff?q=%ff HTTP/1.1\r\nHost: x\r\nX-Raw: a\xffb\r\nConnection: close\r\n\r\n")
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()

    event = json.loads(body)["event"]
    assert head.startswith(b"HTTP/1.1 200 ")
    assert event["headers"]["x-raw"] == "a?b"
    assert event["pathParameters"] == {"thing_id": "\ufffd"}


async def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]

        with pytest.raises(PortTakenError, match=f"the front door needs port {port}"):
            await Gateway([], port=port).start()
