"""Calls of the Connect protocol: both content types mean the same, and every chat message comes through whole."""

import base64
import gzip
import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters import context_pb2
from remembrancer.adapters.protobuf import ContextMessages
from remembrancer.domain.context.assembly import Assembly, Candidate, Explanation, SourceReport
from remembrancer.domain.context.budget import Budget
from remembrancer.domain.context.prefix import Hashed, Prefix, Prompt
from remembrancer.domain.context.told import ToldBlock
from remembrancer.domain.ranking.assembly_score import Scored
from remembrancer.domain.retrieval.evidence import Evidence
from remembrancer.errors import (
    Conflict,
    Forbidden,
    InvalidRequest,
    NotFound,
    RequestError,
    TooManyRequests,
    Unauthenticated,
    UnsupportedMediaType,
)
from remembrancer.runtime.http.connect import JSON, PROTO, Connect
from remembrancer.runtime.http.connect_messages import from_wire, to_wire
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse, error_response
from tests.builders import NOW, identifier, memory
from tests.unit.strategies import anything, refusal

connect = Connect(ContextMessages())
roles = st.sampled_from(["system", "user", "assistant", "tool"])
chat_messages = st.builds(
    lambda role, content, rest: {"role": role, **content, **rest},
    roles,
    st.just({}) | st.builds(lambda text: {"content": text}, st.text() | st.none() | st.lists(anything, max_size=3)),
    st.dictionaries(
        st.text(max_size=9).filter(lambda name: name not in {"role", "content", "fields_json", "fieldsJson"}),
        anything,
        max_size=3,
    ),
).map(lambda message: json.loads(json.dumps(message).replace("\\u0000", "0")))


def request(body: bytes, content_type: str = JSON, **headers: str) -> HttpRequest:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return HttpRequest("POST", "/", {"content-type": content_type, **names}, {}, body, "req-1", 1000.0)


def refused(asked: HttpRequest) -> RequestError:
    with pytest.raises(RequestError) as error:
        connect.read(asked).json()
    return error.value


def as_json(wire: dict[str, Any]) -> HttpRequest:
    return request(json.dumps(wire).encode())


def in_protobuf(wire: dict[str, Any]) -> HttpRequest:
    messages = [context_pb2.Message(**message) for message in wire.get("messages", [])]
    return request(context_pb2.AssembleContextRequest(**{**wire, "messages": messages}).SerializeToString(), PROTO)


def full_assembly() -> Assembly:
    """With every field set to what protobuf would not leave out."""
    stored = memory(
        user_id="isla",
        supersedes=identifier(2),
        occurred_from=NOW,
        occurred_to=NOW,
        contradicted_by=(identifier(3),),
    )
    scored = Scored(stored, 0.7, {"relevance": 0.6})
    return Assembly(
        messages=[{"role": "user", "content": "x"}],
        memory_ids=(scored.memory.id,),
        pinned_memory_ids=(scored.memory.id,),
        earlier_memory_ids=frozenset({scored.memory.id}),
        passages={scored.memory.id: (1,)},
        blocks=([ToldBlock(1, "hash", "hash")], [ToldBlock(2, "hash", "hash")]),
        directive_injected=True,
        directive_version=3,
        memories_available=9,
        total_tokens_injected=41,
        was_truncated=True,
        fallback_reason="cold_timeout",
        tier="postgres",
        map_behind=2,
        sources={"hot": SourceReport("error", 0.5, 1.5, 2, "ConnectionError", True, "cache")},
        timings_ms={"total": 12.5},
        deadline_ms=43.0,
        budget=Budget(1000, 500, 819, 10, 5, 7, 11, 30, 12, 6821, True, 2000, 2000, True, "cl100k_base", True),
        packing="exact",
        duplicates=3,
        unreadable=1,
        silent=True,
        helpfulness=0.125,
        prompt=Prompt((b"hash",) * 4, 5, "turn", 1, [Hashed(b"own", b"whole", 7)], 1, Hashed(b"own", b"whole", 3)),
        prefix=Prefix(7, 10, "history"),
        explanation=Explanation({"relevance": 0.5}, 0.25, {"cold": 30.5}, {"embed": 1.5}),
        candidates=[
            Candidate(
                scored, Evidence(scored.memory, 0.5, 0.25, 0.25, subject=1.0, hot=True), 0.5, 17, "included", 0.5, 0.25
            )
        ],
    )


def unset(value: Any, place: str = "answer") -> list[str]:
    """The places, at any depth, of what an encoding may leave out: dataclasses by field, JSON by name and index."""
    if isinstance(value, Assembly | SourceReport | Budget | Candidate | Explanation):
        inner: dict[Any, Any] = {field.name: getattr(value, field.name) for field in fields(value)}
    elif isinstance(value, Mapping):
        inner = dict(value)
    elif isinstance(value, list | tuple):
        inner = dict(enumerate(value))
    else:
        return [] if value else [place]
    return [name for key, each in inner.items() for name in unset(each, f"{place}.{key}")] if inner else [place]


