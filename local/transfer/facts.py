"""Reads the facts of a file as memories in the API's form: text, Markdown, CSV or JSON Lines, by the file's ending.

| ending | a fact is |
|---|---|
| `.txt` | a line; an indented line belongs to the line before it |
| `.md` | a paragraph or an item of a list, after its heading and the line with a colon that introduces it |
| `.csv` | a row under a header; `content` is required, other columns are fields of a memory |
| `.jsonl` | a line as `import` reads it |
"""

import csv
import io
import json
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from local.transfer import lines
from local.transfer.lines import AgentMapping, ImportLine
from remembrancer.domain.memories import write_request
from remembrancer.domain.memories.write_request import NEW_MEMORY
from remembrancer.errors import InvalidRequest

COLUMNS = tuple(name for name in NEW_MEMORY.by_name if name != "agent_id")
"""Of a CSV file; all rows go to one agent."""
_BULLET = re.compile(r"\A[-*+•][ \t]+")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])[ \t]+")
# A number in the middle of a paragraph is a list only if it begins one (CommonMark 5.3).
_ITEM_AFTER_WORDS = re.compile(r"(?:[-*+•]|1[.)])[ \t]+")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*")
_BREAK = re.compile(r" {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_FRONT_MATTER = re.compile(r"\A---\n.*?^---$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_DELIMITERS = (",", ";", "\t")


class FactsError(Exception):
    """The file cannot be read; the message names file, line and problem."""


def read(path: Path, agent: str) -> list[ImportLine]:
    """The facts in their order, all for this agent; a line that the service would refuse has its `problem`.

    Raises FactsError for a file that is missing, has none of the endings or is not UTF-8, and for a wrong header.
    """
    agents = AgentMapping(all_of=agent)
    _require(path)
    match path.suffix.lower():
        case ".jsonl":
            found = list(lines.read(path, agents))
        case ".txt":
            found = _written(_lines(read_text(path)), agents)
        case ".md":
            found = _written(paragraphs(read_text(path)), agents)
        case ".csv":
            found = list(_rows(path, agents))
        case _:
            raise FactsError(f"{path} ends in none of .txt, .md, .csv and .jsonl")
    return [checked(line) for line in found]


def _require(path: Path) -> None:
    if not path.is_file():
        raise FactsError(f"there is no file {path}")


def checked(line: ImportLine) -> ImportLine:
    """The line, or the problem for which the service would refuse it."""
    if line.memory is None:
        return line
    try:
        write_request.parse(line.memory, now=datetime.now(UTC))
    except InvalidRequest as error:
        problem = "; ".join(f"{name} {reason}" for name, reason in error.fields.items())
        return ImportLine(line.number, line.end, None, problem=problem)
    return line


def read_text(path: Path) -> str:
    """The file without a byte order mark. Raises FactsError for a file that is missing, and with the line of the first
    byte that is not UTF-8.
    """
    _require(path)
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FactsError(f"{path} line {line} is not UTF-8: save the file as UTF-8") from error


def _written(texts: Iterator[tuple[int, str]], agents: AgentMapping) -> list[ImportLine]:
    return [lines.importable(number, 0, {"content": text}, agents) for number, text in texts]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Facts with the number of their first line. The mark of a list's item is left out."""
    start, fact = 0, ""
    for number, line in enumerate(_unix(textwrap.dedent(text)), start=1):
        words = line.strip()
        if fact and words and line[0] in " \t" and not _ITEM.match(words):
            fact += f" {words}"
            continue
        if fact:
            yield start, fact
        start, fact = number, _unmarked(words)
    if fact:
        yield start, fact


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Facts of Markdown with the number of their first line.

    Each begins with its heading, and with the paragraph before it where that one ends with a colon.
    """
    lead, is_used = None, False
    for block in _blocks(text):
        if lead and (block.heading != lead.heading or (is_used and not block.is_item)):
            if not is_used:
                yield lead.number, lead.under_heading()
            lead = None
        if not lead and not block.is_item and block.text.endswith(":"):
            lead, is_used = block, False
            continue
        is_used = True
        yield block.number, block.under_heading(lead.text if lead else "")
    if lead and not is_used:
        yield lead.number, lead.under_heading()


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, an item of a list with what is indented under it, a table or code; `number` is its first line."""

    number: int
    heading: str
    lines: Sequence[str]

    @property
    def is_item(self) -> bool:
        return bool(_ITEM.match(self.lines[0]))

    @property
    def text(self) -> str:
        """Wrapped lines become one; items inside an item, tables and code keep their lines."""
        is_code, text = False, ""
        for line in self.lines:
            keeps_line = is_code or _FENCE.match(line) or line.startswith("|") or (self.is_item and _ITEM.match(line))
            between = "\n" if keeps_line else " "
            text = f"{text}{between}{line}" if text else line
            is_code ^= bool(_FENCE.match(line))
        return _unmarked(text)

    def under_heading(self, lead: str = "") -> str:
        between = " " if self.heading.endswith(("?", ":", ".", "!")) else ": "
        return (f"{self.heading}{between}" if self.heading else "") + (f"{lead} " if lead else "") + self.text


def _blocks(text: str) -> Iterator[_Block]:
    heading, start, block, is_code = "", 0, list[str](), False
    for number, line in enumerate(_unix(_without_comments(text)), start=1):
        if is_code:
            block.append(line.rstrip())
            is_code = not _FENCE.match(line)
            continue
        words = line.strip()
        title, is_underline = _title(line, block)
        is_break = title is not None or not words or _BREAK.fullmatch(line)
        if block and not is_underline and (is_break or _begins_item(line, block)):
            yield _Block(start, heading, block)
            block = []
        if title is not None:
            heading, block = title, []
        elif not is_break:
            start = start if block else number
            block.append(words)
            is_code = bool(_FENCE.match(line))
    if block:
        yield _Block(start, heading, block)


def _begins_item(line: str, block: Sequence[str]) -> bool:
    """Whether an item begins that is not inside the item of the block."""
    if _ITEM.match(block[0]):
        return bool(_ITEM.match(line))
    return bool(_ITEM_AFTER_WORDS.match(line.strip()))


def _title(line: str, block: Sequence[str]) -> tuple[str | None, bool]:
    """The heading that this line is, or makes of the one line before it, and whether it does the latter."""
    if found := _HEADING.fullmatch(line):
        return found[1], False
    if len(block) == 1 and _UNDERLINE.fullmatch(line) and not _ITEM.match(block[0]):
        return block[0], True
    return None, False


def _unmarked(text: str) -> str:
    """Numbers of items stay: they say an order, or are part of a date."""
    return _BULLET.sub("", text)


def _without_comments(text: str) -> str:
    """Without front matter and comments; every line keeps its number."""
    blank = _FRONT_MATTER.sub(lambda found: "\n" * found[0].count("\n"), "\n".join(_unix(text)))
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), blank)


