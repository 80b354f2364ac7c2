"""The deployment's own task: what CloudFormation hears of it."""

import asyncio
import json
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any
from urllib.error import HTTPError

import pytest
from awslambdaric.lambda_context import LambdaContext

from remembrancer.errors import ConfigurationError, InvalidRequest
from remembrancer.runtime.after_response import AfterResponse
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.tasks.custom_resource import _require_bucket, custom_resource_handler

CONTEXT = LambdaContext("invocation", {}, {}, int((time.time() + 3600) * 1000))


class CloudFormation:
    """Listens for outcomes."""

    def __init__(self) -> None:
        self.heard: Queue[dict[str, Any]] = Queue()
        heard = self.heard

        class Response(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                if self.path == "/elsewhere":
                    self.send_response(302)
                    self.send_header("Location", "/")
                    self.end_headers()
                    return
                heard.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *arguments: Any) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Response)

    def event(self, parameters: Any, kind: str = "Update") -> dict[str, Any]:
        return {
            "RequestType": kind,
            "ResponseURL": f"http://127.0.0.1:{self.server.server_port}/",
            "StackId": "stack",
            "RequestId": "request",
            "LogicalResourceId": "Migration",
            "ResourceProperties": {"ServiceToken": "arn", "Layer": "layer", "Parameters": parameters},
        }


