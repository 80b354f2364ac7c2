"""Tells standing instructions to the assistant ("Always answer in German", "Call me Sam") from requests for once.

What is in doubt is none, since what is pinned stands in every prompt. A sentence is one if it is the user's own order,
for what an assistant does again and again, and says so:

1. with words for all answers to come ("from now on", "in your answers"), or with a name for the user ("call me Sam");
2. with "always" or "never" beside the verb, behind "when I ask …", or as a rule for "your answers";
3. with what answers may contain whatever they are about ("don't use emojis").

Not 2 behind a request or a question, which it may be about, and not 3 in one turn with either.
"""

import re
from collections.abc import Collection, Sequence
from enum import IntEnum
from itertools import pairwise

from remembrancer.domain.capture import language, phrases, selection
from remembrancer.domain.capture.selection import Clause
from remembrancer.domain.lexical_index.words import written
from remembrancer.domain.times import phrases as times

MOST_CHARACTERS = 400
"""Longer turns are about something else, or pasted."""


class _Kind(IntEnum):
    """What a sentence is; the numbers of the instructions are those above, backwards."""

    OTHER = 0
    REQUEST = 1
    OF_MANNER = 2
    REPEATED = 3
    LASTING = 4


def instruction(text: str, names: Collection[str] = ()) -> str | None:
    """The sentences of a user's turn that give a standing instruction, with those that state something; None without
    an instruction. `names` are those of the speakers, in lower case.
    """
    if len(text) > MOST_CHARACTERS or _is_of_others(text):
        return None
    sentences = [sentence for sentence in selection.sentences_of(text) if sentence]
    kinds = _kinds(sentences)
    requested = kinds.index(_Kind.REQUEST) if _Kind.REQUEST in kinds else len(kinds)
    stands = [
        kind is _Kind.LASTING
        or (kind is _Kind.REPEATED and place < requested)
        or (kind is _Kind.OF_MANNER and requested == len(kinds))
        for place, kind in enumerate(kinds)
    ]
    if not any(stands):
        return None
    return " ".join(
        sentence
        for sentence, is_standing in zip(sentences, stands, strict=True)
        if is_standing or selection.says_something(sentence, names)
    )


def _is_of_others(text: str) -> bool:
    """Whether it begins a game, or has a block that was pasted, or more than a sentence in quotes."""
    return (
        not language.GAMES.isdisjoint(word.lower() for word in written(text))
        or any(line.lstrip().startswith((">", "|", "```", "~~~")) for line in text.splitlines())
        or any(len(list(selection.sentences_of(quoted))) > 1 for quoted in selection.QUOTED.findall(text))
    )


def _kinds(sentences: Sequence[str]) -> list[_Kind]:
    """Of each sentence; those behind a colon that the user's own words do not lead to may be of others."""
    found: list[_Kind] = []
    is_own = True
    for sentence in sentences:
        kind = _kind(sentence) if is_own else _Kind.OTHER
        found.append(kind)
        is_own = is_own and (kind > _Kind.REQUEST or _COLON.search(sentence) is None)
    return found


def _kind(sentence: str) -> _Kind:
    clauses = selection.said_in(selection.QUOTED.sub(_own_words, sentence))
    if not clauses:
        return _Kind.OTHER
    is_question = selection.is_marked(sentence)
    ordered = _Kind.OTHER if _is_for_once(sentence, clauses) else _ordered(clauses, is_question=is_question)
    if ordered is not _Kind.OTHER:
        return ordered
    is_role = clauses[0].words[:2] in _ROLE
    return _Kind.REQUEST if is_question or is_role or any(map(selection.asks, clauses)) else _Kind.OTHER


def _own_words(quoted: re.Match[str]) -> str:
    """A single word in quotes, such as a name, is the user's own; more may be somebody else's."""
    return " " if " " in quoted[0] else quoted[0][1:-1]


def _is_for_once(sentence: str, clauses: Sequence[Clause]) -> bool:
    words = [word for clause in clauses for word in clause.words]
    place = 0
    while place < len(words):
        length = _length(words[place:], phrases.FROM_NOW_ON)
        if not length and _length(words[place:], phrases.ONCE):
            return True
        place += length or 1
    return any(not phrase.is_onwards for phrase in times.find(sentence))


def _ordered(clauses: Sequence[Clause], *, is_question: bool) -> _Kind:
    """What its first order is, before which only words of the user's own may stand."""
    is_lasting = any(_is_whole(clause, _TO_COME) for clause in clauses)
    is_repeated = is_reminder = False
    for place, clause in enumerate(clauses):
        if clause.connector not in _JOINING and not (is_reminder and clause.connector == "that"):
            break
        is_reminder = _is_whole(clause, phrases.REMINDING)
        if is_reminder or _is_whole(clause, _TO_COME):
            continue
        if _is_condition(clause.words):
            is_repeated = True
        elif (ordered := _order(clause, is_lasting=is_lasting, is_repeated=is_repeated)) is not _Kind.OTHER:
            is_asked = is_question and not selection.begins_with(clause.words, _POLITELY)
            return _Kind.OTHER if is_asked or _is_undone(clause, clauses[place + 1 :]) else ordered
        elif not _is_own(clause.words):
            break
    return _Kind.OTHER


