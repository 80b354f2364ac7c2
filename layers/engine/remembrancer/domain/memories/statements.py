"""Reads short English statements: subject, verb, and what is said, with numbers, times and days as values.

Only statements about a lasting state are read (`Ann lives in Berlin`, `The backup runs at 2 am`). Questions,
conditions, past events, and subjects that are pronouns of the third person are left out, since they are not comparable.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from remembrancer.domain.capture.clauses import plain
from remembrancer.domain.lexical_index.folding import folded
from remembrancer.domain.lexical_index.subjects import subjects
from remembrancer.domain.lexical_index.words import WRITTEN
from remembrancer.domain.times.vocabulary import CARDINALS, MONTHS, WEEKDAYS, month_of

MOST_SENTENCES = 4
"""Sentences of one text that are read; later ones rarely state what a memory is about."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word's stem, or a value in one form: `time 09:30`, `duration 900`. `kind` is word, name, number, time,
    duration, weekday, month or date. `start` and `end` are its place in the sentence.
    """

    text: str
    kind: str = "word"
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Statement:
    """`said` follows the verb, without articles; `everything` has all stems and values of the sentence.

    `is_changed`: it says that something is so now, or no longer. `is_added`: it is so in addition, or only sometimes.
    `has_article`: the subject is a certain thing (the key, my desk). `names_it`: the thing is called so.
    """

    speaker: tuple[str, ...]
    subject: tuple[str, ...]
    verb: str
    said: tuple[Token, ...]
    everything: frozenset[str] = field(repr=False)
    is_negative: bool = False
    is_changed: bool = False
    is_added: bool = False
    has_article: bool = False
    names_it: bool = False


def statements(text: str) -> tuple[Statement, ...]:
    """The comparable statements among a text's first sentences, in order."""
    subject = subjects(text)
    speaker = subject.names if subject.speaks else ()
    body = text[text.index(":") + 1 :] if subject.speaks else text
    sentences = [sentence for sentence in _SENTENCE.findall(plain(body)) if sentence.strip()][:MOST_SENTENCES]
    return tuple(read for sentence in sentences if (read := _read(sentence, speaker)) is not None)


def stem(word: str) -> str:
    """A crude stem, folded as in the index: the same for the forms of one regular word."""
    word = folded(word)
    for ending, rest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(_KEPT):
            word = word[: -len(ending)] + rest
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _read(sentence: str, speaker: tuple[str, ...]) -> Statement | None:
    if sentence.rstrip().endswith("?") or _UNSURE.search(sentence):
        return None
    expanded = _TAIL.sub("", _contracted(sentence))
    read = tokens(expanded)
    place = next((at for at, token in enumerate(read) if token.kind == "word" and token.text in VERBS), len(read))
    subject = tuple(token.text for token in read[:place] if token.text not in _LEFT_OUT)
    if place == len(read) or not subject or subject[0] in _PRONOUNS:
        return None
    verb, rest = _verb(read[place:])
    return Statement(
        speaker=speaker,
        subject=subject,
        verb=verb,
        said=tuple(token for token in _clause(rest) if token.text not in _LEFT_OUT),
        everything=frozenset(token.text for token in read),
        is_negative=bool(_NEGATION.search(expanded)),
        is_changed=bool(_CHANGE.search(sentence)),
        is_added=bool(_ADDITION.search(expanded)),
        has_article=bool(_CERTAIN.match(expanded)),
        names_it=bool(_NAMING.search(expanded)),
    )


def _verb(tokens: Sequence[Token]) -> tuple[str, Sequence[Token]]:
    """The verb's stem without auxiliary do and without `stopped`, and the tokens after it."""
    at = 0
    while at + 1 < len(tokens) and tokens[at].text in _HELPERS:
        at += 1
        while at + 1 < len(tokens) and tokens[at].text in _NEGATORS:
            at += 1
    return VERBS.get(tokens[at].text, tokens[at].text), tokens[at + 1 :]


def _clause(tokens: Sequence[Token]) -> Sequence[Token]:
    """Up to what begins another clause or a further item."""
    end = next((at for at, token in enumerate(tokens) if token.text in _CLAUSE_ENDS and at), len(tokens))
    return tokens[:end]


def _contracted(sentence: str) -> str:
    for short, long in _CONTRACTIONS.items():
        sentence = sentence.replace(short, long)
    return _HAVING_MOVED.sub(r"\1", sentence)


def tokens(sentence: str) -> list[Token]:
    """Its words, values and commas, in order."""
    found: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        kind = str(match.lastgroup)
        if kind == "word":
            read = _word(match[0], is_first=not found)
        else:
            read = [_VALUES[kind](match) if kind in _VALUES else Token(match[0], kind)]
        start, end = match.span()
        found += [Token(token.text, token.kind, start, end) for token in read]
    return found


def _word(text: str, *, is_first: bool) -> list[Token]:
    bare = text[:-2] if text.endswith("'s") else text.rstrip("'")
    lower = bare.lower()
    if lower in _CARDINALS:
        return [Token(str(_CARDINALS[lower]), "number")]
    if (day := lower.rstrip("s")) in WEEKDAYS:
        return [Token(day, "weekday")]
    owner = [Token("'s")] if text.endswith("'s") else []
    is_name = bare[0].isupper() and not is_first and lower not in _LEFT_OUT and lower != "i"
    return [Token(stem(bare), "name" if is_name else "word"), *owner]


