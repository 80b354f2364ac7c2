"""How messages go to SQS: the calls themselves are tested with a server, in tests/integration."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from remembrancer.adapters.aws import sqs_queue
from remembrancer.adapters.aws.sqs_queue import SqsQueue


async def test_four_batches_are_on_their_way_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """One after the other, the thousand memories of an import would outlast the time after a response."""
    together = threading.Barrier(4, timeout=20)

    class Client:
        def send_message_batch(self, **_: Any) -> Mapping[str, Any]:
            together.wait()
            return {}

    monkeypatch.setattr(sqs_queue, "connect", lambda endpoint_url, **_: Client())

    await SqsQueue("https://queue").send([{"number": number} for number in range(40)])

    assert not together.broken
