"""Erasing an end user, an agent or an organization."""
