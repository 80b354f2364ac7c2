"""The audit trail in Postgres; the triggers of migration 37 write the entries of changes."""
