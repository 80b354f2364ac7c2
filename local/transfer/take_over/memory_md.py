"""Memory files of coding agents, such as MEMORY.md: Markdown, of which each paragraph and each item is a fact."""

import re
from collections.abc import Iterable, Iterator

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Fact, LeftOut, Product, Record

NAME = "memory-md"
_LINK = re.compile(r"\[([^]\n]*)\]\([^)\s]+\.md\)")
_ONLY_A_LINK = re.compile(rf"(?:[^\n]*: )?{_LINK.pattern}\W*")
"""After the heading that it stands under."""


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A fact for each paragraph. Of a link to another file its words stay; an item that is only a link is no fact."""
    return records.each(elements, _read)


def _read(element: Element) -> Iterator[Record]:
    if not isinstance(element.value, str):
        raise records.WrongFieldError("is not Markdown")
    if _ONLY_A_LINK.fullmatch(element.value):
        yield LeftOut(element.place, "links to other files")
    else:
        yield Fact(element.place, {"content": _LINK.sub(r"\1", element.value), "source": "imported"})


PRODUCT = Product(
    NAME, "Markdown: a file, or a folder of .md files", lambda value: isinstance(value, str), read, files=r"\.md"
)
