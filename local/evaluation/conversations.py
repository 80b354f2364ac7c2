"""Whole conversations with labelled turns: corrections, agreements, wishes to forget, and turns that look like them.

A file has one half; its lines:

    == NAME | DOMAIN | LANGUAGE [| hard]     a conversation
    m1: TEXT                                 a memory that the end user has before it
    -- 2026-10-05 10:02                      a session begins, in UTC
    u1: TEXT                                 a turn of the user, a1 of the assistant
    > correct TARGET | NEW | OLD | QUESTION  the turn above corrects TARGET, a turn or memory, or settles it anew
    > agree WORDS | QUESTION                 the turn above is the assistant's, and the user accepted it
    > state WORDS | QUESTION                 the turn above says so, whatever else of it is corrected or forgotten
    > forget TARGET | WORDS | QUESTION [| WISH]   TARGET is to be forgotten; `self`: the turn above is not to be kept
    > not ACT KIND                           the turn above looks like ACT and is none

NEW, OLD and WORDS are copied from their turns; parts with ` & ` between them may stand apart. WISH is the part of a
turn that is the wish, where it says something else that may be kept. `not keep`: a turn with nothing worth keeping.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from local.evaluation.dataset import DatasetError

ACTS = ("correct", "agree", "forget", "state")
SELF = "self"
_LOOKS_LIKE = ("correct", "agree", "forget", "keep")
_FIELDS = {"correct": (4,), "agree": (2,), "forget": (3, 4), "state": (2,)}
_TURN = re.compile(r"([mua]\d+): (\S.*)")
_ROLES = {"m": "memory", "u": "user", "a": "assistant"}


@dataclass(frozen=True, slots=True)
class Turn:
    """`role` is `user`, `assistant`, or `memory` for what is known before the first session, which is number 0."""

    id: str
    role: str
    text: str
    session: int


@dataclass(frozen=True, slots=True)
class Label:
    """What the turn `turn` does: one of ACTS, or, with a `kind`, what it only looks like.

    `words` must be known afterwards (not after `forget`: then they must not); `old` are the words that a
    correction replaces; `wish` is the part of the turn that is a wish.
    """

    act: str
    turn: str
    target: str = ""
    words: tuple[str, ...] = ()
    old: str = ""
    question: str = ""
    wish: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Conversation:
    """`sessions` are the times at which they begin, in order."""

    name: str
    half: str
    domain: str
    language: str
    hard: bool
    sessions: list[datetime] = field(default_factory=list)
    turns: dict[str, Turn] = field(default_factory=dict)
    labels: list[Label] = field(default_factory=list)

    @property
    def spoken(self) -> int:
        """The number of turns without the memories before the first session."""
        return sum(1 for turn in self.turns.values() if turn.session)


def read(paths: Sequence[Path]) -> list[Conversation]:
    """The conversations of the files, or of every `.txt` file of a folder; a file's name is its half.

    Raises DatasetError for a wrong line, and for a label whose turn or words do not exist.
    """
    found: dict[str, Conversation] = {}
    for path in _files(paths):
        for place, line in _lines(path):
            if line.startswith("== "):
                conversation = _header(place, line, path.stem)
                if conversation.name in found:
                    raise DatasetError(f"{place}: a second conversation {conversation.name}")
                found[conversation.name] = conversation
            elif not found:
                raise DatasetError(f"{place}: a file begins with a conversation, such as == bikes-1 | shop | en")
            else:
                _add(place, line, conversation)
    if not found:
        raise DatasetError("there is no conversation in these files")
    return list(found.values())


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.exists():
            raise DatasetError(f"there is no file {path}")
        yield from sorted(path.glob("*.txt")) if path.is_dir() else (path,)


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            yield f"{path.name}, line {number}", line.strip()


def _header(place: str, line: str, half: str) -> Conversation:
    fields = line[3:].split(" | ")
    if len(fields) not in (3, 4) or fields[3:] not in ([], ["hard"]):
        raise DatasetError(f"{place}: a conversation has a name, a domain, a language, and may be hard")
    return Conversation(fields[0], half, fields[1], fields[2], len(fields) == 4)


def _add(place: str, line: str, conversation: Conversation) -> None:
    if line.startswith("-- "):
        conversation.sessions.append(_session(place, line[3:], conversation.sessions))
    elif line.startswith("> "):
        label = _label(place, line[2:], conversation)
        _check(place, label, conversation.turns)
        conversation.labels.append(label)
    elif turn := _TURN.fullmatch(line):
        _add_turn(place, turn[1], turn[2], conversation)
    else:
        raise DatasetError(f"{place} is no turn, session or label: {line}")


def _session(place: str, text: str, earlier: Sequence[datetime]) -> datetime:
    try:
        begins = datetime.strptime(text, "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    except ValueError as error:
        raise DatasetError(f"{place}: a session has a time such as 2026-10-05 10:02") from error
    if earlier and begins <= earlier[-1]:
        raise DatasetError(f"{place}: the session is not after the one before it")
    return begins


def _add_turn(place: str, identifier: str, text: str, conversation: Conversation) -> None:
    role = _ROLES[identifier[0]]
    if identifier in conversation.turns:
        raise DatasetError(f"{place}: a second {identifier}")
    if (role == "memory") == bool(conversation.sessions):
        raise DatasetError(f"{place}: memories stand before the first session, turns in one")
    conversation.turns[identifier] = Turn(identifier, role, text, len(conversation.sessions))


def _label(place: str, line: str, conversation: Conversation) -> Label:
    if not conversation.turns:
        raise DatasetError(f"{place}: a label stands below its turn")
    turn = next(reversed(conversation.turns))
    act, _, rest = line.partition(" ")
    if act == "not":
        act, _, kind = rest.partition(" ")
        if act not in _LOOKS_LIKE or not kind:
            raise DatasetError(f"{place}: not one of {', '.join(_LOOKS_LIKE)}, and a kind")
        return Label(act, turn, kind=kind)
    fields = rest.split(" | ")
    if len(fields) not in _FIELDS.get(act, ()):
        raise DatasetError(f"{place}: a label is {', '.join(ACTS)} or not, with its fields")
    if act in ("agree", "state"):
        return Label(act, turn, turn, _parts(fields[0]), question=fields[1])
    target = turn if fields[0] == SELF else fields[0]
    if act == "correct":
        return Label(act, turn, target, _parts(fields[1]), old=fields[2], question=fields[3])
    wish = fields[3] if len(fields) == 4 else ""
    return Label(act, turn, target, _parts(fields[1]), question=fields[2], wish=wish)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(text.split(" & "))


def _check(place: str, label: Label, turns: Mapping[str, Turn]) -> None:
    """Raises DatasetError for a label that does not fit its turn or its target."""
    turn = turns[label.turn]
    is_anew = label.act == "correct" and not label.kind
    if (turn.role == "assistant") != (label.act == "agree") and label.act != "keep" and not is_anew:
        raise DatasetError(f"{place}: an assistant is agreed with or settles anew, and users do all else")
    if label.kind:
        return
    if label.target not in turns:
        raise DatasetError(f"{place}: there is no turn {label.target} above")
    target = turns[label.target]
    new = [(turn if label.act == "correct" else target, word) for word in label.words]
    for where, words in (*new, (target, label.old), (turn, label.wish)):
        if words.casefold() not in where.text.casefold():
            raise DatasetError(f"{place}: “{words}” does not stand in “{where.text}”")
