"""The route of the inspector: served only where the deployment switches it on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from local.servers import PostgresServer, ValkeyServer
from local.stack import StackSettings
from remembrancer.bootstrap import Instance, memories
from remembrancer.runtime.http.router import LambdaHandler, http_handler
from tests.integration.engine.later import Context


@pytest.fixture
def serve(migrated: PostgresServer, valkey_server: ValkeyServer, request: pytest.FixtureRequest) -> Iterator[Any]:
    instance = Instance(
        {
            "DATABASE_URL": migrated.app_url,
            "REDIS_URL": valkey_server.url,
            "MODELS_DIR": str(StackSettings().models),
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "STAGE": "prod",
            **request.param,
        }
    )
    yield http_handler(memories.routes(instance), loop=instance.loop, after_response=instance.after_response)
    for end in (instance.database.close, instance.redis.close):
        instance.loop.run(end())
