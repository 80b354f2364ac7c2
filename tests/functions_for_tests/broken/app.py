"""Does not start, or not while something is in its way."""

import os
import time
from pathlib import Path
from typing import Any

match os.environ["FAULT"]:
    case "import":
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    case "exit":
        os._exit(3)
    case "raise":
        raise LookupError("nothing there")
    case "hang":
        time.sleep(600)
    case "hang while":
        while Path(os.environ["OBSTACLE"]).exists():
            time.sleep(0.01)


def handler(event: dict[str, Any], context: Any) -> int:
    Path(event["entered"]).touch()
    while not Path(event["gate"]).exists():
        time.sleep(0.005)
    return os.getpid()
