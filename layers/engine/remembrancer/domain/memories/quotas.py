"""How much an organization may store; kept in the transaction that stores it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Quotas:
    """The most rows of an organization, in all its projects; 0 is no limit.

    Of `memories` every text counts, also the earlier ones that are kept of a memory; of `directives` every version; of
    `keys` also those that are revoked.
    """

    memories: int = 5_000_000
    agents: int = 10_000
    directives: int = 50_000
    keys: int = 10_000

    def most(self, kind: str, own: Any) -> int | None:
        """Of this kind where `own` stands in the organization's settings; None for no limit."""
        most: int = own if isinstance(own, int) and not isinstance(own, bool) else getattr(self, kind)
        return most if most > 0 else None


KINDS = tuple(field.name for field in fields(Quotas))


def own(settings: Mapping[str, Any], kind: str) -> Any:
    """What stands in an organization's settings for this kind."""
    quotas = settings.get("quotas")
    return quotas.get(kind) if isinstance(quotas, dict) else None
