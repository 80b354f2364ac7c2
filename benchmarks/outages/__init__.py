"""Outages of what the service depends on, on the whole local stack under load: what callers see, lose and wait for."""
