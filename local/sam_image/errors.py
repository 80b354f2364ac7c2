"""The error for a machine that cannot run containers."""


class ContainersUnavailableError(Exception):
    """There is no container engine or no image, and none can be created; the message says what to do."""
