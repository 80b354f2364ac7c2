"""Erase an end user, an agent or a whole organization, in every project and environment; can be run again.

For the operator: it reaches further than any API key, and works on the database and the cache themselves. What it does
not get done, the scheduled run does.
"""

import os
from argparse import ArgumentParser, Namespace
from uuid import UUID

from local.cli.connection import database_url, named, redis_settings
from local.cli.terminal import Terminal
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.upkeep import erasure_task

_QUEUES = ("DEAD_LETTER_QUEUE_URLS", "AWS_ENDPOINT_URL")
"""Dead letters are searched only where these are set."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("org_id", type=UUID, metavar="ORG_ID")
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--user-id", type=named, help="this end user, as the name is stored")
    subject.add_argument("--agent-id", type=UUID, help="this agent")
    subject.add_argument("--whole-organization", action="store_true", help="everything, its keys included")


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when everything was erased."""
    urls = {"DATABASE_URL": database_url(arguments.directory), **redis_settings(arguments.directory)}
    named = {name: os.environ[name] for name in _QUEUES if os.environ.get(name)}
    instance = Instance({**named, **urls, "DATABASE_AUTH": "password"})
    event = {"org_id": str(arguments.org_id), "user_id": arguments.user_id}
    if arguments.agent_id:
        event["agent_id"] = str(arguments.agent_id)
    try:
        asked = event | ({"whole_organization": True} if arguments.whole_organization else {})
        with terminal.waiting("Erasing"):
            answer = await erasure_task(instance).erase(asked)
    finally:
        await instance.database.close()
        await instance.redis.close()
    is_done: bool = answer["status"] == "done"
    rest = "all is gone" if is_done else "the scheduled run goes on"
    terminal.result(answer, f"Erasure {answer['erasure_id']}: {rest}")
    return is_done
