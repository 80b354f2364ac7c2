"""How the functions reach Postgres and Redis: verified TLS, tokens, and secrets that change under them."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3
import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from redis.asyncio import Redis

from local.servers import AwsServer, PostgresServer, ValkeyServer
from remembrancer.adapters.aws.credentials import AwsCredentials
from remembrancer.adapters.aws.secrets import PAUSE_SECONDS, KeptSecret, SecretsManager
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.login import IamLogin, SecretLogin, verified
from remembrancer.adapters.postgres.migrations import packaged
from remembrancer.adapters.redis.client import RedisClient
from remembrancer.bootstrap import Instance, schema
from remembrancer.errors import ConfigurationError, StoreUnavailable
from tests.builders import SetClock
from tests.integration.engine import certificates
from tests.integration.engine.tls_front import TlsFront

ONE = ("SELECT 1", ())
CREDENTIALS = AwsCredentials("local", "local", "local")


class Secret:
    """One in Secrets Manager, to be changed by the test."""

    def __init__(self, aws_server: AwsServer) -> None:
        environment = aws_server.credentials
        self._client = boto3.client(
            "secretsmanager",
            endpoint_url=aws_server.endpoint_url,
            region_name=environment["AWS_REGION"],
            aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        )
        self.endpoint_url = aws_server.endpoint_url
        self.arn = self._client.create_secret(Name=f"secret-{uuid4()}", SecretString="{}")["ARN"]

    def put(self, text: str) -> None:
        self._client.put_secret_value(SecretId=self.arn, SecretString=text)

    def kept(self, clock: SetClock) -> KeptSecret:
        return KeptSecret(SecretsManager(CREDENTIALS, clock, self.endpoint_url), self.arn)


@pytest.fixture
def secret(aws_server: AwsServer) -> Iterator[Secret]:
    secret = Secret(aws_server)
    yield secret
    secret._client.close()


@pytest.fixture
def clock() -> SetClock:
    return SetClock(datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class TlsPostgres:
    """The session's Postgres behind a certificate for 127.0.0.1, and a role whose password a test changes."""

    server: PostgresServer
    port: int
    front: TlsFront
    role: str

    @property
    def authority(self) -> str:
        return self.front.authority

    @property
    def url(self) -> str:
        """As the role, without a password."""
        return verified(f"postgresql://{self.role}@127.0.0.1:{self.port}/remembrancer", self.authority)

    @property
    def app_url(self) -> str:
        return self.server.app_url.replace(f":{self.server.port}/", f":{self.port}/")

    def set_password(self, password: str) -> None:
        with psycopg.connect(self.server.superuser_url, autocommit=True) as connection:
            role = sql.Identifier(self.role)
            connection.execute(sql.SQL("ALTER ROLE {} LOGIN PASSWORD {}").format(role, password))


