"""Which turns become memories, without a language model (docs/capture.md, Rules).

What a user says to no assistant is decided by the rules of `selection`, what a user replies to one by `reply_score`.
An assistant's turn is kept where the user affirms it, picks one of several, or denies a question about the user, in
words that mean nothing alone.
"""

from collections.abc import Collection
from dataclasses import dataclass

from remembrancer.domain.capture import agreement_score, agreements, phrases, reply_score, selection
from remembrancer.domain.capture.selection import ANSWERED, ASSISTANT, NO_STATEMENT, QUESTION, STATEMENT


@dataclass(frozen=True, slots=True)
class Choice:
    """Whether a turn becomes a memory, and why: the reasons are those of `selection`."""

    is_kept: bool
    reason: str


def choose(
    role: str, text: str, following: str | None, names: Collection[str] = (), *, preceding: str | None = None
) -> Choice:
    """Decides on one turn; `following` is the next turn of the user, None when there is none yet.

    `names` are those of the speakers, in lower case: they do not count as words with a meaning. `preceding` is the
    assistant's turn that the user replies to, None without one.
    """
    if role == "assistant":
        is_told = selection.says_something(text, names) or _asks_about(text, names)
        if following is not None and is_told and _is_answer(following, names) and not _is_turned_down(text, following):
            return Choice(True, ANSWERED)
        return Choice(False, ASSISTANT)
    if preceding is None:
        says = selection.says_something(text, names)
    else:
        says = reply_score.says_something(text, preceding, names)
    if says:
        return Choice(True, STATEMENT)
    return Choice(False, QUESTION if selection.QUESTION_MARK.search(text) else NO_STATEMENT)


def _is_turned_down(text: str, following: str) -> bool:
    """Whether the user rejects what the assistant stated or offered; "No" to a question about the user tells a fact."""
    question = selection.last_question(text)
    return agreements.rejects(following) and (not question or agreement_score.offers(question))


def _asks_about(text: str, names: Collection[str]) -> bool:
    """Whether it is a question about something."""
    return any(
        selection.meaning_words(selection.words_of(sentence), names) >= 1
        for sentence in selection.sentences_of(text)
        if selection.is_marked(sentence)
    )


def _is_answer(text: str, names: Collection[str]) -> bool:
    """Whether it affirms, denies or picks one of several, and states nothing else."""
    words = selection.words_of(text.replace("’", "'"))
    return selection.begins_with(words, phrases.ANSWERS) and not selection.says_something(text, names)
