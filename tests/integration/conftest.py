"""One Postgres, one Valkey and one local AWS for all integration tests of a session."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from local.servers import AwsServer, Cache, PostgresServer
from tests.cache import cache


@pytest.fixture(scope="session")
def servers_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("servers")


@pytest.fixture(scope="session")
def postgres_server(servers_directory: Path) -> Iterator[PostgresServer]:
    with PostgresServer(servers_directory / "postgres", durable=False) as server:
        yield server


@pytest.fixture(scope="session")
def valkey_server(servers_directory: Path) -> Iterator[Cache]:
    with cache(servers_directory / "valkey") as server:
        yield server


@pytest.fixture(scope="session")
def aws_server(servers_directory: Path) -> Iterator[AwsServer]:
    with AwsServer(servers_directory / "aws") as server:
        yield server


@pytest.fixture
def stoppable_postgres(postgres_server: PostgresServer) -> Iterator[PostgresServer]:
    """The session's Postgres, for a test that stops it: runs again afterwards."""
    yield postgres_server
    postgres_server.start()


@pytest.fixture
def stoppable_valkey(valkey_server: Cache) -> Iterator[Cache]:
    """The session's Valkey, for a test that stops it: runs again afterwards, empty."""
    yield valkey_server
    valkey_server.start()
