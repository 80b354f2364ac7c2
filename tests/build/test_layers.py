"""What is uploaded fits Lambda: size, processor, libraries of the system; and holds what it must and nothing else."""

import json
from collections import Counter
from email.parser import HeaderParser
from hashlib import sha256
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from local import intrinsics
from tests.build.artefacts import Artefacts, size_bytes
from tests.build.elf import Binary, is_elf
from tests.build.requirements import ROOT, SHIPPED, SHIPPED_MCP, pins

LIMIT_BYTES = 262_144_000
# Of Amazon Linux 2023, on which python3.13 runs: glibc 2.34 and the C++ library of GCC 11.
NEWEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (11,)}
SYSTEM_LIBRARIES = {
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "libresolv.so.2",
    "librt.so.1",
    "libstdc++.so.6",
    "libz.so.1",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}
# How a file of bytecode begins (PEP 552).
PYTHON_3_13 = b"\xf3\r\r\n"
UNCHECKED = b"\x01\0\0\0"
# tokenizers would fetch models with it, tiktoken its vocabularies, cffi would make code, mcp would listen with uvicorn:
# none of it is done here.
LEFT_OUT = {"huggingface-hub", "pycparser", "requests", "uvicorn"}
# Their wheels have no text of their licence, which is this one; the layer brings it.
APACHE = {"flatbuffers", "tokenizers"}
LAMBDA = {
    "python_version": "3.13",
    "python_full_version": "3.13.0",
    "platform_system": "Linux",
    "sys_platform": "linux",
    "os_name": "posix",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
    "extra": "",
}


@pytest.fixture(scope="session")
def binaries(built: Artefacts) -> dict[str, Binary]:
    """Every compiled file, by its path in the build."""
    return {str(path.relative_to(built.folder)): Binary.read(path) for path in built.files() if is_elf(path)}


def distributions(*folders: Path) -> dict[str, Path]:
    """Each installed package's metadata folder, by normalised name."""
    return {canonicalize_name(path.name.split("-")[0]): path for each in folders for path in each.glob("*.dist-info")}


def test_every_function_and_layer_of_the_template_is_built(built: Artefacts) -> None:
    resources = intrinsics.load((ROOT / "template.yaml").read_text(encoding="utf-8"))["Resources"]
    kinds = ("AWS::Serverless::Function", "AWS::Serverless::LayerVersion")

    assert {**built.functions, **built.layers}.keys() == {n for n, r in resources.items() if r["Type"] in kinds}
    assert all((folder / "app.py").is_file() for folder in built.functions.values())


def test_each_function_with_its_layers_fits_lambda(built: Artefacts) -> None:
    layers = sum(size_bytes(folder) for folder in built.layers.values())

    sizes = {name: layers + size_bytes(folder) for name, folder in built.functions.items()}

    assert layers > 0
    assert {name: size for name, size in sizes.items() if size >= LIMIT_BYTES} == {}


def test_every_binary_is_for_the_processor(binaries: dict[str, Binary], built: Artefacts) -> None:
    machines = Counter(binary.machine for binary in binaries.values())

    assert machines.keys() == {built.architecture}
    assert machines[built.architecture] > 20


@pytest.mark.parametrize("family", NEWEST)
def test_no_binary_needs_a_newer_system_library(binaries: dict[str, Binary], family: str) -> None:
    too_new = {
        path: binary.newest(family) for path, binary in binaries.items() if binary.newest(family) > NEWEST[family]
    }

    assert too_new == {}


def test_every_library_that_a_binary_loads_is_there(binaries: dict[str, Binary]) -> None:
    shipped = {Path(path).name for path in binaries}

    missing = {
        path: absent for path, binary in binaries.items() if (absent := binary.libraries - shipped - SYSTEM_LIBRARIES)
    }

    assert missing == {}


def test_compiled_modules_are_for_python_3_13(built: Artefacts) -> None:
    modules = [path.name for path in built.engine.rglob("*.so") if "cpython-" in path.name or ".abi3." in path.name]

    foreign = [name for name in modules if "cpython-313-" not in name and ".abi3." not in name]

    assert modules
    assert foreign == []


