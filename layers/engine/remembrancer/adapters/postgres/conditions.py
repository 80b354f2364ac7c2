"""The part of a search's condition that scope and filters make."""

from datetime import datetime
from typing import Any

from remembrancer.domain.filters import Filters
from remembrancer.domain.scope import Scope


def filters(row: str) -> str:
    """On a row of `memories` or `memory_vectors` under that alias; the two share these columns."""
    # confidence is single precision: 0.7 stored is less than 0.7 in double.
    return f"""
        {row}.confidence >= %(min_confidence)s::real
        AND ({row}.valid_from IS NULL OR {row}.valid_from <= %(now)s)
        AND ({row}.expires_at IS NULL OR {row}.expires_at > %(now)s)
        AND {user(row)}
        AND (%(categories)s::text[] IS NULL OR {row}.category = ANY(%(categories)s))
        AND (%(sources)s::text[] IS NULL OR {row}.source = ANY(%(sources)s))
        AND (%(tiers)s::text[] IS NULL OR {row}.tier = ANY(%(tiers)s))
        AND (%(tags)s::text[] IS NULL OR {row}.tags && %(tags)s)
        AND (%(since)s::timestamptz IS NULL OR {row}.created_at >= %(since)s)
        AND (%(until)s::timestamptz IS NULL OR {row}.created_at < %(until)s)"""


def place(row: str) -> str:
    """Organization, project, environment and agent, as far as the scope names them."""
    return f"""
        {row}.org_id = %(org_id)s
        AND (%(agent_id)s::uuid IS NULL OR {row}.agent_id = %(agent_id)s)
        AND (%(project_id)s::text IS NULL OR {row}.project_id = %(project_id)s)
        AND (%(environment)s::text IS NULL OR {row}.environment = %(environment)s)"""


def user(row: str) -> str:
    """What is the end user's or nobody's, if the scope names one."""
    return f"(%(user_id)s::text IS NULL OR {row}.user_id IS NULL OR {row}.user_id = %(user_id)s)"


def of_scope(scope: Scope) -> dict[str, Any]:
    """The values of `place` and `user`."""
    return {
        "org_id": scope.org_id,
        "project_id": scope.project_id,
        "environment": scope.environment,
        "agent_id": scope.agent_id,
        "user_id": scope.user_id,
    }


def parameters(scope: Scope, wanted: Filters, now: datetime) -> dict[str, Any]:
    """The values of all of them."""
    return of_scope(scope) | {
        "now": now,
        "min_confidence": wanted.min_confidence,
        "categories": list(wanted.categories) or None,
        "sources": list(wanted.sources) or None,
        "tiers": list(wanted.tiers) or None,
        "tags": list(wanted.tags) or None,
        "since": wanted.since,
        "until": wanted.until,
    }
