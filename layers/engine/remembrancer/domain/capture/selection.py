"""Which turns of a conversation say something: rules without a language model (docs/capture.md, Rules).

A turn is kept if one of its sentences states something. A sentence is looked at in this order:

1. Output of programs, greetings, thanks, assent, a name for an introduction and "we'll skip that" state nothing.
2. A wish to remember something, or for how to answer from then on, is kept, and an appointment.
3. A question or a request is kept for a clause that states something, or for what it tells of the speaker's people.
4. Anything else states something if its subject is the speaker, a person or a thing with a predicate, or if it has
   enough words with a meaning. A reaction to the other speaker needs more of them.

The words are in `phrases`. A sentence in a language without a list is neither 1, 2 nor 3, unless it
ends with a question mark.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from remembrancer.domain.capture import phrases
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.context import authored_text
from remembrancer.domain.lexical_index.words import is_unspaced, written
from remembrancer.domain.personal_data.invisible_characters import removed

RULES = "rules-5"
"""Version of these rules, in the provenance of the memories made by them."""

STATEMENT = "statement"
ANSWERED = "answered"
NO_STATEMENT = "no_statement"
QUESTION = "question"
ASSISTANT = "assistant"


COURTESY, LET_GO, WISH, ASKING, TOLD_BESIDE, TOLD, UNTOLD = (
    "courtesy", "let go", "wish", "asking", "told beside", "told", "untold",
)  # fmt: skip
"""What a sentence does: `wish` for answers, or an appointment; `told beside` a question or a request."""
_STATING = frozenset((WISH, TOLD_BESIDE, TOLD))


def says_something(text: str, names: Collection[str] = ()) -> bool:
    """Whether a sentence tells a fact or a wish, so that the turn is kept; `names` are those of the speakers."""
    return any(kind(sentence, names) in _STATING for sentence in sentences_of(text))


def last_question(text: str) -> str:
    """The sentence that a text ends with, where it is a question; otherwise empty."""
    sentences = [sentence.strip() for sentence in _SENTENCE_END.split(text) if sentence.strip()]
    return sentences[-1] if sentences and is_marked(sentences[-1]) else ""


def kind(sentence: str, names: Collection[str] = ()) -> str:
    """What a sentence does: one of the constants above; `names` are those of the speakers."""
    clauses = said_in(sentence)
    if not clauses:
        return COURTESY
    if _lets_go(sentence):
        return LET_GO
    first = clauses[0]
    if _instructs(first, has_more=len(clauses) > 1) or _arranges(clauses):
        return WISH
    if is_marked(sentence) or any(map(asks, clauses)) or (len(clauses) == 1 and _is_short_request(first)):
        if _is_dismissal(first):
            return ASKING
        plain = _clauses(QUOTED.sub(" ", sentence))
        is_told = _states_beside(_said(plain), is_question=is_marked(sentence)) or _tells_of_people(first, plain)
        return TOLD_BESIDE if is_told else ASKING
    return TOLD if _tells([token for clause in clauses for token in clause.tokens], names) else UNTOLD


# Texts, sentences, clauses

_SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\b[DM]r\.)(?<!\b(?:Ms|St)\.)(?<!\bMrs\.)(?<!\bProf\.)[\"')\]]{0,3}\s+|(?<=[。！？؟।۔։])|\n"
)
_CONNECTORS = "|".join(map(re.escape, sorted(phrases.CONNECTORS, key=len, reverse=True)))
_CLAUSE_END = re.compile(
    r"[,;:](?=\s|$)|[、，；：،؛]|\s[-–—]\s|—|[()]|(?<=, )as(?=\s)|"
    r"(?<=\s)so(?= (?:i|we|he|she|they|my|our|please|can|could|what|which|how)\b)|"
    rf"(?<=\s)(?:{_CONNECTORS})(?=\s)",
    re.IGNORECASE,
)
QUESTION_MARK = re.compile("[?？؟;՞]")
QUOTED = re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|(?<!\w)'[^'\n]*'(?!\w)|「[^「」\n]*」")
_OUTPUT = re.compile(
    r"\s*+(?:at [\w$.<>]{1,100} ?\(|at \S{0,200}[A-Za-z/]:\d+|File \"|\S{1,200}\.\w{1,4}:\d+|"
    r"Process finished|exit(?:ed)? code|(?:ts|time|level)=\S|"
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\[?\d\d:\d\d:\d\d[\].,]|"
    r"[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d |\d+\.\d+\.\d+\.\d+ - |"
    r"(?:[Ee]rror|fatal|warning|panic)(?:\[\w+\])?: |(?:ba|z|fi|k|da)?sh: |Segmentation fault|FAILED \S+|\[\d+\] |"
    r"[$%] ?[a-z]+ |>>> |\./\w|"
    r"(?:async )?def \w+\(|class \w+[(:{]|import [\w.]+$|from [\w.]+ import |#include|for \w+ in .*:$|function \w+\(|"
    r"(?:const|let|var) \w+ ?=|(?:SELECT|INSERT INTO|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE) |"
    r"[\w.]{1,100}\([^()]{0,200}\);?$|[\w.]{1,100} ?[-+*/]?= ?(?:[\"'\[{(]|\w+[(\[])|\S{0,200}[;{}]$|<\w+ \w+=)"
)
"""How a line of a log, a stack trace, a terminal or a program begins."""


def sentences_of(text: str) -> Iterator[str]:
    """Without pasted lines, and without what is handed over for work: the text behind "Translate this:"."""
    for line in authored_text.authored(removed(text).replace("’", "'")).splitlines():
        if _OUTPUT.match(line) or _is_command(line):
            continue
        for sentence in _SENTENCE_END.split(line.strip()):
            request, *handed_over = _COLON.split(sentence, maxsplit=1)
            if handed_over and _hands_over(request):
                yield request
                return
            yield sentence


_COLON = re.compile(r"(?<!\d)[:：]|[:：](?!\d)")
"""Not that of a time: "9:15"."""
_FLAG = frozenset("-./=")


def _is_command(line: str) -> bool:
    """Whether it is a line for a shell: a program's name, and no word of prose."""
    first, *others = line.split() or [""]
    is_flagged = any(not _FLAG.isdisjoint(word[:-1]) for word in others)
    return (
        (first in phrases.COMMANDS or (first in phrases.COMMON_COMMANDS and is_flagged))
        and bool(others)
        and (phrases.PROSE | phrases.FINITE).isdisjoint(word.lower() for word in others)
    )


