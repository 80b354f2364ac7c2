"""The request to erase an end user, an agent or an organization."""

from dataclasses import dataclass
from uuid import UUID

from remembrancer.domain.requests.fields import Fields

KINDS = ("user_id", "agent_id", "org_id")


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """`kind` is user, agent or organization; `subject` its id."""

    kind: str
    subject: str


def parse(body: object) -> ErasureRequest:
    """Exactly one of the three; InvalidRequest otherwise."""
    fields = Fields(body)
    user_id = fields.end_user("user_id")
    agent_id = fields.uuid("agent_id")
    org_id = fields.uuid("org_id", "tenant_id")
    named = [
        ErasureRequest(kind, str(subject))
        for kind, subject in (("user", user_id), ("agent", agent_id), ("organization", org_id))
        if subject is not None
    ]
    if len(named) != 1 and not fields.errors:
        fields.fail("", "must name exactly one of user_id, agent_id, org_id")
    fields.refuse_unknown()
    fields.finish()
    return named[0]


def parse_operators(event: object) -> tuple[UUID, ErasureRequest]:
    """The organization, and what of it: the whole only where that is said, never for lack of something smaller.

    An end user's name may contain `*` here: memories that were written before such names were refused can be erased.
    """
    fields = Fields(event)
    fields.value("task")
    org_id = fields.uuid("org_id", required=True)
    user_id = fields.string("user_id", longest=256)
    agent_id = fields.uuid("agent_id")
    whole = fields.boolean("whole_organization", default=False)
    named = [
        ErasureRequest(kind, str(subject))
        for kind, subject in (("user", user_id), ("agent", agent_id), ("organization", org_id if whole else None))
        if subject is not None
    ]
    if len(named) != 1 and not fields.errors:
        fields.fail("", "must name exactly one of user_id, agent_id, whole_organization")
    fields.refuse_unknown()
    fields.finish()
    assert org_id
    return org_id, named[0]
