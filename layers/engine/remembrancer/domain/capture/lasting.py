"""Tells what is so ("I am vegan", "My sister's name is Ana") from what happens ("I ate with Ana", "I am tired").

What is so is one fact, however often it is said; what happens on two days happens twice. English only, and narrow on
purpose: whatever is in doubt happens, since of two events that are taken for one fact, one is lost.
"""

import re
from collections.abc import Sequence

from remembrancer.domain.capture import clauses, language
from remembrancer.domain.capture.clauses import ADDRESSEE, POSSESSIVE, SPEAKER, Token
from remembrancer.domain.times import phrases

MOST_CHARACTERS = 400
"""Longer texts tell more than what is so."""


def is_lasting(text: str) -> bool:
    """Whether every sentence says what is so, of the speaker and the speaker's people and things; greetings aside."""
    if len(text) > MOST_CHARACTERS:
        return False
    read = clauses.sentences(clauses.lines_kept(text))
    told = [sentence for sentence in read if not _is_empty(sentence.text)]
    return bool(told) and all(not sentence.is_question and _is_state(sentence.text) for sentence in told)


def _is_empty(sentence: str) -> bool:
    return all(token.word in language.FILLERS for token in clauses.tokens(sentence))


def _is_state(sentence: str) -> bool:
    tokens = _from_subject(clauses.tokens(sentence))
    words = [token.word for token in tokens]
    is_of_every_year = not _EVERY_YEAR.isdisjoint(words)
    if _is_in_doubt(words) or _GERMAN.search(sentence) or _MEAL.search(sentence):
        return False
    if not is_of_every_year and (phrases.find(sentence) or any(map(_ORDINAL.fullmatch, words))):
        return False
    begins = clauses.boundaries(tokens)
    ends = [*begins[1:], len(tokens)]
    has_article = _IS_A.search(clauses.plain(sentence)) is not None
    return all(
        _is_clause(_from_subject(tokens[start:end]), has_article=has_article)
        for start, end in zip(begins, ends, strict=True)
    )


def _from_subject(tokens: Sequence[Token]) -> Sequence[Token]:
    begin = next((place for place, token in enumerate(tokens) if token.word not in _OPENERS), len(tokens))
    return tokens[begin:]


def _is_in_doubt(words: Sequence[str]) -> bool:
    """Whether a word may tell of the past, of what is to come, of the moment, or of something said before."""
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        if (word, after) in language.PAIRED_STATES:
            continue
        if word == "may" and not _EVERY_YEAR.isdisjoint(words):
            continue
        if word in _DOUBTFUL or (before in _BEFORE_ING and word.endswith("ing")):
            return True
        is_past = word in language.PASTS or (word.endswith("ed") and not word.endswith("eed"))
        if is_past and word not in language.REGULAR_PRESENTS:
            return True
    return False


def _is_clause(tokens: Sequence[Token], *, has_article: bool) -> bool:
    """`has_article`: a noun with a or an stands behind the verb of its sentence."""
    words = [token.word for token in tokens]
    if len(words) > 4 and tokens[0].is_name and words[1] in _BE and words[2:4] == [SPEAKER, POSSESSIVE]:
        return not language.RELATIONS.isdisjoint(words[4:])
    if words[:1] != [SPEAKER]:
        return False
    if words[1:2] != [POSSESSIVE]:
        return _is_predicate(tokens[1:], has_article=has_article)
    # In `my name's Ana` it is a verb.
    words = [
        "is" if word == POSSESSIVE and before in language.ATTRIBUTES else word
        for before, word in zip(["", *words], words, strict=False)
    ]
    verb = next((place for place in range(3, len(words)) if _is_verb(words[place])), 0)
    if not verb or verb > _LONGEST_SUBJECT:
        return False
    subject = words[2:verb]
    if words[verb] in _BE and (subject[-1] in language.ATTRIBUTES or not _FAVOURITES.isdisjoint(subject)):
        return len(words) > verb + 1
    return _is_predicate(tokens[verb:], has_article=has_article)


def _is_verb(word: str) -> bool:
    return word in _BE or word in _AUXILIARIES or word in language.HABITUAL or _base(word) in language.HABITS


