"""Files of facts: what a line, a paragraph or a row becomes, and which place a mistake has."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.transfer import facts
from local.transfer.facts import FactsError
from local.transfer.lines import ImportLine
from remembrancer.domain.memories.memory import normalise

WORDS = st.text(st.characters(codec="utf-8", categories=("L", "N"), include_characters=" ,.'"), min_size=1).map(
    str.strip
)
SENTENCES = WORDS.filter(lambda text: text[:1].isalpha() and normalise(text) == text and not text.endswith(":"))


def read(folder: Path, name: str, text: str | bytes) -> list[ImportLine]:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return facts.read(path, "cafe")


def contents(found: list[ImportLine]) -> list[tuple[int, Any]]:
    return [(line.number, line.memory["content"] if line.memory else None) for line in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("facts")


def test_a_line_of_text_is_a_fact(folder: Path) -> None:
    found = read(
        folder, "f.txt", "\ufeffOpen from 8.\r\n\r\n- Oat milk is free,\r\n  soy milk too.\n24. December: closed.\n"
    )

    assert contents(found) == [
        (1, "Open from 8."), (3, "Oat milk is free, soy milk too."), (5, "24. December: closed."),
    ]  # fmt: skip
    assert {line.memory["agent_id"] for line in found if line.memory} == {"cafe"}


def test_a_text_that_is_indented_as_a_whole_has_a_fact_a_line(folder: Path) -> None:
    assert contents(read(folder, "f.txt", "  One.\n  Two.\n")) == [(1, "One."), (2, "Two.")]


def test_paragraphs_and_items_of_markdown_are_facts_under_their_headings(folder: Path) -> None:
    text = """---
title: Not a fact
---
# Café

We roast on Mondays, but not on
24. December.

<!-- not
a fact -->
## Hours
- Monday: closed
- Other days:
  - 8 to 6
  - Sundays
    9 to 4
* * *
Are dogs welcome?
-----------------
In the garden.
### Milk
Free of charge:
1. oat
2. soy

Nothing else is.

