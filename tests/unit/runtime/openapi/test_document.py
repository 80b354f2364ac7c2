"""The OpenAPI document covers every route, and is one."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from remembrancer.domain.context import assembly
from remembrancer.domain.erasure import erasure_request
from remembrancer.domain.identity import key_request
from remembrancer.domain.memories import edit_request, write_request
from remembrancer.domain.requests.fields import TAKEN_BY
from remembrancer.domain.retrieval import query
from remembrancer.runtime.openapi import OPERATIONS, document
from tests.served_routes import written_in_handlers
from tests.unit.strategies import refusal

ROOT = Path(__file__).resolve().parents[4]
DOCUMENT = document()
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set().union(*map(references, value)) if isinstance(value, list) else set()


def test_it_is_an_openapi_document_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    validate(DOCUMENT)

    assert DOCUMENT["info"]["version"] == project["version"]


def test_it_has_the_routes_of_the_handlers_and_no_others() -> None:
    assert {operation.route for operation in OPERATIONS} == written_in_handlers()


def test_scopes_are_those_of_the_users_documentation() -> None:
    rows = [
        line.split("|") for line in (ROOT / "docs" / "api.md").read_text(encoding="utf-8").splitlines() if "](#" in line
    ]
    documented = {row[1].strip()[2:].partition("`]")[0]: row[2].strip(" `") for row in rows if row[0] == ""}

    assert {operation.route: operation.scope or "none" for operation in OPERATIONS} == documented


def test_names_are_used_once_and_every_schema_is_used() -> None:
    names = [operation.name for operation in OPERATIONS]
    used = {reference.rpartition("/")[2] for reference in references(DOCUMENT) if "/schemas/" in reference}

    assert len(set(names)) == len(names)
    assert used == DOCUMENT["components"]["schemas"].keys()


@pytest.mark.parametrize(
    ("schema", "parse"),
    [
        ("AssembleRequest", assembly.parse),
        ("QueryRequest", query.parse),
        ("NewDirective", write_request.NEW_DIRECTIVE.parse),
        ("NewAgent", write_request.NEW_AGENT.parse),
        ("NewRelation", write_request.NEW_RELATION.parse),
        ("Feedback", write_request.FEEDBACK.parse),
        ("NewKey", key_request.parse),
        ("NewMemory", lambda body: write_request.parse(body, now=NOW)),
        ("NewMemories", write_request.NEW_MEMORIES.parse),
        ("MemoryChange", edit_request.parse),
        ("NewErasure", erasure_request.parse),
    ],
)
def test_the_reader_demands_what_the_schema_demands_and_knows_its_fields(schema: str, parse: Any) -> None:
    described = DOCUMENT["components"]["schemas"][schema]

    _, missing = refusal(lambda: parse({}))
    _, misread = refusal(lambda: parse(dict.fromkeys([*described["properties"], "surprise"], 1e300)))

    assert missing is not None
    assert misread is not None
    assert set(described["required"]) == missing.keys() - {"body"}
    refused_as_unknown = {name for name, problem in misread.items() if problem == "unknown field"}
    assert refused_as_unknown == {"surprise"}


@pytest.mark.parametrize(("field", "route"), TAKEN_BY.items())
def test_the_route_that_is_named_for_a_field_takes_it(field: str, route: str) -> None:
    [operation] = [one for one in OPERATIONS if one.route == route]

    assert operation.body
    assert field in operation.body.by_name or route.endswith(f"/{field}")