def _is_undone(clause: Clause, others: Sequence[Clause]) -> bool:
    """Whether what follows the order says that somebody else gave it, or points at something: "Never use that tone"."""
    is_bare = clause.words[-1] in phrases.ANSWERING and clause.words[-1] != "assume"
    is_pointing = is_bare and len(others) > 0 and others[0].connector == "that"
    return is_pointing or any(not phrases.REPORTING.isdisjoint(other.words[:2]) for other in others)


def _is_whole(clause: Clause, known: Collection[str]) -> bool:
    return _length(clause.words, known) == len(clause.words)


def _is_condition(words: Sequence[str]) -> bool:
    """Whether it is "whenever I ask …", of what a user does again and again."""
    length = _length(words, _WHENEVER)
    subject, verb, thing = [*words[length : length + 3], "", "", ""][:3]
    is_asking = length > 0 and subject in ("i", "we") and verb in phrases.ASKING_AGAIN
    return is_asking and (words[0] not in ("when", "if") or thing not in _THE)


def _is_own(words: Sequence[str]) -> bool:
    """Whether the user says something that is so, and nothing of what others say."""
    told = words[1:] if words[0] in _BECAUSE else words
    is_own = bool(told) and (told[0] in _SELF or selection.begins_with(told, phrases.OWN))
    return is_own and phrases.REPORTING.isdisjoint(words)


def _order(clause: Clause, *, is_lasting: bool, is_repeated: bool) -> _Kind:
    """What the clause orders, behind words for all answers to come or a condition."""
    words = clause.words
    is_lasting = is_lasting or any(_length(words[place:], phrases.FROM_NOW_ON) for place in range(len(words)))
    is_first, words = _begun(words)
    is_last, words = _ended(words)
    is_lasting = is_lasting or is_first or is_last
    is_denied, is_always, words = _unmodified(words)
    if not words:
        return _Kind.OTHER
    if _calls(words, clause):
        return _Kind.LASTING
    is_order = words[0] in phrases.ANSWERING and _is_ordered(words)
    is_order = is_order or (is_denied and words[0] in phrases.ANSWERING_ING)
    if is_lasting and (is_order or _is_infinitive(words) or _is_rule(words)):
        return _Kind.LASTING
    behind = next((word for word in words[1:] if word not in _TO_ME), "")
    is_always = is_always or behind in phrases.ALWAYS or (is_denied and words[-1] in phrases.ALWAYS)
    is_always = is_always and words[1:] not in _JUST_ALWAYS and not _is_shared(clause.words)
    if (is_order and (is_always or is_repeated)) or (is_always and _is_infinitive(words)) or _is_about_answers(words):
        return _Kind.REPEATED
    return _Kind.OF_MANNER if is_order and (is_denied or words[0] == "avoid") and _is_manner(words) else _Kind.OTHER


