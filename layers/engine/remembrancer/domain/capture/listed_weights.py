"""Weights of words as they stand in the files that fits write: `0.36 please; -0.14 book it`."""

from collections.abc import Mapping


def read(listed: str) -> Mapping[str, float]:
    """By what they weigh, in which blanks and line ends are one blank."""
    pairs = (" ".join(one.split()).partition(" ") for one in listed.split(";"))
    return {figure: float(weight) for weight, _, figure in pairs if figure}
