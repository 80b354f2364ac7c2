"""Token limits and tokenizer of the model that a request is for."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelProfile:
    """A model's limits in tokens and the tokenizer that counts for it.

    `window` is the largest input. `safety_fraction` is the part of the window that stays free because counts may be
    wrong: it is larger where the tokenizer is only estimated. An unknown model has a small window and `known` false.
    """

    name: str
    window: int
    max_output_tokens: int
    tokenizer_family: str
    safety_fraction: float
    known: bool

    @property
    def has_cache_marks(self) -> bool:
        """Whether its provider reads marks of `cache_control`: Anthropic's models do, wherever they run."""
        return self.tokenizer_family.startswith("claude")
