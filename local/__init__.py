"""Runs the deployed functions on one machine: servers, a local Lambda, an HTTP gateway, the command line."""
