"""A proxy in a process of its own, so that it takes no time from the interpreter of whoever measures.

`python -m local.faults.proxy_process PORT` writes the proxy's port, then an empty line for each order read.
"""

import asyncio
import json
import subprocess
import sys

from local.faults.proxy import Fault, FaultProxy


class ProxyProcess:
    """In front of the port of a server; ends with `close`."""

    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C at the terminal must reach only us: functions still finish their work
        )
        self.port = int(self._answer())

    def set(self, fault: Fault, *, delay_ms: float = 0.0, only: str = "") -> None:
        """Switches the fault, as FaultProxy does; it is in force when this returns."""
        self._order(fault=fault, delay_ms=delay_ms, only=only)

    def lead_to(self, port: int, *, silent: bool = False) -> None:
        """As FaultProxy does."""
        self._order(port=port, silent=silent)

    def _order(self, **order: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        self._answer()

    def close(self) -> None:
        """Ends the process and waits for its end."""
        self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def main(port: int) -> None:
    """Serves until standard input ends; a line there is an order, an empty line on standard output confirms it."""
    proxy = FaultProxy(port)
    await proxy.start()
    _say(str(proxy.port))
    loop = asyncio.get_running_loop()
    while order := await loop.run_in_executor(None, sys.stdin.readline):
        asked = json.loads(order)
        if "port" in asked:
            await proxy.lead_to(**asked)
        else:
            await proxy.set(**asked)
        _say("")
    await proxy.stop()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
