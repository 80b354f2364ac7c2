"""Parses the settings and the rate limit that an operator gives an organization; absent settings keep their default."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from remembrancer.domain.context.assembly import MOST_MEMORY_TOKENS
from remembrancer.domain.context.placement import PLACEMENTS
from remembrancer.domain.identity.key_request import limit_of, rate
from remembrancer.domain.identity.organization import AUDITS
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.domain.lexical_index.stop_words import STOP_WORDS
from remembrancer.domain.memories.memory import RELATION_TYPES
from remembrancer.domain.memories.quotas import KINDS as QUOTAS
from remembrancer.domain.personal_data.redaction import KINDS
from remembrancer.domain.ranking.score_boosts import MOST_RELATION
from remembrancer.domain.requests.field_types import (
    anything,
    boolean,
    choice,
    nested,
    number,
    strings,
    text,
    uuid,
    whole,
)
from remembrancer.domain.requests.fields import Fields

NEAR_DUPLICATES = ("relate", "merge", "off")
HIGHEST_QUOTA = 10**12
MOST_TURN_DAYS = 3650
MOST_AUDIT_DAYS = 3650


SETTINGS = Fields(
    enabled=boolean(),
    redact_pii=strings(len(KINDS), allowed=KINDS, default=None),
    phone_region=text(2),
    memory_tokens=whole(0, MOST_MEMORY_TOKENS),
    placement=choice(PLACEMENTS),
    capture_model=boolean(),
    capture_review=boolean(),
    pin_instructions=boolean(),
    forget_at_once=boolean(),
    capture_tokens=whole(0, HIGHEST_QUOTA),
    languages=strings(len(STOP_WORDS), allowed=tuple(STOP_WORDS), default=None),
    near_duplicates=choice(NEAR_DUPLICATES),
    relation_boosts=nested(
        Fields(**dict.fromkeys(RELATION_TYPES, number(-MOST_RELATION, MOST_RELATION))), default=None
    ),
    turn_days=whole(1, MOST_TURN_DAYS),
    audit=choice(AUDITS),
    audit_days=whole(1, MOST_AUDIT_DAYS),
    quotas=nested(Fields(**{kind: whole(0, HIGHEST_QUOTA) for kind in QUOTAS}), default=None),
)
CHANGES = Fields(task=anything(), org_id=uuid(required=True), settings=anything())
LIMIT = Fields(task=anything(), org_id=uuid(required=True), **rate())


def parse(event: object) -> tuple[UUID, Mapping[str, Any]]:
    """The organization and its changed settings; null restores the default. InvalidRequest names every bad field."""
    given = CHANGES.read(event)
    settings = given.nested("settings", SETTINGS, {} if given["settings"] is None else given["settings"])
    region = settings["phone_region"]
    if region is not None and not re.fullmatch("[A-Z]{2}", region):
        settings.fail("phone_region", "must be two capital letters, as in ISO 3166")
    if settings["languages"] == ():
        settings.fail("languages", "must name at least one language")
    org_id = given.finish()["org_id"]
    return org_id, {name: _stored(settings[name]) for name in settings.present}


def parse_limit(event: object) -> tuple[UUID, RateLimit | None]:
    """The organization and its rate limit, None for the deployment's default; InvalidRequest names every bad field.

    The default burst is two seconds of the rate.
    """
    given = LIMIT.read(event)
    limit = limit_of(given)
    return given.finish()["org_id"], limit


def _stored(value: Any) -> Any:
    """The setting as JSON, without table entries that the event does not change."""
    if isinstance(value, Mapping):
        return {name: change for name, change in value.items() if change is not None}
    return list(value) if isinstance(value, tuple) else value
