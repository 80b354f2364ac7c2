"""Writes and reads of memories, relations, directives and agents."""

from remembrancer.bootstrap import Instance
from remembrancer.runtime.router import http_handler

instance = Instance()
handler = http_handler(instance.memories_api().routes(), loop=instance.loop, after_response=instance.after_response)
