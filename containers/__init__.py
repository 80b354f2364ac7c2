"""The service as processes of one container image: the API, workers, and tasks that end (docs/containers.md).

The same handlers as in Lambda; here a web server brings the requests, and workers read queues in Postgres.
"""
