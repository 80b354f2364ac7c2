"""Redis: what is kept beside Postgres to be fast."""
