"""What an operator runs beside `sam`: deployments in order, preflight, rollback, passwords and costs."""
