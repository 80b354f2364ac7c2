"""SQS and KMS on this machine: moto's server, which boto3 uses like AWS."""

import os
import signal
import socket
import sys
from pathlib import Path
from uuid import uuid4

from local.servers import ports, secret
from local.servers.process import ServerCommand
from local.servers.server import Server

REGION = "us-east-1"
ACCOUNT_ID = "123456789012"
BACKGROUND = 5
"""Niceness of processes for which no client waits: queues, and the functions that read them."""
_HOST = "127.0.0.1"
_KEY_FILE = "kms-key"
_ENTRY = Path(__file__).with_name("moto_with_key.py")


class AwsServer(Server):
    """Queues in memory, lost when it stops; and one KMS key whose material is kept in the directory.

    Data sealed under that key can be opened after a restart, by every user who can read the directory.
    """

    def __init__(self, directory: Path, *, port: int | None = None) -> None:
        super().__init__(
            "The local AWS",
            directory,
            port=port,
            listen=(_HOST,),
            stop_signals=((signal.SIGTERM, 5.0),),
            start_seconds=60.0,
        )

    @property
    def endpoint_url(self) -> str:
        """The base URL of SQS and KMS, for AWS_ENDPOINT_URL."""
        return f"http://{_HOST}:{self.port}"

    @property
    def credentials(self) -> dict[str, str]:
        """Environment variables with placeholder credentials, with which boto3 signs requests."""
        return {
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_REGION": REGION,
        }

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables with which boto3 uses this server: credentials and endpoint."""
        return {**self.credentials, "AWS_ENDPOINT_URL": self.endpoint_url}

    @property
    def kms_key_id(self) -> str:
        """The ARN of the kept key."""
        return f"arn:aws:kms:{REGION}:{ACCOUNT_ID}:key/{self._key()['id']}"

    def recall(self) -> bool:
        """Reads the endpoint of the server that was last started in this directory; False when there was none."""
        self._port = ports.noted_port(self.directory / "port")
        return self._port is not None

    def _prepare(self, lock: int) -> None:
        self._key()

    def _key(self) -> dict[str, str]:
        path = self.directory / _KEY_FILE
        known = secret.read(path)
        if known is None or known.keys() != {"id", "material"}:
            known = {"id": str(uuid4()), "material": os.urandom(32).hex()}
            secret.write(path, known)
        return known

    def _command(self, port: int) -> ServerCommand:
        place = (REGION, ACCOUNT_ID, str(self.directory / _KEY_FILE))
        return ServerCommand(
            (sys.executable, "-I", str(_ENTRY), *place, "-H", _HOST, "-p", str(port)),
            {"PATH": os.defpath, "LC_ALL": "C.UTF-8", **self.credentials},
            niceness=BACKGROUND,
        )

    def _is_ready(self, pid: int) -> bool:
        try:
            socket.create_connection((_HOST, self.port), timeout=1).close()
        except OSError:
            return False
        # Checks, where the system shows it, that this process and no other listens on the port.
        return not Path("/proc/net/tcp").exists() or pid in ports.listeners(self.port)
