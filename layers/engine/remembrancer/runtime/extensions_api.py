"""Lambda's Extensions API, as far as an internal extension needs it.

`http.client` takes 0.3 ms of the processor for each event, parsing headers; so events are asked for on a plain socket,
with one unchanging request, of whose answers only the status matters.
"""

import http.client
import json
import re
import socket

_API = "/2020-01-01/extension"
_MOST_BYTES = 65_536
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)


class Events:
    """The events of a registered extension."""

    def __init__(self, address: str, identifier: str) -> None:
        """`address` is host:port."""
        host, _, port = address.partition(":")
        self._address = host, int(port or http.client.HTTP_PORT)
        lines = (f"GET {_API}/event/next HTTP/1.1", f"Host: {address}", f"Lambda-Extension-Identifier: {identifier}")
        self._request = "".join(f"{line}\r\n" for line in (*lines, "")).encode()
        self._socket: socket.socket | None = None

    def ask(self) -> None:
        """Asks for the next event, which says that the work after the one before is done. OSError without an API."""
        if self._socket is None:
            self._socket = socket.create_connection(self._address)
        self._socket.sendall(self._request)

    def wait(self) -> bool:
        """Returns when the event has come that was asked for; False, or OSError, when there will be none."""
        assert self._socket is not None
        return self._answer(self._socket).startswith((b"HTTP/1.1 200 ", b"HTTP/1.0 200 "))

    def close(self) -> None:
        """Ends the connection to the Extensions API, if there is one."""
        if self._socket is not None:
            self._socket.close()

    def _answer(self, connection: socket.socket) -> bytes:
        """The head of an answer, after all of its body was read."""
        head, body = b"", b""
        while not body:
            received = connection.recv(_MOST_BYTES)
            if not received or len(head) > _MOST_BYTES:
                raise ConnectionError("the Extensions API closed the connection, or sent no HTTP")
            head, end, rest = (head + received).partition(b"\r\n\r\n")
            body = end + rest
        length = _LENGTH.search(head + b"\r\n")
        left = int(length[1]) + len(b"\r\n\r\n") - len(body) if length else 0
        while left > 0 and (received := connection.recv(left)):
            left -= len(received)
        if length is None:
            # A body of unknown length: its rest would be taken for the next answer.
            connection.close()
            self._socket = None
        return head


def register(address: str, name: str) -> str | None:
    """The identifier of this process as an extension for INVOKE; None where the API refuses.

    Raises OSError or HTTPException where there is no such API.
    """
    connection = http.client.HTTPConnection(address)
    try:
        connection.request(
            "POST",
            f"{_API}/register",
            body=json.dumps({"events": ["INVOKE"]}),
            headers={"Lambda-Extension-Name": name, "Content-Type": "application/json"},
        )
        response = connection.getresponse()
        response.read()
    finally:
        connection.close()
    return response.getheader("Lambda-Extension-Identifier") if response.status == http.HTTPStatus.OK else None
