"""Parses the operator's request to create an organization."""

from dataclasses import dataclass

from remembrancer.domain.identity.scope import ENVIRONMENTS, KEY_SCOPES
from remembrancer.domain.requests.field_types import anything, choice, strings, text
from remembrancer.domain.requests.fields import Fields


@dataclass(frozen=True, slots=True)
class NewOrganization:
    """An organization with one project, and the rights of its first key."""

    name: str
    project_id: str
    environment: str
    key_name: str
    scopes: tuple[str, ...]


NEW_ORGANIZATION = Fields(
    task=anything(),
    organization=text(required=True),
    project_id=text(64, default="proj_main"),
    environment=choice(ENVIRONMENTS, default="production"),
    key_name=text(default="first key"),
    scopes=strings(len(KEY_SCOPES), allowed=KEY_SCOPES, least=1, default=KEY_SCOPES),
)


def parse(body: object) -> NewOrganization:
    """Raises InvalidRequest naming every bad field, unknown ones included; `task` is the operation that the event
    requests.
    """
    given = NEW_ORGANIZATION.read(body)
    if not given["project_id"].startswith("proj_"):
        given.fail("project_id", "must begin with proj_")
    asked = given.finish()
    return NewOrganization(
        asked["organization"],
        asked["project_id"],
        asked["environment"],
        asked["key_name"],
        asked["scopes"],
    )
