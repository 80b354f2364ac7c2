"""Whether two memories may contradict each other, by documented rules (docs/time-and-conflicts.md).

Two statements conflict when they have the same subject and verb, and differ in a single value, day, place or negation.
Everything else is no conflict: a missed one costs less than a false one, which marks a right memory as doubtful.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import takewhile

from remembrancer.domain.memories.memory import Memory
from remembrancer.domain.memories.statements import Statement, Token, statements, stem, stems

DIFFERENCES = ("value", "day", "place", "negation")
LEAST_SIMILARITY = 0.45
"""Cosine below which two memories are not about one thing, whatever their words."""
LONGEST_VALUE = 4
"""Most words of a value, without articles."""
LONGEST_STATEMENT = 40
"""Most words after the verb of statements that are compared word by word: the time grows with the cube of their number.
"""


def difference(older: Memory, newer: Memory, *, similarity: float) -> str | None:
    """What the two differ in, one of DIFFERENCES; None when they may both be true.

    Two that were true at different times do not conflict.
    """
    if similarity < LEAST_SIMILARITY or not _overlap(older, newer):
        return None
    return texts_differ(older.content, newer.content)


def texts_differ(older: str, newer: str) -> str | None:
    """The same for the texts alone, as far as they begin with statements about a lasting state."""
    return statements_differ(statements(older), statements(newer))


def statements_differ(older: Sequence[Statement], newer: Sequence[Statement]) -> str | None:
    """The same for what has been read of the texts."""
    found = (_statements_differ(before, after) for before in older for after in newer)
    return next((difference for difference in found if difference is not None), None)


def _overlap(older: Memory, newer: Memory) -> bool:
    def ends_before(first: Memory, second: Memory) -> bool:
        return None not in (first.ends_at, second.occurred_from) and first.ends_at <= second.occurred_from  # type: ignore[operator]

    return not (ends_before(older, newer) or ends_before(newer, older))


def _statements_differ(older: Statement, newer: Statement) -> str | None:
    if older.speaker != newer.speaker or older.subject != newer.subject or older.verb != newer.verb:
        return None
    if older.is_added or newer.is_added:
        return None
    if older.verb in _LIVING and not (older.is_negative or newer.is_negative) and (moved := _moved(older, newer)):
        return moved
    replaced, is_same = _compared(older.said, newer.said)
    if older.is_negative != newer.is_negative:
        return "negation" if is_same and (older.said or older.verb not in _EMPTY_VERBS) else None
    if older.is_negative or not replaced:
        return None
    return _values_differ(older, newer, replaced)


Block = tuple[Sequence[Token], Sequence[Token], Sequence[Token], Sequence[Token]]
"""The words of the older and of the newer statement, and what is the same before and after them."""


def _compared(older: Sequence[Token], newer: Sequence[Token]) -> tuple[list[Block], bool]:
    """The replaced parts, none when something was added or left out; and whether nothing was changed at all."""
    old_texts, new_texts = [token.text for token in older], [token.text for token in newer]
    if max(len(old_texts), len(new_texts)) > LONGEST_STATEMENT:
        return [], old_texts == new_texts
    matcher = SequenceMatcher(None, old_texts, new_texts, autojunk=False)
    steps = matcher.get_opcodes()
    if any(kind in {"insert", "delete"} for kind, *_ in steps):
        return [], False
    replaced = [
        (older[start:end], newer[first:last], older[:start], older[end:])
        for kind, start, end, first, last in steps
        if kind == "replace"
    ]
    return replaced, not replaced


def _values_differ(older: Statement, newer: Statement, replaced: Sequence[Block]) -> str | None:
    kinds = {_kind(old, new) for old, new, *_ in replaced}
    if kinds <= {"weekday", "date", "time", "duration", "number"}:
        return _typed(older, newer, kinds)
    is_single = len(replaced) == 1 and kinds == {"words"}
    return _words_differ(older, newer, replaced[0]) if is_single else None


def _words_differ(older: Statement, newer: Statement, replaced: Block) -> str | None:
    old, new, before, after = replaced
    if max(len(old), len(new)) > LONGEST_VALUE or _shares(old, newer) or _shares(new, older):
        return None
    is_place = _place_word(old, before) and _place_word(new, before)
    if older.verb == "be":
        return _of_be(older, newer, before, is_place=is_place)
    if _has_preposition(old) or _has_preposition(new):
        return None
    if is_place and (older.verb in _PLACED or (before and before[0].text == "plac")):
        return "place"
    is_single = older.verb in _SINGLE or newer.is_changed or (bool(after) and after[0].text == "as")
    return "value" if is_single else None


def _typed(older: Statement, newer: Statement, kinds: set[str]) -> str | None:
    """Values that can be compared as such. Of several events, each has its day and time."""
    is_about_time = bool(kinds & {"weekday", "date", "time"})
    if is_about_time and older.verb in _MANY and not newer.is_changed:
        return None
    return "day" if kinds & {"weekday", "date"} else "value"


def _of_be(older: Statement, newer: Statement, before: Sequence[Token], *, is_place: bool) -> str | None:
    """`The key is under the mat`, `my manager is Ann`: not what something is like, which may be many things."""
    if is_place and (older.has_article or before):
        return "place" if not before or before[0].text not in _MADE else "value"
    if before:
        return None
    is_attribute = bool(_ATTRIBUTES.intersection(older.subject)) or (older.names_it and newer.names_it)
    return "value" if is_attribute else None


def _kind(old: Sequence[Token], new: Sequence[Token]) -> str:
    """The kind that all tokens of both share; `words` for words and names, else `mixed`."""
    kinds = {token.kind for token in (*old, *new)}
    if kinds <= {"word", "name"}:
        return "words"
    return kinds.pop() if len(kinds) == 1 else "mixed"


def _shares(words: Sequence[Token], statement: Statement) -> bool:
    """Whether the other statement says some of it as well: a part of the value, or a list that has both."""
    return any(token.text in statement.everything for token in words if token.text not in _PREPOSITIONS)


def _place_word(words: Sequence[Token], before: Sequence[Token]) -> bool:
    return words[0].text in _PLACES or (bool(before) and before[-1].text in _PLACES)


def _has_preposition(words: Sequence[Token]) -> bool:
    return any(token.text in _PREPOSITIONS for token in words)


def _moved(older: Statement, newer: Statement) -> str | None:
    """Where somebody lives or works, whatever else is said of it: `lives in Berlin with Ann`, `moved to Munich`."""
    before, after = _where(older), _where(newer)
    if not before or not after or before & newer.everything or after & older.everything:
        return None
    return _LIVING[older.verb]


def _where(statement: Statement) -> frozenset[str]:
    """The name after the verb and its preposition; empty when something else follows."""
    said = statement.said[1:] if statement.said and statement.said[0].text in _PREPOSITIONS else statement.said
    return frozenset(token.text for token in takewhile(lambda token: token.kind == "name", said))


_EMPTY_VERBS = frozenset(("be", "have", "can", "may", "must", "will", "do"))
_LIVING = {stem("lives"): "place", stem("works"): "value"}
_PLACES = stems("in at on under near behind beside by with next above below inside outside from to")
_PREPOSITIONS = _PLACES | stems("for of during after before until without about as")
_MADE = stems("written made built based")
_PLACED = stems("lives stands sits stays sleeps")
_SINGLE = _PLACED | stems("works prefers drives studies weighs costs belongs wears")
_MANY = stems("wants needs attends gets likes goes") | {"have"}
_ATTRIBUTES = stems(
    "favourite favorite password passcode code pin name nickname manager boss doctor dentist teacher number address"
    " email colour color size language job profession employer hometown birthplace capital wife husband partner"
    " girlfriend boyfriend hotline price rent budget deadline goal framework database version contact owner status"
    " username title role neighbour neighbor landlord tutor coach therapist lawyer accountant"
)
