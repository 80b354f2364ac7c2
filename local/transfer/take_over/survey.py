"""What a file of another product would bring, before anything of it is sent."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from local.transfer.take_over import owners
from local.transfer.take_over.owners import NobodyError, Owners
from local.transfer.take_over.records import Conversation, Fact, LeftOut, Record

SHOWN = 5


@dataclass(slots=True)
class Survey:
    """Counts of a file. `by_owner` has None for what would be shared; `left_out` has reasons, and with each the count
    and the first place; `nobodys` are things whose end user nothing names, `namespaces` some that were seen.
    """

    facts: int = 0
    conversations: int = 0
    messages: int = 0
    by_owner: Counter[str | None] = field(default_factory=Counter)
    left_out: dict[str, tuple[int, str]] = field(default_factory=dict)
    refused: list[tuple[str, str]] = field(default_factory=list)
    nobodys: int = 0
    namespaces: set[str] = field(default_factory=set)

    def leave_out(self, reason: str, count: int, place: str) -> None:
        """Counts what is not taken; the first place stays."""
        before, first = self.left_out.get(reason, (0, place))
        self.left_out[reason] = (before + count, first)

    def refuse(self, place: str, reason: str) -> None:
        """Notes what is wrong in the file, or what the service refuses."""
        self.refused.append((place, reason))


def survey(records: Iterable[Record], agent: str, whose: Owners) -> Survey:
    """The counts of all records. Raises FormatError where the file cannot be read."""
    found = Survey()
    for record in records:
        if isinstance(record, LeftOut):
            if record.is_refused:
                found.refuse(record.place, record.reason)
            else:
                found.leave_out(record.reason, record.count, record.place)
            continue
        if record.namespace and len(found.namespaces) < SHOWN:
            found.namespaces.add(".".join(record.namespace))
        try:
            _count(found, record, agent, whose)
        except NobodyError:
            found.nobodys += 1
    return found


def _count(found: Survey, record: Fact | Conversation, agent: str, whose: Owners) -> None:
    if isinstance(record, Fact):
        problem = owners.import_line(record, 0, agent, whose).problem
    else:
        problem = owners.refusal(record, agent, whose)
    if problem:
        found.refuse(record.place, problem)
        return
    if isinstance(record, Conversation):
        found.conversations += 1
        found.messages += len(record.messages)
    else:
        found.facts += 1
    found.by_owner[whose.owner(record)] += 1
