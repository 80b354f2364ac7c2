"""The clients take the same names for blank as the service, and ask it nothing for them."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.domain.identity.scope import end_user_name
from remembrancer.domain.personal_data.invisible_characters import is_blank
from remembrancer_client import AsyncClient, end_users
from tests.unit.strategies import blank_names

MESSAGES = [{"role": "user", "content": "Tea?"}]
ID = "0b000000-0000-4000-8000-000000000001"
CALLS: dict[str, Callable[[AsyncClient, str], Awaitable[Any]]] = {
    "conversation": lambda client, name: client.add_conversation(MESSAGES, user_id=name),
    "conversations": lambda client, name: client.conversations(user_id=name),
    "write": lambda client, name: client.write("x", user_id=name),
    "query": lambda client, name: client.query("x", user_id=name),
    "memory": lambda client, name: client.memory(ID, user_id=name),
    "memories": lambda client, name: client.memories(user_id=name),
    "delete": lambda client, name: client.delete(ID, user_id=name),
    "rate": lambda client, name: client.rate(ID, "positive", user_id=name),
    "conflicts": lambda client, name: client.conflicts(user_id=name),
    "end users": lambda client, name: client.end_users(user_id=name),
    "id of a memory": lambda client, name: client.memory(name),
    "id of a memory to delete": lambda client, name: client.delete(name),
    "agent": lambda client, name: client.directive(agent_id=name),
    "key": lambda client, name: client.revoke_key(name),
}


def silent() -> AsyncClient:
    """A client whose service must not be asked."""

    def fail(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    return AsyncClient("http://service", "k", agent_id="a", transport=httpx.MockTransport(fail))


def test_every_character_is_blank_for_the_client_where_it_is_for_the_service() -> None:
    letters = map(chr, range(sys.maxunicode + 1))

    assert [letter for letter in letters if end_users.is_blank(letter) != is_blank(letter)] == []


@given(st.text())
def test_a_name_has_the_same_form_for_the_client_as_for_the_service(name: str) -> None:
    assert end_users.is_blank(name) or end_users.end_user(name) == end_user_name(name)


@given(name=blank_names)
async def test_an_assembly_for_a_blank_name_is_the_chat_as_it_is(name: str) -> None:
    answer = await silent().assemble(MESSAGES, model="m", user_id=name)

    assert answer.messages is MESSAGES
    assert (answer.reason, answer.memory_ids) == ("blank_end_user", ())


@pytest.mark.parametrize("name", ["", " ", "\u3000", "\u200b", "\ufeff"])
@pytest.mark.parametrize("call", CALLS)
async def test_no_call_is_made_for_a_blank_name(call: str, name: str) -> None:
    with pytest.raises(ValueError, match=r"blank|name an agent"):
        await CALLS[call](silent(), name)


@pytest.mark.parametrize("name", ["", " ", "\u00a0", "\u200b"])
def test_a_blank_agent_is_not_all_agents(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    with pytest.raises(ValueError, match="agent_id"):
        AsyncClient("http://service", "k", agent_id=name)
    monkeypatch.setenv("REMEMBRANCER_AGENT_ID", name)
    with pytest.raises(ValueError, match="agent_id"):
        AsyncClient("http://service", "k")
