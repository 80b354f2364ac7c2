"""Does not start."""

import os
import time

match os.environ["FAULT"]:
    case "import":
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401
    case "exit":
        os._exit(3)
    case "raise":
        raise LookupError("nothing there")
    case "hang":
        time.sleep(600)
