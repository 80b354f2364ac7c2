"""What caches keep of dataclasses comes back whole, whichever fields they have."""

import json
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from uuid import UUID

import pytest

from remembrancer.adapters.redis.dataclass_json import DataclassJson
from remembrancer.domain.identity.agent import Agent
from remembrancer.domain.memories.memory import Memory
from tests import builders

NOW = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
AGENT = Agent(UUID(int=1), "project", "production", "Concierge", NOW, time_zone="Europe/Berlin", nonce_key=b"\x00\xff")
MEMORY = builders.memory(
    tags=("guests",),
    expires_at=NOW,
    supersedes=UUID(int=2),
    contradicts=(UUID(int=3), UUID(int=4)),
    sealed=b"\x00\xff",
    user_id="ada",
)


@pytest.mark.parametrize("value", [AGENT, Agent(UUID(int=1), "project", "production", "Concierge"), MEMORY], ids=type)
def test_every_field_comes_back(value: Agent | Memory) -> None:
    form = DataclassJson(type(value), without=("vector",) if isinstance(value, Memory) else ())

    record = json.loads(json.dumps(form.encode(value)))

    assert type(value)(**form.decode(record)) == value
    assert record.keys() == {one.name for one in fields(value)} - {"vector"}


def test_what_is_left_out_is_neither_written_nor_read() -> None:
    form = DataclassJson(Agent, without=("nonce_key",))

    record = form.encode(AGENT)

    assert "nonce_key" not in record
    assert "nonce_key" not in form.decode(record | {"nonce_key": "00", "another": 1})


@pytest.mark.parametrize("damage", [{"agent_id": "x"}, {"created_at": "yesterday"}, {"nonce_key": "g"}])
def test_a_damaged_field_is_an_error(damage: dict[str, str]) -> None:
    form = DataclassJson(Agent)

    with pytest.raises(ValueError, match=r".+"):
        form.decode(form.encode(AGENT) | damage)


def test_a_field_that_is_missing_is_an_error() -> None:
    form = DataclassJson(Agent)
    record = form.encode(AGENT)
    del record["placement"]

    with pytest.raises(LookupError):
        form.decode(record)


def test_a_type_that_json_lacks_is_not_written_as_something_else() -> None:
    @dataclass
    class Odd:
        ratio: complex

    with pytest.raises(TypeError):
        json.dumps(DataclassJson(Odd).encode(Odd(1j)))
