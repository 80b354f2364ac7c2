"""Reads whether a turn wishes something to be forgotten, by the packaged model with upper layers of its own."""

from typing import TYPE_CHECKING

import numpy as np

from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder, session
from remembrancer.errors import StoreUnavailable

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


class OnnxReader:
    """Serves the WishReader port. The embedder's lower layers take most of the 3 ms of a turn."""

    def __init__(self, embedder: OnnxEmbedder) -> None:
        self._embedder = embedder
        self._loaded: InferenceSession | None = None

    async def wishes(self, before: str, text: str) -> float:
        """Of the turn its beginning, of the one before it the end."""
        lower, begins = await self._embedder.lower(before, text)
        share = np.zeros(lower.shape[:2], np.float32)
        share[0, begins:] = 1 / (lower.shape[1] - begins)
        try:
            if self._loaded is None:
                self._loaded = session(self._embedder.folder / "reader.onnx", threads=1)
            (logit,) = self._loaded.run(["logit"], {"lower": lower, "share": share})
        except Exception as error:  # the library raises its own classes, some of them private
            raise StoreUnavailable("the reader of wishes failed", cause=type(error).__name__) from error
        return float(logit[0])
