"""Embeddings from Amazon Bedrock: Titan's and Cohere's models."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.bedrock import BedrockRuntime
from remembrancer.adapters.models.unit_vectors import unit_rows
from remembrancer.errors import StoreUnavailable

TITAN_DIMENSIONS = 256
COHERE_TEXTS = 96
"""Most texts in one call."""


class BedrockEmbedder:
    """Serves the Embedder port; the model's id tells its provider.

    Titan's vectors can have 256, 512 or 1,024 dimensions. Where the database stores another number, those of 256 are
    padded with zeros, which changes no cosine. Cohere's `embed-english-light-v3` has 384.
    """

    def __init__(self, runtime: BedrockRuntime, *, model: str, dimensions: int) -> None:
        self._runtime = runtime
        self._id = model
        self._dimensions = dimensions
        self._cohere = "cohere." in model

    @property
    def model(self) -> str:
        """The id, and for Titan its number of dimensions."""
        return self._id if self._cohere else f"{self._id}/{self._titan_dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows. Raises ConfigurationError when the model's vectors have another length."""
        if self._cohere:
            rows = await self._by_cohere(texts)
        else:
            rows = await asyncio.gather(*(self._by_titan(text) for text in texts))
        return unit_rows(rows, len(texts), self._dimensions)

    async def warm(self) -> None:
        """Embeds one text, so that a model with unsuitable vectors is found at start."""
        await self.embed(["warm"])

    @property
    def _titan_dimensions(self) -> int:
        return self._dimensions if self._dimensions in {256, 512, 1024} else TITAN_DIMENSIONS

    async def _by_titan(self, text: str) -> list[float]:
        asked = {"inputText": text, "dimensions": self._titan_dimensions, "normalize": True}
        vector = _field(await self._invoke(asked), "embedding")
        if not isinstance(vector, list):
            raise _unreadable()
        # Request a length only from models that allow a choice; the others reject the parameter.
        missing = self._dimensions - len(vector) if len(vector) == self._titan_dimensions else 0
        return vector + [0.0] * missing

    async def _by_cohere(self, texts: Sequence[str]) -> list[Any]:
        """Queries are embedded as documents too: memories and queries must share one kind of vector."""
        rows: list[Any] = []
        for start in range(0, len(texts), COHERE_TEXTS):
            asked = {
                "texts": list(texts[start : start + COHERE_TEXTS]),
                "input_type": "search_document",
                "truncate": "END",
            }
            rows += _field(await self._invoke(asked), "embeddings")
        return rows

    async def _invoke(self, body: dict[str, Any]) -> Any:
        answer = await self._runtime.call(
            "invoke_model", modelId=self._id, body=json.dumps(body), contentType="application/json",
            accept="application/json",
        )  # fmt: skip
        try:
            return json.loads(await asyncio.to_thread(answer["body"].read))
        except (LookupError, ValueError) as error:
            raise _unreadable() from error


def _field(answer: Any, name: str) -> Any:
    try:
        return answer[name]
    except (LookupError, TypeError) as error:
        raise _unreadable() from error


def _unreadable() -> StoreUnavailable:
    return StoreUnavailable("The answer contains no vectors", cause="NoVectors")
