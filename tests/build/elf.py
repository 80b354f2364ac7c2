"""What a compiled file asks of the machine that loads it, read from the file itself (ELF-64, little-endian)."""

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Self

MAGIC = b"\x7fELF"
MACHINES = {62: "x86_64", 183: "arm64"}
_SECTION = struct.Struct("<IIQQQQIIQQ")
_DYNAMIC = struct.Struct("<qQ")
_NEED = struct.Struct("<HHIII")
_VERSION = struct.Struct("<IHHII")
_DYNAMIC_SECTION = 6
_VERSIONS_NEEDED_SECTION = 0x6FFFFFFE
_NEEDED_TAG = 1


class UnreadableError(ValueError):
    """A compiled file without the sections that say what it needs: nothing can be promised about it."""


@dataclass(frozen=True, slots=True)
class Section:
    kind: int
    offset: int
    size: int
    strings: int
    """The number of the section that holds its strings."""


@dataclass(frozen=True, slots=True)
class Binary:
    """`libraries` are those it loads by name; `versions` pairs of library family and version, as ("GLIBC", (2, 28))."""

    machine: str
    libraries: frozenset[str]
    versions: frozenset[tuple[str, tuple[int, ...]]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Raises UnreadableError for an ELF file that does not tell."""
        content = path.read_bytes()
        if content[:6] != MAGIC + b"\x02\x01":
            raise UnreadableError(f"{path} is no little-endian ELF-64 file")
        machine = struct.unpack_from("<H", content, 18)[0]
        sections = _sections(content)
        if not any(section.kind == _DYNAMIC_SECTION for section in sections):
            raise UnreadableError(f"{path} does not tell which libraries it needs")
        libraries = frozenset(_libraries(content, sections))
        versions = frozenset(_versions(content, sections))
        return cls(MACHINES.get(machine, f"machine {machine}"), libraries, versions)

    def newest(self, family: str) -> tuple[int, ...]:
        """The newest version of the family that it needs, () when it needs none."""
        return max((version for name, version in self.versions if name == family), default=())


def is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def _sections(content: bytes) -> list[Section]:
    (offset,) = struct.unpack_from("<Q", content, 40)
    size, count = struct.unpack_from("<HH", content, 58)
    found = []
    for number in range(count):
        _, kind, _, _, place, length, link, *_ = _SECTION.unpack_from(content, offset + number * size)
        found.append(Section(kind, place, length, link))
    return found


def _libraries(content: bytes, sections: list[Section]) -> list[str]:
    return [
        _text(content, sections[section.strings], value)
        for section in sections
        if section.kind == _DYNAMIC_SECTION
        for tag, value in _DYNAMIC.iter_unpack(content[section.offset : section.offset + section.size])
        if tag == _NEEDED_TAG
    ]


def _versions(content: bytes, sections: list[Section]) -> list[tuple[str, tuple[int, ...]]]:
    found = []
    for section in sections:
        if section.kind != _VERSIONS_NEEDED_SECTION:
            continue
        need, more = section.offset, True
        while more:
            _, count, _, first, following = _NEED.unpack_from(content, need)
            entry = need + first
            for _ in range(count):
                *_, name, step = _VERSION.unpack_from(content, entry)
                family, _, version = _text(content, sections[section.strings], name).partition("_")
                if version.replace(".", "").isdigit():
                    found.append((family, tuple(int(part) for part in version.split("."))))
                entry += step
            need, more = need + following, following != 0
    return found


def _text(content: bytes, strings: Section, offset: int) -> str:
    start = strings.offset + offset
    return content[start : content.index(b"\0", start)].decode("ascii")
