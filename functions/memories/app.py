"""Writes and reads of memories, relations, directives, agents and API keys."""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.memories import keys_api, memories_api, openapi
from remembrancer.runtime.http.router import http_handler

instance = Instance()
routes = memories_api(instance).routes() | keys_api(instance).routes() | {"GET /openapi.json": openapi}
handler = http_handler(routes, loop=instance.loop, after_response=instance.after_response)
