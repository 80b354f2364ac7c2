"""Tells the user's wishes to forget or not to keep something ("Forget my key number", "Don't save this") from the rest.

Each sentence is scored (`wish_score`). What a wish is about are the other words of the clause in which something is
done to what is known, or, where that only points ("erase that"), what was said just before. What is not to be kept
("don't save this: …") is the turn itself.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType

from remembrancer.domain.capture import phrases, selection, standing, wish_score, wish_words
from remembrancer.domain.capture.turns import NOT_WANTED, PENDING, Conversation, Turn
from remembrancer.domain.capture.wish_words import CONTENT, NUMBER, Token

MOST_CHARACTERS = 600
"""Longer turns are about something else, or pasted."""
MOST_IN_DOUBT = 6
"""Words with a content in a turn that may be a wish: who says more states something."""
OF_LENGTH = 0.15
"""How much less sure a wish is for each further one."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What memories to be forgotten are about, in the user's words; `is_open`: everything about it."""

    text: str
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """What a turn wishes: topics to be forgotten, what the user said before it (`is_of_before`), everything, or that
    the turn itself is not kept. `rest` is what else the turn says, empty where nothing else is said.

    One that is not sure may be a statement: nothing is done about it unless a person agrees. `said` is the turn without
    the rest; `is_of_old`: it is about the older one of two. `is_plain`: something is done in it to what is known. Else
    its words alone make it a wish, and nothing is deleted before a person agrees.
    """

    topics: tuple[Topic, ...] = ()
    is_of_before: bool = False
    is_of_everything: bool = False
    is_of_turn: bool = False
    rest: str = ""
    said: str = ""
    is_of_old: bool = False
    is_sure: bool = True
    is_plain: bool = True


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


def wish(text: str, read: float | None = None) -> Wish | None:
    """The wish in a user's turn, or in a request to forget; None without one. `read`: what a reader says of it."""
    sentences = [_Sentence.read(part) for part in parts(text)]
    if read is not None and sentences:
        change = wish_score.changed_by(read, max(sentence.score for sentence in sentences))
        sentences = [replace(sentence, score=sentence.score + change) for sentence in sentences]
    tokens = [token for sentence in sentences for token in sentence.tokens]
    less = OF_LENGTH * max(sum(map(_is_content, tokens)) - MOST_IN_DOUBT, 0)
    best = max((sentence.score - less for sentence in sentences), default=wish_score.POSSIBLE - 1)
    is_plain = any(sentence.acts and sentence.score - less >= wish_score.SURE for sentence in sentences)
    is_sure = is_plain or best >= wish_score.CLEAR
    if best < wish_score.POSSIBLE or (best < wish_score.SURE and _states(tokens)):
        return None
    is_meant = [
        sentence.score >= (wish_score.BESIDE if is_sure and sentence.acts else wish_score.POSSIBLE)
        for sentence in sentences
    ]
    meant = [one for one, is_one in zip(sentences, is_meant, strict=True) if is_one]
    first = is_meant.index(True)
    about = [
        one for place, one in enumerate(sentences) if not is_meant[place] and _is_about(place, sentences, is_meant)
    ]
    others = [one for place, one in enumerate(sentences) if not is_meant[place] and one not in about]
    apart = [one for one in others if _is_apart(one, is_behind=sentences.index(one) > first)]
    found = _of(meant, about, is_told=any(one.has_content for one in others))
    return replace(
        found,
        rest="" if found.is_of_turn else " ".join(one.text for one in apart),
        said=" ".join(one.text for one in sentences if one not in apart),
        is_sure=is_sure,
        is_plain=is_plain,
    )


def parts(text: str) -> list[str]:
    """The sentences of a turn that are scored, cut where a wish is joined with something else. A long turn has none."""
    if len(text) > MOST_CHARACTERS:
        return []
    return [part for whole in selection.sentences_of(text) for part in _parts(whole)]


