"""The query-independent score that orders an agent's hot set."""

from datetime import datetime

CAPACITY = 50


def hot_score(*, confidence: float, created_at: datetime, retrieval_count: int, now: datetime) -> float:
    """0.40·confidence + 0.35/(1 + age_hours/24) + 0.25·min(retrieval_count/10, 1), in [0, 1]."""
    age_hours = max((now - created_at).total_seconds(), 0.0) / 3600
    return 0.40 * confidence + 0.35 / (1 + age_hours / 24) + 0.25 * min(retrieval_count / 10, 1.0)
