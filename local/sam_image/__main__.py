"""`python -m local.sam_image`: the stack of `make run`, reachable by containers, for `sam local invoke`.

Opt-in, because it opens the servers to the containers' network. Stop `make run` first: both use the same data.
"""

import argparse
import asyncio
import platform
import shlex
import signal
import sys
from pathlib import Path

from local.sam_image import image, template
from local.sam_image.engine import ContainerEngine
from local.sam_image.errors import ContainersUnavailableError
from local.sam_image.invocation import Invoker
from local.sam_image.relay import Relay
from local.servers.errors import ServerError
from local.stack import ROOT, Stack, StackError, StackSettings, chosen_settings

ARCHITECTURES = {"x86_64": "x86_64", "aarch64": "arm64", "arm64": "arm64"}


def main() -> None:
    """Serves until Ctrl-C; on a failure exits with status 1 and a message."""
    arguments = _parser().parse_args()
    try:
        with ContainerEngine() as engine:
            # An engine that we started has no network to pull images from.
            wanted = arguments.local_image or engine.is_own
            name = image.ensure(engine, platform.machine()) if wanted else ""
            asyncio.run(_serve(engine, name, arguments))
    except (ContainersUnavailableError, ServerError, StackError) as error:
        sys.exit(f"Could not do it: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m local.sam_image", description=__doc__)
    parser.add_argument("--local-image", action="store_true", help="make an image here, as root, instead of pulling")
    parser.add_argument("--built", type=Path, default=ROOT / ".aws-sam" / "build", help="where `make build` has put it")
    parser.add_argument("--directory", type=Path, default=ROOT / ".local", help="where data and logs are kept")
    parser.add_argument("--port", type=int, default=3000, help="the front door's port")
    return parser


async def _serve(engine: ContainerEngine, name: str, arguments: argparse.Namespace) -> None:
    stop = asyncio.Event()
    for received in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(received, stop.set)
    stack = Stack(StackSettings(directory=arguments.directory, port=arguments.port, environment=chosen_settings()))
    await stack.start(print)
    try:
        relay = Relay(engine.bridge_address, (stack.postgres.port, stack.valkey.port, stack.aws.port))
        await relay.start()
        environments = {function: pool.spec.environment for function, pool in stack.functions.items()}
        files = template.write(
            arguments.built,
            environments,
            arguments.directory / "sam",
            architecture=ARCHITECTURES[platform.machine()],
        )
        invoker = Invoker(files, engine.address, name)
        variables = " ".join(f"{variable}={value}" for variable, value in invoker.environment.items())
        example = shlex.join(invoker.command("MemoriesFunction", Path("events/health.json")))
        print(f"In another terminal, for any function and event:\n\n{variables} {example}\n")
        print("Ctrl-C stops everything.", flush=True)
        await stop.wait()
        await relay.stop()
    finally:
        await stack.stop()


if __name__ == "__main__":
    main()
