"""What the API's and the workers' processes share: one instance for all their handlers, logs, metrics and traces."""

import json
import logging
import sys
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from containers import metrics, traces
from remembrancer.bootstrap import Instance
from remembrancer.runtime.after_response import ServerWork
from remembrancer.runtime.telemetry import METRICS

CONNECTIONS = 8
"""To Postgres, of one process, which serves many requests at once."""
_PLAIN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "taskName"}


class ServerInstance(Instance):
    """An instance that serves several requests at once, works on between them, and is told of its end."""

    connections = CONNECTIONS
    started_ahead = True

    def works_after_response(self) -> ServerWork:
        """Nothing freezes this process."""
        return ServerWork(self.loop)

    def end(self) -> None:
        """Finishes what requests and batches have left to do."""
        work = self.after_response
        assert isinstance(work, ServerWork)
        work.end()
        traces.end()

    def tick(self) -> None:
        """Recurring work; call it every second."""
        work = self.after_response
        assert isinstance(work, ServerWork)
        work.tick()

    def _write_metrics(self) -> None:
        METRICS.sink = metrics.record
        traces.begin(self.environment)


@dataclass(frozen=True, slots=True)
class Invocation:
    """Lambda's context, with the attributes that handlers use."""

    function_name: str
    seconds: float
    since: float = field(default_factory=time.monotonic)
    aws_request_id: str = ""

    def get_remaining_time_in_millis(self) -> float:
        """Counts down from `seconds`."""
        return (self.seconds - (time.monotonic() - self.since)) * 1000


class _Lines(logging.Formatter):
    """One JSON object on each line, as Lambda writes them."""

    def format(self, record: logging.LogRecord) -> str:
        """Fields of `extra` stand beside the message."""
        line = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _PLAIN},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


def log_lines() -> None:
    """Logs to standard output, from INFO on."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(_Lines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    # One line for each call of a model server.
    logging.getLogger("httpx").setLevel(logging.WARNING)
