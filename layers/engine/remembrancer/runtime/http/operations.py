"""One record for each API operation: route, scope, input fields, and the endpoint that serves it.

Each module of `runtime.endpoints` declares the records of its endpoints. Functions serve them by `served`, and the
OpenAPI document is generated from all of them.
"""

import re
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from remembrancer.domain.identity.scope import Principal
from remembrancer.domain.requests.fields import MOST_NAMED, Field, Fields, Given
from remembrancer.domain.requests.similar_names import LONGEST
from remembrancer.errors import InvalidRequest
from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import Endpoint, HttpRequest, HttpResponse, parse_json
from remembrancer.usecases.identity.authorise import END_USER_HEADER, Authenticator


@dataclass(frozen=True, slots=True)
class Operation:
    """`endpoint` takes its API's object, the request, the credential's principal, and the work for after the response.

    Without `scope` no credential is needed. With `identifies` the endpoint itself checks the credential, beside other
    work. Both take no principal. `body` and `query` are the fields of each; where `user_id` is a field of the query,
    the request acts for that end user. `answers` maps a status to a description and the name of a schema, preceded by
    its content type when that is not JSON; `refusals` are errors that only some operations have.
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
        """Whether the operation reads `Idempotency-Key`, as every POST does."""
        return self.route.startswith("POST ")

    @property
    def shows_stored(self) -> bool:
        """Whether its answer has stored data that the request did not bring: so do all GETs, and whatever answers with
        a memory, which also a change may do that changes nothing.
        """
        return self.route.startswith("GET ") or any(schema in WITH_TEXTS for _, schema in self.answers.values())

    @property
    def refuses_reused_keys(self) -> bool:
        """Whether a key reused for another request is refused; not by assembly, which never fails because of a key."""
        return self.is_repeatable and self.scope != "assemble"


WITH_TEXTS = frozenset({"WholeMemory", "Forgotten"})
"""Schemas of answers that have the texts of memories."""

NoteRead = Callable[[Principal, str, str | None, Work], None]
"""Told the principal, the operation's name and the id in the path of each read that was answered."""


def served(
    operations: Sequence[Operation], api: object, authenticator: Authenticator, note_read: NoteRead | None = None
) -> dict[str, Endpoint]:
    """The endpoints by route; they read nothing of a request before its credential was accepted."""
    return {operation.route: _endpoint(operation, api, authenticator, note_read) for operation in operations}


def read_query(request: HttpRequest, fields: Fields) -> dict[str, Any]:
    """Parses the query string's parameters. Raises InvalidRequest."""
    return given_query(request, fields).finish()


def given_query(request: HttpRequest, fields: Fields) -> Given:
    """The parameters with their problems noted but not raised; numbers, truth values and objects are parsed where
    expected.
    """
    return fields.read({name: _value(fields.by_name.get(name), text) for name, text in request.query.items()})


def _value(field: Field | None, text: str) -> Any:
    """A number, truth value or object from text; text that is none stays text, and is refused as that later."""
    kind = field.schema.get("type") if field else None
    if kind == "integer" and _NUMBER.fullmatch(text):
        return int(text)
    if kind == "boolean" and text in _BOOLEANS:
        return _BOOLEANS[text]
    if kind != "object":
        return text
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except InvalidRequest:
        return text


def _endpoint(operation: Operation, api: object, authenticator: Authenticator, note_read: NoteRead | None) -> Endpoint:
    endpoint = partial(operation.endpoint, api)
    if not operation.scope or operation.identifies:
        return endpoint
    names_end_user = operation.query is not None and "user_id" in operation.query.by_name

    async def authenticated(request: HttpRequest, work: Work) -> HttpResponse:
        named = [request.query[name] for name in END_USER_NAMES if name in request.query]
        first, *others = named if names_end_user and named else [None]
        principal = await authenticator.authenticate(request, scope=operation.scope, end_user=first)
        for other in others:
            principal = principal.acting_for(other)
        if not names_end_user:
            _refuse_end_user(request)
        response = await endpoint(request, principal, work)
        if note_read is not None and operation.shows_stored and not response.error:
            note_read(principal, operation.name, _identifier(request), work)
        return response if operation.query is not None else _with_ignored(response, request)

    return authenticated


def _identifier(request: HttpRequest) -> str | None:
    """The id in the path; None for names."""
    text = next(iter(request.path_parameters.values()), "")
    return text.lower() if _ID.fullmatch(text) else None


def unread(request: HttpRequest) -> dict[str, str]:
    """The parameters of a query string that the route does not read, each with what to do. Raises InvalidRequest where
    one names an end user.
    """
    _refuse_end_user(request)
    names = sorted(request.query)[:MOST_NAMED]
    return {f"?{name[:LONGEST]}": "this route reads no query string" for name in names}


def _refuse_end_user(request: HttpRequest) -> None:
    """Raises InvalidRequest for an end user in a query string: ignored, it would mean what all end users share."""
    if any(name in request.query for name in END_USER_NAMES):
        problem = f"must be sent in the header {END_USER_HEADER}, not in the query string"
        raise InvalidRequest("This route reads no end user in the query string.", fields={"user_id": problem})


def _with_ignored(response: HttpResponse, request: HttpRequest) -> HttpResponse:
    if not request.query or response.error or not isinstance(response.body, Mapping):
        return response
    return replace(response, body={**response.body, "ignored": unread(request)})


END_USER_NAMES = ("user_id", "userId", "user")
_NUMBER = re.compile(r"[0-9]{1,18}")
_ID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BOOLEANS = {"true": True, "false": False}
