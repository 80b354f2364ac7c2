"""Sequences without an object for each item: most of what a search finds is never asked for."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class MadeItems(Sequence[Item]):
    """A sequence whose items are made when they are asked for, many of them in one step by `at`."""

    __slots__ = ()

    @abstractmethod
    def at(self, rows: Sequence[int]) -> list[Item]:
        """The item of each of these rows."""

    @overload
    def __getitem__(self, row: int) -> Item: ...

    @overload
    def __getitem__(self, row: slice) -> Sequence[Item]: ...

    def __getitem__(self, row: int | slice) -> Item | Sequence[Item]:
        rows = range(len(self))[row]
        return self.at([rows])[0] if isinstance(rows, int) else self.at(rows)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.at(range(len(self))))
