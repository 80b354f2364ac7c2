"""The stacks as CloudFormation gets them: translated by SAM for several sets of parameters, and made by a local AWS."""

import io
import json
import os
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from local.intrinsics import NO_VALUE, Resolver, load

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
SAM_VENV = Path(os.environ.get("SAM_VENV", ROOT / ".venv-sam"))
REGION = "us-east-1"
CERTIFICATE = "arn:aws:acm:us-east-1:123456789012:certificate/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
SECRET = "arn:aws:secretsmanager:us-east-1:123456789012:secret:{}-AbCdEf"
KEY = "arn:aws:kms:us-east-1:123456789012:key/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
BOUNDARY = {"PermissionsBoundaryArn": "arn:aws:iam::123456789012:policy/boundary"}
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
TEMPLATES = {
    "network": ROOT / "stacks" / "network.yaml",
    "data": ROOT / "stacks" / "data.yaml",
    "service": TEMPLATE,
    "load-balancer": ROOT / "stacks" / "load-balancer.yaml",
}
"""In the order in which they are made."""

Parameters = Mapping[str, str]


def environment(name: str) -> dict[str, Parameters]:
    """The stacks of samconfig.toml."""
    configuration = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    stacks = {"network": f"{name}-network", "data": f"{name}-data", "service": name}
    return {
        stack: dict(
            override.split("=", 1) for override in configuration[section]["deploy"]["parameters"]["parameter_overrides"]
        )
        for stack, section in stacks.items()
    }


