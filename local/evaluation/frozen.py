"""A hash of everything that decides the order and the choice of memories.

Equal hashes in two reports mean the same weights: a set that was opened after the hash was written down did not
influence them.
"""

import hashlib
import importlib
import json
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from remembrancer.domain import context, lexical_index, ranking, retrieval

PACKAGES = (context, lexical_index, ranking, retrieval)
DIGITS = 16


def weights_hash(models: Path, options: Mapping[str, Any], settings: Mapping[str, str]) -> str:
    """Hex digits over the constants of ranking and packing, the embedding model, and the options of this evaluation.

    Numbers in a comment or a name do not change it.
    """
    description = models / "embedding" / "model.json"
    model = json.loads(description.read_text(encoding="utf-8")) if description.exists() else {}
    decided = {
        "constants": constants(),
        "model": model,
        "options": dict(options),
        "changed": dict(settings),
    }
    return hashlib.sha256(json.dumps(decided, sort_keys=True, default=_plain).encode()).hexdigest()[:DIGITS]


def constants() -> dict[str, Any]:
    """Every constant of the packages: numbers, words, and collections of these, by module and name."""
    found: dict[str, Any] = {}
    for module in _modules():
        for name, value in vars(module).items():
            if name.isupper() and _is_constant(value):
                found[f"{module.__name__}.{name}"] = value
    return found


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(info.name)


def _is_constant(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(map(_is_constant, value.values()))
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(_is_constant, value))
    if is_dataclass(value) and not isinstance(value, type):
        # The text of a function has its address, which is another one in each process.
        return not any(callable(getattr(value, field.name)) for field in fields(value))
    return isinstance(value, int | float | str)


def _plain(value: object) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value, key=repr)
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    return repr(value)
