"""Writes and reads of memories, relations, directives, agents and API keys."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.router import http_handler

instance = Instance()
routes = instance.memories_api().routes() | instance.keys_api().routes() | {"GET /openapi.json": instance.openapi()}
handler = http_handler(routes, loop=instance.loop, after_response=instance.after_response)
