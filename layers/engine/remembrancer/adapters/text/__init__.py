"""Stems, irregular forms and phone numbers, from public data sets."""
