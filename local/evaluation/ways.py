"""The ways in which the texts of a file are stored: written as memories, or said in conversations that are captured."""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from local import dev_env
from local.evaluation.examinee import Examinee
from local.stack import Stack
from remembrancer.adapters.postgres.identity.directory import configure_organization

_TIMEOUT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Way:
    """`captures`: the texts are said; `reads`: a model reads them, else rules decide alone."""

    name: str
    title: str
    captures: bool = False
    reads: bool = False

    def learned(self, model: str) -> str:
        """The file that remembers what was stored; another model stores other memories."""
        return f"{self.name}-{_slug(model)}.json" if self.reads else f"{self.name}.json"

    def credential(self, model: str) -> str:
        """The file with the key of its organization: whether a model reads is an organization's setting."""
        return f"model-{_slug(model)}.env" if self.reads else "dev.env"


WRITTEN = Way("learned", "written")
CAPTURED = Way("captured", "captured by rules", captures=True)
EXTRACTED = Way("extracted", "captured by a model", captures=True, reads=True)


@asynccontextmanager
async def organization(
    stack: Stack, folder: Path, way: Way, *, model: str, languages: Sequence[str] = ()
) -> AsyncIterator[Examinee]:
    """The stack's organization for this way, new unless the folder has its key; without `languages` its default."""
    owner_url = stack.owner_database_url
    credential = folder / way.credential(model)
    known = await dev_env.ensure(credential, stack.url, owner_database_url=owner_url, organization="Evaluation")
    settings: dict[str, Any] = {"capture_model": way.reads}
    if languages:
        settings["languages"] = list(languages)
    await configure_organization(owner_url, UUID(known.org_id), settings)
    headers = {"X-API-Key": known.api_key}
    async with httpx.AsyncClient(base_url=stack.url, headers=headers, timeout=_TIMEOUT_SECONDS) as client:
        yield Examinee(client, known.org_id, way.captures)


def _slug(name: str) -> str:
    return re.sub(r"\W", "-", name)
