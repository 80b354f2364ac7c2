"""Has something left to do when Lambda ends its instance, as ENDING says: nothing, soon, never."""

import asyncio
import os
from pathlib import Path
from typing import Any

from remembrancer.runtime.after_response import AfterResponse
from remembrancer.runtime.event_loop import LoopThread

loop = LoopThread()
after_response = AfterResponse(loop, os.environ["AWS_LAMBDA_RUNTIME_API"])
ending = os.environ["ENDING"]


async def last() -> None:
    journal = Path(os.environ["JOURNAL"])
    journal.write_text("begun")
    try:
        await asyncio.sleep(0.01 if ending == "soon" else 60)
        journal.write_text("done")
    except asyncio.CancelledError:
        journal.write_text("given up")
        raise


after_response.at_end("last", last, when=lambda: ending != "nothing")


def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    return {}
