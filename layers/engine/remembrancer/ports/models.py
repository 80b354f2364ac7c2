"""What a language model takes."""

from collections.abc import Sequence
from typing import Protocol

from remembrancer.domain.model_profile import ModelProfile
from remembrancer.domain.tokens import TokenCount


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
