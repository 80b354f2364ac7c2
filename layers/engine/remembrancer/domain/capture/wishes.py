"""Tells the user's wishes to forget or not to keep something ("Forget my key number", "Don't save this") from the rest.

Each sentence is scored (`wish_score`). What a wish is about are the other words of the clause in which something is done
to what is known, or, where that only points ("erase that"), what was said just before. What is not to be kept ("don't
save this: …") is the turn itself.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from remembrancer.domain.capture import phrases, selection, wish_score, wish_words
from remembrancer.domain.capture.turns import NOT_WANTED, PENDING, Conversation, Turn
from remembrancer.domain.capture.wish_words import CONTENT, NUMBER, Token

MOST_CHARACTERS = 600
"""Longer turns are about something else, or pasted."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What memories to be forgotten are about, in the user's words; `is_open`: everything about it."""

    text: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What a turn wishes: topics to be forgotten, what the user said before it (`is_of_before`), everything, or that
    the turn itself is not kept. `rest` is what else the turn says, empty where nothing else is said.

    One that is not sure may be a statement: nothing is done about it unless a person agrees.
    """

    topics: tuple[Topic, ...] = ()
    is_of_before: bool = False
    is_of_everything: bool = False
    is_of_turn: bool = False
    rest: str = ""
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Heard:
    """A conversation without what its user does not want to be kept, whose turns have no text then, or the rest of it.

    `wishes` are those of pending turns by number; `unwanted` the numbers of turns that are not to be kept. A turn that
    may be a wish (`doubtful`) has its text.
    """

    conversation: Conversation
    wishes: Mapping[int, Wish] = field(default_factory=dict)
    unwanted: frozenset[int] = frozenset()

    @property
    def doubtful(self) -> frozenset[int]:
        """Pending turns that may be wishes."""
        return frozenset(number for number, found in self.wishes.items() if not found.is_sure)

    @property
    def without_silent_turns(self) -> Conversation:
        """The conversation as a language model may see it."""
        return replace(self.conversation, turns=[turn for turn in self.conversation.turns if turn.text])


def wish(text: str) -> Wish | None:
    """The wish in a user's turn, or in a request to forget; None without one."""
    if len(text) > MOST_CHARACTERS:
        return None
    sentences = [_Sentence.read(part) for whole in selection.sentences_of(text) for part in _parts(whole)]
    scores = [sentence.score for sentence in sentences]
    best = max((score for score in scores if score is not None), default=wish_score.POSSIBLE - 1)
    if best < wish_score.POSSIBLE:
        return None
    least = wish_score.SURE if best >= wish_score.SURE else wish_score.POSSIBLE
    is_meant = [score is not None and score >= least for score in scores]
    is_pointed = [False] * len(sentences)
    for place, sentence in enumerate(sentences):
        if is_meant[place] and sentence.points and place:
            is_pointed[place - 1] = True
    meant = [sentence for sentence, is_one in zip(sentences, is_meant, strict=True) if is_one]
    pointed = [one for one, is_of, is_one in zip(sentences, is_pointed, is_meant, strict=True) if is_of and not is_one]
    others = [
        one for one, is_one, is_of in zip(sentences, is_meant, is_pointed, strict=True) if not is_one and not is_of
    ]
    return _of(meant, pointed, others, is_sure=best >= wish_score.SURE)


