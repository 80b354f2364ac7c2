"""Which memories a turn corrects (docs/capture.md, Corrections).

1. Certain is only a correction of a memory that says nothing else, by documented rules: words of a correction, and the
   turn names its value as wrong, says the same with another value of the same kind, or says that it is no longer so; or
   both are the same statement (`conflicts`). Questions, conditions, quotes, what others say, other times ("last year")
   and other persons and parts exclude it.
2. Otherwise a fitted function of the pair says how likely it is (`correction_features`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.capture import selection
from remembrancer.domain.capture.conversation import spoken
from remembrancer.domain.lexical_index.subjects import subjects
from remembrancer.domain.memories import conflicts, correction_words
from remembrancer.domain.memories.corrected_clauses import (
    BESIDE,
    differing,
    in_question,
    is_of_name,
    quoted,
    shortened,
    without,
)
from remembrancer.domain.memories.correction_features import Known, Said, Similarity, likelihoods
from remembrancer.domain.memories.correction_reading import (
    PERSONS,
    SENTENCE,
    Parsed,
    Reading,
    body,
    is_day,
    meaning_of,
    parse,
    read,
    reading,
    sentences,
    stop_words_of,
    written_clauses,
)
from remembrancer.domain.memories.statements import Token, statements, stems

MOST_CHARACTERS = 600
"""Longer texts correct nothing: what they say is about more than one memory."""
BEFORE = 4
"""Turns before one that it may mean without a word about them."""
LEAST_LIKELY = -2.0
"""The logit from which on a turn may correct a memory."""
MOST_CLAUSES = 12
"""Of a memory with more, the meaning of the first ones is compared."""
MOST_LINKED = 2
"""Most memories that one turn may correct."""
NEARLY = 1.0
"""How much less likely the second of them may be."""
MOST_LEFT = 3
"""Most meaning words of a clause that a certain correction neither repeats nor replaces."""
MOST_OLD = 5
"""Most meaning words of a value that is named as wrong."""
SHORT = 8
"""Most meaning words of a text whose words of a correction count without a value that is named as wrong."""
MOST_ELLIPTIC = 4
"""Most meaning words of a text that is kept with what it corrects, where that has others."""
MOST_ABOUT = 120
"""Characters of what it corrects there."""
MOST_QUOTES = 2
"""Clauses of it, neighbours counted as one: more do not tell what the text is about."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that a turn may correct; `is_near`: it was said just before, `is_of_session`: in the same session.
    `similarity` is None where the turn has no vector: then only certain corrections are found.

    What is pinned is never superseded: it stands in every prompt, and a person has decided that.
    """

    id: UUID
    content: str
    category: str
    created_at: datetime
    is_near: bool = False
    is_of_session: bool = False
    is_pinned: bool = False
    similarity: Similarity | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """What a turn does to a memory: `differs_in` is one of DIFFERENCES. `about` has the corrected clauses, with … for
    an old value, where the turn means little without them; else it is empty.
    """

    differs_in: str
    is_certain: bool
    about: str = ""


def linked(said: Said, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Correction]]:
    """The memories that a turn corrects: one for certain, or at most two that it may correct, the likeliest first."""
    if not may_correct(said.text):
        return []
    contents = [parse(one.content) for one in candidates]
    sure = None if said.is_assistant else _certain(said.text, candidates, contents)
    if sure is not None:
        return [sure]
    compared = [
        (one, Known(content, one.similarity, one.is_near, one.is_of_session))
        for one, content in zip(candidates, contents, strict=True)
        if one.similarity is not None
    ]
    logits = likelihoods(said, [known for _, known in compared])
    text, before = reading(said.text), reading(said.before)
    return [(compared[place][0], _possible(text, before, compared[place][1].content)) for place in chosen(logits)]


def chosen(logits: NDArray[np.float64], least: float = LEAST_LIKELY) -> list[int]:
    """The places of the likeliest, from the line on, and not much less likely than the best."""
    best = np.argsort(-logits, kind="stable")[:MOST_LINKED].tolist()
    return [place for place in best if logits[place] >= max(least, logits[best[0]] - NEARLY)]


def may_correct(text: str) -> bool:
    """Whether a turn's text may correct anything: otherwise nothing has to be read for it."""
    return (
        len(text) <= MOST_CHARACTERS
        and correction_words.FORGETTING.search(text) is None
        and correction_words.SUPPOSED.search(text) is None
        and bool(reading(text).everything)
        and not _says_the_same(text)
    )


