"""Models and their catalogue: embeddings, token counts, language models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.domain.context.token_counts import TokenCount


class Embedder(Protocol):
    """Turns text into unit vectors of one model."""

    @property
    def model(self) -> str:
        """Stored beside every vector: vectors of different models are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector that `embed` returns."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, dimensions), unit rows, in the order of the texts; StoreError when the model fails."""
        ...


class WishReader(Protocol):
    """Reads turns of the user, each as a whole."""

    async def wishes(self, before: str, text: str) -> float:
        """The logit that the text, behind the turn before it, wishes something to be forgotten or not to be kept;
        StoreError when the model fails.
        """
        ...


class TokenCounter(Protocol):
    """Tokens of texts, off the event loop."""

    async def count_many(self, texts: Sequence[str], family: str) -> Sequence[TokenCount]:
        """One count a text; `exact` says whether it is the tokenizer's own."""
        ...


class Catalogue(Protocol):
    """Windows, limits and tokenizers of models."""

    def lookup(self, model: str) -> ModelProfile:
        """Never fails: an unknown model has a small window and `known` false."""
        ...


@dataclass(frozen=True, slots=True)
class StructuredAnswer:
    """What a model answered, and the tokens that its provider counted; 0 where it does not say."""

    text: str
    prompt_tokens: int = 0
    answer_tokens: int = 0


class LanguageModel(Protocol):
    """Writes short texts, such as the hypotheses of a turn, and answers with JSON of a schema, as far as its provider
    can make it. Both raise StoreError when there is no answer.
    """

    @property
    def name(self) -> str:
        """The provider's name of the model."""
        ...

    async def complete(self, instruction: str, prompt: str, *, most_tokens: int) -> str:
        """The model's answer, which may be empty, or anything."""
        ...

    async def answer(
        self, instruction: str, prompt: str, schema: Mapping[str, Any], *, most_tokens: int
    ) -> StructuredAnswer:
        """The answer, which may be empty, or anything."""
        ...
