"""HTTP for Lambda: events, requests, routes, pages, and the Connect protocol."""
