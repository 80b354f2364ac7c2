"""The template as CloudFormation gets it: translated by SAM for several sets of parameters, and made by a local AWS."""

import io
import json
import os
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws
from moto.cloudformation.parsing import get_model_map

from local.intrinsics import NO_VALUE, Resolver

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
SAM_VENV = Path(os.environ.get("SAM_VENV", ROOT / ".venv-sam"))
REGION = "us-east-1"
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:{}-AbCdEf"
NETWORK = {"VpcId": "vpc-0123456789abcdef0", "SubnetIds": "subnet-0123456789abcdef0,subnet-0123456789abcdef1"}
DATABASE = {
    "DatabaseKind": "existing",
    "DatabaseHost": "db.example.org",
    "DatabaseAuthentication": "secret",
    "DatabaseSecretArn": SECRET.format("app"),
    "DatabaseOwnerSecretArn": SECRET.format("owner"),
    "DatabaseSecurityGroupId": "sg-0123456789abcdef0",
}
CACHE = {
    "CacheKind": "existing",
    "CacheHost": "cache.example.org",
    "CacheSecretArn": SECRET.format("cache"),
    "CacheSecurityGroupId": "sg-0123456789abcdef1",
}
DEPLOYMENTS = {
    "defaults": {},
    "load balancer, Aurora, serverless cache": {
        "FrontDoor": "Alb",
        "CertificateArn": CERTIFICATE,
        "AvailabilityZones": "3",
        "DatabaseKind": "aurora-serverless",
        "DatabaseMultiAz": "true",
        "DatabaseProxy": "true",
        "CacheKind": "serverless",
        "AlarmEmail": "on-call@example.org",
        "QueryConcurrency": "1",
        "QueryReserved": "10",
    },
    "everything exists, token": {
        **NETWORK,
        **DATABASE,
        **CACHE,
        "JwtIssuer": "https://issuer.example.org",
        "JwtAudience": "remembrancer,other",
        "AssembleConcurrency": "0",
    },
    "load balancer in an existing network, proxy, shards": {
        **NETWORK,
        "VpcEndpoints": "create",
        "FrontDoor": "Alb",
        "CertificateArn": CERTIFICATE,
        "AlbScheme": "internet-facing",
        "AlbSubnetIds": "subnet-0123456789abcdef2,subnet-0123456789abcdef3",
        "AlbDomainName": "memory.example.org",
        "AlbLogBucket": "logs.example.org",
        "DatabaseProxy": "true",
        "CacheShards": "2",
        "CacheReplicas": "1",
        "Stage": "prod",
        "DeploymentType": "Canary10Percent5Minutes",
    },
}
INCOMPLETE = {
    "a network without subnets": {"VpcId": NETWORK["VpcId"]},
    "a database without a host": {**DATABASE, "DatabaseHost": ""},
    "a database without its owner": {**DATABASE, "DatabaseOwnerSecretArn": ""},
    "a database without a secret": {**DATABASE, "DatabaseSecretArn": ""},
    "a database without a resource": {**DATABASE, "DatabaseAuthentication": "iam"},
    "a cache without a host": {"CacheKind": "existing"},
    "a load balancer without a certificate": {"FrontDoor": "Alb"},
    "a public load balancer without public subnets": {
        "FrontDoor": "Alb",
        "CertificateArn": CERTIFICATE,
        "AlbScheme": "internet-facing",
    },
    "an issuer without an audience": {"JwtIssuer": "https://issuer.example.org"},
}
# What moto's CloudFormation does not make; the day it does, the test says so and more is proven.
BEYOND_MOTO = {
    "AWS::ApiGatewayV2::Api",
    "AWS::ApiGatewayV2::Authorizer",
    "AWS::ApiGatewayV2::Integration",
    "AWS::ApiGatewayV2::Route",
    "AWS::ApiGatewayV2::Stage",
    "AWS::ApplicationAutoScaling::ScalableTarget",
    "AWS::ApplicationAutoScaling::ScalingPolicy",
    "AWS::CloudWatch::Alarm",
    "AWS::CodeDeploy::Application",
    "AWS::CodeDeploy::DeploymentGroup",
    "AWS::ElastiCache::ReplicationGroup",
    "AWS::ElastiCache::ServerlessCache",
    "AWS::ElastiCache::SubnetGroup",
    "AWS::ElastiCache::User",
    "AWS::ElastiCache::UserGroup",
    "AWS::Lambda::Alias",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::RDS::DBCluster",
    "AWS::RDS::DBClusterParameterGroup",
    "AWS::RDS::DBProxy",
    "AWS::RDS::DBProxyTargetGroup",
    "AWS::SNS::Subscription",
    "AWS::SecretsManager::Secret",
    # It would run the function in a container.
    "Custom::Migration",
}
# Nobody waits for what moto does not make, and a reference to a parameter group makes it fail.
MOTO_STUMBLES = {"DependsOn", "DBParameterGroupName"}
# As `sam deploy` does it, except that code is not uploaded. Managed policies are not looked up: none is named.
TRANSLATION = """
import json, sys
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

class NoNames:
    def load(self):
        return {}

template, request = yaml_parse(open(sys.argv[1]).read()), json.loads(sys.argv[2])
for resource in template["Resources"].values():
    for key in ("CodeUri", "ContentUri"):
        if key in resource.get("Properties", {}):
            resource["Properties"][key] = "s3://code/" + request[key]
print(json.dumps(transform(template, request["parameters"], NoNames())))
"""

