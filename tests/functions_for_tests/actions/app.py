"""Does what the event asks for; over HTTP at /actions, what the body asks for."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any


def handler(event: dict[str, Any], context: Any) -> Any:
    asked = json.loads(event["body"]) if event.get("rawPath") == "/actions" else event
    match asked.get("action"):
        case "answer":
            return asked["answer"]
        case "fail":
            raise ValueError(asked["message"])
        case "exit":
            os._exit(asked["status"])
        case "sleep":
            time.sleep(asked["seconds"])
        case "wait_for":
            _note(asked)
            while not Path(asked["path"]).exists():
                time.sleep(0.005)
        case "context":
            return {
                "remaining_ms": context.get_remaining_time_in_millis(),
                "request_id": context.aws_request_id,
                "arn": context.invoked_function_arn,
                "memory_mb": context.memory_limit_in_mb,
                "environment": dict(os.environ),
            }
        case "large":
            return "x" * asked["bytes"]
        case "print":
            sys.stdout.write(f"{asked['text']}\n")
    return {"pid": os.getpid(), "event": event}


def _note(asked: dict[str, Any]) -> None:
    with Path(asked["journal"]).open("a") as journal:
        journal.write(f"{os.getpid()}\n")
