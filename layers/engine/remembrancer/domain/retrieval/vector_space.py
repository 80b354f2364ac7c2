"""The space of one model's vectors: only vectors of the same model are compared."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """A model and the length of its vectors; another length is another model, with a name of its own."""

    model: str
    dimensions: int
