"""Sealing an organization's texts, and opening them when they are needed."""
