"""The layers' lists of packages agree with what is developed and tested against."""

import json
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.build.requirements import BUILDS_MODELS, HASH, ROOT, SHIPPED, SHIPPED_MCP, lines, pins

LOCKS = sorted(path for path in (ROOT / "layers").rglob("package-lock.json") if "node_modules" not in path.parts)


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
    assert [line for line in lines(path) if not HASH.search(line)] == []
    assert "://" not in path.read_text(encoding="utf-8")
    assert "--require-hashes" in (path.parent / "Makefile").read_text(encoding="utf-8")


def test_the_mcp_layer_brings_nothing_that_the_engine_has() -> None:
    assert pins(SHIPPED).keys() & pins(SHIPPED_MCP).keys() == set()
    assert {name for name, count in hashes_of(SHIPPED_MCP).items() if count == 2} == {"pydantic-core", "rpds-py"}


def hashes_of(path: Path) -> dict[str, int]:
    """How many each package has, by the name that stands there."""
    return {line.partition("==")[0]: len(HASH.findall(line)) for line in lines(path)}


def test_wheels_of_the_engine_are_those_of_both_processors() -> None:
    compiled = {"cffi", "cryptography", "hiredis", "numpy", "onnxruntime", "protobuf", "psycopg-binary", "PyStemmer",
                "regex", "tiktoken", "tokenizers"}  # fmt: skip

    hashes = {line.partition("==")[0]: len(HASH.findall(line)) for line in lines(SHIPPED)}

    assert {name for name, count in hashes.items() if count == 2} == compiled
    assert set(hashes.values()) == {1, 2}


@pytest.mark.parametrize("path", LOCKS, ids=[path.parent.name for path in LOCKS])
def test_whatever_npm_installs_for_a_build_has_its_hash_and_no_address(path: Path) -> None:
    packages = json.loads(path.read_text(encoding="utf-8"))["packages"]

    # What a package brings in its own archive is covered by that one's hash.
    installed = {name: one for name, one in packages.items() if name and not one.get("inBundle")}
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
