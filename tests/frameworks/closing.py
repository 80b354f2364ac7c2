"""Closes clients at once: each waits some seconds for what a service that hangs does not take."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from remembrancer_client import Client


@contextmanager
def together() -> Iterator[list[Client]]:
    """The clients that are added are closed at the end."""
    clients: list[Client] = []
    try:
        yield clients
    finally:
        with ThreadPoolExecutor(max(len(clients), 1)) as threads:
            list(threads.map(Client.close, clients))
