"""An organization's settings, as retrieval and writes use them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.personal_data.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Organization:
    """The settings of an organization that retrieval and writes use; `memory_tokens` None means the deployment's
    default, 0 no cap except the window.

    `relation_boosts` replace entries of the query's table of boosts; `redaction` names the personal data to replace
    before texts are stored.
    """

    org_id: UUID
    term_key: bytes
    language: str
    memory_tokens: int | None = None
    encrypted: bool = False
    relation_boosts: Mapping[str, Any] = field(default_factory=dict)
    redaction: Redaction = field(default_factory=Redaction)
