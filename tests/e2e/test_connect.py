"""The Connect call through the front door, by the protocol's own Python client."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from connectrpc.client import ConnectClientSync
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType

from remembrancer.adapters.context_pb2 import (
    AssembleContextRequest,
    AssembleContextResponse,
    AssembleOptions,
    Message,
    RequestRefused,
)
from tests.e2e.conftest import NewTenant, Tenant

PATH = "/remembrancer.context.v1.ContextAssemblyService/AssembleContext"
METHOD = MethodInfo(
    name="AssembleContext",
    service_name="remembrancer.context.v1.ContextAssemblyService",
    input=AssembleContextRequest,
    output=AssembleContextResponse,
    idempotency_level=IdempotencyLevel.UNKNOWN,
    stream_type=StreamType.UNARY,
)
CODECS = {"protobuf": google_protobuf_binary_codec, "JSON": google_protobuf_json_codec}
every_codec = pytest.mark.parametrize("codec", CODECS)


@contextmanager
def connected(tenant: Tenant, codec: str, **options: Any) -> Iterator[ConnectClientSync]:
    gzip = GzipCompression()
    client = ConnectClientSync(
        tenant.stack.url, codec=CODECS[codec](), accept_compression=[gzip], send_compression=None, **options
    )
    with client:
        yield client


def asked(tenant: Tenant, *messages: Message, **fields: Any) -> Any:
    names = {"org_id": tenant.org_id, "agent_id": tenant.agent_id, "model": "gpt-4o", "request_id": "r-1"}
    return AssembleContextRequest(**(names | fields), messages=messages or [Message(role="user", content="Paris?")])


def called(tenant: Tenant, codec: str, request: Any, **options: Any) -> Any:
    headers = {"X-API-Key": tenant.client.headers.get("X-API-Key", "")}
    with connected(tenant, codec) as client:
        return client.execute_unary(request=request, method=METHOD, headers=headers, **options)


def refused(tenant: Tenant, codec: str, request: Any) -> tuple[Code, Any]:
    with pytest.raises(ConnectError) as error:
        called(tenant, codec, request)
    [detail] = error.value.details
    assert detail.type_name == RequestRefused.DESCRIPTOR.full_name
    return error.value.code, RequestRefused.FromString(detail.message_bytes)


@every_codec
def test_a_call_gets_what_the_json_route_gives(tenant: Tenant, codec: str) -> None:
    tenant.remember("Paris was rainy in May")
    tenant.drain()
    options = AssembleOptions(max_memories=1, explain=True)

    answer = called(tenant, codec, asked(tenant, options=options))

    plain = tenant.assemble("Paris?", options={"max_memories": 1}).json()
    assert list(answer.metadata.memory_ids) == plain["metadata"]["memory_ids"]
    assert answer.metadata.memories_injected == 1
    assert answer.metadata.sources["cold"].status == "ok"
    assert answer.metadata.budget.window == plain["metadata"]["budget"]["window"]
    assert answer.metadata.candidates[0].disposition == "included"
    assert "Paris was rainy in May" in answer.messages[-1].content
    assert answer.messages[-1].content.endswith("\nParis?")
    assert answer.request_id == "r-1"


@every_codec
def test_messages_come_back_with_everything_they_carry(tenant: Tenant, codec: str) -> None:
    messages = [
        Message(role="assistant", fields_json='{"content":null,"tool_calls":[{"id":"c","n":12345678901234567890}]}'),
        Message(role="user", fields_json='{"content":[{"type":"text","text":"☔"}],"name":"ada"}'),
        Message(role="tool", content="", fields_json='{"tool_call_id":"c"}'),
    ]

    answer = called(tenant, codec, asked(tenant, *messages))

    returned = list(answer.messages)
    assert [(m.role, m.HasField("content"), m.content) for m in returned] == [
        ("assistant", False, ""),
        ("user", False, ""),
        ("tool", True, ""),
    ]
    assert [json.loads(m.fields_json) for m in returned] == [json.loads(m.fields_json) for m in messages]


@every_codec
def test_the_text_stands_inside_a_message_as_by_the_json_route(tenant: Tenant, codec: str) -> None:
    tenant.remember("Paris was rainy in May")
    chosen = {"text": "", "injection_mode": "user_prepend"}
    tenant.client.put(f"/v1/agents/{tenant.agent_id}/directive", json=chosen)
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {}}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "nothing"}]}
    question = [{"type": "text", "text": "Was Paris rainy?"}]
    fields = [{"content": question, "name": "ada"}, {"content": call["content"]}, {"content": result["content"]}]
    roles = ["user", "assistant", "user"]

    answer = called(tenant, codec, asked(tenant, *map(_message, roles, fields)))

    returned = [json.loads(message.fields_json) for message in answer.messages]
    [block, *others] = returned[0].pop("content")
    assert "Paris was rainy in May" in block["text"]
    assert others == question
    assert [returned[0], *returned[1:]] == [{"name": "ada"}, *fields[1:]]
    assert [message.role for message in answer.messages] == roles


def _message(role: str, fields: dict[str, Any]) -> Message:
    return Message(role=role, fields_json=json.dumps(fields))


@every_codec
def test_the_clients_timeout_is_the_callers_bound(tenant: Tenant, codec: str) -> None:
    answer = called(tenant, codec, asked(tenant), timeout_ms=1900)

    assert answer.metadata.deadline_ms == 1895


def test_a_timeout_that_nothing_can_keep_is_answered_with_what_is_there(tenant: Tenant) -> None:
    body = {**json.loads(tenant.assemble("x").request.content), "messages": [{"role": "user", "content": "Paris?"}]}

    response = tenant.client.post(PATH, json=body, headers={"Connect-Timeout-Ms": "5"})

    assert response.status_code == 200
    assert response.json()["metadata"]["fallback_reason"]
    assert response.json()["messages"] == body["messages"]


@every_codec
def test_refusals_have_the_codes_of_the_protocol_and_name_the_field(tenant: Tenant, codec: str) -> None:
    no_model = refused(tenant, codec, asked(tenant, model=""))
    no_agent = refused(tenant, codec, asked(tenant, agent_id=str(uuid4())))
    not_ours = refused(tenant, codec, asked(tenant, org_id=str(uuid4())))
    del tenant.client.headers["X-API-Key"]
    nobody = refused(tenant, codec, asked(tenant))

    assert (no_model[0], dict(no_model[1].fields)) == (Code.INVALID_ARGUMENT, {"model": "is required"})
    assert (no_agent[0], no_agent[1].code) == (Code.NOT_FOUND, "agent_not_found")
    assert (not_ours[0], not_ours[1].code) == (Code.PERMISSION_DENIED, "wrong_organization")
    assert (nobody[0], nobody[1].code) == (Code.UNAUTHENTICATED, "missing_credential")


def test_a_key_without_the_scope_is_refused(new_tenant: NewTenant) -> None:
    tenant = new_tenant(scopes=("query",))

    assert refused(tenant, "protobuf", asked(tenant, agent_id=str(uuid4())))[1].code == "missing_scope"


def test_requests_may_be_compressed_and_another_content_type_is_415(tenant: Tenant) -> None:
    headers = {"X-API-Key": tenant.client.headers["X-API-Key"]}
    client = ConnectClientSync(tenant.stack.url, codec=CODECS["protobuf"](), send_compression=GzipCompression())
    with client:
        answer = client.execute_unary(request=asked(tenant), method=METHOD, headers=headers)
    other = tenant.client.post(PATH, content=b"x", headers={"content-type": "application/grpc"})

    assert answer.request_id == "r-1"
    assert other.status_code == 415
    assert other.headers["accept-post"] == "application/json, application/proto"


def test_a_request_without_a_method_of_the_service_is_no_route(tenant: Tenant) -> None:
    response = tenant.client.post(PATH + "s", json={})

    assert response.status_code == 404
