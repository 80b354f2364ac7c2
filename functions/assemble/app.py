"""Context assembly: POST /v1/context/assemble, and the same as a Connect call."""

import remembrancer.runtime.no_garbage_collection  # noqa: F401 - first of all
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api, connect
from remembrancer.runtime.http.router import http_handler

CONNECT = "POST /remembrancer.context.v1.ContextAssemblyService/AssembleContext"

instance = Instance()
api = assembly_api(instance)
handler = http_handler(
    {"POST /v1/context/assemble": api.assemble, CONNECT: api.assemble},
    dialects={CONNECT: connect(instance)},
    loop=instance.loop,
    after_response=instance.after_response,
    last_resort=api.last_resort,
    within_ms=api.within_ms,
)
