"""The operator's request to found an organization, field by field."""

from dataclasses import dataclass

from remembrancer.domain.identity.scope import ENVIRONMENTS, KEY_SCOPES
from remembrancer.domain.requests.fields import Fields


@dataclass(frozen=True, slots=True)
class NewOrganization:
    """An organization with one project, and what its first key may do."""

    name: str
    project_id: str
    environment: str
    key_name: str
    scopes: tuple[str, ...]


def parse(body: object) -> NewOrganization:
    """Raises InvalidRequest naming every bad field, unknown ones included; `task` says what the event is for."""
    fields = Fields(body)
    fields.value("task")
    name = fields.string("organization", required=True, longest=256)
    project_id = fields.string("project_id", longest=64) or "proj_main"
    if not project_id.startswith("proj_"):
        fields.fail("project_id", "must begin with proj_")
    environment = fields.choice("environment", ENVIRONMENTS, "production")
    key_name = fields.string("key_name", longest=256) or "first key"
    scopes = fields.strings("scopes", most=len(KEY_SCOPES), allowed=KEY_SCOPES) or KEY_SCOPES
    fields.refuse_unknown()
    fields.finish()
    assert name and environment
    return NewOrganization(name, project_id, environment, key_name, scopes)
