"""A language model, as far as the engine asks one."""

from typing import Protocol


class LanguageModel(Protocol):
    """Writes short texts."""

    @property
    def name(self) -> str:
        """Of the model, as its provider calls it."""
        ...

    async def complete(self, instruction: str, prompt: str, *, most_tokens: int) -> str:
        """The model's answer, which may be empty, or anything; StoreError when there is none."""
        ...
