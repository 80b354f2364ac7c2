"""How many steps a backtracking matcher takes: what `re` does, counted instead of timed."""

import re
from collections.abc import Callable, Sequence
from re import _constants as sre  # CPython's own parser; nothing else tells a pattern's parts
from re import _parser as parser
from typing import Any

Next = Callable[[int], bool]
_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_WORD: lambda letter: letter.isalnum() or letter == "_",
}
_OPPOSITES = {
    sre.CATEGORY_NOT_DIGIT: sre.CATEGORY_DIGIT,
    sre.CATEGORY_NOT_SPACE: sre.CATEGORY_SPACE,
    sre.CATEGORY_NOT_WORD: sre.CATEGORY_WORD,
}


def finding(pattern: re.Pattern[str], text: str) -> int:
    """Steps of finding every match in the text."""
    matcher = _Matcher(pattern, text)
    start = 0
    while start <= len(text):
        end = matcher.end_of_match(start)
        start = start + 1 if end is None else max(end, start + 1)
    return matcher.steps


class _Matcher:
    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._nodes = list(parser.parse(pattern.pattern, pattern.flags))
        self._text = text.lower() if pattern.flags & re.IGNORECASE else text
        self.steps = 0

    def end_of_match(self, start: int) -> int | None:
        ends: list[int] = []

        def keep(end: int) -> bool:
            ends.append(end)
            return True

        return ends[0] if self._match(self._nodes, 0, start, keep) else None

    def _match(self, nodes: Sequence[Any], place: int, at: int, following: Next) -> bool:
        self.steps += 1
        if place == len(nodes):
            return following(at)
        op, given = nodes[place]

        def rest(end: int) -> bool:
            return self._match(nodes, place + 1, end, following)

        if op is sre.MAX_REPEAT:
            low, high, body = given
            return self._repeat(list(body), low, high, at, rest)
        if op is sre.SUBPATTERN:
            return self._match(list(given[3]), 0, at, rest)
        if op is sre.BRANCH:
            return any(self._match(list(one), 0, at, rest) for one in given[1])
        if op in (sre.ASSERT, sre.ASSERT_NOT, sre.AT):
            holds = self._is_at(given, at) if op is sre.AT else self._looks(given, at) == (op is sre.ASSERT)
            return holds and rest(at)
        return at < len(self._text) and _takes(op, given, self._text[at]) and rest(at + 1)

    def _repeat(self, body: Sequence[Any], low: int, high: Any, at: int, rest: Next, count: int = 0) -> bool:
        def again(end: int) -> bool:
            return (end > at or count < low) and self._repeat(body, low, high, end, rest, count + 1)

        return ((high is sre.MAXREPEAT or count < high) and self._match(body, 0, at, again)) or (
            count >= low and rest(at)
        )

    def _looks(self, given: tuple[int, Any], at: int) -> bool:
        direction, body = given
        start = at if direction > 0 else at - body.getwidth()[0]
        return start >= 0 and self._match(list(body), 0, start, lambda end: direction > 0 or end == at)

    def _is_at(self, where: Any, at: int) -> bool:
        if where is sre.AT_END:
            return at == len(self._text) or (at == len(self._text) - 1 and self._text[at] == "\n")
        assert where is sre.AT_BOUNDARY, where
        sides = [0 <= place < len(self._text) and _word(self._text[place]) for place in (at - 1, at)]
        return sides[0] != sides[1]


def _word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


def _takes(op: Any, given: Any, letter: str) -> bool:
    if op is sre.IN:
        negated = given[0][0] is sre.NEGATE
        return any(_takes(kind, what, letter) for kind, what in given[negated:]) != negated
    if op is sre.LITERAL:
        return bool(letter == chr(given).lower() or letter == chr(given))
    if op is sre.NOT_LITERAL:
        return letter != chr(given)
    if op is sre.RANGE:
        low, high = given
        return bool(low <= ord(letter) <= high or low <= ord(letter.upper()[0]) <= high)
    assert op is sre.CATEGORY, op
    if given in _OPPOSITES:
        return not _CATEGORIES[_OPPOSITES[given]](letter)
    return bool(_CATEGORIES[given](letter))
