"""Stems, irregular forms and phone numbers, by other people's data."""
