"""Lambda's runtime client, for functions whose embedder has a switch: `python -m local.faults.runtime app.handler`.

The file of the switch is in EMBEDDER_SWITCH.
"""

import os
import sys
from functools import cached_property
from pathlib import Path

from awslambdaric.__main__ import main

from local.faults.embedder import SwitchedEmbedder
from remembrancer.bootstrap.models import Models


def install(switch: Path) -> None:
    """Every instance that is created from now on uses its embedder through the switch."""
    real = Models.__dict__["embedder"]

    def embedder(instance: Models) -> SwitchedEmbedder:
        return SwitchedEmbedder(real.func(instance), switch=switch)

    switched = cached_property(embedder)
    switched.__set_name__(Models, "embedder")
    Models.embedder = switched  # type: ignore[assignment]


if __name__ == "__main__":
    install(Path(os.environ["EMBEDDER_SWITCH"]))
    main(sys.argv)
