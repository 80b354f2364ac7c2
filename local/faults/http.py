"""`/inspector/faults` of the local front door: reads and sets the switches, for the inspector's page only.

A page of another site in the operator's browser must not reach it. So a request must name the front door's own address
in `Host` (a rebound name of another site does not), come from the front door's own page if the browser says from where
it comes, and change nothing without the token, which only a page of the same origin can read.
"""

import hmac
import json
import secrets
from typing import Any

from aiohttp import web

from local.faults.switches import FaultSwitches

PATH = "/inspector/faults"
TOKEN_HEADER = "X-Inspector-Token"
MOST_BYTES = 1000


class FaultsPage:
    """Answers with the switches and the token; everything that is not allowed is the 404 of an unknown route."""

    def __init__(self, switches: FaultSwitches) -> None:
        self._switches = switches
        self._token = secrets.token_urlsafe(32)

    async def answer(self, request: web.BaseRequest) -> web.Response:
        """GET reads, POST sets one switch; both answer with all of them."""
        if not is_own(request):
            return _json(404, {"message": "Not Found"})
        if request.method == "POST":
            if not hmac.compare_digest(request.headers.get(TOKEN_HEADER, "").encode(), self._token.encode()):
                return _json(404, {"message": "Not Found"})
            try:
                await self._set(json.loads(await _body(request)))
            except (ValueError, TypeError, KeyError):
                return _json(400, {"message": "There is no such switch, fault or delay."})
        return _json(200, {"token": self._token, "switches": [each.as_json() for each in self._switches.switches]})

    async def _set(self, wanted: Any) -> None:
        await self._switches.set(str(wanted["name"]), str(wanted["fault"]), float(wanted["delay_ms"]))


def is_own(request: web.BaseRequest) -> bool:
    """Whether the request is to the address of this front door, and from its own page or no page."""
    host, port = (request.get_extra_info("sockname") or ("", 0))[:2]
    names = {f"{name}:{port}" for name in (host, "localhost")}
    named = request.headers.getall("Host", [])
    if len(named) != 1 or named[0] not in names:
        return False
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    return request.headers.get("Origin", f"http://{named[0]}") == f"http://{named[0]}"


async def _body(request: web.BaseRequest) -> bytes:
    body = bytearray()
    async for chunk in request.content.iter_any():
        body += chunk
        if len(body) > MOST_BYTES:
            raise ValueError("too large")
    return bytes(body)


def _json(status: int, body: Any) -> web.Response:
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return web.Response(status=status, body=json.dumps(body).encode(), content_type="application/json", headers=headers)
