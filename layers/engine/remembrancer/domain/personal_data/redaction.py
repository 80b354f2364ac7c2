"""The kinds of personal data that an organization wants replaced in its texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("email", "card", "ssn", "phone")
"""The order of detection: a part of an earlier kind's match never belongs to a later kind."""
DEFAULT_REGION = "US"


@dataclass(frozen=True, slots=True)
class Redaction:
    """The kinds to replace; numbers without a country code are read as of `region` (ISO 3166)."""

    kinds: tuple[str, ...] = ()
    region: str = DEFAULT_REGION

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Redaction":
        """Reads stored settings; ignores unknown kinds."""
        kinds, region = settings.get("redact_pii"), settings.get("phone_region")
        return cls(
            tuple(kind for kind in KINDS if isinstance(kinds, list) and kind in kinds),
            region if isinstance(region, str) and region else DEFAULT_REGION,
        )


def mark(kind: str) -> str:
    """What stands in a text for personal data of this kind."""
    return f"[{kind.upper()}]"


def counted(piece: str, *, most: Mapping[str, int]) -> Mapping[str, int]:
    """The marks in a piece of a text by kind, at most as many as were made in the whole: others were written so."""
    found = {kind: min(piece.count(mark(kind)), count) for kind, count in most.items()}
    return {kind: count for kind, count in found.items() if count}
