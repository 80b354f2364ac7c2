"""Queries of the scheduled maintenance: lost work is queued again; memories age and expire."""
