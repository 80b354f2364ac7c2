"""Limits on what an organization may store, checked in the transaction that stores it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Quotas:
    """Most rows of an organization, over all its projects; 0 means no limit.

    `memories` counts every text, including earlier texts of a memory; `directives` every version; `keys` includes
    revoked ones; `turns` are those of conversations, also those that became no memory.
    """

    memories: int = 5_000_000
    agents: int = 10_000
    directives: int = 50_000
    keys: int = 10_000
    turns: int = 20_000_000

    def most(self, kind: str, own: Any) -> int | None:
        """The limit for this kind, with the organization's setting `own` taking precedence; None for no limit."""
        most: int = own if isinstance(own, int) and not isinstance(own, bool) else getattr(self, kind)
        return most if most > 0 else None


KINDS = tuple(field.name for field in fields(Quotas))


def own(settings: Mapping[str, Any], kind: str) -> Any:
    """The limit in an organization's settings for this kind."""
    quotas = settings.get("quotas")
    return quotas.get(kind) if isinstance(quotas, dict) else None
