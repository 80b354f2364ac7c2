"""The real Strands with our plugin, in front of a stand-in model that answers with what it was given."""

import re
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant
from tests.frameworks.environment import call, installed, program, variables
from tests.unit.documents import blocks

PAGE = ROOT / "docs" / "connect" / "strands.md"
QUESTION = "When is the piano tuned?"
PATIENT_MS = 5000.0
FACT = "The piano is tuned on Tuesdays by Mr Sutherland."

pytestmark = [pytest.mark.long, installed]


def run(tenant: Tenant, function: str, **arguments: Any) -> Any:
    return call("strands_runs", function, variables(tenant), deadline_ms=PATIENT_MS, **arguments)


def test_memories_arrive_in_every_way_of_running_and_each_end_user_has_their_own(tenant: Tenant) -> None:
    tenant.remember(FACT)
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")
    tenant.direct("You are Hob.")

    ways = run(tenant, "chats", users=[None, "isla", "ada"], question=QUESTION)

    assert ways.keys() == {"call", "invoke_async", "stream_async"}
    for way, chats in ways.items():
        for (instructions, texts), _, kept in chats:
            standing = r"Be brief\.\n<directive-(\d+)>\nYou are Hob\.\n</directive-\1>\n"
            assert re.fullmatch(standing, instructions), way
            memories, question = texts
            assert memories.startswith("<memories-"), way
            assert memories.count(FACT) == 1, way
            assert question == QUESTION, way
            assert kept["content"] == [{"text": QUESTION}], way
        assert ["For Isla" in str(given) for given, _, _ in chats] == [False, True, False], way


def test_a_call_with_the_result_of_a_tool_gets_what_its_question_got(tenant: Tenant) -> None:
    tenant.remember(FACT)

    (system, first), (again, second) = run(tenant, "tools", question=QUESTION)

    assert FACT in str(first)
    assert second[0] == first[0]
    assert again == system


def test_the_program_of_the_page_shows_the_memory(tenant: Tenant, tmp_path: Path) -> None:
    """With a model that needs no account."""
    [block] = [block for block in blocks(PAGE) if block.language == "python"]
    text = block.text.replace(
        "from strands.models import BedrockModel", "from tests.frameworks.strands_runs import Echo"
    )
    text = text.replace("BedrockModel()", "Echo()").replace("deadline_ms=2000", "deadline_ms=10_000")
    environment = {**variables(tenant), "PYTHONPATH": f"{ROOT / 'clients' / 'python' / 'src'}:{ROOT}"}

    printed = program(text, environment, tmp_path)

    assert "Echo()" in text
    assert "Mr Sutherland, wants no music before noon." in printed
