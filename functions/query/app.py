"""Memory query with explained ranks: POST /memory/query."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.router import http_handler

instance = Instance()
api = instance.query_api()
handler = http_handler(
    {"POST /memory/query": api.query, "POST /v1/memories/query": api.query},
    loop=instance.loop,
    after_response=instance.after_response,
)
