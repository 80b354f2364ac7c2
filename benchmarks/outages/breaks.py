"""Each outage: what is broken, and how it ends."""

import os
import re
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg

from benchmarks.outages.rig import Rig
from local.servers import PostgresServer
from local.servers.valkey_cluster import ValkeyCluster, ValkeyNode
from tests.e2e.conftest import Tenant

SQS, KMS, SECRETS = "AmazonSQS.", "TrentService.", "secretsmanager."
SLOW_MS = 800.0
"""Of each answer; a call of SQS may take a second, one of KMS and Secrets Manager two."""
SYNCHRONOUS_SECONDS = 3.0
DETECTION_SECONDS = 5.0
"""Until a replica is promoted."""
ALL = ("write", "assemble", "query")

Broken = Callable[[Rig], AbstractContextManager[None]]


def by_key(rig: Rig, tenant: Tenant) -> Mapping[str, str]:
    """The headers of the tenant's API key."""
    return tenant.client.headers


@dataclass(frozen=True, slots=True)
class Outage:
    """`of` names the dependency, `how` the fault; it lasts `seconds`. `setup` names the stack that it needs."""

    of: str
    how: str
    broken: Broken
    setup: str = "plain"
    kinds: Sequence[str] = ALL
    seconds: float = 15.0
    tenant: Callable[[Rig], Tenant] = Rig.tenant
    headers: Callable[[Rig, Tenant], Mapping[str, str]] = by_key

    @property
    def name(self) -> str:
        """For the command line."""
        return re.sub(r"[^a-z0-9]+", "-", f"{self.of} {self.how}".lower()).strip("-")


def aws(target: str, fault: Any, *, cold: bool = False) -> Broken:
    """A service of AWS; `cold`: functions are started anew meanwhile, and have nothing of it yet."""

    @contextmanager
    def broken(rig: Rig) -> Iterator[None]:
        rig.aws_proxy.set(fault, delay_ms=SLOW_MS, only=target)
        if cold:
            rig.renew_instances()
        yield
        rig.aws_proxy.set("none")

    return broken


@contextmanager
def sqs_stopped(rig: Rig) -> Iterator[None]:
    """Takes calls, and answers them when it goes on: what nobody waits for any more is received by nobody."""
    assert rig.aws.pid is not None
    os.kill(rig.aws.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(rig.aws.pid, signal.SIGCONT)


def provider(*, hangs: bool) -> Broken:
    """The identity provider, for functions that have no keys yet."""

    @contextmanager
    def broken(rig: Rig) -> Iterator[None]:
        rig.provider.status = 503
        if hangs:
            rig.provider.answering.clear()
        rig.renew_instances()
        try:
            yield
        finally:
            rig.provider.status = 200
            rig.provider.answering.set()

    return broken


def model(fault: Any) -> Broken:
    """The capture model."""

    @contextmanager
    def broken(rig: Rig) -> Iterator[None]:
        rig.model.fault = fault
        yield
        rig.model.fault = "none"

    return broken


def lock(mode: str) -> Broken:
    """A session that holds a lock of the memories' table, as a migration by hand does."""

    @contextmanager
    def broken(rig: Rig) -> Iterator[None]:
        with psycopg.connect(rig.stack.postgres.superuser_url) as connection:
            connection.execute(f"LOCK TABLE memories IN {mode} MODE")
            yield
            connection.rollback()

    return broken


@contextmanager
def disk_full(rig: Rig) -> Iterator[None]:
    """Not a byte is left under Postgres' data."""
    ballast = rig.stack.postgres.directory / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * (1 << 20))
        except OSError:
            pass
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            pass
    try:
        yield
    finally:
        ballast.unlink()


@contextmanager
def postgres_restarts(rig: Rig) -> Iterator[None]:
    """As after a crash, on the same address; it is away for a while."""
    rig.stack.postgres.stop("immediate")
    yield
    rig.stack.postgres.start()


class Standby(PostgresServer):
    """A copy that follows its primary until it is promoted."""

    def __init__(self, primary: PostgresServer, directory: Path) -> None:
        super().__init__(directory)
        self._primary = primary

    def _create(self, lock: int) -> None:
        shutil.copy2(self._primary.directory / "passwords.json", self._directory)
        account = self._account()
        self._data.mkdir(mode=0o700)
        if account is not None:
            os.chown(self._data, account.user, account.group)
        copy = ("-D", str(self._data), "-d", self._primary.superuser_url, "-R", "-X", "stream", "-c", "fast")
        self._process.run(self._program("pg_basebackup", *copy), lock, seconds=60)

    def _is_ready(self, pid: int) -> bool:
        state = self._data / "postmaster.pid"
        lines = state.read_text(encoding="utf-8").splitlines() if state.exists() else []
        return len(lines) >= 8 and lines[7].strip() in {"ready", "standby"}


