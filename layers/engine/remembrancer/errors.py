"""Everything that can go wrong, as one tree.

RemembrancerError
├── RequestError              refused: the caller has to change something
│   ├── InvalidRequest        400  names each bad field
│   │   └── NothingToCapture  400  says why each message was left out
│   ├── Unauthenticated       401
│   ├── Forbidden             403
│   │   └── QuotaExceeded     403  the organization may not store more of this
│   ├── NotFound              404
│   ├── MethodNotAllowed      405  names the path's methods
│   ├── Conflict              409
│   │   └── PinnedFull        409  the pinned memories would have too many tokens
│   ├── VersionMismatch       412
│   ├── BodyTooLarge          413
│   ├── UnsupportedMediaType  415
│   └── TooManyRequests       429  says when to retry
├── StoreError                a dependency failed: degrade, retry or report
│   ├── StoreUnavailable           it could not be reached, or refused
│   ├── StoreTimeout               it did not answer within its own bound
│   └── StaleDataKey               text came sealed under another than the newest data key
└── ConfigurationError        the deployment is wrong: fail at start, say what to do
"""

from collections.abc import Mapping, Sequence


class RemembrancerError(Exception):
    """Root of our own errors; anything else that escapes is a bug."""


class RequestError(RemembrancerError):
    """The request is refused with `status`, a stable `code` and a message that is safe to show.

    `beside` stands in the answer beside the error.
    """

    status = 400
    code = "bad_request"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        fields: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        beside: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.fields = dict(fields or {})
        self.headers = dict(headers or {})
        self.beside = dict(beside or {})


class InvalidRequest(RequestError):
    """The request cannot be understood; `fields` maps each bad field to what is wrong with it."""

    status = 400
    code = "invalid_request"


class NothingToCapture(InvalidRequest):
    """No message of the conversation has a word of a user or an assistant; `skipped` counts them by reason."""

    code = "nothing_to_capture"

    def __init__(self, skipped: Mapping[str, int]) -> None:
        told = ", ".join(f"{reason} {number}" for reason, number in sorted(skipped.items()))
        fields = {"messages": f"have nothing that a user or an assistant said ({told})"}
        super().__init__("Nothing of this conversation can be stored.", fields=fields, beside={"skipped": skipped})


class Unauthenticated(RequestError):
    """No valid credential came with the request."""

    status = 401
    code = "unauthenticated"


class Forbidden(RequestError):
    """The credential is valid, but not for this."""

    status = 403
    code = "forbidden"


class QuotaExceeded(Forbidden):
    """The organization has as many rows of this kind as it may have."""

    code = "quota_exceeded"

    def __init__(self, kind: str) -> None:
        fields = {kind: "are as many as this organization may have"}
        super().__init__(f"The organization's quota of {kind} is used up.", fields=fields)


class NotFound(RequestError):
    """It does not exist in the caller's organization; whether it exists elsewhere is never told."""

    status = 404
    code = "not_found"


class MethodNotAllowed(RequestError):
    """The path exists, and has these methods only; `hint` is a further sentence."""

    status = 405
    code = "method_not_allowed"

    def __init__(self, methods: Sequence[str], hint: str = "") -> None:
        *first, last = methods
        taken = f"{', '.join(first)} or {last}" if first else last
        super().__init__(f"This path takes {taken} only. {hint}".strip(), headers={"allow": ", ".join(methods)})


class Conflict(RequestError):
    """The request contradicts what is stored."""

    status = 409
    code = "conflict"


class PinnedFull(Conflict):
    """The memory would stand in prompts whose pinned memories would have more than `most` tokens.

    `pinned` are those of the others, `tokens` its own; None where a repeated request is answered.
    """

    code = "pinned_full"

    def __init__(self, most: int, pinned: int | None = None, tokens: int | None = None) -> None:
        counted = "" if pinned is None else f": {pinned} are pinned, and this one has {tokens}"
        message = f"The pinned memories of a prompt may have {most} tokens together{counted}."
        super().__init__(message, fields={"pinned": "has no room: unpin another memory, or shorten one"})


class VersionMismatch(RequestError):
    """The request was made for another version than the stored one."""

    status = 412
    code = "version_mismatch"


class BodyTooLarge(RequestError):
    """The body has more than `most` bytes, after decompression."""

    status = 413
    code = "body_too_large"

    def __init__(self, most: int) -> None:
        problem = f"must have at most {most:,} bytes"
        super().__init__(f"The request body {problem}.", fields={"body": problem})


class UnsupportedMediaType(RequestError):
    """The body is in a form that this route does not read."""

    status = 415
    code = "unsupported_media_type"


class TooManyRequests(RequestError):
    """The rate of the credential, its organization or its address is used up."""

    status = 429
    code = "too_many_requests"


class StoreError(RemembrancerError):
    """A dependency failed; `cause` is the driver's class of error, which is safe to report."""

    def __init__(self, message: str, *, cause: str) -> None:
        super().__init__(message)
        self.cause = cause


class StoreUnavailable(StoreError):
    """A dependency could not be reached or refused the call."""


class StoreTimeout(StoreError):
    """A dependency did not answer within its own bound."""


class StaleDataKey(StoreError):
    """The organization has a newer data key, or its first: to be sealed again under `version`."""

    def __init__(self, version: int) -> None:
        super().__init__("The data key is out of date", cause="StaleDataKey")
        self.version = version


class AuditTrailChanged(StoreError):
    """Linked audit entries, or where they end, are not as the organization's key has signed them."""

    def __init__(self) -> None:
        super().__init__("The audit trail was changed", cause="AuditTrailChanged")


class ConfigurationError(RemembrancerError):
    """The deployment is wrong; the message says what to change."""
