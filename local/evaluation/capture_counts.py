"""What capture with a model says of its work, read from the metrics that its function writes."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

_COUNTED = {"Proposals": "result", "CaptureTokens": "kind"}
"""Metrics by the dimension that they are counted by."""


@dataclass(frozen=True, slots=True)
class CaptureCounts:
    """Proposals by what the gate said, `passed` among the reasons, and the model's tokens by kind."""

    counts: Mapping[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in _COUNTED})

    def note(self, line: str) -> None:
        """Takes a line of a function's log; most are something else."""
        if "_aws" not in line or not any(name in line for name in _COUNTED):
            return
        metrics = json.loads(line)
        for name, dimension in _COUNTED.items():
            if name in metrics:
                self.counts[name][metrics[dimension]] += int(sum(metrics[name]))

    def figures(self) -> dict[str, dict[str, int]]:
        """All of it since the first line."""
        return {"proposals": dict(self.counts["Proposals"]), "model_tokens": dict(self.counts["CaptureTokens"])}
