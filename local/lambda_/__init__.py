"""A local Lambda: instances are processes that run the unmodified `awslambdaric` against a Runtime API served here."""
