"""The cost of a million assemblies, item by item, before and after usage was merged and logs were thinned out.

Multiplies what `python -m benchmarks.processor` measured by `prices.toml`. The duration is processor time of the
instance: it has one processor, and hardly waits for anything else. `make costs` writes the tables into
docs/capacity.md; a test compares the two.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from local.intrinsics import load
from scripts.configuration import ROOT
from scripts.idle_cost import MONTH_SECONDS, PAGE, read_prices

RESULTS = ROOT / "benchmarks" / "results" / "processor.json"
BEGIN, END = "<!-- a million, written by `make costs` -->\n", "<!-- end of a million -->\n"
TIER = "map"
SENT_TOGETHER: Mapping[str, int] = {"before": 1, "after": 10}
"""Usage events of one call of SQS."""
RECEIVED_TOGETHER = 10
"""Messages of one call in which Lambda receives or deletes them."""
PLATFORM_BYTES: Mapping[str, int] = {"before": 570, "after": 0}
"""Bytes of Lambda's own lines about a call that succeeds, its start and its report (assumed): not written any more."""
TRACED = 0.05
"""The share of requests that X-Ray samples at many requests a second."""
ACCESS_LOG_BYTES = 350
"""Of one line, by the format in template.yaml with usual values (estimated)."""
METRICS = 100
"""Custom metrics that a service with traffic publishes: names times the values of their dimensions (estimated)."""
RESPONSE_KB = 10
"""Request and response together, as a load balancer counts them."""
DOORS: Mapping[str, str] = {"http_api": "HTTP API", "load_balancer": "ALB", "function_url": "function URL"}


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the bill for a million assemblies."""

    name: str
    detail: str
    dollars: float


def items(version: str, row: Mapping[str, Any], prices: Mapping[str, Any], gigabytes: float) -> Sequence[Item]:
    """Everything behind the front door."""
    million = prices["million"]
    second = prices["gb_second"]["function"] * gigabytes * 1e6
    worker = row["servers_ms"]["side effects"]
    calls = 1 / SENT_TOGETHER[version] + 2 / RECEIVED_TOGETHER
    log_bytes = row["log_bytes"] + PLATFORM_BYTES[version]
    return (
        Item("function", f"{row['instance_ms']:.1f} ms of {gigabytes:.2f} GB", row["instance_ms"] / 1000 * second),
        Item("calls of the function", "one", million["function_requests"]),
        Item("worker that counts usage", f"{worker:.2f} ms", worker / 1000 * second),
        Item("SQS: send, receive, delete", f"{calls:.1f} calls", calls * million["queue_requests"]),
        Item("log and metrics", f"{log_bytes:,} B", log_bytes / 1e3 * prices["log_gb"]),
        Item("traces", f"{TRACED:.0%}", TRACED * million["traces"]),
    )


def door(name: str, prices: Mapping[str, Any]) -> float:
    """Dollars of the front door for a million requests, without what it costs without requests."""
    if name == "load_balancer":
        return float(RESPONSE_KB / prices["load_balancer"]["gb_a_unit_hour"] * prices["load_balancer"]["unit_hour"])
    return float(prices["million"].get(name, 0.0))


def bills(prices: Mapping[str, Any], results: Mapping[str, Any]) -> dict[str, Sequence[Item]]:
    """The items of each version that was measured."""
    found = {}
    for version in (name for name in SENT_TOGETHER if name in results):
        found[version] = items(version, row_of(results[version]), prices, function_gigabytes())
    return found


def row_of(rows: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What was measured of assemblies from a map."""
    (row,) = (row for row in rows if row["tier"] == TIER)
    return row


def table(prices: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    """A row for each item, then the total for each front door; and what choices cost without a request."""
    found = bills(prices, results)
    lines = ["| a million assemblies | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    lines += [
        f"| {each[0].name} | " + " | ".join(f"${one.dollars:.2f} ({one.detail})" for one in each) + " |"
        for each in zip(*found.values(), strict=True)
    ]
    for name, title in DOORS.items():
        dollars = door(name, prices)
        cells = [f"**${sum(one.dollars for one in bill) + dollars:.2f}**" for bill in found.values()]
        lines.append(f"| **together, with {title}** (${dollars:.2f}) | " + " | ".join(cells) + " |")
    lines += ["", "| beside them | |", "|---|---|"]
    lines += [f"| {item.name} | ${item.dollars:.2f} ({item.detail}) |" for item in beside(prices)]
    lines += ["", "| a choice | a month, without a request |", "|---|---|"]
    lines += [f"| {item.name} | ${item.dollars:.2f} ({item.detail}) |" for item in choices(prices)]
    return "\n".join(lines) + "\n"


def beside(prices: Mapping[str, Any]) -> Sequence[Item]:
    """What the bill has beside the items of the requests; transfer and access log for a million of them."""
    gigabytes = RESPONSE_KB * 1e6 / 1e6
    between = prices["transfer_gb_between_zones"]
    outside = prices["transfer_gb_to_internet"]
    access = ACCESS_LOG_BYTES / 1e3 * prices["log_gb"]
    metric = prices["month"]["metric"]
    return (
        Item("access log of the HTTP API", f"{ACCESS_LOG_BYTES} B a request", access),
        Item("transfer to a proxy in the internet", f"{gigabytes:.0f} GB at ${outside}", gigabytes * outside),
        Item("the same, to and from another zone", f"at ${between} in each direction", gigabytes * 2 * between),
        Item("custom metrics, a month", f"{METRICS} at ${metric:.2f}, whatever the load", METRICS * metric),
    )


def choices(prices: Mapping[str, Any]) -> Sequence[Item]:
    """What front doors and ways to start cost without a request."""
    gigabytes = function_gigabytes()
    warm = gigabytes * MONTH_SECONDS * prices["gb_second"]["warm"]
    kept = gigabytes * MONTH_SECONDS * prices["gb_second"]["snapshot"]
    restored = gigabytes * prices["snapshot_restored_gb"] * 1000
    hour = prices["hour"]["load_balancer"]
    return (
        Item("`FrontDoor=HttpApi`, or a function URL", "nothing", 0.0),
        Item("`FrontDoor=Alb`", f"${hour} an hour", prices["hours_a_month"] * hour),
        Item("a warm instance, as of `AssembleConcurrency`", f"{gigabytes:.2f} GB", warm),
        Item(
            "`SnapStart`, for each version that is kept of `memories` and `query`",
            f"{gigabytes:.2f} GB; and ${restored:.2f} for a thousand starts",
            kept,
        ),
    )


def function_gigabytes() -> float:
    """Memory of a function."""
    template = load((ROOT / "template.yaml").read_text(encoding="utf-8"))
    return float(template["Globals"]["Function"]["MemorySize"]) / 1024


def read_results() -> dict[str, Any]:
    """What was measured, by version."""
    return dict(json.loads(RESULTS.read_text(encoding="utf-8")))


def main() -> int:
    """Writes the tables into the page and to standard output."""
    text = table(read_prices(), read_results())
    page = PAGE.read_text(encoding="utf-8")
    pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
    PAGE.write_text(pattern.sub(lambda _: BEGIN + text + END, page), encoding="utf-8")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
