"""Reads the values of files: JSON, JSON Lines and Markdown, also in a folder or a ZIP archive.

A file is read in pieces: of a large array, one item is in memory at a time.
"""

import io
import json
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from local.transfer import facts
from local.transfer.take_over.records import Element

LARGEST = 1 << 27
"""Characters of a value, or of a file of Markdown: each is in memory as a whole, and an archive may unpack to more."""
_PIECE = 1 << 16
_NEAR_THE_END = 16
"""Characters before the end of a piece in which a mistake may be only that the rest is missing."""
_BLANK = re.compile(r"[ \t\r\n]*")
_REST_OF_NUMBER = re.compile(r"[-+.eE\d]*")
_DECODER = json.JSONDecoder()
_UNPACKABLE = (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, zlib.error, lzma.LZMAError)
"""What zipfile raises for an archive that is damaged, encrypted, or packed in an unknown way."""
_MACS_COPY = "._"
"""How the names of files begin that macOS adds beside a file: they are not of its form."""


class FormatError(Exception):
    """The file cannot be read; the message names line and problem, and in a folder or archive the file."""


def elements(path: Path, files: str) -> Iterator[Element]:
    """The values of the file, or of the files in the folder or archive with a name that ends in the pattern `files`.

    A paragraph of Markdown is a value. Raises FormatError.
    """
    wanted = re.compile(rf"(?:.*/)?[^/]*{files}", re.IGNORECASE)
    if path.is_dir():
        for found in _chosen([one.relative_to(path).as_posix() for one in path.rglob("*") if one.is_file()], wanted):
            with (path / found).open("rb") as data:
                yield from _values(data, f"{found} ", Path(found).suffix)
    elif zipfile.is_zipfile(path):
        try:
            with zipfile.ZipFile(path) as archive:
                for found in _chosen(archive.namelist(), wanted):
                    with archive.open(found) as member:
                        yield from _values(member, f"{found} ", Path(found).suffix)
        except _UNPACKABLE as error:
            raise FormatError(f"cannot be unpacked: {error}") from error
    else:
        with path.open("rb") as data:
            yield from _values(data, "", ".md" if wanted.fullmatch("a.md") else "")


def _chosen(names: list[str], wanted: re.Pattern[str]) -> list[str]:
    chosen = sorted(
        name for name in set(names) if wanted.fullmatch(name) and not Path(name).name.startswith(_MACS_COPY)
    )
    if not chosen:
        raise FormatError("has no file of this product")
    return chosen


def _values(data: Any, name: str, ending: str) -> Iterator[Element]:
    with io.TextIOWrapper(data, encoding="utf-8-sig") as file:
        yield from markdown_values(file, name) if ending.lower() == ".md" else json_values(file, name)


def markdown_values(file: TextIO, name: str = "", largest: int = LARGEST) -> Iterator[Element]:
    """The paragraphs. Raises FormatError."""
    try:
        text = file.read(largest + 1)
    except UnicodeDecodeError as error:
        raise FormatError(f"{name}is not UTF-8") from error
    if len(text) > largest:
        raise FormatError(f"{name}has more than {largest:,} characters: split it")
    yield from (Element(f"{name}line {line}", paragraph) for line, paragraph in facts.paragraphs(text))


def json_values(file: TextIO, name: str = "", largest: int = LARGEST) -> Iterator[Element]:
    """The values of JSON, JSON Lines, or values one after another; of an array each item. Raises FormatError."""
    text, array, number = _Text(file, name, largest), 0, 0
    while character := text.next():
        if character != "[":
            yield Element(f"{name}line {text.line}", text.value())
            continue
        array += 1
        text.at += 1
        is_first = True
        while text.next() != "]":
            if not is_first:
                text.expect(",")
                text.next()
            is_first, number = False, number + 1
            yield Element(f"{name}item {number}", text.value(), array)
        text.at += 1


class _Text:
    """The characters of a file from `at` on; more are read when they are needed."""

    def __init__(self, file: TextIO, name: str, largest: int) -> None:
        self._file, self._name, self._largest = file, name, largest
        self._text = ""
        self.at, self.line = 0, 1

    def next(self) -> str:
        """The next character that is not blank; empty at the end of the file."""
        while True:
            self._go_to(_BLANK.match(self._text, self.at).end())  # type: ignore[union-attr]
            if self.at < len(self._text):
                return self._text[self.at]
            if not self._read_on():
                return ""

    def expect(self, character: str) -> None:
        """Goes behind this character. Raises FormatError where there is another one."""
        if self.next() != character:
            raise self._wrong(f"a {character!r} is missing")
        self.at += 1

    def value(self) -> Any:
        """Goes behind the value that begins here. Raises FormatError."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self.at)
            except json.JSONDecodeError as error:
                is_cut = error.pos >= len(self._text) - _NEAR_THE_END or error.msg.startswith("Unterminated string")
                if is_cut and self._read_on():
                    continue
                problem = "begins a value without an end" if is_cut else f"is not JSON: {error.msg}"
                line = 0 if is_cut else self._text.count("\n", self.at, error.pos)
                raise self._wrong(problem, line) from error
            except (ValueError, RecursionError) as error:
                raise self._wrong("cannot be read: a number is too long, or too much is nested") from error
            # A number may go on, also behind its point or its exponent's sign.
            is_cut = _REST_OF_NUMBER.fullmatch(self._text, end) is not None
            if not (is_cut and self._read_on()):
                self._go_to(end)
                return value

    def _go_to(self, place: int) -> None:
        self.line += self._text.count("\n", self.at, place)
        self.at = place

    def _read_on(self) -> bool:
        """Drops what is read already, and reads at least as much as is waiting: a long value is not tried too often."""
        waiting = self._text[self.at :]
        if len(waiting) > self._largest:
            raise self._wrong(f"begins a value of more than {self._largest:,} characters: split it")
        try:
            more = self._file.read(max(_PIECE, len(waiting)))
        except UnicodeDecodeError as error:
            raise self._wrong("or one of the next is not UTF-8") from error
        self._text, self.at = waiting + more, 0
        return bool(more)

    def _wrong(self, problem: str, lines: int = 0) -> FormatError:
        return FormatError(f"{self._name}line {self.line + lines} {problem}")
