"""Memory query with explained ranks: POST /memory/query."""

import remembrancer.runtime.no_garbage_collection  # noqa: F401 - first of all
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.query import query_api
from remembrancer.runtime.http.router import http_handler

instance = Instance()
api = query_api(instance)
handler = http_handler(
    {"POST /memory/query": api.query, "POST /v1/memories/query": api.query},
    loop=instance.loop,
    after_response=instance.after_response,
)
