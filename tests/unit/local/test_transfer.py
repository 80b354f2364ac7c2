"""Files of memories as batches, and how far an import got."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local.transfer import lines
from local.transfer.lines import BATCH, BATCH_BYTES, AgentMapping, ImportLine
from local.transfer.progress import Counts, Progress, source
from remembrancer.domain.memories.write_request import NEW_MEMORY
from remembrancer.runtime.endpoints.memory_json import whole_json
from tests.builders import stored_memory

NOBODY = AgentMapping()


def file_of(folder: Path, *texts: str | bytes) -> Path:
    path = folder / "memories.jsonl"
    path.write_bytes(b"".join(text.encode() if isinstance(text, str) else text for text in texts))
    return path


def read(path: Path, agents: AgentMapping = NOBODY, *, number: int = 0, offset: int = 0) -> list[ImportLine]:
    return list(lines.read(path, agents, number=number, offset=offset))


def memory_in(line: ImportLine) -> dict[str, Any]:
    assert line.memory is not None
    return dict(line.memory)


def test_lines_are_memories_with_their_place_in_the_file(tmp_path: Path) -> None:
    path = file_of(tmp_path, '{"content": "Tea."}\n', "\n", '{"content": "Kaffee für zwei.", "client_ref": "b"}')

    first, second = read(path)

    assert (first.number, second.number) == (1, 3)
    assert second.end == path.stat().st_size
    assert memory_in(second) == {"content": "Kaffee für zwei.", "client_ref": "b"}


def test_reading_goes_on_at_any_line(tmp_path: Path) -> None:
    path = file_of(tmp_path, *(f'{{"content": "Memory {number}."}}\n' for number in range(5)))
    every = read(path)

    assert [read(path, number=line.number, offset=line.end) for line in every] == [
        every[number:] for number in range(1, 6)
    ]


def test_what_is_no_json_object_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    path = file_of(
        tmp_path, '{"content": tea}\n', "[1]\n", b"{\xff\xfe\n", "[" * 100_000 + "\n", '{"content": "Tea."}\n'
    )

    found = read(path)

    assert [line.problem for line in found] == [
        "is not JSON: Expecting value at column 13",
        "is not a JSON object",
        "is not UTF-8 at byte 2",
        "is not JSON that can be read: a number is too long, or too much is nested",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (r'{"content": "Tea\u0000."}', "content must not contain NUL characters"),
        (r'{"content": "Tea.", "metadata": {"a": ["\ud800"]}}', "metadata.a[0] must not contain lone surrogates"),
        ('{"content": "Tea.", "confidence": NaN}', "body is not valid JSON: NaN is not a JSON number"),
        ('{"content": "Tea.", "confidence": 1e999}', "body is not valid JSON: Infinity is not a JSON number"),
        (f'{{"content": "Tea.", "a": {"[" * 30}{"]" * 30}}}', "body must be nested at most 32 levels deep"),
        (f'{{"content": "Tea.", "a": {"[" * 700}{"]" * 700}}}', "body must be nested at most 32 levels deep"),
        (f'{{"content": "{"x" * (1 << 20)}"}}', "body must have at most 1,048,576 bytes"),
    ],
    ids=["nul", "surrogate", "nan", "infinity", "nested", "deep", "long"],
)
def test_a_line_for_which_the_service_refuses_the_whole_batch_is_named_and_the_rest_is_read(
    text: str, problem: str, tmp_path: Path
) -> None:
    bad, good = read(file_of(tmp_path, f"{text}\n", '{"content": "Tea."}\n'))

    assert (bad.memory, bad.problem) == (None, problem)
    assert (memory_in(good)["content"], good.problem) == ("Tea.", "")


def test_a_line_that_the_service_accepts_is_read(tmp_path: Path) -> None:
    nested = f'{{"content": "Tea.", "a": {"[" * 29}{"]" * 29}}}\n'
    (deep, wide) = read(file_of(tmp_path, nested, f'{{"content": "{"ü" * 500_000}"}}\n'))

    assert (deep.problem, wide.problem) == ("", "")


def test_the_reference_is_derived_from_the_memory_alone(tmp_path: Path) -> None:
    one, same, other, own = read(
        file_of(
            tmp_path,
            '{"content": "Tea.", "category": "factual"}\n',
            '{"category":"factual","content":"Tea.", "usage_count": 7, "summary": null}\n',
            '{"content": "Tea.", "category": "preference"}\n',
            '{"content": "Tea.", "client_ref": "mine"}\n',
        )
    )

    references = [memory_in(line)["client_ref"] for line in (one, same, other, own)]
    assert references[0] == references[1] != references[2]
    assert references[3] == "mine"


def test_an_agent_is_replaced_or_filled_in_where_it_is_missing(tmp_path: Path) -> None:
    path = file_of(tmp_path, '{"content": "Tea.", "agent_id": "a"}\n', '{"content": "Tea."}\n')

    def agents(chosen: AgentMapping) -> list[str | None]:
        return [memory_in(line).get("agent_id") for line in read(path, chosen)]

    assert agents(AgentMapping()) == ["a", None]
    assert agents(AgentMapping(rest="b")) == ["a", "b"]
    assert agents(AgentMapping(all_of="c", rest="b")) == ["c", "c"]


def test_what_an_export_only_describes_is_not_sent(tmp_path: Path) -> None:
    (line,) = read(file_of(tmp_path, '{"id": "1", "content": "Tea.", "status": "active", "relations": []}\n'))

    assert memory_in(line).keys() == {"content", "client_ref"}


def test_every_field_of_an_export_is_either_written_or_only_described() -> None:
    shown = whole_json(stored_memory(provenance={"turns": [1], "pin_proposed": True}))

    assert set(shown) - lines.DESCRIBING <= NEW_MEMORY.by_name.keys()


def test_what_was_not_active_when_it_was_exported_is_left_out_and_no_id_of_elsewhere_is_sent(tmp_path: Path) -> None:
    gone, kept, written = read(
        file_of(
            tmp_path,
            '{"id": "1", "content": "Tea.", "status": "superseded"}\n',
            '{"id": "2", "content": "Coffee.", "status": "active", "supersedes": "1"}\n',
            '{"content": "Cocoa.", "supersedes": "7"}\n',
        )
    )

    assert (gone.memory, gone.problem) == (None, "")
    assert "supersedes" not in memory_in(kept)
    assert memory_in(written)["supersedes"] == "7"


@given(sizes=st.lists(st.integers(1, BATCH_BYTES), max_size=400))
def test_batches_keep_order_and_stay_within_what_the_service_takes(sizes: list[int]) -> None:
    every = [ImportLine(number, number, {}, size=size) for number, size in enumerate(sizes)]

    found = list(lines.batches(iter(every)))

    assert [line for batch in found for line in batch] == every
    assert all(0 < len(batch) <= BATCH and sum(line.size for line in batch) <= BATCH_BYTES for batch in found)


_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@given(contents=st.lists(_TEXTS, max_size=30), start=st.integers(0, 30))
def test_every_line_is_read_once_however_the_work_is_divided(
    contents: list[str], start: int, tmp_path_factory: Any
) -> None:
    text = "".join(json.dumps({"content": content}) + "\n" for content in contents)
    path = file_of(tmp_path_factory.mktemp("lines"), text)
    every = read(path)
    before = every[: min(start, len(every))]
    number, offset = (before[-1].number, before[-1].end) if before else (0, 0)

    assert [*before, *read(path, number=number, offset=offset)] == every
    assert [memory_in(line)["content"] for line in every] == contents


def test_progress_is_found_again_for_the_same_file_and_place_only(tmp_path: Path) -> None:
    path, note = file_of(tmp_path, '{"content": "Tea."}\n'), tmp_path / "progress"
    here = source(path, "http://here")
    Progress(here).advanced(3, 120, Counts(2, 1)).advanced(4, 160, Counts(refused=1)).save(note)

    found = Progress.load(note, here)

    assert (found.number, found.offset, found.counts) == (4, 160, Counts(2, 1, 1))
    assert found.counts.lines == 4
    assert Progress.load(note, source(path, "http://there")).number == 0
    path.write_text('{"content": "Coffee."}\n')
    assert Progress.load(note, source(path, "http://here")).number == 0


def test_damaged_progress_is_none(tmp_path: Path) -> None:
    note = tmp_path / "progress"

    for text in ("", "{}", '{"source": "a", "counts": 1}', '{"source": "a", "counts": {}, "other": 1}', "[]"):
        note.write_text(text)
        assert Progress.load(note, "a") == Progress("a")
