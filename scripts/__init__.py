"""Operator scripts beside `sam`: ordered deployments, preflight, rollback, passwords and costs."""
