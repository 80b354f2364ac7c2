"""A task as a CloudFormation custom resource: the outcome is also put to the event's response URL."""

import json
import logging
import re
import urllib.request
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from remembrancer.errors import InvalidRequest
from remembrancer.runtime.after_response import Finisher
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.tasks.handler import Task, task_handler
from remembrancer.runtime.telemetry import described

_PHYSICAL_ID = "remembrancer-migration"
_CONFIGURATION_DIGITS = 16
_TOO_LONG = (
    "The migration did not finish within the function's time limit. The migration that was running was rolled back; "
    "those before it are complete. Deploy again: it continues with the one that was rolled back. If it fails in the "
    "same way, find the transaction that holds a lock in pg_stat_activity and end it first."
)

logger = logging.getLogger(__name__)


# Every region's bucket, with and without the region in its address (CloudFormation's user guide, cfn-response).
_RESPONSE_HOST = re.compile(
    r"cloudformation-custom-resource-response-[a-z0-9-]+\.s3"
    r"(?:[.-](?:dualstack\.)?[a-z]{2}(?:-[a-z]+)+-\d)?\.amazonaws\.com(?:\.cn)?"
)


def custom_resource_handler(
    tasks: Mapping[str, Task], *, loop: LoopThread, after_response: Finisher, endpoint_url: str = ""
) -> Callable[[Mapping[str, Any], Any], dict[str, Any]]:
    """Runs the first task on create and update, any task by hand; deleting the stack leaves the data alone.

    A failure is reported to CloudFormation, which rolls the deployment back; by hand it is the invocation's error. The
    attribute `Configuration` is a hash of the resource's parameters. Results are sent only to CloudFormation's buckets
    in S3 over TLS, so that a caller cannot make this function send them to other servers. Where `endpoint_url` names a
    stand-in for AWS, as on one machine, they may go to any address.
    """
    run = task_handler(tasks, loop=loop, after_response=after_response)

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        if "ResponseURL" not in event:
            return run(event, context)
        if not endpoint_url:
            _require_bucket(event["ResponseURL"])
        if event["RequestType"] == "Delete":
            _respond(event, {"Status": "SUCCESS"})
            return {}
        try:
            outcome = run(event, context)
        except Exception as error:  # any exception: without a report, a deployment waits for an hour
            logger.error("migration_failed", extra=described(error))
            reason = _TOO_LONG if isinstance(error, TimeoutError) else f"{type(error).__name__}: {error}"
            _respond(event, {"Status": "FAILED", "Reason": reason[:1000]})
            return {}
        _respond(event, {"Status": "SUCCESS", "Data": {**outcome, "Configuration": _configuration(event)}})
        return outcome

    return handle


def _configuration(event: Mapping[str, Any]) -> str:
    """Changes with every parameter; the template then publishes new versions."""
    parameters = event.get("ResourceProperties", {}).get("Parameters")
    return sha256(json.dumps(parameters, sort_keys=True).encode()).hexdigest()[:_CONFIGURATION_DIGITS]


def _require_bucket(address: object) -> None:
    """Raises InvalidRequest before anything is run or opened."""
    try:
        url = urlsplit(address if isinstance(address, str) else "")
        host, port = url.hostname or "", url.port
    except ValueError:
        host, port = "", None
    is_plain = url.scheme == "https" and port in (None, 443) and url.username is None if host else False
    if not is_plain or not _RESPONSE_HOST.fullmatch(host):
        raise InvalidRequest("ResponseURL must be the https address of a CloudFormation bucket in S3")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Makes a redirect an error, so that the response goes only to the checked address."""

    def redirect_request(self, *_: Any) -> None:
        return None


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
    with urllib.request.build_opener(_NoRedirect).open(request, timeout=10):
        return
