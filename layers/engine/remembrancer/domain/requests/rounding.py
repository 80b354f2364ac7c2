"""Numbers as answers show them."""

DIGITS = 3
"""Decimals that a person needs. Orders are made of the whole numbers: two that look equal need not be."""


def figure(value: float) -> float:
    """A score, a share or a similarity, rounded; what is rounded to zero has no sign."""
    return round(value, DIGITS) + 0.0
