"""The temporary stack of `remembrancer eval`, with an organization for each way of storing texts."""

import contextlib
import os
import tempfile
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from local.cli.terminal import Terminal
from local.evaluation import extractive_model
from local.evaluation.capture_counts import CaptureCounts
from local.evaluation.examinee import Examinee
from local.evaluation.extractive_model import ExtractiveModel
from local.evaluation.ways import Way, organization
from local.proxy.stand_in import StandIn
from local.stack import Stack, StackSettings, chosen_settings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter

KEY = "MODEL_API_KEY"
"""The environment variable with the key of the model's server."""
IDLE_SECONDS = 20
"""Silence after which the model reads the rest of a session: longer than writing ever pauses."""
MODELS = StackSettings().models
_DRAIN_SECONDS = 120.0


@contextlib.contextmanager
def folder(chosen: Path | None) -> Iterator[Path]:
    """The chosen folder for the stack, made if need be, or a temporary one."""
    if chosen is not None:
        chosen.mkdir(parents=True, exist_ok=True)
        yield chosen.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="remembrancer-eval-") as directory:
        yield Path(directory)


@dataclass(frozen=True, slots=True)
class Scratch:
    """A stack of its own, what its capture says, and the organization for each way of storing the texts."""

    stack: Stack
    examinees: Mapping[Way, Examinee]
    counts: CaptureCounts
    model: str

    async def drain(self) -> None:
        """Returns when the service has nothing left to do."""
        await self.stack.drain(_DRAIN_SECONDS)


@contextlib.asynccontextmanager
async def scratch(
    arguments: Namespace, directory: Path, terminal: Terminal, *, ways: Sequence[Way], idle: frozenset[str]
) -> AsyncIterator[Scratch]:
    """Starts the stack with the settings that the arguments name; functions in `idle` get no work."""
    counts = CaptureCounts()
    async with contextlib.AsyncExitStack() as closing:
        reading = await closing.enter_async_context(_capture_model(arguments)) if arguments.capture else {}
        # A model that the environment names for the service is not asked: only one that the command names.
        chosen = {name: value for name, value in chosen_settings().items() if not name.startswith("CAPTURE_MODEL")}
        settings = StackSettings(
            directory=directory,
            port=0,
            environment={**chosen, **reading, **dict(arguments.setting)},
            without=idle,
            echo=counts.note if arguments.capture else None,
        )
        stack = Stack(settings)
        with terminal.console.status("Starting a scratch stack") as status:
            await stack.start(status.update)
        closing.push_async_callback(stack.stop)
        model = reading.get("CAPTURE_MODEL_NAME", "")
        owners = [organization(stack, directory, way, model=model, languages=arguments.language) for way in ways]
        examinees = {way: await closing.enter_async_context(owner) for way, owner in zip(ways, owners, strict=True)}
        yield Scratch(stack, examinees, counts, model)


@contextlib.asynccontextmanager
async def _capture_model(arguments: Namespace) -> AsyncIterator[dict[str, str]]:
    """The settings of capture for the user's model, or for a scripted one that is served meanwhile."""
    bounds = {"CAPTURE_MODEL": "openai", "CAPTURE_TOKENS": "0", "CAPTURE_IDLE_SECONDS": str(IDLE_SECONDS)}
    if arguments.model:
        key = os.environ.get(KEY, "")
        own = {"CAPTURE_MODEL_URL": arguments.model_url, "CAPTURE_MODEL_NAME": arguments.model}
        yield {**bounds, **own, "CAPTURE_MODEL_API_KEY": key}
        return
    with contextlib.closing(TiktokenCounter(MODELS)) as counter:
        server = StandIn(ExtractiveModel(counter).says)
        await server.start()
        try:
            yield {**bounds, "CAPTURE_MODEL_URL": f"{server.url}/v1", "CAPTURE_MODEL_NAME": extractive_model.NAME}
        finally:
            await server.stop()
