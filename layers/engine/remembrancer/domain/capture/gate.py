"""What of a model's proposals may become a memory: only what a turn says, in its words (docs/adr/0034-capture-gate.md).

Models invent, and conversations may contain instructions to them. So nothing is taken on trust: not the quote, not the
turn, not the memory that a proposal is to replace, and no word of the text.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from uuid import UUID

from remembrancer.domain.capture import clauses, language, lasting, occurrence, restatement
from remembrancer.domain.capture.clauses import ADDRESSEE, POSSESSIVE, SPEAKER, Sentence
from remembrancer.domain.capture.extraction import Proposal
from remembrancer.domain.capture.occurrence import Occurrence
from remembrancer.domain.capture.restatement import Statement
from remembrancer.domain.lexical_index.folding import unbroken
from remembrancer.domain.lexical_index.words import written

MOST_PROPOSALS = 20
"""Most proposals of one window that are looked at: twice as many as a window has new turns."""
TEXT_CHARACTERS = 400
QUOTE_CHARACTERS = 600
SUBJECT_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Line:
    """A turn of the window; an old one was captured before, and is shown for what new ones refer to."""

    number: int
    role: str
    speaker: str | None
    text: str
    observed_at: datetime
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """A memory that the prompt shows under a handle; `is_own`: of the conversation's end user, not shared.

    `day` is that of what happened (see `day_of`).
    """

    memory_id: UUID
    text: str
    is_own: bool = True
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """What the model was shown, and may speak of: turns in order, and memories by handle."""

    lines: Sequence[Line]
    shown: Mapping[str, Shown] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AcceptedProposal:
    """A proposal that says what turn `number` says. `action` may be weaker than what was proposed (see `judge`)."""

    proposal: Proposal
    number: int
    action: str
    target: UUID | None
    occurred: Occurrence | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """`refused` counts by reason; `refused_turns` are the turns that a refused proposal named.

    `errors` are the classes of the unexpected exceptions, each of which refused its proposal (`check_failed`).
    """

    passed: Sequence[AcceptedProposal]
    refused: Mapping[str, int]
    refused_turns: frozenset[int] = frozenset()
    errors: Sequence[str] = ()


def judge(proposals: Sequence[Proposal], window: Window) -> Judgement:
    """The proposals that pass, in order.

    A memory is only superseded where both cannot be true; elsewhere the proposal contradicts it, which hides nothing,
    and a shared memory is never superseded. Of several proposals that supersede the same memory, only the first does;
    the others contradict it.
    """
    passed: list[AcceptedProposal] = []
    superseded: set[UUID | None] = set()
    refused: Counter[str] = Counter()
    turns: set[int] = set()
    errors: list[str] = []
    for position, proposal in enumerate(proposals):
        try:
            if position >= MOST_PROPOSALS:
                raise _Refused("too_many")
            memory = _pass(proposal, window)
        except _Refused as refusal:
            refused[refusal.reason] += 1
            turns |= set(proposal.source_turns)
        except Exception as error:  # a bug: with every delivery it would block the conversation again
            errors.append(type(error).__name__)
            refused["check_failed"] += 1
            turns |= set(proposal.source_turns)
        else:
            if memory.action == "supersede":
                memory = replace(memory, action="contradict") if memory.target in superseded else memory
                superseded.add(memory.target)
            passed.append(memory)
    return Judgement(passed, dict(refused), frozenset(turns & {line.number for line in window.lines}), errors)


class _Refused(Exception):
    def __init__(self, reason: str) -> None:
        self.reason = reason


def _pass(proposal: Proposal, window: Window) -> AcceptedProposal:
    _require(
        len(proposal.text) <= TEXT_CHARACTERS
        and len(proposal.quote) <= QUOTE_CHARACTERS
        and len(proposal.subject) <= SUBJECT_CHARACTERS,
        "too_long",
    )
    lines = {line.number: line for line in window.lines}
    _require(bool(proposal.source_turns) and set(proposal.source_turns) <= lines.keys(), "unknown_turn")
    target = _target(proposal, window)
    occurred = None if proposal.occurred is None else occurrence.parse(proposal.occurred)
    _require(proposal.occurred is None or occurred is not None, "occurred")
    refusal = "quote_not_found"
    for number in dict.fromkeys(proposal.source_turns):
        line = lines[number]
        quoted = _quoted(line, proposal.quote) if line.is_new else None
        if quoted is None:
            continue
        try:
            _require_stated(proposal, line, quoted, window, target, occurred)
        except _Refused as refused:
            refusal = refused.reason
            continue
        action = _action(proposal, line, window, target, occurred)
        return AcceptedProposal(proposal, number, action, target.memory_id if target else None, occurred)
    raise _Refused(refusal)


def _target(proposal: Proposal, window: Window) -> Shown | None:
    """Only `add` has none."""
    target = None if proposal.target is None else window.shown.get(proposal.target)
    _require((proposal.action == "add") == (proposal.target is None), "wrong_target")
    _require(proposal.target is None or target is not None, "wrong_target")
    return target


def _quoted(line: Line, quote: str) -> tuple[int, int] | None:
    """Where the quote stands in the turn, between whole words."""
    text, wanted = clauses.plain(line.text), clauses.plain(quote)
    if not any(letter.isalnum() for letter in wanted):
        return None
    whole = unbroken(text)
    for match in re.finditer(f"(?={re.escape(wanted)})", text):
        start, end = match.start(), match.start() + len(wanted)
        if not _INSIDE.match(whole[max(start - 1, 0) : start]) and not _INSIDE.match(whole[end : end + 1]):
            return start, end
    return None


def _require_stated(
    proposal: Proposal,
    line: Line,
    quoted: tuple[int, int],
    window: Window,
    target: Shown | None,
    occurred: Occurrence | None,
) -> None:
    """Refused unless one of the sentences that the quote touches says it, for the reason of the last of them."""
    text = clauses.lines_kept(line.text)
    read = clauses.sentences(text)
    names = _names(line, window)
    told = restatement.words(proposal.text, names)
    _require(bool(told) and told[0] not in language.VAGUE | language.ANAPHORS | {ADDRESSEE}, "subject")
    _require(told[0] == SPEAKER or line.role == "user" or line.speaker is not None, "subject")
    _require(_contains(told, restatement.words(proposal.subject, names)), "subject")
    refusal = "unsupported"
    for position, sentence in enumerate(read):
        if sentence.end <= quoted[0] or sentence.start >= quoted[1]:
            continue
        refused = _unstated(text, read, position, line, window)
        if refused is not None:
            refusal = refused
            continue
        before = [earlier.text for earlier in read[:position]] + _earlier(proposal, line, window)
        persons, pronouns = _persons(before)
        statement = Statement(sentence.text, persons, pronouns, _things(before, target, names))
        is_dated = occurred is not None
        if restatement.restates(proposal.text, statement, names, line.observed_at, is_dated=is_dated):
            _require_then(occurred, sentence, line)
            return
    raise _Refused(refusal)


def _require_then(occurred: Occurrence | None, sentence: Sentence, line: Line) -> None:
    """Refused unless the sentence says when; the day on which it was said is nothing that a model invented."""
    said = occurrence.expressions(sentence.text)
    if occurred is None or (not said and occurrence.is_day(occurred, line.observed_at)):
        return
    _require(occurrence.is_supported(occurred, said, line.observed_at), "occurred")


def _unstated(text: str, read: Sequence[Sentence], position: int, line: Line, window: Window) -> str | None:
    """Why a sentence of a turn states nothing, None when it does."""
    sentence = read[position]
    if sentence.is_question:
        return "question"
    if _is_reported(text, sentence) or _label(text, sentence):
        return "reported"
    before = [other.text for other in read[: position + 1]]
    earlier = [other.text for other in window.lines if other.number < line.number]
    if any(_has(language.FRAMES, said) for said in [*before, *earlier[-1:]]) or any(
        _has(language.GAMES, said) for said in earlier
    ):
        return "not_stated"
    following = [other.text for other in read[position + 1 :]]
    if any(_denies(said) for said in [*before[:-1], *following]):
        return "taken_back"
    return "taken_back" if _takes_back(following[0] if following else _after(line, window)) else None


def _is_reported(text: str, sentence: Sentence) -> bool:
    """Whether it stands inside of quotation marks, or has somebody's words in them."""
    spans = [match.span() for match in re.finditer(r'"[^"]*"?', text)]
    spans += [match.span() for match in re.finditer(r"(?:^|(?<=\s))'[^'\n]*\s[^\n]*?'(?=\W|$)", text)]
    spans += [match.span() for match in re.finditer(r"(?m)^>.*$", text)]
    inside = " ".join(text[max(a, sentence.start) : min(b, sentence.end)] for a, b in spans)
    return (
        re.search(r"\b(?:i|my|me|we|our|you|your|is|are|was|were|has|have|will)\b", inside, re.IGNORECASE) is not None
    )


