"""The products whose files can be taken over, and which of them a file is of."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from local.transfer.take_over import (
    chatgpt,
    claude,
    documents,
    langchain,
    langgraph,
    mem0,
    memory_md,
    openai_finetuning,
    zep,
)
from local.transfer.take_over.documents import FormatError
from local.transfer.take_over.records import Product, Record

PRODUCTS = {
    module.NAME: module.PRODUCT
    for module in (mem0, zep, langgraph, langchain, openai_finetuning, chatgpt, claude, memory_md)
}
_SHOWN = 60


def records_of(path: Path, product: Product) -> Iterator[Record]:
    """The records of the file. Raises FormatError for a file that cannot be read or is of another product."""
    elements = documents.elements(path, product.files)
    first = next(elements, None)
    if first is None:
        raise FormatError(f"is empty. Expected: {product.expected}")
    if not product.recognises(first.value):
        for other in PRODUCTS.values():
            if other.recognises(first.value):
                raise FormatError(f"looks like a file of {other.name}: use --from {other.name}")
        if not product.accepts(first.value):
            names = ", ".join(map(repr, first.value)) if isinstance(first.value, dict) else "none"
            raise FormatError(f"{first.place} has the fields {names[:_SHOWN]}. Expected: {product.expected}")
    yield from product.records(chain([first], elements))
