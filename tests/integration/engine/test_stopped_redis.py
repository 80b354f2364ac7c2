"""Without Redis every call fails with our error; it is stopped once for all of them."""

from collections.abc import Iterator

import pytest

from local.servers import Cache
from remembrancer.errors import StoreUnavailable
from tests.cache import client_of
from tests.integration.engine.store_calls import REDIS, Call, cases, on_redis


@pytest.fixture(scope="module")
def stopped_valkey(valkey_server: Cache) -> Iterator[Cache]:
    valkey_server.stop()
    yield valkey_server
    valkey_server.start()


@pytest.mark.parametrize(("kind", "call"), cases(REDIS))
async def test_with_redis_gone_it_is_unavailable(stopped_valkey: Cache, kind: type, call: Call) -> None:
    client = client_of(stopped_valkey)

    with pytest.raises(StoreUnavailable) as raised:
        await call(on_redis(kind, client))

    assert raised.value.cause == "ConnectionError"
    await client.close()
