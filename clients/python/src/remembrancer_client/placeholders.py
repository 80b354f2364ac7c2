"""Leaves pictures, files and sounds out of what is sent to the service, which never reads them, and puts them back.

A photo has more bytes than a request may have, and a chat sends it again with every turn. What stands for it keeps the
kind of its part, so the service counts its tokens as before. The service searches with texts, so they are sent whole
unless the request would be too large.
"""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from remembrancer_client.assembled import Assembled, Message

LIGHT = 1_000
"""Characters of data that are sent as they are."""
_FILE_TYPES_TEXT = """
image image_url image_file input_image file file_url input_file document document_url audio audio_url input_audio video
video_url input_video media container_upload computer_screenshot image_generation_call redacted_thinking base64
"""
_FILE_TYPES = frozenset(_FILE_TYPES_TEXT.split())
"""Types of parts and of what is in them that hold a file, or what only a provider can read."""
_FILE_FIELDS_TEXT = """
image_url input_image images image_bytes imageBytes inline_data inlineData audio input_audio audio_url video_url
document_url input_file file_data fileData file_url blob bytes base64 b64_json encrypted_content signature
thought_signature thoughtSignature
"""
_FILE_FIELDS = frozenset(_FILE_FIELDS_TEXT.split())
"""Fields that hold such data in a part or message of any type."""
_TEXT_FIELDS = frozenset({"content", "parts", "text"})
"""Where people's texts stand: a data URL there is a part of a text."""
_DATA_URL = re.compile(r"data:[^,\s]{0,200},")
_URL_CHARACTERS = r"!#-&*-;=?-~"
"""Visible ASCII without quotes and brackets, which end a URL in a text."""
_IN_TEXT = re.compile(rf"(?<![{_URL_CHARACTERS}])[{_URL_CHARACTERS}]{{{LIGHT},}}")
_ENCODED = re.compile(r"[A-Za-z0-9+/_=-]+")
_NO_TEXTS = (bytes, bytearray, memoryview, float)
"""What is left out where a text stands too; the service would take what stands for any other object for the text."""

Keep = Callable[[Any], Any]
"""Takes what is left out; returns what stands for it."""


class Placeholders:
    """The placeholders of one request, which no text of the chat can contain by chance; `sent` are the messages with
    them: the given list itself where nothing is left out. Data in texts is left out with `in_texts` only.
    """

    def __init__(self, messages: Sequence[Message], *, in_texts: bool = False) -> None:
        self._messages = messages
        self._name = f"remembrancer-{uuid.uuid4().hex}-"
        self._kept: list[Any] = []
        lighter = _Walk(self._keep, self._keep if in_texts else None).lighter(messages)
        is_same = all(after is before for after, before in zip(lighter, messages, strict=True))
        self.sent: Sequence[Message] = messages if is_same else lighter

    def restored(self, answer: Assembled) -> Assembled:
        """The answer about `sent` as one about the given messages: the same objects, and in others all that was left
        out. TypeError where the service added text to what is no text.
        """
        if self.sent is self._messages:
            return answer
        if answer.messages is self.sent:
            return replace(answer, messages=self._messages)
        own = {id(sent): message for sent, message in zip(self.sent, self._messages, strict=True)}
        messages = [own[id(one)] if id(one) in own else self._whole(one) for one in answer.messages]
        return replace(answer, messages=messages)

    def _keep(self, value: Any) -> str:
        self._kept.append(value)
        return f"{self._name}{len(self._kept) - 1}."

    def _whole(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._whole_text(value) if self._name in value else value
        if isinstance(value, list):
            return [self._whole(item) for item in value]
        if isinstance(value, Mapping):
            return {name: self._whole(item) for name, item in value.items()}
        return value

    def _whole_text(self, text: str) -> Any:
        named = re.compile(rf"{self._name}(\d+)\.")
        alone = named.fullmatch(text)
        return self._kept[int(alone[1])] if alone else named.sub(lambda found: self._kept[int(found[1])], text)


def without_data(messages: Sequence[Message]) -> list[Message]:
    """The messages without pictures, files and sounds, in their texts too; their parts stay, of the same type."""
    return _Walk(lambda value: "", lambda value: "").lighter(messages)


def text_without_data(text: str) -> str:
    """The text without long data URLs and other encoded data."""
    return _in_text(text, lambda value: "")


class _Walk:
    """One pass over messages; each value is looked at once, so that one that contains itself has an end too."""

    def __init__(self, keep: Keep, keep_in_texts: Keep | None) -> None:
        self._keep = keep
        self._keep_in_texts = keep_in_texts
        self._seen: dict[tuple[int, bool, bool], Any] = {}

    def lighter(self, messages: Sequence[Message]) -> list[Any]:
        """The messages without what is left out; the same objects where nothing is."""
        return [self._value(message, is_file=False, is_text=False, depth=0) for message in messages]

    def _value(self, value: Any, *, is_file: bool, is_text: bool, depth: int) -> Any:
        if isinstance(value, str):
            return self._text(value, is_file=is_file, is_text=is_text)
        if not isinstance(value, Mapping | list | tuple):
            is_sent = depth == 0 or _is_json(value) or (is_text and not isinstance(value, _NO_TEXTS))
            return value if is_sent else self._keep(value)
        seen = (id(value), is_file, is_text)
        if depth > _DEEPEST or seen in self._seen:
            return self._seen.get(seen, value)
        self._seen[seen] = value
        if isinstance(value, Mapping):
            self._seen[seen] = self._mapping(value, is_file=is_file, depth=depth)
        else:
            items = [self._value(item, is_file=is_file, is_text=is_text, depth=depth + 1) for item in value]
            # JSON has no tuples: the answer would not be equal to one.
            is_same = isinstance(value, list) and all(map(_is, items, value))
            self._seen[seen] = value if is_same else items
        return self._seen[seen]

    def _mapping(self, value: Mapping[Any, Any], *, is_file: bool, depth: int) -> Mapping[Any, Any]:
        kind = value.get("type")
        holds_file = is_file or (isinstance(kind, str) and kind in _FILE_TYPES)
        fields = {
            name: self._value(
                item,
                is_file=(holds_file or name in _FILE_FIELDS) and name != "text",
                is_text=name in _TEXT_FIELDS,
                depth=depth + 1,
            )
            for name, item in value.items()
        }
        is_same = isinstance(value, dict) and all(map(_is, fields.values(), value.values()))
        return value if is_same else fields

    def _text(self, text: str, *, is_file: bool, is_text: bool) -> str:
        if len(text) <= LIGHT:
            return text
        if is_file or (not is_text and _DATA_URL.match(text)):
            return str(self._keep(text))
        return text if self._keep_in_texts is None else _in_text(text, self._keep_in_texts)


def _in_text(text: str, keep: Keep) -> str:
    def shorter(run: re.Match[str]) -> str:
        url = _DATA_URL.search(run[0])
        if url is not None and len(run[0]) - url.start() > LIGHT:
            return run[0][: url.start()] + str(keep(run[0][url.start() :]))
        return str(keep(run[0])) if len(run[0]) > LIGHT and _ENCODED.fullmatch(run[0]) else run[0]

    return _IN_TEXT.sub(shorter, text) if len(text) > LIGHT else text


def _is_json(value: Any) -> bool:
    return value is None or isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


def _is(after: Any, before: Any) -> bool:
    return after is before


_DEEPEST = 64
"""The service refuses more than 32 levels."""
