"""Memory query with explained ranks: POST /memory/query."""

import remembrancer.runtime.no_garbage_collection  # noqa: F401 - imported before everything else
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.query import routes
from remembrancer.runtime.http.router import http_handler

instance = Instance()
handler = http_handler(
    routes(instance),
    loop=instance.loop,
    after_response=instance.after_response,
    log_every=instance.log_every,
)
