"""The chain of audit entries: whatever is done to an export is found."""

import json
import tracemalloc
from collections.abc import Set
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.encryption.signatures import is_signed, signer
from remembrancer.domain.audit import chain
from remembrancer.domain.audit.chain import Checkpoint, Verdict
from remembrancer.errors import InvalidRequest

ORG_ID = str(UUID(int=7))
SECRET = b"term key"
ACTIONS = ("memory.created", "memory.changed", "getMemory")
# Few different ones, so that equal entries happen, which must not be exchanged unnoticed either.
ENTRY = st.fixed_dictionaries(
    {
        "at": st.sampled_from(["2026-05-01T12:00:00+00:00", "2026-05-01T12:00:01+00:00"]),
        "action": st.sampled_from(ACTIONS),
    },
    optional={
        "object": st.uuids().map(str),
        "project_id": st.text(max_size=3),
        "memory_ids": st.lists(st.uuids().map(str)),
    },
)
Line = dict[str, Any]


def exported(
    entries: list[Line],
    *,
    hidden: Set[int] = frozenset(),
    removed: int = 0,
    secret: bytes = SECRET,
    org_id: str = ORG_ID,
) -> list[Line]:
    """An export of these entries; of the hidden ones only digests, and without those that were removed."""
    before, lines = chain.genesis(org_id), []
    hashes = [before]
    for position, entry in enumerate(entries, start=1):
        digest = chain.digest(entry)
        hashes.append(before := chain.link(before, digest))
        shown = {"digest": digest.hex()} if position in hidden else entry
        lines.append({"position": position, **shown, "hash": before.hex()})
    last = Checkpoint(org_id, removed, hashes[removed].hex(), len(entries), before.hex(), "2026-05-01T13:00:00+00:00")
    return [*lines[removed:], {"checkpoint": signed(last, secret)}]


def signed(checkpoint: Checkpoint, secret: bytes = SECRET) -> Line:
    public_key, signature = signer(secret)(checkpoint.message)
    whole = replace(checkpoint, public_key=public_key, signature=signature)
    return {name: getattr(whole, name) for name in whole.__slots__}


def verify(lines: list[Line], *, earlier: list[Line] | None = None) -> Verdict:
    before = None if earlier is None else map(json.dumps, earlier)
    return chain.verify(map(json.dumps, lines), is_signed, earlier=before)


HISTORIES = st.lists(ENTRY, min_size=2, max_size=12)


@given(HISTORIES, st.data())
def test_an_export_is_whole_also_where_entries_are_hidden_or_were_removed(
    entries: list[Line], data: st.DataObject
) -> None:
    hidden = data.draw(st.sets(st.integers(1, len(entries))))
    removed = data.draw(st.integers(0, len(entries)))

    verdict = verify(exported(entries, hidden=hidden, removed=removed))

    assert verdict.problems == []
    assert (verdict.entries, verdict.hidden) == (len(entries) - removed, len([one for one in hidden if one > removed]))


def tampered(lines: list[Line], data: st.DataObject) -> list[Line]:
    """The export with one change that a forger may make who cannot sign."""
    *entries, checkpoint = lines
    number = data.draw(st.integers(0, len(entries) - 1), label="entry")
    kind = data.draw(
        st.sampled_from(["change", "hide", "remove", "move", "insert", "truncate", "relink", "checkpoint"])
    )
    match kind:
        case "change":
            name = data.draw(st.sampled_from(["at", "action", "object", "new"]))
            entries[number] = {**entries[number], name: "something else"}
        case "hide":
            forged = {"position": entries[number]["position"], "digest": "00" * 32, "hash": entries[number]["hash"]}
            entries[number] = forged
        case "remove":
            del entries[number]
        case "move":
            other = data.draw(st.integers(0, len(entries) - 2).map(lambda one: one + (one >= number)), label="other")
            entries[number], entries[other] = entries[other], entries[number]
        case "insert":
            entries.insert(number, {**entries[number], "action": "forged"})
        case "truncate":
            del entries[number:]
        case "relink":
            # All hashes fit each other; only the signature does not.
            told = [{name: one[name] for name in one.keys() - {"position", "hash"}} for one in entries]
            told[number] = {**told[number], "action": "forged"}
            *entries, new = exported(told)
            checkpoint = {"checkpoint": {**checkpoint["checkpoint"], "hash": new["checkpoint"]["hash"]}}
        case "checkpoint":
            name = data.draw(st.sampled_from(["org_id", "from_hash", "hash", "at"]))
            other_org = str(UUID(int=8))
            values = {"org_id": other_org, "from_hash": "11" * 32, "hash": "11" * 32, "at": "2027-01-01T00:00:00+00:00"}
            checkpoint = {"checkpoint": {**checkpoint["checkpoint"], name: values[name]}}
    return [*entries, checkpoint]


@given(HISTORIES, st.data())
def test_every_way_of_tampering_is_found(entries: list[Line], data: st.DataObject) -> None:
    assert verify(tampered(exported(entries), data)).problems