@contextmanager
def postgres_fails_over(rig: Rig) -> Iterator[None]:
    """To a synchronous standby with another address. Connections to the old one are never answered nor closed."""
    primary = rig.stack.postgres
    rules = primary.directory / "pg_hba.conf"
    rules.write_text(rules.read_text() + "host replication all 127.0.0.1/32 scram-sha-256\n")
    _execute(primary.superuser_url, "SELECT pg_reload_conf()")
    standby = Standby(primary, primary.directory.with_name("standby"))
    standby.start()
    _execute(primary.superuser_url, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
    # Each session of the primary reads that with its next statement: what it commits before is not waited for.
    time.sleep(SYNCHRONOUS_SECONDS)
    rig.store_proxy("postgres").set("hang")
    primary.stop("immediate")
    yield
    _execute(standby.superuser_url, "SELECT pg_promote()")
    rig.store_proxy("postgres").lead_to(standby.port, silent=True)
    rig.store_proxy("postgres").set("none")
    rig.stack.postgres = standby


def _execute(url: str, *statements: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


@contextmanager
def redis_fails_over(rig: Rig) -> Iterator[None]:
    """A node of three is killed; its replica, at another address, takes its slots some seconds later."""
    cluster = rig.stack.valkey
    assert isinstance(cluster, ValkeyCluster)
    primary = cluster.nodes[0]
    replica = ValkeyNode(cluster.directory / "replica")
    replica.start()
    password = urlsplit(cluster.url).password
    replica.command("CONFIG", "SET", "masterauth", password)
    replica.command("CLUSTER", "MEET", "127.0.0.1", primary.port, primary.bus)
    name = primary.command("CLUSTER", "MYID").decode()
    _until(lambda: name in replica.command("CLUSTER", "NODES").decode())
    replica.command("CLUSTER", "REPLICATE", name)
    _until(lambda: replica.command("INFO", "replication")["master_link_status"] == "up")
    assert primary.pid is not None
    os.kill(primary.pid, signal.SIGKILL)
    yield
    replica.command("CLUSTER", "FAILOVER", "TAKEOVER")


def _until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


def clock(hours: float, *names: str) -> Broken:
    """The clocks of these functions are wrong by so many hours, or all clocks, of the servers too."""

    @contextmanager
    def broken(rig: Rig) -> Iterator[None]:
        assert rig.clocks is not None
        rig.clocks.set(hours, *names)
        yield
        rig.clocks.set(0.0)

    return broken


OUTAGES = (
    Outage("SQS", "refuses connections", aws(SQS, "refuse")),
    Outage("SQS", "does not answer", aws(SQS, "hang")),
    Outage("SQS", "stops, and answers later", sqs_stopped),
    Outage("SQS", "is slow", aws(SQS, "delay")),
    Outage("SQS", "throttles", aws(SQS, "throttle")),
    Outage("SQS", "delivers twice", aws(f"{SQS}Delete", "refuse"), setup="brief"),
    Outage("KMS", "refuses connections", aws(KMS, "refuse", cold=True), tenant=Rig.encrypted),
    Outage("KMS", "does not answer", aws(KMS, "hang", cold=True), tenant=Rig.encrypted),
    Outage("KMS", "is slow", aws(KMS, "delay", cold=True), tenant=Rig.encrypted),
    Outage("KMS", "denies", aws(KMS, "deny", cold=True), tenant=Rig.encrypted),
    Outage("Secrets Manager", "refuses connections", aws(SECRETS, "refuse", cold=True)),
    Outage("Secrets Manager", "does not answer", aws(SECRETS, "hang", cold=True)),
    Outage("Secrets Manager", "is slow", aws(SECRETS, "delay", cold=True)),
    Outage("Secrets Manager", "denies", aws(SECRETS, "deny", cold=True)),
    Outage("Identity provider", "answers 503", provider(hangs=False), headers=Rig.token, kinds=("assemble", "query")),
    Outage(
        "Identity provider", "does not answer", provider(hangs=True), headers=Rig.token, kinds=("assemble", "query")
    ),
    Outage("Capture model", "answers 503", model("refuse"), kinds=("converse", "assemble")),
    Outage("Capture model", "does not answer", model("hang"), kinds=("converse", "assemble")),
    Outage("Capture model", "answers nonsense", model("nonsense"), kinds=("converse", "assemble")),
    Outage("Capture model", "chooses what nobody said", model("wrong"), kinds=("converse", "assemble")),
    Outage("Postgres", "table locked (ALTER TABLE)", lock("ACCESS EXCLUSIVE")),
    Outage("Postgres", "table locked against writes", lock("SHARE ROW EXCLUSIVE")),
    Outage("Postgres", "crashes and restarts", postgres_restarts),
    Outage("Postgres", "disk full", disk_full, setup="small disk"),
    Outage("Postgres", "fails over to a new address", postgres_fails_over, setup="failover", seconds=DETECTION_SECONDS),
    Outage("Redis", "fails over in cluster mode", redis_fails_over, setup="cluster", seconds=DETECTION_SECONDS),
    Outage("Clock", "of assembly, an hour fast", clock(1, "AssembleFunction"), setup="clocks"),
    Outage("Clock", "of assembly, an hour slow", clock(-1, "AssembleFunction"), setup="clocks"),
    Outage("Clock", "of the workers, an hour slow", clock(-1, "EmbedFunction", "SideEffectsFunction"), setup="clocks"),
    Outage("Clock", "all, an hour fast", clock(1), setup="clocks"),
    Outage("Clock", "all, an hour slow", clock(-1), setup="clocks"),
)
