"""Whether a text says what a sentence of a conversation says, in its words (docs/adr/0034-capture-gate.md).

A text restates a sentence when it consists of whole clauses of it, word for word and in order. Only the person may
differ (I becomes the speaker's name, he who was named before), the verb's form that goes with it, the wording of one
point of time, and words that say nothing (`language.FILLERS`). So nothing can be added, swapped, turned round or left
out: a negation, a doubt and a condition stay where they are, since they are words as others are.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from remembrancer.domain.capture import clauses, language, occurrence
from remembrancer.domain.capture.clauses import POSSESSIVE, SPEAKER, Token

_TIME = "<time>"
_LONGEST_TAG = 4
"""Most tokens of a clause such as `I think` and `or so he said`, which belongs to the clause before it."""
_LONGEST_RUN = 8
_LONGEST_PORTION = 200
_MOST_CLAUSES = 20
"""Most tokens and clauses that a text may restate, since it has at most 400 characters; more would take seconds."""
_VERBS = language.AUXILIARIES - {POSSESSIVE}
_EMPTY = frozenset({"also", "that", ",", ";", "–"})
"""Told words that nothing has to stand for."""
_AFTER_VERB = 3
"""Where the second verb stands in `I cook and bake`."""
_THIRD_PERSON = {
    ("do", "does"),
    ("have", "has"),
    ("am", "is"),
    ("are", "is"),
    ("were", "was"),
    ("are", "'s"),
    ("am", "'s"),
}
_CONTRACTED = {("'s", "is"), ("is", "'s"), ("'s", "has"), ("has", "'s"), ("'d", "would"), ("'d", "had")}


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in the words of its speaker, and the words that its pronouns may stand for.

    `pronouns` are those for the `persons`; `it` may stand for the `things`.
    """

    text: str
    persons: Sequence[tuple[str, ...]] = ()
    pronouns: Set[str] = frozenset()
    things: Sequence[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    """Tokens, in which a point of time is `_TIME` if there is no other, and that point as it was said."""

    tokens: Sequence[Token]
    time: str | None


def restates(
    text: str, statement: Statement, names: Mapping[tuple[str, ...], str], observed_at: datetime, *, is_dated: bool
) -> bool:
    """Whether `text` restates clauses of the statement.

    `names` maps the words of a name, in lower case, to SPEAKER or ADDRESSEE. `is_dated`: the memory says when it
    happened, so that the text need not.
    """
    told = _with_time(_tokens(text, names, is_spoken=False))
    if "?" in text:
        return False
    for portion in _portions(_tokens(statement.text, {}, is_spoken=True)):
        meant = _with_time(portion)
        if (
            _times_agree(told, meant, observed_at, is_dated=is_dated)
            and _Alignment(
                [token.word for token in told.tokens if token.word != _TIME],
                [token.word for token in meant.tokens if token.word != _TIME],
                statement,
            ).holds()
        ):
            return True
    return False


def words(text: str, names: Mapping[tuple[str, ...], str]) -> tuple[str, ...]:
    """The canonical words of a memory's text."""
    return tuple(token.word for token in _tokens(text, names, is_spoken=False))


def entities(text: str) -> list[frozenset[tuple[str, ...]]]:
    """Those that a speaker mentions by name or as `my sister`: each with the ways in which it may be called."""
    read = clauses.tokens(text, {}, is_spoken=True)
    found: list[frozenset[tuple[str, ...]]] = []
    place = 0
    while place < len(read):
        length = _entity_length(read, place)
        if length:
            found.append(_called(read[place : place + length]))
        place += length or 1
    return found


def until_verb(read: Sequence[str]) -> tuple[str, ...]:
    """What a memory is about: its words before the first auxiliary verb; empty when there is none."""
    for place, word in enumerate(read):
        if word in _VERBS:
            return tuple(read[:place])
    return ()


def _called(run: Sequence[Token]) -> frozenset[tuple[str, ...]]:
    whole = tuple(token.word for token in run)
    names = tuple(token.word for token in run if token.is_name)
    ways = {whole}
    if names and whole[-len(names) :] == names:
        ways |= {names, whole[: -len(names)]}
    return frozenset(way for way in ways if way and way != (SPEAKER, POSSESSIVE))


def _entity_length(read: Sequence[Token], place: int) -> int:
    """A name, or `my sister` with a name behind it; 0 where none begins."""
    start = place
    if read[place].word == SPEAKER and place + 1 < len(read) and read[place + 1].word == POSSESSIVE:
        place += 2
        if place < len(read) and not read[place].is_name:
            place += 1
    while place < len(read) and read[place].is_name:
        place += 1
    return place - start


def _tokens(text: str, names: Mapping[tuple[str, ...], str], *, is_spoken: bool) -> list[Token]:
    """Points of time are one token each: `_TIME` and how it was said."""
    found: list[Token] = []
    start = 0
    text = clauses.plain(text)
    for point in occurrence.points(text):
        found += clauses.tokens(text[start : point.start], names, is_spoken=is_spoken)
        found.append(Token(_TIME + text[point.start : point.end].lower()))
        start = point.end
    return found + clauses.tokens(text[start:], names, is_spoken=is_spoken)


def _with_time(read: Sequence[Token]) -> _Said:
    times = [token.word for token in read if token.word.startswith(_TIME)]
    if len(times) != 1:
        return _Said(read, None)
    return _Said([Token(_TIME) if token.word == times[0] else token for token in read], times[0].removeprefix(_TIME))


def _times_agree(told: _Said, meant: _Said, observed_at: datetime, *, is_dated: bool) -> bool:
    if told.time is None:
        return meant.time is None or (is_dated and not any(token.word in language.PINNED for token in meant.tokens))
    return meant.time is not None and occurrence.is_same(told.time, meant.time, observed_at)


def _portions(sentence: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Runs of whole clauses whose truth does not depend on the clauses around them."""
    starts = [place for place in clauses.boundaries(sentence) if place == 0 or _may_go(sentence[:place])]
    ends = [*starts[1:], len(sentence)]
    limiting = {end for end in ends if end < len(sentence) and _limits(sentence, end)}
    for first, start in enumerate(starts):
        if start and not _is_free(sentence[:start]):
            continue
        for end in ends[first : first + _MOST_CLAUSES]:
            if end - start > _LONGEST_PORTION:
                break
            if end not in limiting:
                portion = list(sentence[start:end])
                while portion and portion[-1].word in language.CONNECTORS:
                    portion.pop()
                yield portion


def _may_go(before: Sequence[Token]) -> bool:
    """Whether what stands before a clause is a clause too, a filler, or somebody who is addressed."""
    read = [token for token in before if token.word not in language.CONNECTORS]
    meaning = [token for token in read if token.word not in language.OPENERS]
    if not meaning:
        return True
    first = meaning[0]
    if first.word in language.PREPOSITIONS:
        return False
    if len(meaning) == 1:
        return first.is_name or first.word in {"no", SPEAKER} or first.is_nominative
    if before[-1].word in {",", "–"} and not any(token.word in _VERBS for token in meaning):
        # Behind a comma alone: `Bob's exact words, I …` is no clause.
        return first.is_nominative
    return first.is_nominative or first.is_name or first.word in {SPEAKER, "there", "it", "this", "that"}


def _is_free(before: Sequence[Token]) -> bool:
    """Whether no negation, doubt or condition before a clause reaches into it: `but` and `;` end their reach."""
    for place in range(len(before) - 1, -1, -1):
        word = before[place].word
        if word in {"but", ";", "however", "whereas"}:
            return True
        if word in language.OPERATORS and not (word == "no" and place == 0):
            return False
    return True


def _limits(sentence: Sequence[Token], start: int) -> bool:
    """Whether the clauses from `start` on say that what stands before them is not quite so."""
    following = sentence[start:]
    connectors = set()
    place = start - 1
    while place >= 0 and sentence[place].word in language.CONNECTORS:
        connectors.add(sentence[place].word)
        place -= 1
    heard = {token.word for token in following}
    if len(following) <= _LONGEST_TAG and heard & language.OPERATORS:
        return True
    return bool(connectors & language.TURNING) and bool(heard & (language.ANAPHORS | language.OPERATORS))


class _Alignment:
    """Told words against meant words, each with its place."""

    def __init__(self, told: Sequence[str], meant: Sequence[str], statement: Statement) -> None:
        self._told = told
        self._meant = meant
        self._statement = statement

    def holds(self) -> bool:
        """Whether all told words stand for all meant ones, in order; each pair of places is tried once."""
        if len(self._told) < 2 or len(self._told) > 3 * len(self._meant) + _LONGEST_RUN:
            return False

        whole = (len(self._told), len(self._meant))
        tried = {(0, 0)}
        untried = [(0, 0)]
        while untried and whole not in tried:
            at, place = untried.pop()
            reached = {(at + more, place + further) for more, further in self._steps(at, place)} - tried
            tried |= reached
            untried += reached
        return whole in tried

    def _steps(self, at: int, place: int) -> Iterator[tuple[int, int]]:
        """How many told words may stand for how many meant ones here."""
        if place < len(self._meant) and self._may_leave_out(place):
            yield 0, 1
        if at < len(self._told) and self._told[at] in _EMPTY:
            yield 1, 0
        if at == len(self._told) or place == len(self._meant):
            return
        if self._is_same(at, place):
            yield 1, 1
        if self._is_own(at, place):
            yield 1, 2
        yield from ((length, 1) for length in self._runs(at, place))

    def _may_leave_out(self, place: int) -> bool:
        """A filler, a comma, an opener at the start, `no` before a comma there, and I after `and`."""
        meant, word = self._meant, self._meant[place]
        if word in language.FILLERS or word in {",", ";", "–", "that"}:
            return True
        if all(before in language.OPENERS or before in {",", "no"} for before in meant[: place + 1]):
            return word != "no" or (place == 0 and meant[1:2] == [","])
        is_repeated = word == SPEAKER and meant[place + 1 : place + 2] != [POSSESSIVE]
        return is_repeated and place > 1 and meant[place - 1] == "and" and meant[0] == SPEAKER

    def _is_same(self, at: int, place: int) -> bool:
        told, meant = self._told[at], self._meant[place]
        if told == meant:
            return True
        if (meant, told) in _CONTRACTED:
            return meant != POSSESSIVE or self._is_verb(place)
        return self._follows_person(place) and ((meant, told) in _THIRD_PERSON or told in _with_s(meant))

    def _is_verb(self, place: int) -> bool:
        """Whether 's stands for is or has here, and for no owner."""
        before, following = self._meant[place - 1 : place], "".join(self._meant[place + 1 : place + 2])
        return bool(set(before) & language.BEFORE_IS) or following.endswith("ing") or following in language.AFTER_IS

    def _follows_person(self, place: int) -> bool:
        """Whether the verb stands right behind I, we or they, or behind `I … and`."""
        while place > 0 and self._meant[place - 1] in language.FREQUENCIES:
            place -= 1
        before = self._meant[place - 1] if place else ""
        if before in {SPEAKER, "they"}:
            return True
        is_speaker = self._meant[0] == SPEAKER and self._meant[1:2] != [POSSESSIVE]
        return before == "and" and is_speaker and (place == _AFTER_VERB or self._meant[place] in language.VERBS)

    def _is_own(self, at: int, place: int) -> bool:
        """`their` for `my`, where nobody else can be meant: right behind the speaker's verb."""
        if self._told[at] != "their" or list(self._meant[place : place + 2]) != [SPEAKER, POSSESSIVE]:
            return False
        between = [
            word
            for word in self._told[1:at]
            if word not in language.PREPOSITIONS | language.AUXILIARIES | language.OPERATORS | {"been", "to"}
        ]
        return self._told[0] == SPEAKER and len(between) <= 1

    def _runs(self, at: int, place: int) -> Iterator[int]:
        """Lengths of the told words that a pronoun may stand for."""
        word = self._meant[place]
        if word not in language.PRONOUNS:
            return
        persons = self._statement.persons if word in self._statement.pronouns else ()
        for run in self._statement.things if word in language.THINGS else persons:
            length = len(run)
            if tuple(self._told[at : at + length]) == run:
                is_owner = self._told[at + length : at + length + 1] == [POSSESSIVE]
                if word in language.POSSESSIVES and is_owner:
                    yield length + 1
                if word not in language.POSSESSIVES - {"her"}:
                    yield length


def _with_s(verb: str) -> tuple[str, ...]:
    """The third person of a regular verb, as it may be written."""
    if verb.endswith("y") and verb[-2:-1] not in set("aeiou"):
        return (f"{verb[:-1]}ies",)
    return (f"{verb}es",) if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else (f"{verb}s",)
