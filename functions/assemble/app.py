"""Context assembly: POST /v1/context/assemble, and the same operation as a Connect call."""

import remembrancer.runtime.no_garbage_collection  # noqa: F401 - imported before everything else
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api, connect
from remembrancer.runtime.endpoints.assembly_api import CONNECT, OPERATIONS
from remembrancer.runtime.http.operations import served
from remembrancer.runtime.http.router import http_handler

instance = Instance()
api = assembly_api(instance)
handler = http_handler(
    served(OPERATIONS, api, instance.authenticator),
    dialects={CONNECT: connect(instance)},
    loop=instance.loop,
    after_response=instance.after_response,
    last_resort=api.last_resort,
    within_ms=api.within_ms,
    log_every=instance.log_every,
)