def _label(text: str, sentence: Sentence) -> bool:
    """Whether a colon stands before it in its turn, or in it: `From Bob: …`, or a line that ends in one."""
    return re.search(r":(?:\s|$)", text[: sentence.end]) is not None


def _has(words: Set[str], text: str) -> bool:
    if words is language.FRAMES and _AS_SOMEBODY.search(text):
        return True
    return any(word in words for word in re.findall(r"[a-z]+", text.lower().replace("role-play", "roleplay")))


def _denies(sentence: str) -> bool:
    return len(sentence.split()) <= _SHORT and _has(language.DENIALS, sentence)


def _takes_back(following: str) -> bool:
    if _denies(clauses.sentences(clauses.lines_kept(following))[0].text if following.strip() else ""):
        return True
    words = " ".join(re.findall(r"[a-z']+", following.lower().replace("’", "'")))
    return any(words == cue or (len(cue) > 3 and words.startswith(f"{cue} ")) for cue in language.RETRACTIONS)


def _after(line: Line, window: Window) -> str:
    """What the same speaker says next."""
    later = (other for other in window.lines if other.number > line.number)
    return next((other.text for other in later if (other.role, other.speaker) == (line.role, line.speaker)), "")


def _names(line: Line, window: Window) -> dict[tuple[str, ...], str]:
    """What the names of speakers mean in the text of a memory: SPEAKER for the speaker of this line, ADDRESSEE for the
    only other one.
    """
    speakers = {(turn.role, turn.speaker) for turn in window.lines}
    others = speakers - {(line.role, line.speaker)}
    own = _names_of(line.role, line.speaker, others)
    other = ("assistant" if line.role == "user" else "user", None)
    addressed = _names_of(*next(iter(others), other), {(line.role, line.speaker)}) if len(others) <= 1 else []
    return dict.fromkeys(addressed, ADDRESSEE) | dict.fromkeys(own, SPEAKER)


