"""Functions invoked by schedule, deployment or operators: neither HTTP nor queue."""
