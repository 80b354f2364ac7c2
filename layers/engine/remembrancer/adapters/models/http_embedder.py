"""Embeddings from an HTTP server: one text at a time by `/v1/embed`, or the OpenAI protocol's `/v1/embeddings`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.http_json import JsonServer
from remembrancer.adapters.models.unit_vectors import field, no_vectors, unit_rows

EMBED = "/v1/embed"
EMBEDDINGS = "/v1/embeddings"


class HttpEmbedder:
    """Serves the Embedder port; `in_batches` by the OpenAI protocol.

    With `named`, requests name the number of dimensions and so does the model, since vectors of another length are
    vectors of another model.
    """

    def __init__(
        self, server: JsonServer, *, model: str, dimensions: int, in_batches: bool = False, named: bool = False
    ) -> None:
        self._server = server
        self._in_batches = in_batches
        self._name = model
        self._dimensions = dimensions
        self._named = {"dimensions": dimensions} if named else {}

    @property
    def model(self) -> str:
        """The server's name of the model, with the number of dimensions that requests name."""
        return f"{self._name}/{self._dimensions}d" if self._named else self._name

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows. Raises ConfigurationError when the server's vectors have another length."""
        if self._in_batches:
            rows = await self._all(texts)
        else:
            rows = [field(await self._server.post(EMBED, {"text": text} | self._named), "embedding") for text in texts]
        return unit_rows(rows, len(texts), self._dimensions)

    async def warm(self) -> None:
        """Embeds one text, so that a server with unsuitable vectors is found at start."""
        await self.embed(["warm"])

    async def _all(self, texts: Sequence[str]) -> list[Any]:
        asked = {"model": self._name, "input": list(texts)} | self._named
        answer = await self._server.post(EMBEDDINGS, asked)
        entries = field(answer, "data")
        try:
            return [entry["embedding"] for entry in sorted(entries, key=lambda entry: int(entry.get("index", 0)))]
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise no_vectors() from error
