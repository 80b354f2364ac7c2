"""Embeddings from Amazon Bedrock: Titan's and Cohere's models."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.adapters.models.bedrock import BedrockRuntime
from remembrancer.adapters.models.unit_vectors import field, no_vectors, unit_rows

COHERE_TEXTS = 96
"""Most texts in one call."""
_PADDED = 256
"""Dimensions of Titan's vectors where the deployment names no number, as before it could."""


class BedrockEmbedder:
    """Serves the Embedder port; the model's id tells its provider.

    With `named`, the vectors have the number of dimensions that the deployment names: Titan's second version has 256,
    512 and 1,024, Cohere's fourth 256, 512, 1,024 and 1,536. Earlier versions have one number, and requests to them
    name none. Without `named`, Titan's vectors of 256 are padded with zeros, which changes no cosine.
    """

    def __init__(self, runtime: BedrockRuntime, *, model: str, dimensions: int, named: bool = False) -> None:
        self._runtime = runtime
        self._id = model
        self._dimensions = dimensions
        self._named = named
        self._cohere = "cohere." in model

    @property
    def model(self) -> str:
        """The id, with the number of dimensions where a request names it."""
        if self._named:
            # Not as vectors of 256 that were filled up.
            return f"{self._id}/{self._dimensions}d"
        return self._id if self._cohere else f"{self._id}/{self._own_dimensions}"

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
    def _own_dimensions(self) -> int:
        """The number in requests to Titan."""
        return self._dimensions if self._named or self._dimensions in {256, 512, 1024} else _PADDED

    async def _by_titan(self, text: str) -> list[float]:
        # Titan's first version rejects a body with anything but the text.
        choice = {} if _is_first_titan(self._id) else {"dimensions": self._own_dimensions, "normalize": True}
        vector = field(await self._invoke({"inputText": text} | choice), "embedding")
        if not isinstance(vector, list):
            raise no_vectors()
        is_padded = not self._named and len(vector) == self._own_dimensions
        return vector + [0.0] * (self._dimensions - len(vector)) if is_padded else vector

    async def _by_cohere(self, texts: Sequence[str]) -> list[Any]:
        """Queries are embedded as documents too: memories and queries must share one kind of vector."""
        rows: list[Any] = []
        for start in range(0, len(texts), COHERE_TEXTS):
            asked: dict[str, Any] = {
                "texts": list(texts[start : start + COHERE_TEXTS]),
                "input_type": "search_document",
            }
            answer = field(await self._invoke(asked | self._cohere_choice), "embeddings")
            # By type where the request names one.
            rows += field(answer, "float") if isinstance(answer, dict) else answer
        return rows

    @property
    def _cohere_choice(self) -> dict[str, Any]:
        if "embed-v4" in self._id:
            return {"truncate": "RIGHT", "embedding_types": ["float"], "output_dimension": self._dimensions}
        return {"truncate": "END"}

    async def _invoke(self, body: dict[str, Any]) -> Any:
        answer = await self._runtime.call(
            "invoke_model", modelId=self._id, body=json.dumps(body), contentType="application/json",
            accept="application/json",
        )  # fmt: skip
        try:
            return json.loads(await asyncio.to_thread(answer["body"].read))
        except (LookupError, ValueError, RecursionError) as error:
            raise no_vectors() from error


def _is_first_titan(model: str) -> bool:
    return "titan-embed-text-v1" in model or "titan-embed-g1-text" in model
