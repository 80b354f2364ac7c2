"""Sentences of a turn as tokens, and where the clauses in them begin.

Tokens are lower-case words, numbers in digits and signs that change a meaning. Articles are left out; contractions are
two tokens. `SPEAKER` is the one who speaks and `ADDRESSEE` the one spoken to.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from remembrancer.domain.capture import language
from remembrancer.domain.lexical_index.words import written
from remembrancer.domain.personal_data.invisible_characters import removed

SPEAKER = "<speaker>"
ADDRESSEE = "<addressee>"
POSSESSIVE = "'s"

_APOSTROPHES = re.compile("[’‘ʼ`´]")
_DOUBLE = re.compile("[“”„«»]")
_DASHES = re.compile(r"(?<!\s)\s++[-–—]++\s++|[–—]+")
_BLANKS = re.compile(r"\s+")
_END = re.compile(r"(?<![.!?。！？…؟۔।])(?:[.!?。！？…؟۔।]++[\"')\]]*+(?=\s|$)|[。！？]++[\"')\]」』]*+)")
"""A sentence ends before a blank, in Chinese and Japanese before anything."""
_ITEM = re.compile(r"[-*•–—>|)\]\d]")
"""Begins an item of a list, or what belongs to the sentence before."""
_NUMBERING = re.compile(r"\d+[.)]")
_PAIRS = ("()", "[]", "{}", "「」", "『』", "（）")
_TOKEN = re.compile(
    r"\d+(?:st|nd|rd|th)\b|[-+]?\d+(?:[.,:/]\d+)*|[^\W\d_]+(?:'[^\W\d_]+)*|(?<=s)'(?=\s)|[;,–:]|[^\w\s.!?\"'()\[\]…-]"
)
_UNMARKED = re.compile("(do|does|did|is|was|were|are|have|has|had|could|would|should|ca|wo)nt")
_PHRASES = re.compile(r"(?:^|(?<=, ))(?:by the way|just so you know|as you know|for the record)\b,?", re.IGNORECASE)
_CONTRACTIONS: Mapping[str, tuple[str, ...]] = {
    "can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not"),
    "ain't": ("am", "not"), "let's": ("let", "us"), "gonna": ("going", "to"), "wanna": ("want", "to"),
    "im": ("i", "am"), "ive": ("i", "have"), "'": (POSSESSIVE,),
}  # fmt: skip
_ENDINGS = ("'re", "'ve", "'ll", "'d", "'s", "'m")
_EXPANDED = {"'ve": "have", "'ll": "will", "'re": "are", "'m": "am"}
_ORDINARY = re.compile(r"[^\W\d_]?[^A-Z]*|[^a-z]*(?:'[a-z]+)?")
"""Words whose capitals say nothing; those of codes and passwords do."""
_DENYING = frozenset("❌👎🚫✖🙅🙃😜🤥")
"""Pictures that change what is said; others say nothing."""
_OWN = {"i": (SPEAKER,), "me": (SPEAKER,), "myself": (SPEAKER,), "we": (SPEAKER,), "us": (SPEAKER,)} | {
    "my": (SPEAKER, POSSESSIVE), "mine": (SPEAKER, POSSESSIVE), "our": (SPEAKER, POSSESSIVE),
    "ours": (SPEAKER, POSSESSIVE), "you": (ADDRESSEE,), "your": (ADDRESSEE, POSSESSIVE),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """`word` is its canonical form; `is_name` when it has a capital and may be a name."""

    word: str
    is_name: bool = False
    is_nominative: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """Its place in the normalised text of the turn, its text, and whether it ends in a question mark."""

    start: int
    end: int
    text: str
    is_question: bool


def plain(text: str) -> str:
    """The text in the form in which quotes are compared: straight quotes, no invisible characters, single blanks."""
    return lines_kept(text).replace("\n", " ")


def lines_kept(text: str) -> str:
    """The same as `plain`, character by character, but with line ends."""
    straight = _DOUBLE.sub('"', _APOSTROPHES.sub("'", unicodedata.normalize("NFC", removed(text))))
    lines = (_BLANKS.sub(" ", line).strip() for line in straight.splitlines())
    return "\n".join(line for line in lines if line)


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text from `lines_kept`, in order; places count its characters."""
    found: list[Sentence] = []
    start = 0
    for end in _END.finditer(text):
        if _is_abbreviation(text[start : end.start()]) and "." in end[0]:
            continue
        found += _sentence(text, start, end.end(), "?" in end[0] or "？" in end[0])
        start = end.end()
    return found + _sentence(text, start, len(text), False)


