"""The client's exceptions; `assemble` raises none of them.

RemembrancerError
├── NotReachable                  no answer: connection refused or reset, time-out
├── InvalidAnswer                 an answer that this client cannot read
└── Refused                       an answer with a status of 400 or more
    ├── BadRequest                400, 415
    ├── Unauthenticated           401
    ├── Forbidden                 403
    ├── NotFound                  404
    ├── Conflict                  409
    ├── VersionMismatch           412
    ├── TooManyRequests           429
    └── ServiceFailed             5xx
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class RemembrancerError(Exception):
    """The root of everything that this package raises."""


class NotReachable(RemembrancerError):
    """No answer came; whether a write was done is unknown."""


class InvalidAnswer(RemembrancerError):
    """The answer is not in the format of this version of the service."""


class Refused(RemembrancerError):
    """The service's own refusal; `fields` maps each bad field to what is wrong with it, `body` is the whole answer."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        fields: Mapping[str, str] | None = None,
        request_id: str = "",
        retry_after_s: float | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> None:
        details = "".join(f"; {name} {problem}" for name, problem in (fields or {}).items())
        super().__init__(f"{status} {code}: {message}{details}")
        self.status = status
        self.code = code
        self.message = message
        self.fields = dict(fields or {})
        self.request_id = request_id
        self.retry_after_s = retry_after_s
        self.body = dict(body or {})


class BadRequest(Refused):
    """The request has to be changed: `fields` says where."""


class Unauthenticated(Refused):
    """No credential, or one that is unknown, revoked or expired."""


class Forbidden(Refused):
    """The credential has no right to this operation."""


class NotFound(Refused):
    """It does not exist, or this credential may not see it."""


class Conflict(Refused):
    """What is stored contradicts the request: the same name, text or key."""


class VersionMismatch(Refused):
    """The memory is not at the version that the request names."""


class TooManyRequests(Refused):
    """The credential's rate is used up; `retry_after_s` says for how long."""


class ServiceFailed(Refused):
    """The service could not answer; the same request may succeed later."""


def refused(
    status: int,
    code: str,
    message: str,
    *,
    fields: Mapping[str, str],
    request_id: str,
    retry_after_s: float | None,
    body: Mapping[str, Any] | None = None,
) -> Refused:
    """The error for a refusal; an unknown status is a BadRequest below 500, a ServiceFailed from there on."""
    kind = _BY_STATUS.get(status, ServiceFailed if status >= 500 else BadRequest)
    return kind(status, code, message, fields=fields, request_id=request_id, retry_after_s=retry_after_s, body=body)


_BY_STATUS: Mapping[int, type[Refused]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: VersionMismatch,
    429: TooManyRequests,
}
