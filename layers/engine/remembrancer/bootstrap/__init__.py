"""The one place that knows which adapter serves which port.

Each function makes one Instance at import, which is Lambda's init phase, and from it what it serves: `assembly`,
`query`, `memories`, `workers`, `upkeep` or `schema`. Adapters are made when first asked for, and heavy ones imported
then, so that a function loads only what it needs.
"""

from remembrancer.bootstrap.instance import Instance

__all__ = ["Instance"]
