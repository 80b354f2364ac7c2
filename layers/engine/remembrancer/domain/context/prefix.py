"""How much of a session's last prompt begins the next one, and what broke it: providers' caches keep this part.

Prompts are compared by keyed hashes of their messages as they were returned, so the record has no text: of the client's
own text and of what was added. Marks of `cache_control`, which clients move from turn to turn, are no part of what a
provider compares.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from remembrancer.domain.context.placement import MARK, Message

BREAKS = ("model", "tools", "history", "directive", "pinned", "placement", "memory", "bound", "earlier_missing")
"""What may break a prefix; docs/assembly.md says what each means."""
PARTS = ("model", "tools", "directive", "pinned")
"""What has a hash of its own, in the order of a record."""
MOST_RECORDED = 200
"""Most messages of a prompt with hashes of their own: the last ones. Those before have one together."""
DIGEST_BYTES = 8
_NOTHING = bytes(DIGEST_BYTES)


class Hashed(NamedTuple):
    """One message of a prompt: hashes of the client's own and of the whole as returned, and its tokens."""

    own: bytes
    whole: bytes
    tokens: int


class Added(NamedTuple):
    """What assembly added to one message, and its tokens."""

    text: str
    tokens: int


NO_MESSAGE = Hashed(_NOTHING, _NOTHING, 0)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt by its hashes. `messages` begin with the system message that assembly adds before the client's own,
    empty where it added none. The first `older_count` of a recorded prompt have one hash together, `older`.

    `parts` are hashes in the order of PARTS. `standing` is the position of the client's message where the directive
    stands or would stand: -1 for an added one.
    """

    parts: tuple[bytes, ...]
    tool_tokens: int
    placement: str
    standing: int
    messages: Sequence[Hashed]
    older_count: int = 0
    older: Hashed = NO_MESSAGE

    @property
    def tokens(self) -> int:
        """How many tokens the tools and all messages have together."""
        return self.tool_tokens + self.older.tokens + sum(message.tokens for message in self.messages)

    def recorded(self) -> "Prompt":
        """The same with at most MOST_RECORDED hashes of messages."""
        count = max(0, len(self.messages) - MOST_RECORDED)
        if not count:
            return self
        older = _together(self.messages[:count])
        return Prompt(self.parts, self.tool_tokens, self.placement, self.standing, self.messages[count:], count, older)


@dataclass(frozen=True, slots=True)
class Prefix:
    """The tokens of the last prompt that begin this one, `of` all that it had; `broken_by` is empty where this one
    begins with the whole of it.
    """

    tokens: int
    of: int
    broken_by: str = ""

    def as_json(self) -> dict[str, Any]:
        """The prefix under its wire names."""
        return {"tokens": self.tokens, "of": self.of, "broken_by": self.broken_by or None}


def hashed(messages: Sequence[Message], tokens: Sequence[int], added: Mapping[int, Added], key: bytes) -> list[Hashed]:
    """The messages of a prompt; `tokens` are those of the client's own, `added` is what stands in them besides, by
    position: -1 for an added system message.
    """
    nothing = Added("", 0)
    text, count = added.get(-1, nothing)
    found = [Hashed(_NOTHING, digest(text, key), count)]
    for position, message in enumerate(messages):
        text, count = added.get(position, nothing)
        own = whole = digest(_form(message if text else _shortest(message)), key)
        if text:
            whole = digest(text, key + own)
        found.append(Hashed(own, whole, tokens[position] + count))
    return found


def digest(text: str, key: bytes) -> bytes:
    """A hash that is useless to a reader of the cache without the key; of an empty text, zeros."""
    return hashlib.sha256(key + text.encode("utf-8", "surrogatepass")).digest()[:DIGEST_BYTES] if text else _NOTHING


def compared(last: Prompt, now: Prompt, blocks: Mapping[int, str]) -> Prefix:
    """How the recorded prompt `last` begins the prompt `now`; `blocks` says, by the positions of the client's messages,
    why a block is not what it was.
    """
    of = last.tokens
    for name in ("model", "tools"):
        if _part(last, name) != _part(now, name):
            return Prefix(0, of, name)
    tokens, count = last.tool_tokens, last.older_count
    if count:
        older = _together(now.messages[:count])
        if len(now.messages) < count or older[:2] != last.older[:2]:
            return Prefix(tokens, of, _cause(last, now, range(-1, count - 1), last.older, older, blocks))
        tokens += last.older.tokens
    for place, before in enumerate(last.messages, count):
        after = now.messages[place] if place < len(now.messages) else NO_MESSAGE
        if after[:2] != before[:2]:
            return Prefix(tokens, of, _cause(last, now, range(place - 1, place), before, after, blocks))
        tokens += before.tokens
    return Prefix(tokens, of)


def _cause(last: Prompt, now: Prompt, places: range, before: Hashed, after: Hashed, blocks: Mapping[int, str]) -> str:
    """Why messages at these positions are not what they were."""
    if before.own != after.own:
        return "history"
    stands_here = last.standing in places or now.standing in places
    for name in ("directive", "pinned") if stands_here else ():
        text = _part(now, name)
        if _part(last, name) != text or (last.standing != now.standing and text != _NOTHING):
            return name
    if last.placement != now.placement or (last.placement == "system" and stands_here):
        return "placement"
    return next((blocks[place] for place in places if place in blocks), "earlier_missing")


def _part(prompt: Prompt, name: str) -> bytes:
    return prompt.parts[PARTS.index(name)]


def _together(messages: Sequence[Hashed]) -> Hashed:
    own, whole = (
        hashlib.sha256(b"".join(part)).digest()[:DIGEST_BYTES]
        for part in ([one.own for one in messages], [one.whole for one in messages])
    )
    return Hashed(own, whole, sum(one.tokens for one in messages))


def _form(message: Message) -> str:
    """The message without its marks, as one text."""
    content = message.get("content")
    if len(message) == 2 and isinstance(content, str):
        return f"{message.get('role')}\0{content}"
    plain = _unmarked(message)
    if len(plain) == 2 and isinstance(content, str):
        return _form(plain)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True)


def _shortest(message: Message) -> Message:
    """The message with its text as a string: clients make it a part when they mark it. Where a block stands before it,
    the two are different prompts.
    """
    content = message.get("content")
    if not (isinstance(content, list) and len(content) == 1 and isinstance(content[0], Mapping)):
        return message
    part = content[0]
    if part.get("type") != "text" or not isinstance(part.get("text"), str) or not part.keys() <= {"type", "text", MARK}:
        return message
    return {**message, "content": part["text"]}


def _unmarked(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _unmarked(one) for name, one in value.items() if name != MARK}
    return [_unmarked(one) for one in value] if isinstance(value, list) else value
