"""Converts chat messages of proto/remembrancer/context/v1/context.proto: role, text, and the other fields as JSON
text.
"""

import json
from collections.abc import Mapping
from typing import Any

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


def from_wire(wire: Any) -> Any:
    """The body of `POST /v1/context/assemble` for an AssembleContextRequest as a JSON value. Raises InvalidRequest.

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


def to_wire(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The AssembleContextResponse for an answer, with field names in snake_case."""
    return {**body, "messages": [_wire(message) for message in body["messages"]]}


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
