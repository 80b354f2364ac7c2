"""What an account or a region would refuse is said before, each thing with its remedy."""

import os
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha1
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from scripts import preflight
from scripts.aws import Aws
from scripts.configuration import ROOT, UnknownEnvironmentError, stacks
from scripts.preflight import BUNDLE, OK, REFUSED, WARNING, Finding, Requirements

REGION = "eu-central-1"
Answers = Mapping[str, list[tuple[str, dict[str, Any]]]]


def wanted(environment: str = "dev", **changed: str) -> Requirements:
    parts = {stack.part: {**stack.parameters} for stack in stacks(environment)}
    for part in parts.values():
        part.update({name: value for name, value in changed.items() if name in part})
    return Requirements(parts["network"], parts["data"], parts[""])


@pytest.fixture
def account() -> Iterator[Any]:
    """Makes clients that give these answers, in this order, and hold them and the questions against AWS's models."""
    stubbers: list[Stubber] = []

    def make(answers: Answers) -> Aws:
        clients = {}
        for service, calls in answers.items():
            client: Any = boto3.client(  # type: ignore[call-overload]
                service, region_name=REGION, aws_access_key_id="x", aws_secret_access_key="x"
            )
            stubber = Stubber(client)
            for operation, answer in calls:
                if "Error" in answer:
                    stubber.add_client_error(operation, answer["Error"])
                else:
                    stubber.add_response(operation, answer)
            stubber.activate()
            stubbers.append(stubber)
            clients[service] = client
        return Aws(clients.__getitem__, region=REGION)

    yield make
    for stubber in stubbers:
        stubber.assert_no_pending_responses()
        stubber.deactivate()


def limit(executions: int) -> Answers:
    return {"lambda": [("get_account_settings", {"AccountLimit": {"ConcurrentExecutions": executions}})]}


def levels(findings: Iterator[Finding]) -> list[str]:
    return [finding.level for finding in findings]


@pytest.mark.parametrize(
    ("environment", "executions", "expected"),
    [
        ("dev", 10, [WARNING]),
        ("dev", 1000, [OK]),
        ("staging", 10, [REFUSED]),
        ("staging", 101, [OK]),
        ("prod", 309, [REFUSED]),
        ("prod", 310, [OK]),
    ],
)
def test_a_new_account_has_no_room_for_warm_and_reserved_instances(
    account: Any, environment: str, executions: int, expected: list[str]
) -> None:
    aws = account(limit(executions))

    assert levels(preflight.concurrency(aws, wanted(environment))) == expected


def test_autoscaling_stays_within_the_reservation(account: Any) -> None:
    aws = account(limit(1000))

    found = list(preflight.concurrency(aws, wanted("prod", AssembleMaximumConcurrency="200")))

    assert [finding.level for finding in found] == [OK, REFUSED]


def zones_of(names: str, **offered: str) -> Answers:
    every = [f"{REGION}{letter}" for letter in names]
    services = ("lambda", "sqs", "secretsmanager", "kms")
    details = [
        {
            "ServiceName": f"com.amazonaws.{REGION}.{name}",
            "AvailabilityZones": [f"{REGION}{letter}" for letter in offered.get(name, names)],
        }
        for name in services
    ]
    return {
        "ec2": [
            (
                "describe_availability_zones",
                {"AvailabilityZones": [{"ZoneName": zone, "State": "available"} for zone in every]},
            ),
            ("describe_vpc_endpoint_services", {"ServiceDetails": details}),
        ]
    }


def test_zones_that_have_everything_are_named(account: Any) -> None:
    [found] = preflight.zones(account(zones_of("abc")), wanted())

    assert found == Finding(OK, f"Zones: {REGION}a, {REGION}b.")


def test_a_zone_without_functions_is_refused_unless_others_are_chosen(account: Any) -> None:
    without = list(preflight.zones(account(zones_of("abc", **{"lambda": "bc"})), wanted()))
    chosen = list(preflight.zones(account(zones_of("abc", **{"lambda": "bc"})), wanted(Zones=f"{REGION}b,{REGION}c")))

    assert without[0].level == REFUSED
    assert f"lambda is not on offer in {REGION}a" in without[0].text
    assert [finding.level for finding in chosen] == [OK]


def test_three_zones_are_not_to_be_had_of_two(account: Any) -> None:
    answers = {"ec2": zones_of("ab")["ec2"][:1]}

    assert levels(preflight.zones(account(answers), wanted("prod"))) == [REFUSED]


def offers(*zones: str, insights: bool = True, standby: bool = True) -> list[tuple[str, dict[str, Any]]]:
    option = {
        "AvailabilityZones": [{"Name": f"{REGION}{zone}"} for zone in zones],
        "SupportsPerformanceInsights": insights,
        "MultiAZCapable": standby,
    }
    return [
        ("describe_db_engine_versions", {"DBEngineVersions": [{"EngineVersion": "17.4"}, {"EngineVersion": "17.6"}]}),
        ("describe_orderable_db_instance_options", {"OrderableDBInstanceOptions": [option]}),
    ]


