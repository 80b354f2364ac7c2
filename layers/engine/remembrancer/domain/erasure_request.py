"""What is to be erased."""

from dataclasses import dataclass

from remembrancer.domain.fields import Fields

KINDS = ("user_id", "agent_id", "org_id")


@dataclass(frozen=True, slots=True)
class ErasureRequest:
    """`kind` is user, agent or organization; `subject` its id."""

    kind: str
    subject: str


def parse(body: object) -> ErasureRequest:
    """Exactly one of the three; InvalidRequest otherwise."""
    fields = Fields(body)
    user_id = fields.string("user_id", longest=256)
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
