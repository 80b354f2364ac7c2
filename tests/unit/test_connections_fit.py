"""The database has a connection for every instance, also while the version before still holds its own."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from remembrancer.bootstrap.stores import CONNECTIONS

ROOT = Path(__file__).parents[2]
CONFIGURATIONS = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
CAPACITY = (ROOT / "docs" / "capacity.md").read_text(encoding="utf-8")

RESERVE = 15
"""For RDS itself and a person."""
GIB = {
    "db.t4g.micro": 1,
    "db.t4g.medium": 4,
    "db.t4g.large": 8,
    "db.m7g.large": 8,
    "db.r7g.large": 16,
    "db.r7g.xlarge": 32,
    "db.r7g.2xlarge": 64,
}
NEW_ACCOUNT = 10
RESERVED = ("AssembleReserved", "QueryReserved", "MemoriesReserved", "McpReserved")
LIMITS = (*RESERVED, "EmbedConcurrency", "CaptureConcurrency", "SideEffectsConcurrency")
MAINTENANCE = 1


def connections(instance_class: str) -> int:
    """As RDS sets it, LEAST({DBInstanceClassMemory/9531392}, 5000), where the memory is what the system and RDS leave:
    at least 97 % less 260 MB, as instances of 1, 2, 4, 8 and 15.25 GiB are reported to have 81, 198, 413, 856, 1,660.
    """
    return min(int((GIB[instance_class] * 2**30 * 0.97 - 260e6) // 9_531_392), 5000)


def overrides(name: str) -> dict[str, str]:
    """Of the service and, where it has a stack of its own, of the data."""
    sections: list[Any] = [CONFIGURATIONS.get(section, {}) for section in (f"{name}-data", name)]
    pairs = [pair for one in sections if one for pair in one["deploy"]["parameters"]["parameter_overrides"]]
    return dict(pair.split("=", 1) for pair in pairs)


def numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"(?<![\w.])\d[\d,]*", text)]


def row(name: str) -> list[str]:
    (found,) = re.findall(rf"^\| `{name}` \|(.*(?:db\.).*)\|$", CAPACITY, re.MULTILINE)
    return str(found).split("|")


@pytest.mark.parametrize("instance_class", GIB)
def test_the_table_of_databases_is_computed_from_their_memory(instance_class: str) -> None:
    (found,) = re.findall(rf"^\| {re.escape(instance_class)} \|(.*)\|$", CAPACITY, re.MULTILINE)
    most = connections(instance_class)
    fitting = (most - RESERVE) // CONNECTIONS

    assert numbers(found)[:4] == [GIB[instance_class], most, fitting, fitting // 2]


def test_the_instances_of_production_have_their_connections_also_during_a_deployment() -> None:
    values = overrides("prod")
    instances = sum(int(values[name]) for name in LIMITS) + MAINTENANCE

    told = row("prod")

    assert numbers(told[0])[0] == instances
    assert [numbers(cell)[0] for cell in told[1:]] == [
        CONNECTIONS * instances,
        2 * CONNECTIONS * instances,
        connections(values["DatabaseInstanceClass"]),
    ]
    assert 2 * CONNECTIONS * instances <= connections(values["DatabaseInstanceClass"]) - RESERVE


@pytest.mark.parametrize("name", ["dev", "staging"])
def test_what_no_function_reserves_is_bounded_by_the_account(name: str) -> None:
    values = overrides(name)
    assert not any(int(values.get(limit, 0)) for limit in RESERVED)

    instances, now, deploying, most = (numbers(cell)[0] for cell in row(name))

    assert instances >= NEW_ACCOUNT
    assert (now, deploying) == (CONNECTIONS * instances, 2 * CONNECTIONS * instances)
    assert deploying <= most - RESERVE
    assert most <= connections(values["DatabaseInstanceClass"])
