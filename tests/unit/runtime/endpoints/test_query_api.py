"""A query of a known credential begins beside the check of the credential, and shows and does nothing before it."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.retrieval.intents import Intent
from remembrancer.domain.retrieval.query import Ending, QueryAnswer, QueryRequest
from remembrancer.errors import Forbidden, InvalidRequest, NotFound, RequestError, Unauthenticated
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.endpoints.query_api import QueryApi
from remembrancer.runtime.http.messages import HttpRequest
from remembrancer.usecases.identity.authorise import Authenticator
from remembrancer.usecases.memories.idempotent_reads import Repeats
from remembrancer.usecases.query.memory_query import QueryMemories
from tests.builders import SetClock, principal

OTHER_RIGHTS = principal(project_id="other")


@dataclass
class Checks:
    """An authenticator: `known` from before; the check waits for `let`, and then accepts or refuses."""

    known: Principal | None
    accepts: Principal | RequestError
    let: asyncio.Event = field(default_factory=asyncio.Event)

    def recognise(self, request: HttpRequest) -> Principal | None:
        return self.known

    async def authenticate(self, request: HttpRequest, *, scope: str) -> Principal:
        await self.let.wait()
        if isinstance(self.accepts, RequestError):
            raise self.accepts
        return self.accepts


@dataclass
class Queries:
    """A memory query that finds nothing, or fails; `begun` has who asked."""

    error: Exception | None = None
    begun: list[Principal] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def query(self, request: QueryRequest, who: Principal, deadline: Any, work: Work, **_: Any) -> QueryAnswer:
        self.begun.append(who)
        self.asked.set()
        if self.error is not None:
            raise self.error
        work.add("usage", lambda: asyncio.sleep(0), first=True)
        work.add("memory_map", lambda: asyncio.sleep(0), may_wait=False)
        return QueryAnswer(
            request, [], Intent("factual", ()), "medium", 1.0, False, Ending("exhausted"), {}, {"total": 1.0}
        )


class NoRepeats:
    async def require_same(self, *_: object) -> None:
        return


def request(headers: Mapping[str, str] | None = None, **fields: Any) -> HttpRequest:
    body = json.dumps({"query": "tea", **fields}).encode()
    return HttpRequest("POST", "/memory/query", headers or {}, {}, body, "request", 1000.0)


def api(checks: Checks, queries: Queries) -> QueryApi:
    repeats = cast("Repeats", NoRepeats())
    return QueryApi(cast("QueryMemories", queries), repeats, cast("Authenticator", checks), SetClock(start=None))


async def ask(checks: Checks, queries: Queries, asked: HttpRequest | None = None) -> tuple[Any, Work]:
    """The response or the refusal, and what is done after it; the check ends when the query has begun."""
    work = Work()
    answering = asyncio.ensure_future(api(checks, queries).query(asked or request(), work))
    if checks.known is not None:
        await asyncio.wait([asyncio.ensure_future(queries.asked.wait()), answering], return_when="FIRST_COMPLETED")
        assert not answering.done()
        assert not work.items
    checks.let.set()
    (outcome,) = await asyncio.gather(answering, return_exceptions=True)
    return outcome, work


async def test_a_known_credential_is_checked_beside_the_query() -> None:
    queries = Queries()

    response, work = await ask(Checks(principal(), principal()), queries)

    assert response.status == 200
    assert queries.begun == [principal()]
    assert [name for name, _ in work.items] == ["usage", "memory_map"]
    assert work.idle_only == {"memory_map"}


async def test_a_credential_that_is_not_known_is_checked_first() -> None:
    queries = Queries()
    checks = Checks(None, principal())
    answering = asyncio.ensure_future(api(checks, queries).query(request(), Work()))
    for _ in range(20):
        await asyncio.sleep(0)
    before = list(queries.begun)

    checks.let.set()
    response = await answering

    assert (response.status, before, queries.begun) == (200, [], [principal()])


async def test_a_refused_credential_has_no_answer_and_leaves_no_work() -> None:
    refused, work = await ask(Checks(principal(), Unauthenticated("No.", code="invalid_credential")), Queries())

    assert isinstance(refused, Unauthenticated)
    assert not work.items


@pytest.mark.parametrize("error", [NotFound("There is no such agent."), ZeroDivisionError()])
async def test_the_refusal_of_a_credential_comes_before_any_other_error(error: Exception) -> None:
    refused, _ = await ask(Checks(principal(), Forbidden("No.", code="missing_scope")), Queries(error))
    failed, work = await ask(Checks(principal(), principal()), Queries(error))

    assert isinstance(refused, Forbidden)
    assert failed is error
    assert not work.items


async def test_an_invalid_body_is_told_to_an_accepted_credential_alone() -> None:
    checks = Checks(principal(), Unauthenticated("No.", code="invalid_credential"))
    checks.let.set()

    with pytest.raises(Unauthenticated):
        await api(checks, Queries()).query(request(k="many"), Work())
    with pytest.raises(InvalidRequest):
        await api(replace(checks, accepts=principal()), Queries()).query(request(k="many"), Work())


async def test_a_credential_whose_rights_have_changed_gets_the_answer_of_its_new_rights() -> None:
    queries = Queries()

    response, work = await ask(Checks(principal(), OTHER_RIGHTS), queries)

    assert response.status == 200
    assert queries.begun == [principal(), OTHER_RIGHTS]
    assert [name for name, _ in work.items] == ["usage", "memory_map"]


@pytest.mark.parametrize(
    ("known", "headers"),
    [
        (principal(scopes=frozenset({"write"})), {}),
        (principal(end_users=("ada",)), {"x-end-user-id": "bob"}),
        (principal(end_users=("ada",)), {}),
    ],
)
async def test_a_credential_that_may_not_ask_this_begins_nothing(known: Principal, headers: Mapping[str, str]) -> None:
    queries = Queries()
    checks = Checks(known, Forbidden("No.", code="missing_scope"))
    checks.let.set()

    with pytest.raises(Forbidden):
        await api(checks, queries).query(request(headers), Work())

    assert queries.begun == []


async def test_a_request_with_an_idempotency_key_waits_for_the_check_since_its_look_up_stores_the_key() -> None:
    queries = Queries()
    checks = Checks(principal(), principal())
    asked = request({"idempotency-key": "once"})
    answering = asyncio.ensure_future(api(checks, queries).query(asked, Work()))
    for _ in range(20):
        await asyncio.sleep(0)
    before = list(queries.begun)

    checks.let.set()
    response = await answering

    assert (response.status, before, queries.begun) == (200, [], [principal()])
