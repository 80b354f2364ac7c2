"""Numbers as answers show them: rounded in data, without exponents in messages."""

from collections.abc import Iterable

DIGITS = 3
"""Decimals shown. Orders are computed from unrounded numbers, so two that look equal may differ."""


def figure(value: float) -> float:
    """A score, share or similarity, rounded; a result of zero has no sign."""
    return round(value, DIGITS) + 0.0


def figures(values: Iterable[float]) -> list[float]:
    """Each as `figure` gives it."""
    return [round(value, DIGITS) + 0.0 for value in values]


def digits(value: float) -> str:
    """The number as a message writes it: `10000000`, `0.5`."""
    return f"{value:.9f}".rstrip("0").rstrip(".")
