"""Settings and contracts that a page shows are those of the code."""

import re
from datetime import UTC, datetime

import pytest

from remembrancer.domain.context import formatter
from remembrancer.domain.context.nonce import NONCE_DIGITS
from remembrancer.domain.lexical_index import bm25
from remembrancer.domain.memories.memory import CATEGORIES
from remembrancer.domain.ranking import assembly_score, score_boosts
from remembrancer.ports import system
from tests.unit.documents import ROOT, template, whole

HALF_LIVES = "factual #, procedural #, preference #, behavioral #, episodic # days"


def normalised(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_half_lives_of_memories_are_those_of_the_code() -> None:
    text = normalised(whole(ROOT / "docs" / "assembly.md"))
    pattern = re.escape(HALF_LIVES).replace(r"\#", "#").replace("#", r"(\d+)")

    found = re.search(pattern, text)

    assert found
    named = ("factual", "procedural", "preference", "behavioral", "episodic")
    assert dict(zip(named, map(float, found.groups()), strict=True)) == dict(assembly_score.HALF_LIFE_DAYS)
    assert set(named) == set(CATEGORIES)


def test_the_queues_are_those_of_the_template() -> None:
    page = normalised(whole(ROOT / "docs" / "architecture.md"))
    resources = template()["Resources"]
    found = re.findall(r"\| `(\w+Queue)` \| `[^|]+` \| ([^|]+) \| after (\d+) s, (\d+) times in all \|", page)
    rows = {queue: (batch, int(after), int(times)) for queue, batch, after, times in found}
    seconds = re.search(r"The functions have (\d+) s for a batch", page)
    receives = {"Embed": system.MOST_RECEIVES, "Capture": system.CAPTURE_RECEIVES, "SideEffects": system.MOST_RECEIVES}

    for name, most in receives.items():
        queue, function = f"{name}Queue", f"{name}Function"
        events = resources[function]["Properties"]["Events"].values()
        [batch] = [event["Properties"] for event in events if event["Type"] == "SQS"]
        batches, *again = rows[queue]
        told = [int(figure) for figure in re.findall(r"\d+", batches)]
        assert told == [one for one in (batch["BatchSize"], batch.get("MaximumBatchingWindowInSeconds")) if one]
        properties = resources[queue]["Properties"]
        assert seconds
        assert int(seconds[1]) == resources[function]["Properties"]["Timeout"]
        assert again == [properties["VisibilityTimeout"], properties["RedrivePolicy"]["maxReceiveCount"]]
        assert properties["RedrivePolicy"]["maxReceiveCount"] == most


def test_the_boosts_of_relations_are_those_of_the_code() -> None:
    table = whole(ROOT / "docs" / "query.md").partition("## Boosts")[2].partition("\n## ")[0]

    shown = {name: float(value.replace("−", "-")) for name, value in re.findall(r"`(\w+)` \| (−?[\d.]+)", table)}

    assert shown == dict(score_boosts.RELATION_BOOSTS)


def test_the_tiers_of_an_assembly_are_those_of_the_code() -> None:
    folder = ROOT / "layers/engine/remembrancer/usecases/retrieval"
    code = "".join((folder / name).read_text(encoding="utf-8") for name in ("search.py", "searcher.py"))
    used = set(re.findall(r'tier(?:: str)? ?= ?"(\w+)"(?: if \w+ else "(\w+)")?', code))
    tiers = {tier for pair in used for tier in pair if tier}
    row = re.findall(r"^\| `tier` \| (the answering source.*) \|$", whole(ROOT / "docs" / "api.md"), re.MULTILINE)

    assert tiers == {"map", "postgres", "turn_cache", "none"}
    assert set(re.findall(r"`(\w+)`", row[0])) == tiers


def test_the_injected_text_looks_as_the_documents_show_it() -> None:
    day, line = formatter.dated_line("text", datetime(2026, 3, 2, tzinfo=UTC), replaces=False).splitlines()
    updated = formatter.line("text", replaces=True).strip()
    decision = normalised(whole(ROOT / "docs" / "adr" / "0009-injected-format.md"))
    page = whole(ROOT / "docs" / "assembly.md")

    assert f"`{line}`" in decision
    assert f"`{day}`" in decision
    assert f"`{updated.removeprefix('- text ')}`" in decision
    assert "nonce of nine digits" in decision
    assert NONCE_DIGITS == 9
    assert formatter.PREAMBLE in page
    assert all(len(nonce) == NONCE_DIGITS for nonce in re.findall(r"<(?:directive|pinned|memories)-(\w+)>", page))


def test_words_of_content_and_context_count_as_the_decision_says() -> None:
    decision = normalised(whole(ROOT / "docs" / "adr" / "0003-lexical-search.md"))

    assert ("content and context together, their words counting alike," in decision) is (bm25.CONTEXT_WEIGHT == 1.0)


def test_the_size_of_the_word_index_is_what_was_measured() -> None:
    measured = re.search(
        r"in ([\d,]+) memories of one agent: ([\d,]+) postings in (\d+) MB of blocks and (\d+) MB of documents",
        whole(ROOT / "docs" / "benchmarks.md"),
    )
    told = re.search(
        r"Words are (\d+) postings, ([\d.]+) KB with their blocks, and ([\d.]+) KB for the document",
        normalised(whole(ROOT / "docs" / "capacity.md")),
    )
    sum_ = re.search(r"`0\.9 \+ 0\.9 \+ ([\d.]+) \+ 0\.8 = ([\d.]+) KB`", whole(ROOT / "docs" / "capacity.md"))

    assert measured
    assert told
    assert sum_
    memories, postings_, blocks, documents = (int(figure.replace(",", "")) for figure in measured.groups())
    kilobytes = [float(figure) for figure in told.groups()]
    assert kilobytes == [
        round(postings_ / memories),
        round(blocks * 1000 / memories, 1),
        round(documents * 1000 / memories, 1),
    ]
    assert float(sum_[1]) == pytest.approx(kilobytes[1] + kilobytes[2])
    assert float(sum_[2]) == pytest.approx(0.9 + 0.9 + float(sum_[1]) + 0.8)


@pytest.mark.parametrize("page", ["README.md", "docs/local.md"])
def test_what_is_needed_names_the_operating_systems(page: str) -> None:
    text = whole(ROOT / page)
    needed = text[text.index("need") if page == "README.md" else text.index("Needed:") :][:1500]

    assert "Linux" in needed
    assert "x86-64" in needed
    assert "arm64" in needed
