"""The engine layer's list of packages agrees with what is developed and tested against."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "layers" / "engine" / "requirements.txt"


def pins(path: Path) -> dict[str, str]:
    """Version by normalised name; every line must be an exact pin."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        requirement = Requirement(line)
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", line
        found[canonicalize_name(requirement.name)] = specifier.version
    return found


@pytest.fixture
def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(line) for line in project["dependencies"]]


def test_every_shipped_version_is_the_one_that_is_tested() -> None:
    tested = pins(ROOT / "constraints.txt")

    differing = {name: version for name, version in pins(SHIPPED).items() if tested.get(name) != version}

    assert differing == {}


def test_every_dependency_of_the_project_is_shipped(declared: list[Requirement]) -> None:
    shipped = pins(SHIPPED)
    wanted = {canonicalize_name(requirement.name) for requirement in declared}
    wanted |= {
        canonicalize_name(f"{requirement.name}-{extra}") for requirement in declared for extra in requirement.extras
    }

    assert wanted - shipped.keys() == set()


def test_the_declared_versions_are_the_shipped_ones(declared: list[Requirement]) -> None:
    shipped = pins(SHIPPED)

    differing = [
        str(requirement)
        for requirement in declared
        if not requirement.specifier.contains(shipped[canonicalize_name(requirement.name)])
    ]

    assert differing == []
