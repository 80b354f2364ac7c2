"""Leaves pictures, files and sounds out of what is sent to the service, which never reads them, and puts them back.

A photo has more bytes than a request may have, and a chat sends it again with every turn. What stands for it keeps the
kind of its part, so the service counts its tokens as before.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from remembrancer_client.assembled import Assembled, Message

LIGHT = 1_000
"""Characters of encoded data that are sent as they are."""
_DATA_URL = re.compile(rf"data:[^,;\s]{{1,100}}(?:;[^,;\s]{{1,100}}){{0,4}};base64,[A-Za-z0-9+/=_-]{{{LIGHT},}}")
_ENCODED = re.compile(r"[A-Za-z0-9+/_=-]+")


class Placeholders:
    """The placeholders of one request, which no text of the chat can contain by chance; `sent` are the messages with
    them: the given list itself where nothing is left out.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages
        self._name = f"remembrancer-{uuid.uuid4().hex}-"
        self._kept: list[str] = []
        lighter = [_mapped(message, self._shorter) for message in messages]
        self.sent: Sequence[Message] = lighter if self._kept else messages

    def restored(self, answer: Assembled) -> Assembled:
        """The answer about `sent` as one about the given messages: the same objects, and in others all that was left
        out.
        """
        if not self._kept:
            return answer
        if answer.messages is self.sent:
            return replace(answer, messages=self._messages)
        own = {id(sent): message for sent, message in zip(self.sent, self._messages, strict=True)}
        messages = [own[id(one)] if id(one) in own else _mapped(one, self._whole) for one in answer.messages]
        return replace(answer, messages=messages)

    def _shorter(self, text: str) -> str:
        if len(text) <= LIGHT:
            return text
        if _ENCODED.fullmatch(text):
            return self._keep(text)
        return _DATA_URL.sub(lambda found: self._keep(found[0]), text) if ";base64," in text else text

    def _keep(self, text: str) -> str:
        self._kept.append(text)
        return f"{self._name}{len(self._kept) - 1}."

    def _whole(self, text: str) -> str:
        if self._name not in text:
            return text
        return re.sub(self._name + r"(\d+)\.", lambda found: self._kept[int(found[1])], text)


def _mapped(value: Any, change: Callable[[str], str], depth: int = 0) -> Any:
    """The value with its changed strings; the same object where none has changed."""
    if isinstance(value, str):
        return change(value)
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        items = [_mapped(item, change, depth + 1) for item in value]
        return value if all(after is before for after, before in zip(items, value, strict=True)) else items
    if isinstance(value, Mapping):
        fields = {name: _mapped(item, change, depth + 1) for name, item in value.items()}
        return value if all(fields[name] is value[name] for name in fields) else fields
    return value


_DEEPEST = 10
"""Pictures and files stand at most seven levels deep; a message that contains itself has no end."""
