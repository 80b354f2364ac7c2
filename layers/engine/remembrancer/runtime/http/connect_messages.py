"""Converts chat messages of proto/remembrancer/context/v1/context.proto: role, text, and the other fields as JSON
text.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from remembrancer.domain.context.assembly import ASSEMBLE
from remembrancer.domain.requests.fields import OpenFields
from remembrancer.errors import InvalidRequest
from remembrancer.runtime.http.messages import parse_json

CONNECT_REQUEST = OpenFields(
    "ConnectRequest",
    "AssembleContextRequest of proto/remembrancer/context/v1/context.proto, as proto3 JSON.",
    **{name: ASSEMBLE.by_name[name] for name in ("org_id", "agent_id", "model", "request_id")},
    messages=ASSEMBLE.by_name["messages"].described(items={"$ref": "#/components/schemas/ConnectMessage"}),
)


class Protobuf(Protocol):
    """Converts between protobuf and dictionaries with the generated message classes."""

    def decode(self, body: bytes) -> dict[str, Any]:
        """An AssembleContextRequest by field names, without unset fields; ValueError for invalid bytes."""
        ...

    def encode(self, response: Mapping[str, Any]) -> bytes:
        """The bytes of an AssembleContextResponse with these fields."""
        ...

    def refusal(self, detail: Mapping[str, Any]) -> tuple[str, bytes]:
        """Full name and bytes of a RequestRefused."""
        ...


@dataclass(frozen=True, slots=True)
class AssembleContext:
    """Serves the Schema port for ContextAssemblyService.AssembleContext."""

    protobuf: Protobuf

    def from_wire(self, wire: Any) -> Any:
        """Merges the JSON text fields back into chat messages; the endpoint refuses invalid requests.

        A JSON caller may also send chat messages in OpenAI's form.
        """
        if not isinstance(wire, Mapping):
            return wire
        body = dict(wire)
        tools = _pop(body, "tools_json", "toolsJson")
        if tools:
            body["tools"] = _parsed(tools, "tools_json")
        if isinstance(body.get("messages"), list):
            body["messages"] = [_chat(message, index) for index, message in enumerate(body["messages"])]
        return body

    def to_wire(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The response with proto field names."""
        return {**body, "messages": [_wire(message) for message in body["messages"]]}

    def decode(self, body: bytes) -> Any:
        """The request in the form that `from_wire` takes; ValueError for invalid bytes."""
        return self.protobuf.decode(body)

    def encode(self, wire: Mapping[str, Any]) -> bytes:
        """The protobuf bytes of what `to_wire` returned."""
        return self.protobuf.encode(wire)

    def refusal(self, detail: Mapping[str, Any]) -> tuple[str, bytes]:
        """The full name of the error detail's message, and its protobuf bytes."""
        return self.protobuf.refusal(detail)


def _chat(message: Any, index: int) -> Any:
    if not isinstance(message, Mapping) or not ("fields_json" in message or "fieldsJson" in message):
        return message
    place = f"messages[{index}].fields_json"
    chat = dict(message)
    text = _pop(chat, "fields_json", "fieldsJson")
    if not text:
        return chat
    further = _parsed(text, place)
    if not isinstance(further, dict):
        raise _refused(place, "must be a JSON object")
    twice = chat.keys() & further.keys()
    if twice:
        raise _refused(place, f"repeats {', '.join(sorted(twice))}")
    return chat | further


def _wire(message: Mapping[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    wire: dict[str, Any] = {"role": message["role"]}
    if isinstance(content, str):
        wire["content"] = content
    further = {key: value for key, value in message.items() if key not in wire}
    if further:
        wire["fields_json"] = json.dumps(further, ensure_ascii=False, separators=(",", ":"))
    return wire


def _pop(fields: dict[str, Any], *names: str) -> Any:
    found = None
    for name in names:
        found = fields.pop(name, None) or found
    return found


def _parsed(text: Any, place: str) -> Any:
    if not isinstance(text, str):
        raise _refused(place, "must be JSON in a string")
    try:
        return parse_json(text.encode("utf-8", "surrogatepass"))
    except InvalidRequest as error:
        raise _refused(place, next(iter(error.fields.values()))) from error


def _refused(place: str, problem: str) -> InvalidRequest:
    return InvalidRequest(f"The request has invalid fields: {place}.", fields={place: problem})
