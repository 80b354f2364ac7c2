"""Why a request to the API failed, in a line for people: with method, URL and the answer's reason."""

from typing import Any

import httpx

_SHOWN = 300


def refusal(response: httpx.Response) -> str:
    """What was refused, and why: the fields with their problems, else the message, else the beginning of the body."""
    error = (json_object(response) or {}).get("error")
    told = error if isinstance(error, dict) else {}
    fields = ", ".join(f"{name} {problem}" for name, problem in (told.get("fields") or {}).items())
    reason = fields or told.get("message") or " ".join(response.text.split())[:_SHOWN] or response.reason_phrase
    return f"{asked_of(response.request)} answers {response.status_code}: {reason}"


def failed_request(error: httpx.RequestError) -> str:
    """What got no answer, and why."""
    try:
        place = f"{asked_of(error.request)} "
    except RuntimeError:
        # The error has no request, which httpx says in this way.
        place = ""
    return f"{place}got no answer: {type(error).__name__} {error}".rstrip(": ")


def asked_of(request: httpx.Request) -> str:
    """Method and URL, without the query."""
    return f"{request.method} {request.url.copy_with(query=None)}"


def json_object(response: httpx.Response) -> dict[str, Any] | None:
    """The body; None when it is no JSON object."""
    try:
        value = response.json()
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