def _begun(words: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """Whether words for all answers to come stand first, and what is behind these, politeness and reminders."""
    is_lasting = False
    while length := _length(words, _FIRST):
        is_lasting = is_lasting or " ".join(words[:length]) in _TO_COME
        words = words[length:]
    return is_lasting, words


def _ended(words: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """The same for words at the end."""
    is_lasting = False
    while length := next((n for n in range(phrases.LONGEST, 0, -1) if " ".join(words[-n:]) in _LAST), 0):
        if length >= len(words):
            break
        is_lasting = is_lasting or " ".join(words[-length:]) not in _AFTER_ALL
        words = words[:-length]
    return is_lasting, words


def _unmodified(words: tuple[str, ...]) -> tuple[bool, bool, tuple[str, ...]]:
    """Whether it is denied, whether it is for always or never, and the words from the verb on."""
    is_denied = is_always = False
    while words:
        if words[0] in phrases.ALWAYS:
            is_always = True
        elif words[0] in _DENYING or words[:2] == ("do", "not"):
            is_denied = True
        elif is_denied and words[0] in ("ever", "not"):
            is_always = is_always or words[0] == "ever"
        elif words[0] not in _BEFORE_VERB or _length(words, phrases.CALLING):
            break
        words = words[1:]
    return is_denied, is_always, words


def _calls(words: tuple[str, ...], clause: Clause) -> bool:
    """Whether it says by what name the user, or what is the user's, wants to be called."""
    if words[:2] == ("refer", "to") and words[2:3] in (("my",), ("our",)):
        return any(before == "as" and word not in phrases.NO_NAMES for before, word in pairwise(words[3:]))
    length = _length(words, phrases.CALLING)
    name = words[length:]
    if not length or not name or len(name) > _LONGEST_NAME:
        return False
    if " ".join(words[:length]) not in phrases.ENGLISH_CALLING:
        return clause.tokens[clause.words.index(name[0])][0].isupper()
    return name[:2] == ("by", "my") or (name[0] not in phrases.NO_NAMES and name[0].isalpha())


def _is_ordered(words: tuple[str, ...]) -> bool:
    """Whether what stands behind the verb is what an assistant is asked for, and nothing pointed at."""
    behind = phrases.BEHIND_VERBS.get(words[0])
    rest = words[1:]
    if rest[:1] in (("that",), ("those",)) or rest in (("it",), ("me",)):
        return False
    return behind is None or not behind.isdisjoint(words[1:3])


def _is_infinitive(words: Sequence[str]) -> bool:
    """Whether it ends as German and Dutch orders without a subject: "nur noch kurze Antworten geben"."""
    is_order = len(words) > 1 and words[-1] in phrases.ANSWERING and words[-1].endswith("en")
    return is_order and not any(selection.begins_with(words[place:], phrases.OWN) for place in range(len(words)))


def _is_rule(words: tuple[str, ...]) -> bool:
    """Whether it is a rule for answers without a verb: "short answers only", "no emojis"."""
    others = [word for word in words if word not in phrases.ANSWERS_TO_COME]
    is_about = len(others) < len(words) or _is_manner(words)
    return is_about and (phrases.FINITE | phrases.STATING | phrases.PERSONAL | phrases.POSSESSIVE).isdisjoint(others)


def _is_about_answers(words: tuple[str, ...]) -> bool:
    """Whether it says how the answers to come should be: "keep your answers short", "I prefer short answers"."""
    start = _length(words, _WANTED)
    is_wanted = start > 0 and not phrases.ANSWERS_TO_COME.isdisjoint(words[start : start + 4])
    is_kept = words[:2] == ("keep", "your") and words[2:3] in _ANSWERS
    is_due = words[:1] == ("your",) and words[1:2] in _ANSWERS and words[2:3] in (("should",), ("must",))
    is_how = not phrases.WAYS.isdisjoint(words) or (is_due and not phrases.ALWAYS.isdisjoint(words))
    return is_how and (is_wanted or is_kept or is_due)


def _is_manner(words: Sequence[str]) -> bool:
    """Whether it ends with what answers may contain whatever they are about."""
    return len(words) <= _LONGEST_MANNER and any(" ".join(words[-n:]) in phrases.MANNERS for n in (1, 2))


def _is_shared(words: Sequence[str]) -> bool:
    return words[0] == "lets" or words[:2] == ("let", "'s")


def _length(words: Sequence[str], known: Collection[str]) -> int:
    """Words of the longest known phrase that they begin with."""
    return next((n for n in range(min(len(words), phrases.LONGEST), 0, -1) if " ".join(words[:n]) in known), 0)


_COLON = re.compile(r"[:：](?=\s|$)")
_JOINING = frozenset(("", ":", "so", "and", "but", "und", "y", "et"))
_WHENEVER = frozenset(("when", "whenever", "if", "anytime", "any time", "every time", "each time"))
_THE = frozenset(("the", "this", "that", "it", "my", "his", "her", "them", "you", "him"))
_POLITELY = frozenset(("could you", "would you", "can you please", "please"))
_ROLE = (("you", "are"), ("you", "'re"))
_SELF = frozenset(("i", "we", "my", "our"))
_BECAUSE = frozenset(("since", "because", "as", "weil", "da"))
_TO_COME = phrases.FROM_NOW_ON | phrases.AT_FIRST
_YOU_SHOULD = frozenset(f"you {verb}" for verb in ("should", "must", "have to", "need to", "shall"))
_FIRST = _TO_COME | phrases.REMINDING | phrases.POLITE | phrases.PLEASE | _YOU_SHOULD
_AFTER_ALL = phrases.NO_MORE | phrases.PLEASE
_LAST = phrases.FROM_NOW_ON | phrases.AT_LAST | _AFTER_ALL
_TO_ME = frozenset(("me", "us", "mir", "uns", "moi", "mi", "мне", "please", "bitte"))
_DENYING = frozenset(("don't", "dont", "stop", "ne", "non", "no", "não", "не", "nie", "inte", "ikke", "älä", "niet"))
_BEFORE_VERB = frozenset(("only", "just", "do", "me", "te", "mi", "nur"))
_ANSWERS = frozenset((word,) for word in phrases.ANSWERS_TO_COME)
_WANTED = frozenset(("i prefer", "i 'd prefer", "i would prefer", "i want all", "i 'd like all", "i always want"))
_JUST_ALWAYS = tuple((word,) for word in phrases.ALWAYS)
_LONGEST_NAME = 4
_LONGEST_MANNER = 5
