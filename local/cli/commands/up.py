"""Run everything on this machine, show a demonstration, and serve.

`--once` ends after the demonstration, with status 0 if it worked.
"""

import asyncio
import os
import signal
import time
from argparse import ArgumentParser, Namespace
from dataclasses import asdict, replace

from local import demonstration, dev_env, sample
from local.cli.connection import CLIENT_FILE
from local.cli.terminal import Terminal
from local.servers.valkey_cluster import KINDS
from local.stack import Stack, StackSettings, chosen_settings, existing_servers
from remembrancer.settings import Bounds

ROOMY = Bounds().reaching(480.0)
"""What a laptop meets on which servers, functions and clients run side by side, and other programs."""
ROOMY_SETTINGS = {name.upper(): str(milliseconds) for name, milliseconds in asdict(ROOMY).items()}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help="end after the demonstration, with status 0 if it worked")
    parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "3000")), help="the front door's port")
    parser.add_argument("--cache", choices=KINDS, default="server", help="one server, or a cluster of 1 or 3 nodes")
    parser.add_argument("--verbose", action="store_true", help="also show what the functions log")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Runs until Ctrl-C, or until the demonstration ends."""
    console = terminal.console
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    environment = _with_bounds(chosen_settings())
    settings = StackSettings(
        directory=arguments.directory,
        # With only the demonstration, use another port when this one is taken.
        port=0 if arguments.once else arguments.port,
        existing=existing_servers(),
        environment=environment,
        echo=console.print if arguments.verbose else None,
        faults=not arguments.once,
        cache=arguments.cache,
    )
    stack = Stack(settings)
    work = asyncio.ensure_future(
        _serve(stack, arguments, terminal, stop, is_roomy=ROOMY_SETTINGS.items() <= environment.items())
    )
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not work.done():
        work.cancel()
    try:
        return await work
    except asyncio.CancelledError:
        return not arguments.once
    finally:
        try:
            with console.status("Stopping: finishing what is queued, then the servers"):
                await stack.stop()
        finally:
            terminal.say(f"Stopped. Data is kept in {arguments.directory}")


def _with_bounds(chosen: dict[str, str]) -> dict[str, str]:
    """These settings, and roomy bounds unless one of them is chosen."""
    return chosen if ROOMY_SETTINGS.keys() & chosen.keys() else ROOMY_SETTINGS | chosen


async def _serve(
    stack: Stack, arguments: Namespace, terminal: Terminal, stop: asyncio.Event, *, is_roomy: bool
) -> bool:
    console = terminal.console
    started = time.monotonic()
    with console.status("Starting") as status:
        await stack.start(status.update)
    console.print(f"Started in {time.monotonic() - started:.1f} s", highlight=False)
    path = arguments.directory / CLIENT_FILE
    client = await dev_env.ensure(
        path, stack.url, owner_database_url=stack.owner_database_url, organization=sample.read().organization
    )
    loaded = await sample.load(stack.url, client.api_key, org_id=client.org_id, console=console)
    client = replace(client, url=stack.url, agent_id=loaded.agent_id)
    if not arguments.once:
        client.write(path)
    worked = await demonstration.show(stack.url, client.api_key, loaded, console, as_deployed=is_roomy)
    if arguments.once:
        return worked
    terminal.say(f"\nServing on {stack.url} · clients: source {path} · logs: {arguments.directory / 'logs'}")
    terminal.say(f"Inspector: {stack.url}/inspector, with REMEMBRANCER_API_KEY of {path}")
    if is_roomy:
        console.print(
            f"Answers may take {ROOMY.assembly_ms:.0f} ms here, since everything runs on this machine; "
            f"a deployment answers in {Bounds().assembly_ms:.0f} ms.",
            highlight=False,
        )
    console.print("Ctrl-C stops everything.")
    await stop.wait()
    return True
