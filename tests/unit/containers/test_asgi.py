"""A request reaches the endpoints of a container as it reaches those of a function."""

import asyncio
import time
from dataclasses import replace
from typing import Any
from urllib.parse import quote, unquote, urlencode

from hypothesis import given
from hypothesis import strategies as st

from containers import asgi
from local import http_event
from remembrancer.runtime.http.events import to_request
from remembrancer.runtime.http.messages import BODY_BYTES

HEADERS = st.sampled_from(["Content-Type", "content-type", "X-Request-Id", "X-Deadline-Ms", "X-End-User-ID"])
VALUES = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=20)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)


class Context:
    aws_request_id = "id"

    def get_remaining_time_in_millis(self) -> float:
        return 15_000.0


@given(
    method=st.sampled_from(["GET", "POST", "PATCH"]),
    path=st.lists(WORDS, max_size=3),
    query=st.lists(st.tuples(WORDS, WORDS), max_size=4),
    headers=st.lists(st.tuples(HEADERS, VALUES), max_size=5),
    body=st.binary(max_size=50),
)
def test_the_same_request_as_from_api_gateway(
    method: str, path: list[str], query: list[tuple[str, str]], headers: list[tuple[str, str]], body: bytes
) -> None:
    raw_path = "/" + "/".join(quote(word, safe="") for word in path)
    sent = http_event.Request(method, raw_path, urlencode(query), "HTTP/1.1", "10.1.2.3", headers, body)
    event = http_event.build(sent, route_key="$default", path_parameters={}, request_id="id")
    scope: dict[str, Any] = {
        "method": method,
        "path": unquote(raw_path),
        "query_string": urlencode(query).encode(),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("10.1.2.3", 1234),
    }

    here = asgi.request_of(scope, body, received=time.perf_counter(), seconds=15)
    there = to_request(event, Context())

    named = "x-request-id" in here.headers and bool(here.headers["x-request-id"])
    same: dict[str, Any] = {"received": 0.0, "remaining_ms": 0.0} | ({} if named else {"request_id": ""})
    assert replace(here, **same) == replace(there, **same)


def test_of_a_body_that_is_too_large_only_as_much_is_kept_as_its_refusal_needs() -> None:
    parts = [b"x" * (BODY_BYTES // 2)] * 5
    messages = [{"body": part, "more_body": number < 4} for number, part in enumerate(parts)]

    async def receive() -> Any:
        return messages.pop(0)

    assert len(asyncio.run(asgi.body_of(receive))) == BODY_BYTES + 1
    assert messages == []
