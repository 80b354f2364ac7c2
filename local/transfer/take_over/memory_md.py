"""Memory files of coding agents, such as MEMORY.md: Markdown, of which each paragraph and each item is a fact."""

import re
from collections.abc import Iterable, Iterator

from local.transfer.take_over import records
from local.transfer.take_over.records import Element, Fact, LeftOut, Product, Record

NAME = "memory-md"
_LINK = re.compile(r"(?:[^\n]*: )?\[[^]\n]*\]\([^)\s]+\.md\)[^\n]*")


def read(elements: Iterable[Element]) -> Iterator[Record]:
    """A fact for each paragraph; an item of an index, which only points to another file, is none."""
    return records.each(elements, _read)


def _read(element: Element) -> Iterator[Record]:
    if not isinstance(element.value, str):
        raise records.WrongFieldError("is not Markdown")
    if _LINK.fullmatch(element.value):
        yield LeftOut(element.place, "links to other files")
    else:
        yield Fact(element.place, {"content": element.value, "source": "imported"})


PRODUCT = Product(NAME, "Markdown: a file, or a folder of .md files", lambda value: isinstance(value, str), read, files=r"\.md")