def _hands_over(request: str) -> bool:
    return any(
        not phrases.HANDING_OVER.isdisjoint(clause.words[:6]) and asks(clause) for clause in _said(_clauses(request))
    )


@dataclass(frozen=True, slots=True)
class Clause:
    """Words as they are written and in lower case, and the connector before them, empty behind a comma.

    `'s`, `'m` and the like are words of their own.
    """

    connector: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    text: str


def _clauses(sentence: str) -> list[Clause]:
    found: list[Clause] = []
    connector, start = "", 0
    for end in [*_CLAUSE_END.finditer(sentence), None]:
        text = sentence[start : end.start() if end else len(sentence)]
        tokens = tuple(_tokens(text))
        if tokens:
            found.append(Clause(connector, tokens, tuple(token.lower() for token in tokens), text))
            connector = ""
        if end:
            connector = end[0].strip(" ,;、，；،؛-–—()").lower() or connector
            start = end.end()
    return found


def _tokens(text: str) -> Iterator[str]:
    for token in written(text):
        stem, apostrophe, ending = token.partition("'")
        if apostrophe and ending.lower() in phrases.ENDINGS:
            yield from (stem, f"'{ending}")
        else:
            yield token


def words_of(text: str) -> list[str]:
    """Its words in lower case; `'s`, `'m` and the like are words of their own."""
    return [token.lower() for token in _tokens(text)]


