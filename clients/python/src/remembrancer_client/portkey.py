"""A webhook for Portkey's gateway, `remembrancer-portkey`: memory for chat completions by its checks `default.webhook`.

Before a request it answers with the request and its memories, after the answer it captures the turn. Portkey goes on
without it where it does not answer in time.
"""

from __future__ import annotations

import argparse
import hmac
import json
import logging
import os
import re
import signal
import sys
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from remembrancer_client import conversations
from remembrancer_client.agent_frameworks import ModelCall, RunCapture, RunMemory, nothing_fails
from remembrancer_client.async_client import DEADLINE_MS
from remembrancer_client.client import Client
from remembrancer_client.conversations import CaptureMode

KEY = "REMEMBRANCER_WEBHOOK_KEY"
CHAT = "chatComplete"
LARGEST_BODY = 64 << 20
"""Pictures included; it stays on this machine."""

SILENCE_SECONDS = 60.0
"""After which a connection is closed."""

logger = logging.getLogger("remembrancer_client")


class Webhook:
    """What Portkey is answered. The end user is `_user` of its metadata, else `user` of the request; the session is
    `session_id` of its metadata, else one is made of how the conversation begins.
    """

    def __init__(self, client: Client, capture: CaptureMode = "users") -> None:
        self._memory = RunMemory(client, None, None, None, None)
        self._capture = RunCapture(client, None, None, capture)

    def answer(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one call of the webhook, by its `eventType`; it never denies a request."""
        answer: dict[str, Any] = {"verdict": True}
        with nothing_fails():
            if told["requestType"] == CHAT and told["eventType"] == "beforeRequestHook":
                answer |= self._before(told)
            elif told["requestType"] == CHAT:
                self._after(told)
        return answer

    def _before(self, told: Mapping[str, Any]) -> dict[str, Any]:
        asked = told["request"]["json"]
        call = ModelCall(asked["messages"], str(asked["model"]), _context(told), tools=asked.get("tools"))
        assembled = self._memory.assembled(call)
        data = {"memories": len(assembled.memory_ids), "fallback": assembled.reason}
        if not assembled.injected:
            return {"data": data}
        return {"data": data, "transformedData": {"request": {"json": {**asked, "messages": list(assembled.messages)}}}}

    def _after(self, told: Mapping[str, Any]) -> None:
        message = told["response"]["json"]["choices"][0]["message"]
        if not message.get("tool_calls"):
            text = conversations.text(message.get("content"))
            self._capture.capture(told["request"]["json"]["messages"], text, _context(told), None)


def serve(webhook: Webhook, key: str, host: str, port: int) -> ThreadingHTTPServer:
    """A server that answers whoever has the key; `serve_forever` of it runs it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = SILENCE_SECONDS

        def do_POST(self) -> None:
            # Before anything of the body is read: whoever has no key takes no memory and holds no thread for long.
            given = self.headers.get("authorization", "")
            if not hmac.compare_digest(given.encode(), f"Bearer {key}".encode()):
                logger.warning("portkey_webhook_refused")
                self._refuse(401, f"Send Authorization: Bearer, with the key of {KEY}.")
                return
            told_length = self.headers.get("content-length", "")
            if not re.fullmatch("[0-9]{1,18}", told_length):
                self._refuse(411, "Send Content-Length, the body's number of bytes.")
                return
            if int(told_length) > LARGEST_BODY:
                self._refuse(413, "The request is too large.")
                return
            body = self.rfile.read(int(told_length))
            try:
                told = json.loads(body)
            except (ValueError, RecursionError):
                self._send(400, {"error": "The body is not JSON."})
                return
            self._send(200, webhook.answer(told) if isinstance(told, dict) else {"verdict": True})

        def _refuse(self, status: int, reason: str) -> None:
            """Without the body, so that nothing further on the connection can be read."""
            self.close_connection = True
            self._send(status, {"error": reason})

        def _send(self, status: int, answer: Mapping[str, Any]) -> None:
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Logs nothing: requests have what people say."""

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    return server


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until it is interrupted or ended; sends first what waits to be captured."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    parser = argparse.ArgumentParser(prog="remembrancer-portkey", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=4100)
    parser.add_argument("--capture", choices=conversations.MODES, default="users")
    parser.add_argument("--deadline-ms", type=float, default=DEADLINE_MS)
    chosen = parser.parse_args(arguments)
    key = os.environ.get(KEY, "").strip()
    if not key:
        parser.error(f"{KEY}: set a key of your choice, which Portkey sends: without it, anybody could read memories")
    with Client(deadline_ms=chosen.deadline_ms) as client:
        server = serve(Webhook(client, chosen.capture), key, chosen.host, chosen.port)
        sys.stdout.write(f"Listening on http://{chosen.host}:{server.server_port}\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            server.server_close()


def _context(told: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = told.get("metadata") or {}
    names = (metadata.get("_user"), told["request"]["json"].get("user"))
    return {
        "user_id": next((name for name in names if name is not None), None),
        "session_id": metadata.get("session_id"),
    }
