"""Who asks: the credential's principal, checked against what the request names."""

from collections.abc import Mapping
from uuid import UUID

from remembrancer.domain.scope import Principal
from remembrancer.errors import Forbidden, NotFound, Unauthenticated
from remembrancer.keys import fingerprint
from remembrancer.ports.identity import Agent, Credentials, Directory


async def authenticate(
    headers: Mapping[str, str], credentials: Credentials, *, scope: str, end_user: str | None = None
) -> Principal:
    """The principal of `X-API-Key` or `Authorization: Bearer`; header names lower-case.

    It acts for `end_user`, else for whom `X-End-User-ID` names. Raises Unauthenticated without a valid key, Forbidden
    without `scope` or for an end user that the key may not name, InvalidRequest when the key demands one.
    """
    key = headers.get("x-api-key") or _bearer(headers.get("authorization", ""))
    if not key:
        raise Unauthenticated("Send an API key in the header X-API-Key.", code="missing_credential")
    principal = await credentials.resolve(fingerprint(key))
    if principal is None:
        raise Unauthenticated("The API key is unknown or revoked.", code="invalid_credential")
    principal.require(scope)
    return principal.acting_for(end_user or named_end_user(headers))


def named_end_user(headers: Mapping[str, str]) -> str | None:
    """What `X-End-User-ID` says."""
    return headers.get("x-end-user-id", "").strip() or None


async def require_agent(principal: Principal, agent_id: UUID, directory: Directory) -> Agent:
    """Raises NotFound for an agent that is not of the principal's project and environment, wherever else it may be."""
    agent = await directory.agent(principal.org_id, agent_id)
    if agent is None or (agent.project_id, agent.environment) != (principal.project_id, principal.environment):
        raise NotFound("There is no such agent.", code="agent_not_found")
    return agent


def require_organization(principal: Principal, org_id: UUID) -> None:
    """Raises Forbidden for any organization but the credential's own, whether it exists or not."""
    if principal.org_id != org_id:
        raise Forbidden("This key is not for that organization.", code="wrong_organization")


def _bearer(header: str) -> str:
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
