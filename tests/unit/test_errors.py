"""The tree of errors: which are refusals, with which status."""

import pytest

from remembrancer import errors


@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        (errors.InvalidRequest, 400, "invalid_request"),
        (errors.Unauthenticated, 401, "unauthenticated"),
        (errors.Forbidden, 403, "forbidden"),
        (errors.NotFound, 404, "not_found"),
        (errors.Conflict, 409, "conflict"),
        (errors.UnsupportedMediaType, 415, "unsupported_media_type"),
        (errors.TooManyRequests, 429, "too_many_requests"),
    ],
)
def test_a_refusal_has_its_status_and_a_code(kind: type[errors.RequestError], status: int, code: str) -> None:
    refusal = kind("Said to the caller.")

    assert isinstance(refusal, errors.RemembrancerError)
    assert (refusal.status, refusal.code, refusal.message, refusal.fields) == (status, code, "Said to the caller.", {})


def test_a_refusal_may_have_its_own_code_and_fields() -> None:
    fields = {"name": "is taken"}

    refusal = errors.Conflict("Taken.", code="agent_exists", fields=fields)
    fields.clear()

    assert (refusal.code, refusal.fields) == ("agent_exists", {"name": "is taken"})
    assert errors.Conflict.code == "conflict"


@pytest.mark.parametrize("kind", [errors.StoreUnavailable, errors.StoreTimeout])
def test_a_failed_store_names_its_cause_and_is_no_refusal(kind: type[errors.StoreError]) -> None:
    failure = kind("no answer", cause="ConnectionError")

    assert failure.cause == "ConnectionError"
    assert isinstance(failure, errors.StoreError)
    assert not isinstance(failure, errors.RequestError)
