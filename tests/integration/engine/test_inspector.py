"""The route of the inspector: served only where the deployment switches it on."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from awslambdaric.lambda_context import LambdaContext

from local.servers import Cache, PostgresServer
from local.stack import StackSettings
from remembrancer.bootstrap import Instance, memories
from remembrancer.runtime.http.router import http_handler

Get = Callable[[str], dict[str, Any]]


@pytest.fixture
def get(migrated: PostgresServer, valkey_server: Cache, request: pytest.FixtureRequest) -> Iterator[Get]:
    instance = Instance(
        {
            "DATABASE_URL": migrated.app_url,
            **valkey_server.environment,
            "MODELS_DIR": str(StackSettings().models),
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "STAGE": "staging",
            **request.param,
        }
    )
    handler = http_handler(memories.routes(instance), loop=instance.loop, after_response=instance.after_response)

    def get(path: str) -> dict[str, Any]:
        place = {"http": {"method": "GET", "path": path, "sourceIp": "192.0.2.1"}}
        event = {"version": "2.0", "rawPath": path, "requestContext": place, "headers": {}}
        return handler(event, LambdaContext("invocation", {}, {}, int((time.time() + 60) * 1000)))

    yield get
    for end in (instance.database.close, instance.redis.close):
        instance.loop.run(end())


@pytest.mark.parametrize("get", [{}, {"INSPECTOR": "false"}], indirect=True, ids=str)
def test_it_is_an_unknown_route_unless_it_is_switched_on(get: Get) -> None:
    answer, unknown = get("/inspector"), get("/inspectors")

    assert answer["statusCode"] == 404
    bodies = [json.loads(each["body"])["error"] for each in (answer, unknown)]
    assert bodies[0] == bodies[1]
    assert answer["headers"].keys() == unknown["headers"].keys()


@pytest.mark.parametrize("get", [{"INSPECTOR": "true"}], indirect=True, ids=str)
def test_it_is_one_page_that_knows_its_stage(get: Get) -> None:
    answer = get("/inspector")

    assert (answer["statusCode"], answer["isBase64Encoded"]) == (200, False)
    assert answer["headers"]["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in answer["headers"]["content-security-policy"]
    assert 'data-stage="staging"' in answer["body"]
    assert get("/inspector/faults")["statusCode"] == 404