def test_a_database_on_offer_is_named_with_its_minor_version(account: Any) -> None:
    [found] = preflight.database(account({"rds": offers("a", "b")}), wanted())

    assert found == Finding(OK, "Database: postgres 17.6 on db.t4g.micro, in 2 zones.")


@pytest.mark.parametrize(
    ("answers", "environment", "changed"),
    [
        ([("describe_db_engine_versions", {"DBEngineVersions": []})], "dev", {}),
        (offers("a"), "dev", {}),
        (offers("a", "b"), "dev", {"Zones": f"{REGION}b,{REGION}c"}),
        (offers("a", "b", insights=False), "staging", {}),
        (offers("a", "b", standby=False), "staging", {}),
    ],
    ids=["version", "one zone", "another zone", "insights", "standby"],
)
def test_a_database_that_is_not_on_offer_is_refused(
    account: Any, answers: list[tuple[str, dict[str, Any]]], environment: str, changed: dict[str, str]
) -> None:
    aws = account({"rds": answers})

    found = list(preflight.database(aws, wanted(environment, **changed)))

    assert found[0].level == REFUSED


def test_a_node_type_that_nobody_sells_is_a_warning(account: Any) -> None:
    valkey = ("describe_cache_engine_versions", {"CacheEngineVersions": [{"Engine": "valkey"}]})
    sold = ("describe_reserved_cache_nodes_offerings", {"ReservedCacheNodesOfferings": [{"CacheNodeType": "x"}]})
    nothing: tuple[str, dict[str, Any]] = (
        "describe_reserved_cache_nodes_offerings",
        {"ReservedCacheNodesOfferings": []},
    )

    assert levels(preflight.cache(account({"elasticache": [valkey, sold]}), wanted())) == [OK]
    assert levels(preflight.cache(account({"elasticache": [valkey, nothing]}), wanted())) == [WARNING]
    assert levels(preflight.cache(account({"elasticache": [(valkey[0], {"CacheEngineVersions": []})]}), wanted())) == [
        REFUSED
    ]


def test_an_authority_of_the_region_that_the_layer_lacks_is_refused(account: Any) -> None:
    [first, *_] = ssl.create_default_context(cafile=str(BUNDLE)).get_ca_certs(binary_form=True)
    ours = {"CertificateIdentifier": "rds-ca-rsa2048-g1", "Thumbprint": sha1(first, usedforsecurity=False).hexdigest()}
    newer = {"CertificateIdentifier": "rds-ca-rsa2048-g2", "Thumbprint": "00" * 20}

    def found(*authorities: dict[str, str]) -> list[Finding]:
        return list(
            preflight.certificates(
                account({"rds": [("describe_certificates", {"Certificates": list(authorities)})]}), wanted()
            )
        )

    assert [finding.level for finding in found(ours)] == [OK]
    [lacking] = found(ours, newer)
    assert lacking.level == REFUSED
    assert "rds-ca-rsa2048-g2" in lacking.text


def test_an_environment_with_stacks_for_everything_needs_nothing_by_hand() -> None:
    assert preflight.read(stacks("prod")).by_hand == []


def test_what_no_stack_writes_has_to_be_there(account: Any) -> None:
    [*_, service] = stacks("dev")
    alone = preflight.read([service])
    answers = [("get_parameters", {"Parameters": [], "InvalidParameters": [name]}) for name in alone.by_hand[:2]]

    [found] = preflight.stored(account({"ssm": answers}), alone)

    assert len(alone.by_hand) == 18
    assert found.level == REFUSED
    assert alone.by_hand[0] in found.text
    assert levels(preflight.database(account({}), alone)) == levels(preflight.zones(account({}), alone)) == [OK]


@pytest.mark.parametrize(("there", "level"), [(4, OK), (5, REFUSED)])
def test_a_quota_that_is_used_up_is_refused(account: Any, there: int, level: str) -> None:
    quota = ("get_service_quota", {"Quota": {"Value": 5.0}})
    instances: tuple[str, dict[str, Any]] = ("describe_db_instances", {"DBInstances": []})
    aws = account(
        {
            "ec2": [("describe_vpcs", {"Vpcs": [{"VpcId": f"vpc-{number}"} for number in range(there)]})],
            "rds": [instances],
            "service-quotas": [quota, quota],
        }
    )

    assert levels(preflight.quotas(aws, wanted())) == [level, OK]


