"""Whether two memories say the same, so that one of them can be left out (ADR 14).

Two texts say the same when they have the same words in the same order. Only how they are written may differ: capitals
of words, punctuation, contractions, articles, English numbers in words, the blank before a unit. One of them may have
light words that the other lacks. Every other difference may be another number, date, code, name or negation, in any
language: a fact that is lost costs more than a line that is too many.

A paraphrase has the same words with a meaning in the same order, if words of a short list count as one ("My dog is
called Milo", "I have a dog named Milo").
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from remembrancer.domain.capture.language import ARTICLES, FILLERS
from remembrancer.domain.memories.memory import Memory, day_of
from remembrancer.domain.times.vocabulary import CARDINALS


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a text in one form, and the light words before each of them and after the last."""

    words: tuple[str, ...]
    light: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, text: str) -> "Reading":
        """Reads a text in linear time."""
        words: list[str] = []
        light: list[list[str]] = [[]]
        for word in words_of(text):
            if word in _LIGHT:
                light[-1].append(word)
            else:
                words.append(word)
                light.append([])
        return cls(tuple(words), tuple(map(tuple, light)))

    def says_the_same(self, other: "Reading") -> bool:
        """Whether both have the same words, and one of them the light words of the other, or some of these."""
        return self.words == other.words and (_has_all(self, other) or _has_all(other, self))

    def paraphrases(self, other: "Reading") -> bool:
        """Whether both have the same words with a meaning, in the same order."""
        meant = _meant(self)
        return bool(meant) and meant == _meant(other)


@dataclass(frozen=True, slots=True)
class Wording:
    """What a memory says, and the day of what happened; without a reading, its text is not open."""

    reading: Reading | None
    day: date | None

    @classmethod
    def of(cls, memory: Memory) -> "Wording":
        """Sealed text that was not opened, or could not be, has no reading."""
        is_open = not (memory.is_closed or memory.is_unreadable)
        return cls(Reading.of(memory.content) if is_open else None, day_of(memory))

    def repeats(self, other: "Wording") -> bool:
        """Whether both say the same, and of the same day where both are about what happened.

        What is not open repeats nothing.
        """
        if self.reading is None or other.reading is None or not self._is_of_day_of(other):
            return False
        return self.reading.says_the_same(other.reading)

    def paraphrases(self, other: "Wording") -> bool:
        """The same for what says the same in other words."""
        if self.reading is None or other.reading is None or not self._is_of_day_of(other):
            return False
        return self.reading.paraphrases(other.reading)

    def _is_of_day_of(self, other: "Wording") -> bool:
        return None in {self.day, other.day} or self.day == other.day


def _meant(reading: Reading) -> tuple[str, ...]:
    """Its words with a meaning; prepositions are among them: in the car is not on the car."""
    words: list[str] = []
    for word, light in zip((*reading.words, ""), reading.light, strict=True):
        words += [one for one in light if one in _MEANT]
        bare = word.removesuffix("'s")
        is_name = bare in _CALLED and (not _BE.isdisjoint(light) or not _HAVE.isdisjoint(reading.words))
        if bare and bare not in _OWN | _HAVE:
            words.append("name" if is_name else _SYNONYMS.get(bare, bare))
    return tuple(words)


def _has_all(more: Reading, less: Reading) -> bool:
    def has(several: Sequence[str], few: Sequence[str]) -> bool:
        left = iter(several)
        return all(word in left for word in few)

    return all(has(several, few) for several, few in zip(more.light, less.light, strict=True))


def words_of(text: str) -> Iterator[str]:
    """The words of a text in the one form in which they are compared, without articles; a question mark is a word."""
    is_first = True
    for token in text.replace("’", "'").split():
        if token.islower() and token.isalpha():
            # Nearly all tokens, in a tenth of the time.
            if token not in ARTICLES:
                yield _numeral(token)
            is_first = False
            continue
        word, ending = _bare(token)
        # In `vitamin A` it is no article.
        if word and not (word.lower() in ARTICLES and (is_first or word.islower())):
            yield from _forms(word)
        if not _QUESTION.isdisjoint(ending):
            yield "?"
        is_first = not _SENTENCE_ENDS.isdisjoint(ending)


