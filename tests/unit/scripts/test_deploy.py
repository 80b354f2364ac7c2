"""Stacks are deployed in order; a rolled-back alias is set back before; the service can be pointed at other stores."""

from collections.abc import Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError

from scripts import deploy, rollback, rotate_cache_password
from scripts.aws import Aws
from scripts.configuration import stacks
from scripts.rollback import Alias

ARN = "arn:aws:lambda:eu-central-1:123456789012:function:assemble"


class Paginator:
    def __init__(self, page: Any) -> None:
        self._page = page

    def paginate(self, **_: Any) -> list[Any]:
        if isinstance(self._page, Exception):
            raise self._page
        return [self._page]


class Recorded:
    """A client that notes its calls and answers with what it was given."""

    def __init__(self, service: str, calls: list[tuple[str, dict[str, Any]]], answers: dict[str, Any]) -> None:
        self._service, self._calls, self._answers = service, calls, answers

    def get_paginator(self, operation: str) -> Paginator:
        return Paginator(self._answers[operation])

    def get_waiter(self, name: str) -> Any:
        return type("Waiter", (), {"wait": lambda _, **parameters: self._calls.append((name, parameters))})()

    def __getattr__(self, operation: str) -> Any:
        def call(**parameters: Any) -> Any:
            self._calls.append((operation, parameters))
            return self._answers.get(operation, {})

        return call


def recorded(**answers: Any) -> tuple[Aws, list[tuple[str, dict[str, Any]]]]:
    calls: list[tuple[str, dict[str, Any]]] = []
    return Aws(lambda service: Recorded(service, calls, answers), region="eu-central-1"), calls


RESOURCES = {
    "StackResourceSummaries": [
        {"LogicalResourceId": "V", "ResourceType": "AWS::Lambda::Version", "PhysicalResourceId": f"{ARN}:7"},
        {"LogicalResourceId": "A", "ResourceType": "AWS::Lambda::Alias", "PhysicalResourceId": f"{ARN}:live"},
        {"LogicalResourceId": "Cache", "ResourceType": "X", "PhysicalResourceId": "group"},
        {"LogicalResourceId": "CacheSecret", "ResourceType": "X", "PhysicalResourceId": "secret"},
    ]
}


@pytest.mark.parametrize("environment", ["dev", "staging", "prod"])
def test_each_stack_waits_for_the_one_before_and_what_holds_data_is_protected(environment: str) -> None:
    aws, calls = recorded(list_stack_resources={"StackResourceSummaries": []})
    ran: list[Sequence[str]] = []

    deploy.deploy(environment, aws, ran.append, confirmed=True)

    assert [words[3] for words in ran] == [f"{environment}-network", f"{environment}-data", environment]
    assert all(words[-1] == "--no-confirm-changeset" for words in ran)
    protected = [call["StackName"] for name, call in calls if name == "update_termination_protection"]
    assert protected == [f"remembrancer-{environment}-network", f"remembrancer-{environment}-data"]
    [policy] = [call for name, call in calls if name == "set_stack_policy"]
    assert policy["StackName"] == f"remembrancer-{environment}-data"
    assert "LogicalResourceId/Database" in policy["StackPolicyBody"]


def test_the_service_is_pointed_at_restored_stores_and_keeps_its_network() -> None:
    [*_, service] = stacks("prod")

    words = deploy.command(service, "prod", data="prod-2")

    given = dict(word.split("=", 1) for word in words[words.index("--parameter-overrides") + 1 :])
    assert given["DatabaseUrl"] == "/remembrancer/prod-2/database/url"
    assert given["ClientPolicy"] == "/remembrancer/prod-2/data/client-policy"
    assert given["CacheUrl"] == "/remembrancer/prod-2/cache/url"
    assert given["SubnetIds"] == "/remembrancer/prod/network/subnets"
    assert given["Stage"] == "prod"
    assert given["AssembleReserved"] == "100"


def test_defaults_are_pointed_elsewhere_too() -> None:
    [*_, service] = stacks("dev")

    assert service.repointed("dev", "dev-2")["DatabaseUrl"] == "/remembrancer/dev-2/database/url"


def test_an_alias_that_was_rolled_back_is_set_back_before_the_next_deployment() -> None:
    aws, calls = recorded(list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "6"})

    deploy.deploy("dev", aws, lambda _: None)

    [moved] = [call for name, call in calls if name == "update_alias"]
    assert (moved["FunctionName"], moved["Name"], moved["FunctionVersion"]) == (ARN, "live", "7")
    assert moved["RoutingConfig"] == {"AdditionalVersionWeights": {}}


def test_an_alias_where_the_stack_believes_it_stays() -> None:
    aws, calls = recorded(list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "7"})

    deploy.deploy("dev", aws, lambda _: None)

    assert [name for name, _ in calls if name == "update_alias"] == []


def test_a_stack_that_is_not_there_yet_has_no_aliases() -> None:
    error = {"Error": {"Code": "ValidationError", "Message": "Stack with id x does not exist"}}
    aws, _ = recorded(list_stack_resources=ClientError(error, "ListStackResources"))  # type: ignore[arg-type]

    assert rollback.aliases("x", aws) == []


def test_a_rollback_goes_to_the_highest_version_below() -> None:
    versions = {"Versions": [{"Version": number} for number in ("$LATEST", "2", "5", "10", "11")]}
    aws, _ = recorded(list_versions_by_function=versions)

    assert rollback.version_before(Alias(ARN, "live", "10", "10"), aws) == "5"
    with pytest.raises(rollback.NoVersionError):
        rollback.version_before(Alias(ARN, "live", "2", "2"), aws)


def test_both_passwords_of_the_cache_work_until_the_secret_has_the_new_one() -> None:
    aws, calls = recorded(list_stack_resources=RESOURCES, get_random_password={"RandomPassword": "new"})

    rotate_cache_password.rotate(
        "data", aws, wait_seconds=60, sleep=lambda seconds: calls.append(("sleep", {"s": seconds}))
    )

    assert [name for name, _ in calls] == [
        "get_random_password",
        "modify_replication_group",
        "replication_group_available",
        "put_secret_value",
        "sleep",
        "modify_replication_group",
        "replication_group_available",
    ]
    strategies = [call["AuthTokenUpdateStrategy"] for name, call in calls if name == "modify_replication_group"]
    assert strategies == ["ROTATE", "SET"]
    [kept] = [call for name, call in calls if name == "put_secret_value"]
    assert kept == {"SecretId": "secret", "SecretString": '{"password": "new"}'}


def test_a_cache_of_somebody_else_has_no_password_to_change() -> None:
    aws, _ = recorded(list_stack_resources={"StackResourceSummaries": []})

    with pytest.raises(rotate_cache_password.NoPasswordError):
        rotate_cache_password.rotate("data", aws, wait_seconds=0)
