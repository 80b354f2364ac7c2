"""Telemetry for operators: metrics, and error logs without any text that callers wrote.

In Lambda metrics are in CloudWatch's embedded metric format; a server has another sink. Dimensions are names of things,
never ids or text. An instance adds up the metrics of ordinary requests and writes them once a minute, as of the minute
in which they were measured; a failure is written at once, with everything that waits. Powertools writes the format: it
is loaded with the first metrics, so after a response.
"""

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

_MOST_CAUSES = 5
MOST_VALUES = 99
"""Values of one metric in one line, which Powertools writes by itself when there are a hundred."""
_MINUTE_SECONDS = 60
# Set by Lambda.
_FUNCTION = "AWS_LAMBDA_FUNCTION_NAME"
_VERSION = "AWS_LAMBDA_FUNCTION_VERSION"
# Variables of Powertools.
_NAMESPACE = "POWERTOOLS_METRICS_NAMESPACE"
_SERVICE = "POWERTOOLS_SERVICE_NAME"


class Measurement(NamedTuple):
    """One metric value; with `summed` it is also published without its dimensions, for alarms.

    With `by_version` it is also published by function and version, so that alarms may watch a new version alone while
    it gets a part of the traffic. Only a published version has a number: for `$LATEST` this metric is not written.
    """

    name: str
    value: float
    unit: str
    dimensions: Mapping[str, str] = MappingProxyType({})
    summed: bool = False
    by_version: bool = False


def count(name: str, number: int = 1, *, by_version: bool = False, **dimensions: str) -> Measurement:
    """A counter increment, by its dimensions and in sum."""
    return Measurement(name, number, "Count", dimensions, summed=bool(dimensions), by_version=by_version)


def duration(name: str, milliseconds: float, **dimensions: str) -> Measurement:
    """A duration, from which CloudWatch computes percentiles."""
    return Measurement(name, round(milliseconds, 2), "Milliseconds", dimensions)


def size(name: str, nbytes: int) -> Measurement:
    """A number of bytes."""
    return Measurement(name, nbytes, "Bytes")


class Group(NamedTuple):
    """Measurements that share a line: their minute (seconds since the epoch) and their sets of dimensions."""

    minute: int
    dimensions: tuple[tuple[str, str], ...]
    summed: bool
    by_version: bool


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one metric: one sum of a count, or each duration."""

    unit: str
    values: list[float]


Sink = Callable[[Mapping[Group, Mapping[str, Series]]], None]
"""Takes metrics by group and name."""


def write_lines(groups: Mapping[Group, Mapping[str, Series]]) -> None:
    """Writes to standard output, where CloudWatch Logs reads it."""
    # One write, so that lines of other threads do not mix with it.
    sys.stdout.write("".join(_lines(groups)))
    sys.stdout.flush()


class Metrics:
    """The metrics of one instance that wait to be written, for at most `seconds` while requests come."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        """`clock` is the wall clock: it tells how long an instance was frozen."""
        self.seconds = 0.0
        self.sink: Sink = write_lines
        self._clock = clock
        self._written_at = 0.0
        self._groups: dict[Group, dict[str, Series]] = {}
        self._lock = Lock()

    @property
    def waiting(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._groups)

    @property
    def due(self) -> bool:
        """Whether the waiting metrics should be written now: nothing was for `seconds`, or the clock went back."""
        return self.waiting and not 0 <= self._clock() - self._written_at < self.seconds

    def add(self, *measurements: Measurement) -> None:
        """Adds up counts of a minute, and keeps each duration."""
        now = int(self._clock())
        minute = now - now % _MINUTE_SECONDS if self.seconds else now
        with self._lock:
            for name, value, unit, dimensions, summed, by_version in measurements:
                group = self._groups.setdefault(Group(minute, tuple(dimensions.items()), summed, by_version), {})
                series = group.get(name)
                if series is None:
                    group[name] = Series(unit, [value])
                elif unit == "Count":
                    series.values[0] += value
                else:
                    series.values.append(value)

    def write(self) -> None:
        """Passes what waits to the sink."""
        with self._lock:
            groups, self._groups = self._groups, {}
            self._written_at = self._clock()
        self.sink(groups)


METRICS = Metrics()
"""All functions of an instance add to these, until they are written after a response."""


def collect(*measurements: Measurement) -> None:
    """Adds metrics of ordinary work to those that wait; they are written when they are due."""
    METRICS.add(*measurements)
    if METRICS.due:
        METRICS.write()


def emit(*measurements: Measurement) -> None:
    """Writes metrics at once, with those that wait."""
    METRICS.add(*measurements)
    if METRICS.waiting:
        METRICS.write()


def load() -> None:
    """Imports Powertools, some 15 ms of processor time."""
    from aws_lambda_powertools.metrics.provider.cloudwatch_emf import cloudwatch  # noqa: F401, PLC0415


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


def _lines(groups: Mapping[Group, Mapping[str, Series]]) -> Iterator[str]:
    from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import (  # noqa: PLC0415
        AmazonCloudWatchEMFProvider,
    )

    service = {"service": os.environ.get(_SERVICE, "remembrancer")}
    namespace = os.environ.get(_NAMESPACE, "Remembrancer")
    version = _version()
    for group, series in groups.items():
        longest = max(len(one.values) for one in series.values())
        for start in range(0, longest, MOST_VALUES):
            metrics = AmazonCloudWatchEMFProvider(
                metric_set={}, dimension_set={**service, **dict(group.dimensions)}, namespace=namespace, service=""
            )
            metrics.set_timestamp(group.minute * 1000)
            if group.summed:
                metrics.add_dimensions(**service)
            if group.by_version and version:
                metrics.add_dimensions(**service, **version)
            for name, one in series.items():
                values = one.values[start : start + MOST_VALUES]
                if values:
                    metrics.add_metric(name, one.unit, values[0])
                    # With each value, `add_metric` formats all values so far for a log line that is not written.
                    metrics.metric_set[name]["Value"] += map(float, values[1:])
            yield json.dumps(metrics.serialize_metric_set(), separators=(",", ":")) + "\n"


def _version() -> Mapping[str, str]:
    """Function and version as dimensions; empty for an unpublished version."""
    version = os.environ.get(_VERSION, "")
    return {"function": os.environ[_FUNCTION], "version": version} if version.isdigit() else {}
