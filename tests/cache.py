"""The kind of Redis that tests run on: CACHE=server, `cluster` (one node in cluster mode) or `cluster3` (three nodes).

Tests that look into Redis by themselves ask one server, so tests/integration/engine and tests/faults/test_failover.py
run on `server` and `cluster` only.
"""

import os
from pathlib import Path
from typing import Any

from local.servers import Cache, cache_of
from remembrancer.adapters.redis.client import RedisClient

KIND = os.environ.get("CACHE", "server")


def cache(directory: Path) -> Cache:
    """The cache, not yet started."""
    return cache_of(KIND, directory)


def client_of(server: Cache, **options: Any) -> RedisClient:
    """A client in the server's mode."""
    return RedisClient(server.url, cluster=server.is_cluster, **options)
