"""Connections, round trips and logins."""