def _time(match: re.Match[str]) -> Token:
    hour, minute = int(match["hour"] or match["hour_only"] or match["at"]), int(match["minute"] or 0)
    half = (match["half"] or match["half_only"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    return Token(f"{hour:02}:{minute:02}", "time")


def _date(match: re.Match[str]) -> Token:
    month = next(word for word in match[0].lower().split() if word in MONTHS)
    return Token(f"{month_of(month):02}-{int(re.sub(r'[^0-9]', '', match[0])):02}", "date")


def _duration(match: re.Match[str]) -> Token:
    count = match["count"].lower()
    number = _CARDINALS[count] if count in _CARDINALS else int(count)
    return Token(str(number * _SECONDS[match["unit"].lower().rstrip("s")]), "duration")


def _number(match: re.Match[str]) -> Token:
    return Token(match[0].replace(",", "").rstrip("."), "number")


_VALUES = {"time": _time, "date": _date, "duration": _duration, "number": _number}

_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_CARDINALS = {"zero": 0} | CARDINALS
_CONTRACTIONS = {
    "has to ": "must ", "have to ": "must ", "can't": "can not", "cannot": "can not", "won't": "will not",
    "n't": " not",
}  # fmt: skip

# `Aprıl` is no month: the tables lack letters that Unicode's rules for capitals take for the same.
_COUNT = rf"(?P<count>\d{{1,5}}|(?a:{'|'.join(_CARDINALS)}))"
_MONTH = f"(?a:{'|'.join(MONTHS)})"
_ORDINAL = r"(?:st|nd|rd|th)?"
_TOKEN = re.compile(
    rf"(?P<date>\b[0-9]{{1,2}}{_ORDINAL} (?:of )?{_MONTH}\b|\b{_MONTH} [0-9]{{1,2}}{_ORDINAL}\b)"
    r"|(?P<time>\b(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?: ?(?P<half>[ap])\.?m\b)?(?!\d)"
    r"|\b(?P<hour_only>\d{1,2}) ?(?P<half_only>[ap])\.?m\b|(?<=\bat )(?P<at>\d{1,2})(?=\s*[.,;!]?\s*$))"
    rf"|(?P<duration>\b{_COUNT} (?P<unit>(?a:seconds?|minutes?|hours?|days?|weeks?))\b)"
    r"|(?P<number>\d+(?:,\d{3})+(?:\.\d+)?|\b\d[\w-]*\d[\w-]*|\b[A-Za-z]+-?\d[\w-]*|\d+(?:\.\d+)?)"
    rf"|(?P<word>{WRITTEN.pattern}(?:[-_]{WRITTEN.pattern})*)"
    r"|(?P<mark>,)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.!?;]|[.](?=\w)|(?<=\bDr)[.]|(?<=\bMr)[.])+[.!?;]?")

_ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("s", ""))
_KEPT = ("ss", "us", "is", "eed")


def stems(words: str) -> frozenset[str]:
    """The stems of words that are separated by blanks."""
    return frozenset(map(stem, words.split()))


# Verbs that state what is so; a past tense is an event, and therefore not here.
VERBS = {
    **dict.fromkeys(stems("is are am 'm be"), "be"),
    **dict.fromkeys(stems("has have"), "have"),
    **dict.fromkeys(stems("do does"), "do"),
    **dict.fromkeys(("stopp", "quit"), "stop"),
    **dict.fromkeys(stems("moved relocated"), stem("lives")),
    stem("joined"): stem("works"),
    **{verb: verb for verb in stems(
        "can may must will lives works studies prefers drives weighs costs starts begins ends opens closes expires "
        "leaves arrives departs takes comes runs stands sits lasts uses likes loves hates enjoys plays speaks drinks "
        "eats smokes wants needs owns knows teaches reads wears supports requires allows contains includes sleeps "
        "stays keeps pays earns belongs ships trains manages leads attends believes trusts gets goes listens holds"
    )},
}  # fmt: skip
_HAVING_MOVED = re.compile(
    r"(?:\b(?:has|have|is|am|are)|'(?:s|ve|m|re)) (?:now |just |recently )?(moved|relocated|joined|living|working)\b"
)
_HELPERS = frozenset(("do", stem("does"), "stopp", "quit"))
_NEGATORS = frozenset(("not", "never"))
_LEFT_OUT = stems(
    "the a an now currently nowadays anymore any more longer still already actually not no never next this every each "
    "called named dr mr mrs ms prof please really very ,"
)
_PRONOUNS = stems("he she it they that there what who which you one these those")
_CLAUSE_ENDS = stems("and but because since so while although , or")
_UNSURE = re.compile(
    r"\b(if|unless|maybe|perhaps|might|could|would|should|used to|was|were|thinking|considering|plan(s|ning)? to"
    r"|hop(e|es|ing) to|going to|want(s)? to|yesterday|today|tomorrow|tonight|ago)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(not|no|never|without|stopped|quit|gave up)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(now|no longer|any ?more|from now on|these days|currently|instead|switched|changed|since)\b", re.IGNORECASE
)
_ADDITION = re.compile(
    r"\b(too|also|as well|another|additional(ly)?|second|both|sometimes|often|occasionally|either|or|only|except)\b",
    re.IGNORECASE,
)
_CERTAIN = re.compile(r"\s*(?:the|my|our|your|his|her|their|\w+(?: \w+)?'s)\b", re.IGNORECASE)
_NAMING = re.compile(r"\b(called|named|name is)\b", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:(?:, (?:and )?(?:no longer|not)| instead of| rather than) [^,]*|,? after all\W*)$", re.IGNORECASE
)
"""The end of a sentence that says what is no longer so, or says nothing."""