def apart(conversation: Conversation) -> Heard:
    """The wishes of the end user, and the conversation without them."""
    wishes = {
        turn.number: found
        for turn in conversation.turns
        if turn.role == "user" and turn.text and (found := wish(turn.text)) is not None
    }
    marked = {turn.number for turn in conversation.turns if turn.reason == NOT_WANTED}
    if not wishes and not marked:
        return Heard(conversation)
    sure = {number: found for number, found in wishes.items() if found.is_sure}
    unwanted = marked | {number for number, found in sure.items() if found.is_of_turn}
    by_number = {turn.number: turn for turn in conversation.turns}
    for number, found in sure.items():
        before = said_before(by_number, by_number[number])
        if found.is_of_before and found.is_of_turn and before is not None and before.state == PENDING:
            unwanted.add(before.number)
    silent = unwanted | {number for number, found in sure.items() if not found.rest}
    answers = {turn.number for turn in conversation.turns if turn.role == "assistant" and turn.after in silent}
    unwanted |= {number for number in answers if by_number[number].after in unwanted}
    texts = {number: found.rest for number, found in sure.items()}
    texts |= dict.fromkeys(unwanted | answers, "")
    turns = [replace(turn, text=texts.get(turn.number, turn.text)) for turn in conversation.turns]
    pending = {number: found for number, found in wishes.items() if by_number[number].state == PENDING}
    return Heard(replace(conversation, turns=turns), pending, frozenset(unwanted))


def said_before(turns: Mapping[int, Turn], turn: Turn) -> Turn | None:
    """The user's turn before this one, where it is among the turns by number."""
    before = turns.get(turn.after or 0)
    while before is not None and before.role != turn.role:
        before = turns.get(before.after or 0)
    return before


# Sentences

_ACTS = frozenset(("forget", "delete", "remove", "move", "out", "gone", "keep", "kept", "know", "mention", "secret"))
_TELLING = frozenset(("said", "thing", "regret", "memory"))
_KEEPING = frozenset(("keep", "kept", "memory"))
_ENDING = frozenset(("delete", "remove", "forget", "gone"))
_AFTER_POINTING = frozenset((",", "please", "from", "for", "again", "memory", "and", "out", "not", "you", "ask", "?", '"'))
"""What stands behind "it" or "that" where these stand for something: not "that bit", "that he left"."""
_BREAKS = frozenset((",", "?"))
_DEPENDENT = frozenset(("they", "it", "it's", "not", "their", "and"))
"""Beginnings of sentences that only say why."""
_JOINT = re.compile(r"\s*[,;–—]\s+(?:so|and|but|then)\s+|\s+so\s+(?=please\b)|\s*;\s+|\s+[–—]\s+", re.IGNORECASE)
_INSTEAD = re.compile(r"\s*[,;–—]\s+(?=(?:i|i'm|i've|we|we're|my|our)\b)", re.IGNORECASE)
_NEW = re.compile(r"\d|\b(?:now|new|instead)\b|\s[A-Z]\w")


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    tokens: Sequence[Token]
    score: float | None

    @classmethod
    def read(cls, text: str) -> "_Sentence":
        tokens = wish_words.tokens(text)
        return cls(text, tokens, wish_score.score(tokens))

    @property
    def names(self) -> list[str]:
        return [token.name for token in self.tokens]

    @property
    def has_content(self) -> bool:
        return any(map(_is_content, self.tokens))

    @property
    def points(self) -> bool:
        """Whether it is about something that is said elsewhere, by a pronoun or without a word for it."""
        names = [*self.names, ","]
        for place, name in enumerate(names):
            if name in ("it", "it's") and (name == "it's" or names[place + 1] in _AFTER_POINTING or _is_put(names, place)):
                return True
        return not self.has_content

    @property
    def is_of_keeping(self) -> bool:
        """Whether it says what is not to be kept, rather than what is to go."""
        there = set(self.names)
        is_negated = not there.isdisjoint(("not", "stop", "secret", "didn't")) or ("keep" in there and "out" in there)
        return is_negated and not there.isdisjoint((*_KEEPING, "secret")) and there.isdisjoint(_ENDING)

    @property
    def announces(self) -> bool:
        """Whether the clause before a colon has the wish, and what follows is its content."""
        head, colon, tail = self.text.partition(":")
        return bool(colon and tail.strip()) and not any(map(_is_content, wish_words.tokens(head)))

    def topics(self) -> Iterator[Topic]:
        """Of the clauses that do something to what is known, or say that something is told; without one, of all."""
        clauses = [clause for clause in _clauses(self.tokens) if any(map(_is_content, clause))]
        meant = [one for one in clauses if not (_ACTS | _TELLING).isdisjoint(token.name for token in one)]
        is_open = "all" in self.names or ("said" in self.names and "about" in self.names)
        for clause in meant or clauses:
            yield Topic(_named(self.text, clause), is_open=is_open)


