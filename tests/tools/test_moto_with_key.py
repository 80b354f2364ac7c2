"""What moto's server is mended with."""

import threading

import pytest
from moto.sqs import models
from moto.sqs.models import Message, Queue, SQSBackend

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


def test_messages_are_counted_when_somebody_asks_and_not_when_one_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name in (
        (Queue, "BASE_ATTRIBUTES"),
        (SQSBackend, "get_queue_attributes"),
        (models, "unix_time"),
        (models, "unix_time_millis"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    moto_with_key.count_only_when_asked()
    looked_at: list[Message] = []
    visible = vars(Message)["visible"].fget

    def watched(message: Message) -> bool:
        looked_at.append(message)
        return bool(visible(message))

    monkeypatch.setattr(Message, "visible", property(watched))
    backend = SQSBackend("us-east-1", "123456789012")
    backend.create_queue("queue", {})
    for _ in range(3):
        backend.send_message("queue", "{}")
    sent = list(looked_at)
    backend.receive_message("queue", 1, 0, 60)
    counts = {
        names: backend.get_queue_attributes("queue", list(names))
        for names in (("ApproximateNumberOfMessages", "VisibilityTimeout"), ("All",))
    }

    assert sent == []
    assert counts["ApproximateNumberOfMessages", "VisibilityTimeout"] == {
        "ApproximateNumberOfMessages": 2,
        "VisibilityTimeout": 30,
    }
    assert counts["All",]["ApproximateNumberOfMessagesNotVisible"] == 1
    assert counts["All",]["QueueArn"]


@pytest.mark.parametrize(("in_flight", "first"), [(29, "importer"), (30, "other")])
def test_a_group_with_thirty_messages_in_flight_waits_behind_the_others(
    monkeypatch: pytest.MonkeyPatch, in_flight: int, first: str
) -> None:
    """Apart from what was delivered lately, which counts too."""
    monkeypatch.setattr(SQSBackend, "receive_message", SQSBackend.receive_message)
    monkeypatch.setattr(Queue, "messages", Queue.messages)
    monkeypatch.setattr(moto_with_key, "_LATELY_S", 0.0)
    moto_with_key.deliver_in_turn()
    backend = SQSBackend("us-east-1", "123456789012")
    backend.create_queue("queue", {})
    for _ in range(in_flight + 1):
        backend.send_message("queue", "{}", group_id="importer")
    assert len(backend.receive_message("queue", in_flight, 0, 60)) == in_flight
    backend.send_message("queue", "{}", group_id="other")

    received = [backend.receive_message("queue", 1, 0, 60)[0].group_id for _ in range(2)]

    assert received[0] == first
    assert set(received) == {"importer", "other"}
