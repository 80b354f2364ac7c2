"""Breaks what the service depends on, one thing after the other, under load: `make bench-outages`.

For each outage: what callers were told, what of it was lost, and how soon everything was whole and done again, without
a restart of the service. `--only NAME` runs some of them; rows of the others are kept from the last run.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console

from benchmarks import figures
from benchmarks.outages.breaks import OUTAGES, Outage
from benchmarks.outages.rig import Call, Callers, Rig, Stored
from benchmarks.outages.setups import setup
from tests.e2e.conftest import Loop

WARM_SECONDS = 4.0
AFTER_SECONDS = 3.0
WHOLE_SECONDS = 90.0
"""The most that is waited for a complete answer."""
DONE_SECONDS = 240.0
"""The most that is waited until all work is done; what is not done then is called lost."""
POLL_SECONDS = 0.5
PAGE = Path(__file__).parents[2] / "docs" / "outages.md"


def main(argv: Sequence[str] | None = None) -> int:
    """Prints a line for each outage; writes `benchmarks/results/outages.json` and docs/outages.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="; ".join(one.name for one in OUTAGES))
    arguments = parser.parse_args(argv)
    chosen = [one for one in OUTAGES if not arguments.only or any(one.name.startswith(n) for n in arguments.only)]
    console = Console()
    loop = Loop()
    try:
        for needed, outages in groupby(sorted(chosen, key=lambda one: one.setup), lambda one: one.setup):
            with tempfile.TemporaryDirectory() as directory, setup(needed, Path(directory), loop) as started:
                for one in outages:
                    row = measured(started, one)
                    console.print(_line(row), highlight=False)
                    _write(row)
    finally:
        loop.close()
    return 0


def measured(started: Rig, outage: Outage) -> dict[str, Any]:
    """Runs one outage; its row."""
    tenant = outage.tenant(started)
    uses_before = started.stored(Callers(tenant, dict)).uses
    headers = outage.headers(started, tenant)
    callers = Callers(tenant, lambda: headers)
    callers.start(outage.kinds)
    try:
        time.sleep(WARM_SECONDS)
        began = time.monotonic()
        with outage.broken(started):
            time.sleep(outage.seconds)
        mended = time.monotonic()
        whole_after = _until_whole(callers, outage.kinds, mended)
        time.sleep(AFTER_SECONDS)
    finally:
        callers.stop()
    done_after, left = _until_done(started, callers, uses_before, mended)
    during = [call for call in callers.calls if began <= call.asked < mended]
    return {
        "name": outage.name,
        "of": outage.of,
        "how": outage.how,
        "seconds": outage.seconds,
        "answers": {kind: _answers([call for call in during if call.kind == kind]) for kind in outage.kinds},
        "acknowledged": len(callers.acknowledged) + len(callers.conversations),
        "lost": len(callers.acknowledged) - left.memories + len(callers.conversations) - left.conversations,
        "undone": left.waiting + left.unread,
        "told": callers.told,
        "counted": left.uses - uses_before,
        "whole_after": whole_after,
        "done_after": done_after,
    }


def _answers(calls: Sequence[Call]) -> dict[str, Any]:
    statuses = Counter(
        f"{call.status or 'none'} {_kinds(call.missing)}".strip() if not call.is_whole else "whole" for call in calls
    )
    slowest = max((call.ended - call.asked for call in calls), default=0.0)
    return {"calls": len(calls), "by_answer": dict(statuses.most_common()), "slowest_s": round(slowest, 1)}


def _kinds(missing: str) -> str:
    return ",".join(dict.fromkeys(one.partition(":")[0] for one in missing.split(",")))


def _until_whole(callers: Callers, kinds: Sequence[str], mended: float) -> float | None:
    """Seconds until each kind of call has had a complete answer; None if one never had."""
    while time.monotonic() < mended + WHOLE_SECONDS:
        firsts = [
            next((call.ended for call in list(callers.calls) if _is_back(call, kind, mended)), None) for kind in kinds
        ]
        if None not in firsts:
            return round(max(first for first in firsts if first is not None) - mended, 1)
        time.sleep(POLL_SECONDS / 5)
    return None


def _is_back(call: Call, kind: str, mended: float) -> bool:
    return call.kind == kind and call.asked >= mended and call.is_whole


def _until_done(started: Rig, callers: Callers, uses_before: int, mended: float) -> tuple[float | None, Stored]:
    """Seconds until all is embedded, captured and counted; None if it never was."""
    while True:
        stored = started.stored(callers)
        is_done = not stored.waiting and not stored.unread and stored.uses - uses_before >= callers.told
        waited = time.monotonic() - mended
        if is_done or waited > DONE_SECONDS:
            # What comes twice may be counted twice a little later.
            time.sleep(AFTER_SECONDS)
            return (round(waited, 1) if is_done else None), started.stored(callers)
        time.sleep(POLL_SECONDS)


def _line(row: Mapping[str, Any]) -> str:
    return (
        f"{row['name']:45} whole after {row['whole_after']} s, done after {row['done_after']} s, lost {row['lost']} of "
        f"{row['acknowledged']}, undone {row['undone']}, counted {row['counted']} of {row['told']}  {row['answers']}"
    )


def _write(row: Mapping[str, Any]) -> None:
    known = {one["name"]: one for one in (figures.read("outages") or {}).get("outages", [])} | {row["name"]: row}
    rows = [known[one.name] for one in OUTAGES if one.name in known]
    figures.write("outages", {"outages": rows})
    figures.document("outages", table(rows), page=PAGE)


def table(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """One row for each outage, in the form of the document."""
    return [
        "| what | lasts | callers are told meanwhile | acknowledged writes lost | uses told, counted | "
        "complete answers again after | all work done after | command |",
        "|---|---|---|---|---|---|---|---|",
        *(
            f"| {row['of']}: {row['how']} | {row['seconds']:.0f} s | {_told(row['answers'])} | {row['lost']} of "
            f"{row['acknowledged']} | {row['told']}, {row['counted']} | {_seconds(row['whole_after'])} | "
            f"{_seconds(row['done_after'])} | `--only {row['name']}` |"
            for row in rows
        ),
    ]


def _told(answers: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{kind}: {_shares(one['by_answer'])}, slowest {one['slowest_s']} s" for kind, one in answers.items()
    )


def _shares(by_answer: Mapping[str, int]) -> str:
    total = sum(by_answer.values())
    most = Counter(by_answer).most_common(3)
    return ", ".join(f"{'complete' if said == 'whole' else f'`{said}`'} {number / total:.0%}" for said, number in most)


def _seconds(seconds: float | None) -> str:
    return "not" if seconds is None else f"{seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
