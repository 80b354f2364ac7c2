"""SQS and KMS on this machine: moto's server, to which boto3 talks as to AWS."""

import os
import signal
import socket
import sys
from pathlib import Path

from local.servers import ports
from local.servers.process import Command
from local.servers.server import Server

REGION = "us-east-1"
ACCOUNT_ID = "123456789012"
_HOST = "127.0.0.1"


class AwsServer(Server):
    """Queues and keys in memory, gone when it stops."""

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
        """The value of AWS_ENDPOINT_URL."""
        return f"http://{_HOST}:{self.port}"

    @property
    def credentials(self) -> dict[str, str]:
        """Environment with which boto3 signs for an account that does not exist."""
        return {
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_REGION": REGION,
        }

    @property
    def environment(self) -> dict[str, str]:
        """The credentials and the endpoint."""
        return {**self.credentials, "AWS_ENDPOINT_URL": self.endpoint_url}

    def _prepare(self, lock: int) -> None:
        """Needs nothing but its directory."""

    def _command(self, port: int) -> Command:
        return Command(
            (sys.executable, "-I", "-m", "moto.server", "-H", _HOST, "-p", str(port)),
            {"PATH": os.defpath, "LC_ALL": "C.UTF-8", **self.credentials},
        )

    def _is_ready(self, pid: int) -> bool:
        try:
            socket.create_connection((_HOST, self.port), timeout=1).close()
        except OSError:
            return False
        # So that no other server on the port is taken for this one, where the system tells.
        return not Path("/proc/net/tcp").exists() or pid in ports.listeners(self.port)
