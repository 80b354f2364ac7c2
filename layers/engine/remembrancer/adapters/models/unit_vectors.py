"""Vectors in the answers of model providers: found, and normalised to unit rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from remembrancer.errors import ConfigurationError, StoreUnavailable


def unit_rows(rows: Any, count: int, dimensions: int) -> NDArray[np.float32]:
    """(count, dimensions), float32, each row of length 1.

    Raises ConfigurationError for vectors of another length, which no retry fixes; StoreUnavailable for anything but
    `count` vectors of finite numbers, or for a zero vector.
    """
    try:
        vectors = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise no_vectors() from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise no_vectors()
    if vectors.shape[1] != dimensions:
        raise ConfigurationError(
            f"the embedder returns vectors of {vectors.shape[1]} dimensions, but the database stores {dimensions}: "
            "set EMBEDDER_DIMENSIONS to a number that the model has"
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise no_vectors()
    units: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return units


def field(answer: Any, name: str) -> Any:
    """The field of an answer; raises StoreUnavailable where there is none."""
    try:
        return answer[name]
    except (LookupError, TypeError) as error:
        raise no_vectors() from error


def no_vectors() -> StoreUnavailable:
    """The error for an answer that cannot be read."""
    return StoreUnavailable("The answer contains no vectors", cause="NoVectors")
