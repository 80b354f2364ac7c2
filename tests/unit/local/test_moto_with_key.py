"""What moto's server is mended with."""

import threading

import pytest
from moto.sqs.models import Message, Queue

from local.servers import moto_with_key


def received(name: str) -> Message:
    message = Message(name, "{}")
    message.mark_sent()
    message.mark_received(visibility_timeout=60)
    return message


def test_a_message_that_is_added_during_two_deletions_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Queue, "delete_message", Queue.delete_message)
    moto_with_key.keep_what_is_added_during_deletions()
    queue = Queue("queue", "us-east-1", "123456789012")  # type: ignore[abstract]
    first, second = received("first"), received("second")

    def meanwhile() -> None:
        queue.delete_message(str(second.receipt_handle))
        queue.add_message(Message("added", "{}"))

    other = threading.Thread(target=meanwhile)

    class Examined(Message):
        """While one deletion looks at it, another thread deletes and adds."""

        def had_receipt_handle(self, receipt_handle: str) -> bool:
            if not other.ident:
                other.start()
                other.join(0.2)
            return super().had_receipt_handle(receipt_handle)

    for message in (first, second, Examined("examined", "{}")):
        queue.add_message(message)
    queue.delete_message(str(first.receipt_handle))
    other.join()

    assert [message.id for message in queue._messages] == ["examined", "added"]
