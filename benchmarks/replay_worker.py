"""Instances of one checkout, with and without maps, which answer the requests that `benchmarks.replay` sends.

Started by the path of this file, with the checkout's packages first on PYTHONPATH.
"""

import json
import logging
import os
import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.faults.instance import BOUNDS, Agent, AssemblyInstance

WARM_UP = 20
"""Requests before the first that counts, after which a map is there."""
WIDE = dict.fromkeys(BOUNDS, "8000") | {"ASSEMBLY_MS": "10000", "RETRIEVAL_MS": "9000"}
_NONCE = re.compile(r"(?<=[a-z]-)\d{9}\b")


class Instances:
    """For each agent, an instance that has its map, and one that never loads it."""

    def __init__(self, *, org_id: str, agent_ids: Sequence[str], key: str, **environment: str) -> None:
        self._instances = {
            (tier, agent_id): AssemblyInstance(Agent(UUID(org_id), UUID(agent_id), key), **environment, **WIDE)
            for agent_id in agent_ids
            for tier in ("map", "postgres")
        }
        for (tier, _), instance in self._instances.items():
            # A map that travelled by Redis has coarser vectors than one that was read from Postgres.
            instance.without_maps()
            for number in range(WARM_UP if tier == "map" else 1):
                instance.assemble(f"Who repairs the boiler? {number}")
                if tier == "map":
                    instance.follow_up()

    def answer(self, tier: str, agent_id: str, route: str, question: str, fields: Mapping[str, Any]) -> Any:
        """Status and body, without what differs from call to call."""
        answer = getattr(self._instances[tier, agent_id], route)(question, **fields)
        return [answer.status, comparable(answer.body)]


def comparable(value: Any) -> Any:
    """Without durations and identifiers of the request; nonces alike."""
    if isinstance(value, Mapping):
        return {name: comparable(one) for name, one in value.items() if not _is_of_call(name)}
    if isinstance(value, list):
        return [comparable(one) for one in value]
    return _NONCE.sub("nonce", value) if isinstance(value, str) else value


def _is_of_call(name: str) -> bool:
    return name.endswith("_ms") or name in {"request_id", "query_id", "sla"}


def main() -> None:
    """Writes `ready`, then an answer for each line."""
    logging.disable(logging.CRITICAL)
    # The other checkout may not have this module.
    sys.path.append(str(Path(__file__).parent))
    process = import_module("checkout").Worker()
    instances = Instances(**process.settings)
    for line in chain([""], sys.stdin):
        process.say(instances.answer(*json.loads(line)) if line else "ready")
    # The event loop's thread would keep the process.
    os._exit(0)


if __name__ == "__main__":
    main()
