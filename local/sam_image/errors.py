"""What can keep containers from running here."""


class ContainersUnavailableError(Exception):
    """There is no container engine or no image, and none can be made; the message says what to do about it."""