def begins_with(words: Sequence[str], known: Collection[str]) -> bool:
    """Whether their first word or words, at most `phrases.LONGEST`, are a known phrase."""
    return any(" ".join(words[:length]) in known for length in range(1, 1 + min(len(words), phrases.LONGEST)))


def _ends_with(words: Sequence[str], known: Collection[str]) -> bool:
    return any(" ".join(words[-length:]) in known for length in range(1, 1 + min(len(words), 3)))


def is_marked(sentence: str) -> bool:
    """Whether it ends with a question mark."""
    return sentence.rstrip(" \t\"')").endswith(("?", "？", "؟", "՞")) or (
        sentence.rstrip().endswith((";", ";")) and _GREEK.search(sentence) is not None
    )


_GREEK = re.compile("[Ͱ-Ͽ]")


# 1. Greetings, thanks, assent, introductions


def said_in(sentence: str) -> list[Clause]:
    """Its clauses without courtesies, names of the addressed and words that open a sentence."""
    return _said(_clauses(sentence))


def _said(clauses: Sequence[Clause]) -> list[Clause]:
    opened = [_opened(clause) for clause in clauses if not _is_courtesy(clause)]
    said = [clause for clause in opened if clause.words and not _is_courtesy(clause)]
    is_greeted = len(said) < len(clauses)
    if is_greeted and len(said) == 1 and _introduces(said[0]):
        return []
    if len(clauses) > 1:
        ends = [
            end.tokens for end, after in ((clauses[0], clauses[1]), (clauses[-1], clauses[-1])) if not after.connector
        ]
        said = [clause for clause in said if not (clause.tokens in ends and _is_address(clause))]
    return [] if len(said) == 1 and _introduces(said[0]) else said


def _opened(clause: Clause) -> Clause:
    start = 0
    while start < len(clause.words) and clause.words[start] in phrases.OPENINGS:
        start += 1
    for length in (3, 2):
        if " ".join(clause.words[start : start + length]) in phrases.OPENING_PHRASES:
            start += length
            break
    return Clause(clause.connector, clause.tokens[start:], clause.words[start:], clause.text) if start else clause


def _is_address(clause: Clause) -> bool:
    return len(clause.tokens) <= 2 and all(
        token[0].isupper() and word not in _NO_NAMES for token, word in zip(clause.tokens, clause.words, strict=True)
    )


_NO_NAMES = phrases.IMPERATIVES | phrases.INSTRUCTIONS | phrases.ASKING_FIRST


def _is_courtesy(clause: Clause) -> bool:
    """Whether all words are courtesies of one language, but for a name behind them; or thanks for something."""
    words = clause.words
    if _thanks_for(words):
        return True
    if is_unspaced(clause.text):
        return not _UNSPACED_COURTESY.sub("", "".join(words))
    if words[0] in phrases.PERSONAL or not _SELF.isdisjoint(words):
        return False
    common: frozenset[str] | None = None
    for place, word in enumerate(words):
        if word in phrases.INTERJECTIONS or word in _SIGNS:
            continue
        languages = phrases.COURTESIES.get(word, _NONE)
        if not languages:
            is_last = place > 0 and place >= len(words) - 1
            return is_last and clause.tokens[place][0].isupper() and words[0] in phrases.GREETINGS
        common = languages if common is None else common & languages
        if not common:
            return False
    return True


_SELF = frozenset(["i", "we", "my", "our", "his", "her"])
_NONE: frozenset[str] = frozenset()
_SIGNS = frozenset(f"'{ending}" for ending in phrases.ENDINGS)
_UNSPACED_COURTESY = re.compile("|".join(sorted(phrases.UNSPACED_COURTESIES, key=len, reverse=True)))


