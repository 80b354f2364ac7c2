"""ServerError
├── PortTakenError
└── ServerFailedError
"""


class ServerError(Exception):
    """A server cannot be started or stopped; the message says why and what to do, for a person at a terminal."""


class PortTakenError(ServerError):
    """Another process listens on the wanted port; the message names both, the process where the system tells."""


class ServerFailedError(ServerError):
    """The server's own program ended or did not answer; the message holds the end of its log."""
