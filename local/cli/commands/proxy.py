"""Put memory in front of any OpenAI or Anthropic client: starts LiteLLM's proxy, and prints the base URL to set.

Models are those of the provider whose key is in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, …); without one, a
stand-in model shows what it was given.
"""

import asyncio
import os
import secrets
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import httpx

from local import dev_env
from local.cli.command import CommandError
from local.cli.connection import NAMES, Service, add_service_arguments, named, service
from local.cli.terminal import Terminal
from local.proxy import LiteLLM, LiteLLMError, StandIn, configuration, providers
from local.refusals import failed_request, refusal
from local.stack import ROOT
from remembrancer.domain.personal_data.invisible_characters import is_blank

PROGRAM = ROOT / ".venv-litellm" / "bin" / "litellm"
CLIENT_FILE = "proxy.env"
CLIENT = ROOT / "clients" / "python" / "src"
PATIENT_MS = "2000"
"""Milliseconds that a chat waits at most for memory: everything is on one machine, which may be busy. The hook's own
limit is 45 ms.
"""
BASE_URLS = ("OPENAI_BASE_URL", "OPENAI_API_BASE", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_BASE")


def add_arguments(parser: ArgumentParser) -> None:
    add_service_arguments(parser)
    parser.add_argument("--agent", type=named, help="its name or id, instead of REMEMBRANCER_AGENT_ID")
    parser.add_argument("--port", type=int, default=4000, help="the proxy's port")
    parser.add_argument("--litellm", type=Path, default=PROGRAM, help="the program, 1.106.2; `make proxy` installs it")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Runs until Ctrl-C; returns False when the proxy ends by itself."""
    if not arguments.litellm.is_file():
        raise CommandError(f"{arguments.litellm} is not there: run `make proxy`, which installs it")
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, stop.set)
    if is_blank(os.environ.get("REMEMBRANCER_USER_ID", "nobody")):
        raise CommandError("REMEMBRANCER_USER_ID must not be blank: unset it for shared memories only")
    found = service(arguments)
    if arguments.agent:
        found = replace(found, agent_id=arguments.agent)
    await _check(found, terminal)
    stand_in, proxy = StandIn(), LiteLLM(arguments.litellm, folder=arguments.directory / "proxy", port=arguments.port)
    serving = asyncio.ensure_future(_serve(found, stand_in, proxy, arguments.directory / CLIENT_FILE, terminal))
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not serving.done():
            return True
        raise CommandError(f"the proxy ended: {await serving}")
    except LiteLLMError as error:
        raise CommandError(str(error)) from error
    finally:
        serving.cancel()
        stopping.cancel()
        await asyncio.gather(serving, stopping, return_exceptions=True)
        await proxy.stop()
        await stand_in.stop()
        terminal.say("Stopped.")


async def _check(found: Service, terminal: Terminal) -> None:
    """Tries the key and the agent: chats would go on without memory, and only a log would say why.

    Raises CommandError where the service refuses them. A service that does not answer may do so later.
    """
    if not found.agent_id:
        return
    message = {"role": "user", "content": "Hello"}
    options = {"max_memories": 0}
    body = {
        "agent_id": found.agent_id,
        "model": "gpt-4o",
        "request_id": "proxy",
        "messages": [message],
        "options": options,
    }
    try:
        async with found.client() as client:
            with terminal.waiting(f"Asking {found.url}"):
                answer = await client.post("/v1/context/assemble", json=body)
    except httpx.TransportError as error:
        terminal.say(f"{failed_request(error)}. Chats go on without memory until it answers: is `make run` serving?")
        return
    if answer.is_client_error and answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
        raise CommandError(refusal(answer))


async def _serve(found: Service, stand_in: StandIn, proxy: LiteLLM, file: Path, terminal: Terminal) -> str:
    """Returns the proxy's exit status, if it ended by itself."""
    chosen = providers(os.environ)
    if not chosen:
        await stand_in.start()
    key = _key(file)
    environment = {**_environment(found, proxy.url), "LITELLM_MASTER_KEY": key}
    with terminal.waiting("Starting LiteLLM's proxy, which takes some seconds"):
        await proxy.start(configuration(chosen, stand_in_url=stand_in.url), environment)
    behind = ", ".join(provider.name for provider in chosen) or "a stand-in model, which shows what it was given"
    client = {
        "OPENAI_BASE_URL": f"{proxy.url}/v1",
        "OPENAI_API_KEY": key,
        "ANTHROPIC_BASE_URL": proxy.url,
        "ANTHROPIC_API_KEY": key,
    }
    lines = "".join(f"export {name}={value}\n" for name, value in client.items())
    _keep(file, lines)
    terminal.result(
        {**client, "behind": behind},
        f"Memory of {found.url} in front of {behind}.\n\n{lines}\n"
        f"For your client's shell: source {file}\nCtrl-C stops the proxy.",
    )
    return await proxy.ended()


def _environment(found: Service, own_url: str) -> Mapping[str, str]:
    """This process's environment, without variables that would point the proxy at itself, with the settings of the
    memory service.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not (name in BASE_URLS and value.startswith(own_url)) and name not in (*NAMES, "PYTHONPATH")
    }
    settings = (found.url, found.api_key, found.org_id, found.agent_id, found.end_user or found.user_id)
    return {
        "REMEMBRANCER_DEADLINE_MS": PATIENT_MS,
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        **kept,
        "PYTHONPATH": str(CLIENT),
        **{name: value for name, value in zip(NAMES, settings, strict=True) if value},
    }


def _keep(file: Path, lines: str) -> None:
    """Writes a file that only the owner may read: it contains a key."""
    file.touch(mode=0o600)
    file.write_text(lines, encoding="utf-8")


def _key(file: Path) -> str:
    """The key for clients of the proxy: LITELLM_MASTER_KEY, the one of the last run, or a new one.

    Browser pages can reach this machine's ports too, and would spend the provider's money.
    """
    kept = dev_env.read(file).get("export OPENAI_API_KEY")
    return os.environ.get("LITELLM_MASTER_KEY") or kept or f"sk-{secrets.token_urlsafe(32)}"