@pytest.fixture
def cloudformation() -> Iterator[CloudFormation]:
    listener = CloudFormation()
    thread = threading.Thread(target=listener.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield listener
    listener.server.shutdown()
    thread.join()
    listener.server.server_close()


async def migrate(event: Mapping[str, Any]) -> dict[str, Any]:
    if "fail" in event["ResourceProperties"]["Parameters"]:
        raise ConfigurationError("no such database")
    return {"applied": []}


@pytest.fixture
def outcomes(cloudformation: CloudFormation) -> Any:
    loop = LoopThread()
    handler = custom_resource_handler(
        {"migrate": migrate}, loop=loop, after_response=AfterResponse(loop, None), endpoint_url="http://127.0.0.1"
    )

    def outcome(parameters: Any, kind: str = "Update") -> dict[str, Any]:
        handler(cloudformation.event(parameters, kind), CONTEXT)
        return cloudformation.heard.get(timeout=5)

    return outcome


def deployed(ran: list[Any]) -> Any:
    """As where there is no stand-in for AWS."""

    async def note(event: Mapping[str, Any]) -> dict[str, Any]:
        ran.append(event)
        return {}

    loop = LoopThread()
    return custom_resource_handler({"note": note}, loop=loop, after_response=AfterResponse(loop, None))


@pytest.mark.parametrize(
    "address",
    [
        "http://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/a?X-Amz-Signature=1",
        "https://127.0.0.1/", "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd", "ftp://example.com/",
        "https://example.com/", "https://s3.amazonaws.com.example.com/a", "https://bucket.s3.amazonaws.com/a",
        "https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com.example.com/",
        "https://example.com/cloudformation-custom-resource-response-useast1.s3.amazonaws.com",
        "https://user@cloudformation-custom-resource-response-useast1.s3.amazonaws.com/",
        "https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com:8443/",
        "https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com@example.com/",
        "https://example.com#.s3.amazonaws.com", "https://[::1", "https://x:port/", "", None, 7,
    ],
)  # fmt: skip
def test_an_address_that_is_not_cloudformations_is_refused_before_anything_runs(address: object) -> None:
    ran: list[Any] = []
    event = {
        "RequestType": "Create",
        "ResponseURL": address,
        "StackId": "s",
        "RequestId": "r",
        "LogicalResourceId": "l",
    }

    for kind in ("Create", "Delete"):
        with pytest.raises(InvalidRequest, match="ResponseURL"):
            deployed(ran)({**event, "RequestType": kind}, CONTEXT)

    assert ran == []


@pytest.mark.parametrize(
    "host",
    [
        "useast1.s3.amazonaws.com", "eucentral1.s3.eu-central-1.amazonaws.com", "euwest1.s3-eu-west-1.amazonaws.com",
        "usgovwest1.s3.us-gov-west-1.amazonaws.com", "cnnorth1.s3.cn-north-1.amazonaws.com.cn",
        "apsoutheast2.s3.dualstack.ap-southeast-2.amazonaws.com",
    ],
)  # fmt: skip
def test_every_regions_bucket_is_taken(host: str) -> None:
    _require_bucket(f"https://cloudformation-custom-resource-response-{host}/arn%3Aaws?X-Amz-Signature=1")


def test_a_redirect_is_not_followed(cloudformation: CloudFormation) -> None:
    loop = LoopThread()
    handler = custom_resource_handler(
        {"migrate": migrate}, loop=loop, after_response=AfterResponse(loop, None), endpoint_url="http://127.0.0.1"
    )
    event = cloudformation.event(["one"])

    with pytest.raises(HTTPError, match="302"):
        handler({**event, "ResponseURL": f"{event['ResponseURL']}elsewhere"}, CONTEXT)

    assert cloudformation.heard.empty()


def test_another_parameter_is_another_configuration(outcomes: Any) -> None:
    first = outcomes(["1000", ["one", "two"]])["Data"]["Configuration"]

    assert len(first) == 16
    assert outcomes(["1000", ["one", "two"]])["Data"]["Configuration"] == first
    assert outcomes(["1001", ["one", "two"]])["Data"]["Configuration"] != first
    assert outcomes(["1000", ["onetwo"]])["Data"]["Configuration"] != first


def test_a_failure_is_told_with_its_reason(outcomes: Any) -> None:
    heard = outcomes(["fail"])

    assert (heard["Status"], heard["Reason"]) == ("FAILED", "ConfigurationError: no such database")


def test_the_end_of_the_stack_runs_nothing(outcomes: Any) -> None:
    assert outcomes(["fail"], kind="Delete")["Status"] == "SUCCESS"


def test_a_migration_that_takes_too_long_is_told_before_the_invocation_ends(cloudformation: CloudFormation) -> None:
    async def endless(event: Mapping[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    loop = LoopThread()
    handler = custom_resource_handler(
        {"migrate": endless}, loop=loop, after_response=AfterResponse(loop, None), endpoint_url="http://127.0.0.1"
    )
    context = LambdaContext("invocation", {}, {}, int((time.time() + 1.0) * 1000))

    handler(cloudformation.event([]), context)

    assert context.get_remaining_time_in_millis() > 200
    heard = cloudformation.heard.get(timeout=5)
    assert heard["Status"] == "FAILED"
    assert heard["Reason"].startswith("The migration did not finish within the function's time limit.")
    assert "Deploy again" in heard["Reason"]


def test_a_rollback_calls_with_the_properties_of_an_older_template(cloudformation: CloudFormation) -> None:
    loop = LoopThread()
    handler = custom_resource_handler(
        {"migrate": as_of_older_code}, loop=loop, after_response=AfterResponse(loop, None), endpoint_url="http://here"
    )
    event = cloudformation.event([])
    event["ResourceProperties"] = {"ServiceToken": "arn", "Layer": "layer:1"}
    event["OldResourceProperties"] = {"ServiceToken": "arn", "Layer": "layer:2", "Parameters": ["new"], "Newer": "yes"}
    event["PhysicalResourceId"] = "remembrancer-migration"

    handler(event, CONTEXT)

    outcome = cloudformation.heard.get(timeout=5)
    assert outcome["Status"] == "SUCCESS"
    assert outcome["PhysicalResourceId"] == "remembrancer-migration"
    assert outcome["Data"]["current"] == 20


async def as_of_older_code(event: Mapping[str, Any]) -> dict[str, Any]:
    return {"applied": [], "current": 20}
