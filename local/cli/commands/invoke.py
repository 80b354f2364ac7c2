"""Send one event to one function, with the servers of this machine."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from local.cli.command import CommandError
from local.cli.terminal import Terminal
from local.stack import Stack, StackError, StackSettings, chosen_settings, existing_servers


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("function", help="its folder in functions/, for example assemble")
    parser.add_argument("event", type=Path, help="a JSON file, for example events/assemble.json")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Starts servers and functions, and stops them after the answer."""
    console = terminal.console
    settings = StackSettings(
        directory=arguments.directory, port=0, existing=existing_servers(), environment=chosen_settings()
    )
    stack = Stack(settings)
    event = _event(arguments.event)
    with console.status("Starting"):
        await stack.start()
    try:
        name = next(
            (name for name, pool in stack.functions.items() if pool.spec.folder.name == arguments.function), None
        )
        if name is None:
            raise StackError(f"there is no functions/{arguments.function}")
        answer = await stack.invoke(name, event)
        if terminal.as_json:
            print(json.dumps(answer))
        else:
            console.print_json(data=answer)
    finally:
        await stack.stop()
    return True


def _event(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise CommandError(f"{path} is not JSON: {error.msg} at {where}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{path} is not UTF-8 at byte {error.start + 1}") from error
