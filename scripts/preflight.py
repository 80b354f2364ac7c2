"""Checks before a deployment what an account or a region would refuse.

`python -m scripts.preflight dev` is what `make preflight CONFIG=dev` runs. It only reads. The status is 1 when
something would be refused; a check that could not be completed is a warning. Without credentials or a region nothing
can be checked: then the status is 2.
"""

import argparse
import hashlib
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from scripts.aws import Aws
from scripts.configuration import ROOT, StackConfiguration, UnknownEnvironmentError, stacks

OK, WARNING, REFUSED = "ok", "warning", "refused"
BUNDLE = ROOT / "layers" / "engine" / "certificates" / "databases.pem"
LEFT_UNRESERVED = 100
"""Concurrency that Lambda reserves for functions without a reservation."""
ENDPOINTS = ("sqs", "secretsmanager", "kms")
# Permissions to create the resources of the templates, one for each service and kind.
ACTIONS = (
    "apigateway:POST",
    "application-autoscaling:RegisterScalableTarget",
    "cloudformation:CreateChangeSet",
    "cloudformation:DescribeStacks",
    "cloudformation:ExecuteChangeSet",
    "cloudformation:ListStackResources",
    "cloudformation:SetStackPolicy",
    "cloudformation:UpdateTerminationProtection",
    "cloudwatch:PutDashboard",
    "cloudwatch:PutMetricAlarm",
    "codedeploy:CreateDeployment",
    "codedeploy:CreateDeploymentGroup",
    "ec2:CreateSecurityGroup",
    "ec2:CreateVpc",
    "ec2:CreateVpcEndpoint",
    "elasticache:CreateReplicationGroup",
    "events:PutRule",
    "iam:CreatePolicy",
    "iam:CreateRole",
    "iam:CreateServiceLinkedRole",
    "iam:PassRole",
    "iam:PutRolePolicy",
    "kms:CreateKey",
    "lambda:CreateFunction",
    "lambda:GetAlias",
    "lambda:InvokeFunction",
    "lambda:PublishLayerVersion",
    "lambda:PublishVersion",
    "lambda:UpdateAlias",
    "logs:CreateLogDelivery",
    "logs:CreateLogGroup",
    "logs:PutResourcePolicy",
    "rds:CreateDBInstance",
    "s3:PutObject",
    "secretsmanager:CreateSecret",
    "sns:CreateTopic",
    "sqs:CreateQueue",
    "ssm:GetParameters",
    "ssm:PutParameter",
)
# An environment without a section for network or data uses existing ones.
EXISTING_NETWORK = {"VpcId": "existing"}
EXISTING_DATA = {"DatabaseKind": "existing", "CacheKind": "existing", "DatabaseVerifyTls": "false"}
WRITTEN = {"network": ("network",), "data": ("data", "database", "cache"), "service": ("service",)}
"""Groups of SSM parameters, by the stack that writes them."""
VPCS = ("vpc", "L-F678F1CE")
DATABASES = ("rds", "L-7B6409FD")


class NoAccessError(Exception):
    """Nothing can be asked; the message says what to set."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check, and how to fix it."""

    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Requirements:
    """The parameters of an environment's stacks."""

    network: Mapping[str, str]
    data: Mapping[str, str]
    service: Mapping[str, str]
    by_hand: Sequence[str] = ()
    """SSM parameters that are read, but that no stack of the environment writes."""
    stacks: Sequence[str] = ()
    """Names of the stacks, in the order of deployment."""

    @property
    def zones(self) -> int:
        """The number of subnets that the network will have."""
        return 3 if self.network.get("ThirdZone") == "true" else 2

    @property
    def chosen_zones(self) -> list[str]:
        """Availability zones by name; empty for the first zones of the region."""
        return [zone for zone in self.network.get("Zones", "").split(",") if zone]


Check = Callable[[Aws, Requirements], Iterator[Finding]]