@given(messages=st.lists(chat_messages, max_size=5))
@pytest.mark.parametrize("send", [as_json, in_protobuf])
def test_every_chat_message_arrives_as_the_client_has_it(send: Any, messages: list[dict[str, Any]]) -> None:
    wire = to_wire({"messages": messages})

    body = connect.read(send({"messages": wire["messages"]})).json()

    assert body["messages"] == messages
    assert json.dumps(body["messages"], sort_keys=True) == json.dumps(messages, sort_keys=True)


@given(messages=st.lists(chat_messages, max_size=5))
@pytest.mark.parametrize("content_type", [JSON, PROTO])
def test_every_chat_message_leaves_as_the_client_had_it(content_type: str, messages: list[dict[str, Any]]) -> None:
    answer = HttpResponse(200, {"messages": messages, "metadata": {}, "request_id": "r"})

    body = connect.write(request(b"", content_type), answer).body

    if isinstance(body, bytes):
        sent = context_pb2.AssembleContextResponse.FromString(body).messages
        body = {"messages": [{field.name: value for field, value in message.ListFields()} for message in sent]}
        body["messages"] = [{"role": "", **message} for message in body["messages"]]
    assert isinstance(body, dict)
    assert from_wire(body)["messages"] == messages


def test_a_json_caller_may_send_chat_messages_as_openai_knows_them() -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "x"}], "name": "ada"}]

    assert connect.read(as_json({"messages": messages})).json()["messages"] == messages


@pytest.mark.parametrize("name", ["fields_json", "fieldsJson"])
def test_proto3_names_of_json_are_read_too(name: str) -> None:
    asked = as_json({"orgId": "o", "messages": [{"role": "user", name: '{"name": "ada"}'}], "toolsJson": "[{}]"})

    assert connect.read(asked).json() == {"orgId": "o", "messages": [{"role": "user", "name": "ada"}], "tools": [{}]}


def test_both_content_types_ask_for_the_same() -> None:
    wire = {
        "org_id": "o",
        "agent_id": "a",
        "model": "gpt-4o",
        "request_id": "r",
        "turn_id": "t",
        "user_id": "u",
        "time_zone": "Europe/Berlin",
        "tools_json": '[{"type": "function"}]',
        "messages": [{"role": "user", "content": "x"}],
        "options": {
            "max_memories": 0,
            "relevance_floor": 0.5,
            "categories": ["factual"],
            "skip": ["hot"],
            "weights": {"relevance": 1.0},
            "explain": True,
            "as_of": "2026-01-01",
            "placement": "turn",
            "cache_control": True,
        },
    }

    plain = connect.read(as_json(wire)).json()
    binary = connect.read(in_protobuf(wire)).json()

    assert plain == binary
    assert plain["tools"] == [{"type": "function"}]


def test_what_protobuf_does_not_carry_is_not_there() -> None:
    wire = {"org_id": "o", "messages": [{"role": "user"}], "options": {}}

    body = connect.read(in_protobuf(wire)).json()

    assert body.keys() == {"org_id", "messages", "options"}
    assert body["options"].keys() == {"skip", "weights", "explain"}


@pytest.mark.parametrize("content_type", [JSON, PROTO])
def test_a_generated_client_reads_every_field_of_an_answer(content_type: str) -> None:
    """A field that is added to the answer belongs into proto/ too; `make proto` then makes the messages."""
    assembly = full_assembly()
    answer = {**assembly.as_json(), "request_id": "r"}
    assert unset(assembly) == unset(answer) == []

    written = connect.write(request(b"", content_type), HttpResponse(200, answer)).body

    read = context_pb2.AssembleContextResponse()
    if isinstance(written, bytes):
        read.MergeFromString(written)
    else:
        json_format.Parse(json.dumps(written), read)  # refuses what has no field
    assert json_format.MessageToDict(read, preserving_proto_field_name=True) == answer


@pytest.mark.parametrize("content_type", [JSON, PROTO])
def test_what_an_answer_lacks_is_absent_for_a_generated_client(content_type: str) -> None:
    bare = Candidate(Scored(memory(), 0.7, {}), Evidence(memory()), 0.25, 17, "included")
    answer = {**Assembly(messages=[], candidates=[bare]).as_json(), "request_id": "r"}

    written = connect.write(request(b"", content_type), HttpResponse(200, answer)).body

    read = context_pb2.AssembleContextResponse()
    if isinstance(written, bytes):
        read.MergeFromString(written)
    else:
        json_format.Parse(json.dumps(written), read)
    [candidate] = read.metadata.candidates
    assert not read.metadata.HasField("budget")
    assert not candidate.evidence.HasField("dense")
    assert candidate.user_id == ""


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/grpc", "application/connect+proto"])
def test_another_content_type_is_415_and_says_which_are_known(content_type: str) -> None:
    error = refused(request(b"{}", content_type))

    assert isinstance(error, UnsupportedMediaType)
    assert error.headers == {"accept-post": "application/json, application/proto"}


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "APPLICATION/JSON", " application/json"])
def test_parameters_and_case_of_the_content_type_do_not_matter(content_type: str) -> None:
    assert connect.read(request(b'{"model": "m"}', content_type)).json() == {"model": "m"}


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("connect_protocol_version", "2"),
        ("connect_timeout_ms", "12345678901"),
        ("connect_timeout_ms", "1.5"),
        ("connect_timeout_ms", "-1"),
        ("connect_timeout_ms", "1e3"),
        ("connect_timeout_ms", "²"),
    ],
)
def test_a_bad_header_of_the_protocol_is_named(header: str, value: str) -> None:
    error = refused(request(b"{}", **{header: value}))

    assert (error.status, list(error.fields)) == (400, [header.replace("_", "-")])


