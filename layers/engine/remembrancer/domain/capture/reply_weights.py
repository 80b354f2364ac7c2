"""The weights of `reply_score`; `python -m benchmarks.replies --fit` writes them."""

from remembrancer.domain.capture import listed_weights

BIAS = 0.0
_LISTED = """
"""


WEIGHTS = listed_weights.read(_LISTED)
"""By figure; one without a weight has 0."""