def _names_of(role: str, speaker: str | None, others: Set[tuple[str, str | None]]) -> list[tuple[str, ...]]:
    """The words for a speaker: the role, such as `user`, where no other speaker has it; the name; and the first word of
    the name where no other speaker's name begins with it.

    Names that could be part of a statement do not count: with such a name, a speaker could put any statement into the
    memory of another.
    """
    names: list[tuple[str, ...]] = [] if any(role == other for other, _ in others) else [(role,)]
    words = _words_of(speaker)
    if words and len(words) <= _NAME_WORDS and not set(words) & language.KNOWN:
        names.append(words)
        if not any(_words_of(other)[:1] == words[:1] for _, other in others):
            names.append(words[:1])
    return names


def _words_of(speaker: str | None) -> tuple[str, ...]:
    return tuple(word.lower() for word in written(clauses.plain(speaker or ""), _WORD))


def _earlier(proposal: Proposal, line: Line, window: Window) -> list[str]:
    """What the same speaker says before, in the turns that the proposal names."""
    return [
        other.text
        for other in window.lines
        if other.number in proposal.source_turns
        and other.number < line.number
        and (other.role, other.speaker) == (line.role, line.speaker)
    ]


def _persons(before: Sequence[str]) -> tuple[list[tuple[str, ...]], Set[str]]:
    """The words and pronouns for the only relative that the texts mention; none when another person may be meant."""
    mentioned = _mentioned(before)
    if len(mentioned) != 1 or any(_UNNAMED.search(text) for text in before):
        return [], frozenset()
    (ways,) = mentioned
    words = {word for way in ways for word in way}
    if words & language.SISTERS:
        return sorted(ways), language.FEMALE
    return (sorted(ways), language.MALE) if words & language.BROTHERS else ([], frozenset())


def _mentioned(before: Sequence[str]) -> set[frozenset[tuple[str, ...]]]:
    read = [sentence for text in before for sentence in clauses.sentences(clauses.lines_kept(text))]
    return {entity for sentence in read for entity in restatement.entities(sentence.text)}


