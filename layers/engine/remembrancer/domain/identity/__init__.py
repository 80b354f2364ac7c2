"""Principals and their scopes, API keys, agents, and the settings of organizations."""