def test_the_layers_hold_exactly_the_listed_packages(built: Artefacts) -> None:
    assert distributions(built.engine).keys() == pins(SHIPPED).keys()
    assert distributions(built.mcp).keys() == pins(SHIPPED_MCP).keys()


def test_every_package_finds_what_it_requires(built: Artefacts) -> None:
    found = distributions(built.engine, built.mcp)
    machine = {**LAMBDA, "platform_machine": "aarch64" if built.architecture == "arm64" else "x86_64"}

    required = {
        canonicalize_name(requirement.name)
        for folder in found.values()
        for line in HeaderParser().parsestr(metadata(folder)).get_all("Requires-Dist", [])
        if (requirement := Requirement(line)) and (requirement.marker is None or requirement.marker.evaluate(machine))
    }

    assert required - found.keys() - LEFT_OUT == set()


def metadata(folder: Path) -> str:
    return (folder / "METADATA").read_text(encoding="utf-8")


def test_the_engine_layer_brings_the_authorities_of_the_database(built: Artefacts) -> None:
    assert (built.layers["EngineLayer"] / "certificates" / "databases.pem").stat().st_size > 100_000


def test_every_package_keeps_its_licence(built: Artefacts) -> None:
    words = ("licen", "copying", "notice")

    without = {
        name
        for name, folder in distributions(built.engine, built.mcp).items()
        if not any(word in path.name.lower() for path in licence_places(folder) for word in words)
    }

    assert without == APACHE
    assert all("Apache" in metadata(distributions(built.engine)[name]) for name in APACHE)
    assert "Apache License" in (built.layers["EngineLayer"] / "licences" / "Apache-2.0.txt").read_text(encoding="utf-8")


def licence_places(folder: Path) -> list[Path]:
    """Files of the metadata, and those beside the code of the package's modules."""
    package = folder.parent / folder.name.split("-")[0]
    return [path for path in (*folder.rglob("*"), *package.glob("*")) if path.is_file()]


def test_the_package_is_complete(built: Artefacts) -> None:
    source = ROOT / "layers" / "engine" / "remembrancer"
    wanted = {path.relative_to(source) for path in source.rglob("*.*") if path.suffix != ".pyc"}

    files = {path.relative_to(built.engine / "remembrancer") for path in built.engine.glob("remembrancer/**/*.*")}

    assert {path for path in files if path.suffix != ".pyc"} == wanted


def test_the_mcp_layer_brings_the_client_with_its_tools(built: Artefacts) -> None:
    source = ROOT / "clients" / "python" / "src" / "remembrancer_client"
    wanted = {path.relative_to(source) for path in source.rglob("*.py")}

    files = (built.mcp / "remembrancer_client").rglob("*.py")

    assert {path.relative_to(built.mcp / "remembrancer_client") for path in files} == wanted


def test_the_models_layer_is_the_one_that_its_manifest_describes(built: Artefacts) -> None:
    manifest = json.loads((built.models / "manifest.json").read_text(encoding="utf-8"))

    shipped = {
        path.relative_to(built.models).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in built.models.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }

    assert shipped == manifest["files"]
    assert {"NOTICE", "embedding/model.onnx", "licences/tiktoken.txt", "model_catalogue.json"} <= shipped.keys()


def test_nothing_useless_is_uploaded(built: Artefacts) -> None:
    files = [path.relative_to(built.folder) for path in built.files()]

    useless = [path for path in files if path.suffix == ".pyi" or {"tests", "test", ".venv"} & set(path.parts)]
    stale = [path for path in files if path.suffix == ".pyc" and path.parts[0] not in {"EngineLayer", "McpLayer"}]

    assert files
    assert useless + stale == []


def test_bytecode_is_complete_and_what_lambdas_python_loads_unchecked(built: Artefacts) -> None:
    folders = (built.engine, built.mcp)
    compiled = [path for folder in folders for path in folder.rglob("*.pyc")]
    if not compiled:
        pytest.skip("built with neither Python 3.13 nor npm at hand: there is no bytecode")

    sources = {path for folder in folders for path in folder.rglob("*.py")}
    covered = {path.parent.parent / f"{path.name.removesuffix('.cpython-313.pyc')}.py" for path in compiled}

    assert {path.read_bytes()[:8] for path in compiled} == {PYTHON_3_13 + UNCHECKED}
    assert covered == sources
