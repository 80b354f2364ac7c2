"""Runs the same functions on one machine: servers, local Lambda, front door, command line."""
