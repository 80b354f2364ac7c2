"""The messages of proto/ in protobuf; the runtime is imported by the first call that needs it (60 ms), or `warm`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remembrancer.adapters import context_pb2

_TEXTS = ("org_id", "agent_id", "session_id", "model", "request_id", "turn_id", "user_id", "time_zone", "tools_json")
_CHOICES = ("max_memories", "memory_tokens", "relevance_floor", "hyde", "silence")


class ContextMessages:
    """Request, response and refusal of ContextAssemblyService.AssembleContext, by field names."""

    async def warm(self) -> None:
        """Imports the protobuf runtime, which takes longer than a message."""
        self.refusal({"code": "", "fields": {}, "request_id": ""})

    def decode(self, body: bytes) -> dict[str, Any]:
        """An AssembleContextRequest without what is not set; ValueError when it is none."""
        from google.protobuf.message import DecodeError

        from remembrancer.adapters import context_pb2

        try:
            request = context_pb2.AssembleContextRequest.FromString(body)
        except DecodeError as error:
            raise ValueError("not an AssembleContextRequest") from error
        fields: dict[str, Any] = {name: text for name in _TEXTS if (text := getattr(request, name))}
        fields["messages"] = [_message(message) for message in request.messages]
        if request.HasField("options"):
            fields["options"] = _options(request.options)
        return fields

    def encode(self, response: Mapping[str, Any]) -> bytes:
        """An AssembleContextResponse. Messages may be thousands: they are made directly, the rest by their names."""
        from google.protobuf import json_format

        from remembrancer.adapters import context_pb2

        rest = {name: value for name, value in response.items() if name != "messages"}
        message = json_format.ParseDict(rest, context_pb2.AssembleContextResponse(), ignore_unknown_fields=True)
        message.messages.extend([context_pb2.Message(**fields) for fields in response["messages"]])
        encoded: bytes = message.SerializeToString()
        return encoded

    def refusal(self, detail: Mapping[str, Any]) -> tuple[str, bytes]:
        """The full name and bytes of a RequestRefused."""
        from remembrancer.adapters import context_pb2

        message = context_pb2.RequestRefused(**detail)
        return message.DESCRIPTOR.full_name, message.SerializeToString()


def _message(message: "context_pb2.Message") -> dict[str, Any]:
    fields = {"role": message.role}
    if message.HasField("content"):
        fields["content"] = message.content
    if message.fields_json:
        fields["fields_json"] = message.fields_json
    return fields


def _options(options: "context_pb2.AssembleOptions") -> dict[str, Any]:
    chosen: dict[str, Any] = {name: getattr(options, name) for name in _CHOICES if options.HasField(name)}
    return chosen | {
        **({"categories": list(options.categories)} if options.categories else {}),
        "skip": list(options.skip),
        "weights": dict(options.weights),
        "explain": options.explain,
        **({"as_of": options.as_of} if options.as_of else {}),
        **({"placement": options.placement} if options.placement else {}),
        **({"thoroughness": options.thoroughness} if options.thoroughness else {}),
        **({"cache_control": True} if options.cache_control else {}),
    }
