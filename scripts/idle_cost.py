"""Monthly costs of each environment without requests, item by item.

Counts the resources that the templates create with samconfig.toml's parameters and multiplies them by `prices.toml`.
`make costs` writes the table into docs/capacity.md; a test compares the two.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from local.intrinsics import Resolver, load
from scripts.configuration import ROOT, StackConfiguration, stacks

PRICES = Path(__file__).with_name("prices.toml")
PAGE = ROOT / "docs" / "capacity.md"
ENVIRONMENTS = ("dev", "staging", "prod")
BEGIN, END = "<!-- written by `make costs` -->\n", "<!-- end -->\n"
# Polls of an empty queue: five pollers, each waiting twenty seconds for an answer.
POLLERS = 5
POLL_SECONDS = 20
# The maintenance run: seconds per run, once a minute.
MAINTAIN_SECONDS = 0.3
FREE_DASHBOARDS = 3
MONTH_SECONDS = 730 * 3600

Resources = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class CostItem:
    """One item of the bill."""

    name: str
    detail: str
    dollars: float


@dataclass(frozen=True, slots=True)
class Made:
    """The resources of a stack that its conditions create, and its parameters."""

    stack: StackConfiguration
    resources: Resources
    resolver: Resolver

    def of(self, *kinds: str) -> list[Mapping[str, Any]]:
        """The properties of each resource of these types."""
        return [resource.get("Properties", {}) for resource in self.resources.values() if resource["Type"] in kinds]

    def number(self, name: str) -> int:
        """A numeric parameter."""
        return int(self.stack.parameters[name])


def made(stack: StackConfiguration) -> Made:
    """Evaluates the conditions of the template."""
    document = load((ROOT / stack.template).read_text(encoding="utf-8"))
    resolver = Resolver(stack.parameters, document.get("Conditions", {}), {})
    exists = {
        name: resource
        for name, resource in document["Resources"].items()
        if "Condition" not in resource or resolver.holds(resource["Condition"])
    }
    return Made(stack, exists, resolver)


def bill(environment: str, prices: Mapping[str, Any]) -> list[CostItem]:
    """Every item, most expensive first."""
    parts = {stack.part: made(stack) for stack in stacks(environment)}
    items = [
        *_database(parts["data"], prices),
        *_cache(parts["data"], prices),
        *_network(parts["network"], prices),
        *_service(parts[""], prices),
        *_watching(list(parts.values()), prices),
    ]
    return sorted(items, key=lambda item: -item.dollars)


def _database(data: Made, prices: Mapping[str, Any]) -> Iterator[CostItem]:
    parameters, hours = data.stack.parameters, prices["hours_a_month"]
    kind, gigabytes = parameters["DatabaseInstanceClass"], data.number("DatabaseStorageGb")
    assert parameters["DatabaseKind"] == "instance"
    standby = parameters["DatabaseMultiAz"] == "true"
    count = 2 if standby else 1
    yield CostItem("database", f"{count} × {kind}", count * hours * prices["hour"]["database"][kind])
    price = prices["month"]["storage_gb_with_standby" if standby else "storage_gb"]
    yield CostItem("storage of the database", f"{gigabytes} GB{', twice' if standby else ''}", gigabytes * price)


def _cache(data: Made, prices: Mapping[str, Any]) -> Iterator[CostItem]:
    kind = data.stack.parameters["CacheNodeType"]
    assert data.stack.parameters["CacheKind"] == "replication-group"
    count = data.number("CacheShards") * (1 + data.number("CacheReplicas"))
    yield CostItem("cache", f"{count} × {kind}", count * prices["hours_a_month"] * prices["hour"]["cache"][kind])
    # RDS manages the owner's secret.
    secrets = len(data.of("AWS::SecretsManager::Secret")) + 1
    yield CostItem("secrets", str(secrets), secrets * prices["month"]["secret"])
    keys = len(data.of("AWS::KMS::Key"))
    yield CostItem("key", str(keys), keys * prices["month"]["key"])


def _network(network: Made, prices: Mapping[str, Any]) -> Iterator[CostItem]:
    endpoints = [one for one in network.of("AWS::EC2::VPCEndpoint") if one["VpcEndpointType"] == "Interface"]
    zones = len(network.of("AWS::EC2::Subnet")) if network.stack.parameters["EndpointZones"] == "all" else 1
    count = len(endpoints) * zones
    dollars = count * prices["hours_a_month"] * prices["hour"]["endpoint_in_a_zone"]
    yield CostItem("endpoints", f"{len(endpoints)} in {zones} zone{'s' if zones > 1 else ''}", dollars)


def _service(service: Made, prices: Mapping[str, Any]) -> Iterator[CostItem]:
    document = load((ROOT / service.stack.template).read_text(encoding="utf-8"))
    gigabytes = document["Globals"]["Function"]["MemorySize"] / 1024
    warm = service.number("AssembleConcurrency") + service.number("QueryConcurrency")
    if warm:
        dollars = warm * gigabytes * MONTH_SECONDS * prices["gb_second"]["warm"]
        yield CostItem("warm instances", f"{warm} × {gigabytes:.2f} GB", dollars)
    runs = MONTH_SECONDS / 60
    dollars = runs * MAINTAIN_SECONDS * gigabytes * prices["gb_second"]["function"]
    dollars += runs / 1e6 * prices["million"]["function_requests"]
    yield CostItem("maintenance", f"{MAINTAIN_SECONDS} s each minute", dollars)
    functions = service.of("AWS::Serverless::Function")
    queues = sum(event["Type"] == "SQS" for one in functions for event in one.get("Events", {}).values())
    requests = queues * POLLERS * MONTH_SECONDS / POLL_SECONDS
    dollars = requests / 1e6 * prices["million"]["queue_requests"]
    yield CostItem("queues", f"{requests / 1e6:.1f} million polls", dollars)


def _watching(parts: Sequence[Made], prices: Mapping[str, Any]) -> Iterator[CostItem]:
    alarms = [alarm for part in parts for alarm in part.of("AWS::CloudWatch::Alarm")]
    metrics = sum(sum("MetricStat" in metric for metric in alarm.get("Metrics", [])) or 1 for alarm in alarms)
    yield CostItem("alarms", f"{len(alarms)} on {metrics} metrics", metrics * prices["month"]["metric_of_an_alarm"])
    dashboards = sum(len(part.of("AWS::CloudWatch::Dashboard")) for part in parts)
    beyond = max(dashboards - FREE_DASHBOARDS, 0)
    yield CostItem("dashboards", f"{dashboards}, {FREE_DASHBOARDS} are free", beyond * prices["month"]["dashboard"])


def table(prices: Mapping[str, Any]) -> str:
    """The table for docs/capacity.md: a row for each item, a column for each environment."""
    bills = {name: {item.name: item for item in bill(name, prices)} for name in ENVIRONMENTS}
    names = list(dict.fromkeys(name for each in reversed(bills.values()) for name in each))
    rows = [
        "| a month, without a request | " + " | ".join(f"`{name}`" for name in ENVIRONMENTS) + " |",
        "|---|---|---|---|",
    ]
    for name in names:
        cells = [_cell(bills[environment].get(name)) for environment in ENVIRONMENTS]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    totals = [sum(item.dollars for item in each.values()) for each in bills.values()]
    rows.append("| **together** | " + " | ".join(f"**${total:,.0f}**" for total in totals) + " |")
    heading = f"Prices of {prices['as_of']}, us-east-1 ([`scripts/prices.toml`](../scripts/prices.toml)).\n\n"
    return heading + "\n".join(rows) + "\n"


def _cell(item: CostItem | None) -> str:
    return "" if item is None else f"${item.dollars:,.2f} ({item.detail})"


def read_prices() -> dict[str, Any]:
    """The price table, with its date."""
    return tomllib.loads(PRICES.read_text(encoding="utf-8"))


def main() -> int:
    """Writes the table to standard output, or into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into docs/capacity.md")
    options = parser.parse_args()
    text = table(read_prices())
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.DOTALL)
        PAGE.write_text(pattern.sub(lambda _: BEGIN + text + END, page), encoding="utf-8")
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