def units(text: str) -> list[tuple[int, int]]:
    """Where the parts of a text stand in its `plain` form that may be quoted alone: sentences, and several where one
    may change what another says, as in lists, brackets and quotation marks. In doubt, sentences are not parted.
    """
    lines = lines_kept(text)
    found: list[tuple[int, int]] = []
    for sentence in sentences(lines):
        before = lines[found[-1][0] : found[-1][1]] if found else ""
        if before and (_is_open(before) or _ITEM.match(sentence.text) or sentence.text[0].islower()):
            found[-1] = found[-1][0], sentence.end
        else:
            found.append((sentence.start, sentence.end))
    return found


def tokens(text: str) -> list[Token]:
    """The tokens of what somebody says: I and you are SPEAKER and ADDRESSEE."""
    raw = _raw(_PHRASES.sub("", _DASHES.sub(" – ", text.replace("\n", ", "))))
    return [token for token in _numbers(_in_person(raw)) if token.word not in language.ARTICLES]


def boundaries(sentence: Sequence[Token]) -> list[int]:
    """Where a clause begins, 0 included: behind connectors, with a word that can only be a subject."""
    found = [0]
    for place in range(1, len(sentence)):
        before = sentence[place - 1].word
        if before == ";" or (before in language.CONNECTORS and _is_clause(sentence, place)):
            found.append(place)
    return found


def _sentence(text: str, start: int, end: int, is_question: bool) -> list[Sentence]:
    while start < end and text[start].isspace():
        start += 1
    return [Sentence(start, end, text[start:end].strip(), is_question)] if text[start:end].strip() else []


def _is_open(text: str) -> bool:
    """Whether a text ends within quotation marks or brackets, or with the number or the heading of what follows."""
    is_within = text.count('"') % 2 == 1 or any(text.count(pair[0]) > text.count(pair[1]) for pair in _PAIRS)
    return is_within or text.endswith(":") or _NUMBERING.fullmatch(text) is not None


def _is_abbreviation(before: str) -> bool:
    word = before.rpartition(" ")[2].lower().strip("(\"'")
    return word in language.ABBREVIATIONS or (len(word) == 1 and word.isalpha() and word != "i")


def _raw(text: str) -> list[Token]:
    found: list[Token] = []
    for raw in written(text, _TOKEN):
        word = raw.lower() if _ORDINARY.fullmatch(raw) else raw
        if word == "*" or (unicodedata.category(word[0]) == "So" and word not in _DENYING):
            continue
        is_name = raw[:1].isupper() and word not in language.KNOWN and bool(found or len(word) > 1)
        parts = _parts(word)
        found += [Token(part, is_name and index == 0) for index, part in enumerate(parts)]
    return found


def _parts(word: str) -> tuple[str, ...]:
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word]
    if (unmarked := _UNMARKED.fullmatch(word)) is not None:
        return _parts(f"{unmarked[1]}n't")
    if word.endswith("n't") and len(word) > 3:
        return (word[:-3], "not")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending):
            return (*_parts(word[: -len(ending)]), _EXPANDED.get(ending, ending))
    return (word.replace(",", "") if word[:1].isdigit() and re.fullmatch(r"\d{1,3}(,\d{3})+", word) else word,)


def _in_person(raw: Sequence[Token]) -> list[Token]:
    found: list[Token] = []
    for token in raw:
        is_nominative = token.word in language.NOMINATIVES
        own = _OWN.get(token.word)
        if own is None:
            found.append(replace(token, is_nominative=is_nominative))
        else:
            found += [Token(word, is_nominative=is_nominative) for word in own]
    return found


def _numbers(read: Sequence[Token]) -> list[Token]:
    """Number words as digits, those of tens with their units; ordinals up to the tenth."""
    found: list[Token] = []
    for token in read:
        word = token.word
        if word in language.TENS:
            found.append(Token(str(language.TENS[word])))
        elif word in language.UNITS:
            number = language.UNITS[word]
            if number < 10 and found and found[-1].word in _TENS_IN_DIGITS:
                number += int(found.pop().word)
            found.append(Token(str(number)))
        else:
            found.append(Token(language.ORDINALS.get(word, word), token.is_name, token.is_nominative))
    return found


_TENS_IN_DIGITS = frozenset(map(str, language.TENS.values()))


def _is_clause(sentence: Sequence[Token], place: int) -> bool:
    token = sentence[place]
    if token.is_nominative:
        return True
    for length in (1, 2, 3, 4):
        if place + length >= len(sentence):
            return False
        if sentence[place + length].word in language.AUXILIARIES - {POSSESSIVE}:
            run = sentence[place : place + length]
            is_named = all(word.is_name for word in run)
            is_owned = token.word in {SPEAKER, *language.POSSESSIVES} and length in (2, 3, 4)
            return is_named or is_owned or (length == 1 and token.word in {"it", "there", "that", "this"})
    return False
