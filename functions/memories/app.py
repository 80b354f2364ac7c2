"""Writes and reads of memories, relations, directives, agents and API keys."""

from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.memories import other_routes, routes
from remembrancer.runtime.http.router import http_handler

instance = Instance()
handler = http_handler(
    routes(instance),
    elsewhere=other_routes,
    loop=instance.loop,
    after_response=instance.after_response,
    log_every=instance.log_every,
)
