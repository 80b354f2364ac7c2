"""Turns that mean something only after the messages before them, by words and without a model.

1. A turn refers back if it answers the assistant's question (yes please), chooses (the second one), goes on with the
   question before (And for Anna?), asks next to nothing (Why?), or has a pronoun for which it names nothing itself.
2. Such a turn is searched with the last messages before it, shortened: their words count less, its own stand twice in
   the text whose meaning is searched. What is chosen by its place in a list counts as its own.

Other turns stand alone, whatever was said before. So does a long turn, which says itself what it is about.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from remembrancer.domain.context import authored_text, chat_messages, reference_words
from remembrancer.domain.lexical_index.stop_words import ENGLISH, LANGUAGES, STOP_WORDS
from remembrancer.domain.lexical_index.words import language_of, words

Message = Mapping[str, Any]

MOST_MESSAGES = 4
"""The messages that a turn may refer to: two of the user's with their answers."""
MOST_READ = 40
"""Messages that are looked through for these; others of them are calls of tools and their results."""
MOST_TEXT = 20_000
"""Characters of them that are read together, since each takes time: a message that goes beyond ends the search."""
MESSAGE_CHARACTERS = 160
CHARACTERS = 320
"""Of all of them: the embedding takes time in proportion."""
MOST_WORDS = 30
MOST_CHARACTERS = 300
"""Of a turn that refers back."""
FRAGMENT_WORDS = 4
"""Of a turn that is no sentence."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A turn's own words, with what it chooses, and what it refers to, which is empty where it stands alone."""

    own: str
    referred: str = ""


def resolved(messages: Sequence[Message], turn: str) -> Resolved:
    """The turn with at most `CHARACTERS` of the messages before it; the turn alone where it stands alone.

    `turn` are the user's words since the last final answer.
    """
    if len(turn) > MOST_CHARACTERS or not refers_back(turn, is_answer=True):
        return Resolved(turn)
    before = messages[: next(iter(authored_text.since_last_answer(messages)), 0)]
    said = list(_said_before(before))
    answered = said[0][1] if said and said[0][0] == "assistant" else ""
    if not said or not refers_back(turn, is_answer=_asks(answered)):
        return Resolved(turn)
    texts: list[str] = []
    left = CHARACTERS
    for _, text in said:
        if left > 2:
            texts.append(chat_messages.shortened(text, min(left, MESSAGE_CHARACTERS)))
            left -= len(texts[-1]) + 1
    option = chat_messages.shortened(chosen(turn, answered), MESSAGE_CHARACTERS)
    return Resolved(f"{turn}\n{option}" if option else turn, "\n".join(texts[::-1]))


def meaning(own: str, referred: str) -> str:
    """The text whose meaning is searched: what a turn refers to stands between its own words, which count more."""
    return f"{own}\n{referred}\n{own}" if referred else own


def chosen(turn: str, offered: str) -> str:
    """What a turn chooses by its place ("the second one") of what the assistant offered: an item of a list, or one of
    the things that its last sentence with `or`, else `and`, joins; empty where nothing is told by a place.
    """
    if not reference_words.CHOICES.search(turn):
        return ""
    found = (reference_words.ORDINALS.get(token.word) for token in _tokens(turn))
    place = next((place for place in found if place is not None), None)
    if place is None:
        return ""
    options = _ITEM.findall(offered)
    if len(options) < 2:
        options = next((found for joined in _JOINED for found in _joined(offered, joined)), [])
    return options[place].strip() if -len(options) <= place < len(options) else ""


def _joined(offered: str, joined: re.Pattern[str]) -> Iterator[list[str]]:
    """The two things that each sentence joins, those of the last sentence first."""
    for sentence in reversed(_SENTENCE.findall(offered)):
        before, found, last = joined.sub("\0", sentence, count=1).partition("\0")
        options = [before.rstrip(", ").rpartition(", ")[2], last.strip(" .?!")]
        if found and all(map(words, options)):
            yield options