def test_a_body_in_gzip_is_read() -> None:
    asked = request(gzip.compress(b'{"model": "m"}'), content_encoding="gzip")

    assert connect.read(asked).json() == {"model": "m"}


@pytest.mark.parametrize(
    "body",
    [b"", b"no gzip", gzip.compress(b'{"model": "m"}', mtime=0)[:-9], gzip.compress(b" " * (1 << 20) + b"{}", mtime=0)],
    ids=["nothing", "another form", "cut off", "too much when unfolded"],
)
def test_a_bad_body_in_gzip_is_refused(body: bytes) -> None:
    assert refused(request(body, content_encoding="gzip")).fields.keys() == {"body"}


def test_another_encoding_is_unimplemented() -> None:
    error = refused(request(b"{}", content_encoding="br"))

    answer = connect.write(request(b"{}"), error_response(error, "req-1"))

    assert answer.status == 501
    assert isinstance(answer.body, dict)
    assert answer.body["code"] == "unimplemented"
    assert answer.headers == {"accept-encoding": "gzip"}


@given(body=st.binary(max_size=200))
def test_bytes_from_anybody_are_read_or_refused(body: bytes) -> None:
    read, fields = refusal(lambda: connect.read(request(body, PROTO)).json())

    assert isinstance(read, dict) or fields


def test_too_large_a_message_is_refused() -> None:
    assert refused(in_protobuf({"model": "x" * (1 << 20)})).fields.keys() == {"body"}


@pytest.mark.parametrize(
    ("fields_json", "problem"),
    [
        ("{", "is not valid JSON"),
        ("[]", "must be a JSON object"),
        ('{"role": "user"}', "repeats role"),
        ('{"content": "y"}', "repeats content"),
        ('{"a": NaN}', "is not valid JSON"),
        ('{"a": "\\u0000"}', "must not contain NUL"),
        ('{"a": ' + "[" * 40 + "]" * 40 + "}", "nested at most"),
    ],
)
@pytest.mark.parametrize("send", [as_json, in_protobuf])
def test_bad_further_fields_are_named(send: Any, fields_json: str, problem: str) -> None:
    messages = [{"role": "user"}, {"role": "user", "content": "x", "fields_json": fields_json}]

    error = refused(send({"messages": messages}))

    assert problem in error.fields["messages[1].fields_json"]


@pytest.mark.parametrize("value", [7, {}, [], None, "x"])
def test_what_is_no_request_is_left_for_the_endpoint_to_refuse(value: Any) -> None:
    for wire in (value, {"messages": value}, {"messages": [value]}, {"messages": [{"role": value}]}):
        assert from_wire(wire) == wire


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [
        (InvalidRequest("Bad.", fields={"model": "is required"}), 400, "invalid_argument"),
        (Unauthenticated("Who?"), 401, "unauthenticated"),
        (Forbidden("No."), 403, "permission_denied"),
        (NotFound("None.", code="agent_not_found"), 404, "not_found"),
        (Conflict("Taken."), 409, "already_exists"),
        (UnsupportedMediaType("What?"), 415, "invalid_argument"),
        (TooManyRequests("Slower.", headers={"retry-after": "2"}), 429, "resource_exhausted"),
    ],
)
@pytest.mark.parametrize("content_type", [JSON, PROTO])
def test_a_refusal_is_json_with_the_code_of_the_protocol_and_our_own_as_a_detail(
    content_type: str, refusal: RequestError, status: int, code: str
) -> None:
    answer = connect.write(request(b"", content_type), error_response(refusal, "req-1"))

    assert isinstance(answer.body, dict)
    [detail] = answer.body["details"]
    value = base64.b64decode(detail["value"] + "=" * (-len(detail["value"]) % 4))
    message = context_pb2.RequestRefused.FromString(value)
    assert (answer.status, answer.body["code"], answer.body["message"]) == (status, code, refusal.message)
    assert answer.headers == refusal.headers
    assert detail["type"] == "remembrancer.context.v1.RequestRefused"
    assert (message.code, dict(message.fields), message.request_id) == (refusal.code, refusal.fields, "req-1")
    assert "content-type" not in answer.headers


def test_the_answer_to_a_binary_call_is_binary() -> None:
    answer = HttpResponse(200, {"messages": [], "metadata": {"tier": "none"}, "request_id": "r"}, {"x-own": "1"})

    written = connect.write(replace(request(b""), headers={"content-type": "application/proto"}), answer)

    assert written.headers == {"x-own": "1", "content-type": "application/proto"}
    assert isinstance(written.body, bytes)
    assert context_pb2.AssembleContextResponse.FromString(written.body).metadata.tier == "none"