def _of(meant: Sequence[_Sentence], pointed: Sequence[_Sentence], others: Sequence[_Sentence], *, is_sure: bool) -> Wish:
    """The wish of the sentences that mean one; `pointed` are those that these point at, `others` the rest."""
    topics = [topic for one in (*meant, *pointed) for topic in one.topics()]
    is_last = any(_is_of_last(one.names) for one in meant)
    points = is_last or any(one.points for one in meant)
    if not topics and any(_is_of_everything(one.names) for one in meant):
        return Wish(is_of_everything=True, rest=_rest(others), is_sure=is_sure)
    is_kept_out = any(one.is_of_keeping and (one.points or one.announces) for one in meant)
    is_said = any(one.has_content for one in (*meant, *pointed, *others))
    if is_kept_out and is_said:
        return Wish(is_of_turn=True, is_sure=is_sure)
    return Wish(
        topics=() if is_last else tuple(dict.fromkeys(topics)),
        is_of_before=points or not topics,
        is_of_turn=is_kept_out,
        rest=_rest(others),
        is_sure=is_sure,
    )


def _rest(others: Sequence[_Sentence]) -> str:
    """What else is said; sentences about "he" or "it" beside a wish say why, and would tell of it."""
    told = [one for one in others if one.names[:1] and one.names[0] not in _DEPENDENT and selection.said_in(one.text)]
    return " ".join(one.text for one in told)


def _is_content(token: Token) -> bool:
    return token.name in (CONTENT, NUMBER, "object") and token.text.lower() not in phrases.SMALL_TALK


def _is_put(names: Sequence[str], place: int) -> bool:
    return names[place + 1] == "be" or (place > 0 and names[place - 1] in _ENDING and names[place + 1] == "all")


def _is_of_last(names: Sequence[str]) -> bool:
    """Whether it is about what was said last, and says so: "my last message", "what I just said"."""
    pairs = zip(names, names[1:], strict=False)
    return any(pair in (("last", "thing"), ("last", "said"), ("said", "last")) for pair in pairs)


def _is_of_everything(names: Sequence[str]) -> bool:
    there = set(names)
    whole = ("all" in there and there.isdisjoint(("it", "last"))) or ("me" in there and "said" not in there)
    return whole and not there.isdisjoint(("forget", "delete", "remove", "gone"))


def _clauses(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for place, token in enumerate(tokens):
        if token.name in _BREAKS:
            yield tokens[begin:place]
            begin = place + 1
    yield tokens[begin:]


def _named(text: str, clause: Sequence[Token]) -> str:
    """From its first word with a content, or "my" before that, to its last one."""
    places = [place for place, token in enumerate(clause) if _is_content(token)]
    first, last = places[0], places[-1]
    while first and clause[first - 1].name in ("my", "their"):
        first -= 1
    return text[clause[first].start : clause[last].start + len(clause[last].text)]


def _parts(sentence: str) -> Iterator[str]:
    """The sentence, or its parts, where a wish is joined with something else that is said."""
    for joint in _JOINT.finditer(sentence):
        head, tail = sentence[: joint.start()], sentence[joint.end() :]
        if _may_wish(head) != _may_wish(tail) and selection.said_in(head) and selection.said_in(tail):
            yield from (head, tail)
            return
    for joint in _INSTEAD.finditer(sentence):
        head, tail = sentence[: joint.start()], sentence[joint.end() :]
        if _may_wish(head) and not _may_wish(tail) and _NEW.search(tail):
            yield from (head, tail[:1].upper() + tail[1:])
            return
    yield sentence


def _may_wish(text: str) -> bool:
    return wish_score.may_wish([token.name for token in wish_words.tokens(text)])