def _said_before(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    """Role and text of the last messages with words of the user or final answers, newest first."""
    found, left = 0, MOST_TEXT
    for position in range(len(messages) - 1, max(-1, len(messages) - 1 - MOST_READ), -1):
        message = messages[position]
        role = authored_text.role_of(message)
        if role not in authored_text.ROLES:
            continue
        text = chat_messages.text_of(message)
        left -= len(text)
        if left < 0:
            return
        if role == "user":
            text = authored_text.authored(text)
        elif authored_text.ends_turn(messages, position):
            text = authored_text.written(text)
        else:
            continue
        if text:
            yield role, text
            found += 1
            if found == MOST_MESSAGES:
                return


def _asks(text: str) -> bool:
    """Whether it ends with a question, perhaps with a short sentence behind it."""
    return "?" in text[-60:] or "？" in text[-30:]


def refers_back(turn: str, *, is_answer: bool) -> bool:
    """Whether a turn refers to what was said before it; `is_answer`: the assistant has asked something."""
    whole = unicodedata.normalize("NFC", turn).replace("’", "'")
    plain = _TAG.sub("", _GIVEN.sub(" ", whole))
    tokens = _tokens(_IDIOMS.sub(" ", plain))
    said = [token.word for token in tokens if token.is_word]
    if not said or len(said) > MOST_WORDS:
        return False
    is_question = "?" in plain or "？" in plain
    chooses = reference_words.CHOICES.search(plain) is not None
    if chooses or (_begins(said, reference_words.REFUSALS) and not is_question):
        return chooses
    if _goes_on(said, plain) or (is_answer and _assents(said, plain)):
        return True
    if plain.strip() != whole.strip() or _OTHER_SCRIPTS.search(plain):
        # What it is about stands in the turn, or in words that the following rules do not know.
        return False
    language = language_of(plain, LANGUAGES)
    if language != ENGLISH:
        return _has_pronoun(tokens, reference_words.PRONOUNS.get(language, frozenset()))
    return _is_fragment(said, is_question=is_question, is_answer=is_answer) or _points_back(tokens)


def _goes_on(said: Sequence[str], plain: str) -> bool:
    """Whether it asks the question before it once more, for something else or in more detail."""
    known = reference_words
    first = tuple(token.word for token in _tokens(plain.partition("?")[0]) if token.is_word)
    is_bare = first in known.BARE or said[-1] in known.EXACTLY_ELSEWHERE
    return is_bare or _begins(said, known.BEGINNINGS) or known.UNSPACED.search(plain) is not None


def _assents(said: Sequence[str], plain: str) -> bool:
    return _begins(said, reference_words.ASSENTS) or reference_words.UNSPACED_ASSENTS.match(plain) is not None


@dataclass(frozen=True, slots=True)
class _Token:
    """A word in lower case or a sign; `is_capital`: it is written with a capital letter."""

    word: str
    is_capital: bool = False

    @property
    def is_word(self) -> bool:
        return self.word[-1].isalnum()


_NOTHING = _Token(".")


def _tokens(plain: str) -> list[_Token]:
    """Pronouns and question words are apart from what is contracted with them: `it's` is `it` and `'s`."""
    found: list[_Token] = []
    for match in _TOKEN.finditer(plain):
        contracted = _CONTRACTED.fullmatch(match[0])
        parts = contracted.groups() if contracted else (match[0],)
        found += [_Token(part.lower(), part[0].isupper()) for part in parts]
    return found


def _begins(said: Sequence[str], phrases: Collection[tuple[str, ...]]) -> bool:
    return any(tuple(said[:length]) in phrases for length in range(1, 5))


def _is_fragment(said: Sequence[str], *, is_question: bool, is_answer: bool) -> bool:
    """Whether it is no sentence, or one without any word that says what it is about."""
    known = reference_words
    if not known.REACTIONS.isdisjoint(said) or not known.SPEAKERS.isdisjoint(said):
        return False
    has_verb = not known.AUXILIARIES.isdisjoint(said)
    rest = said[1:] if said[0] in known.PREPOSITIONS else said
    if rest and rest[0] in known.QUESTION_WORDS:
        telling = [word for word in rest[1:] if word not in known.EXACTLY | known.MEASURES]
        return all(word in STOP_WORDS[ENGLISH] for word in telling) if has_verb else len(telling) <= 1
    if has_verb or len(said) > FRAGMENT_WORDS or any(word[0].isdigit() for word in said):
        return False
    return is_question or (is_answer and (len(said) <= 2 or said[0] in known.PREPOSITIONS | known.DETERMINERS))


def _points_back(tokens: Sequence[_Token]) -> bool:
    """Whether an English turn has a pronoun or the like for which it names nothing before."""
    is_asked = _asked(tokens)
    persons, things = list[int](), list[int]()
    clause = 0
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else _NOTHING
        after = tokens[place + 1] if place + 1 < len(tokens) else _NOTHING
        if is_asked[place] and _is_elsewhere(before.word, token.word, after.word):
            return True
        if token.word in reference_words.PERSONS | reference_words.THINGS:
            is_person = token.word in reference_words.PERSONS
            if token.word == "it" and (not is_asked[place] or _is_impersonal(tokens, place)):
                continue
            is_object = token.word in reference_words.OBJECTS or (token.word == "her" and not _may_be_noun(after))
            meant = persons if is_person else persons + things
            if not any(not is_object or named < clause for named in meant):
                return True
        elif not token.is_word or (token.word in reference_words.CONJUNCTIONS and before.is_word):
            clause += 1
        elif token.word not in STOP_WORDS[ENGLISH]:
            earlier = tokens[place - 2] if place > 1 else _NOTHING
            if _is_person(earlier, before, token, after):
                persons.append(clause)
            elif before.word in reference_words.DETERMINERS or before.word in reference_words.AUXILIARIES:
                things.append(clause)
    return False


def _is_person(earlier: _Token, before: _Token, token: _Token, after: _Token) -> bool:
    """Whether a word may name a person: a name, or a noun where the subject of a sentence stands."""
    known = reference_words
    if token.is_capital:
        return before.is_word or after.word in known.AUXILIARIES | known.BEHIND_NAMES
    if token.word in known.INDEFINITE or before.word in known.OWNERS:
        return True
    if before.word in known.DETERMINERS:
        return not earlier.is_word or earlier.word in known.AUXILIARIES
    return before.word in known.AUXILIARIES and token.word not in known.ADVERBS


def _is_elsewhere(before: str, word: str, after: str) -> bool:
    """Whether a word points to what was said before: that, those, there."""
    known = reference_words
    ends = not after[-1].isalnum()
    if word == "there":
        return ends and before not in known.NOT_BEFORE_THERE
    if word not in known.DEMONSTRATIVES:
        return False
    if word in {"these", "this"}:
        return (ends or after in known.AUXILIARIES) and after not in known.PERIODS
    if word == "those" or after in known.PERIODS or after == "one":
        return after not in {"who", "that", "which"}
    return ends or before in known.PREPOSITIONS or (before in known.AUXILIARIES and after not in known.SPEAKERS)


def _may_be_noun(token: _Token) -> bool:
    return token.is_word and token.word not in STOP_WORDS[ENGLISH]


def _is_impersonal(tokens: Sequence[_Token], place: int) -> bool:
    """Whether this `it` refers to nothing: what time is it, is it true, how long does it take to ..."""
    said = [token.word for token in tokens]
    if said[max(0, place - 3) : place] == ["what", "time", "is"]:
        return True
    behind = [word for word in said[place + 1 : place + 6] if word not in reference_words.BETWEEN]
    return bool(behind) and (
        behind[0] in reference_words.IMPERSONAL
        or behind[0] in {"to", "that"}
        or (behind[0] in {"take", "cost"} and "to" in behind)
    )


def _asked(tokens: Sequence[_Token]) -> list[bool]:
    """For each token whether its sentence is a question or a request."""
    found: list[bool] = []
    for place, token in enumerate(tokens):
        if token.word in {".", "!", "?", "\n"} or place == len(tokens) - 1:
            sentence = tokens[len(found) : place + 1]
            first = next((one.word for one in sentence if one.is_word), "")
            found += [token.word == "?" or first in reference_words.ASKING] * len(sentence)
    return found


def _has_pronoun(tokens: Sequence[_Token], pronouns: Collection[str]) -> bool:
    """Whether one stands there without a noun before it: a capital letter that begins no sentence, or an article."""
    for place, token in enumerate(tokens):
        begins = place == 0 or not tokens[place - 1].is_word
        # "Sie" is you in German, "est-elle" a verb with its pronoun in French.
        if token.word.rpartition("-")[2] in pronouns and (not token.is_capital or (begins and token.word != "sie")):
            return True
        if token.word in reference_words.ARTICLES_ELSEWHERE or (token.is_capital and not begins):
            return False
    return False


_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-d][.)])[ \t]+(\S.*)$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_JOINED = (re.compile(r"\b(?:or|oder|ou|o)\b", re.IGNORECASE), re.compile(r"\b(?:and|und|et|y)\b", re.IGNORECASE))
_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[.!?;:,\n]")
_CONTRACTED = re.compile(
    r"(it|that|this|he|she|what|who|where|when|how|why|there|here|they|we|you|i)('(?:s|re|ll|d|ve|m))", re.IGNORECASE
)
_GIVEN = re.compile(r"[\"“«„][^\"”»“]*[\"”»“]|[:：]\s*[^?？]*$")
"""What is quoted, or follows a colon: a text to work on."""
_OTHER_SCRIPTS = re.compile(r"[^\W\d_\u0000-\u024f]")
_TAG = re.compile(r",\s*(?:(?:is|are|was|were|do|does|did|has|have|can|will)n't \w+|right|non)\s*\?\s*$", re.IGNORECASE)
"""What is asked behind a statement."""
_IDIOMS = re.compile(rf"\b(?:{'|'.join(map(' '.join, reference_words.IDIOMS))})\b", re.IGNORECASE)
