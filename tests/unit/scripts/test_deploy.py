"""Stacks are deployed in order; a rolled-back alias is set back before; the service can be pointed at other stores."""

import contextlib
import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from local.intrinsics import Resolver, load
from scripts import deploy, restore, rollback, rotate_cache_password, task
from scripts.aws import Aws
from scripts.configuration import ROOT, StackConfiguration, stacks
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
    aws, calls = recorded(list_stack_resources={"StackResourceSummaries": []}, describe_stacks=deployed())
    ran: list[Sequence[str]] = []

    deploy.deploy(environment, aws, ran.append, confirmed=True)

    assert [words[3] for words in ran] == [f"{environment}-network", f"{environment}-data", environment]
    assert all({"--no-confirm-changeset", "--no-fail-on-empty-changeset"} <= set(words) for words in ran)
    protected = [call["StackName"] for name, call in calls if name == "update_termination_protection"]
    assert protected == [f"remembrancer-{environment}-network", f"remembrancer-{environment}-data"]
    [policy] = [call for name, call in calls if name == "set_stack_policy"]
    assert policy["StackName"] == f"remembrancer-{environment}-data"
    assert "LogicalResourceId/Database" in policy["StackPolicyBody"]


def test_the_service_is_pointed_at_restored_stores_and_keeps_its_network() -> None:
    [*_, service] = stacks("prod")

    given = service.repointed("prod-2")

    assert given["DatabaseUrl"] == "/remembrancer/prod-2/database/url"
    assert given["ClientPolicy"] == "/remembrancer/prod-2/data/client-policy"
    assert given["CacheUrl"] == "/remembrancer/prod-2/cache/url"
    assert given["SubnetIds"] == "/remembrancer/prod/network/subnets"
    assert given["Stage"] == "prod"
    assert given["AssembleReserved"] == "100"


@pytest.mark.parametrize(
    "stack", [stack for name in ("dev", "prod") for stack in stacks(name)], ids=lambda s: s.section
)
def test_every_parameter_is_passed_so_that_none_keeps_an_old_value(stack: StackConfiguration) -> None:
    template = load((ROOT / stack.template).read_text(encoding="utf-8"))

    given = overrides(deploy.command(stack, stack.parameters))

    assert given.keys() == template["Parameters"].keys()
    assert given == stack.parameters


def overrides(words: Sequence[str]) -> dict[str, str]:
    """What SAM reads, by its own pattern for NAME="VALUE"."""
    return {
        name: re.sub(r"\\(.)", r"\1", value)
        for word in words[words.index("--parameter-overrides") + 1 :]
        for name, value in re.findall(r'^([A-Za-z0-9]+)="((?:\\.|[^\\"])*)"$', word)
    }


def deployed(status: str = "UPDATE_COMPLETE", **parameters: str) -> dict[str, Any]:
    given = [{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()]
    outputs = {"KeyArn": "arn:key", "DatabaseResourceId": "db-1", "MigrateFunctionName": "migrate"}
    named = [{"OutputKey": name, "OutputValue": value} for name, value in outputs.items()]
    return {"Stacks": [{"StackStatus": status, "Parameters": given, "Outputs": named}]}


def service_of(ran: Sequence[Sequence[str]]) -> dict[str, str]:
    [words] = [words for words in ran if words[3] == "dev"]
    return overrides(words)


def test_the_release_stays_so_that_nothing_is_published_where_nothing_changed() -> None:
    aws, _ = recorded(
        list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "7"}, describe_stacks=deployed(Release="r1")
    )
    ran: list[Sequence[str]] = []

    deploy.deploy("dev", aws, ran.append)

    assert service_of(ran)["Release"] == "r1"
    assert service_of(ran)["DeploymentAlarms"] == "true"


def test_after_a_rollback_the_same_code_gets_a_new_release() -> None:
    """Lambda has its version already, and CloudFormation refuses to make it again."""
    answer = deployed("UPDATE_ROLLBACK_COMPLETE", Release="r1")
    aws, _ = recorded(list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "7"}, describe_stacks=answer)
    ran: list[Sequence[str]] = []

    deploy.deploy("dev", aws, ran.append, ignore_alarms=True)

    assert re.fullmatch(r"\d{8}T\d{6}", service_of(ran)["Release"])
    assert service_of(ran)["DeploymentAlarms"] == "false"


