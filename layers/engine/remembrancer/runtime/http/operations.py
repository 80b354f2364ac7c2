"""An operation of the API as one record: its route, who may call it, what it reads, and the endpoint that serves it.

Each module of `runtime.endpoints` has the records of its endpoints beside them. Functions serve them by `served`, and
the OpenAPI document is made of all of them.
"""

import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from remembrancer.domain.requests.fields import Field, Fields, Given
from remembrancer.errors import InvalidRequest
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse, parse_json
from remembrancer.usecases.identity.authorise import Authenticator


@dataclass(frozen=True, slots=True)
class Operation:
    """`endpoint` takes its API's object, the request, the credential's principal and the work for after the response.

    Without `scope` no credential is needed, and with `identifies` the endpoint itself checks it, beside other work:
    both take no principal. `body` and `query` are the fields of either; where `user_id` is one of the query's, the
    request acts for that end user. `answers` are, by status, a description and the name of a schema, with its content
    type before it when that is not JSON; `refusals` are those that not every operation has.
    """

    route: str
    name: str
    summary: str
    endpoint: Callable[..., Coroutine[Any, Any, HttpResponse]]
    answers: Mapping[int, tuple[str, str]]
    scope: str = ""
    identifies: bool = False
    body: Fields | None = None
    query: Fields | None = None
    headers: Sequence[Mapping[str, Any]] = ()
    refusals: tuple[int, ...] = ()
    is_connect: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether it reads `Idempotency-Key`."""
        return self.route.startswith("POST ")

    @property
    def refuses_reused_keys(self) -> bool:
        """Assembly does not: it is never the reason that a request fails."""
        return self.is_repeatable and self.scope != "assemble"


def served(operations: Sequence[Operation], api: object, authenticator: Authenticator) -> dict[str, Endpoint]:
    """The endpoints by their routes: nothing of a request is read before its credential was accepted."""
    return {operation.route: _endpoint(operation, api, authenticator) for operation in operations}


def read_query(request: HttpRequest, fields: Fields) -> dict[str, Any]:
    """The parameters of the query string; InvalidRequest."""
    return given_query(request, fields).finish()


def given_query(request: HttpRequest, fields: Fields) -> Given:
    """The same before what is wrong with them is said; numbers and objects are read where they are to be."""
    return fields.read({name: _value(fields.by_name.get(name), text) for name, text in request.query.items()})


def _value(field: Field | None, text: str) -> Any:
    """What is no number or object where there should be one is refused as the text that it is."""
    kind = field.schema.get("type") if field else None
    if kind == "integer" and _NUMBER.fullmatch(text):
        return int(text)
    if kind != "object":
        return text
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except InvalidRequest:
        return text


def _endpoint(operation: Operation, api: object, authenticator: Authenticator) -> Endpoint:
    endpoint = partial(operation.endpoint, api)
    if not operation.scope or operation.identifies:
        return endpoint
    names_end_user = operation.query is not None and "user_id" in operation.query.by_name

    async def authenticated(request: HttpRequest, work: Work) -> HttpResponse:
        named = request.query.get("user_id", "").strip() if names_end_user else ""
        principal = await authenticator.authenticate(request, scope=operation.scope, end_user=named or None)
        return await endpoint(request, principal, work)

    return authenticated


_NUMBER = re.compile(r"[0-9]{1,18}")