```
pump  prime

pump start
```
| cup | price |
|---|---|
| small | 3 |
## Parking:
Behind the house, for:
"""

    assert contents(read(folder, "f.md", text)) == [
        (6, "Café: We roast on Mondays, but not on 24. December."),
        (12, "Hours: Monday: closed"),
        (13, "Hours: Other days:\n- 8 to 6\n- Sundays 9 to 4"),
        (20, "Are dogs welcome? In the garden."),
        (23, "Milk: Free of charge: 1. oat"),
        (24, "Milk: Free of charge: 2. soy"),
        (26, "Milk: Nothing else is."),
        (28, "Milk: ```\npump  prime\n\npump start\n```\n| cup | price |\n|---|---|\n| small | 3 |"),
        (37, "Parking: Behind the house, for:"),
    ]


def test_columns_are_the_fields_of_a_memory(folder: Path) -> None:
    text = 'Content;Importance;tags;pinned;metadata\n"Tea, or ""chai""\nat 4";0.9;a, b;TRUE;"{""a"": 1}"\n\nCocoa;;;;\n'

    first, second = read(folder, "f.csv", "\ufeff" + text)

    assert first.memory is not None
    assert {name: first.memory[name] for name in first.memory if name not in {"agent_id", "client_ref"}} == {
        "content": 'Tea, or "chai"\nat 4', "importance": 0.9, "tags": ["a", "b"], "pinned": True, "metadata": {"a": 1},
    }  # fmt: skip
    assert contents([first, second]) == [(2, 'Tea, or "chai"\nat 4'), (5, "Cocoa")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("content,colour\nTea,red\n", 'line 1: there is no column "colour"'),
        ("content,agent_id\nTea,a\n", 'line 1: there is no column "agent_id"'),
        ("tags\na\n", "line 1: there is no column content"),
        ("content,tags,Tags\nTea,a,b\n", "line 1: the column tags is there twice"),
        ('content\nTea\n"Coffee\n', "line 3: is not CSV"),
        (b"content\nTea\nCaf\xe9\n", "line 3 is not UTF-8"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_line(text: str | bytes, problem: str, folder: Path) -> None:
    with pytest.raises(FactsError, match=f"f.csv {problem}"):
        read(folder, "f.csv", text)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("f.csv", "content,confidence\nTea,0.5\nCocoa,much\n", (3, "confidence must be a number")),
        ("f.csv", "content,pinned\nTea,true\nCocoa,perhaps\n", (3, "pinned must be true or false")),
        ("f.csv", "content,metadata\nTea,\nCocoa,{\n", (3, "metadata must be a JSON object")),
        ("f.csv", "content,created_at\nTea,2026-01-02\nCocoa,May\n", (3, "created_at must be an ISO 8601 date-time")),
        ("f.csv", "content,category\n,factual\n", (2, "content is required")),
        ("f.csv", "content,tags\nTea\n", (2, "has 1 cells under 2 columns")),
        ("f.csv", "content,user_id\nTea,isla\nThe safe's number is 7.,\n", (3, "user_id must not be blank")),
        ("f.jsonl", '{"content": "Tea."}\n\n{"content": "Cocoa.", "colour": "red"}\n', (3, "colour unknown field")),
        ("f.jsonl", '{"content": "Tea.", "user_id": " "}\n', (1, "user_id must not be blank")),
        ("f.txt", f"Tea.\n{'x' * 8193}\n", (2, "content must have at most 8192 characters")),
        ("f.txt", "Tea.\0\n", (1, "content must not contain NUL characters")),
        ("f.md", f"Tea.\n\n{'x' * 8193}\n", (3, "content must have at most 8192 characters")),
    ],
)
def test_a_fact_that_the_service_would_refuse_is_named(
    name: str, text: str, problem: tuple[int, str], folder: Path
) -> None:
    [refused] = [line for line in read(folder, name, text) if line.problem]

    assert (refused.number, refused.problem[: len(problem[1])]) == problem


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("none.txt", "there is no file"),
        (".", "there is no file"),
        ("f.pdf", "ends in none of .txt, .md, .csv and .jsonl"),
    ],
)
def test_what_is_no_file_of_facts_is_refused(name: str, problem: str, folder: Path) -> None:
    (folder / "f.pdf").touch()

    with pytest.raises(FactsError, match=problem):
        facts.read(folder / name, "cafe")


def test_the_same_fact_has_the_same_reference_however_it_is_written(folder: Path) -> None:
    text, table = read(folder, "f.txt", "Tea at 4.\n"), read(folder, "f.csv", "content\nTea at 4.\n")
    line = read(folder, "f.jsonl", json.dumps({"content": "Tea at 4.", "agent_id": "elsewhere"}))

    assert text[0].memory == table[0].memory == line[0].memory


@given(facts_=st.lists(SENTENCES, max_size=8), blank=st.sampled_from(["\n", "\n\n", "\r\n", "\n \n"]))
def test_every_line_of_any_text_is_read(facts_: list[str], blank: str, folder: Path) -> None:
    assert [text for _, text in contents(read(folder, "f.txt", blank.join(facts_)))] == facts_


@given(facts_=st.lists(SENTENCES, max_size=8), mark=st.sampled_from(["", "- ", "* ", "• "]))
def test_every_paragraph_and_item_of_any_markdown_is_read(facts_: list[str], mark: str, folder: Path) -> None:
    text = "\n\n".join(f"{mark}{fact}" for fact in facts_)

    assert [text for _, text in contents(read(folder, "f.md", text))] == facts_


@given(text=st.text(st.sampled_from(list("ab \t\n\r*+`|:1.)>_~")), max_size=80))
def test_no_word_of_markdown_without_headings_is_lost_and_places_ascend(text: str, folder: Path) -> None:
    found = contents(read(folder, "f.md", text))

    numbers = [number for number, _ in found]
    assert numbers == sorted(set(numbers))
    assert [letter for letter in text if letter in "ab"] == [
        letter for _, fact in found for letter in fact or "" if letter in "ab"
    ]


@given(
    rows=st.lists(st.tuples(SENTENCES, st.floats(0, 1), st.lists(WORDS.filter(str.isalpha), max_size=3)), max_size=6),
    delimiter=st.sampled_from([",", ";", "\t"]),
)
def test_every_row_of_any_table_is_read(rows: list[tuple[str, float, list[str]]], delimiter: str, folder: Path) -> None:
    written = io.StringIO(newline="")
    table = csv.writer(written, delimiter=delimiter)
    table.writerow(["content", "importance", "tags"])
    table.writerows([content, repr(importance), ";".join(tags)] for content, importance, tags in rows)

    found = [line.memory or {} for line in read(folder, "f.csv", written.getvalue())]

    assert [(line["content"], line["importance"], line.get("tags", [])) for line in found] == rows


@given(data=st.binary(max_size=60), ending=st.sampled_from([".txt", ".md", ".csv", ".jsonl"]))
def test_any_bytes_are_facts_or_mistakes_with_a_line(data: bytes, ending: str, folder: Path) -> None:
    try:
        places = [(line.number, line.problem or bool(line.memory)) for line in read(folder, f"f{ending}", data)]
    except FactsError as error:
        places = [(int(str(error).partition(" line ")[2][:1]), str(error))]

    assert all(number >= 1 and said for number, said in places)
