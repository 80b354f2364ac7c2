"""Whatever the document allows is answered as the document says, and never with a 5xx.

Requests are made of the document, valid ones and invalid ones; API_EXAMPLES says how many for each operation.
"""

import os
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode, checks
from schemathesis.core.result import Ok

from remembrancer.runtime.openapi import document
from tests.e2e.conftest import Tenant

EXAMPLES = int(os.environ.get("API_EXAMPLES", "2"))
# To make a text of 32,768 characters takes longer than to answer it.
LONGEST_TEXT = 500


def shortened(value: Any) -> Any:
    """The document with shorter texts."""
    if isinstance(value, dict):
        kept = {name: shortened(item) for name, item in value.items()}
        return kept | ({"maxLength": min(kept["maxLength"], LONGEST_TEXT)} if "maxLength" in kept else {})
    return [shortened(item) for item in value] if isinstance(value, list) else value


SCHEMA = schemathesis.openapi.from_dict(shortened(document()))
OPERATIONS = {result.ok().label: result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)}
CASES = [
    pytest.param(operation, mode, id=f"{mode.value} {label}")
    for label, operation in OPERATIONS.items()
    for mode in GenerationMode
    # Of the others, nothing can be wrong.
    if mode is GenerationMode.POSITIVE or operation.body or operation.query or operation.path_parameters
]
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


def test_the_document_is_served(tenant: Tenant) -> None:
    response = tenant.client.get("/openapi.json")

    assert response.status_code == 200
    assert response.json() == document()


@pytest.mark.parametrize(("operation", "mode"), CASES)
def test_answers_are_as_documented(tenant: Tenant, operation: Any, mode: GenerationMode) -> None:
    headers = {"X-API-Key": tenant.client.headers["X-API-Key"]}

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(case=operation.as_strategy(mode), own=st.booleans())
    def ask(case: Any, own: bool) -> None:
        if own:
            name_what_exists(case, tenant)
        response = case.call(base_url=tenant.stack.url, headers=headers)
        case.validate_response(response, checks=CHECKS)
        if response.status_code == 400:
            assert b'"fields"' in response.content or b"end_user" in response.content, response.content

    ask()


def name_what_exists(case: Any, tenant: Tenant) -> None:
    """The tenant's own organization and agent, where the request names some."""
    for place in (case.body, case.query, case.path_parameters):
        if isinstance(place, dict):
            place |= {name: value for name, value in own(tenant).items() if name in place}


def own(tenant: Tenant) -> dict[str, str]:
    return {"org_id": tenant.org_id, "agent_id": tenant.agent_id}
