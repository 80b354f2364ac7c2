"""Pictures and files stay in the client and come back in the answer."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer_client.assembled import Assembled, read
from remembrancer_client.placeholders import LIGHT, Placeholders

DATA = "iVBORw0KGgo" * 100_000
URL = f"data:image/png;base64,{DATA}"
PARTS: dict[str, Any] = {
    "OpenAI": {"type": "image_url", "image_url": {"url": URL, "detail": "low"}},
    "Responses": {"type": "input_image", "image_url": URL},
    "Anthropic": {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}},
    "document": {
        "type": "document",
        "source": {"type": "base64", "data": DATA},
        "cache_control": {"type": "ephemeral"},
    },
    "audio": {"type": "input_audio", "input_audio": {"data": DATA, "format": "wav"}},
    "file": {"type": "file", "file": {"file_data": URL, "filename": "a.pdf"}},
    "Gemini": {"inlineData": {"mimeType": "image/png", "data": DATA}},
    "tool": {"type": "tool_result", "content": [{"type": "image", "source": {"type": "base64", "data": DATA}}]},
    "text": {"type": "text", "text": f"Look: ![]({URL}) My boat is blue."},
}


def body(messages: Any) -> dict[str, Any]:
    return {"messages": messages, "metadata": {"fallback_reason": "", "memory_ids": []}}


def whole(answer: Assembled) -> Any:
    return [dict(message) for message in answer.messages]


@pytest.mark.parametrize("kind", PARTS)
def test_a_picture_is_not_sent_and_comes_back(kind: str) -> None:
    messages = [{"role": "user", "content": [PARTS[kind], {"type": "text", "text": "My boat is blue."}]}]

    placeholders = Placeholders(messages)
    sent = json.loads(json.dumps(placeholders.sent))
    part = {"type": "text", "text": "<memories-1>\n"}
    added = [{"role": "user", "content": [*sent[0]["content"][:1], part, *sent[0]["content"][1:]]}]
    plain, longer = (read(body(one), placeholders.sent, request_id="") for one in (sent, added))

    assert len(json.dumps(sent)) < 1_000
    assert sent[0]["content"][0].get("type") == PARTS[kind].get("type")
    assert placeholders.restored(plain).messages is messages
    assert whole(placeholders.restored(longer)) == [
        {"role": "user", "content": [PARTS[kind], part, messages[0]["content"][1]]}
    ]


def test_ordinary_messages_are_sent_as_they_are() -> None:
    messages = [{"role": "user", "content": "I keep bees. " * 1000}, {"role": "user", "content": "x" * LIGHT}]

    assert Placeholders(messages).sent is messages


VALUES = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=5), st.sampled_from([DATA[:2000], f"a {URL} b", "b" * 1001])),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=8,
)


@given(st.lists(st.fixed_dictionaries({"role": st.just("user"), "content": VALUES}), max_size=4))
def test_whatever_is_sent_comes_back_as_it_was(messages: list[dict[str, Any]]) -> None:
    placeholders = Placeholders(messages)
    copies = json.loads(json.dumps(placeholders.sent))

    assert whole(placeholders.restored(Assembled(copies))) == messages
    assert placeholders.restored(Assembled(placeholders.sent)).messages is messages
    assert DATA[:2000] not in json.dumps(placeholders.sent)
