"""Real servers for development and tests: Postgres, Valkey and the local AWS, each a supervised child process.

They need neither root nor Docker, also run when the user is root, keep their files in one directory each, and die with
the process that started them, however that ends.
"""

from local.servers.aws import AwsServer
from local.servers.errors import PortTakenError, ServerError
from local.servers.postgres import PostgresServer
from local.servers.valkey import ValkeyServer
from local.servers.valkey_cluster import Cache, ValkeyCluster, cache_of

__all__ = [
    "AwsServer",
    "Cache",
    "PortTakenError",
    "PostgresServer",
    "ServerError",
    "ValkeyCluster",
    "ValkeyServer",
    "cache_of",
]
