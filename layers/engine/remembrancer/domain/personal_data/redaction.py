"""The kinds of personal data that an organization wants replaced in its texts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KINDS = ("email", "card", "ssn", "phone")
"""In this order: what is part of an earlier kind is none of a later one."""
DEFAULT_REGION = "US"


@dataclass(frozen=True, slots=True)
class Redaction:
    """The kinds to replace; numbers without a country are read as of `region` (ISO 3166)."""

    kinds: tuple[str, ...] = ()
    region: str = DEFAULT_REGION

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Redaction":
        """From stored settings; unknown kinds are left out."""
        kinds, region = settings.get("redact_pii"), settings.get("phone_region")
        return cls(
            tuple(kind for kind in KINDS if isinstance(kinds, list) and kind in kinds),
            region if isinstance(region, str) and region else DEFAULT_REGION,
        )