def _things(before: Sequence[str], target: Shown | None, names: Mapping[tuple[str, ...], str]) -> list[tuple[str, ...]]:
    """The words for the only thing that the texts mention; what the target is about when there are no texts."""
    if before:
        mentioned = _mentioned(before)
        if len(mentioned) != 1 or any(_ARTICLE.search(text) for text in before):
            return []
        return [way for way in mentioned.pop() if way[:2] == (SPEAKER, POSSESSIVE)]
    subject = () if target is None else restatement.until_verb(restatement.words(target.text, names))
    return [subject] if subject and subject != (SPEAKER,) else []


def _action(proposal: Proposal, line: Line, window: Window, target: Shown | None, occurred: Occurrence | None) -> str:
    """Refused where a duplicate says anything but whole clauses of its target, or tells of another day."""
    if target is None:
        return proposal.action
    names = _names(line, window)
    told, known = restatement.words(proposal.text, names), restatement.words(target.text, names)
    if proposal.action == "duplicate":
        days = {target.day, _day(proposal, line, occurred)} - {None}
        _require(_is_said(told, known) and len(days) <= 1, "not_a_duplicate")
        return "duplicate"
    if not known:
        # A text without words, such as an emoji, states nothing that could become untrue.
        return "add"
    if proposal.action == "supersede" and target.is_own and _replaces(told, known):
        return "supersede"
    return "contradict" if told[0] == known[0] or _meaning(told) & _meaning(known) else "add"


def _is_said(told: Sequence[str], known: Sequence[str]) -> bool:
    """Whether all that is told are clauses of what is known, which nothing else there denies or limits."""
    words, whole = ([word for word in tokens if word not in language.FILLERS] for tokens in (told, known))
    if Counter(filter(_DECIDING.__contains__, words)) != Counter(filter(_DECIDING.__contains__, whole)):
        return False
    for start in range(len(whole) - len(words) + 1):
        end = start + len(words)
        begins = start == 0 or whole[start - 1] in language.CONNECTORS
        if begins and whole[start:end] == words and (end == len(whole) or whole[end] in language.CONNECTORS):
            return bool(words)
    return False


def _day(proposal: Proposal, line: Line, occurred: Occurrence | None) -> date | None:
    """The day that the memory would have; what is so has none, but not only because the model says so."""
    if occurred is not None:
        return occurred.first or occurred.last
    if proposal.category != "episodic" and lasting.is_lasting(proposal.quote):
        return None
    return line.observed_at.astimezone(UTC).date()


def _replaces(told: Sequence[str], known: Sequence[str]) -> bool:
    """Whether both cannot be true: the same with and without a negation, or two values of what has one."""
    if _meaning(told) == _meaning(known):
        return bool(set(told) & language.NEGATIONS) != bool(set(known) & language.NEGATIONS)
    subject = restatement.until_verb(told)
    if subject == restatement.until_verb(known) and POSSESSIVE in subject:
        return True
    read = [[word for word in words if word not in language.FILLERS] for words in (told, known)]
    return read[0][:2] == read[1][:2] and read[0][1:2] != [] and read[0][1] in language.SINGLE


def _meaning(words: Sequence[str]) -> set[str]:
    empty = language.NEGATIONS | language.FILLERS | {"do", "does", "any", "more", "anymore", "longer", "now", SPEAKER}
    return set(words) - empty


def _contains(words: Sequence[str], run: Sequence[str]) -> bool:
    return bool(run) and any(tuple(words[at : at + len(run)]) == tuple(run) for at in range(len(words)))


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise _Refused(reason)


_DECIDING = language.OPERATORS | language.TURNING
_AS_SOMEBODY = re.compile(r"\b(?:act|behave|speak|talk|respond|answer|reply|write) as\b", re.IGNORECASE)
_SHORT = 8
"""Most words of a sentence that only takes others back."""
_NAME_WORDS = 4
_WORD = re.compile(r"[^\W_]+")
_INSIDE = re.compile(r"[\w']")
_ARTICLE = re.compile(r"\b(?:a|an|the|another|some|this|that)\s", re.IGNORECASE)
_UNNAMED = re.compile(
    rf"\b(?:(?:another|his|her|their|one of)\s+\w+|an?\s+(?!lot\b|bit\b|few\b|week\b|hour\b|day\b|month\b|year\b)\w+|"
    rf"(?:the|some|this|that)\s+(?:\w+\s+)?(?:{language.PERSON_NOUNS})s?)\b",
    re.IGNORECASE,
)
