"""What CloudWatch makes of figures in its embedded format."""

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

SERVICE = ("service", "remembrancer")
Published = tuple[str, tuple[tuple[str, str], ...], float, str]


def published(output: str) -> Iterator[Published]:
    """What CloudWatch makes of it: metric, dimensions, value and unit, for each set of dimensions and each value."""
    for line in output.splitlines():
        blob: Mapping[str, Any] = json.loads(line)
        assert abs(blob["_aws"]["Timestamp"] / 1000 - time.time()) < 60
        for directive in blob["_aws"]["CloudWatchMetrics"]:
            for metric in directive["Metrics"]:
                for names in directive["Dimensions"]:
                    dimensions = tuple((name, blob[name]) for name in names)
                    assert all(isinstance(text, str) for _, text in dimensions)
                    for value in blob[metric["Name"]]:
                        yield metric["Name"], dimensions, value, metric["Unit"]
