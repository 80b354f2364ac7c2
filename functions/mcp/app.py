"""The Model Context Protocol over streamable HTTP: POST /mcp."""

import remembrancer.runtime.no_garbage_collection  # noqa: F401 - imported before everything else
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.mcp import mcp_api
from remembrancer.runtime.http.router import http_handler

instance = Instance()
routes = mcp_api(instance).routes()
handler = http_handler(routes, loop=instance.loop, after_response=instance.after_response, log_every=instance.log_every)
