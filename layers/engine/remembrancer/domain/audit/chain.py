"""The hash chain over an organization's audit entries, and its verification.

`digest = SHA-256(canonical JSON of the entry)`, `hash = SHA-256(hash of the entry before + digest)`; the chain begins
with `genesis`. A reader who may not see an entry gets its digest, and can verify the chain without it; a random
`nonce` in each entry prevents that they find its contents by trial.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID

from remembrancer.errors import InvalidRequest

Entry = Mapping[str, Any]
"""What an entry says, as JSON values; without `position`, `digest` and `hash`."""
_OF_CHAIN = ("position", "digest", "hash")
CHECKPOINT = "checkpoint"
_BYTES = {"digest": 32, "hash": 32, "from_hash": 32, "public_key": 32, "signature": 64}
_HEX = re.compile("[0-9a-f]*")
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


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
        """What is signed: all fields but key and signature, as canonical JSON."""
        signed = {
            name: getattr(self, name) for name in ("org_id", "from_position", "from_hash", "position", "hash", "at")
        }
        return _canonical(signed)

    @classmethod
    def of(cls, line: object) -> "Checkpoint":
        """Reads the JSON form; InvalidRequest when it is none, or says anything else."""
        kinds: dict[str, type] = {name: int if name.endswith("position") else str for name in cls.__slots__}
        if (
            not isinstance(line, dict)
            or {name: type(value) for name, value in line.items()} != kinds
            or not _are_hex(line)
            or not _UUID.fullmatch(line["org_id"])
        ):
            raise InvalidRequest(f"A checkpoint has the fields {', '.join(kinds)}.")
        return cls(**line)


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
    """SHA-256 of the entry as canonical JSON."""
    return sha256(_canonical(entry)).digest()


def link(before: bytes, entry_digest: bytes) -> bytes:
    """The hash of an entry behind the one with the hash `before`."""
    return sha256(before + entry_digest).digest()


def verify(lines: Iterable[str], signed: Verify, *, earlier: Iterable[str] | None = None) -> Verdict:
    """Checks an export: JSON Lines of entries in their order, and a checkpoint as the last line. Keeps no entries.

    `earlier` is an older export of the same organization, of which the checkpoint counts: the chain must have the same
    hash there, and with it the same entries before, and must not have become shorter. Raises InvalidRequest for a line
    that is no JSON object of either kind.
    """
    before = None if earlier is None else _end(earlier)
    walk = _Walk(None if before is None else before.position)
    checkpoint = walk.follow(_read(lines))
    problems = walk.problems
    if checkpoint is None:
        problems.append("the last line is no checkpoint: the end is missing")
        return Verdict(checkpoint, walk.entries, walk.hidden, problems)
    problems += walk.ends_as(checkpoint)
    if not signed(checkpoint.public_key, checkpoint.message, checkpoint.signature):
        problems.append("the checkpoint's signature is not valid")
    if earlier is not None and before is None:
        problems.append("the earlier export has no checkpoint")
    if before is not None:
        if not signed(before.public_key, before.message, before.signature):
            problems.append("the signature of the earlier export is not valid")
        problems += _against(before, checkpoint, walk.watched_hash)
    return Verdict(checkpoint, walk.entries, walk.hidden, problems)


@dataclass(slots=True)
class _Walk:
    """Follows the entries of an export; the hash of the one at the position `watched` is kept."""

    watched: int | None
    watched_hash: str | None = None
    entries: int = 0
    hidden: int = 0
    problems: list[str] = field(default_factory=list)
    first: tuple[int, str, str] | None = None
    """Position, digest and hash of the first entry: what is before it is known only at the end."""
    last: tuple[int, str] | None = None

    def follow(self, lines: Iterable[Entry | Checkpoint]) -> Checkpoint | None:
        """Until the checkpoint, which it returns. One problem for each place where the chain is broken; behind it, what
        the file says of the place is taken up.
        """
        for line in lines:
            if isinstance(line, Checkpoint):
                return line
            content = _content(line)
            said = digest(content).hex() if content else line["digest"]
            position, entry_hash = line["position"], line["hash"]
            if line.get("digest", said) != said:
                self.problems.append(f"{position} says another thing than its digest")
            if self.last is None:
                self.first = (position, said, entry_hash)
            else:
                self._note(self.last, position, said, entry_hash)
            self.last = (position, entry_hash)
            self.entries += 1
            self.hidden += not content
            if position == self.watched:
                self.watched_hash = entry_hash
        return None

    def ends_as(self, checkpoint: Checkpoint) -> Sequence[str]:
        """What does not fit to the checkpoint."""
        begins = (checkpoint.from_position, checkpoint.from_hash)
        self.problems, found = [], self.problems
        if begins[0] == 0 and begins[1] != genesis(checkpoint.org_id).hex():
            self.problems.append("the chain does not begin as this organization's")
        if self.first is not None and self.first[0] <= begins[0]:
            self.problems.append(f"entries up to {begins[0]} were removed while they were exported: export again")
        elif self.first is not None:
            self._note(begins, *self.first)
        self.problems += found
        position, last_hash = self.last or begins
        if (position, last_hash) != (checkpoint.position, checkpoint.hash):
            self.problems.append(f"the chain ends with {position}, and its checkpoint says {checkpoint.position}")
        found, self.problems = self.problems, []
        return found

    def _note(self, before: tuple[int, str], position: int, said: str, entry_hash: str) -> None:
        """A problem if this entry does not follow `before`, a position and a hash."""
        if position != before[0] + 1:
            self.problems.append(f"{position} follows {before[0]}: entries are missing, added or in another order")
        elif link(bytes.fromhex(before[1]), bytes.fromhex(said)).hex() != entry_hash:
            self.problems.append(f"{position} does not follow from the entry before: one of them was changed")


def _against(before: Checkpoint, checkpoint: Checkpoint, hash_there: str | None) -> Sequence[str]:
    """`hash_there` is that of the entry at the position of the checkpoint `before`, None where none is there."""
    problems = []
    if (before.org_id, before.public_key) != (checkpoint.org_id, checkpoint.public_key):
        problems.append("the earlier export is of another organization, or was signed with another key")
    if before.position > checkpoint.position or before.from_position > checkpoint.from_position:
        problems.append(f"the earlier export reached {before.position}: the end was cut off, or written anew")
    elif before.position < checkpoint.from_position:
        problems.append(f"the earlier export ends with {before.position}, before this one begins: nothing to compare")
    else:
        there = checkpoint.from_hash if before.position == checkpoint.from_position else hash_there
        if there != before.hash:
            problems.append(f"{before.position} is another entry than in the earlier export: written anew")
    return problems


def _end(lines: Iterable[str]) -> Checkpoint | None:
    last = None
    for last in _read(lines):  # noqa: B007 - the last one counts
        pass
    return last if isinstance(last, Checkpoint) else None


def _read(lines: Iterable[str]) -> Iterator[Entry | Checkpoint]:
    """The entries, and the checkpoint if it is the last line."""
    is_over = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        read = _json(line)
        if is_over or not isinstance(read, dict):
            raise InvalidRequest(f"Line {number} is no entry.")
        if is_over := read.keys() == {CHECKPOINT}:
            yield Checkpoint.of(read[CHECKPOINT])
        elif type(read.get("position")) is int and "hash" in read and _are_hex(read) and _is_checkable(read):
            yield read
        else:
            raise InvalidRequest(f"Line {number} is no entry: it lacks position or hash.")


def _json(line: str) -> Any:
    """None for what is not JSON, or says something twice: what a reader sees would not be what is checked."""
    try:
        return json.loads(line, object_pairs_hook=_once, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(read := dict(pairs)) < len(pairs):
        raise ValueError("a name comes twice")
    return read


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _is_checkable(entry: Entry) -> bool:
    """Says something, or has the digest of what is not shown."""
    return bool(_content(entry)) or "digest" in entry


def _are_hex(line: Mapping[str, Any]) -> bool:
    """Whether the values that are hashes, keys and signatures have their length, in the one way to write them."""
    return all(
        isinstance(line[name], str) and len(line[name]) == 2 * size and _HEX.fullmatch(line[name]) is not None
        for name, size in _BYTES.items()
        if name in line
    )


def _content(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name not in _OF_CHAIN}


def _canonical(value: Entry) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
