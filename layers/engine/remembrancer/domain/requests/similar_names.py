"""Finds the known name that a caller probably meant."""

from collections.abc import Iterable, Iterator, Mapping
from math import ceil

LONGEST = 64
"""Characters of a written name that are looked at: its time must not grow with what a caller sends."""
SHORTEST = 3
"""Names with fewer characters only match apart from case and separators: one slip makes them another name."""
SHARE = 0.6
"""The least share of either name that their common beginning needs (`category` for `categories`)."""


class SimilarNames:
    """Names to choose from; `shown` maps each to the text that is suggested for it."""

    def __init__(self, shown: Mapping[str, str]) -> None:
        self._plain: dict[str, str] = {}
        for name, text in shown.items():
            self._plain.setdefault(_plain(name), text)
        # Two names at the distance of one slip have a form in common (the symmetric deletion of SymSpell).
        self._forms = {form: text for name, text in self._plain.items() for form in _forms(name)}
        self._beginnings = {part: text for name, text in self._plain.items() for part in _beginnings(name)}

    @classmethod
    def of(cls, names: Iterable[str]) -> "SimilarNames":
        """Each name suggested as it is."""
        return cls({name: name for name in names})

    def __contains__(self, written: str) -> bool:
        """Whether a name is known, apart from case and separators."""
        return _plain(written[:LONGEST]) in self._plain

    def nearest(self, written: str) -> str | None:
        """The suggestion for a name that differs in case, in separators, in one slip or in its ending; None without."""
        name = _plain(written[:LONGEST])
        if found := self._plain.get(name):
            return found
        for form in _forms(name):
            if found := self._forms.get(form):
                return found
        for beginning in _beginnings(name):
            if found := self._beginnings.get(beginning):
                return found
        return None


def _plain(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _forms(name: str) -> Iterator[str]:
    """The name, and the name without each of its characters."""
    yield name
    if len(name) > SHORTEST:
        for index in range(len(name)):
            yield name[:index] + name[index + 1 :]


def _beginnings(name: str) -> Iterator[str]:
    """The beginnings that have enough of the name, the longest first."""
    for length in range(len(name), max(SHORTEST, ceil(len(name) * SHARE)) - 1, -1):
        yield name[:length]
