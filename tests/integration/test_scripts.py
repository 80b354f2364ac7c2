"""The operator's scripts against a local AWS, as far as it has what they ask."""

import io
import json
import os
import zipfile
from collections.abc import Iterator, Sequence

import pytest
from moto import mock_aws

from scripts import deploy, preflight, prune_versions, restore, rollback, task
from scripts.aws import Aws
from scripts.configuration import stacks
from scripts.preflight import OK, REFUSED
from scripts.rollback import Alias, NoVersionError

REGION = "us-east-1"


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Aws]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    assert "AWS_PROFILE" not in os.environ
    with mock_aws():
        yield Aws(region=REGION)


def published(aws: Aws, versions: int) -> Alias:
    """A function with so many versions, whose alias is at the newest."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("app.py", "")
    trust = '{"Version": "2012-10-17", "Statement": []}'
    role = aws.iam.create_role(RoleName="function", AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    aws.lambda_.create_function(
        FunctionName="query",
        Runtime="python3.13",
        Role=role,
        Handler="app.handler",
        Code={"ZipFile": archive.getvalue()},
    )
    for number in range(versions):
        aws.lambda_.update_function_configuration(FunctionName="query", Description=str(number))
        newest = aws.lambda_.publish_version(FunctionName="query")["Version"]
    aws.lambda_.create_alias(FunctionName="query", Name="live", FunctionVersion=newest)
    # By its name: the local AWS lists no versions of an ARN.
    return Alias("query", "live", newest, newest)


def test_an_alias_goes_to_the_version_before_and_back(aws: Aws) -> None:
    alias = published(aws, 3)

    rollback.move(alias, rollback.version_before(alias, aws), aws)
    before = aws.lambda_.get_alias(FunctionName="query", Name="live")["FunctionVersion"]
    rollback.move(alias, alias.of_stack, aws)
    after = aws.lambda_.get_alias(FunctionName="query", Name="live")["FunctionVersion"]

    assert (before, after) == ("2", "3")


def test_the_first_version_has_none_before_it(aws: Aws) -> None:
    with pytest.raises(NoVersionError):
        rollback.version_before(published(aws, 1), aws)


def test_old_versions_go_and_those_in_use_stay(aws: Aws) -> None:
    alias = published(aws, 6)
    rollback.move(alias, "2", aws)
    served = Alias("query", "live", "2", "6")

    assert prune_versions.old_versions(served, 2, aws) == ["1", "3", "4"]
    assert prune_versions.old_versions(served, 9, aws) == []


def test_pruning_names_a_stack_without_functions(aws: Aws) -> None:
    with pytest.raises(prune_versions.NoAliasError, match="give the name of the service's stack"):
        list(prune_versions.prunable("remembrancer-prd", 3, aws))


def stack_with(aws: Aws, name: str, **outputs: str) -> None:
    """A stack with these outputs."""
    given = {key: {"Value": value} for key, value in outputs.items()}
    template = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}, "Outputs": given}
    aws.cloudformation.create_stack(StackName=name, TemplateBody=json.dumps(template))


def test_the_drill_of_a_restore_reads_the_first_stack_and_protects_the_second(aws: Aws) -> None:
    stack_with(aws, "remembrancer-dev-data", KeyArn="arn:key", DatabaseResourceId="db-1")
    ran: list[Sequence[str]] = []

    def run(words: Sequence[str]) -> None:
        ran.append(words)
        stack_with(aws, words[words.index("--stack-name") + 1])

    # The last step, which the local AWS does not have.
    with pytest.raises(NotImplementedError, match="update_termination_protection"):
        restore.restore("dev", "dev-2", aws, run, at="2026-05-01T12:00:00Z")

    name = ran[0][ran[0].index("--stack-name") + 1]
    assert 'DatabaseSource="db-1"' in ran[0]
    assert 'KeyId="arn:key"' in ran[0]
    assert "LogicalResourceId/Database" in aws.cloudformation.get_stack_policy(StackName=name)["StackPolicyBody"]


def test_a_dry_run_of_a_restore_makes_nothing(aws: Aws) -> None:
    stack_with(aws, "remembrancer-dev-data", KeyArn="arn:key", DatabaseResourceId="db-1")

    restore.restore("dev", "dev-2", aws, lambda _: None, snapshot="before", dry_run=True)

    [only] = aws.cloudformation.describe_stacks()["Stacks"]
    assert only["StackName"] == "remembrancer-dev-data"


def test_a_stack_that_is_not_there_has_no_release(aws: Aws) -> None:
    assert deploy.release("remembrancer-nowhere", aws) == ""


def test_a_task_needs_the_stack_of_the_service(aws: Aws) -> None:
    stack_with(aws, "remembrancer-dev-data", KeyArn="arn:key")

    with pytest.raises(task.TaskError, match="has no output MigrateFunctionName"):
        task.run("remembrancer-dev-data", "migrate", {}, aws)


def test_a_stack_that_is_not_there_has_no_aliases(aws: Aws) -> None:
    assert rollback.aliases("remembrancer-nowhere", aws) == []


def test_the_preflight_reads_zones_and_stored_parameters(aws: Aws) -> None:
    [*_, service] = stacks("dev")
    alone = preflight.read([service])

    [zones] = preflight.zones(aws, preflight.read(stacks("dev")))
    [missing] = preflight.stored(aws, alone)
    for name in alone.by_hand:
        aws.ssm.put_parameter(Name=name, Type="String", Value="none")
    [there] = preflight.stored(aws, alone)

    assert zones.text == f"Zones: {REGION}a, {REGION}b."
    assert (missing.level, there.level) == (REFUSED, OK)
