"""The command line: `remembrancer up` and `remembrancer invoke`."""

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import httpx
from rich.console import Console

from local import demonstration, dev_env, sample
from local.sample import SampleError
from local.servers.errors import ServerError
from local.stack import ROOT, Stack, StackError, StackSettings, chosen_settings, existing_servers

CLIENT_FILE = "dev.env"
_FAILURES = (StackError, ServerError, SampleError, httpx.HTTPError)


def main() -> None:
    """The console script; status 0 when it did what was asked, 1 when not, 130 after Ctrl-C."""
    arguments = _parser().parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    console = Console()
    try:
        done = asyncio.run(arguments.run(arguments, console))
    except _FAILURES as error:
        console.print(f"[bold red]Could not do it:[/] {error}", highlight=False)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(0 if done else 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="remembrancer", description=__doc__)
    commands = parser.add_subparsers(required=True)
    up = commands.add_parser("up", help="run everything on this machine, show a demonstration, and serve")
    up.add_argument("--once", action="store_true", help="end after the demonstration, with status 0 if it worked")
    up.add_argument("--port", type=int, default=int(os.environ.get("PORT", "3000")), help="the front door's port")
    up.add_argument("--directory", type=Path, default=ROOT / ".local", help="where data and logs are kept")
    up.add_argument("--verbose", action="store_true", help="also show what the functions log")
    up.set_defaults(run=_up)
    invoke = commands.add_parser("invoke", help="send one event to one function, with the servers of this machine")
    invoke.add_argument("function", help="its folder in functions/, for example assemble")
    invoke.add_argument("event", type=Path, help="a JSON file, for example events/assemble.json")
    invoke.add_argument("--directory", type=Path, default=ROOT / ".local", help="where data and logs are kept")
    invoke.set_defaults(run=_invoke)
    return parser


async def _up(arguments: argparse.Namespace, console: Console) -> bool:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    settings = StackSettings(
        directory=arguments.directory,
        # A demonstration alone disturbs nobody who serves on the port already.
        port=0 if arguments.once else arguments.port,
        existing=existing_servers(),
        environment=chosen_settings(),
        echo=console.print if arguments.verbose else None,
    )
    stack = Stack(settings)
    work = asyncio.ensure_future(_serve(stack, arguments, console, stop))
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
        with console.status("Stopping: finishing what is queued, then the servers"):
            await stack.stop()
        console.print("Stopped. Data is kept in", str(arguments.directory), highlight=False)


async def _serve(stack: Stack, arguments: argparse.Namespace, console: Console, stop: asyncio.Event) -> bool:
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
    worked = await demonstration.show(stack.url, client.api_key, loaded, console)
    if arguments.once:
        return worked
    console.print(f"\nServing on [bold]{stack.url}[/] · clients: source {path} · logs: {arguments.directory / 'logs'}")
    console.print("Ctrl-C stops everything.")
    await stop.wait()
    return True


async def _invoke(arguments: argparse.Namespace, console: Console) -> bool:
    settings = StackSettings(
        directory=arguments.directory, port=0, existing=existing_servers(), environment=chosen_settings()
    )
    stack = Stack(settings)
    event = json.loads(arguments.event.read_text(encoding="utf-8"))
    with console.status("Starting"):
        await stack.start()
    try:
        name = next(
            (name for name, pool in stack.functions.items() if pool.spec.folder.name == arguments.function), None
        )
        if name is None:
            raise StackError(f"there is no functions/{arguments.function}")
        console.print_json(data=await stack.invoke(name, event))
    finally:
        await stack.stop()
    return True


if __name__ == "__main__":
    main()
