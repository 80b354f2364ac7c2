"""One switch for each part that can be broken: stores behind a proxy, and the embedder inside the functions."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from local.faults.embedder import write_switch
from local.faults.proxy import through
from local.faults.proxy_process import ProxyProcess

EMBEDDER = "embedder"
LABELS = {"postgres": "Postgres", "redis": "Redis", EMBEDDER: "Embedder"}
STORE_FAULTS = ("none", "delay", "hang", "refuse")
EMBEDDER_FAULTS = ("none", "delay", "hang", "dead")
LONGEST_DELAY_MS = 5000.0


@dataclass(frozen=True, slots=True)
class Switch:
    """The state of one part; `delay_ms` counts only for the fault `delay`."""

    name: str
    faults: tuple[str, ...]
    fault: str = "none"
    delay_ms: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """The switch as the inspector reads it."""
        return {
            "name": self.name,
            "label": LABELS[self.name],
            "faults": list(self.faults),
            "fault": self.fault,
            "delay_ms": self.delay_ms,
        }


class FaultSwitches:
    """Starts a proxy in front of each store; the functions use the proxies' addresses."""

    def __init__(self, folder: Path) -> None:
        self.embedder_file = folder.resolve() / "embedder.json"
        self._proxies: dict[str, list[ProxyProcess]] = {}
        self._switches = {EMBEDDER: Switch(EMBEDDER, EMBEDDER_FAULTS)}
        self._turn = asyncio.Lock()

    async def start(self, ports: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
        """Starts a proxy for each of these ports, by the name of the store, and returns their ports."""
        write_switch(self.embedder_file, "none", 0.0)
        for name, nodes in ports.items():
            self._proxies[name] = [await asyncio.to_thread(ProxyProcess, port) for port in nodes]
            self._switches[name] = Switch(name, STORE_FAULTS)
        return {name: [proxy.port for proxy in proxies] for name, proxies in self._proxies.items()}

    def through(self, name: str, url: str) -> str:
        """The URL of a store with the address of its proxy; unchanged for a store without one."""
        return through(self._proxies[name][0], url) if name in self._proxies else url

    @property
    def switches(self) -> list[Switch]:
        """Every switch, stores first."""
        return [self._switches[name] for name in LABELS if name in self._switches]

    async def set(self, name: str, fault: str, delay_ms: float) -> None:
        """Is in force when it returns. Raises ValueError for what no switch has."""
        switch = self._switches.get(name)
        if switch is None or fault not in switch.faults or not 0 <= delay_ms <= LONGEST_DELAY_MS:
            raise ValueError("no such switch, fault or delay")
        async with self._turn:
            if name == EMBEDDER:
                write_switch(self.embedder_file, fault, delay_ms)
            else:
                for proxy in self._proxies[name]:
                    await asyncio.to_thread(proxy.set, fault, delay_ms=delay_ms)  # type: ignore[arg-type]
            self._switches[name] = replace(switch, fault=fault, delay_ms=delay_ms)

    async def repair(self) -> None:
        """Switches every fault off."""
        for switch in self.switches:
            if switch.fault != "none":
                await self.set(switch.name, "none", 0.0)

    async def stop(self) -> None:
        """Ends the proxies; only when no function needs them any more."""
        proxies, self._proxies = self._proxies, {}
        for proxy in chain(*proxies.values()):
            await asyncio.to_thread(proxy.close)
