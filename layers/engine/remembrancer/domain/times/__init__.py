"""Times as people say them: the grammar, and the days of the calendar that it names."""
