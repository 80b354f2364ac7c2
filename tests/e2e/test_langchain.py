"""The real LangChain with our middleware, in front of a stand-in model that answers with what it was given."""

import re
from pathlib import Path
from typing import Any

import pytest

from local.stack import ROOT
from tests.e2e.conftest import Tenant
from tests.frameworks.environment import call, installed, program, variables
from tests.unit.documents import blocks

PAGE = ROOT / "docs" / "connect" / "langchain.md"
QUESTION = "When is the piano tuned?"
PATIENT_MS = 5000.0

pytestmark = [pytest.mark.long, installed]


def run(tenant: Tenant, function: str, **arguments: Any) -> Any:
    return call("langchain_runs", function, variables(tenant), deadline_ms=PATIENT_MS, **arguments)


def test_memories_arrive_in_every_way_of_running_and_each_end_user_has_their_own(tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")
    tenant.remember("For Ada the piano is tuned on Sundays.", user_id="ada")
    tenant.direct("You are Hob.")

    ways = run(tenant, "chats", users=[None, "isla", "ada"], question=QUESTION)

    assert ways.keys() == {"invoke", "ainvoke", "stream", "astream"}
    for way, chats in ways.items():
        for given, kept in chats:
            [[kind, system], [asker, asked]] = given
            assert (kind, asker) == ("system", "human"), way
            assert re.fullmatch(r"Be brief\.\n\n<directive-(\d+)>\nYou are Hob\.\n</directive-\1>\n", system), way
            assert asked.startswith("<memories-"), way
            assert asked.count("Mr Sutherland") == 1, way
            assert asked.endswith(f">\n\n{QUESTION}"), way
            assert kept == QUESTION, way
        shown = [str(given) for given, _ in chats]
        assert ["For Isla" in text for text in shown] == [False, True, False], way
        assert ["For Ada" in text for text in shown] == [False, False, True], way


def test_an_agent_without_a_prompt_gets_one(tenant: Tenant) -> None:
    tenant.remember("For Isla the piano is tuned on Mondays.", user_id="isla")

    tenant.direct("You are Hob.")

    [[kind, system], [asker, asked]] = run(tenant, "without_system_prompt", question=QUESTION, user_id="isla")

    assert (kind, asker) == ("system", "human")
    assert system.startswith("<directive-")
    assert "You are Hob." in system
    assert "For Isla" in asked
    assert asked.endswith(f">\n\n{QUESTION}")


def test_the_calls_of_one_turn_get_the_same_memories(tenant: Tenant) -> None:
    tenant.remember("The piano is tuned on Tuesdays by Mr Sutherland.")

    tenant.direct("You are Hob.")

    first, second = run(tenant, "tools", question=QUESTION)

    assert "Mr Sutherland" in first[1][1]
    assert [without_nonce(text) for _, text in second[:2]] == [without_nonce(text) for _, text in first]
    assert [kind for kind, _ in second] == ["system", "human", "ai", "tool"]


def without_nonce(text: str) -> str:
    return re.sub(r"-\d+>", ">", text)


def test_the_program_of_the_page_shows_the_memory(tenant: Tenant, tmp_path: Path) -> None:
    block = next(block for block in blocks(PAGE) if block.language == "python")

    printed = program(block.text.replace("deadline_ms=2000", "deadline_ms=10_000"), variables(tenant), tmp_path)

    assert "Mr Sutherland, wants no music before noon." in printed
