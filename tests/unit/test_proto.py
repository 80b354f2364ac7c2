"""The RPC's messages: the numbers that clients rely on, and a Python module that is what proto/ gives."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from grpc_tools import protoc

from remembrancer.adapters import context_pb2
from remembrancer.runtime.openapi import document

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "remembrancer/context/v1/context.proto"
CONTRACT = {
    "AssembleContextRequest": ["org_id", "agent_id", "session_id", "model", "request_id", "messages"],
    "AssembleContextResponse": ["messages", "metadata"],
    "Message": ["role", "content"],
    "InjectionMetadata": [
        "directive_injected",
        "memories_injected",
        "memories_available",
        "total_tokens_injected",
        "context_window_used",
        "was_truncated",
        "fallback_reason",
        "memory_ids",
    ],
}


def test_the_contract_has_its_numbers() -> None:
    messages = context_pb2.DESCRIPTOR.message_types_by_name

    numbers = {
        name: [messages[name].fields_by_number[number + 1].name for number in range(len(fields))]
        for name, fields in CONTRACT.items()
    }

    assert numbers == CONTRACT
    [method] = context_pb2.DESCRIPTOR.services_by_name["ContextAssemblyService"].methods
    assert (method.name, method.input_type.name) == ("AssembleContext", "AssembleContextRequest")
    assert context_pb2.DESCRIPTOR.GetOptions().go_package == "remembrancer/context/v1;contextv1"


def test_the_python_messages_are_what_the_source_gives(tmp_path: Path) -> None:
    arguments = ["protoc", f"--proto_path={ROOT / 'proto'}", f"--python_out={tmp_path}", SOURCE]

    assert protoc.main(arguments) == 0

    generated = (tmp_path / SOURCE).with_name("context_pb2.py").read_text(encoding="utf-8")
    committed = ROOT / "layers" / "engine" / "remembrancer" / "adapters" / "context_pb2.py"
    assert committed.read_text(encoding="utf-8") == generated, "run `make proto`"


def schema_fields(schema: Any, schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an object by name, those of its objects included; leaves are empty."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    for one in schema.get("anyOf", ()):
        if found := schema_fields(one, schemas):
            return found
    inner = schema.get("items") or schema.get("additionalProperties")
    if isinstance(inner, dict):
        return schema_fields(inner, schemas)
    return {name: schema_fields(field, schemas) for name, field in schema.get("properties", {}).items()}


def missing(fields: Mapping[str, Any], message: Any, place: str) -> list[str]:
    """What the message has no field for, at any depth."""
    lost = []
    for name, inner in fields.items():
        field = message.fields_by_name.get(name)
        if field is None:
            lost.append(f"{place}.{name}")
        elif inner and (below := _value_of(field)) is not None:
            lost += missing(inner, below, f"{place}.{name}")
    return lost


def _value_of(field: Any) -> Any:
    message = field.message_type
    return message.fields_by_name["value"].message_type if message and message.GetOptions().map_entry else message


ELSEWHERE = {"AssembleContextRequest.tools"}  # in tools_json, as tool schemas are JSON of any form


@pytest.mark.parametrize(
    ("schema", "name"), [("AssembleRequest", "AssembleContextRequest"), ("AssembleResponse", "AssembleContextResponse")]
)
def test_every_field_of_the_json_route_is_in_proto(schema: str, name: str) -> None:
    schemas = document()["components"]["schemas"]

    fields = schema_fields(schemas[schema], schemas)

    assert len(fields) > 2
    assert set(missing(fields, context_pb2.DESCRIPTOR.message_types_by_name[name], name)) == (
        {one for one in ELSEWHERE if one.startswith(f"{name}.")}
    )
