"""Composition root: chooses the adapter that serves each port.

Each function makes one Instance at import, which is Lambda's init phase, and builds its handlers from it: `assembly`,
`query`, `memories`, `workers`, `upkeep` or `schema`. Adapters are created on first use, and slow imports happen then,
so that a function loads only what it needs.
"""

from remembrancer.bootstrap.instance import Instance

__all__ = ["Instance"]