def _unix(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _rows(path: Path, agents: AgentMapping) -> Iterator[ImportLine]:
    """Facts with the number of their first line. The delimiter is the one that the header has most of."""
    text = read_text(path)
    header, _, _ = text.lstrip().partition("\n")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_DELIMITERS, key=header.count), strict=True)
    columns: list[str] = []
    number = 1
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                pass
            elif not columns:
                columns = _columns(f"{path} line {number}", cells)
            elif len(cells) != len(columns):
                yield ImportLine(number, 0, None, problem=f"has {len(cells)} cells under {len(columns)} columns")
            elif "user_id" in columns and not cells[columns.index("user_id")].strip():
                # Without an end user a fact is shared with all: an empty cell never means that.
                yield ImportLine(number, 0, None, problem="user_id must not be blank; put shared facts in another file")
            else:
                filled = {name: cell.strip() for name, cell in zip(columns, cells, strict=True) if cell.strip()}
                value = {name: _value(name, cell) for name, cell in filled.items()}
                yield lines.importable(number, 0, value, agents)
            number = reader.line_num + 1
    except csv.Error as error:
        raise FactsError(f"{path} line {number}: is not CSV: {error}") from error


def _columns(place: str, cells: Sequence[str]) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    known = f"The columns may be {', '.join(COLUMNS)}; content is required."
    for name in names:
        if name not in COLUMNS:
            raise FactsError(f'{place}: there is no column "{name}". {known}')
        if names.count(name) > 1:
            raise FactsError(f"{place}: the column {name} is there twice")
    if "content" not in names:
        raise FactsError(f"{place}: there is no column content. {known}")
    return names


def _value(name: str, cell: str) -> Any:
    """What the cell says in the type of its field; the cell itself where it is not of the type, which is refused."""
    kind = NEW_MEMORY.by_name[name].schema.get("type")
    return _READERS.get(str(kind), str)(cell)


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def _object(cell: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell


def _boolean(cell: str) -> bool | str:
    return {"true": True, "false": False}.get(cell.lower(), cell)


def _list(cell: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;]", cell) if part.strip()]


_READERS: Mapping[str, Callable[[str], Any]] = {
    "number": _number, "boolean": _boolean, "array": _list, "object": _object,
}  # fmt: skip
