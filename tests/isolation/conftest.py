"""A stack whose Redis, queues and KMS are overheard, for the tests that look for what must not be anywhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from local.servers import AwsServer, ValkeyServer
from local.stack import Stack, StackSettings
from tests.e2e.conftest import PATIENT, START_SECONDS, VISIBILITY_SECONDS, Loop, loop, new_tenant, provider, tenant
from tests.identity_provider import AUDIENCE, IdentityProvider
from tests.integration.engine.chat_server import ChatServer, chat_server
from tests.isolation import world as worlds
from tests.isolation.relay import RecordingRelay
from tests.isolation.world import World

__all__ = ["loop", "new_tenant", "provider", "tenant"]

_TABLES = """
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition ORDER BY relname"""


@dataclass(frozen=True)
class Overheard:
    """Everything that was ever said to Redis, the queues and KMS, and all that is in Postgres and in the logs."""

    stack: Stack
    redis: RecordingRelay
    aws: RecordingRelay

    def rows(self) -> dict[str, str]:
        """Every row of every table as text, bytes in hexadecimal."""
        with psycopg.connect(self.stack.postgres.superuser_url) as connection:
            names = [str(row[0]) for row in connection.execute(_TABLES).fetchall()]
            return {name: self._table(connection, name) for name in names}

    def logs(self) -> dict[str, bytes]:
        """Of every function and server, by file."""
        folder = self.stack.postgres.directory.parent
        return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.log"))}

    def _table(self, connection: psycopg.Connection[Any], name: str) -> str:
        rows = connection.execute(SQL("SELECT to_jsonb(t)::text FROM {} t").format(Identifier(name))).fetchall()
        return "\n".join(str(row[0]) for row in rows)


@pytest.fixture(scope="package")
def model(loop: Loop) -> Iterator[ChatServer]:
    """The capture model, which remembers every prompt; it answers nothing of use, so that rules decide."""
    serving = chat_server()
    yield loop.run(serving.__aenter__())
    loop.run(serving.__aexit__(None, None, None))


@pytest.fixture(scope="package")
def overheard(
    loop: Loop, provider: IdentityProvider, model: ChatServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Overheard]:
    directory = tmp_path_factory.mktemp("isolation")
    with ValkeyServer(directory / "valkey") as valkey, AwsServer(directory / "aws") as aws:
        redis, queues = RecordingRelay(valkey.port), RecordingRelay(aws.port)
        for relay in (redis, queues):
            loop.run(relay.start())
        password = urlsplit(valkey.url).netloc.rpartition("@")[0]
        existing = {
            "REDIS_URL": f"redis://{password}@127.0.0.1:{redis.port}",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{queues.port}",
        }
        tokens = {"JWT_ISSUER": provider.issuer, "JWT_AUDIENCE": AUDIENCE}
        reading = {"CAPTURE_MODEL": "openai", "CAPTURE_MODEL_URL": model.url, "CAPTURE_MODEL_NAME": "small"}
        at_once = {"CAPTURE_IDLE_SECONDS": "0", "CAPTURE_TOKENS": "0"}
        settings = StackSettings(
            directory=directory,
            port=0,
            environment={**PATIENT, **tokens, **reading, **at_once, "KMS_KEY_ID": aws.kms_key_id},
            existing=existing,
            start_seconds=START_SECONDS,
            visibility_seconds=VISIBILITY_SECONDS,
            durable=False,
        )
        stack = Stack(settings)
        try:
            loop.run(stack.start())
            yield Overheard(stack, redis, queues)
            loop.run(stack.stop())
        finally:
            for relay in (redis, queues):
                loop.run(relay.stop())


@pytest.fixture(scope="package")
def stack(overheard: Overheard) -> Stack:
    return overheard.stack


@pytest.fixture(scope="package")
def world(stack: Stack, loop: Loop, provider: IdentityProvider) -> World:
    return worlds.found(stack, loop, provider)