def concurrency(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Reserved and warm instances against the account's limit, part of which stays unreserved."""
    limit = int(aws.lambda_.get_account_settings()["AccountLimit"]["ConcurrentExecutions"])
    service = wanted.service
    reserved = sum(int(service[f"{name}Reserved"]) for name in ("Assemble", "Query", "Memories", "Mcp"))
    # Warm instances of a function with a reservation count within it.
    warm = {name: int(service[f"{name}Concurrency"]) for name in ("Assemble", "Query")}
    needed = reserved + sum(count for name, count in warm.items() if service[f"{name}Reserved"] == "0")
    if needed and limit - needed < LEFT_UNRESERVED:
        yield Finding(
            REFUSED,
            f"Lambda runs {limit} functions at once here; {needed} reserved or warm ones need "
            f"{needed + LEFT_UNRESERVED}. Ask for a higher quota (L-B99A9384), "
            "or set the parameters Reserved and Concurrency to 0.",
        )
    elif limit < LEFT_UNRESERVED:
        yield Finding(WARNING, f"Lambda runs only {limit} functions at once here: enough for a trial, not for load.")
    else:
        yield Finding(OK, f"Lambda: {limit} at once, {needed} of them reserved or warm.")
    most = int(service["AssembleMaximumConcurrency"])
    if warm["Assemble"] and int(service["AssembleReserved"]) and most > int(service["AssembleReserved"]):
        yield Finding(REFUSED, "AssembleMaximumConcurrency is above AssembleReserved: autoscaling would be refused.")


def zones(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Whether there are enough zones, and functions and endpoints are available in each zone used."""
    if wanted.network.get("VpcId"):
        yield Finding(OK, "An existing network: its zones are yours to choose.")
        return
    found = aws.ec2.describe_availability_zones(Filters=[{"Name": "zone-type", "Values": ["availability-zone"]}])
    names = sorted(zone["ZoneName"] for zone in found["AvailabilityZones"] if zone["State"] == "available")
    used = (wanted.chosen_zones or names)[: wanted.zones]
    if len(used) < wanted.zones or not set(used) <= set(names):
        yield Finding(
            REFUSED, f"{wanted.zones} zones are needed, {', '.join(names)} are available: see Zones, ThirdZone."
        )
        return
    services = {service: f"com.amazonaws.{aws.region}.{service}" for service in ("lambda", *ENDPOINTS)}
    offered = aws.ec2.describe_vpc_endpoint_services(ServiceNames=list(services.values()))["ServiceDetails"]
    by_service = {detail["ServiceName"]: set(detail["AvailabilityZones"]) for detail in offered}
    for service, name in services.items():
        if lacking := sorted(set(used) - by_service.get(name, set())):
            yield Finding(REFUSED, f"{service} is not on offer in {', '.join(lacking)}: name other zones in Zones.")
    yield Finding(OK, f"Zones: {', '.join(used)}.")


def database(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Whether version and class of the database are available in at least two zones."""
    data = wanted.data
    kind = data["DatabaseKind"]
    if kind == "existing":
        yield Finding(OK, "An existing database: Postgres 16 or newer with pgvector 0.8 or newer is yours to provide.")
        return
    engine = "postgres" if kind == "instance" else "aurora-postgresql"
    instance_class = data["DatabaseInstanceClass"] if kind == "instance" else "db.serverless"
    versions = aws.rds.describe_db_engine_versions(Engine=engine, EngineVersion=data["DatabaseVersion"])
    if not versions["DBEngineVersions"]:
        yield Finding(
            REFUSED, f"{engine} {data['DatabaseVersion']} is not on offer in {aws.region}: see DatabaseVersion."
        )
        return
    newest = versions["DBEngineVersions"][-1]["EngineVersion"]
    options: list[Mapping[str, Any]] = []
    pages = aws.rds.get_paginator("describe_orderable_db_instance_options")
    for page in pages.paginate(Engine=engine, EngineVersion=newest, DBInstanceClass=instance_class):
        options += page["OrderableDBInstanceOptions"]
    offered = {zone["Name"] for option in options for zone in option["AvailabilityZones"]}
    lacking = sorted(set(wanted.chosen_zones) - offered)
    if len(offered) < 2 or lacking:
        where = f"in {', '.join(lacking)}" if lacking else "in two zones"
        yield Finding(
            REFUSED, f"{instance_class} with {engine} {newest} is not on offer {where}: see DatabaseInstanceClass."
        )
        return
    if data["DatabaseInsights"] == "true" and not any(option["SupportsPerformanceInsights"] for option in options):
        yield Finding(REFUSED, f"{instance_class} has no Database Insights: set DatabaseInsights=false.")
    if data["DatabaseMultiAz"] == "true" and kind == "instance" and not any(o["MultiAZCapable"] for o in options):
        yield Finding(REFUSED, f"{instance_class} has no standby here: set DatabaseMultiAz=false.")
    yield Finding(OK, f"Database: {engine} {newest} on {instance_class}, in {len(offered)} zones.")


def cache(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Whether version and node type of the cache are available; node types, where they can be reserved."""
    data = wanted.data
    if data["CacheKind"] == "existing":
        yield Finding(OK, "An existing cache: TLS on port 6379 is yours to provide.")
        return
    versions = aws.elasticache.describe_cache_engine_versions(Engine="valkey", CacheParameterGroupFamily="valkey8")
    if not versions["CacheEngineVersions"]:
        yield Finding(REFUSED, f"Valkey 8 is not on offer in {aws.region}.")
        return
    if data["CacheKind"] == "replication-group":
        node = data["CacheNodeType"]
        offers = aws.elasticache.describe_reserved_cache_nodes_offerings(CacheNodeType=node, MaxRecords=20)
        if not offers["ReservedCacheNodesOfferings"]:
            yield Finding(WARNING, f"Nothing says that {node} is on offer in {aws.region}: see CacheNodeType.")
            return
    yield Finding(OK, f"Cache: Valkey 8, {data['CacheKind']}.")


def thumbprints(bundle: Path = BUNDLE) -> set[str]:
    """SHA-1 of each certificate authority in the engine layer, in RDS's format."""
    authorities = ssl.create_default_context(cafile=str(bundle)).get_ca_certs(binary_form=True)
    return {hashlib.sha1(one, usedforsecurity=False).hexdigest() for one in authorities}


def certificates(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Whether the layer's bundle has the authorities of the region: `verify-full` fails without."""
    if wanted.data["DatabaseVerifyTls"] != "true" or wanted.data["DatabaseKind"] == "existing":
        yield Finding(OK, "The authority of the database is not one of RDS, or is not checked.")
        return
    known = thumbprints()
    authorities = aws.rds.describe_certificates()["Certificates"]
    lacking = [one["CertificateIdentifier"] for one in authorities if one["Thumbprint"].lower() not in known]
    if lacking:
        yield Finding(
            REFUSED,
            f"The layer lacks {', '.join(lacking)} of {aws.region}: `make certificates` where Amazon can be reached.",
        )
    else:
        yield Finding(OK, f"Certificates: all {len(authorities)} authorities of {aws.region} are in the layer.")


def stored(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Whether parameters that no stack of the environment writes were created by hand."""
    missing: list[str] = []
    for first in range(0, len(wanted.by_hand), 10):
        missing += aws.ssm.get_parameters(Names=list(wanted.by_hand[first : first + 10]))["InvalidParameters"]
    if missing:
        yield Finding(REFUSED, f"SSM has no {', '.join(sorted(missing))}, which no stack here writes.")
    elif wanted.by_hand:
        yield Finding(OK, f"SSM has the {len(wanted.by_hand)} parameters that no stack here writes.")


def quotas(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Quotas of VPCs and database instances."""
    if not wanted.network.get("VpcId"):
        count = len(aws.ec2.describe_vpcs()["Vpcs"])
        yield _room(aws, VPCS, count, 1, "VPCs")
    if wanted.data["DatabaseKind"] != "existing":
        instances = [
            one for page in aws.rds.get_paginator("describe_db_instances").paginate() for one in page["DBInstances"]
        ]
        second = wanted.data["DatabaseKind"] == "aurora-serverless" and wanted.data["DatabaseMultiAz"] == "true"
        yield _room(aws, DATABASES, len(instances), 2 if second else 1, "database instances")


def _room(aws: Aws, quota: tuple[str, str], there: int, more: int, what: str) -> Finding:
    service, code = quota
    limit = int(aws.service_quotas.get_service_quota(ServiceCode=service, QuotaCode=code)["Quota"]["Value"])
    if there + more > limit:
        return Finding(REFUSED, f"There are {there} {what} of {limit}: the quota {code} has to be raised.")
    return Finding(OK, f"Room for {what}: {there} of {limit}.")


def permissions(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Permissions of the deploying principal, by IAM's simulator; it includes policies of the organization."""
    principal = _principal(aws.sts.get_caller_identity()["Arn"], aws)
    if principal.endswith(":root"):
        yield Finding(WARNING, "The account's root user may do everything; use an administrator instead.")
        return
    denied = []
    for first in range(0, len(ACTIONS), 20):
        answer = aws.iam.simulate_principal_policy(
            PolicySourceArn=principal, ActionNames=list(ACTIONS[first : first + 20])
        )
        results = answer["EvaluationResults"]
        denied += [one["EvalActionName"] for one in results if one["EvalDecision"] != "allowed"]
    if denied:
        yield Finding(REFUSED, f"{principal} may not {', '.join(sorted(denied))}.")
    else:
        yield Finding(OK, f"Permissions of {principal}: all {len(ACTIONS)} that were asked for.")


def _principal(arn: str, aws: Aws) -> str:
    """The role of a session: the simulator does not accept sessions. Roles of IAM Identity Center have a path, which
    the session's name leaves out.
    """
    if ":assumed-role/" not in arn:
        return arn
    role = arn.split(":assumed-role/")[1].split("/", maxsplit=1)[0]
    return str(aws.iam.get_role(RoleName=role)["Role"]["Arn"])


def states(aws: Aws, wanted: Requirements) -> Iterator[Finding]:
    """Whether each stack that exists can be updated, and no alarm would stop the deployment of the service."""
    refused = False
    for name in wanted.stacks:
        status = _status(name, aws)
        remedy = BLOCKED.get(status, "" if not status.endswith("_IN_PROGRESS") else "wait until it has finished")
        if remedy:
            refused = True
            yield Finding(REFUSED, f"The stack {name} is in {status}: {remedy}.")
    service = f"remembrancer-{wanted.service['Stage']}"
    on = [
        alarm["AlarmName"]
        for page in aws.cloudwatch.get_paginator("describe_alarms").paginate(
            AlarmNamePrefix=f"{service}-", StateValue="ALARM"
        )
        for alarm in page["MetricAlarms"]
    ]
    if on and service in wanted.stacks:
        yield Finding(
            WARNING,
            f"Alarms are on: {', '.join(sorted(on))}. One that watches a function stops its deployment; "
            "IGNORE_ALARMS=1 deploys a fix all the same.",
        )
    if not refused:
        yield Finding(OK, f"Stacks: {', '.join(wanted.stacks)} can be created or updated.")


def _status(stack: str, aws: Aws) -> str:
    """The stack's status, empty where there is no such stack."""
    try:
        [found] = aws.cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ValidationError":
            return ""
        raise
    return str(found["StackStatus"])


BLOCKED = {
    "ROLLBACK_COMPLETE": "delete it, then deploy again",
    "ROLLBACK_FAILED": "delete it, then deploy again",
    "DELETE_FAILED": "delete it, then deploy again",
    "UPDATE_ROLLBACK_FAILED": "`aws cloudformation continue-update-rollback --stack-name NAME`, then deploy again",
}
"""States in which CloudFormation refuses an update, with the way out."""
CHECKS: Sequence[Check] = (permissions, states, concurrency, zones, database, cache, certificates, stored, quotas)


def require_access(aws: Aws) -> None:
    """Raises NoAccessError without a region, or credentials that AWS takes: then no check says anything."""
    if not aws.region:
        raise NoAccessError("There is no region: set AWS_REGION.")
    try:
        aws.sts.get_caller_identity()
    except (ClientError, BotoCoreError) as error:
        raise NoAccessError(f"{error}. Log in, or set AWS_PROFILE.") from error


def run(environment: str, aws: Aws, checks: Sequence[Check] = CHECKS) -> list[Finding]:
    """Runs every check; a check that is not permitted or gets no answer warns instead."""
    wanted = read(stacks(environment))
    findings = []
    for check in checks:
        try:
            findings += list(check(aws, wanted))
        except (ClientError, BotoCoreError) as error:
            findings.append(Finding(WARNING, f"{check.__name__} could not be checked: {error}"))
    return findings


def read(parts: Sequence[StackConfiguration]) -> Requirements:
    """The requirements of an environment's stacks."""
    parameters = {stack.part or "service": stack.parameters for stack in parts}
    groups = {group for part in parameters for group in WRITTEN.get(part, ())}
    by_hand = {name for stack in parts for name in stack.stored if name.split("/")[-2] not in groups}
    network, data = parameters.get("network", EXISTING_NETWORK), parameters.get("data", EXISTING_DATA)
    return Requirements(network, data, parameters["service"], sorted(by_hand), [stack.name for stack in parts])


def main() -> int:
    """Prints a line for each finding."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environment", help="dev, staging or prod")
    options = parser.parse_args()
    try:
        aws = Aws()
        require_access(aws)
        findings = run(options.environment, aws)
    except (UnknownEnvironmentError, NoAccessError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for finding in findings:
        sys.stdout.write(f"{finding.level:8} {finding.text}\n")
    refused = sum(finding.level == REFUSED for finding in findings)
    sys.stdout.write(
        f"\n{refused} would be refused.\n" if refused else "\nNothing that was checked would be refused.\n"
    )
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
