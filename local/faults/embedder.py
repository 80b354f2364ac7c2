"""An embedder that fails on demand."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from remembrancer.errors import StoreUnavailable
from remembrancer.ports.models import Embedder

EmbedderFault = Literal["none", "dead", "hang", "delay", "garbage"]


@dataclass(slots=True)
class FaultyEmbedder:
    """Uses the real embedder, unless it has a fault."""

    real: Embedder
    fault: EmbedderFault = "none"
    delay_ms: float = 0.0

    @property
    def model(self) -> str:
        """The model of the real embedder."""
        return self.real.model

    @property
    def dimensions(self) -> int:
        """The dimensions of the real embedder."""
        return self.real.dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of the real embedder, late, wrong, or never; raises StoreUnavailable when it is dead."""
        match self.fault:
            case "dead":
                raise StoreUnavailable("the embedding model failed", cause="ModelError")
            case "hang":
                await asyncio.Event().wait()
            case "delay":
                await asyncio.sleep(self.delay_ms / 1000)
            case "garbage":
                return np.full((len(texts), self.dimensions), np.nan, np.float32)
        return await self.real.embed(texts)

    async def warm(self) -> None:
        """Loads the model."""
        await self.real.embed(["warm"])


@dataclass(slots=True)
class SwitchedEmbedder(FaultyEmbedder):
    """Reads its fault from a file before each use: the file is the switch of another process."""

    switch: Path = Path()

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the switch says now; without its file nothing is wrong."""
        self.fault, self.delay_ms = read_switch(self.switch)
        return await FaultyEmbedder.embed(self, texts)


def read_switch(path: Path) -> tuple[EmbedderFault, float]:
    """The fault and the delay in ms that the file has."""
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return "none", 0.0
    return state["fault"], state["delay_ms"]


def write_switch(path: Path, fault: str, delay_ms: float) -> None:
    """Replaces the file as a whole, since functions may read it at any moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps({"fault": fault, "delay_ms": delay_ms}), encoding="utf-8")
    new.replace(path)