def _is_predicate(tokens: Sequence[Token], *, has_article: bool) -> bool:
    words = [token.word for token in tokens]
    if words[:1] and words[0] in _BE:
        return _is_complement(tokens[1:], has_article=has_article)
    begin = next((place for place, word in enumerate(words) if word not in _BEFORE_VERB), len(words))
    adverbs, words = words[:begin], words[begin:]
    if not words:
        return False
    verb, rest = words[0], words[1:]
    is_habitual = not language.HABITUAL.isdisjoint(adverbs)
    if verb in {"have", "has"}:
        return _is_lastingly_had(rest, has_article=has_article)
    if _base(verb) in language.HABITS and not (verb in _MOVING and rest[:1] == ["to"]):
        return bool(rest) or is_habitual or "not" in adverbs
    return is_habitual and bool(rest) and verb.isalpha() and verb not in language.MOMENTARY | _BE


def _is_lastingly_had(words: Sequence[str], *, has_article: bool) -> bool:
    if not words or any(word.endswith("ing") for word in words):
        return False
    if words[0] in language.CONDITIONS_OF_HEALTH:
        return True
    is_counted = has_article or words[0] in {"no", "any"} or words[0][0].isdigit() or words[-1] in _BODY
    return is_counted and not language.POSSESSIONS.isdisjoint(words)


def _is_complement(tokens: Sequence[Token], *, has_article: bool) -> bool:
    """What stands behind am, is or are: a state of the list, a name, a measure, or a noun with its article."""
    begin = next((place for place, token in enumerate(tokens) if token.word not in _BEFORE_COMPLEMENT), len(tokens))
    words = [token.word for token in tokens[begin:]]
    if not words:
        return False
    if words[0][0].isdigit():
        return len(words) == 1 or words[1] in language.MEASURES
    is_state = (
        not language.STATES.isdisjoint((words[0], words[0].removesuffix("s")))
        or tuple(words[:2]) in language.PAIRED_STATES
    )
    return is_state or has_article or tokens[begin].is_name


def _base(verb: str) -> str:
    """Without the ending of the third person."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("ches", "shes")) else verb.removesuffix("s")


_BE = frozenset(("am", "is", "are"))
_DO = frozenset(("do", "does"))
_AUXILIARIES = _DO | {"have", "has"}
_BEFORE_ING = _BE | {"not", "keep", "keeps"} | language.HABITUAL
_BEFORE_VERB = language.HABITUAL | _DO | {"not", "also", "really", "only"}
_BEFORE_COMPLEMENT = language.HABITUAL | {"not", "also", "really", "very", "quite", "severely", "mildly", "highly"}
_FAVOURITES = frozenset(("favourite", "favorite"))
_EVERY_YEAR = frozenset(("birthday", "anniversary"))
_MOVING = frozenset(("drive", "drives", "ride", "rides"))
"""Verbs that tell of one journey where they say where to."""
_BODY = frozenset(("hair", "eyes", "skin", "freckles"))
_LONGEST_SUBJECT = 8
_OPENERS = language.OPENERS | {"remember", "that", ","}
_REFERRING = language.VAGUE | language.ANAPHORS | {ADDRESSEE, "here", "can", "cannot"}
_DOUBTFUL = (language.CONDITIONS | language.ATTITUDES | language.PASSING | _REFERRING) - {"am", "only", "so"}
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
"""Points at one of several things: `the second one`."""
_GERMAN = re.compile(r"\b[Ii]m [^\W\d_a-z]")
"""German `Im Garten` begins as a careless `Im` for `I'm` does; a noun follows it, with a capital letter."""
_MEAL = re.compile(r"\b(?:eat|drink|cook|bake)s? (?:an?|the|some|my|our|his|her)\b", re.IGNORECASE)
"""`I eat a pizza` may tell of this evening, `I eat pizza` hardly."""
_IS_A = re.compile(
    r"(?:\b(?:am|is|are|have|has)|'m|'s|'re|'ve)(?: not)?(?: (?:also|really|always|usually))* an? ", re.IGNORECASE
)
"""A noun with its article behind the verb."""
