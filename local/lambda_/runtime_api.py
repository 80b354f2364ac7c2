"""Lambda's Runtime API (2018-06-01) and Extensions API (2020-01-01) over HTTP, for one instance."""

import asyncio
import json

from aiohttp import web

from local.lambda_.exchange import Exchange, RefusedError
from local.servers.aws import ACCOUNT_ID
from local.template import FunctionSpec

_RUNTIME = "/2018-06-01/runtime/"
_EXTENSION = "/2020-01-01/extension/"
_MAXIMUM_BODY_BYTES = 64 * 1024 * 1024  # larger than the real limit, with which larger responses are then refused
_KEEP_ALIVE_S = 3600.0  # longer than the longest function timeout: the runtime's connection must stay open


class RuntimeApi:
    """Serves both APIs on a free port of 127.0.0.1."""

    def __init__(self, spec: FunctionSpec, exchange: Exchange) -> None:
        self._spec = spec
        self._exchange = exchange
        self._runner: web.ServerRunner | None = None
        self.address = ""
        """host:port, once started."""

    async def start(self) -> None:
        """Listens on a free port; `address` is set when it returns."""
        server = web.Server(self._answer, request_factory=_request, keepalive_timeout=_KEEP_ALIVE_S, access_log=None)
        self._runner = web.ServerRunner(server, shutdown_timeout=0.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.address = f"{host}:{port}"

    async def stop(self) -> None:
        """Ends pending requests, then closes the port and every connection."""
        self._exchange.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        path = request.path
        try:
            if path.startswith(_RUNTIME):
                return await self._runtime(request, path.removeprefix(_RUNTIME).split("/"))
            if path.startswith(_EXTENSION):
                return await self._extension(request, path.removeprefix(_EXTENSION))
        except RefusedError as refusal:
            document = {"errorMessage": str(refusal), "errorType": refusal.error_type}
            return _json(refusal.status, document)
        return web.Response(status=404, text="404 page not found\n")

    async def _runtime(self, request: web.BaseRequest, path: list[str]) -> web.StreamResponse:
        match request.method, *path:
            case "GET", "invocation", "next":
                invocation = await self._exchange.next_invocation()
                headers = {
                    "Lambda-Runtime-Aws-Request-Id": invocation.request_id,
                    "Lambda-Runtime-Deadline-Ms": str(invocation.deadline_ms),
                    "Lambda-Runtime-Invoked-Function-Arn": invocation.arn,
                    "Lambda-Runtime-Trace-Id": invocation.trace_id,
                }
                return web.Response(body=invocation.payload, headers=headers, content_type="application/json")
            case "POST", "invocation", request_id, "response":
                self._exchange.respond(request_id, await request.read())
            case "POST", "invocation", request_id, "error":
                self._exchange.fail(request_id, await request.read())
            case "POST", "init", "error":
                self._exchange.report_failure(await request.read())
            case _:
                return web.Response(status=404, text="404 page not found\n")
        return _accepted()

    async def _extension(self, request: web.BaseRequest, path: str) -> web.StreamResponse:
        identifier = request.headers.get("Lambda-Extension-Identifier")
        match request.method, path:
            case "POST", "register":
                return self._register(request, await request.read())
            case "GET", "event/next":
                event = await self._exchange.next_event(identifier)
                headers = {"Lambda-Extension-Event-Identifier": identifier or ""}
                return web.Response(body=event, headers=headers, content_type="application/json")
            case "POST", "init/error" | "exit/error":
                extension = self._exchange.extension(identifier)
                error_type = request.headers.get("Lambda-Extension-Function-Error-Type")
                if error_type is None:
                    raise RefusedError(403, "Extension.MissingHeader", "Lambda-Extension-Function-Error-Type not found")
                document = {"errorType": error_type, "errorMessage": f"extension {extension.name}: {path}"}
                self._exchange.report_failure(json.dumps(document).encode())
                return _accepted()
            case _:
                return web.Response(status=404, text="404 page not found\n")

    def _register(self, request: web.BaseRequest, body: bytes) -> web.Response:
        try:
            events = json.loads(body).get("events")
        except (ValueError, AttributeError) as error:
            raise RefusedError(403, "InvalidRequestFormat", str(error)) from error
        extension = self._exchange.register(request.headers.get("Lambda-Extension-Name", ""), events)
        document = {"functionName": self._spec.name, "functionVersion": "$LATEST", "handler": self._spec.handler}
        if "accountId" in request.headers.get("Lambda-Extension-Accept-Feature", ""):
            document["accountId"] = ACCOUNT_ID
        response = _json(200, document)
        response.headers["Lambda-Extension-Identifier"] = extension.identifier
        return response


def _request(message, payload, protocol, writer, task):  # type: ignore[no-untyped-def]
    """A request without aiohttp's limit of one megabyte."""
    loop = asyncio.get_running_loop()
    return web.BaseRequest(message, payload, protocol, writer, task, loop, client_max_size=_MAXIMUM_BODY_BYTES)


def _json(status: int, document: dict[str, str]) -> web.Response:
    return web.Response(status=status, body=json.dumps(document).encode(), content_type="application/json")


def _accepted() -> web.Response:
    return _json(202, {"status": "OK"})
