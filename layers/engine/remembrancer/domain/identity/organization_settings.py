"""Settings that an operator may give an organization, by name; without them the default holds."""

import re
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from remembrancer.domain.context.assembly import MOST_MEMORY_TOKENS
from remembrancer.domain.memories.memory import RELATION_TYPES
from remembrancer.domain.memories.quotas import KINDS as QUOTAS
from remembrancer.domain.personal_data.redaction import KINDS
from remembrancer.domain.ranking.score_boosts import MOST_RELATION
from remembrancer.domain.requests.fields import Fields

NEAR_DUPLICATES = ("relate", "merge", "off")
HIGHEST_QUOTA = 10**12


def parse(event: object) -> tuple[UUID, Mapping[str, Any]]:
    """The organization, and its settings to change; null takes one back. InvalidRequest names every bad one."""
    fields = Fields(event)
    fields.value("task")
    org_id = fields.uuid("org_id", required=True)
    given = fields.nested("settings")
    boosts = given.nested("relation_boosts")
    quotas = given.nested("quotas")
    parsed: dict[str, Any] = {
        "redact_pii": list(given.strings("redact_pii", most=len(KINDS), allowed=KINDS)),
        "phone_region": given.string("phone_region", longest=2),
        "memory_tokens": int(given.number("memory_tokens", 0, 0, MOST_MEMORY_TOKENS, whole=True)),
        "near_duplicates": given.choice("near_duplicates", NEAR_DUPLICATES),
        "relation_boosts": {
            kind: boosts.number(kind, 0.0, -MOST_RELATION, MOST_RELATION)
            for kind in RELATION_TYPES
            if boosts.value(kind) is not None
        },
        "quotas": {
            kind: int(quotas.number(kind, 0, 0, HIGHEST_QUOTA, whole=True))
            for kind in QUOTAS
            if quotas.value(kind) is not None
        },
    }
    region = parsed["phone_region"]
    if region is not None and not re.fullmatch("[A-Z]{2}", region):
        given.fail("phone_region", "must be two capital letters, as in ISO 3166")
    given.refuse_unknown()
    boosts.refuse_unknown()
    quotas.refuse_unknown()
    fields.refuse_unknown()
    fields.finish()
    assert org_id
    return org_id, {
        name: None if given.value(name) is None else value for name, value in parsed.items() if given.has(name)
    }