def test_rights_are_those_of_the_role_behind_the_session(account: Any) -> None:
    arn = "arn:aws:sts::123456789012:assumed-role/deployer/ada"
    allowed: dict[str, Any] = {"EvaluationResults": []}
    denied = {"EvaluationResults": [{"EvalActionName": "rds:CreateDBInstance", "EvalDecision": "implicitDeny"}]}
    identity = ("get_caller_identity", {"Arn": arn})
    simulations = [("simulate_principal_policy", denied), ("simulate_principal_policy", allowed)]
    role = ("get_role", role_at("arn:aws:iam::123456789012:role/deployer"))

    [found] = preflight.permissions(account({"sts": [identity], "iam": [role, *simulations]}), wanted())

    assert found == Finding(REFUSED, "arn:aws:iam::123456789012:role/deployer may not rds:CreateDBInstance.")


def test_a_permission_set_of_identity_center_is_a_role_with_a_path(account: Any) -> None:
    name = "AWSReservedSSO_Administrator_0123456789abcdef"
    arn = f"arn:aws:iam::123456789012:role/aws-reserved/sso.amazonaws.com/eu-central-1/{name}"
    identity = ("get_caller_identity", {"Arn": f"arn:aws:sts::123456789012:assumed-role/{name}/ada"})
    allowed: dict[str, Any] = {"EvaluationResults": []}
    answers = [("get_role", role_at(arn)), *[("simulate_principal_policy", allowed)] * 2]

    [found] = preflight.permissions(account({"sts": [identity], "iam": answers}), wanted())

    assert found.text.startswith(f"Permissions of {arn}: all")


def role_at(arn: str) -> dict[str, Any]:
    created = datetime(2026, 1, 1, tzinfo=UTC)
    return {"Role": {"Path": "/", "RoleName": "role", "RoleId": "A" * 16, "Arn": arn, "CreateDate": created}}


def stack_in(status: str) -> tuple[str, dict[str, Any]]:
    stack = {"StackName": "x", "CreationTime": datetime(2026, 1, 1, tzinfo=UTC), "StackStatus": status}
    return "describe_stacks", {"Stacks": [stack]}


NO_STACK: tuple[str, dict[str, Any]] = ("describe_stacks", {"Error": "ValidationError"})
QUIET: tuple[str, dict[str, Any]] = ("describe_alarms", {"MetricAlarms": []})


@pytest.mark.parametrize(
    ("status", "level"),
    [
        ("UPDATE_ROLLBACK_COMPLETE", OK),
        ("UPDATE_COMPLETE", OK),
        ("ROLLBACK_COMPLETE", REFUSED),
        ("UPDATE_ROLLBACK_FAILED", REFUSED),
        ("UPDATE_IN_PROGRESS", REFUSED),
    ],
)
def test_a_stack_that_cloudformation_would_not_update_is_refused(account: Any, status: str, level: str) -> None:
    aws = account({"cloudformation": [NO_STACK, NO_STACK, stack_in(status)], "cloudwatch": [QUIET]})

    [found] = preflight.states(aws, preflight.read(stacks("dev")))

    assert found.level == level


def test_an_alarm_that_would_stop_the_deployment_is_named(account: Any) -> None:
    on = ("describe_alarms", {"MetricAlarms": [{"AlarmName": "remembrancer-dev-query-version-7"}]})
    aws = account({"cloudformation": [NO_STACK, NO_STACK, stack_in("UPDATE_COMPLETE")], "cloudwatch": [on]})

    [alarm, found] = preflight.states(aws, preflight.read(stacks("dev")))

    assert (alarm.level, found.level) == (WARNING, OK)
    assert "remembrancer-dev-query-version-7" in alarm.text
    assert "IGNORE_ALARMS=1" in alarm.text


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"AWS_REGION": "eu-central-1"}, "Unable to locate credentials"),
        ({"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}, "There is no region"),
    ],
    ids=["credentials", "region"],
)
def test_without_credentials_or_a_region_nothing_is_called_fine(environment: dict[str, str], said: str) -> None:
    nowhere = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "AWS_EC2_METADATA_DISABLED": "true"}

    done = subprocess.run(
        [sys.executable, "-m", "scripts.preflight", "dev"],
        cwd=ROOT,
        env={**nowhere, **environment},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_credentials_that_aws_does_not_take_are_an_error(account: Any) -> None:
    aws = account({"sts": [("get_caller_identity", {"Error": "ExpiredToken"})]})

    with pytest.raises(preflight.NoAccessError, match="ExpiredToken"):
        preflight.require_access(aws)


def test_a_check_that_may_not_ask_warns_and_the_others_go_on(account: Any) -> None:
    answers = {"sts": [("get_caller_identity", {"Error": "AccessDenied"})], **limit(1000)}

    found = preflight.run("dev", account(answers), [preflight.permissions, preflight.concurrency])

    assert [finding.level for finding in found] == [WARNING, OK]
    assert "AccessDenied" in found[0].text


def test_an_environment_that_is_not_configured_is_refused(account: Any) -> None:
    with pytest.raises(UnknownEnvironmentError, match="nowhere"):
        preflight.run("nowhere", account({}))
