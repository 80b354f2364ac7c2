"""The pages that readers are given, taken apart: prose, blocks of code, sections, names."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from local.intrinsics import load

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "layers" / "engine" / "remembrancer"
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "events" / "README.md", *(ROOT / "docs").rglob("*.md")]
)

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_HERE_DOCUMENT = re.compile(r"(<<'(\w+)')\n.*?^\2$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_SECTION = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `line` is that of its first line, `language` empty where none is named."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def names(paths: list[Path]) -> list[str]:
    """For the ids of tests."""
    return [str(path.relative_to(ROOT)) for path in paths]


@cache
def whole(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    """Without blocks."""
    return _FENCE.sub("", whole(page))


def inline(page: Path) -> list[str]:
    """What stands between backticks."""
    return _INLINE.findall(prose(page))


@cache
def blocks(page: Path) -> tuple[Block, ...]:
    return tuple(
        Block(page, whole(page).count("\n", 0, found.start(3)) + 1, found[2], found[3])
        for found in _FENCE.finditer(whole(page))
    )


def all_blocks(*languages: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(page) if block.language in languages]


def sections(page: Path) -> dict[str, str]:
    """By heading of the second level, blocks included."""
    return dict(_SECTION.findall(whole(page)))


def commands(program: str) -> Iterator[tuple[str, str]]:
    """Each place and command line that runs a program, from blocks and from what stands between backticks."""
    pattern = re.compile(rf"^(?:\S*/)?{program}(?: |$)")
    for page in PAGES:
        for block in blocks(page):
            if block.language in {"", "bash", "sh"}:
                for line in _joined(block.text):
                    if pattern.match(line):
                        yield block.place, line
        for code in inline(page):
            if pattern.match(code):
                yield str(page.relative_to(ROOT)), code


def lines_of_commands(text: str) -> list[str]:
    """The commands of a block, without comments and what a here-document contains."""
    return [line for line in _joined(_HERE_DOCUMENT.sub(r"\1", text)) if line]


def _joined(text: str) -> Iterator[str]:
    """Commands over several lines as one, without comments and what a pipe does with them."""
    lines = re.sub(r"\\\n\s*", " ", text)
    # A quoted argument may go over lines.
    lines = re.sub(r"'[^']*'", lambda quoted: re.sub(r"\s*\n\s*", " ", quoted[0]), lines)
    for line in lines.splitlines():
        yield re.sub(r"\s+#.*$", "", line).partition(" | ")[0].strip()


@cache
def template() -> Mapping[str, Any]:
    """The SAM template, read once: that takes a second."""
    document: Mapping[str, Any] = load((ROOT / "template.yaml").read_text(encoding="utf-8"))
    return document


@cache
def declared(section: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """What the service's template and the other stacks have in a section, by name."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    stacks = [load(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "stacks").glob("*.yaml"))]
    for document in (template(), *stacks):
        for name, value in document.get(section, {}).items():
            found.setdefault(name, []).append(value)
    return found


@cache
def trees() -> dict[Path, ast.Module]:
    """The engine's modules, parsed."""
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in ENGINE.rglob("*.py")}
