"""docs/api.md against the OpenAPI document, which is made of what the code reads by, and against the error classes."""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from remembrancer import errors
from remembrancer.domain.memories import memory
from remembrancer.runtime.openapi import document
from tests.unit.documents import PAGES, ROOT, Block, all_blocks, blocks, inline, sections, trees, whole

API = ROOT / "docs" / "api.md"
DOCUMENT = document()
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
# The RPC and the second name of a query are described with what they repeat.
DESCRIBED = [
    route for route in OPERATIONS if route in sections(API) and route not in {"GET /openapi.json", "GET /v1/health"}
]
# Written in tasks and commands, which answer no HTTP request.
NOT_OVER_HTTP = {"not_encrypted"}
# Every refusal of every route may be one of these, so that no section repeats them.
EVERYWHERE = {"400", "413", "415", "429"}
# Where an example is cut.
_ROUTE = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE) /[\w/{}.-]+")
_CUT = re.compile(r",? ?… ?,?")


def resolved(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def fields(schema: Mapping[str, Any], depth: int = 2) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Names of an object's fields, and of its objects' fields."""
    schema = resolved(schema)
    for branch in schema.get("anyOf", ()):
        yield from fields(branch, depth)
    if "items" in schema:
        yield from fields(schema["items"], depth)
    for name, field in schema.get("properties", {}).items():
        yield name, field
        if depth > 1:
            yield from fields(field, depth - 1)


def body(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    schema: Mapping[str, Any] = content.get("application/json", {}).get("schema", {})
    return schema


def answers(operation: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for status, answer in operation["responses"].items():
        if status.startswith("2") and "application/json" in answer.get("content", {}):
            yield answer["content"]["application/json"]["schema"]


def named(text: str) -> set[str]:
    """Each part of what stands between backticks, and each key of an example."""
    parts = {part for code in re.findall(r"`([^`\n]+)`", text) for part in re.findall(r"\w[\w-]*", code)}
    return parts | set(re.findall(r'"([\w-]+)":', text))


def parsed(block: Block) -> Any:
    """An example; what it cuts with `…` is left out."""
    text = re.sub(r'"([^"\\]|\\.)*"', lambda quoted: quoted[0].replace("…", "..."), block.text)
    text = re.sub(r",\s*([\]}])", r"\1", _CUT.sub(",", text).replace("{,", "{").replace("[,", "["))
    return json.loads(text)


@pytest.mark.parametrize("block", all_blocks("json"), ids=lambda block: block.place)
def test_every_json_example_is_json(block: Block) -> None:
    parsed(block)


@pytest.mark.parametrize("route", DESCRIBED)
def test_every_field_parameter_and_answer_of_a_route_is_described(route: str) -> None:
    operation = OPERATIONS[route]
    described = named(sections(API)[route])
    described |= named(sections(API)["For every route"])

    asked = {name for name, _ in fields(body(operation), depth=1)}
    parameters = {resolved(one).get("name", "") if "$ref" not in one else "" for one in operation.get("parameters", ())}
    answered = {name for schema in answers(operation) for name, _ in fields(schema, depth=1)}

    # A change takes fields of a new memory, a memory's own are shown once, a new version is shown as the active one.
    elsewhere = named(sections(API)["POST /v1/memories"]) | named(sections(API)["GET /v1/memories/{memory_id}"])
    elsewhere |= named(sections(API)["PUT /v1/agents/{agent_id}/directive"]) | named(sections(API)["POST /v1/keys"])
    assert asked - described - elsewhere == set(), "fields of the request without a word"
    assert parameters - described - {""} - {"memory_id", "agent_id", "relation_id", "key_id", "erasure_id"} == set()
    assert answered - described - elsewhere == set(), "fields of the answer without a word"


def test_every_field_of_the_metadata_of_an_assembly_is_described_and_no_other() -> None:
    section = sections(API)["POST /v1/context/assemble"]
    table = section.partition("| `metadata` | |")[2].partition("\n\n")[0]
    described = {
        name for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }

    metadata = dict(fields(dict(fields(next(answers(OPERATIONS["POST /v1/context/assemble"]))))["metadata"], 1))

    assert described == metadata.keys()


@pytest.mark.parametrize("route", DESCRIBED)
def test_every_field_in_a_table_of_a_route_exists(route: str) -> None:
    operation = OPERATIONS[route]
    known = {name for name, _ in fields(body(operation), depth=3)}
    known |= {one["name"] for one in operation.get("parameters", ()) if "name" in one}
    known |= {name for schema in answers(operation) for name, _ in fields(schema, depth=3)}

    rows = re.findall(r"^\| (`[^|]+`[^|]*) \|", sections(API)[route], re.MULTILINE)
    in_tables = {part for row in rows for code in re.findall(r"`([\w.]+)`", row) for part in code.split(".")}
    other_names = {"tenant_id", "to_memory_id", "user"}

    assert in_tables - known - other_names == set(), "the code knows no such fields"


def defaults() -> Iterator[tuple[str, str, str]]:
    """Route, field and the default that a table names."""
    for route in DESCRIBED:
        section = sections(API)[route]
        for header, table in re.findall(r"^\| field \|([^\n]*)\n\|[-|]+\|\n((?:\|[^\n]*\n)+)", section, re.MULTILINE):
            for row in table.splitlines():
                cells = [cell.strip() for cell in row.strip("|").split("|")]
                for name in re.findall(r"`([\w.]+)`", cells[0].partition(" (or ")[0]):
                    if "default" in header and cells[-1]:
                        yield route, name, cells[-1]
                    elif found := re.search(r"(?:default|whole number,) ([\d.]+|true|false)\b", " ".join(cells[1:])):
                        yield route, name, found[1]


def test_every_default_that_is_named_is_that_of_the_schema() -> None:
    schemas = {}
    wrong = []
    for route, name, told in defaults():
        schemas[route] = dict(fields(body(OPERATIONS[route]), 3))
        schema = schemas[route][name.rpartition(".")[2]]
        alternatives = [schema, *(resolved(one) for one in schema.get("anyOf", ()))]
        default = next((one["default"] for one in alternatives if "default" in one), None)
        if default is None:
            continue  # without a word in the schema: none, or what depends on something else
        shown = json.dumps(default) if not isinstance(default, str) else default
        if not re.match(rf"`?{re.escape(shown)}\b", told):
            wrong.append(f"{route}: `{name}` is {shown} and the page says {told}")

    assert wrong == []
    assert len(schemas) > 3


def codes() -> dict[str, set[int]]:
    """Each error code of the engine with the statuses that it goes with."""
    found: dict[str, set[int]] = {}
    kinds = {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.RequestError)
    }
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                kind = kinds[node.func.id]
                given = next((keyword.value for keyword in node.keywords if keyword.arg == "code"), None)
                texts = (
                    [part.value for part in ast.walk(given) if isinstance(part, ast.Constant)] if given else [kind.code]
                )
                for text in texts:
                    found.setdefault(str(text), set()).add(kind.status)
    return found


def documented_codes() -> dict[int, set[str]]:
    table = sections(API)["For every route"].partition("| status | codes |")[2]
    return {
        int(status): set(re.findall(r"`(\w+)`", row))
        for status, row in re.findall(r"^\| (\d{3}) \| (.*) \|$", table, re.MULTILINE)
    }


def test_every_error_code_is_in_the_table_under_its_status_and_no_other() -> None:
    table = documented_codes()
    routed = {"internal_error": {500}, "unavailable": {503}, "timeout": {504}}  # runtime/http/router.py
    told = {
        code: {status for status, named in table.items() if code in named} for codes in table.values() for code in codes
    }

    made = codes() | routed
    # `f"{kind}_not_found"`: every kind has a row of its own.
    made.pop("_not_found", None)
    missing = {code: statuses for code, statuses in made.items() if told.get(code) != statuses}

    assert {code for code in missing if code not in NOT_OVER_HTTP} == set(), missing
    assert {code for code in told if code not in made and not code.endswith("_not_found")} == set(), (
        "no code raises these"
    )
    router = whole(ROOT / "layers/engine/remembrancer/runtime/http/router.py")
    assert all(
        re.search(rf'"{code}": \({status},', router) for code, [status] in routed.items() if code != "internal_error"
    )


@pytest.mark.parametrize("route", [route for route in DESCRIBED if "Status:" in sections(API)[route]])
def test_the_statuses_of_a_route_are_those_of_the_openapi_document(route: str) -> None:
    [line] = re.findall(r"Status: ((?:.|\n)*?)(?:\n\n|\Z)", sections(API)[route].split("\n##")[0] + "\n\n")
    told = set(re.findall(r"\b([2-5]\d\d)\b", line))

    statuses = set(OPERATIONS[route]["responses"])

    if route == "POST /v1/context/assemble":
        assert told <= statuses  # its own words: 200 whatever is missing
        return
    repeated = {"409"} if route.startswith("POST ") else set()
    assert told - statuses == set(), "the route never answers so"
    assert statuses - told - EVERYWHERE - repeated == set(), "the route answers so, too"


def test_every_route_that_a_page_names_exists() -> None:
    patterns = [re.compile(re.sub(r"\\\{\w+\\\}", r"[^/ ]+", re.escape(route)) + r"$") for route in OPERATIONS]
    paths = [re.compile(pattern.pattern.partition("\\ ")[2]) for pattern in patterns]
    texts = [(page.name, text) for page in PAGES for text in (*inline(page), *(block.text for block in blocks(page)))]

    routes = [(name, found) for name, text in texts for found in _ROUTE.findall(text)]
    called = [(name, found) for name, text in texts for found in re.findall(r"\$REMEMBRANCER_URL(/[\w/.$-]+)", text)]

    assert [one for one in routes if not any(pattern.match(one[1]) for pattern in patterns)] == []
    # An unknown path, called to see it refused.
    paths.append(re.compile("/v1/nothing$"))
    assert [one for one in called if not any(path.match(one[1]) for path in paths)] == []


@pytest.mark.parametrize(
    "block", [block for block in blocks(API) if block.language == "json"], ids=lambda block: block.place
)
def test_every_example_is_what_its_route_takes_or_gives(block: Block) -> None:
    route = re.findall(r"^## (.+)$", whole(API)[: whole(API).index(block.text)], re.MULTILINE)[-1]
    example = parsed(block)
    if route == "Idempotency-Key" or route not in OPERATIONS:
        candidates = [DOCUMENT["components"]["schemas"]["Error"]]
    else:
        operation = OPERATIONS[route]
        candidates = [schema for schema in (body(operation), *answers(operation)) if schema]
        candidates.append(DOCUMENT["components"]["schemas"]["Error"])
        # What `explain` adds.
        candidates.append(DOCUMENT["components"]["schemas"]["Candidate"])
    if "…" in re.sub(r'"[^"\n]*"', "", block.text):
        keys = set(example)
        assert any(keys <= {name for name, _ in fields(schema, 1)} for schema in candidates)
        return

    failures = [
        [
            error.message
            for error in Draft202012Validator({**schema, "components": DOCUMENT["components"]}).iter_errors(example)
        ]
        for schema in candidates
    ]

    assert any(not failed for failed in failures), failures


def test_every_kind_of_choice_is_named_in_full() -> None:
    section = sections(API)["POST /v1/memories"] + sections(API)["POST /v1/memories/{memory_id}/relations"]

    assert {*memory.CATEGORIES, *memory.SOURCES, *memory.RELATION_TYPES} <= named(section)
