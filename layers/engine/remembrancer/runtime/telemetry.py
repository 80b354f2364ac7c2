"""Telemetry for operators: metrics, and error logs without any text that callers wrote.

Metrics are in CloudWatch's embedded metric format; dimensions are names of things, never ids or text. They are written
here and not by Powertools, whose Metrics hold one set of dimensions: a request would take a blob and 50 µs for each
metric, a tenth of a second to import, and no metric could be published both by reason and in sum. Here all metrics of a
request leave in one write, with as few lines as their dimensions allow.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

# The variable that Powertools reads, so that dashboards of other services find these metrics under the usual names.
_NAMESPACE = "POWERTOOLS_METRICS_NAMESPACE"
_SERVICE = "POWERTOOLS_SERVICE_NAME"
_MOST_CAUSES = 5
# Set by Lambda.
_FUNCTION = "AWS_LAMBDA_FUNCTION_NAME"
_VERSION = "AWS_LAMBDA_FUNCTION_VERSION"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One metric value; with `summed` it is also published without its dimensions, for alarms.

    With `by_version` it is also published by function and version, so that alarms may watch a new version alone while
    it gets a part of the traffic. Only a published version has a number: for `$LATEST` this metric is not written.
    """

    name: str
    value: float
    unit: str
    dimensions: Mapping[str, str] = field(default_factory=dict)
    summed: bool = False
    by_version: bool = False


def count(name: str, number: int = 1, *, by_version: bool = False, **dimensions: str) -> Measurement:
    """A counter increment, by its dimensions and in sum."""
    return Measurement(name, number, "Count", dimensions, summed=bool(dimensions), by_version=by_version)


def duration(name: str, milliseconds: float, **dimensions: str) -> Measurement:
    """A duration, from which CloudWatch computes percentiles."""
    return Measurement(name, round(milliseconds, 3), "Milliseconds", dimensions)


def emit(*measurements: Measurement) -> None:
    """Writes metrics to standard output, where CloudWatch Logs reads them; some 20 µs a line."""
    if not measurements:
        return
    service = {"service": os.environ.get(_SERVICE, "remembrancer")}
    head = {"Timestamp": time.time_ns() // 1_000_000}
    namespace = os.environ.get(_NAMESPACE, "Remembrancer")
    version = _version()
    lines = [_line(head, namespace, service, version, group) for group in _groups(measurements)]
    # One write, so that lines of other threads do not mix with it.
    sys.stdout.write("".join(lines))
    sys.stdout.flush()


def described(error: BaseException) -> dict[str, Any]:
    """An unexpected exception for the log, without its message: a driver's or a KeyError's may quote a memory or a
    key.
    """
    causes: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < _MOST_CAUSES:
        causes.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    return {
        "error": causes,
        "sqlstate": getattr(error, "sqlstate", None),
        "stack": traceback.format_tb(error.__traceback__),
    }


def _groups(measurements: Iterable[Measurement]) -> list[list[Measurement]]:
    """Groups metrics into lines: a line holds one value of each metric and dimension, so each goes to the first line
    with room.
    """
    groups: list[list[Measurement]] = []
    for one in measurements:
        fitting = (group for group in groups if all(_fit(one, other) for other in group))
        group = next(fitting, None)
        if group is None:
            groups.append([one])
        else:
            group.append(one)
    return groups


def _fit(one: Measurement, other: Measurement) -> bool:
    shared = one.dimensions.keys() & other.dimensions.keys()
    return one.name != other.name and all(one.dimensions[name] == other.dimensions[name] for name in shared)


def _version() -> Mapping[str, str]:
    """Function and version as dimensions; empty for an unpublished version."""
    version = os.environ.get(_VERSION, "")
    return {"function": os.environ[_FUNCTION], "version": version} if version.isdigit() else {}


def _line(
    head: Mapping[str, Any],
    namespace: str,
    service: Mapping[str, str],
    version: Mapping[str, str],
    group: Sequence[Measurement],
) -> str:
    directives = []
    members: dict[str, Any] = dict(service)
    if any(one.by_version for one in group):
        members |= version
    for one in group:
        sets = [[*service, *one.dimensions]]
        if one.summed:
            sets.append([*service])
        if one.by_version and version:
            sets.append([*service, *version])
        metrics = [{"Name": one.name, "Unit": one.unit}]
        directives.append({"Namespace": namespace, "Dimensions": sets, "Metrics": metrics})
        members |= {**one.dimensions, one.name: one.value}
    return json.dumps({"_aws": {**head, "CloudWatchMetrics": directives}, **members}, separators=(",", ":")) + "\n"
