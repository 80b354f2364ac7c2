"""What a file of another product holds: facts, conversations, and what cannot be taken."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from remembrancer.domain.capture import long_texts
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer.domain.requests.field_types import moment_of

_SAME_BEGINNING = 4
"""Messages by which a conversation without an id is known again when it has become longer."""
_MILLISECONDS_FROM = 1e11
_REFERENCE_CHARACTERS = 200
_ENDS = long_texts.MESSAGE_CHARACTERS * 3 // 4
"""Characters at each end of a long message: together more than are stored, so that the service counts the cut."""


@dataclass(frozen=True, slots=True)
class Element:
    """One value of a file: an item of its array, or a value that stands alone.

    Items of one array have one `array`; a value that stands alone has 0.
    """

    place: str
    value: Any
    array: int = 0


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory without its agent and owner. `user` is whom the file names, `namespace` what may contain a user."""

    place: str
    fields: Mapping[str, Any]
    user: str | None = None
    namespace: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages as capture takes them. `observed_at` is when those without a time were said, in UTC."""

    place: str
    session_id: str
    messages: Sequence[Mapping[str, Any]]
    observed_at: str | None = None
    user: str | None = None
    namespace: Sequence[str] = ()

    @property
    def age(self) -> tuple[bool, str]:
        """Sorts conversations by when they began; those without any time are said now, and come last."""
        began = next((one["timestamp"] for one in self.messages if "timestamp" in one), self.observed_at)
        return began is None, began or ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """So many things that are not taken, and why; `is_refused` if the file is wrong there."""

    place: str
    reason: str
    count: int = 1
    is_refused: bool = False


Record = Fact | Conversation | LeftOut


class WrongFieldError(Exception):
    """A field is not what the product writes; the message names it."""


@dataclass(frozen=True, slots=True)
class Product:
    """One form. `recognises` is whether a value is of this form and no other; `accepts` whether `records` reads it.

    `files` is the pattern of the names of files that are read of a folder or an archive.
    """

    name: str
    expected: str
    recognises: Callable[[Any], bool]
    records: Callable[[Iterable[Element]], Iterator[Record]]
    files: str = r"\.jsonl?"
    accepts: Callable[[Any], bool] = field(default=lambda _: False)


def each(elements: Iterable[Element], read: Callable[[Element], Iterable[Record]]) -> Iterator[Record]:
    """The records of each element; what `read` refuses is left out with its reason."""
    for element in elements:
        try:
            yield from list(read(element))
        except WrongFieldError as error:
            yield LeftOut(element.place, str(error), is_refused=True)
        except RecursionError:
            yield LeftOut(element.place, "is nested too deeply", is_refused=True)


def unwrapped(elements: Iterable[Element], *names: str) -> Iterator[Element]:
    """The items of the lists that stand in an object under these names; other elements as they are."""
    for element in elements:
        value = element.value
        lists = [name for name in names if isinstance(value, Mapping) and isinstance(value.get(name), list)]
        if not lists:
            yield element
        for name in lists:
            for number, item in enumerate(value[name]):
                yield Element(f"{element.place}, {name}[{number}]", item, element.array)


def holds(value: Any, is_item: Callable[[Any], bool], *names: str) -> bool:
    """Whether it is such an item, or an object with a list of them under one of the names."""
    lists = (value.get(name) for name in names) if isinstance(value, Mapping) else ()
    return is_item(value) or any(isinstance(one, list) and one and is_item(one[0]) for one in lists)


def mapping(value: Any, name: str) -> Mapping[str, Any]:
    """An object; empty for null. Raises WrongFieldError."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise WrongFieldError(f"{name} must be an object")
    return value


def text(item: Mapping[str, Any], name: str) -> str:
    """A text that shows something. Raises WrongFieldError."""
    value = item.get(name)
    if not isinstance(value, str) or is_blank(value):
        raise WrongFieldError(f"{name} must be a text that is not blank")
    return value


def optional_text(item: Mapping[str, Any], name: str) -> str | None:
    """A name or id, or None where it is absent. A blank one never counts as absent. Raises WrongFieldError."""
    value = None if item.get(name) is None else text(item, name)
    if value and _readable(value) != value:
        raise WrongFieldError(f"{name} has characters that cannot be stored")
    return value


def time(item: Mapping[str, Any], name: str) -> str | None:
    """ISO 8601 in UTC, of that or of seconds or milliseconds since 1970. Raises WrongFieldError."""
    value = item.get(name)
    if value is None:
        return None
    try:
        if isinstance(value, str):
            return moment_of(value.strip()).isoformat()
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            return datetime.fromtimestamp(value / 1000 if value >= _MILLISECONDS_FROM else value, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        pass
    raise WrongFieldError(f"{name} must be a time")


def said(content: Any) -> str:
    """The text of a message's content: a text, or the parts of a list that are text."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, Mapping) else part for part in parts)
    return "\n\n".join(one for one in texts if isinstance(one, str) and not is_blank(one))


def in_words(item: Mapping[str, Any]) -> str:
    """The fields of a flat object as a sentence: `full name: Jo Doe; skills: Python, AWS`. Others are left out."""
    return "; ".join(f"{name.replace('_', ' ')}: {words}" for name, value in item.items() if (words := _words(value)))


def _words(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_words, value)))
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def reference(product: str, *parts: str) -> str:
    """A `client_ref` or `session_id` that depends on the product's own id."""
    plain = "/".join(parts)
    is_plain = _readable(plain) == plain and plain.count("/") == len(parts) - 1 and not is_blank(plain)
    if is_plain and len(plain) <= _REFERENCE_CHARACTERS:
        return f"{product}:{plain}"
    return f"{product}:{_digest(list(parts))}"


def message(role: str, content: str, said_at: str | None = None, name: str | None = None) -> dict[str, Any]:
    """A message as capture takes it. A text that is too long for a request lacks what the service would drop."""
    if len(content) > 2 * _ENDS:
        content = content[:_ENDS] + content[-_ENDS:]
    known = {"timestamp": said_at, "name": name and _readable(name)}
    return {"role": role, "content": _readable(content), **{field: value for field, value in known.items() if value}}


def _readable(text: str) -> str:
    """Without what the service refuses: halves of a character, as exports have them at cuts, and NUL."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def conversation(
    place: str,
    product: str,
    session: str | None,
    messages: Iterable[Mapping[str, Any] | str],
    *,
    observed_at: str | None = None,
    user: str | None = None,
) -> Iterator[Record]:
    """The conversation, and what is left out of it: a text among the messages is the reason.

    Without a session the beginning of the conversation is its id.
    """
    reasons: Counter[str] = Counter()
    spoken = []
    for one in messages:
        if isinstance(one, str):
            reasons[one] += 1
        elif is_blank(one["content"]):
            reasons["messages without text"] += 1
        else:
            spoken.append(one)
    for reason, count in reasons.items():
        yield LeftOut(place, reason, count)
    if spoken:
        if session is None or is_blank(session):
            session = _digest([[one["role"], one["content"]] for one in spoken[:_SAME_BEGINNING]])
        yield Conversation(place, reference(product, session), spoken, observed_at, user)
    elif not reasons:
        yield LeftOut(place, "conversations without messages")


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:40]
