"""The audit trail: entries chained by hashes, and how they are verified."""
