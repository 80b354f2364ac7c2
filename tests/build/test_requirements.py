"""The layers' lists of packages agree with what is developed and tested against."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "layers" / "engine" / "requirements.txt"
SHIPPED_MCP = ROOT / "layers" / "mcp" / "requirements.txt"
BUILDS_MODELS = ROOT / "layers" / "models" / "requirements.txt"
LOCKS = sorted(path for path in (ROOT / "layers").rglob("package-lock.json") if "node_modules" not in path.parts)
_HASH = re.compile(r" --hash=sha256:[0-9a-f]{64}(?= |$)")


def lines(path: Path) -> list[str]:
    """Requirements with their hashes, one a line."""
    text = re.sub(r"\s*\\\n\s*", " ", path.read_text(encoding="utf-8"))
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def pins(path: Path) -> dict[str, str]:
    """Version by normalised name; every line must be an exact pin."""
    found: dict[str, str] = {}
    for line in lines(path):
        requirement = Requirement(_HASH.sub("", line))
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", line
        found[canonicalize_name(requirement.name)] = specifier.version
    return found


@pytest.fixture
def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [Requirement(line) for line in project["dependencies"]]


@pytest.mark.parametrize("path", [SHIPPED, SHIPPED_MCP, BUILDS_MODELS], ids=["engine", "mcp", "models"])
def test_every_shipped_version_is_the_one_that_is_tested(path: Path) -> None:
    tested = pins(ROOT / "constraints.txt")

    differing = {name: version for name, version in pins(path).items() if tested.get(name) != version}

    assert differing == {}


@pytest.mark.parametrize("path", [SHIPPED, SHIPPED_MCP, BUILDS_MODELS], ids=["engine", "mcp", "models"])
def test_whatever_a_layer_installs_has_its_hash_and_no_address(path: Path) -> None:
    """Wheels that are made for a processor have one for each of the two."""
    assert [line for line in lines(path) if not _HASH.search(line)] == []
    assert "://" not in path.read_text(encoding="utf-8")
    assert "--require-hashes" in (path.parent / "Makefile").read_text(encoding="utf-8")


def test_the_mcp_layer_brings_nothing_that_the_engine_has() -> None:
    assert pins(SHIPPED).keys() & pins(SHIPPED_MCP).keys() == set()
    assert {name for name, count in hashes_of(SHIPPED_MCP).items() if count == 2} == {"pydantic-core", "rpds-py"}


def hashes_of(path: Path) -> dict[str, int]:
    """How many each package has, by the name that stands there."""
    return {line.partition("==")[0]: len(_HASH.findall(line)) for line in lines(path)}


def test_wheels_of_the_engine_are_those_of_both_processors() -> None:
    compiled = {"cffi", "cryptography", "hiredis", "numpy", "onnxruntime", "protobuf", "psycopg-binary", "PyStemmer",
                "regex", "tiktoken", "tokenizers"}  # fmt: skip

    hashes = hashes_of(SHIPPED)

    assert {name for name, count in hashes.items() if count == 2} == compiled
    assert set(hashes.values()) == {1, 2}


@pytest.mark.parametrize("path", LOCKS, ids=[path.parent.name for path in LOCKS])
def test_whatever_npm_installs_for_a_build_has_its_hash_and_no_address(path: Path) -> None:
    packages = json.loads(path.read_text(encoding="utf-8"))["packages"]

    installed = {name: one for name, one in packages.items() if name}
    assert installed
    assert [name for name, one in installed.items() if not one.get("integrity", "").startswith("sha512-")] == []
    assert [name for name, one in installed.items() if "resolved" in one] == []


def test_both_builds_that_use_npm_are_locked() -> None:
    assert [path.parent.name for path in LOCKS] == ["bytecode", "certificates"]


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
