"""The person or thing that a memory is about, and the names in a query.

A memory's subject is the speaker that its text begins with (`Ada: …`, `ada: …`), or the name that it begins with (`Ada
prefers …`, `Ada Byron's brother …`). Scripts without capital letters do not show names: there the first word is taken,
where blanks show its end.

Subjects are indexed as separate terms, so that memories about Ada are distinguished from those that mention or address
her. Speakers have separate terms again: where memories are utterances, a name tells who spoke, not what about.

A query names a subject in one of three ways (`NAMINGS`), of which only the first counts that any memory meets: a name
that is known as it is written is never compared with others. Words in lower case are compared with handles only, which
are speakers of one word: breakfast is what is asked for, though a memory begins with "Breakfast is at seven".
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from remembrancer.domain.lexical_index.folding import unbroken
from remembrancer.domain.lexical_index.words import ENGLISH_STOP_WORDS, is_unspaced, words

MOST_NAMES = 3
"""Most words of one name."""
MOST_CHARACTERS = 200
"""Where a name at the beginning of a memory ends at the latest."""
NAMINGS: Mapping[str, float] = {"exact": 1.0, "lower case": 1.0, "spelling": 0.5}
"""How a query names the subject of a memory, the surest first, and what it is worth. `lower case`: though the query has
capital letters. `spelling`: in another one.
"""
SPELLING, HANDLE_SPELLING = "spelling", "handle spelling"
LABELS = frozenset({
    "address", "agent", "ai", "answer", "assistant", "birthday", "bot", "cc", "date", "email", "error", "example",
    "fact", "from", "fyi", "fwd", "goal", "human", "idea", "info", "log", "memo", "memory", "name", "nb", "note",
    "notes", "phone", "plan", "ps", "question", "re", "reminder", "rule", "status", "subject", "summary", "system",
    "task", "tip", "title", "to", "todo", "tool", "topic", "update", "user", "warning",
})  # fmt: skip
"""What begins a text before a colon in lower case, and names nobody."""


@dataclass(frozen=True, slots=True)
class Named:
    """Possible names in a query, folded as in the index, with their positions in its text.

    They are `certain` when they are capitalized in a query that also has lower-case words. These are the `others`: in
    chats, names are often written so.
    """

    names: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    certain: bool
    others: tuple[str, ...] = ()

    @property
    def whole(self) -> tuple[int, ...]:
        """For each name the number of the whole name that it is part of: `Ada Byron` is one of two words. Only
        certain names are parts of a longer one.
        """
        numbers: list[int] = []
        for place, (start, _) in enumerate(self.places):
            follows = self.certain and place > 0 and start <= self.places[place - 1][1] + 1
            numbers.append(numbers[-1] if follows else place)
        return tuple(numbers)

    def namings(self, most: int) -> list[tuple[str, str, str, int]]:
        """Way of naming, kind of term, word, and number of the whole name, for at most so many names and as many words
        in lower case.
        """
        names = list(zip(self.names, self.whole, strict=True))[:most]
        others = [(name, len(self.names) + at) for at, name in enumerate(dict.fromkeys(self.others))][:most]
        spelled = [(SPELLING, name, whole) for name, whole in names if self.certain]
        spelled += [(HANDLE_SPELLING, name, whole) for name, whole in names + others]
        return [
            *(("exact", "subject", name, whole) for name, whole in names),
            *(("lower case", "handle", name, whole) for name, whole in others),
            *(("spelling", *each) for each in spelled),
        ]


@dataclass(frozen=True, slots=True)
class Subject:
    """The folded words of the name that a memory begins with, empty without one; `speaks` when it is the speaker,
    `is_handle` when that is written as one word.
    """

    names: tuple[str, ...] = ()
    speaks: bool = False
    is_handle: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """What a memory with this subject is indexed under, for each word of the name: it is found by these terms."""
        if self.is_handle:
            return ("subject", "handle", HANDLE_SPELLING)
        return ("subject", "speaker", SPELLING) if self.speaks else ("subject", SPELLING)


def subjects(content: str, stop_words: Set[str] = ENGLISH_STOP_WORDS) -> Subject:
    """Finds the subjects of texts from their beginnings."""
    beginning = content[:MOST_CHARACTERS]
    found = _BEGINNING.match(unbroken(beginning))
    if found is None:
        return Subject()
    names = beginning[found.start("names") : found.end("names")].split(" ")
    if found["colon"] and (all(_may_be_name(name[0]) for name in names) or _is_lower_case_speaker(names, stop_words)):
        return Subject(_folded(names, stop_words), speaks=True, is_handle=len(names) == 1)
    has_capitals = names[0][0].isupper() or not _may_be_name(names[0][0])
    if has_capitals or is_unspaced(names[0]):
        return Subject(_folded(list(takewhile(lambda name: name[0].isupper(), names)), stop_words))
    return Subject(_folded(names[:1], stop_words))


@lru_cache(maxsize=4)
def named(query: str, stop_words: Set[str] = ENGLISH_STOP_WORDS) -> Named:
    """Possible names in the order of the query. Without any capital letter, every word but stop words may be a name;
    words of scripts without capital letters always may.

    Kept, since the embedding and the search by words of a request ask for the same.
    """
    certain = any(letter.isupper() for letter in query) and any(letter.islower() for letter in query)
    names: list[str] = []
    places: list[tuple[int, int]] = []
    others: list[str] = []
    for found in _WORD.finditer(unbroken(query)):
        text = _POSSESSIVE.sub("", query[found.start() : found.end()])
        if text.lower() in stop_words:
            continue
        if certain and not _may_be_name(text[0]):
            others += () if text in LABELS else words(text, stop_words)
            continue
        for word in words(text, stop_words):
            names.append(word)
            places.append(found.span())
    return Named(tuple(names), tuple(places), certain, tuple(others))


def without(query: str, named: Named, known: frozenset[str]) -> str:
    """The query without names in `known`: the question without the people.

    Unchanged when the names are not certain, or when only stop words would be left.
    """
    if not named.certain or not known:
        return query
    rest = query
    for name, (start, end) in reversed(list(zip(named.names, named.places, strict=True))):
        if name in known:
            rest = rest[:start] + " " * (end - start) + rest[end:]
    return " ".join(rest.split()) if words(rest) else query


def _folded(names: Sequence[str], stop_words: Set[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words(_POSSESSIVE.sub("", " ".join(names)), stop_words)))


def _is_lower_case_speaker(names: Sequence[str], stop_words: Set[str]) -> bool:
    return all(name[0].islower() and len(name) > 1 and name not in LABELS and words(name, stop_words) for name in names)


def _may_be_name(letter: str) -> bool:
    """Whether a name may begin with it: a capital letter, or one of a script without them."""
    return letter.isalpha() and not letter.islower()


_NAME = r"[^\W\d_][\w.'’-]*"
_BEGINNING = re.compile(rf"\s*(?P<names>{_NAME}(?: {_NAME}){{0,{MOST_NAMES - 1}}})(?P<colon>:\s|：)?")
_POSSESSIVE = re.compile(r"['’]s?$")
_WORD = re.compile(r"\w[\w'’-]*")
