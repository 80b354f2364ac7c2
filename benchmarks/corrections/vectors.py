"""The vectors of turns and memories, by the packaged model; kept in a folder, since they take most of the time."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.corrections.cases import Memory
from local.stack import StackSettings
from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
from remembrancer.domain.memories import embedding_text


class Vectors:
    """The vectors of memories, computed once."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "corrections.npz"
        self._known = dict(np.load(self._file)) if self._file.exists() else {}
        self._embedder = OnnxEmbedder(StackSettings().models)

    async def of(self, memory: Memory) -> NDArray[np.float32]:
        """As the embedding worker makes it."""
        texts = embedding_text.texts(memory.content, memory.context)
        name = repr(texts)
        if name not in self._known:
            vectors = await self._embedder.embed([text for text, _ in texts])
            self._known[name] = embedding_text.combined(vectors, [[weight for _, weight in texts]])[0]
        known: NDArray[np.float32] = self._known[name]
        return known

    def close(self) -> None:
        """Keeps them for the next run."""
        np.savez(self._file, **self._known)
        self._embedder.close()