def _thanks_for(words: Sequence[str]) -> bool:
    """ "Thanks for your patience", in the languages that have a word for `for`; of the speaker's it says more."""
    place = next((place for place, word in enumerate(words[:4]) if word in phrases.THANKS), None)
    return (
        place is not None
        and not phrases.FOR.isdisjoint(words[place + 1 : place + 5])
        and len(words) <= 12
        and phrases.MINE.isdisjoint(words)
    )


def _introduces(clause: Clause) -> bool:
    """Whether it is nothing but a name: "this is Anna", "Bob here"."""
    words, tokens = clause.words, clause.tokens
    if len(words) <= 4 and words[-1] in phrases.HERE and tokens[0][0].isupper():
        return words[0] not in SMALL_TALK
    length = next((length for length in (3, 2, 1) if " ".join(words[:length]) in phrases.THIS_IS), 0)
    names = [token for token in tokens[length:] if token.lower() not in ("from", "again", "here", "speaking")]
    return length > 0 and len(names) <= 3 and all(token[0].isupper() for token in names)


# 2. Wishes to remember, and for how to answer


def _instructs(clause: Clause, *, has_more: bool) -> bool:
    words = without_politeness(clause.words)
    if is_unspaced(clause.text):
        return "".join(words).startswith(phrases.UNSPACED_INSTRUCTIONS)
    if begins_with(words, phrases.NO_INSTRUCTIONS):
        return False
    if begins_with(words, phrases.INSTRUCTIONS):
        return len(words) > 1 or has_more
    is_imperative = bool(words) and (words[0] in phrases.IMPERATIVES or begins_with(words, phrases.ASKING_FIRST))
    is_question = words[:1] == clause.words[:1] and words[:1] and words[0] in phrases.QUESTION_WORDS
    return (
        is_imperative
        and not is_question
        and any(
            " ".join(words[place : place + length]) in phrases.STANDING
            for place in range(1, len(words))
            for length in (1, 2, 3)
        )
    )


