"""The real OpenAI Agents SDK with our filter, in front of a stand-in model that answers with what it was given."""

import re
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant
from tests.frameworks.environment import call, installed, program, variables
from tests.unit.documents import blocks

PAGE = ROOT / "docs" / "connect" / "openai-agents.md"
QUESTION = "When is the piano tuned?"
PATIENT_MS = 5000.0

pytestmark = [pytest.mark.long, installed]


def run(tenant: Tenant, function: str, **arguments: Any) -> Any:
    return call("openai_agents_runs", function, variables(tenant), deadline_ms=PATIENT_MS, **arguments)


def test_memories_arrive_in_every_way_of_running_and_each_end_user_has_their_own(tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")
    tenant.direct("You are Hob.")

    ways = run(tenant, "chats", users=[None, "isla", "ada"], question=QUESTION)

    assert ways.keys() == {"run", "run_sync", "run_streamed"}
    for way, chats in ways.items():
        for instructions, asked in chats:
            standing = r"Be brief\.\n\n<directive-(\d+)>\nYou are Hob\.\n</directive-\1>\n"
            assert re.fullmatch(standing, instructions), way
            assert asked.startswith("<memories-"), way
            assert asked.count("Mr Sutherland") == 1, way
            assert asked.endswith(f">\n\n{QUESTION}"), way
        assert ["For Isla" in asked for _, asked in chats] == [False, True, False], way
        assert ["For Ada" in asked for _, asked in chats] == [False, False, True], way


def test_calls_with_the_results_of_tools_alone_get_what_their_question_got(tenant: Tenant) -> None:
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")

    tenant.direct("You are Hob.")

    calls = run(tenant, "tools", users=["isla", "ada"], question=QUESTION)

    for user, own, other in (("isla", "For Isla", "For Ada"), ("ada", "For Ada", "For Isla")):
        [[first, asked], [second, given]] = calls[user]
        assert second == first, user
        assert "You are Hob." in first, user
        assert own in str(asked), user
        assert other not in str(asked), user
        assert [item["type"] for item in given] == ["function_call_output"], user


def test_the_program_of_the_page_shows_the_memory(tenant: Tenant, tmp_path: Path) -> None:
    [block] = [block for block in blocks(PAGE) if block.language == "python"]

    printed = program(block.text.replace("deadline_ms=2000", "deadline_ms=10_000"), variables(tenant), tmp_path)

    assert "Mr Sutherland, wants no music before noon." in printed
