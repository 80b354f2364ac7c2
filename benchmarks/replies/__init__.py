"""Fits the score of sentences in replies to an assistant: which are worth a memory.

The conversations label statements, corrections, and turns with nothing worth keeping; `small_talk.txt` names more of
the latter (`-`), and of the former (`+`), among their other turns. `sentences.txt` has what they have little of:
greetings, chit-chat, single words and other languages. The labelled turns of the tests, those that chose the rules,
stand as replies, too.

`python -m benchmarks.replies` prints by writer how many turns are decided right by weights that were fitted without
this writer; `--fit` writes weights fitted on all.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import listed_weights, logistic
from local.evaluation import conversations, outcomes
from local.evaluation.conversations import Conversation, Label
from remembrancer.domain.capture import reply_score, reply_weights, selection
from tests import capture_cases

CONVERSATIONS = ("chosen", "fresh", "training")
TESTS = "tests"
SENTENCES = "sentences"
ASKED = ("Noted.", "Is there anything else I can do?", "Here it is. I hope that helps.")
"""What an assistant has said before the turns of the tests."""
BOOKED = "It is booked for Tuesday 9 June at 14:00, for 30 euros."
"""To this, too, may somebody reply something else."""
MOST = 700
"""Figures with a weight: those that move the scores most."""
SMALL_TALK = 1.5
"""How much a sentence counts that is not worth a memory; a statement counts 1."""
UNASKED = 0.4
"""How much a statement counts that no question of the conversation is about."""
OF_TESTS = 0.33
_TOLD = frozenset(("another", "repeat", "period", "news", "addition", "past", "once"))
"""Turns that look like corrections and state something."""
_KEPT = frozenset((selection.WISH, selection.TOLD_BESIDE, selection.TOLD))
_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Reply:
    """A user's turn, what the assistant said before it (nothing at the beginning), and whether it is worth a memory;
    None: some of it is, with no label that says which. `words` are those of its statements, `counts` is their weight.
    """

    writer: str
    kind: str
    text: str
    asked: str
    is_worth: bool | None
    words: tuple[str, ...] = ()
    counts: float = 1.0


def every() -> list[Reply]:
    """All labelled turns of users in the conversations that may be fitted on, and of the tests."""
    listed = [line.split() for line in (_FOLDER / "small_talk.txt").read_text(encoding="utf-8").splitlines()]
    others = {(name, turn[1:]): turn[0] == "+" for name, *turns in listed for turn in turns}
    read = conversations.read([_FOLDER.parent / "conversations" / f"{part}.txt" for part in CONVERSATIONS])
    return [*(reply for one in read for reply in _replies(one, others)), *_sentences(), *_tests()]


def _replies(one: Conversation, others: dict[tuple[str, str], bool]) -> Iterator[Reply]:
    writer = f"training {one.name[0]}" if one.half == "training" else one.half
    turns = list(one.turns.values())
    for turn, before in zip(turns[1:], turns, strict=False):
        own = [label for label in one.labels if label.turn == turn.id]
        if turn.role != "user" or any(label.act == "forget" and not label.kind for label in own):
            continue
        asked = before.text if before.role == "assistant" and before.session == turn.session else ""
        known = others.get((one.name, turn.id))
        if small := next((label.kind for label in own if label.act == "keep"), ""):
            yield Reply(writer, f"not keep {small}", turn.text, asked, False, counts=SMALL_TALK)
        elif words := _stated(own):
            yield Reply(writer, "statement", turn.text, asked, True, words)
        elif known or any(label.act == "correct" and label.kind in _TOLD for label in own):
            yield Reply(writer, "unasked statement", turn.text, asked, True, counts=UNASKED)
        elif known is not None:
            yield Reply(writer, "other small talk", turn.text, asked, False, counts=SMALL_TALK)


def _stated(labels: Sequence[Label]) -> tuple[str, ...]:
    stating = [label for label in labels if label.act in ("state", "correct") and not label.kind]
    return tuple(word for label in stating for word in label.words)


def _sentences() -> Iterator[Reply]:
    for line in (_FOLDER / "sentences.txt").read_text(encoding="utf-8").splitlines():
        asked, said = line[2:].split(" | ")
        is_worth = line.startswith("+")
        kind = "statement" if is_worth else "not keep"
        yield Reply(SENTENCES, kind, said, asked, is_worth, (said,) * is_worth, 1.0 if is_worth else SMALL_TALK)


def _tests() -> Iterator[Reply]:
    for turn in capture_cases.turns():
        if not turn.is_confirming:
            counts = OF_TESTS * (1.0 if turn.is_worth else SMALL_TALK)
            kind = "statement" if turn.is_worth else "not keep"
            for asked in (turn.preceding,) if turn.preceding else ASKED:
                yield Reply(TESTS, kind, turn.text, asked, turn.is_worth, counts=counts)
    for line in (_FOLDER.parent / "data" / "conflicts.jsonl").read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        if pair["half"] == "choosing":
            for asked in (ASKED[0], BOOKED):
                yield Reply(TESTS, "statement", pair["older"], asked, True, counts=OF_TESTS)


def rows(reply: Reply) -> Iterator[logistic.Row]:
    """Its sentences, but those of a statement that are not known to state it."""
    sentences = reply_score.read(reply.text)
    for sentence, found in zip(sentences, reply_score.figures(sentences, reply.asked), strict=True):
        if reply.words:
            is_meant = any(outcomes.has(sentence, [word]) for word in reply.words)
        elif reply.writer == TESTS:
            is_meant = len(sentences) == 1
        else:
            is_meant = selection.kind(sentence) in _KEPT
        if is_meant or not reply.is_worth:
            yield frozenset(found), bool(reply.is_worth), reply.counts


def fitted(replies: Sequence[Reply]) -> logistic.Weights:
    """Weights fitted on the sentences of these replies."""
    return logistic.fitted([row for reply in replies for row in rows(reply)], most=MOST)


def is_kept(reply: Reply, weights: logistic.Weights) -> bool:
    """Whether a sentence reaches the line."""
    listed = reply_score.figures(reply_score.read(reply.text), reply.asked)
    return any(weights.score(frozenset(one)) >= reply_score.LIKELY for one in listed)


def crossed(replies: Sequence[Reply]) -> Iterator[tuple[Reply, bool]]:
    """Each reply to an assistant with whether it is kept by weights that were fitted without its writer."""
    for writer in sorted({reply.writer for reply in replies} - {SENTENCES, TESTS}):
        weights = fitted([reply for reply in replies if reply.writer != writer])
        yield from ((reply, is_kept(reply, weights)) for reply in replies if reply.writer == writer and reply.asked)


def report(found: Sequence[tuple[Reply, bool]]) -> Iterator[str]:
    """By writer: statements that are kept, by the rules and by the score; small talk that is left alone."""
    for writer in (*sorted({reply.writer for reply, _ in found}), "all"):
        own = [(reply, is_kept) for reply, is_kept in found if writer in ("all", reply.writer)]
        for kind in sorted({reply.kind for reply, _ in own}) if writer == "all" else ("statement",):
            yield _line(writer, kind, [one for one in own if one[0].kind == kind])
        yield _line(writer, "not keep", [one for one in own if one[0].kind.startswith("not keep")])


def _line(writer: str, kind: str, found: Sequence[tuple[Reply, bool]]) -> str:
    by_score = sum(is_kept == reply.is_worth for reply, is_kept in found)
    by_rules = sum(selection.says_something(reply.text) == reply.is_worth for reply, _ in found)
    count = max(len(found), 1)
    return (
        f"{writer:<10} {kind:<20} of {len(found):4}: by rules {by_rules / count:.3f}, by score {by_score / count:.3f}"
    )


def write(weights: logistic.Weights) -> None:
    """Replaces the weights in the engine's file."""
    listed_weights.write(Path(reply_weights.__file__), weights.bias, weights.of)
