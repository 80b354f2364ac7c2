"""An organization's settings, as retrieval and writes use them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from remembrancer.domain.lexical_index.stop_words import ENGLISH
from remembrancer.domain.personal_data.redaction import Redaction

AUDIT_ALL = "all"
"""The value of the setting `audit` with which reads are audited, too."""
AUDITS = ("changes", AUDIT_ALL, "off")
AUDIT_DAYS = 365


@dataclass(frozen=True, slots=True)
class Extraction:
    """How an organization wants conversations captured where the deployment has a model for that.

    `is_on` False: by rules only. `is_reviewed`: what a model proposes waits until somebody approves it. `tokens` is the
    most of a day; None means the deployment's, 0 no limit.
    """

    is_on: bool = True
    is_reviewed: bool = False
    tokens: int | None = None

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Extraction":
        """Reads stored settings."""
        tokens = settings.get("capture_tokens")
        return cls(
            settings.get("capture_model") is not False,
            settings.get("capture_review") is True,
            tokens if isinstance(tokens, int) else None,
        )


@dataclass(frozen=True, slots=True)
class Organization:
    """The settings of an organization that retrieval and writes use; `memory_tokens` None means the deployment's
    default, 0 no cap except the window.

    `languages`: its texts are stemmed in. `former_languages`: of texts whose terms are still to be made anew.

    `relation_boosts` replace entries of the query's table of boosts; `redaction` names the personal data to replace
    before texts are stored. `embedding_model` is the one whose vectors serve; None before that is decided.

    `pins_instructions`: standing instructions of end users are pinned when they are captured, not only proposed.
    `forgets_at_once`: what end users wish to be forgotten is deleted, not only proposed for that.
    `audits_reads`: reads have audit entries too; all entries are kept for `audit_days`.
    """

    org_id: UUID
    term_key: bytes
    languages: tuple[str, ...] = (ENGLISH,)
    former_languages: tuple[str, ...] = ()
    memory_tokens: int | None = None
    encrypted: bool = False
    relation_boosts: Mapping[str, Any] = field(default_factory=dict)
    redaction: Redaction = field(default_factory=Redaction)
    extraction: Extraction = field(default_factory=Extraction)
    embedding_model: str | None = None
    pins_instructions: bool = False
    forgets_at_once: bool = False
    audits_reads: bool = False
    audit_days: int = AUDIT_DAYS
