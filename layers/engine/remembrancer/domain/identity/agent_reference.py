"""How a request names an agent: by its id, or by the name that it has in the credential's project and environment."""

import re
from uuid import UUID

AgentReference = UUID | str
"""What has the form of a UUID is always an id, and no name."""
LONGEST_NAME = 256
UUID_FORM = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")


def parse(text: str) -> AgentReference:
    """Of a text without blanks at its ends."""
    return UUID(text) if UUID_FORM.fullmatch(text) else text


def name_problem(name: str) -> str | None:
    """What is wrong with the name of a new agent; None for a good one."""
    return "must not have the form of a UUID" if UUID_FORM.fullmatch(name) else None


def fields_of(reference: AgentReference | None, *, absent: UUID | None = None) -> dict[str, UUID | str | None]:
    """The fields `agent_id` and `agent_name` of a request: with a name, the id is `absent` until it was looked up."""
    if isinstance(reference, str):
        return {"agent_id": absent, "agent_name": reference}
    return {"agent_id": reference or absent, "agent_name": None}
