"""HTTP in and out: events, requests, routes, pages, the Connect protocol."""
