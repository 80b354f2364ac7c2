"""The model by which an organization's questions are embedded, while its memories are embedded again by another one."""

from typing import Protocol, TypeVar
from uuid import UUID

from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.retrieval.vector_space import VectorSpace
from remembrancer.errors import StoreError
from remembrancer.ports.identity import Directory


class _OfModel(Protocol):
    @property
    def model(self) -> str: ...


Choice = TypeVar("Choice", bound=_OfModel)


def serving(organization: Organization | None, current: Choice, previous: Choice | None) -> Choice:
    """`previous` until the organization's memories have vectors of the current model; `current` where there is none."""
    if previous is not None and organization is not None and organization.embedding_model == previous.model:
        return previous
    return current


def is_incomplete(organization: Organization | None, model: str) -> bool:
    """Whether memories may lack a vector of this model: another one served them, which the deployment no longer has."""
    return organization is not None and organization.embedding_model not in {None, model}


class ServingSpaces:
    """The space whose vectors serve an organization; the current one where the organization cannot be read."""

    def __init__(self, directory: Directory, current: VectorSpace, previous: VectorSpace | None) -> None:
        self._directory = directory
        self._current = current
        self._previous = previous

    async def of(self, org_id: UUID) -> VectorSpace:
        """Reads the organization only while there are two models."""
        if self._previous is None:
            return self._current
        try:
            organization = await self._directory.organization(org_id)
        except StoreError:
            organization = None
        return serving(organization, self._current, self._previous)