every_deployment = pytest.mark.parametrize("deployment", list(DEPLOYMENTS))


def sam(program: str, *arguments: str) -> str:
    """Runs a program of SAM's own environment; its output."""
    result = subprocess.run(
        [SAM_VENV / "bin" / program, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "AWS_DEFAULT_REGION": REGION},
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@cache
def translated(parameters: str = "{}", *, layer: str = "layer.zip") -> dict[str, Any]:
    """By SAM, for parameters as JSON."""
    request = json.dumps({"parameters": json.loads(parameters), "CodeUri": "function.zip", "ContentUri": layer})
    document: dict[str, Any] = json.loads(sam("python", "-c", TRANSLATION, str(TEMPLATE), request))
    return document


class Deployment:
    """The translated template for one set of parameters: conditions decided, parameters filled in."""

    def __init__(self, parameters: Mapping[str, str]) -> None:
        document = translated(json.dumps(parameters))
        self.parameters = {name: spec.get("Default") for name, spec in document["Parameters"].items()} | dict(
            parameters
        )
        lists = {name for name, spec in document["Parameters"].items() if spec["Type"] == "CommaDelimitedList"}
        self._values = {
            name: str(value).split(",") if name in lists else str(value) for name, value in self.parameters.items()
        }
        self._resolver = Resolver(values=self._values, conditions=document["Conditions"], mappings={})
        self.rules: dict[str, Any] = document["Rules"]
        self.resources: dict[str, Any] = {
            name: self._settled({key: value for key, value in resource.items() if key != "Condition"})
            for name, resource in document["Resources"].items()
            if self._exists(resource)
        }
        self.outputs: dict[str, Any] = {
            name: self._settled({key: value for key, value in output.items() if key != "Condition"})
            for name, output in document["Outputs"].items()
            if self._exists(output)
        }

    def refusals(self) -> list[str]:
        """What CloudFormation says before it starts, by the rules of the template."""
        return [
            assertion["AssertDescription"]
            for rule in self.rules.values()
            if self._resolver.resolve(rule["RuleCondition"])
            for assertion in rule["Assertions"]
            if not self._resolver.resolve(assertion["Assert"])
        ]

    def _exists(self, part: Mapping[str, Any]) -> bool:
        return "Condition" not in part or self._resolver.holds(part["Condition"])

    def _settled(self, value: Any) -> Any:
        """Without parameters, conditions and AWS::NoValue; what only AWS knows stays a reference."""
        if isinstance(value, list):
            return [item for item in map(self._settled, value) if item is not NO_VALUE]
        if not isinstance(value, dict):
            return value
        if (name := value.get("Ref")) in self._values or name == "AWS::NoValue":
            return self._values.get(name, NO_VALUE)
        if choice := value.get("Fn::If"):
            return self._settled(choice[1] if self._resolver.holds(choice[0]) else choice[2])
        if argument := value.get("Fn::Sub"):
            return {"Fn::Sub": self._substituted(argument)}
        settled = {key: self._settled(item) for key, item in value.items()}
        return {key: item for key, item in settled.items() if item is not NO_VALUE}

    def _substituted(self, argument: Any) -> Any:
        text, local = (argument, {}) if isinstance(argument, str) else argument
        filled = re.sub(r"\$\{(\w+)\}", lambda name: str(self._values.get(name[1], name[0])), text)
        return [filled, self._settled(local)] if local else filled


@cache
def deployed(name: str) -> Deployment:
    return Deployment(DEPLOYMENTS[name])


def references(value: Any) -> Iterator[tuple[str, str]]:
    """Name and attribute (empty for Ref) of everything that a part of the template refers to."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    elif isinstance(value, dict):
        match value:
            case {"Ref": str(name)}:
                yield name, ""
            case {"Fn::GetAtt": [str(name), str(attribute)]}:
                yield name, attribute
            case {"Fn::Sub": argument}:
                text, local = (argument, {}) if isinstance(argument, str) else argument
                yield from references(list(local.values()))
                for name in re.findall(r"\$\{([^!}][^}]*)\}", text):
                    if name not in local:
                        resource, _, attribute = name.partition(".")
                        yield resource, attribute
            case _:
                for item in value.values():
                    yield from references(item)


def dependencies(resource: Mapping[str, Any]) -> list[str]:
    named = resource.get("DependsOn", [])
    return [named] if isinstance(named, str) else list(named)


@every_deployment
def test_every_reference_leads_to_a_resource_of_the_same_deployment(deployment: str) -> None:
    stack = deployed(deployment)

    unresolved = [
        f"{name} -> {target}"
        for name, part in {**stack.resources, **stack.outputs}.items()
        for target in [*(target for target, _ in references(part)), *dependencies(part)]
        if target not in stack.resources and not target.startswith("AWS::")
    ]

    assert len(stack.resources) > 100
    assert unresolved == []


@every_deployment
def test_no_resource_waits_for_itself(deployment: str) -> None:
    resources = deployed(deployment).resources
    waits = {
        name: {*dependencies(resource), *(target for target, _ in references(resource))} & resources.keys()
        for name, resource in resources.items()
    }

    while ready := {name for name, others in waits.items() if not others & waits.keys()}:
        waits = {name: others for name, others in waits.items() if name not in ready}

    assert waits == {}


@every_deployment
def test_new_code_gets_traffic_only_after_the_migration(deployment: str) -> None:
    resources = deployed(deployment).resources
    functions = {name for name, resource in resources.items() if resource["Type"] == "AWS::Lambda::Function"}

    waiting = {
        name
        for name in functions
        if "Migration" in {*dependencies(resources[name]), *(target for target, _ in references(resources[name]))}
    }

    assert functions - waiting == {"MigrateFunction"}
    assert len(waiting) == 6


@every_deployment
def test_the_rules_admit_a_complete_deployment(deployment: str) -> None:
    assert deployed(deployment).refusals() == []


@pytest.mark.parametrize("lack", list(INCOMPLETE))
def test_the_rules_refuse_a_deployment_that_lacks_something(lack: str) -> None:
    assert len(Deployment(INCOMPLETE[lack]).refusals()) == 1


@every_deployment
def test_a_deployment_has_only_the_front_door_that_was_asked_for(deployment: str) -> None:
    stack = deployed(deployment)

    doors = {resource["Type"].split("::")[1] for resource in stack.resources.values()}

    assert ("ApiGatewayV2" in doors) == (stack.parameters["FrontDoor"] == "HttpApi")
    assert ("ElasticLoadBalancingV2" in doors) == (stack.parameters["FrontDoor"] == "Alb")


def test_a_deployment_with_everything_existing_makes_no_network_no_store_and_no_key_for_them() -> None:
    kinds = {resource["Type"] for resource in deployed("everything exists, token").resources.values()}

    assert {kind for kind in kinds if kind.startswith(("AWS::RDS", "AWS::ElastiCache", "AWS::SecretsManager"))} == set()
    assert kinds & {"AWS::EC2::VPC", "AWS::EC2::Subnet", "AWS::EC2::VPCEndpoint"} == set()


def version_of(document: Mapping[str, Any]) -> str:
    [name] = [name for name in document["Resources"] if name.startswith("AssembleFunctionVersion")]
    return str(name)


def test_a_new_layer_alone_publishes_a_new_version() -> None:
    first, second = translated(), translated(layer="newer.zip")

    assert version_of(first) != version_of(second)
    assert version_of(first) == version_of(translated(layer="layer.zip"))


@every_deployment
def test_another_configuration_publishes_a_new_version(deployment: str) -> None:
    """A version's description cannot change: CloudFormation makes a new one, which has to differ for Lambda."""
    resources = deployed(deployment).resources
    configuration = {"Fn::GetAtt": ["Migration", "Configuration"]}

    for name in ("Assemble", "Query", "Memories"):
        [version] = [logical_id for logical_id in resources if logical_id.startswith(f"{name}FunctionVersion")]
        function = resources[f"{name}Function"]["Properties"]
        assert "${Migration.Configuration}" in resources[version]["Properties"]["Description"]["Fn::Sub"]
        assert function["Environment"]["Variables"]["CONFIGURATION"] == configuration


def test_deployments_differ_in_what_the_configuration_is_a_hash_of() -> None:
    given = [json.dumps(deployed(name).resources["Migration"]["Properties"]["Parameters"]) for name in DEPLOYMENTS]

    assert len(set(given)) == len(DEPLOYMENTS)


def test_cfn_lint_finds_no_error_once_parameters_are_filled_in(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.json" for name in DEPLOYMENTS]
    for name, path in zip(DEPLOYMENTS, paths, strict=True):
        stack = deployed(name)
        path.write_text(json.dumps({"Resources": stack.resources, "Outputs": stack.outputs}))

    # Warnings are about what the settling itself did: constants in places of parameters.
    sam("cfn-lint", "--ignore-checks", "W", "--regions", REGION, "--", *map(str, paths))


def test_cfn_lint_finds_nothing_in_the_template() -> None:
    sam("cfn-lint", "--regions", REGION, "eu-central-1", "--", str(TEMPLATE))


def is_made(resource: Mapping[str, Any]) -> bool:
    """Not what moto does not know, and not an instance of a cluster, which it does not know either."""
    is_of_a_cluster = "DBClusterIdentifier" in resource.get("Properties", {})
    return resource["Type"] in get_model_map() and resource["Type"] not in BEYOND_MOTO and not is_of_a_cluster


class ForMoto:
    """What moto makes; a text stands for a reference to anything else, and for an attribute that moto does not know."""

    def __init__(self, stack: Deployment) -> None:
        # An alias is taken for its function.
        self._aliases = {
            name: part["Properties"]["FunctionName"]["Ref"]
            for name, part in stack.resources.items()
            if part["Type"] == "AWS::Lambda::Alias"
        }
        self._kinds = {name: part["Type"] for name, part in stack.resources.items() if is_made(part)}
        self.template = {"Resources": {name: self._lowered(stack.resources[name]) for name in self._kinds}}

    def _is_known(self, name: str, attribute: str = "") -> bool:
        if name not in self._kinds:
            return name.startswith("AWS::")
        return not attribute or get_model_map()[self._kinds[name]].has_cfn_attr(attribute)

    def _lowered(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._lowered(item) for item in value]
        if not isinstance(value, dict):
            return value
        [first, *_] = value or [""]
        functions: dict[str, Callable[[Any], Any]] = {
            "Ref": self._reference,
            "Fn::GetAtt": self._attribute,
            "Fn::Sub": self._substitution,
            "Fn::Select": self._selection,
        }
        if first in functions:
            return functions[first](value[first])
        return {key: self._lowered(item) for key, item in value.items() if key not in MOTO_STUMBLES}

    def _reference(self, name: str) -> Any:
        if name in self._aliases:
            return {"Fn::GetAtt": [self._aliases[name], "Arn"]}
        return {"Ref": name} if self._is_known(name) else f"arn:aws:beyond:::a:{name}"

    def _attribute(self, path: list[str]) -> Any:
        name, attribute = path
        return {"Fn::GetAtt": path} if self._is_known(name, attribute) else f"arn:aws:beyond:::a:{name}-{attribute}"

    def _substitution(self, argument: Any) -> Any:
        text, local = (argument, {}) if isinstance(argument, str) else argument
        for name in re.findall(r"\$\{([^!}][^}]*)\}", text):
            if name not in local and not self._is_known(*name.partition(".")[::2]):
                text = text.replace(f"${{{name}}}", f"beyond-{name}")
        return {"Fn::Sub": [text, self._lowered(local)] if local else text}

    def _selection(self, argument: list[Any]) -> Any:
        """Of zones and address ranges, which moto cannot count, or of a text's parts."""
        index, items = argument
        if "Fn::GetAZs" in items:
            return f"{REGION}{'abc'[index]}"
        if "Fn::Cidr" in items:
            return f"10.86.{4 * index}.0/22"
        items = self._lowered(items)
        return items[index] if isinstance(items, list) else {"Fn::Select": [str(index), items]}


def client(service: str) -> Any:
    return boto3.client(service, region_name=REGION)  # type: ignore[call-overload]


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """A local AWS with the functions' code; what the deployments say exists, as text there and id here."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as content:
        content.writestr("app.py", "")
    with mock_aws():
        client("s3").create_bucket(Bucket="code")
        for key in ("function.zip", "layer.zip"):
            client("s3").put_object(Bucket="code", Key=key, Body=archive.getvalue())
        ec2 = client("ec2")
        vpc = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
        existing = {
            CERTIFICATE: client("acm").request_certificate(DomainName="memory.example.org")["CertificateArn"],
            NETWORK["VpcId"]: vpc,
        }
        for number, zone in enumerate("abab"):
            subnet = ec2.create_subnet(VpcId=vpc, CidrBlock=f"10.1.{number}.0/24", AvailabilityZone=f"{REGION}{zone}")[
                "Subnet"
            ]
            existing[f"subnet-0123456789abcdef{number}"] = subnet["SubnetId"]
        for number in range(2):
            group = ec2.create_security_group(VpcId=vpc, GroupName=f"store{number}", Description="store")
            existing[f"sg-0123456789abcdef{number}"] = group["GroupId"]
        yield existing


@every_deployment
def test_a_local_aws_makes_every_resource_that_it_can(deployment: str, account: dict[str, str]) -> None:
    stack = deployed(deployment)
    template = ForMoto(stack).template
    text = json.dumps(template)
    for written, existing in account.items():
        text = text.replace(written, existing)

    client("cloudformation").create_stack(StackName="remembrancer", TemplateBody=text)

    [state] = client("cloudformation").describe_stacks(StackName="remembrancer")["Stacks"]
    pages = client("cloudformation").get_paginator("list_stack_resources").paginate(StackName="remembrancer")
    made = {summary["LogicalResourceId"] for page in pages for summary in page["StackResourceSummaries"]}
    beyond = {resource["Type"] for resource in stack.resources.values() if not is_made(resource)}
    functions = client("lambda").list_functions()["Functions"]
    assert state["StackStatus"] == "CREATE_COMPLETE"
    assert made == template["Resources"].keys()
    assert beyond <= BEYOND_MOTO | {"AWS::RDS::DBInstance"}
    assert [function["Runtime"] for function in functions] == ["python3.13"] * 7


def test_what_a_local_aws_does_not_make_is_all_in_use() -> None:
    used = {resource["Type"] for name in DEPLOYMENTS for resource in deployed(name).resources.values()}

    assert used >= BEYOND_MOTO
    assert {kind for kind in BEYOND_MOTO if kind in get_model_map()} == set()