def _bare(token: str) -> tuple[str, str]:
    """The token without punctuation around it, and the punctuation after it. Beside digits, less is punctuation: 6' is
    not 6, and (6) may be -6.
    """
    has_digits = _DIGIT.search(token) is not None
    word = token.lstrip(_QUOTES if has_digits else _OPENING)
    bare = word.rstrip(_AFTER_NUMBERS if has_digits else _CLOSING)
    return bare, word[len(bare) :]


def _forms(word: str) -> Sequence[str]:
    """The words that a word stands for. Capitals inside of a word are kept, as in codes and abbreviations."""
    if match := _MEASURE.fullmatch(word):
        return [*_forms(match["number"]), match["unit"]]
    if _GROUPED.fullmatch(word):
        return [word.replace(",", "")]
    lower = word.lower()
    if word[1:] != lower[1:] or _DIGIT.search(word):
        return [word]
    for ending, expanded in _CONTRACTIONS:
        if lower.endswith(ending) and len(lower) > len(ending):
            return [_SHORTENED.get(lower, lower[: -len(ending)]), expanded]
    if lower.endswith("'s") and lower[:-2] in _BEFORE_IS:
        return [lower[:-2], "is"]
    return [_numeral(lower)]


def _numeral(word: str) -> str:
    return str(CARDINALS.get(word, word))


_QUOTES = "\"'`“”„‘‚«»"
_AFTER_NUMBERS = ".,;:。，、；：।॥۔،؛։?？؟"
_OPENING = _QUOTES + "([{¿¡"
_CLOSING = _AFTER_NUMBERS + _QUOTES + ")]}!…！"

_QUESTION = frozenset("?？؟")
_SENTENCE_ENDS = _QUESTION | frozenset(".!…。！।॥۔։")
_DIGIT = re.compile(r"\d")
_MEASURE = re.compile(r"(?P<number>[-+]?\d+(?:[.,]\d+)*)(?P<unit>[^\W\d_]{1,3}|[%€£$])")
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?")
_CONTRACTIONS = (("n't", "not"), ("'m", "am"), ("'re", "are"), ("'ve", "have"), ("'ll", "will"))
_SHORTENED = {"can't": "can", "won't": "will", "shan't": "shall"}
_BEFORE_IS = frozenset(("it", "he", "she", "that", "there", "here", "what", "who", "where", "how"))
_OWN = frozenset(("i", "we", "my", "our", "user"))
"""Words of whoever speaks: `my dog`, `I have a dog`."""
_HAVE = frozenset(("have", "has"))
_BE = frozenset(("am", "is", "are"))
_CALLED = frozenset(("called", "named"))
"""With `is` or `have`, a name follows: of `I called Ana`, none."""
_MEANT = frozenset(("his", "her", "its", "their", "your", "in", "at", "that", "currently", "already", "still", "even"))
"""Light words that may not be left out of a paraphrase, or added."""
_SYNONYMS = {
    word: words[0]
    for words in (
        ("live", "reside"),
        ("like", "enjoy"),
        ("vegetarian", "vegetarians"),
        ("favourite", "favorite"),
        ("birthday", "birthdate"),
        ("children", "kids"),
        ("mother", "mom", "mum"),
        ("father", "dad"),
        ("flat", "apartment"),
        ("phone", "telephone"),
        ("colour", "color"),
    )
    for word in words
}
_LIGHT = FILLERS | frozenset(
    ("am", "is", "are", "my", "your", "his", "her", "its", "our", "their", "on", "in", "at", "that")
)
"""Words with which a text says the same as without them, but not with one of them for another."""
