"""How often the memory that a wish is about comes first: in English conversations of ours, without servers.

`python -m benchmarks.wishes.targets FOLDER` keeps the vectors of memories in the folder. It reads wishes as the words
tell them, without the reader, and leaves out those of which the turn that is meant made no memory.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.corrections import cases
from benchmarks.corrections.cases import Memory
from benchmarks.corrections.vectors import Vectors
from benchmarks.wishes import CONVERSATIONS
from local.evaluation import conversations
from local.evaluation.conversations import Conversation, Turn
from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.capture import forgetting, wishes
from remembrancer.domain.capture.forgetting import Candidate, Match, Sought
from remembrancer.domain.capture.phrases import SMALL_TALK
from remembrancer.domain.capture.wishes import Wish
from remembrancer.domain.lexical_index.stop_words import ENGLISH, STOP_WORDS
from remembrancer.domain.lexical_index.words import words

_STEMMER = SnowballStemmer().of(ENGLISH)
_FOLDER = Path(__file__).parents[1] / "conversations"


@dataclass(frozen=True, slots=True)
class Case:
    """A wish, the memories made before it, the oldest first, and the turns that it means; `before` is what was said
    just before, where the wish points at that.
    """

    part: str
    wish: Wish
    memories: Sequence[Memory]
    meant: frozenset[str]
    before: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    found = [case for part in CONVERSATIONS for case in _of_part(part)]
    print(*asyncio.run(_report(found, parser.parse_args().folder)), sep="\n")


def _of_part(part: str) -> Iterator[Case]:
    for conversation in conversations.read([_FOLDER / f"{part}.txt"]):
        if conversation.language == "en":
            yield from _of_conversation(conversation, cases.memories_of(conversation))


def _of_conversation(conversation: Conversation, memories: Sequence[Memory]) -> Iterator[Case]:
    targets: dict[str, set[str]] = {}
    for label in conversation.labels:
        if label.act == "forget" and not label.kind and label.target != conversations.SELF:
            targets.setdefault(label.turn, set()).add(label.target)
    spoken = [turn for turn in conversation.turns.values() if turn.session]
    for place, turn in enumerate(spoken):
        meant = frozenset(targets.get(turn.id, ()))
        known = [memory for memory in memories if memory.place < place]
        wish = wishes.wish(turn.text) if meant & {memory.turn for memory in known} else None
        if wish is not None and not wish.is_of_everything:
            before = _before(spoken[:place], turn, known) if wish.is_of_before and wish.is_sure else ""
            yield Case(conversation.half, wish, known, meant, before)


def _before(spoken: Sequence[Turn], turn: Turn, known: Sequence[Memory]) -> str:
    """The last turn of the user in this session that made a memory."""
    made = {memory.turn for memory in known}
    own = (other.id for other in reversed(spoken) if other.session == turn.session and other.role == "user")
    return next((one for one in own if one in made), "")


async def _report(found: Sequence[Case], folder: Path) -> list[str]:
    vectors = Vectors(folder)
    rows = [f"{'':<10} wishes  first is right  right among  none found  found though the right one is gone"]
    for part in CONVERSATIONS:
        own = [case for case in found if case.part == part]
        whole = [(case, await _matches(case, case.memories, vectors)) for case in own]
        first = sum(_is_meant(case, matches[:1]) for case, matches in whole)
        among = sum(_is_meant(case, matches) for case, matches in whole)
        none = sum(not matches for _, matches in whole)
        gone = 0
        for case in own:
            others = [memory for memory in case.memories if memory.turn not in case.meant]
            gone += bool(others and await _matches(case, others, vectors))
        shares = (f"{count / len(own):.3f}" for count in (first, among, none, gone))
        rows.append(f"{part:<10} {len(own):>6}  " + "  ".join(f"{share:>12}" for share in shares))
    vectors.close()
    return rows


async def _matches(case: Case, memories: Sequence[Memory], vectors: Vectors) -> list[tuple[Memory, Match]]:
    texts = [*(topic.text for topic in case.wish.topics), case.wish.said]
    views = [await vectors.of(Memory("", text)) for text in texts]
    latest = max(len(memories) - 1, 1)
    candidates = []
    for place, memory in enumerate(memories):
        vector = await vectors.of(memory)
        candidates.append(
            Candidate(
                cases.id_of(memory),
                _words(memory.content),
                [float(view @ vector) for view in views],
                lateness=(latest - place if case.wish.is_of_old else place) / latest,
                is_before=memory.turn == case.before,
            )
        )
    topics = [Sought(_words(topic.text), topic.is_open) for topic in case.wish.topics]
    matches = forgetting.matches(topics, _words(case.wish.said), candidates, is_sure=case.wish.is_sure)
    by_id = {cases.id_of(memory): memory for memory in memories}
    return [(by_id[match.memory_id], match) for match in matches]


def _is_meant(case: Case, matches: Sequence[tuple[Memory, Match]]) -> bool:
    return any(memory.turn in case.meant for memory, _ in matches)


def _words(text: str) -> frozenset[str]:
    meant = [word for word in words(text, STOP_WORDS[ENGLISH]) if word not in SMALL_TALK]
    return frozenset(_STEMMER.stem(meant))


if __name__ == "__main__":
    main()
