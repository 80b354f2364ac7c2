"""Operations as they are served: the credential first, then the endpoint."""

from typing import Any
from uuid import UUID

import pytest

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.field_types import text, whole
from remembrancer.domain.requests.fields import Fields, OpenFields
from remembrancer.errors import InvalidRequest, Unauthenticated
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation, read_query, served
from tests.builders import ORG_ID

ANSWERS = {200: ("It.", "Health")}
PRINCIPAL = Principal(ORG_ID, "proj_main", "production", UUID(int=1), frozenset({"query"}))


class Doorkeeper:
    """Accepts the credential `good`, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []

    async def authenticate(self, request: HttpRequest, *, scope: str, end_user: str | None = None) -> Principal:
        self.asked.append((scope, end_user))
        if request.headers.get("x-api-key") != "good":
            raise Unauthenticated("no", code="invalid_credential")
        return PRINCIPAL


class Things:
    """Keeps with what its endpoints were called."""

    def __init__(self) -> None:
        self.called: list[Any] = []

    async def list(self, request: HttpRequest, principal: Principal, work: Work) -> HttpResponse:
        self.called.append(principal)
        return HttpResponse(200, {})

    async def show(self, request: HttpRequest, work: Work) -> HttpResponse:
        self.called.append(None)
        return HttpResponse(200, {})


def asking(key: str = "good", **query: str) -> HttpRequest:
    return HttpRequest("GET", "/things", {"x-api-key": key}, query, b"no JSON", "request-1", 1000.0)


def operation(**changes: Any) -> Operation:
    settings: dict[str, Any] = {"endpoint": Things.list, "scope": "query", **changes}
    return Operation("GET /things", "listThings", "Things", answers=ANSWERS, **settings)


async def test_an_endpoint_is_called_with_the_principal_of_a_credential_of_its_scope() -> None:
    things, door = Things(), Doorkeeper()
    endpoint = served([operation()], things, door)["GET /things"]  # type: ignore[arg-type]

    response = await endpoint(asking(colour="red"), Work())

    assert things.called == [PRINCIPAL]
    assert door.asked == [("query", None)]
    assert response.body == {"ignored": {"?colour": "this route reads no query string"}}


@pytest.mark.parametrize("name", ["user_id", "userId", "user"])
@pytest.mark.parametrize("read", [None, Fields(before=text()), OpenFields(before=text())])
async def test_an_end_user_where_none_is_read_is_refused(name: str, read: Fields | None) -> None:
    things, door = Things(), Doorkeeper()
    endpoint = served([operation(query=read)], things, door)["GET /things"]  # type: ignore[arg-type]

    with pytest.raises(InvalidRequest) as error:
        await endpoint(asking(**{name: "anna"}), Work())

    assert (things.called, list(error.value.fields)) == ([], ["user_id"])


async def test_a_refused_credential_ends_it_before_the_endpoint() -> None:
    things, door = Things(), Doorkeeper()
    endpoint = served([operation()], things, door)["GET /things"]  # type: ignore[arg-type]

    with pytest.raises(Unauthenticated):
        await endpoint(asking("bad"), Work())

    assert things.called == []


@pytest.mark.parametrize(("said", "end_user"), [({"user_id": "anna"}, "anna"), ({"user_id": " "}, " "), ({}, None)])
async def test_a_listing_acts_for_the_end_user_that_its_query_names(said: dict[str, str], end_user: str | None) -> None:
    door = Doorkeeper()
    listing = operation(query=Fields(user_id=text()))
    endpoint = served([listing], Things(), door)["GET /things"]  # type: ignore[arg-type]

    await endpoint(asking(**said), Work())

    assert door.asked == [("query", end_user)]


@pytest.mark.parametrize("open_to", [{"scope": ""}, {"scope": "query", "identifies": True}])
async def test_an_endpoint_that_checks_no_credential_or_does_it_itself_gets_no_principal(open_to: Any) -> None:
    things, door = Things(), Doorkeeper()
    endpoint = served([operation(endpoint=Things.show, **open_to)], things, door)["GET /things"]  # type: ignore[arg-type]

    await endpoint(asking("bad"), Work())

    assert (things.called, door.asked) == ([None], [])


def test_numbers_of_a_query_string_are_read_where_they_are_to_be() -> None:
    fields = Fields(limit=whole(1, 50, default=5), tag=text())

    assert read_query(asking(limit="7", tag="7"), fields) == {"limit": 7, "tag": "7"}
    assert read_query(asking(), fields) == {"limit": 5, "tag": None}


@pytest.mark.parametrize("limit", ["0", "51", "x", "1e1", "-1", "9" * 40])
def test_a_bad_number_in_a_query_string_is_refused(limit: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_query(asking(limit=limit), Fields(limit=whole(1, 50)))

    assert list(refused.value.fields) == ["limit"]