@pytest.fixture
async def tls_postgres(migrated: PostgresServer, tmp_path: Path) -> AsyncIterator[TlsPostgres]:
    front = TlsFront(migrated.port, certificates.create(tmp_path / "postgres"), postgres=True)
    postgres = TlsPostgres(migrated, await front.start(), front, f"role_{uuid4().hex}")
    with psycopg.connect(migrated.superuser_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {}").format(sql.Identifier(postgres.role)))
    postgres.set_password("first")
    yield postgres
    await front.stop()


async def fetch(database: Database, statement: str) -> Any:
    (rows,) = await database.read(None, (statement, ()))
    return rows


# Postgres.


async def test_a_server_whose_certificate_is_vouched_for_is_talked_to_encrypted(tls_postgres: TlsPostgres) -> None:
    database = Database(verified(tls_postgres.app_url, tls_postgres.authority))

    await database.ping()

    assert tls_postgres.front.sessions == 1
    await database.close()


async def test_a_server_that_another_authority_vouches_for_is_refused(
    tls_postgres: TlsPostgres, tmp_path: Path
) -> None:
    stranger = certificates.create(tmp_path / "stranger")
    database = Database(verified(tls_postgres.app_url, str(stranger.authority)))

    with pytest.raises(StoreUnavailable) as raised:
        await database.ping()

    assert "certificate verify failed" in str(raised.value.__cause__)


async def test_a_server_with_the_certificate_of_another_host_is_refused(tls_postgres: TlsPostgres) -> None:
    url = tls_postgres.app_url.replace("127.0.0.1", "localhost")
    database = Database(verified(url, tls_postgres.authority))

    with pytest.raises(StoreUnavailable) as raised:
        await database.ping()

    assert "does not match host name" in str(raised.value.__cause__)


async def test_a_server_without_tls_is_refused(postgres_server: PostgresServer, tls_postgres: TlsPostgres) -> None:
    database = Database(verified(postgres_server.app_url, tls_postgres.authority))

    with pytest.raises(StoreUnavailable) as raised:
        await database.ping()

    assert "does not support SSL" in str(raised.value.__cause__)


async def test_a_database_token_is_the_password_of_its_role(tls_postgres: TlsPostgres, clock: SetClock) -> None:
    login = IamLogin(tls_postgres.url, "us-east-1", CREDENTIALS, clock)
    database = Database(tls_postgres.url, login=login)
    tls_postgres.set_password((await login.parameters())["password"])

    assert await fetch(database, "SELECT current_user::text") == [(tls_postgres.role,)]
    await database.close()


async def test_a_token_that_no_longer_opens_connections_is_renewed(tls_postgres: TlsPostgres, clock: SetClock) -> None:
    login = IamLogin(tls_postgres.url, "us-east-1", CREDENTIALS, clock)
    database = Database(tls_postgres.url, login=login)
    tls_postgres.set_password((await login.parameters())["password"])
    await database.ping()
    await database.close()

    clock.seconds = 660
    tls_postgres.set_password(
        (await IamLogin(tls_postgres.url, "us-east-1", CREDENTIALS, clock).parameters())["password"]
    )

    await database.ping()
    await database.close()


async def test_a_password_of_a_secret_opens_connections(
    tls_postgres: TlsPostgres, secret: Secret, clock: SetClock
) -> None:
    secret.put(json.dumps({"username": tls_postgres.role, "password": "first"}))
    url = f"postgresql://127.0.0.1:{tls_postgres.port}/remembrancer"
    database = Database(verified(url, tls_postgres.authority), login=SecretLogin(secret.kept(clock)))

    assert await fetch(database, "SELECT current_user::text") == [(tls_postgres.role,)]
    await database.close()


async def test_a_rotated_password_is_fetched_when_the_old_one_is_refused(
    tls_postgres: TlsPostgres, secret: Secret, clock: SetClock
) -> None:
    secret.put(json.dumps({"username": tls_postgres.role, "password": "first"}))
    database = Database(tls_postgres.url, login=SecretLogin(secret.kept(clock)), connections=3)
    await database.ping()

    secret.put(json.dumps({"username": tls_postgres.role, "password": "second"}))
    tls_postgres.set_password("second")
    clock.seconds = 60

    await asyncio.gather(*(database.ping() for _ in range(6)))
    await database.warm()
    await database.close()
    await database.ping()
    await database.close()


async def test_a_secret_that_is_wrong_is_unavailable_and_asked_for_only_now_and_then(
    tls_postgres: TlsPostgres, secret: Secret, clock: SetClock
) -> None:
    secret.put(json.dumps({"username": tls_postgres.role, "password": "wrong"}))
    database = Database(tls_postgres.url, login=SecretLogin(secret.kept(clock)))
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await database.ping()

    secret.put(json.dumps({"username": tls_postgres.role, "password": "first"}))
    with pytest.raises(StoreUnavailable):
        await database.ping()
    clock.seconds = 60

    await database.ping()
    await database.close()


async def test_a_database_whose_secret_cannot_be_had_is_unavailable(tls_postgres: TlsPostgres, clock: SetClock) -> None:
    manager = SecretsManager(CREDENTIALS, clock, "http://127.0.0.1:1")
    arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:nowhere"
    database = Database(tls_postgres.url, login=SecretLogin(KeptSecret(manager, arn)))

    with pytest.raises(StoreUnavailable) as raised:
        await database.ping()

    assert raised.value.cause == "ConnectionRefusedError"


async def test_a_connection_through_a_proxy_sets_and_prepares_nothing_for_its_session(
    tls_postgres: TlsPostgres,
) -> None:
    database = Database(tls_postgres.app_url, connections=1, prepare_threshold=0)
    for _ in range(10):
        await database.ping()
        async with database.transaction(None) as transaction:
            await transaction.fetch("SELECT %s::int", (1,))

    prepared = await fetch(database, "SELECT count(*) FROM pg_prepared_statements")
    (connection,) = database._idle
    outside = await (await connection.execute("SHOW plan_cache_mode")).fetchall()

    assert prepared == [(0,)]
    assert outside == [("auto",)]
    await database.close()


# The whole instance, from its environment.


def environment(tls_postgres: TlsPostgres, secret: Secret, **changes: str) -> dict[str, str]:
    return {
        "DATABASE_URL": f"postgresql://127.0.0.1:{tls_postgres.port}/remembrancer",
        "DATABASE_CA_FILE": tls_postgres.authority,
        "DATABASE_AUTH": "secret",
        "DATABASE_SECRET_ARN": secret.arn,
        "AWS_ENDPOINT_URL": secret.endpoint_url,
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "local",
        "AWS_SECRET_ACCESS_KEY": "local",
        **changes,
    }


async def test_an_instance_migrates_with_the_secret_of_its_environment(
    tls_postgres: TlsPostgres, secret: Secret
) -> None:
    owner = conninfo_to_dict(tls_postgres.server.owner_url)
    secret.put(json.dumps({"username": owner["user"], "password": owner["password"]}))
    instance = Instance(environment(tls_postgres, secret))

    report = await asyncio.wrap_future(instance.loop.submit(schema.migrate(instance)))

    assert report.current == len(packaged())
    # One for the migrations, one for the vectors' index, one for the tables of vectors.
    assert tls_postgres.front.sessions == 3


def test_a_way_to_log_in_that_does_not_exist_is_named(tls_postgres: TlsPostgres, secret: Secret) -> None:
    instance = Instance(environment(tls_postgres, secret, DATABASE_AUTH="kerberos"))

    with pytest.raises(ConfigurationError, match="DATABASE_AUTH='kerberos'"):
        _ = instance.database


# Redis.


@pytest.fixture
async def tls_redis(valkey_server: ValkeyServer, tmp_path: Path) -> AsyncIterator[tuple[str, str]]:
    """The URL of a Redis with TLS, and the file of its authority."""
    front = TlsFront(valkey_server.port, certificates.create(tmp_path / "redis"))
    port = await front.start()
    url = valkey_server.url.replace("redis:", "rediss:").replace(f":{valkey_server.port}/", f":{port}/")
    yield url, front.authority
    await front.stop()


async def test_a_cache_whose_certificate_is_vouched_for_is_talked_to(tls_redis: tuple[str, str]) -> None:
    url, authority = tls_redis
    client = RedisClient(f"{url}?ssl_ca_certs={authority}", timeout_ms=5000)

    await client.put("key", b"value", seconds=60)

    assert await client.get("key") == b"value"
    await client.close()


async def test_a_cache_that_another_authority_vouches_for_is_refused(
    tls_redis: tuple[str, str], tmp_path: Path
) -> None:
    stranger = certificates.create(tmp_path / "stranger")
    for chosen in (f"?ssl_ca_certs={stranger.authority}", ""):
        client = RedisClient(tls_redis[0] + chosen, timeout_ms=5000)

        with pytest.raises(StoreUnavailable) as raised:
            await client.ping()

        assert "CERTIFICATE_VERIFY_FAILED" in str(raised.value.__cause__)
        await client.close()


async def test_a_cache_with_the_certificate_of_another_host_is_refused(tls_redis: tuple[str, str]) -> None:
    url, authority = tls_redis
    elsewhere = url.replace("127.0.0.1", "localhost")
    client = RedisClient(f"{elsewhere}?ssl_ca_certs={authority}", timeout_ms=5000)

    with pytest.raises(StoreUnavailable) as raised:
        await client.ping()

    assert "CERTIFICATE_VERIFY_FAILED" in str(raised.value.__cause__)
    await client.close()


@pytest.fixture
def own_valkey(tmp_path: Path) -> Iterator[ValkeyServer]:
    """One whose password a test changes."""
    with ValkeyServer(tmp_path / "valkey") as server:
        yield server


def password_of(server: ValkeyServer) -> str:
    return server.url.split(":")[2].partition("@")[0]


async def test_a_cache_takes_the_token_of_a_secret_and_the_next_one_after_its_rotation(
    own_valkey: ValkeyServer, secret: Secret, clock: SetClock
) -> None:
    secret.put(password_of(own_valkey))
    url = f"redis://127.0.0.1:{own_valkey.port}/0"
    client = RedisClient(url, secret=secret.kept(clock), timeout_ms=5000)
    await client.put("key", b"value", seconds=60)
    await client.close()

    async with Redis.from_url(own_valkey.url) as operator:
        await operator.config_set("requirepass", "second")
    secret.put(json.dumps({"password": "second"}))
    clock.seconds = 60

    assert await client.get("key") == b"value"
    await client.close()


async def test_a_cache_whose_secret_cannot_be_had_is_unavailable_and_loses_no_connection(
    own_valkey: ValkeyServer, secret: Secret, clock: SetClock
) -> None:
    secret.put(json.dumps({"user": "nobody"}))
    client = RedisClient(f"redis://127.0.0.1:{own_valkey.port}/0", secret=secret.kept(clock), timeout_ms=5000)
    for _ in range(2):
        with pytest.raises(StoreUnavailable) as raised:
            await client.ping()
        assert raised.value.cause == "NoPassword"

    secret.put(password_of(own_valkey))
    clock.seconds += PAUSE_SECONDS

    await client.ping()
    await client.close()
