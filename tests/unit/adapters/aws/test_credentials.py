"""Keys of the environment and of a container's server, which is what an instance from a snapshot has."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from remembrancer.adapters.aws.credentials import (
    REST_SECONDS,
    AwsCredentials,
    ContainerCredentials,
    CredentialSource,
    from_env,
)
from remembrancer.adapters.postgres.connection.login import IamLogin
from remembrancer.errors import ConfigurationError, StoreUnavailable
from tests.builders import SetClock


@dataclass
class Server:
    """What a container has on its own machine: gives keys that end in an hour, to those with its token."""

    clock: SetClock
    url: str = ""
    token: str = "secret token"
    pause_seconds: float = 0.0
    status: int = 200
    body: bytes | None = None
    asked: list[str | None] = field(default_factory=list)

    def answer(self, authorization: str | None) -> tuple[int, bytes]:
        self.asked.append(authorization)
        time.sleep(self.pause_seconds)
        if authorization != self.token:
            return 403, b"{}"
        ends_at = (self.clock.now() + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        keys = {"AccessKeyId": f"ASIA{len(self.asked)}", "SecretAccessKey": "s", "Token": "t", "Expiration": ends_at}
        return self.status, json.dumps(keys).encode() if self.body is None else self.body

    def source(self, *, seconds: float = 1.0, **env: str) -> ContainerCredentials:
        given = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": self.url, "AWS_CONTAINER_AUTHORIZATION_TOKEN": self.token}
        return ContainerCredentials({**given, **env}, self.clock, seconds=seconds)


@pytest.fixture
def server() -> Iterator[Server]:
    served = Server(SetClock())

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = served.answer(self.headers.get("Authorization"))
            self.send_response(status if self.path == "/2021-04-23/credentials" else 404)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args: object) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    served.url = f"http://127.0.0.1:{listening.server_port}/2021-04-23/credentials"
    thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield served
    listening.shutdown()
    listening.server_close()
    thread.join()


def test_without_keys_in_the_environment_the_containers_are_used(server: Server) -> None:
    environment = {
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url,
        "AWS_CONTAINER_AUTHORIZATION_TOKEN": server.token,
    }

    source: CredentialSource = from_env(environment, server.clock)

    assert source.current() == AwsCredentials("ASIA1", "s", "t")


def test_the_environments_own_keys_go_first(server: Server) -> None:
    keys = {"AWS_ACCESS_KEY_ID": "AKIA", "AWS_SECRET_ACCESS_KEY": "s"}

    source = from_env({"AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url, **keys}, server.clock)

    assert source.current() == AwsCredentials("AKIA", "s", "")
    assert server.asked == []


def test_keys_are_kept_until_shortly_before_they_end(server: Server) -> None:
    source = server.source()

    seen = []
    for minutes in (0, 30, 54, 56, 100):
        server.clock.seconds = minutes * 60
        seen.append(source.current().access_key_id)

    assert seen == ["ASIA1", "ASIA1", "ASIA1", "ASIA2", "ASIA2"]


def test_an_instance_that_slept_past_the_end_fetches_new_keys(server: Server) -> None:
    source = server.source()
    source.current()

    server.clock.seconds = 3 * 86_400

    assert source.current().access_key_id == "ASIA2"


def test_keys_that_have_not_ended_are_used_when_renewing_fails_and_the_server_is_left_alone(server: Server) -> None:
    source = server.source()
    source.current()
    server.clock.seconds = 57 * 60
    server.status = 500

    seen = {source.current().access_key_id for _ in range(5)}
    asked = len(server.asked)
    server.status = 200
    server.clock.seconds += REST_SECONDS

    assert seen == {"ASIA1"}
    assert asked == 1 + 2
    assert source.current().access_key_id == "ASIA4"


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, b"{}"), (302, b"{}"), (200, b""), (200, b"no JSON"), (200, b"[]"), (200, b'{"AccessKeyId": "A"}')],
)
def test_what_is_no_answer_is_unavailable(server: Server, status: int, body: bytes) -> None:
    server.status, server.body = status, body

    with pytest.raises(StoreUnavailable):
        server.source().current()


def test_keys_that_have_ended_already_are_unavailable(server: Server) -> None:
    server.body = b'{"AccessKeyId": "A", "SecretAccessKey": "s", "Expiration": "2020-01-01T00:00:00Z"}'

    with pytest.raises(StoreUnavailable, match="ended"):
        server.source().current()


def test_a_server_that_hangs_is_given_up_and_one_fetch_serves_all(server: Server) -> None:
    server.pause_seconds = 10
    source = server.source(seconds=0.2)
    failures: list[StoreUnavailable] = []

    def ask() -> None:
        try:
            source.current()
        except StoreUnavailable as error:
            failures.append(error)

    started = time.monotonic()
    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(failures) == 4
    assert len(server.asked) <= 2
    assert time.monotonic() - started < 8


def test_the_token_is_read_from_its_file_each_time(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "token"
    source = server.source(AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=str(file))
    for server.token in ("first", "second"):
        file.write_text(f"{server.token}\n")
        source.current()
        server.clock.seconds += 2 * 3600

    assert server.asked == ["first", "second"]


def test_a_token_of_several_lines_is_no_header(server: Server) -> None:
    server.token = "token\r\nHost: elsewhere"

    with pytest.raises(StoreUnavailable):
        server.source().current()

    assert server.asked == []


@pytest.mark.parametrize(
    "address",
    ["http://example.com/c", "http://169.254.169.254/c", "http://10.0.0.1/c", "ftp://127.0.0.1/c", "file:///c", "x", "http://"],
)  # fmt: skip
def test_keys_come_from_this_machine_or_over_tls_only(address: str) -> None:
    with pytest.raises(ConfigurationError, match="FULL_URI"):
        from_env({"AWS_CONTAINER_CREDENTIALS_FULL_URI": address}, SetClock())


@pytest.mark.parametrize(
    "address",
    ["http://localhost/c", "http://127.0.0.1:9001/c", "http://127.8.0.1/c", "http://[::1]/c", "https://example.com/c",
     "http://169.254.170.2/c", "http://169.254.170.23/c", "http://[fd00:ec2::23]/c"],
)  # fmt: skip
def test_the_addresses_that_botocore_takes_are_taken(address: str) -> None:
    assert isinstance(from_env({"AWS_CONTAINER_CREDENTIALS_FULL_URI": address}, SetClock()), ContainerCredentials)


async def test_a_database_token_is_signed_with_the_containers_keys(server: Server) -> None:
    login = IamLogin("postgresql://app@db.example/x", "eu-west-1", server.source(), server.clock)

    token = (await login.parameters())["password"]

    assert "ASIA1" in token