# By deployment its stacks, and their parameters.
DEPLOYMENTS: dict[str, dict[str, Parameters]] = {
    "defaults": {"network": {}, "data": {}, "service": {}},
    "dev": environment("dev"),
    "staging": environment("staging"),
    "prod": environment("prod"),
    "load balancer, Aurora, serverless cache": {
        "network": {"ThirdZone": "true", "FlowLogDays": "30", "Bedrock": "true", **BOUNDARY},
        "data": {
            "DatabaseKind": "aurora-serverless",
            "DatabaseMultiAz": "true",
            "DatabaseProxy": "true",
            "CacheKind": "serverless",
            "AlarmEmail": "on-call@example.org",
            **BOUNDARY,
        },
        "service": {
            "FrontDoor": "Alb",
            "QueryConcurrency": "1",
            "QueryReserved": "10",
            "Embedder": "bedrock",
            "EmbedderModel": "amazon.titan-embed-text-v2:0",
            "BedrockModelArns": ",".join(f"arn:aws:bedrock:us-east-1::foundation-model/{name}" for name in "ab"),
            **BOUNDARY,
        },
        "load-balancer": {"CertificateArn": CERTIFICATE},
    },
    "everything exists, token": {
        "network": {**NETWORK, "Endpoints": "false"},
        "data": {**DATABASE, **CACHE, "KeyId": KEY},
        "service": {
            "JwtIssuer": "https://issuer.example.org",
            "JwtAudience": "remembrancer,other",
            "AssembleConcurrency": "0",
        },
    },
    "load balancer in an existing network, proxy, shards": {
        "network": {**NETWORK, "EndpointZones": "one"},
        "data": {"DatabaseProxy": "true", "CacheShards": "2", "CacheReplicas": "1", "Protection": "true"},
        "service": {
            "FrontDoor": "Alb",
            "Stage": "dev",
            "DeploymentType": "Canary10Percent5Minutes",
            "AssembleConcurrency": "1",
        },
        "load-balancer": {
            "CertificateArn": CERTIFICATE,
            "Scheme": "internet-facing",
            "LoadBalancerSubnetIds": "subnet-0123456789abcdef2,subnet-0123456789abcdef3",
            "DomainName": "memory.example.org",
            "LogBucket": "logs.example.org",
            "Protection": "true",
            "WebAclArn": "arn:aws:wafv2:us-east-1:123456789012:regional/webacl/name/0f1e2d3c",
        },
    },
    "restored from a snapshot": {
        "network": {"Zones": "us-east-1b,us-east-1c"},
        "data": {"DatabaseSnapshot": "before-the-loss", "KeyId": KEY},
        "service": {},
    },
    "restored to a moment": {
        "network": {},
        "data": {"DatabaseSource": "db-ABCDEFGHIJKL", "DatabaseRestoreTime": "2026-05-01T12:00:00Z", "KeyId": KEY},
        "service": {},
    },
}
INCOMPLETE: dict[str, tuple[str, Parameters]] = {
    "a network without subnets": ("network", {"VpcId": NETWORK["VpcId"]}),
    "subnets without a network": ("network", {"SubnetIds": NETWORK["SubnetIds"]}),
    "a database without a host": ("data", {**DATABASE, "DatabaseHost": ""}),
    "a database without its owner": ("data", {**DATABASE, "DatabaseOwnerSecretArn": ""}),
    "a database without a secret": ("data", {**DATABASE, "DatabaseSecretArn": ""}),
    "a database without a resource": ("data", {**DATABASE, "DatabaseAuthentication": "iam"}),
    "a cache without a host": ("data", {"CacheKind": "existing"}),
    "a restored database without its key": ("data", {"DatabaseSnapshot": "before-the-loss"}),
    "a source without a moment": ("data", {"DatabaseSource": "db-ABCDEFGHIJKL", "KeyId": KEY}),
    "a public load balancer without public subnets": (
        "load-balancer",
        {"CertificateArn": CERTIFICATE, "Scheme": "internet-facing"},
    ),
    "an issuer without an audience": ("service", {"JwtIssuer": "https://issuer.example.org"}),
    "tokens that a load balancer should check": (
        "service",
        {"FrontDoor": "Alb", "JwtIssuer": "https://issuer.example.org", "JwtAudience": "x"},
    ),
    "a model of Bedrock that may not be called": ("service", {"Embedder": "bedrock", "EmbedderModel": "x"}),
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
    "AWS::WAFv2::WebACLAssociation",
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
every_stack = pytest.mark.parametrize(
    ("deployment", "stack"), [(name, stack) for name, stacks in DEPLOYMENTS.items() for stack in stacks]
)


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


def template_of(stack: str, parameters: Parameters) -> dict[str, Any]:
    """As CloudFormation gets it."""
    if stack == "service":
        return translated(json.dumps(parameters))
    return load(TEMPLATES[stack].read_text(encoding="utf-8"))


class Deployment:
    """A stack's template for one set of parameters: conditions decided, parameters filled in.

    Those that are read from SSM (`stored`: their types and names) stay references.
    """

    def __init__(self, stack: str, parameters: Parameters) -> None:
        document = template_of(stack, parameters)
        specs = document["Parameters"]
        self.parameters = {name: spec.get("Default") for name, spec in specs.items()} | dict(parameters)
        self.stored = {
            name: {"Type": spec["Type"], "Default": self.parameters[name]}
            for name, spec in specs.items()
            if spec["Type"].startswith("AWS::SSM::Parameter::Value<")
        }
        self._values = {name: str(value) for name, value in self.parameters.items() if name not in self.stored}
        self._resolver = Resolver(values=self._values, conditions=document.get("Conditions", {}), mappings={})
        self.rules: dict[str, Any] = document.get("Rules", {})
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
def deployed(name: str, stack: str = "service") -> Deployment:
    return Deployment(stack, DEPLOYMENTS[name][stack])


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


@every_stack
def test_every_reference_leads_to_a_resource_of_the_same_stack(deployment: str, stack: str) -> None:
    made = deployed(deployment, stack)

    unresolved = [
        f"{name} -> {target}"
        for name, part in {**made.resources, **made.outputs}.items()
        for target in [*(target for target, _ in references(part)), *dependencies(part)]
        if target not in made.resources | made.stored and not target.startswith("AWS::")
    ]

    assert made.resources
    assert unresolved == []


@every_stack
def test_no_resource_waits_for_itself(deployment: str, stack: str) -> None:
    resources = deployed(deployment, stack).resources
    waits = {
        name: {*dependencies(resource), *(target for target, _ in references(resource))} & resources.keys()
        for name, resource in resources.items()
    }

    while ready := {name for name, others in waits.items() if not others & waits.keys()}:
        waits = {name: others for name, others in waits.items() if name not in ready}

    assert waits == {}


@every_stack
def test_a_stack_is_within_the_limits_of_cloudformation(deployment: str, stack: str) -> None:
    made = deployed(deployment, stack)
    document = template_of(stack, DEPLOYMENTS[deployment][stack])

    assert len(made.resources) <= 500
    assert len(document["Parameters"]) <= 200
    assert len(document["Outputs"]) <= 200
    assert len(json.dumps(document)) <= 1_000_000
    assert max(len(spec.get("Description", "")) for spec in document["Parameters"].values()) <= 4000
    # A dynamic reference is resolved when the stack is made: at most sixty of them.
    assert len(set(re.findall(r"{{resolve:[^}]*}}", json.dumps(made.resources)))) <= 60


@every_deployment
def test_policies_and_variables_are_within_the_limits_of_their_services(deployment: str) -> None:
    for stack in DEPLOYMENTS[deployment]:
        for name, resource in deployed(deployment, stack).resources.items():
            properties = resource.get("Properties", {})
            match resource["Type"]:
                case "AWS::IAM::ManagedPolicy":
                    assert len(json.dumps(properties["PolicyDocument"])) <= 6144, name
                case "AWS::IAM::Role":
                    assert len(json.dumps(properties.get("Policies", []))) <= 10_240, name
                    assert len(properties.get("ManagedPolicyArns", [])) <= 10, name
                case "AWS::Lambda::Function":
                    # Values of AWS are longer than the references to them: URLs and ARNs.
                    assert len(json.dumps(properties["Environment"])) <= 3000, name
                case "AWS::SSM::Parameter":
                    assert properties["Value"] != "", name


@every_deployment
def test_every_ssm_parameter_that_a_stack_reads_was_written_by_one_before_it(deployment: str) -> None:
    there: set[str] = set()
    for stack in TEMPLATES:
        if stack in DEPLOYMENTS[deployment]:
            made = deployed(deployment, stack)

            missing = {spec["Default"] for spec in made.stored.values()} - there

            assert missing == set()
            there |= {
                resource["Properties"]["Name"]["Fn::Sub"]
                for resource in made.resources.values()
                if resource["Type"] == "AWS::SSM::Parameter"
            }


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
    assert len(waiting) == 8


@every_stack
def test_the_rules_admit_a_complete_deployment(deployment: str, stack: str) -> None:
    assert deployed(deployment, stack).refusals() == []


@pytest.mark.parametrize("lack", list(INCOMPLETE))
def test_the_rules_refuse_a_deployment_that_lacks_something(lack: str) -> None:
    assert len(Deployment(*INCOMPLETE[lack]).refusals()) == 1


@every_deployment
def test_a_deployment_has_only_the_front_door_that_was_asked_for(deployment: str) -> None:
    stack = deployed(deployment)

    doors = {resource["Type"].split("::")[1] for resource in stack.resources.values()}

    assert ("ApiGatewayV2" in doors) == (stack.parameters["FrontDoor"] == "HttpApi")
    assert ("SSM" in doors) == (stack.parameters["FrontDoor"] == "Alb")


def test_a_deployment_with_everything_existing_makes_no_network_no_store_and_no_key() -> None:
    stacks = [deployed("everything exists, token", stack) for stack in ("network", "data", "service")]
    kinds = {resource["Type"] for stack in stacks for resource in stack.resources.values()}

    made = ("AWS::RDS", "AWS::ElastiCache", "AWS::SecretsManager", "AWS::KMS")
    assert {kind for kind in kinds if kind.startswith(made)} == set()
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

    for name in ("Assemble", "Query", "Memories", "Mcp"):
        [version] = [logical_id for logical_id in resources if logical_id.startswith(f"{name}FunctionVersion")]
        function = resources[f"{name}Function"]["Properties"]
        assert "${Migration.Configuration}" in resources[version]["Properties"]["Description"]["Fn::Sub"]
        assert function["Environment"]["Variables"]["CONFIGURATION"] == configuration


def test_a_version_stays_when_another_configuration_or_other_code_takes_its_place() -> None:
    resources = deployed("prod").resources

    versions = [resource for resource in resources.values() if resource["Type"] == "AWS::Lambda::Version"]

    assert len(versions) == 4
    assert {(one["DeletionPolicy"], one["UpdateReplacePolicy"]) for one in versions} == {("Retain", "Retain")}


def test_every_role_is_bounded_those_of_sam_included() -> None:
    for stack in DEPLOYMENTS["load balancer, Aurora, serverless cache"]:
        resources = deployed("load balancer, Aurora, serverless cache", stack).resources
        roles = {name: one["Properties"] for name, one in resources.items() if one["Type"] == "AWS::IAM::Role"}

        assert {
            name for name, role in roles.items() if role.get("PermissionsBoundary") != next(iter(BOUNDARY.values()))
        } == set()


def test_deployments_differ_in_what_the_configuration_is_a_hash_of() -> None:
    differing = ["staging", "prod", "load balancer, Aurora, serverless cache", "everything exists, token"]

    given = [json.dumps(deployed(name).resources["Migration"]["Properties"]["Parameters"]) for name in differing]

    assert len(set(given)) == len(differing)


def test_every_value_of_ssm_that_a_variable_comes_from_is_part_of_the_configuration() -> None:
    """CloudFormation reads them with every update; a restored database publishes new versions by its URL."""
    stack = deployed("prod")
    configured = {
        reference["Ref"] for reference in stack.resources["Migration"]["Properties"]["Parameters"] if "Ref" in reference
    }

    variables = [
        one["Properties"]["Environment"] for one in stack.resources.values() if one["Type"] == "AWS::Lambda::Function"
    ]

    behind = {name for name, _ in references(variables)} & stack.stored.keys()
    assert len(behind) > 8
    assert behind - {"OwnerDatabaseUrl", "OwnerSecretArn"} <= configured


@cache
def made_by_moto() -> dict[str, Any]:
    """Its class for each type of resource."""
    # To import it takes seconds, also where no test of this file runs.
    from moto.cloudformation.parsing import get_model_map

    return dict(get_model_map())


def is_made(resource: Mapping[str, Any]) -> bool:
    """Not what moto does not know, and not an instance of a cluster, which it does not know either."""
    is_of_a_cluster = "DBClusterIdentifier" in resource.get("Properties", {})
    return resource["Type"] in made_by_moto() and resource["Type"] not in BEYOND_MOTO and not is_of_a_cluster


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
        self._stored = stack.stored
        resources = {name: self._lowered(stack.resources[name]) for name in self._kinds}
        for resource in resources.values():
            if resource["Type"] == "AWS::RDS::DBInstance":
                # A restored one has the size of its source, of which moto knows nothing.
                resource["Properties"].setdefault("AllocatedStorage", "20")
        self.template = {"Parameters": stack.stored, "Resources": resources}

    def _is_known(self, name: str, attribute: str = "") -> bool:
        if name not in self._kinds:
            return name.startswith("AWS::") or name in self._stored
        return not attribute or made_by_moto()[self._kinds[name]].has_cfn_attr(attribute)

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
    """One stack after the other: each reads from the local SSM what those before it wrote."""
    cloudformation = client("cloudformation")
    for stack in [name for name in TEMPLATES if name in DEPLOYMENTS[deployment]]:
        template = ForMoto(deployed(deployment, stack)).template
        text = json.dumps(template)
        for written, existing in account.items():
            text = text.replace(written, existing)

        cloudformation.create_stack(StackName=f"remembrancer-{stack}", TemplateBody=text)

        [state] = cloudformation.describe_stacks(StackName=f"remembrancer-{stack}")["Stacks"]
        pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=f"remembrancer-{stack}")
        made = {summary["LogicalResourceId"] for page in pages for summary in page["StackResourceSummaries"]}
        assert state["StackStatus"] == "CREATE_COMPLETE"
        assert made == template["Resources"].keys()
        beyond = {one["Type"] for one in deployed(deployment, stack).resources.values() if not is_made(one)}
        assert beyond <= BEYOND_MOTO | {"AWS::RDS::DBInstance"}
    functions = client("lambda").list_functions()["Functions"]
    stored = client("ssm").get_paginator("get_parameters_by_path").paginate(Path="/remembrancer", Recursive=True)
    values = {one["Name"].split("/", 3)[3]: one["Value"] for page in stored for one in page["Parameters"]}
    assert [function["Runtime"] for function in functions] == ["python3.13"] * 9
    for function in functions:
        variables = function["Environment"]["Variables"]
        assert variables["REDIS_URL"] == values["cache/url"]
        assert variables["DATABASE_URL"] in (values["database/url"], values["database/owner-url"])
        assert sorted(function["VpcConfig"]["SubnetIds"]) == sorted(values["network/subnets"].split(","))


def test_what_a_local_aws_does_not_make_is_all_in_use() -> None:
    used = {
        resource["Type"]
        for name, stacks in DEPLOYMENTS.items()
        for stack in stacks
        for resource in deployed(name, stack).resources.values()
    }

    assert used >= BEYOND_MOTO
    assert {kind for kind in BEYOND_MOTO if kind in made_by_moto()} == set()
