"""Works after the response, in an internal extension, and says farewell on SIGTERM."""

import http.client
import json
import os
import queue
import signal
import sys
import time
from pathlib import Path
from threading import Thread
from typing import Any

_work: queue.Queue[dict[str, Any]] = queue.Queue()


def _call(method: str, path: str, headers: dict[str, str], body: str | None = None) -> tuple[int, str, dict[str, Any]]:
    connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    connection.request(method, f"/2020-01-01/extension/{path}", body, headers)
    response = connection.getresponse()
    identifier = response.getheader("Lambda-Extension-Identifier", "")
    return response.status, identifier, json.loads(response.read())


def _register(name: str, events: list[str]) -> tuple[int, str, dict[str, Any]]:
    return _call("POST", "register", {"Lambda-Extension-Name": name}, json.dumps({"events": events}))


def _run(identifier: str) -> None:
    while True:
        _, _, event = _call("GET", "event/next", {"Lambda-Extension-Identifier": identifier})
        asked = _work.get()
        _write(asked, f"extension {event['requestId']}")
        while "gate" in asked and not Path(asked["gate"]).exists():
            time.sleep(0.005)
        _write(asked, f"after {asked['name']}")


def _write(asked: dict[str, Any], line: str) -> None:
    with Path(asked["journal"]).open("a") as journal:
        journal.write(f"{line}\n")


def _farewell(number: int, frame: object) -> None:
    if "FAREWELL" in os.environ:
        Path(os.environ["FAREWELL"]).write_text("farewell")
    sys.exit(0)


_refused = [_register("", ["INVOKE"]), _register("app", ["SHUTDOWN"]), _register("app", ["NOTHING"])]
_status, _identifier, _document = _register("app", ["INVOKE"])
_refused.append(_register("app", ["INVOKE"]))
Thread(target=_run, args=(_identifier,), daemon=True).start()
signal.signal(signal.SIGTERM, _farewell)


def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    _write(event, f"handled {event['name']}")
    _work.put(event)
    return {
        "request_id": context.aws_request_id,
        "registered": [_status, _document],
        "refused": [[status, document["errorType"]] for status, _, document in _refused],
        "late": _register("late", ["INVOKE"])[2].get("errorType"),
    }
