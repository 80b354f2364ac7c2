"""Memory query with explained ranks: POST /memory/query."""

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
