"""A task as a CloudFormation custom resource: the outcome is also put to the event's response URL."""

import json
import logging
import urllib.request
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from remembrancer.runtime.after_response import AfterResponse
from remembrancer.runtime.loop import LoopThread
from remembrancer.runtime.tasks import Task, task_handler

_PHYSICAL_ID = "remembrancer-migration"
_CONFIGURATION_DIGITS = 16

logger = logging.getLogger(__name__)


def custom_resource_handler(
    tasks: Mapping[str, Task], *, loop: LoopThread, after_response: AfterResponse
) -> Callable[[Mapping[str, Any], Any], dict[str, Any]]:
    """Runs the first task on create and update, any by hand; deleting the stack leaves the data alone.

    A failure is reported to CloudFormation, which rolls the deployment back; by hand it is the invocation's error. The
    attribute `Configuration` is a hash of the resource's parameters.
    """
    run = task_handler(tasks, loop=loop, after_response=after_response)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        if "ResponseURL" not in event:
            return run(event, context)
        if event["RequestType"] == "Delete":
            _respond(event, {"Status": "SUCCESS"})
            return {}
        try:
            outcome = run(event, context)
        except Exception as error:  # whatever it was: a deployment that hears nothing waits for an hour
            logger.exception("migration_failed")
            reason = str(error) or "it took too long and was taken back"
            _respond(event, {"Status": "FAILED", "Reason": f"{type(error).__name__}: {reason}"[:1000]})
            return {}
        _respond(event, {"Status": "SUCCESS", "Data": {**outcome, "Configuration": _configuration(event)}})
        return outcome

    return handle


def _configuration(event: Mapping[str, Any]) -> str:
    """Changes whenever one of the parameters does; with it the template has new versions published."""
    parameters = event.get("ResourceProperties", {}).get("Parameters")
    return sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:_CONFIGURATION_DIGITS]


def _respond(event: Mapping[str, Any], outcome: Mapping[str, Any]) -> None:
    body = {
        "PhysicalResourceId": event.get("PhysicalResourceId", _PHYSICAL_ID),
        "StackId": event["StackId"],
        "RequestId": event["RequestId"],
        "LogicalResourceId": event["LogicalResourceId"],
        **outcome,
    }
    request = urllib.request.Request(  # noqa: S310 - CloudFormation's own pre-signed URL
        event["ResponseURL"], data=json.dumps(body).encode(), method="PUT", headers={"Content-Type": ""}
    )
    with urllib.request.urlopen(request, timeout=10):  # noqa: S310
        return
