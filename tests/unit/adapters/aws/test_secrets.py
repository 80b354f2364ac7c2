"""Signatures equal to botocore's, and a secret that is fetched once and kept."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import botocore.session
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from remembrancer.adapters.aws.credentials import AwsCredentials, from_env
from remembrancer.adapters.aws.secrets import PAUSE_SECONDS, KeptSecret, SecretsManager, database_token
from remembrancer.adapters.aws.signed_calls import Signing
from remembrancer.adapters.postgres.connection.login import RENEW_SECONDS, IamLogin
from remembrancer.errors import ConfigurationError, StoreUnavailable
from tests.builders import SetClock
from tests.listening import listening

HOST = "proxy.proxy-abc.eu-west-1.rds.amazonaws.com"
ARN = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:database-AbCdEf"
CREDENTIALS = AwsCredentials("AKIAEXAMPLE", "secret/with+signs", "session/with+signs==")


def botocore_token(credentials: AwsCredentials, *, host: str, port: int, user: str) -> str:
    session = botocore.session.get_session()
    session.set_credentials(credentials.access_key_id, credentials.secret_access_key, credentials.session_token or None)
    client = session.create_client("rds", region_name="eu-west-1")
    token: str = client.generate_db_auth_token(DBHostname=host, Port=port, DBUsername=user)  # type: ignore[attr-defined]  # made at run time
    return token


def made_at(token: str) -> datetime:
    (text,) = parse_qs(urlsplit(f"//{token}").query)["X-Amz-Date"]
    return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)


@pytest.mark.parametrize("session_token", ["session/with+signs==", ""])
@pytest.mark.parametrize("user", ["remembrancer_app", "user with+signs/€"])
def test_a_database_token_is_the_one_that_botocore_makes_at_that_moment(user: str, session_token: str) -> None:
    credentials = AwsCredentials("AKIAEXAMPLE", "secret/with+signs", session_token)
    theirs = botocore_token(credentials, host=HOST, port=5433, user=user)

    ours = database_token(HOST, 5433, user, region="eu-west-1", credentials=credentials, now=made_at(theirs))

    assert ours == theirs


def test_a_signed_request_is_the_one_that_botocore_makes_at_that_moment() -> None:
    url = "https://secretsmanager.eu-west-1.amazonaws.com/"
    headers = {"content-type": "application/x-amz-json-1.1", "x-amz-target": "secretsmanager.GetSecretValue"}
    request = AWSRequest(method="POST", url=url, data=b"{}", headers=headers)
    theirs = Credentials(CREDENTIALS.access_key_id, CREDENTIALS.secret_access_key, CREDENTIALS.session_token)
    SigV4Auth(theirs, "secretsmanager", "eu-west-1").add_auth(request)
    moment = datetime.strptime(request.headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)

    signing = Signing(CREDENTIALS, "eu-west-1", "secretsmanager", moment)
    signed = signing.headers("POST", {**headers, "host": "secretsmanager.eu-west-1.amazonaws.com"}, b"{}")

    assert signed["authorization"] == request.headers["Authorization"]


async def test_a_token_is_kept_for_ten_minutes_of_the_fifteen_that_it_is_valid() -> None:
    clock = SetClock()
    login = IamLogin(f"postgresql://app@{HOST}/db", "eu-west-1", CREDENTIALS, clock)

    first = await login.parameters()
    clock.seconds += RENEW_SECONDS
    kept = await login.parameters()
    clock.seconds += 1
    renewed = await login.parameters()

    assert kept == first
    assert renewed == {
        "password": database_token(HOST, 5432, "app", region="eu-west-1", credentials=CREDENTIALS, now=clock.now())
    }


async def test_a_token_that_was_refused_is_renewed_unless_it_is_fresh() -> None:
    clock = SetClock()
    login = IamLogin(f"postgresql://app@{HOST}/db", "eu-west-1", CREDENTIALS, clock)
    first = await login.parameters()

    fresh = login.refused(first)
    clock.seconds += 60
    older = login.refused(first)

    assert (fresh, older) == (False, True)
    assert await login.parameters() != first


async def test_a_token_that_another_caller_has_renewed_is_tried() -> None:
    clock = SetClock()
    login = IamLogin(f"postgresql://app@{HOST}/db", "eu-west-1", CREDENTIALS, clock)
    old = await login.parameters()
    clock.seconds += 60

    before, discarded = login.refused(old), login.refused(old)
    renewed = await login.parameters()
    after = login.refused(old)

    assert (before, discarded, after) == (True, True, True)
    assert await login.parameters() == renewed
    assert not login.refused(renewed)


@pytest.mark.parametrize("url", ["postgresql://app@/db", f"postgresql://{HOST}/db", ""])
async def test_a_token_needs_a_host_and_a_user(url: str) -> None:
    with pytest.raises(ConfigurationError, match="DATABASE_URL"):
        await IamLogin(url, "eu-west-1", CREDENTIALS, SetClock()).parameters()


def test_credentials_are_those_of_the_environment_and_not_shown() -> None:
    credentials = from_env(
        {"AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "hidden", "AWS_SESSION_TOKEN": "hidden too"}, SetClock()
    )

    assert credentials == AwsCredentials("AKIA", "hidden", "hidden too")
    assert "hidden" not in repr(credentials)


def test_missing_credentials_are_named() -> None:
    with pytest.raises(ConfigurationError, match="AWS_SECRET_ACCESS_KEY"):
        from_env({"AWS_ACCESS_KEY_ID": "AKIA"}, SetClock()).current()


class SecretServer:
    """Speaks HTTP for Secrets Manager: what real servers do not do on demand, fail and refuse."""

    def __init__(self) -> None:
        self.url = ""
        self.answers: list[tuple[int, bytes]] = []
        self.asked = 0
        self.let_go = asyncio.Event()
        self.let_go.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-l"))
        await reader.readexactly(length)
        self.asked += 1
        await self.let_go.wait()
        status, body = self.answers.pop(0)
        writer.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s" % (status, len(body), body))
        await writer.drain()
        writer.close()


@pytest.fixture
async def server() -> AsyncIterator[SecretServer]:
    server = SecretServer()
    async with listening(server.serve) as port:
        server.url = f"http://127.0.0.1:{port}"
        yield server


def secret_of(server: SecretServer, clock: SetClock | None = None) -> KeptSecret:
    return KeptSecret(SecretsManager(CREDENTIALS, clock or SetClock(), server.url), ARN)


def found(text: str) -> tuple[int, bytes]:
    return 200, json.dumps({"SecretString": text}).encode()


@pytest.mark.parametrize(
    ("text", "login"),
    [
        ('{"username": "app", "password": "p", "engine": "postgres"}', {"username": "app", "password": "p"}),
        ('{"password": "p"}', {"password": "p"}),
        ("a token", {"password": "a token"}),
        ("12345", {"password": "12345"}),
    ],
)
async def test_a_secret_is_an_object_or_the_password_alone(
    server: SecretServer, text: str, login: dict[str, str]
) -> None:
    server.answers = [found(text)]

    assert await secret_of(server).login() == login


async def test_callers_that_come_together_share_a_fetch_and_its_result_is_kept(server: SecretServer) -> None:
    secret = secret_of(server)
    server.answers = [found("first")]

    together = await asyncio.gather(*(secret.login() for _ in range(5)))
    later = await secret.login()

    assert together == [{"password": "first"}] * 5
    assert later == {"password": "first"}
    assert server.asked == 1


async def test_a_caller_that_gives_up_leaves_the_fetch_to_the_next(server: SecretServer) -> None:
    secret = secret_of(server)
    server.answers = [found("first")]
    server.let_go.clear()
    impatient = asyncio.ensure_future(secret.login())
    async with asyncio.timeout(20):
        while not server.asked:
            await asyncio.sleep(0.001)

    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    server.let_go.set()

    assert await secret.login() == {"password": "first"}
    assert server.asked == 1


async def test_a_secret_that_was_refused_is_fetched_again_but_not_each_time(server: SecretServer) -> None:
    clock = SetClock()
    secret = secret_of(server, clock)
    server.answers = [found("first"), found("second")]
    first = await secret.login()

    too_early = secret.refused(first)
    clock.seconds += 60
    in_time = secret.refused(first)
    second = await secret.login()

    assert (too_early, in_time) == (False, True)
    assert second == {"password": "second"}
    assert secret.refused(first), "another caller has renewed it in the meantime: theirs is to be tried"
    assert await secret.login() == second


async def test_after_a_failure_connections_do_not_each_wait_for_an_attempt(server: SecretServer) -> None:
    clock = SetClock()
    secret = secret_of(server, clock)
    server.answers = [(400, b'{"__type": "com.amazon#AccessDeniedException"}'), found("first")]

    for _ in range(3):
        with pytest.raises(StoreUnavailable, match="Secrets Manager"):
            await secret.login()
    asked = server.asked
    clock.seconds += PAUSE_SECONDS

    assert asked == 1
    assert await secret.login() == {"password": "first"}


async def test_a_failure_is_retried_once(server: SecretServer) -> None:
    server.answers = [(500, b"{}"), found("first")]

    assert await secret_of(server).login() == {"password": "first"}


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        ([(400, b'{"__type": "com.amazon#AccessDeniedException"}')], "AccessDeniedException"),
        ([(500, b"not json")] * 2, "Status500"),
        ([(200, b"{}")], "NoSecretString"),
        ([found('{"user": "app"}')], "NoPassword"),
    ],
)
async def test_no_secret_is_unavailable_with_its_cause(server: SecretServer, answers: list[Any], cause: str) -> None:
    server.answers = answers

    with pytest.raises(StoreUnavailable) as raised:
        await secret_of(server).login()

    assert raised.value.cause == cause
    assert server.answers == []


async def test_a_server_that_cannot_be_reached_is_unavailable(unused_tcp_port: int) -> None:
    manager = SecretsManager(CREDENTIALS, SetClock(), f"http://127.0.0.1:{unused_tcp_port}")

    with pytest.raises(StoreUnavailable) as raised:
        await KeptSecret(manager, ARN).login()

    assert raised.value.cause == "ConnectionRefusedError"


async def test_what_is_no_arn_of_a_secret_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="database-password"):
        await KeptSecret(SecretsManager(CREDENTIALS, SetClock()), "database-password").login()