@pytest.mark.parametrize(
    ("asked", "source"),
    [
        ({"at": "2026-05-01T12:00:00Z"}, {"DatabaseSource": "db-1", "DatabaseRestoreTime": "2026-05-01T12:00:00Z"}),
        ({"snapshot": "before"}, {"DatabaseSnapshot": "before", "DatabaseSource": ""}),
    ],
    ids=["moment", "snapshot"],
)
def test_a_restored_stack_has_the_parameters_and_the_key_of_the_first(
    asked: dict[str, str], source: dict[str, str]
) -> None:
    aws, calls = recorded(describe_stacks=deployed())
    ran: list[Sequence[str]] = []

    name = restore.restore("prod", "prod-2", aws, ran.append, **asked)  # type: ignore[arg-type]

    [words] = ran
    given = overrides(words)
    assert words[words.index("--stack-name") + 1] == name == "remembrancer-prod-2-data"
    assert {
        "Name": "prod-2",
        "KeyId": "arn:key",
        "DatabaseInstanceClass": "db.r7g.large",
        **source,
    }.items() <= given.items()
    assert {call["StackName"] for operation, call in calls if operation == "set_stack_policy"} == {name}
    resources = dict(resolved(given))
    assert "AllocatedStorage" not in resources["Database"]
    assert "StorageEncrypted" not in resources["Database"]


def test_what_is_restored_is_the_database_in_use_and_never_into_it() -> None:
    aws, calls = recorded(describe_stacks=deployed(DatabaseUrl="/remembrancer/prod-2/database/url"))
    ran: list[Sequence[str]] = []

    restore.restore("prod", "prod-3", aws, ran.append, at="2026-05-01T12:00:00Z")
    with pytest.raises(restore.RestoreError, match="prod uses these stores"):
        restore.restore("prod", "prod-2", aws, ran.append, at="2026-05-01T12:00:00Z")

    described = [call["StackName"] for operation, call in calls if operation == "describe_stacks"]
    assert described == ["remembrancer-prod", "remembrancer-prod-2-data", "remembrancer-prod"]
    assert len(ran) == 1


def test_the_service_is_pointed_elsewhere_wherever_its_configuration_points() -> None:
    [*_, service] = stacks("prod")
    restored = replace(service, parameters=service.repointed("prod-2"))

    assert restored.repointed("prod-3")["DatabaseUrl"] == "/remembrancer/prod-3/database/url"
    assert restored.repointed("prod") == service.parameters


