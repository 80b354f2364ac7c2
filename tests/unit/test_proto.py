"""The RPC's messages: the numbers that clients rely on, and a Python module that is what proto/ gives."""

from pathlib import Path

from grpc_tools import protoc

from remembrancer.adapters import context_pb2

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


def test_the_python_messages_are_what_the_source_gives(tmp_path: Path) -> None:
    arguments = ["protoc", f"--proto_path={ROOT / 'proto'}", f"--python_out={tmp_path}", SOURCE]

    assert protoc.main(arguments) == 0

    generated = (tmp_path / SOURCE).with_name("context_pb2.py").read_text(encoding="utf-8")
    committed = ROOT / "layers" / "engine" / "remembrancer" / "adapters" / "context_pb2.py"
    assert committed.read_text(encoding="utf-8") == generated, "run `make proto`"