def worth_reading(conversation: Conversation) -> list[Turn]:
    """The user's turns of which the words say that they may be wishes, however unlikely. An instruction for all answers
    ("Please never mention my ex-husband") is none unless its words say so.
    """
    return [
        turn
        for turn in conversation.turns
        if turn.role == "user"
        and standing.instruction(turn.text) is None
        and any(_Sentence.read(part).score >= wish_score.WORTH_READING for part in parts(turn.text))
    ]


def apart(conversation: Conversation, read: Mapping[int, float] = MappingProxyType({})) -> Heard:
    """The wishes of the end user, and the conversation without them. `read`: what a reader says of turns, by number."""
    wishes = {
        turn.number: found
        for turn in conversation.turns
        if turn.role == "user" and turn.text and (found := wish(turn.text, read.get(turn.number))) is not None
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

_ENDING = frozenset(("forget", "forgot", "delete", "remove", "gone", "pretend"))
_KEEPING = frozenset(("keep", "kept", "memory", "unrecorded"))
_TELLING = frozenset(("said", "thing", "mention"))
_ACTS = _ENDING | _KEEPING | _TELLING | {"move", "out", "know"}
_WHY = _TELLING | {"regret", "secret", "memory"}
_AFTER_POINTING = frozenset((",", "please", "from", "for", "again", "memory", "and", "out", "not", "you", "?"))
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
    score: float

    @classmethod
    def read(cls, text: str) -> "_Sentence":
        tokens = wish_words.tokens(text)
        return cls(text, tokens, wish_score.score(text, tokens))

    @property
    def names(self) -> list[str]:
        return [token.name for token in self.tokens]

    @property
    def acts(self) -> bool:
        """Whether something is done in it to what is known."""
        return wish_score.may_wish(self.names)

    @property
    def has_content(self) -> bool:
        return any(map(_is_content, self.tokens))

    @property
    def points(self) -> bool:
        """Whether it is about something that is said elsewhere, by a pronoun or without a word for it."""
        return not self.has_content or any(True for _ in self._pronouns())

    @property
    def points_back(self) -> bool:
        """Whether nothing stands in it before the pronoun that this could mean."""
        first = next(self._pronouns(), len(self.tokens))
        return not any(map(_is_content, self.tokens[:first]))

    @property
    def keeps_out(self) -> bool:
        """Whether it says first that something is not to be kept, and not what of all that was told."""
        there = set(self.names)
        acts = [name for name in self.names if name in _ENDING | _KEEPING]
        is_negated = not there.isdisjoint(("not", "stop", "unrecorded", "didn't")) or {"keep", "out"} <= there
        is_of_turn = self.points or self.announces or any(one.text.lower() == "this" for one in self.tokens)
        return is_negated and acts[:1] != [] and acts[0] in _KEEPING and is_of_turn and not self.tells

    @property
    def announces(self) -> bool:
        """Whether the clause before a colon has the wish, and what follows is its content."""
        head, colon, tail = self.text.partition(":")
        return (bool(colon and tail.strip()) and not any(map(_is_content, wish_words.tokens(head)))) or (
            "unrecorded" in self.names
        )

    @property
    def tells(self) -> bool:
        """Whether it names something that was told: "what I said about Oslo", "the thing with Tom"."""
        return any(
            not _TELLING.isdisjoint(token.name for token in clause) and any(map(_is_content, clause))
            for clause in _clauses(self.tokens)
        )

    def topics(self) -> Iterator[Topic]:
        """Of the clauses before one that ends it ("Tom's debts, lose them"); else of those that do something to what is
        known, or say that something is told; without one, of all.
        """
        clauses = [clause for clause in _clauses(self.tokens) if any(map(_is_content, clause))]
        meant = [one for one in clauses if not _ACTS.isdisjoint(token.name for token in one)]
        is_open = "all" in self.names or ("said" in self.names and "about" in self.names)
        if named := [one for one in clauses if one[-1].start < self._ended]:
            yield from (Topic(_named(self.text, clause, is_whole=True), is_open=is_open) for clause in named)
            return
        for clause in meant or clauses:
            yield Topic(_named(self.text, clause), is_open=is_open)

    @property
    def _ended(self) -> int:
        """Where the first clause begins that does something to what a pronoun means; 0 without one."""
        pronouns = [self.tokens[place].start for place in self._pronouns()]
        for clause in _clauses(self.tokens):
            acts = [token.start for token in clause if token.name in _ENDING | _KEEPING | {"move", "remove"}]
            if acts and any(acts[0] < start <= clause[-1].start for start in pronouns):
                return clause[0].start
        return 0

    def _pronouns(self) -> Iterator[int]:
        for place, (token, behind) in enumerate(zip(self.tokens, [*self.names[1:], ","], strict=True)):
            is_subject = behind in ("be", "ask", "should") and token.text.lower() != "it"
            if token.name == "it" and (behind in _AFTER_POINTING or is_subject):
                yield place


def _is_about(place: int, sentences: Sequence[_Sentence], is_meant: Sequence[bool]) -> bool:
    """Whether this sentence, which is no wish, says what one is about: it names something that was told, or is the
    nearest one before a wish that only points, or goes on in that one ("It was years ago").
    """
    if sentences[place].tells:
        return True
    following = place + 1
    if (
        following < len(sentences)
        and not is_meant[following]
        and not _DEPENDENT.isdisjoint(sentences[following].names[:1])
    ):
        return _is_about(following, sentences, is_meant)
    behind = next(
        (other for other in range(following, len(sentences)) if sentences[other].has_content), len(sentences) - 1
    )
    wishes = [sentences[other] for other in range(following, behind + 1) if is_meant[other]]
    return sentences[place].has_content and any(one.points and one.points_back for one in wishes)


def _of(meant: Sequence[_Sentence], about: Sequence[_Sentence], *, is_told: bool) -> Wish:
    """The wish of the sentences that mean one; `is_told`: other sentences of the turn say something, too."""
    topics = tuple(dict.fromkeys(topic for one in (*meant, *about) for topic in one.topics()))
    if not topics and any(_is_of_everything(one.names) for one in meant):
        return Wish(is_of_everything=True)
    keeps_out = any(one.keeps_out for one in meant)
    tells = any(one.tells for one in (*meant, *about))
    if keeps_out and not tells and (topics or is_told):
        return Wish(is_of_turn=True)
    is_last = any(_is_of_last(one.names) for one in meant)
    points = meant[0].points and meant[0].points_back and not about
    return Wish(
        topics=() if is_last or (points and not tells) else topics,
        is_of_before=is_last or points or not topics,
        is_of_turn=keeps_out and not tells,
        is_of_old=any("old" in one.names for one in meant),
    )


def _is_apart(other: _Sentence, *, is_behind: bool) -> bool:
    """Whether what is said beside a wish is worth a memory, and does not only say why, which would tell of it."""
    if not selection.said_in(other.text) or not _WHY.isdisjoint(other.names) or other.names[:1] == ["filler"]:
        return False
    if other.names[0] in _DEPENDENT or selection.is_marked(other.text):
        return False
    return not is_behind or (other.names[0] in ("i", "my") and _NEW.search(other.text) is not None)


def _is_content(token: Token) -> bool:
    return token.name in (CONTENT, NUMBER, "object") and token.text.lower() not in phrases.SMALL_TALK


def _states(tokens: Sequence[Token]) -> bool:
    """Whether there is too much in a turn, or a value, to take it for a wish in doubt."""
    return sum(map(_is_content, tokens)) > MOST_IN_DOUBT or any(token.name == NUMBER for token in tokens)


def _is_of_last(names: Sequence[str]) -> bool:
    """Whether it is about what was said last, and says so: "my last message", "what I just said"."""
    return any(pair in (("last", "thing"), ("last", "said"), ("said", "last")) for pair in pairwise(names))


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


def _named(text: str, clause: Sequence[Token], *, is_whole: bool = False) -> str:
    """Its words from the first with a content to the last one: unless it is whole, behind its first act where there are
    any.
    """
    places = [place for place, token in enumerate(clause) if _is_content(token)]
    act = -1 if is_whole else next((place for place, token in enumerate(clause) if token.name in _ACTS), -1)
    places = [place for place in places if place > act] or places
    first, last = places[0], places[-1]
    while first and clause[first - 1].name in ("my", "their", "last"):
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
