"""Whose time zone counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

import pytest

from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.identity.organization import Organization
from remembrancer.domain.identity.scope import EVERY_NAME, Principal
from remembrancer.errors import StoreUnavailable
from remembrancer.usecases.identity import time_zones
from tests.builders import principal

DATED, UNDATED = "What did I do yesterday?", "What do I like?"


@dataclass
class Settings:
    """The Directory port, which knows one end user's time zone."""

    fails: bool = False
    asked: list[tuple[str, str, str]] = field(default_factory=list)

    async def organization(self, org_id: UUID) -> Organization | None:
        return None

    async def agent(self, org_id: UUID, agent_id: UUID) -> Agent | None:
        return None

    async def agent_named(self, principal: Principal, name: str) -> Agent | None:
        return None

    async def names_like(self, principal: Principal, name: str) -> Sequence[str]:
        return []

    async def time_zone(self, org_id: UUID, project_id: str, environment: str, end_user: str) -> str | None:
        self.asked.append((project_id, environment, end_user))
        if self.fails:
            raise StoreUnavailable("down", cause="Test")
        return "Asia/Tokyo" if end_user == "ann" else None

    def remembered_id(self, principal: Principal, name: str) -> UUID | None:
        return None


@pytest.mark.parametrize(
    ("asked", "question", "end_user", "found"),
    [
        (None, DATED, "ann", "Asia/Tokyo"),
        ("Europe/Berlin", DATED, "ann", "Europe/Berlin"),
        (None, DATED, "bob", None),
        (None, DATED, None, None),
        (None, UNDATED, "ann", None),
    ],
)
async def test_the_request_counts_before_its_end_user(
    asked: str | None, question: str, end_user: str | None, found: str | None
) -> None:
    acting = replace(principal(), user_id=end_user)

    assert await time_zones.of_request(asked, question, acting, Settings()) == found


@pytest.mark.parametrize(
    ("asked", "question", "end_user"),
    [("Europe/Berlin", DATED, "ann"), (None, UNDATED, "ann"), (None, DATED, None), (None, "", "ann")],
)
async def test_nothing_is_read_where_nothing_depends_on_it(
    asked: str | None, question: str, end_user: str | None
) -> None:
    settings = Settings()

    await time_zones.of_request(asked, question, replace(principal(), user_id=end_user), settings)

    assert settings.asked == []


async def test_all_end_users_have_no_time_zone_of_their_own() -> None:
    everybody = replace(principal(), scopes=frozenset({"all_users"})).acting_for(EVERY_NAME)

    assert await time_zones.of_request(None, DATED, everybody, Settings()) is None


async def test_a_store_that_fails_fails_no_request() -> None:
    settings = Settings(fails=True)

    assert await time_zones.of_request(None, DATED, replace(principal(), user_id="ann"), settings) is None
