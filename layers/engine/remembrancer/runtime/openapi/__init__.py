"""The OpenAPI 3.1 document of the whole API, generated from its operations and the declared request fields."""

from collections.abc import Mapping
from typing import Any

from remembrancer.domain.requests.fields import NESTED, Field, Fields
from remembrancer.domain.requests.idempotency import HEADER, LONGEST_KEY
from remembrancer.runtime.endpoints import (
    agents_api,
    assembly_api,
    audit_api,
    conflicts_api,
    conversations_api,
    forget_api,
    inspector_api,
    keys_api,
    memories_api,
    query_api,
    readiness_api,
    records_api,
)
from remembrancer.runtime.http.operations import Operation
from remembrancer.runtime.http.router import HEALTH
from remembrancer.runtime.openapi.schemas import SCHEMAS, optional

OPERATIONS: tuple[Operation, ...] = (
    *assembly_api.OPERATIONS,
    *query_api.OPERATIONS,
    *forget_api.OPERATIONS,
    *memories_api.OPERATIONS,
    *conversations_api.OPERATIONS,
    *agents_api.OPERATIONS,
    *keys_api.OPERATIONS,
    *conflicts_api.OPERATIONS,
    *records_api.OPERATIONS,
    *audit_api.OPERATIONS,
    HEALTH,
    *readiness_api.OPERATIONS,
    *inspector_api.OPERATIONS,
)
"""Every operation of the API, of all functions; a test compares them with the routes that the handlers serve."""

VERSION = "0.1.0"
_DESCRIPTION = (
    "What an agent should remember, fitted into the tokens that are left. Names are snake_case, and their camelCase "
    "twins are read too. Answers may have more fields than this document names."
)
_REFUSALS = {
    400: "Something in the request is wrong; `fields` says what.",
    401: "No credential, or none that is valid.",
    403: "The credential is not for this.",
    404: "There is no such thing for this credential.",
    405: "The path has other methods; `Allow` names them.",
    409: "The request contradicts what is stored.",
    412: "It is another version by now.",
    413: "The body is too large.",
    415: "The body is in another form.",
    429: "The rate of credential, organization or address is used up; `Retry-After` says for how many seconds.",
    500: "The service failed with an unexpected error.",
    501: "A content encoding that is not read.",
    503: "A dependency does not answer; retry.",
    504: "The request took too long; retry.",
}
_SHARED = (400, 401, 403, 429, 500, 503, 504)


def document() -> dict[str, Any]:
    """The document that `GET /openapi.json` returns."""
    paths: dict[str, dict[str, Any]] = {}
    schemas = dict(SCHEMAS)
    for operation in OPERATIONS:
        method, _, path = operation.route.partition(" ")
        paths.setdefault(path, {})[method.lower()] = _operation(operation, path, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Remembrancer",
            "version": VERSION,
            "description": _DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{"apiKey": []}, {"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
                "bearer": {"type": "http", "scheme": "bearer", "description": "An API key, or a token (JWT)."},
            },
            "parameters": {
                "endUser": _header(
                    "X-End-User-ID",
                    "The person on whose behalf the request comes; without it, memories of nobody only. `*`: all end "
                    "users, for a key with the scope `all_users`.",
                    maximum=256,
                ),
                "requestId": _header("X-Request-ID", "Taken over into answer and log.", maximum=256),
                "idempotencyKey": _header(
                    HEADER, "The same key with the same body takes effect once in 24 hours.", maximum=LONGEST_KEY
                ),
            },
            "responses": {str(status): _refusal(text, "Error") for status, text in _REFUSALS.items()}
            | {f"connect{status}": _refusal(text, "ConnectError") for status, text in _REFUSALS.items()},
        },
    }


def _operation(operation: Operation, path: str, schemas: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": {str(status): _answer(text, schema) for status, (text, schema) in operation.answers.items()},
    }
    refusals = operation.refusals
    if operation.body:
        refusals = (*refusals, 413, 415)
    if operation.scope:
        described["description"] = f"For the scope `{operation.scope}`."
        described["x-scope"] = operation.scope
        reused = (409,) if operation.refuses_reused_keys else ()
        refusals = tuple(sorted({*_SHARED, *refusals, *reused}))
    else:
        described["security"] = []
    shared = [
        *(["endUser"] if operation.scope else []),
        "requestId",
        *(["idempotencyKey"] if operation.is_repeatable else []),
    ]
    prefix = "connect" if operation.is_connect else ""
    described["responses"] |= {str(status): {"$ref": f"#/components/responses/{prefix}{status}"} for status in refusals}
    references = [{"$ref": f"#/components/parameters/{name}"} for name in shared]
    query = operation.query.by_name if operation.query else {}
    asked = [_parameter(name, _schema(field, schemas)) for name, field in query.items()]
    described["parameters"] = [*_path_parameters(path), *asked, *operation.headers, *references]
    if operation.body:
        content = {"application/json": {"schema": _object(operation.body, schemas)}}
        described["requestBody"] = {"required": True, "content": content}
    return described


def _parameter(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter; in a query string, an object is sent as JSON text."""
    if schema.get("type") == "object":
        description = schema.pop("description")
        schema = {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}
        return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _object(fields: Fields, schemas: dict[str, Any]) -> dict[str, Any]:
    """An object's schema: a reference to `schemas` where its fields have a name."""
    described: dict[str, Any] = {
        "type": "object",
        "required": [name for name, field in fields.by_name.items() if field.required],
        "properties": {
            name: _schema(field, schemas) if field.required else optional(_schema(field, schemas))
            for name, field in fields.by_name.items()
        },
    }
    if not fields.is_open:
        described["additionalProperties"] = False
    if fields.description:
        described["description"] = fields.description
    if not fields.name:
        return described
    schemas[fields.name] = described
    return _reference(fields.name)


def _schema(field: Field, schemas: dict[str, Any]) -> dict[str, Any]:
    """A field's schema with its default, unless the default is empty or not JSON."""
    default = {} if field.default in (None, (), {}) or NESTED in field.schema else {"default": field.default}
    return {**_resolved(field.schema, schemas), **default}


def _resolved(schema: Mapping[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Replaces an object's field declarations by their schema."""
    if NESTED in schema:
        return _object(schema[NESTED], schemas)
    items = {"items": _resolved(schema["items"], schemas)} if "items" in schema else {}
    return {**schema, **items}


def _answer(text: str, schema: str) -> dict[str, Any]:
    kind, _, name = schema.rpartition(" ")
    return {"description": text, "content": {kind or "application/json": {"schema": _reference(name)}}}


def _refusal(text: str, schema: str) -> dict[str, Any]:
    return {"description": text, "content": {"application/json": {"schema": _reference(schema)}}}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    kinds = {"agent_id": "AgentReference"}
    return [
        {"name": name, "in": "path", "required": True, "schema": _reference(kinds.get(name, "Id"))} for name in names
    ]


def _header(name: str, text: str, *, maximum: int) -> dict[str, Any]:
    schema = {"type": "string", "maxLength": maximum, "pattern": "^[!-~]([ -~]*[!-~])?$"}
    return {"name": name, "in": "header", "description": text, "schema": schema}
