"""SQL conditions for the scope and filters of a search."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from remembrancer.domain.identity.scope import EndUser, Scope
from remembrancer.domain.retrieval.filters import Filters
from remembrancer.domain.retrieval.time_periods import Period


def filters(row: str, *, plain: bool = False) -> str:
    """Filters on a row of `memories` or `memory_vectors` under that alias; the two share these columns.

    With `plain`, only those that every search has (see `is_plain`): a plan for any parameters checks them all for each
    row.
    """
    # confidence is single precision: a stored 0.7 is less than 0.7 in double.
    return f"""
        {row}.confidence >= %(min_confidence)s::real
        AND ({row}.valid_from IS NULL OR {row}.valid_from <= %(now)s)
        AND ({row}.expires_at IS NULL OR {row}.expires_at > %(now)s)
        AND {in_time(row)}
        AND {user(row)}{"" if plain else _chosen(row)}"""


def is_plain(wanted: Filters) -> bool:
    """Whether a search has only the filters that every search has."""
    chosen = (wanted.categories, wanted.sources, wanted.tiers, wanted.tags, wanted.metadata, wanted.since, wanted.until)
    return not any(chosen)


def _chosen(row: str) -> str:
    return f"""
        AND (%(metadata)s::jsonb IS NULL OR {row}.memory_id IN ({WITH_METADATA}))
        AND (%(categories)s::text[] IS NULL OR {row}.category = ANY(%(categories)s))
        AND (%(sources)s::text[] IS NULL OR {row}.source = ANY(%(sources)s))
        AND (%(tiers)s::text[] IS NULL OR {row}.tier = ANY(%(tiers)s))
        AND (%(tags)s::text[] IS NULL OR {row}.tags && %(tags)s)
        AND (%(since)s::timestamptz IS NULL OR {row}.created_at >= %(since)s)
        AND (%(until)s::timestamptz IS NULL OR {row}.created_at < %(until)s)"""


def in_time(row: str) -> str:
    """The condition of `AskedTime.admits`. An episode never ends."""
    return f"""
        ({row}.occurred_to IS NULL OR {row}.category = 'episodic' OR {row}.occurred_to > %(at)s
             OR tstzrange({row}.occurred_from, {row}.occurred_to, '[]') && %(periods)s::tstzmultirange)
        AND ({row}.occurred_from IS NULL OR %(as_of)s::timestamptz IS NULL OR {row}.occurred_from <= %(as_of)s)"""


WITH_METADATA = """
    SELECT e.memory_id FROM metadata_entries e
    WHERE e.org_id = %(org_id)s AND e.agent_id = %(agent_id)s::uuid
      AND e.entry = ANY(ARRAY(SELECT metadata_entry(key, value) FROM jsonb_each(%(metadata)s::jsonb)))
    GROUP BY e.memory_id
    HAVING count(*) = (SELECT count(*) FROM jsonb_object_keys(%(metadata)s::jsonb))"""
"""The agent's memories whose metadata has every entry of the object: texts, numbers and booleans."""


def place(row: str) -> str:
    """Conditions on organization, project, environment and agent, as far as the scope names them."""
    return f"""
        {row}.org_id = %(org_id)s
        AND (%(agent_id)s::uuid IS NULL OR {row}.agent_id = %(agent_id)s)
        AND (%(project_id)s::text IS NULL OR {row}.project_id = %(project_id)s)
        AND (%(environment)s::text IS NULL OR {row}.environment = %(environment)s)"""


def agent(row: str) -> str:
    """The same of a scope that names an agent and neither project nor environment."""
    return f"{row}.org_id = %(org_id)s AND {row}.agent_id = %(agent_id)s"


def user(row: str) -> str:
    """The condition on the end user, defined only here. Parameters come from `of_end_user`."""
    return f"(%(all_users)s::boolean OR {row}.user_id IS NULL OR {row}.user_id = %(user_id)s::text)"


def owner(row: str, *, everybody: bool) -> str:
    """The same on a row of the lexical index, where shared memories have ''; a separate form for all end users, so
    that keys are used.
    """
    return "true" if everybody else f"{row}.user_id = ANY(%(owners)s::text[])"


def of_end_user(end_user: EndUser) -> dict[str, Any]:
    """The parameters of `user` and `owner`."""
    return {"all_users": end_user.is_all, "user_id": end_user.name, "owners": ["", end_user.name or ""]}


def of_scope(scope: Scope) -> dict[str, Any]:
    """The parameters of `place` and `user`."""
    return of_end_user(scope.end_user) | {
        "org_id": scope.org_id,
        "project_id": scope.project_id,
        "environment": scope.environment,
        "agent_id": scope.agent_id,
    }


def parameters(scope: Scope, wanted: Filters, now: datetime) -> dict[str, Any]:
    """The parameters of all of them."""
    return of_scope(scope) | {
        "now": now,
        "at": wanted.time.as_of or now,
        "as_of": wanted.time.as_of,
        "periods": _ranges(wanted.time.periods),
        "min_confidence": wanted.min_confidence,
        "categories": list(wanted.categories) or None,
        "sources": list(wanted.sources) or None,
        "tiers": list(wanted.tiers) or None,
        "tags": list(wanted.tags) or None,
        "since": wanted.since,
        "until": wanted.until,
        "metadata": Jsonb(dict(wanted.metadata)) if wanted.metadata else None,
    }


def _ranges(periods: Sequence[Period]) -> str:
    """The periods as text of a multirange, which merges those that overlap."""
    return "{" + ",".join(f"[{period.start.isoformat()},{period.end.isoformat()})" for period in periods) + "}"
