"""Search by meaning and by words, and what it searches."""
