"""Lambda's runtime client, for functions whose embedder has a switch: `python -m local.faults.runtime app.handler`.

The file of the switch is in EMBEDDER_SWITCH. Where CLOCK_SWITCH names a file, the wall clock is wrong by the hours
that it says.
"""

import os
import sys
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path

from awslambdaric.__main__ import main

from local.faults.embedder import SwitchedEmbedder
from remembrancer.adapters.clock import SystemClock
from remembrancer.bootstrap.models import Models


def install(switch: Path) -> None:
    """Every instance that is created from now on uses its embedder through the switch."""
    real = Models.__dict__["embedder"]

    def embedder(instance: Models) -> SwitchedEmbedder:
        return SwitchedEmbedder(real.func(instance), switch=switch)

    switched = cached_property(embedder)
    switched.__set_name__(Models, "embedder")
    Models.embedder = switched  # type: ignore[assignment]


def set_clock(switch: Path) -> None:
    """The clock of every instance, read before each use."""
    right = SystemClock.now

    def now(self: SystemClock) -> datetime:
        return right(self) + timedelta(hours=float(switch.read_text(encoding="utf-8")))

    SystemClock.now = now  # type: ignore[method-assign]


if __name__ == "__main__":
    if "CLOCK_SWITCH" in os.environ:
        set_clock(Path(os.environ["CLOCK_SWITCH"]))
    install(Path(os.environ["EMBEDDER_SWITCH"]))
    main(sys.argv)
