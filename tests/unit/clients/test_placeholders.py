"""Pictures and files stay in the client and come back in the answer."""

import json
import math
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remembrancer_client import AsyncClient, placeholders
from remembrancer_client.assembled import Assembled, read
from remembrancer_client.assembly import LARGEST_BODY
from remembrancer_client.placeholders import LIGHT, Placeholders

DATA = "iVBORw0KGgo" * 100_000
URL = f"data:image/png;base64,{DATA}"
LONG = {
    "$DATA": DATA,
    "$URL": URL,
    "$SVG": "data:image/svg+xml;utf8,<svg xmlns='a'>" + "<path d='M 0 0' /> " * 1000,
    "$TEXT": "Row, row, row your boat. " * 1000,
}
CASES = json.loads((Path(__file__).parents[2] / "data" / "placeholders.json").read_text(encoding="utf-8"))
LEFT_OUT = [case for case in CASES if not case["is_sent"]]


def with_long(value: Any) -> Any:
    """A case with what its `$NAMES` stand for."""
    if isinstance(value, str):
        for name, text in LONG.items():
            value = value.replace(name, text)
        return value
    if isinstance(value, list):
        return [with_long(item) for item in value]
    return {name: with_long(item) for name, item in value.items()} if isinstance(value, dict) else value


def body(messages: Any) -> dict[str, Any]:
    return {"messages": messages, "metadata": {"fallback_reason": "", "memory_ids": []}}


def whole(answer: Assembled) -> Any:
    return [dict(message) for message in answer.messages]


@pytest.mark.parametrize("case", LEFT_OUT, ids=lambda case: case["name"])
def test_a_picture_is_not_sent_and_comes_back(case: dict[str, Any]) -> None:
    picture, text = with_long(case["part"]), {"type": "text", "text": "My boat is blue."}
    messages: list[Any] = [{"role": "user", "content": [picture, text]}, {"role": "user", **picture}]

    left_out = Placeholders(messages)
    sent = json.loads(json.dumps(left_out.sent))
    part = {"type": "text", "text": "<memories-1>\n"}
    added = [{"role": "user", "content": [sent[0]["content"][0], part, text]}, sent[1]]
    plain, longer = (read(body(one), left_out.sent, request_id="") for one in (sent, added))

    assert len(json.dumps(sent)) < 1_000
    assert sent[0]["content"][0].get("type") == picture.get("type")
    assert left_out.restored(plain).messages is messages
    restored = left_out.restored(longer)
    assert whole(restored) == [{"role": "user", "content": [picture, part, text]}, messages[1]]
    assert restored.messages[1] is messages[1]


@pytest.mark.parametrize("case", [case for case in CASES if case["is_sent"]], ids=lambda case: case["name"])
def test_texts_are_sent_whole(case: dict[str, Any]) -> None:
    messages: list[Any] = [
        {"role": "user", "content": [with_long(case["part"])]},
        {"role": "user", "content": f"{URL} {DATA}"},
    ]

    assert Placeholders(messages).sent is messages


@pytest.mark.parametrize("text", ["![](%s) My boat is blue.", "%s", 'src="%s">Boat', "小舟%s。小舟", f"%s {DATA}"])
def test_data_in_a_text_is_left_out_where_the_request_would_be_too_large(text: str) -> None:
    messages = [{"role": "user", "content": text % URL}]

    left_out = Placeholders(messages, in_texts=True)
    injected = f"<memories-1>\n{left_out.sent[0]['content']}"

    assert len(injected) < 300
    assert whole(left_out.restored(Assembled([{"role": "user", "content": injected}]))) == [
        {"role": "user", "content": f"<memories-1>\n{text % URL}"}
    ]


@pytest.mark.parametrize("text", ["I keep bees. " * 1000, "x" * LIGHT, "私は蜂を飼っています。" * 1000, "a." * 1000])
def test_no_other_text_is_left_out(text: str) -> None:
    messages = [{"role": "user", "content": text}]

    assert Placeholders(messages, in_texts=True).sent is messages


@pytest.mark.parametrize("length", [LIGHT, LIGHT + 1])
def test_short_data_is_sent_as_it_is(length: int) -> None:
    messages = [{"role": "user", "content": [{"inlineData": {"data": "x" * length}}]}]

    assert (Placeholders(messages).sent is messages) == (length == LIGHT)


@pytest.mark.parametrize(
    "value",
    [b"\x89PNG", bytearray(b"x"), memoryview(b"x"), datetime(2026, 5, 4, tzinfo=UTC), UUID(int=1), {1}, float("nan")],
    ids=lambda value: type(value).__name__,
)
def test_what_json_cannot_hold_stays_here_too(value: Any) -> None:
    messages = [{"role": "user", "content": [{"image": {"source": {"bytes": value}}}, "My boat."], "at": value}]

    left_out = Placeholders(messages)
    sent = json.loads(json.dumps(left_out.sent))
    restored = left_out.restored(Assembled([{**sent[0], "content": [*sent[0]["content"], "<memories-1>"]}]))

    assert restored.messages[0]["content"][0]["image"]["source"]["bytes"] is value
    assert restored.messages[0]["at"] is value


def test_no_placeholder_stands_for_an_object_in_place_of_a_text() -> None:
    messages: list[Any] = [
        {"role": "user", "content": UUID(int=1)},
        {"role": "user", "content": [{"text": UUID(int=1)}]},
    ]

    assert Placeholders(messages).sent is messages


