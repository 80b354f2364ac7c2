"""The hash chain over an organization's audit entries, and its verification.

`digest = SHA-256(canonical JSON of the entry)`, `hash = SHA-256(hash of the entry before + digest)`; the chain begins
with `genesis`. A reader who may not see an entry gets its digest, and can verify the chain without it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from remembrancer.errors import InvalidRequest

Entry = Mapping[str, Any]
"""What an entry says, as JSON values; without `position`, `digest` and `hash`."""
_OF_CHAIN = ("position", "digest", "hash")
CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A signed statement: the chain's entries are those after `from_position`, up to `position`, with these hashes.

    Hashes, key (Ed25519) and signature are hexadecimal; `at` is a time in ISO 8601.
    """

    org_id: str
    from_position: int
    from_hash: str
    position: int
    hash: str
    at: str
    public_key: str = ""
    signature: str = ""

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        signed = {
            name: getattr(self, name) for name in ("org_id", "from_position", "from_hash", "position", "hash", "at")
        }
        return _canonical(signed)

    @classmethod
    def of(cls, line: object) -> "Checkpoint":
        """Reads the JSON form; InvalidRequest when it is none."""
        fields: dict[str, type] = {name: int if name.endswith("position") else str for name in cls.__slots__}
        if not isinstance(line, dict) or any(type(line.get(name)) is not kind for name, kind in fields.items()):
            raise InvalidRequest(f"A checkpoint has the fields {', '.join(fields)}.")
        return cls(**{name: line[name] for name in fields})


Verify = Callable[[str, bytes, str], bool]
"""Whether a public key has signed these bytes; key and signature in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`problems` are empty where the chain is whole; `entries` of them were checked, `hidden` only by their digest."""

    checkpoint: Checkpoint | None
    entries: int
    hidden: int
    problems: Sequence[str]


def genesis(org_id: str) -> bytes:
    """The hash before the first entry; that of another organization differs."""
    return sha256(b"remembrancer audit:" + UUID(org_id).bytes).digest()


def digest(entry: Entry) -> bytes:
    """Of what the entry says."""
    return sha256(_canonical(entry)).digest()


def link(before: bytes, entry_digest: bytes) -> bytes:
    """The hash of an entry behind the one with the hash `before`."""
    return sha256(before + entry_digest).digest()


def verify(lines: Iterable[str], signed: Verify, *, earlier: Iterable[str] = ()) -> Verdict:
    """Checks an export: JSON Lines of entries in their order, and a checkpoint as the last line.

    `earlier` is an older export of the same organization: entries in both must be equal, and the chain must not have
    become shorter. Raises InvalidRequest for a line that is no JSON object of either kind.
    """
    entries, checkpoint = _read(lines)
    problems: list[str] = []
    if checkpoint is None:
        problems.append("the last line is no checkpoint: the end is missing")
    else:
        problems += _problems(entries, checkpoint)
        if not signed(checkpoint.public_key, checkpoint.message, checkpoint.signature):
            problems.append("the checkpoint's signature is not valid")
        problems += _against(entries, checkpoint, *_read(earlier))
    return Verdict(checkpoint, len(entries), sum(not _content(one) for one in entries), problems)


def _problems(entries: Sequence[Entry], checkpoint: Checkpoint) -> list[str]:
    """One for each place where the chain is broken; behind it, what the file says of the place is taken up."""
    problems = []
    position, before = checkpoint.from_position, checkpoint.from_hash
    if position == 0 and before != genesis(checkpoint.org_id).hex():
        problems.append("the chain does not begin as this organization's")
    if entries and entries[0]["position"] <= position:
        problems.append(f"entries up to {position} were removed while they were exported: export again")
    for entry in entries:
        content = _content(entry)
        said = digest(content).hex() if content else entry["digest"]
        if entry["position"] != position + 1:
            problems.append(f"{entry['position']} follows {position}: entries are missing, added or in another order")
        elif link(bytes.fromhex(before), bytes.fromhex(said)).hex() != entry["hash"]:
            problems.append(f"{entry['position']} does not follow from the entry before: one of them was changed")
        position, before = entry["position"], entry["hash"]
    if (position, before) != (checkpoint.position, checkpoint.hash):
        problems.append(f"the chain ends with {position}, and its checkpoint says {checkpoint.position}")
    return problems


def _against(
    entries: Sequence[Entry], checkpoint: Checkpoint, older: Sequence[Entry], before: Checkpoint | None
) -> list[str]:
    if before is None:
        return ["the earlier export has no checkpoint"] if older else []
    problems = []
    if (before.org_id, before.public_key) != (checkpoint.org_id, checkpoint.public_key):
        problems.append("the earlier export is of another organization, or was signed with another key")
    if before.position > checkpoint.position or before.from_position > checkpoint.from_position:
        problems.append(f"the earlier export reached {before.position}: the end was cut off, or written anew")
    if before.position < checkpoint.from_position:
        problems.append(f"the earlier export ends with {before.position}, before this one begins: nothing to compare")
    hashes = {entry["position"]: entry["hash"] for entry in entries} | {checkpoint.from_position: checkpoint.from_hash}
    then = {entry["position"]: entry["hash"] for entry in older} | {before.from_position: before.from_hash}
    changed = [position for position in sorted(then) if hashes.get(position, then[position]) != then[position]]
    if changed:
        problems.append(f"{changed[0]} is another entry than in the earlier export: the chain was written anew")
    return problems


def _read(lines: Iterable[str]) -> tuple[list[dict[str, Any]], Checkpoint | None]:
    """The entries, and the checkpoint if it is the last line."""
    entries: list[dict[str, Any]] = []
    checkpoint = None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        read = _json(line)
        if checkpoint is not None or not isinstance(read, dict):
            raise InvalidRequest(f"Line {number} is no entry.")
        if CHECKPOINT in read:
            checkpoint = Checkpoint.of(read[CHECKPOINT])
        elif type(read.get("position")) is int and _is_hash(read.get("hash")) and _is_checkable(read):
            entries.append(read)
        else:
            raise InvalidRequest(f"Line {number} is no entry: it lacks position or hash.")
    return entries, checkpoint


def _json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _is_checkable(entry: Entry) -> bool:
    """Says something, or has the digest of what is not shown."""
    return bool(_content(entry)) or _is_hash(entry.get("digest"))


def _is_hash(value: object) -> bool:
    try:
        return isinstance(value, str) and len(bytes.fromhex(value)) == sha256().digest_size
    except ValueError:
        return False


def _content(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name not in _OF_CHAIN}


def _canonical(value: Entry) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
