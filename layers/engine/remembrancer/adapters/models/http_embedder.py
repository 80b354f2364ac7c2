"""Embeddings from an HTTP server: one text at a time by `/v1/embed`, or the OpenAI protocol's `/v1/embeddings`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.unit_vectors import unit_rows
from remembrancer.errors import StoreUnavailable

EMBED = "/v1/embed"
EMBEDDINGS = "/v1/embeddings"
PATHS = (EMBED, EMBEDDINGS)


class HttpEmbedder:
    """Serves the Embedder port; `path` selects the protocol of the server."""

    def __init__(self, server: JsonServer, *, path: str, model: str, dimensions: int) -> None:
        self._server = server
        self._path = path
        self._model = model
        self._dimensions = dimensions

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows. Raises ConfigurationError when the server's vectors have another length."""
        if self._path == EMBEDDINGS:
            rows = await self._all(texts)
        else:
            rows = [_field(await self._server.post(EMBED, {"text": text}), "embedding") for text in texts]
        return unit_rows(rows, len(texts), self._dimensions)

    async def warm(self) -> None:
        """Embeds one text, so that a server with unsuitable vectors is found at start."""
        await self.embed(["warm"])

    async def _all(self, texts: Sequence[str]) -> list[Any]:
        answer = await self._server.post(EMBEDDINGS, {"model": self._model, "input": list(texts)})
        entries = _field(answer, "data")
        try:
            return [entry["embedding"] for entry in sorted(entries, key=lambda entry: int(entry.get("index", 0)))]
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise _unreadable() from error


def _field(answer: Any, name: str) -> Any:
    try:
        return answer[name]
    except (LookupError, TypeError) as error:
        raise _unreadable() from error


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable("The answer contains no vectors", cause="NoVectors")
