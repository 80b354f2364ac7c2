"""Remembrancer's client: memory for LLM agents that is never the reason a chat fails."""

from remembrancer_client.assembled import Assembled
from remembrancer_client.async_client import AsyncClient
from remembrancer_client.calls import Page
from remembrancer_client.client import Client
from remembrancer_client.errors import (
    BadRequest,
    Conflict,
    Forbidden,
    InvalidAnswer,
    NotFound,
    NotReachable,
    Refused,
    RemembrancerError,
    ServiceFailed,
    TooManyRequests,
    Unauthenticated,
    VersionMismatch,
)
from remembrancer_client.injected_text import without_blocks, without_injected

__version__ = "0.1.0"

__all__ = [
    "Assembled",
    "AsyncClient",
    "BadRequest",
    "Client",
    "Conflict",
    "Forbidden",
    "InvalidAnswer",
    "NotFound",
    "NotReachable",
    "Page",
    "Refused",
    "RemembrancerError",
    "ServiceFailed",
    "TooManyRequests",
    "Unauthenticated",
    "VersionMismatch",
    "without_blocks",
    "without_injected",
]