def resolved(parameters: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The resources that conditions on these parameters make, with the properties that they leave."""
    document = load((ROOT / "stacks/data.yaml").read_text(encoding="utf-8"))
    resolver = Resolver(parameters, document["Conditions"], {})
    for name, resource in document["Resources"].items():
        if "Condition" not in resource or resolver.holds(resource["Condition"]):
            given = {key: chosen(value, resolver) for key, value in resource.get("Properties", {}).items()}
            yield name, {key: value for key, value in given.items() if value != {"Ref": "AWS::NoValue"}}


def chosen(value: Any, resolver: Resolver) -> Any:
    """The branch of an `If` that holds."""
    while isinstance(value, dict) and set(value) == {"Fn::If"}:
        condition, yes, no = value["Fn::If"]
        value = yes if resolver.holds(condition) else no
    return value


@pytest.mark.parametrize(
    ("environment", "name", "asked"),
    [
        ("prod", "prod-2", {}),
        ("prod", "prod-2", {"at": "yesterday"}),
        ("prod", "prod-2", {"at": "2026-05-01T12:00:00Z", "snapshot": "x"}),
        ("prod", "prod", {"snapshot": "x"}),
        ("prod", "staging", {"snapshot": "x"}),
        ("prod", "Prod 2", {"snapshot": "x"}),
    ],
)
def test_a_restore_that_says_too_little_or_too_much_runs_nothing(
    environment: str, name: str, asked: dict[str, str]
) -> None:
    aws, calls = recorded()

    with pytest.raises(restore.RestoreError):
        restore.restore(environment, name, aws, lambda _: calls.append(("ran", {})), **asked)  # type: ignore[arg-type]

    assert calls == []


def test_defaults_are_pointed_elsewhere_too() -> None:
    [*_, service] = stacks("dev")

    assert service.repointed("dev-2")["DatabaseUrl"] == "/remembrancer/dev-2/database/url"


def test_an_alias_that_was_rolled_back_is_set_back_before_the_next_deployment() -> None:
    aws, calls = recorded(
        list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "6"}, describe_stacks=deployed()
    )

    deploy.deploy("dev", aws, lambda _: None, confirmed=True)

    [moved] = [call for name, call in calls if name == "update_alias"]
    assert (moved["FunctionName"], moved["Name"], moved["FunctionVersion"]) == (ARN, "live", "7")
    assert moved["RoutingConfig"] == {"AdditionalVersionWeights": {}}


@pytest.mark.parametrize("agrees", [True, False])
def test_the_version_that_was_rolled_back_serves_only_once_the_change_set_is_confirmed(agrees: bool) -> None:
    aws, calls = recorded(
        list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "6"}, describe_stacks=deployed()
    )
    happened: list[str] = []

    def run(words: Sequence[str]) -> None:
        moved = any(name == "update_alias" for name, _ in calls)
        options = {"--no-execute-changeset": "shown", "--no-confirm-changeset": "executed"}
        happened.append(f"{words[3]} {next((options[one] for one in words if one in options), 'asked')}, {moved=}")

    with contextlib.nullcontext() if agrees else pytest.raises(deploy.StoppedError):
        deploy.deploy("dev", aws, run, agree=lambda _: agrees)

    assert happened[2:4] == ["dev shown, moved=False", *(["dev executed, moved=True"] if agrees else [])]
    assert any(name == "update_alias" for name, _ in calls) == agrees


def test_an_alias_where_the_stack_believes_it_stays() -> None:
    aws, calls = recorded(
        list_stack_resources=RESOURCES, get_alias={"FunctionVersion": "7"}, describe_stacks=deployed()
    )

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


def test_a_task_goes_to_the_function_that_the_stack_names() -> None:
    answer = {"Payload": io.BytesIO(b'{"org_id": "1"}')}
    aws, calls = recorded(describe_stacks=deployed(), invoke=answer)

    found = task.run("stack", "create_organization", task.read_fields(["organization=Trial", 'scopes=["query"]']), aws)

    [asked] = [call for operation, call in calls if operation == "invoke"]
    assert found == {"org_id": "1"}
    assert asked["FunctionName"] == "migrate"
    assert json.loads(asked["Payload"]) == {"task": "create_organization", "organization": "Trial", "scopes": ["query"]}


@pytest.mark.parametrize("name", ["restored", "erase"])
def test_a_task_that_fails_or_has_no_function_says_why(name: str) -> None:
    answer = {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorMessage": "organization is missing"}')}
    aws, _ = recorded(describe_stacks=deployed(), invoke=answer)

    with pytest.raises(task.TaskError, match=r"organization is missing|has no output MaintainFunctionName"):
        task.run("stack", name, {}, aws)


def test_a_field_without_a_value_is_no_field() -> None:
    with pytest.raises(task.TaskError, match="NAME=VALUE"):
        task.read_fields(["organization"])


def test_a_task_is_waited_for_and_never_run_twice() -> None:
    template = load((ROOT / "template.yaml").read_text(encoding="utf-8"))

    config = Aws(region="eu-central-1", config=task.PATIENT).lambda_.meta.config

    longest = max(
        template["Resources"][name]["Properties"]["Timeout"] for name in ("MigrateFunction", "MaintainFunction")
    )
    assert config.read_timeout > longest
    assert config.retries["total_max_attempts"] == 1
