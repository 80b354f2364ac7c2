"""Context assembly: POST /v1/context/assemble."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.http import http_handler

instance = Instance()
api = instance.assembly_api()
handler = http_handler(
    {"POST /v1/context/assemble": api.assemble},
    loop=instance.loop,
    after_response=instance.after_response,
    last_resort=api.last_resort,
    within_ms=api.within_ms,
)