@given(HISTORIES, st.data())
def test_whatever_character_of_a_line_is_another_it_is_found(entries: list[Line], data: st.DataObject) -> None:
    """Unless the line still says the same, as where a character is written as an escape."""
    hidden = data.draw(st.sets(st.integers(1, len(entries))))
    lines = [json.dumps(line) for line in exported(entries, hidden=hidden)]
    number = data.draw(st.integers(0, len(lines) - 1), label="line")
    place = data.draw(st.integers(0, len(lines[number])), label="place")
    removed = data.draw(st.integers(0, 1), label="removed")
    new = data.draw(st.sampled_from(list('0aF9" ,:{}[]\\x.-')) | st.characters() | st.just(""), label="new")
    edited = [*lines]
    edited[number] = lines[number][:place] + new + lines[number][place + removed :]

    try:
        problems = chain.verify(edited, is_signed).problems
    except InvalidRequest:
        return
    said = [json.loads(line) for line in edited if line.strip()]
    assert problems or said == [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["position", "action", "hash", "digest", "checkpoint"])
def test_what_a_line_says_twice_or_in_addition_is_found(name: str) -> None:
    """A reader sees the one, and the other is checked."""
    lines = [json.dumps(line) for line in exported([{"at": "now", "action": "memory.created"}] * 2, hidden={2})]

    for number, line in enumerate(lines):
        edited = [*lines]
        edited[number] = f'{{"{name}": "something else", {line[1:]}'
        try:
            assert chain.verify(edited, is_signed).problems
        except InvalidRequest:
            continue


def test_verifying_keeps_no_entries() -> None:
    """A chain of any length is verified in the same memory."""
    entries = [{"at": "now", "action": "memory.created", "object": str(number)} for number in range(2000)]
    lines = [json.dumps(line) for line in exported(entries)]

    tracemalloc.start()
    verdict = chain.verify(iter(lines), is_signed, earlier=iter(lines))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (verdict.entries, verdict.problems) == (2000, [])
    assert most < 100_000 < sum(map(len, lines))


def test_an_earlier_export_counts_only_with_its_own_signature() -> None:
    entries = [{"at": "now", "action": "memory.created"}] * 3
    *lines, last = exported(entries)
    forged = [*lines, {"checkpoint": {**last["checkpoint"], "at": "later"}}]

    assert verify(exported(entries), earlier=forged).problems
    assert verify(exported(entries), earlier=[]).problems


@given(HISTORIES, st.data())
def test_contents_are_checked_although_a_digest_stands_beside_them(entries: list[Line], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(entries) - 1))
    lines = exported(entries)
    told = {name: lines[number][name] for name in lines[number].keys() - {"position", "hash"}}
    lines[number] = {**lines[number], "action": "forged", "digest": chain.digest(told).hex()}

    assert verify(lines).problems


@given(HISTORIES, st.data())
def test_a_chain_that_was_written_anew_and_signed_is_found_by_an_earlier_export(
    entries: list[Line], data: st.DataObject
) -> None:
    """As one would who has the organization's key."""
    known = data.draw(st.integers(1, len(entries)))
    earlier = exported(entries[:known])
    forged = list(entries)
    if data.draw(st.booleans(), label="cut off"):
        forged = forged[: data.draw(st.integers(0, known - 1))]
    else:
        forged[data.draw(st.integers(0, known - 1))] = {"at": "2026-05-01T12:00:00+00:00", "action": "forged"}

    assert verify(exported(entries), earlier=earlier).problems == []
    assert verify(exported(forged)).problems == []
    assert verify(exported(forged), earlier=earlier).problems


def test_an_earlier_export_that_ends_before_this_one_begins_proves_nothing() -> None:
    entries = [{"at": str(number), "action": "memory.created"} for number in range(6)]

    assert verify(exported(entries, removed=3), earlier=exported(entries[:3])).problems == []
    assert verify(exported(entries, removed=4), earlier=exported(entries[:3])).problems


def test_the_chain_of_another_organization_or_key_is_no_continuation() -> None:
    entries = [{"at": "now", "action": "memory.created"}] * 3

    assert verify(exported(entries, secret=b"other"), earlier=exported(entries)).problems
    assert verify(exported(entries, org_id=str(UUID(int=8))), earlier=exported(entries)).problems


def test_a_file_without_its_end_is_not_whole() -> None:
    lines = exported([{"at": "now", "action": "memory.created"}])

    assert verify(lines[:-1]).problems == ["the last line is no checkpoint: the end is missing"]
    assert verify([]).problems


@pytest.mark.parametrize(
    "line",
    ["[]", "no JSON", '{"position": 1}', '{"position": 1, "hash": "zz"}',
     '{"position": true, "hash": "%s"}' % ("00" * 32),
     '{"position": 1, "hash": "%s"}' % ("00" * 32), '{"checkpoint": {}}', '{"checkpoint": null}', "[" * 10_000],
)  # fmt: skip
def test_what_is_no_line_of_an_export_is_refused(line: str) -> None:
    with pytest.raises(InvalidRequest):
        chain.verify([line], is_signed)
