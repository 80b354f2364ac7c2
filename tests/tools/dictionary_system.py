"""A system for `benchmarks.peers.worker` that keeps memories in a dictionary; a question names its answer."""

from collections import defaultdict

from benchmarks.peers.embedding import WaitingEmbedder
from benchmarks.peers.system import Memories

PACKAGES = ("numpy",)


class DictionarySystem:
    def __init__(self, embedder: WaitingEmbedder) -> None:
        self._embedder = embedder
        self._known: dict[str, dict[str, str]] = defaultdict(dict)

    async def open(self) -> None:
        print("a library's notice")  # noqa: T201

    async def add(self, owner: str, memories: Memories) -> None:
        self._known[owner].update(memories)

    async def search(self, owner: str, question: str, limit: int) -> list[str]:
        assert len(self._embedder.vector(question)) == self._embedder.dimensions
        if question == "broken":
            raise ConnectionError
        return [ref for ref, text in self._known[owner].items() if question in text][:limit]

    async def close(self) -> None:
        self._known.clear()


def connect(_: str, embedder: WaitingEmbedder) -> DictionarySystem:
    return DictionarySystem(embedder)
