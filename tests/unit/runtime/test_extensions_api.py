"""The extension's events arrive however their answers are cut into packets."""

import socket
import threading
from collections.abc import Iterator, Sequence

import pytest

from remembrancer.runtime.extensions_api import Events

EVENT = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 22\r\n\r\n{"eventType":"INVOKE"}'
Answer = Sequence[bytes]


class Api:
    """Answers each request with the packets of the next answer; an empty answer closes the connection."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._answers = list(answers)
        self.requests: list[bytes] = []
        self.connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        host, port = self._listener.getsockname()
        return f"{host}:{port}"

    def _serve(self) -> None:
        while self._answers:
            connection, _ = self._listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            with connection:
                while self._answers and (request := connection.recv(65_536)):
                    self.requests.append(request)
                    answer = self._answers.pop(0)
                    for packet in answer:
                        connection.sendall(packet)
                    if not answer:
                        break

    def end(self) -> None:
        self._thread.join(10)
        self._listener.close()


@pytest.fixture
def opened() -> Iterator[list[tuple[Api, Events]]]:
    found: list[tuple[Api, Events]] = []
    yield found
    for api, events in found:
        events.close()
        api.end()


def serving(opened: list[tuple[Api, Events]], *answers: Answer) -> tuple[Api, Events]:
    api = Api(answers)
    opened.append((api, Events(api.address, "the-identifier")))
    return opened[-1]


def next_of(events: Events) -> bool:
    events.ask()
    return events.wait()


def test_events_are_asked_for_one_after_the_other_on_one_connection(opened: list[tuple[Api, Events]]) -> None:
    api, events = serving(opened, [EVENT], [EVENT[:20], EVENT[20:80], EVENT[80:]], [EVENT[:-1], EVENT[-1:]])

    assert [next_of(events) for _ in range(3)] == [True, True, True]

    assert api.connections == 1
    assert {request.partition(b"\r\n")[0] for request in api.requests} == {
        b"GET /2020-01-01/extension/event/next HTTP/1.1"
    }
    assert all(b"\r\nLambda-Extension-Identifier: the-identifier\r\n" in request for request in api.requests)


def test_a_refusal_is_no_event(opened: list[tuple[Api, Events]]) -> None:
    _, events = serving(opened, [b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"])

    assert not next_of(events)


def test_a_closed_connection_is_an_error(opened: list[tuple[Api, Events]]) -> None:
    _, events = serving(opened, [])

    with pytest.raises(ConnectionError):
        next_of(events)


def test_after_a_body_of_unknown_length_the_next_event_has_a_connection_of_its_own(
    opened: list[tuple[Api, Events]],
) -> None:
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
    api, events = serving(opened, [chunked], [EVENT])

    assert [next_of(events) for _ in range(2)] == [True, True]

    assert api.connections == 2
