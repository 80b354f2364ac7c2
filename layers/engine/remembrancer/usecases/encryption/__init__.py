"""Sealing and opening an organization's texts."""