def without_politeness(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words behind "please", "could you", "I want you to" and the like, at most two of them."""
    for _ in range(2):
        length = next((n for n in range(5, 0, -1) if " ".join(words[:n]) in phrases.POLITE), 0)
        words = words[length:]
    return words


def _arranges(clauses: Sequence[Clause]) -> bool:
    """Whether it is an appointment: "Let's meet on Friday"."""
    is_common = clauses[0].words[:2] == ("let", "'s") and not phrases.ARRANGING.isdisjoint(clauses[0].words[2:3])
    return is_common and any(not phrases.DAYS.isdisjoint(clause.words) for clause in clauses)


# 3. Questions and requests


def asks(clause: Clause) -> bool:
    """Whether the clause asks the assistant for something, as its first words tell, or its last."""
    words = clause.words
    if is_unspaced(clause.text):
        joined = "".join(words)
        return joined.startswith(phrases.UNSPACED_ASKING_FIRST) or joined.endswith(phrases.UNSPACED_ASKING_LAST)
    if begins_with(words, phrases.ASKING_FIRST):
        return True
    if len(words) > 1 and (_ends_with(words, phrases.ASKING_LAST) or words[-1] in phrases.PLEASE):
        return True
    if words[-1].endswith(phrases.KOREAN_ASKING_LAST):
        return True
    if len(words) > 1 and words[0] in ("it", "this", "that") and words[1] in ("should", "needs"):
        return True
    return _is_english_question(clause) or _is_imperative(clause) or _wants_made(words)


def _is_english_question(clause: Clause) -> bool:
    words = clause.words
    first, second = words[0], (words[1] if len(words) > 1 else "")
    if first in phrases.QUESTION_WORDS:
        return second not in phrases.SUBJECTS | {"a", "an"}
    if first in ("when", "where"):
        return second in phrases.AUXILIARIES
    if first in ("does", "did"):
        return second != "not"
    if first not in phrases.AUXILIARIES:
        return False
    return second in phrases.SUBJECTS or (
        first in phrases.BEFORE_NOUNS
        and (second in phrases.DETERMINERS or (second != "" and clause.tokens[1][0].isupper()))
    )


def _is_imperative(clause: Clause) -> bool:
    """Whether a bare verb comes first: "Book a table", not "Book club meets on Monday"."""
    words = clause.words
    if (
        clause.connector not in ("", ":", "so")
        or words[0] not in phrases.IMPERATIVES
        or f"{clause.tokens[0]}-" in clause.text
    ):
        return False
    for word in words[1:4]:
        if word in phrases.FINITE:
            return False
        if word in phrases.AFTER_VERBS:
            break
    return True


def _wants_made(words: Sequence[str]) -> bool:
    """Whether the speaker wants what assistants make: "I need a poem"."""
    length = next((n for n in (5, 4, 3, 2) if " ".join(words[:n]) in phrases.WANTING), 0)
    return length > 0 and not phrases.MADE.isdisjoint(words[length : length + 4])


def _is_short_request(clause: Clause) -> bool:
    """Whether it is a request without a verb: "More examples", "The best beaches in Crete"."""
    return begins_with(clause.words, phrases.SHORT_REQUESTS) and phrases.STATING.isdisjoint(clause.words[1:])


def _is_dismissal(clause: Clause) -> bool:
    return clause.words[0] in ("forget", "ignore", "disregard", "delete", "vergiss", "oublie", "olvida", "dimentica")


def _lets_go(sentence: str) -> bool:
    """Whether it lets something go, or says that nothing is missing: "we'll skip that one"."""
    return len(sentence) <= MOST_LET_GO and _LETS_GO.fullmatch(sentence.strip()) is not None


MOST_LET_GO = 80
"""Characters of such a sentence: longer ones are read in a time that grows with the square of their length."""
_LETS_GO = re.compile(
    r"(?:(?:no|nah|nope|ok(?:ay)?|well|oh|ah|never ?mind)(?: then)?[,.!]? +)*"
    r"(?:(?:(?:we|i|let)(?:'ll| will|'d| would| can| could|'s)?(?: rather| just)? )?"
    r"(?:skip|leave|drop|pass on|ignore)(?: (?:it|that|this|them))(?: one| part| bit| question| for now| then| out)*|"
    r"we(?:'ll| will| can)? (?:do|go|manage) without(?: it| that| one)?|nothing(?: else| more)?(?: for (?:now|today))?|"
    r"(?:(?:we|i)(?:'re|'m| are| am) )?(?:all )?(?:good|set)|"
    r"i(?:'ve| have)? (?:got )?(?:a|one|another)(?: quick| short)? question|[, ])+[.!…]*",
    re.IGNORECASE,
)


def _states_beside(clauses: Sequence[Clause], *, is_question: bool) -> bool:
    """Whether a question or a request contains a clause with a subject and a predicate of its own."""
    if is_question:
        clauses = [clause for clause in clauses if not phrases.TAGS.issuperset(clause.words)]
    is_hypothetical = bool(clauses) and clauses[0].words[0] in phrases.HYPOTHETICAL
    for place, clause in enumerate(clauses):
        if asks(clause) or (is_hypothetical and clause.connector == "" and place == 0):
            continue
        if clause.connector in phrases.OF_PURPOSE and not _is_told(clause):
            continue
        if is_question and len(clauses) == 1 and clause.connector == "":
            return False
        if _has_subject(clause, is_alone=len(clauses) == 1 or clause.connector in phrases.OF_PURPOSE):
            return True
    return False


def _is_predicate(words: Sequence[str], place: int) -> bool:
    word = words[place]
    return word in phrases.FINITE or (word in phrases.STATING and words[place - 1].endswith("s"))


def _is_finite(words: Sequence[str], place: int) -> bool:
    return words[place] in phrases.STATING and words[place - 1] not in phrases.AFTER_VERBS


def _is_told(clause: Clause) -> bool:
    """Whether the words behind `that` or `so` say how something is, not for what it is wanted."""
    return phrases.PURPOSES.isdisjoint(clause.words[1:4])


def _has_subject(clause: Clause, *, is_alone: bool) -> bool:
    """Whether a subject with its predicate comes first; things count only in clauses beside another."""
    words = clause.words
    if is_unspaced(clause.text):
        joined = "".join(words)
        return len(joined) > 2 and joined.startswith(phrases.UNSPACED_OWN)
    is_own = len(words) > 1 and begins_with(words, phrases.OWN)
    return is_own or _is_of_person(words) or (not is_alone and _is_of_thing(clause))


def _is_of_person(words: Sequence[str]) -> bool:
    if words[0] in phrases.PERSONAL or words[0] in phrases.ELLIPTIC:
        return len(words) > 1 and not _reacts(words)
    return words[0] in phrases.POSSESSIVE and not phrases.STATING.isdisjoint(words[2:7])


def _is_of_thing(clause: Clause) -> bool:
    words = clause.words
    first, second = words[0], (words[1] if len(words) > 1 else "")
    if first in ("it", "this", "that"):
        return len(words) > 2 and second in ("'s", "is", "was", "must") and not _reacts(words)
    if first == "there":
        return second in phrases.FINITE and not phrases.MINE.isdisjoint(words)
    if first in phrases.ARTICLES:
        return any(_is_predicate(words, place) for place in range(2, min(len(words), 6)))
    if first in phrases.POSSESSIVE:
        return len(words) > 2 and words[2].endswith("s")
    if not phrases.COPULAS.isdisjoint(words[1:4]):
        return words[-1] not in phrases.COPULAS
    is_named = clause.tokens[0][0].isupper() and any(_is_finite(words, place) for place in range(1, min(len(words), 4)))
    return is_named or (second in phrases.FINITE and first not in SMALL_TALK)


def _tells_of_people(first: Clause, clauses: Sequence[Clause]) -> bool:
    """Whether it tells of the speaker or the speaker's people: "my daughter Mia", "my son who …", "As a nurse, …"."""
    tokens = [token for clause in clauses for token in clause.tokens]
    words = [token.lower() for token in tokens]
    if first.words[:1] == ("as",) and first.words[1:2] in (("a",), ("an",)) and len(clauses) > 1:
        return not {"i", "my", "me"}.isdisjoint(words[2:])
    return any(_is_told_of(tokens, words, place) for place, word in enumerate(words) if word in phrases.POSSESSIVES)


def _is_told_of(tokens: Sequence[str], words: Sequence[str], place: int) -> bool:
    """Whether the noun behind the possessive has a name, a relative clause or a quality."""
    near = list(takewhile(lambda word: word not in phrases.AFTER_NOUNS, words[place + 1 : place + 5]))
    is_german = words[place] in phrases.GERMAN_POSSESSIVES
    for at in (place + 2, place + 3):
        if at >= len(words):
            break
        behind, noun = tokens[at], tokens[at - 1]
        if words[at] in phrases.RELATIVES and at + 1 < len(words):
            return words[place] not in ("my", "our") or words[at - 1] in phrases.PERSONS or words[at] != "that"
        if noun.lower() in phrases.AFTER_VERBS or noun.lower() in phrases.FOR:
            break
        is_name = behind[0].isupper() and len(behind) > 1 and behind.lower() not in phrases.CALENDAR
        if is_name and noun[0].isupper() == is_german:
            return True
    if words[place] not in ("my", "our"):
        return False
    person = next((at for at, word in enumerate(near) if word in phrases.PERSONS), None)
    if person is None:
        return not phrases.CONDITIONS.isdisjoint(near[:3])
    follows = near[person + 1 : person + 2]
    return any(word not in phrases.PLAIN_ADJECTIVES for word in near[:person]) or (
        bool(follows) and follows[0] in ("with", "has", "is", "named", "called", "whose") and len(near) > person + 2
    )


# 4. Statements

_LEAST_REACTING = 3
"""Meaning words that a sentence about the other speaker must contain: praise and comfort contain fewer."""


def _tells(tokens: Sequence[str], names: Collection[str]) -> bool:
    words = [token.lower() for token in tokens]
    has_name = any(token[0].isupper() and len(token) > 2 and _means(token.lower(), names) for token in tokens[1:])
    if not any(word[0].isalpha() for word in words) or (
        begins_with(words, phrases.WISHES) and (not has_name or not phrases.CALENDAR.isdisjoint(words))
    ):
        return False
    meaning = meaning_words(words, names)
    if words[0] in phrases.PERSONAL or (words[0] in phrases.POSSESSIVE and len(words) > 2):
        return _tells_of_person(tokens, words, meaning)
    if words[0] == "it" and words[1:2] in (["'s"], ["is"], ["was"]):
        return (meaning > 0 and not _reacts(words)) or ("me" in words and not _PAST.isdisjoint(words))
    if not phrases.MINE.isdisjoint(words):
        is_shown = words[1:3] in (
            ["'s", "my"],
            ["is", "my"],
            ["are", "my"],
            ["'s", "our"],
            ["is", "our"],
            ["are", "our"],
        )
        least = 1 if is_shown else 3 if words[0] == "you" else 2 if words[0] in phrases.REACTIONS else 1
        return meaning >= least or has_name or words[-1] == "mine"
    return has_name or (len(words) > 1 and begins_with(words, phrases.OWN)) or _tells_of_thing(tokens, words, meaning)


def _tells_of_person(tokens: Sequence[str], words: Sequence[str], meaning: int) -> bool:
    is_named = words[1:2] in (["'m"], ["am"]) and len(tokens) > 2 and tokens[2][0].isupper()
    return is_named or (not _reacts(words) and (meaning > 0 or phrases.OTHERS.isdisjoint(words)))


def _tells_of_thing(tokens: Sequence[str], words: Sequence[str], meaning: int) -> bool:
    if words[0] in phrases.ELLIPTIC:
        return meaning > 0 or (len(words) > 1 and not _reacts(words))
    if words[0] in phrases.REACTIONS:
        return meaning >= _LEAST_REACTING + (words[0] == "you")
    if meaning == 1 and not phrases.FINITE.isdisjoint(words[1:4]):
        return tokens[0][0].isupper() and (words[0] == "the" or words[0] not in SMALL_TALK)
    return meaning + any(word.isdecimal() for word in words if len(word) == 1) >= 2


_PAST = frozenset(["was", "been"])


def _reacts(words: Sequence[str]) -> bool:
    """Whether all words behind the subject only answer the other: "I see", "She is lovely"."""
    return phrases.REACTING.issuperset(words[1:]) and not ("not" in words and not phrases.STATES.isdisjoint(words))


def meaning_words(words: Sequence[str], names: Collection[str] = ()) -> int:
    """How many of these words in lower case have a meaning; a letter of a script without blanks is a word."""
    return sum(max(1, _unspaced_letters(word)) for word in words if _means(word, names))


def _unspaced_letters(word: str) -> int:
    """Scripts without blanks between words: each letter may be a word."""
    return sum(character.isalpha() for character in word) if is_unspaced(word) else 0


def _means(word: str, names: Collection[str]) -> bool:
    """Whether it is a meaning word; a speaker's name is none, nor its beginning, as Mel of Melanie."""
    return (
        (len(word) > 1 or not word.isascii())
        and word not in SMALL_TALK
        and word not in _SIGNS
        and not (len(word) > 2 and any(name.startswith(word) for name in names))
    )
