"""The reader of compiled files, on files whose contents are known."""

import platform
import struct
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.build.elf import Binary, UnreadableError, is_elf

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="ELF files are Linux's")


@pytest.fixture
def extension() -> Path:
    """A compiled module of this machine, from a wheel: built against an old glibc, as all wheels are."""
    spec = find_spec("psycopg_binary")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("_psycopg.*.so"))


def test_a_compiled_module_tells_its_processor_and_what_it_needs(extension: Path) -> None:
    binary = Binary.read(extension)

    assert binary.machine == {"x86_64": "x86_64", "aarch64": "arm64"}[platform.machine()]
    assert "libc.so.6" in binary.libraries
    assert (2, 2) <= binary.newest("GLIBC") <= (2, 28)


def test_versions_are_compared_as_numbers() -> None:
    binary = Binary("x86_64", frozenset(), frozenset({("GLIBC", (2, 4)), ("GLIBC", (2, 17)), ("GCC", (14,))}))

    assert binary.newest("GLIBC") == (2, 17)
    assert binary.newest("GLIBCXX") == ()


def test_the_processor_is_read_from_the_file(extension: Path, tmp_path: Path) -> None:
    content = bytearray(extension.read_bytes())
    struct.pack_into("<H", content, 18, 183)
    foreign = tmp_path / "foreign.so"
    foreign.write_bytes(content)

    machine = Binary.read(foreign).machine

    assert machine == "arm64"


def test_a_file_without_sections_promises_nothing(extension: Path, tmp_path: Path) -> None:
    content = bytearray(extension.read_bytes())
    struct.pack_into("<H", content, 60, 0)
    stripped = tmp_path / "stripped.so"
    stripped.write_bytes(content)

    with pytest.raises(UnreadableError):
        Binary.read(stripped)


def test_a_text_is_no_compiled_file(tmp_path: Path) -> None:
    text = tmp_path / "script"
    text.write_text("#!/bin/sh\n", encoding="ascii")

    assert not is_elf(text)
    with pytest.raises(UnreadableError):
        Binary.read(text)
