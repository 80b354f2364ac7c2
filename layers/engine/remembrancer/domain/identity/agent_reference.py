"""How a request identifies an agent: by id, or by its name within the credential's project and environment."""

import re
import unicodedata
from uuid import UUID

AgentReference = UUID | str
"""A text in the form of a UUID is always an id, never a name."""
LONGEST_NAME = 256
UUID_FORM = re.compile(r"[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}")


def parse(text: str) -> AgentReference:
    """An id when the text has the form of a UUID, else a name in NFC; the text must be trimmed already."""
    return UUID(text) if UUID_FORM.fullmatch(text) else unicodedata.normalize("NFC", text)


def name_problem(name: str) -> str | None:
    """The problem of a name for a new agent; None when it is valid."""
    return "must not have the form of a UUID" if UUID_FORM.fullmatch(name) else None


def fields_of(reference: AgentReference | None, *, absent: UUID | None = None) -> dict[str, UUID | str | None]:
    """The fields `agent_id` and `agent_name` of a request: with a name, the id is `absent` until it was resolved."""
    if isinstance(reference, str):
        return {"agent_id": absent, "agent_name": reference}
    return {"agent_id": reference or absent, "agent_name": None}