def _says_the_same(text: str) -> bool:
    """Whether its one sentence begins with what is as it was: "Curry stays on Tuesday, by popular demand"."""
    clause, *_ = written_clauses(body(text)) or [""]
    is_unchanged = correction_words.UNCHANGED.search(clause) and not correction_words.CUE.search(text)
    return bool(is_unchanged) and len(sentences(text)) == 1


def compared_texts(text: str, memories: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """What is to be embedded for `similarity`: the sentences of a turn, and the clauses of each memory."""
    return sentences(text), [[clause.text.strip() for clause in parse(one).clauses][:MOST_CLAUSES] for one in memories]


def similarity(
    whole: float, text: NDArray[np.float32], sentence_vectors: NDArray[np.float32], clause_vectors: NDArray[np.float32]
) -> Similarity:
    """`whole` is the cosine of the turn's vector `text`, (d,), with the memory's; the others are (n, d) and unit."""
    return Similarity(
        max(whole, 0.0), float((sentence_vectors @ clause_vectors.T).max()), float((clause_vectors @ text).max())
    )


def is_elliptic(text: str) -> bool:
    """Whether it may mean what was said before, without a word about that."""
    return len(reading(text).words) <= MOST_ELLIPTIC


def is_of_speaker(memory: str, role: str, speaker: str | None) -> bool:
    """Whether a memory is of this speaker, of nobody by name, or what the assistant or its user said."""
    own = spoken(role, speaker, "").rstrip()
    others = tuple(spoken(one, None, "").rstrip() for one in ("assistant", *(["user"] if role == "assistant" else [])))
    return not subjects(memory).speaks or memory.startswith((own, *others))


# Certain corrections


@dataclass(frozen=True, slots=True)
class _Correcting:
    """A sentence that may correct something, and the words that it names as wrong."""

    reading: Reading
    old: frozenset[str]


def certain(text: str, candidates: Sequence[Candidate]) -> tuple[Candidate, Correction] | None:
    """The memory that says nothing but what the text of a user corrects, the last of several."""
    return _certain(text, candidates, [parse(one.content) for one in candidates]) if may_correct(text) else None


def _certain(
    text: str, candidates: Sequence[Candidate], contents: Sequence[Parsed]
) -> tuple[Candidate, Correction] | None:
    said, stated = _said(text), statements(body(text))
    for candidate, content in zip(reversed(candidates), reversed(contents), strict=True):
        clause, *others = content.clauses
        if others or candidate.is_pinned:
            continue
        if (difference := conflicts.statements_differ(statements(body(candidate.content)), stated)) is not None:
            return candidate, Correction(difference, is_certain=True)
        for one in said:
            if _is_certain(one, clause, is_near=candidate.is_near):
                return candidate, _correction(one.reading, content.clauses, content, is_certain=True)
    return None


def _possible(said: Reading, before: Reading, content: Parsed) -> Correction:
    """`before`: what was said before it, where the text itself does not tell which of several clauses it is about."""
    meant = in_question(said, content.clauses) or in_question(before, content.clauses)
    return _correction(said, meant or content.clauses, content, is_certain=False)


def _correction(said: Reading, meant: Sequence[Reading], content: Parsed, *, is_certain: bool) -> Correction:
    """`meant`: the clauses that it may be about; of these the first one is described."""
    old, *_ = differing(said, meant[0]) or (None,)
    about = _about(said, meant, content) if len(said.words) <= MOST_ELLIPTIC else ""
    return Correction(_difference(old, said, meant[0]), is_certain, about)


def _about(said: Reading, meant: Sequence[Reading], content: Parsed) -> str:
    """The clauses as they stand in the memory, of one the beginning; empty where several are too long, or where they
    say nothing that the text does not say itself.
    """
    quote = quoted(meant, body(content.text))
    old, surely, _ = differing(said, meant[0]) or (None, 0.0, False)
    if old is not None and surely == 1.0 and len(meant) == 1 and not is_of_name(said, meant[0], old):
        quote = without(quote, meant[0], old)
    is_clear = len(meant) == 1 or (len(quote) <= MOST_ABOUT and quote.count(BESIDE) < MOST_QUOTES)
    about = shortened(quote, MOST_ABOUT) if is_clear else ""
    return about if reading(about).words - said.words else ""


def _is_certain(said: _Correcting, clause: Reading, *, is_near: bool) -> bool:
    text, old_words = said.reading, said.old
    is_cued = correction_words.WRONG.search(text.text) is not None or (
        correction_words.CUE.search(text.text) is not None and (len(text.words) <= SHORT or bool(old_words))
    )
    if not is_cued or correction_words.ADDITION.search(text.text) or _is_of_another(said, clause):
        return False
    shared = (text.words & clause.words) - old_words
    left, added = clause.words - text.words - old_words, text.words - clause.words
    if (left & PERSONS and not (is_near and old_words)) or len(left) > MOST_LEFT:
        return False
    is_linked = bool(shared) or (is_near and len(text.words) <= MOST_LEFT)
    is_of_nothing_else = not added - old_words and not text.values and not clause.is_negative
    if correction_words.ENDING.search(text.text) and is_of_nothing_else and text.words & clause.words:
        return old_words <= clause.words
    found = differing(text, clause)
    is_replaced = found is not None and found[1] == 1.0
    # With words left and words added, it may be of another thing: the front wheel, and the rear one.
    if not is_linked or (left and added and is_replaced):
        return False
    return old_words <= clause.everything if old_words else is_replaced and not (left and added)


def _is_of_another(said: _Correcting, clause: Reading) -> bool:
    """Whether it is of a person that the clause does not have, or one is of the front and the other of the rear."""
    words = said.reading.words
    others = said.reading.persons - clause.persons - said.old
    return (bool(others) and not said.reading.persons & clause.persons) or any(
        words & pair and clause.words & pair and not words & clause.words & pair for pair in _PLACES
    )


def _difference(old: Token | None, said: Reading, clause: Reading) -> str:
    if old is not None:
        return "day" if is_day(old, clause.text) else "value"
    return "negation" if said.is_negative != clause.is_negative else "value"


def _said(text: str) -> tuple[_Correcting, ...]:
    """What a turn says that may correct something: a short turn as a whole, a longer one sentence by sentence."""
    said = selection.QUOTED.sub(" ", body(text))
    kept = [one.strip() for one in SENTENCE.findall(said) if one.strip() and not _says_nothing(one.strip())]
    stop_words = stop_words_of(said)
    whole = read(" ".join(kept), stop_words)
    readings = [whole] if len(whole.words) <= SHORT + MOST_LEFT else list(_by_sentence(kept, stop_words))
    return tuple(_Correcting(one, _named(one.text, stop_words)) for one in readings if one.everything)


def _by_sentence(sentences: Sequence[str], stop_words: frozenset[str]) -> Iterator[Reading]:
    before = ""
    for sentence in sentences:
        found = read(f"{before} {sentence}".strip(), stop_words)
        # "I was wrong about that.": what is right stands in the next sentence.
        before = sentence if not found.everything else ""
        yield found


def _says_nothing(sentence: str) -> bool:
    return sentence.endswith("?") or correction_words.EXCLUDED.search(sentence) is not None


def _named(text: str, stop_words: frozenset[str]) -> frozenset[str]:
    """The meaning words and values that are named as wrong. Takes a time that grows with the square of the text's
    length, so only turns are read like this.
    """
    for pattern in correction_words.OLD_VALUES:
        if match := pattern.search(text):
            named = match["old"].strip(" ,.")
            old = frozenset(token.text for _, token in meaning_of(f"so {named}", stop_words))
            if old and len(old) <= MOST_OLD:
                return old
    return frozenset()


_PLACES = tuple(stems(pair) for pair in ("front rear back", "left right", "upper lower", "first second third"))