async def answered(messages: Any, status: int = 200, injected: str = "") -> tuple[Assembled, list[bytes]]:
    """The client's answer, and the bodies that it sent to a service that puts a text before the user's last one."""
    bodies: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        bodies.append(request.content)
        if status != 200:
            return httpx.Response(status, json={"error": {"code": "invalid_request", "message": "No."}})
        got = json.loads(request.content)["messages"]
        if injected:
            got[-1]["content"] = f"{injected}\n{got[-1]['content']}"
        return httpx.Response(200, json=body(got))

    transport = httpx.MockTransport(answer)
    async with AsyncClient("http://service", "k", agent_id="a", deadline_ms=60_000, transport=transport) as client:
        return await client.assemble(messages, model="m"), bodies


@pytest.mark.parametrize("status", [200, 400, 502])
async def test_a_photo_in_a_text_or_a_part_does_not_switch_memory_off(status: int) -> None:
    photo = {"type": "image_url", "image_url": {"url": URL}}
    messages = [{"role": "user", "content": [photo]}, {"role": "user", "content": f"![]({URL}) My boat."}]

    answer, bodies = await answered(messages, status)

    assert answer.reason == {200: "", 400: "invalid_request", 502: "http_502"}[status]
    assert answer.messages is messages
    assert "My boat." in bodies[0].decode()
    assert len(bodies[0]) < 1_000


async def test_a_text_that_fits_is_sent_whole() -> None:
    text = f"![](data:image/png;base64,{'A' * 100_000}) My boat."

    answer, bodies = await answered([{"role": "user", "content": text}], injected="<memories-1>\n")

    assert text in bodies[0].decode()
    assert answer.messages[0]["content"] == f"<memories-1>\n\n{text}"


async def test_a_text_that_is_no_data_may_be_too_large() -> None:
    messages = [{"role": "user", "content": "I keep bees. " * (LARGEST_BODY // 12)}]

    answer, bodies = await answered(messages)

    assert (answer.reason, answer.messages is messages, bodies) == ("too_large", True, [])


async def test_no_placeholder_is_left_where_a_text_was_added_to_what_is_none() -> None:
    messages = [{"role": "user", "content": b"My boat."}]

    answer, _ = await answered(messages, injected="<memories-1>\n")

    assert answer.reason == "client_error:TypeError"
    assert answer.messages is messages


@pytest.mark.parametrize("way", ["itself", "by a list", "deep"])
async def test_messages_without_an_end_take_no_time(way: str) -> None:
    message: dict[str, Any] = {"role": "user", "content": [{"type": "image", "data": DATA}]}
    if way == "itself":
        message |= {str(number): message for number in range(50)}
    elif way == "by a list":
        message["content"] += [message["content"]] * 50
    else:
        for _ in range(5_000):
            message["content"] = [message["content"]]
    messages = [message] * 50
    began = time.process_time()

    answer, bodies = await answered(messages)

    assert time.process_time() - began < 5
    assert answer.reason.startswith("client_error:")
    assert (answer.messages is messages, bodies) == (True, [])


@pytest.mark.parametrize("piece", ["data:", "data:,", "data:," * 166 + " ", "a" * 999 + " ", "data:;base64,"])
def test_a_text_that_imitates_data_takes_no_longer_than_another(piece: str) -> None:
    text = piece * (2_000_000 // len(piece))
    began = time.process_time()

    placeholders.text_without_data(text)

    assert time.process_time() - began < 2


LONG_VALUES = st.sampled_from([DATA[:2000], f"a {URL[:2000]} b", "b" * 1001, URL[:2000], b"\0"])
FIELDS = st.sampled_from(["type", "text", "content", "parts", "image_url", "url", "source", "data", "a"])
VALUES = st.recursive(
    st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from(["image"]), LONG_VALUES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(FIELDS, inner, max_size=4),
    ),
    max_leaves=8,
)
MESSAGES = st.lists(
    st.builds(
        lambda fields, content: {**fields, "role": "user", "content": content},
        st.just({"at": datetime(2026, 1, 1)}),
        VALUES,
    ),
    max_size=4,
)


def as_lists(value: Any) -> Any:
    """JSON has no tuples; two NaNs are not equal."""
    if isinstance(value, list | tuple):
        return [as_lists(item) for item in value]
    if isinstance(value, dict):
        return {name: as_lists(item) for name, item in value.items()}
    return "NaN" if isinstance(value, float) and math.isnan(value) else value


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(MESSAGES, st.booleans())
def test_whatever_is_sent_comes_back_as_it_was(messages: list[dict[str, Any]], in_texts: bool) -> None:
    left_out = Placeholders(messages, in_texts=in_texts)
    copies = json.loads(json.dumps(left_out.sent, allow_nan=False))
    restored = left_out.restored(Assembled(copies))

    assert as_lists(whole(restored)) == as_lists(messages)
    assert "remembrancer-" not in str(whole(restored))
    assert left_out.restored(Assembled(left_out.sent)).messages is messages
    assert read(body(copies), left_out.sent, request_id="").messages is left_out.sent
    assert not in_texts or DATA[:1001] not in json.dumps(left_out.sent)


@given(MESSAGES)
def test_what_is_stored_has_no_data_at_all(messages: list[dict[str, Any]]) -> None:
    stored = json.dumps(placeholders.without_data(messages), allow_nan=False)

    assert DATA[:1001] not in stored
