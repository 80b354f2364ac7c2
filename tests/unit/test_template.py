"""What the templates promise: limits, rights, encryption, retention, and one set of routes for both front doors."""

import fnmatch
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from local.intrinsics import Resolver, load
from local.stack import PARAMETERS
from local.template import read, read_queues
from remembrancer.settings import DEFAULTS, Bounds
from tests.served_routes import PROTOCOL_ROUTES, ROUTES, function_of, table

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
PATHS = {"service": TEMPLATE} | {path.stem: path for path in sorted((ROOT / "stacks").glob("*.yaml"))}
STACKS: dict[str, dict[str, Any]] = {name: load(path.read_text(encoding="utf-8")) for name, path in PATHS.items()}
DOCUMENT = STACKS["service"]
DATA, NETWORK, BALANCER = STACKS["data"], STACKS["network"], STACKS["load-balancer"]
RESOURCES: dict[str, dict[str, Any]] = DOCUMENT["Resources"]
FUNCTIONS = [name for name, resource in RESOURCES.items() if resource["Type"] == "AWS::Serverless::Function"]
QUEUES = [name for name, resource in RESOURCES.items() if resource["Type"] == "AWS::SQS::Queue"]
DEAD_LETTER_QUEUES = [name for name in QUEUES if name.endswith("DeadLetterQueue")]
DOORS = ("Assemble", "Query", "Memories", "Mcp")

# Actions for which AWS knows no resource, or none that can be named before Lambda has made it.
UNNAMED = {
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:UnassignPrivateIpAddresses",
    "xray:PutTelemetryRecords",
    "xray:PutTraceSegments",
}
LOG = {"logs:CreateLogStream", "logs:PutLogEvents"}
DATABASE_AND_CACHE = {"rds-db:connect", "secretsmanager:GetSecretValue", "kms:Decrypt"}
MODELS = {"bedrock:InvokeModel"}
CONSUME = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"}
SWEEP = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes"}
# Everything that each function may do; a right that is added without need is seen here.
RIGHTS = {
    "AssembleFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | {"sqs:SendMessage"},
    "QueryFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | {"sqs:SendMessage"},
    "MemoriesFunction": LOG | UNNAMED | DATABASE_AND_CACHE | SWEEP | {"sqs:SendMessage"},
    "McpFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | {"sqs:SendMessage"},
    "EmbedFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | CONSUME,
    "CaptureFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | CONSUME | {"sqs:SendMessage"},
    "SideEffectsFunction": LOG | UNNAMED | DATABASE_AND_CACHE | CONSUME,
    "MaintainFunction": LOG | UNNAMED | DATABASE_AND_CACHE | SWEEP | {"sqs:SendMessage"},
    "MigrateFunction": LOG
    | UNNAMED
    | {"secretsmanager:GetSecretValue", "kms:GenerateDataKey", "kms:Encrypt", "kms:Decrypt", "sqs:SendMessage"},
}

# Policies of the data stack by the name of the parameter that hands them over.
HANDED_OVER = {"ClientPolicy": "ClientPolicy", "OwnerPolicy": "OwnerPolicy"}

every_stack = pytest.mark.parametrize("stack", list(STACKS))
every_function = pytest.mark.parametrize("name", FUNCTIONS)


def properties(name: str, document: dict[str, Any] = DOCUMENT) -> dict[str, Any]:
    found: dict[str, Any] = document["Resources"][name].get("Properties", {})
    return found


def of_type(kind: str, document: dict[str, Any] = DOCUMENT) -> dict[str, dict[str, Any]]:
    resources = document["Resources"].items()
    return {name: properties(name, document) for name, resource in resources if resource["Type"] == kind}


def setting(name: str, key: str) -> Any:
    return properties(name).get(key, DOCUMENT["Globals"]["Function"].get(key))


def names(value: Any) -> set[str]:
    """The logical ids that a part of the template refers to."""
    found = re.findall(r'\{"(?:Ref": |Fn::GetAtt": \[)"(\w+)"', json.dumps(value))
    return set(map(str, found))


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from texts(item, f"{path}/{key}")
    elif isinstance(value, list):
        for item in value:
            yield from texts(item, path)
    else:
        yield path, str(value)


def branches(statement: dict[str, Any]) -> list[dict[str, Any]]:
    """A statement, or those that a condition chooses from."""
    chosen = statement["Fn::If"][1:] if "Fn::If" in statement else [statement]
    return [each for each in chosen if "Action" in each]


def statements_of(policy: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for statement in policy["PolicyDocument"]["Statement"] for each in branches(statement)]


def statements(role: str) -> list[dict[str, Any]]:
    own = [each for policy in properties(role)["Policies"] for each in statements_of(policy)]
    shared = names(properties(role).get("ManagedPolicyArns", []))
    policies = [properties(name) for name in sorted(shared & of_type("AWS::IAM::ManagedPolicy").keys())]
    policies += [properties(HANDED_OVER[name], DATA) for name in sorted(shared & HANDED_OVER.keys())]
    return own + [each for policy in policies for each in statements_of(policy)]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def allowed(role: str) -> list[dict[str, Any]]:
    return [statement for statement in statements(role) if statement["Effect"] == "Allow"]


def role_of(function: str) -> str:
    role, _ = properties(function)["Role"]["Fn::GetAtt"]
    return str(role)


def test_every_folder_is_one_function_and_every_function_a_folder() -> None:
    folders = sorted(f"functions/{path.parent.name}" for path in (ROOT / "functions").glob("*/app.py"))

    assert sorted(properties(name)["CodeUri"] for name in FUNCTIONS) == folders


@every_function
def test_a_function_has_its_limits_and_runs_where_numpy_does(name: str) -> None:
    assert 1 <= setting(name, "Timeout") <= 900
    assert setting(name, "MemorySize") >= 1769
    assert setting(name, "Runtime") == "python3.13"
    assert setting(name, "Tracing") == "Active"
    assert setting(name, "LoggingConfig")


@every_function
def test_a_failed_call_is_tried_again_or_kept(name: str) -> None:
    retries = DOCUMENT["Globals"]["Function"]["EventInvokeConfig"] | properties(name).get("EventInvokeConfig", {})
    events = properties(name).get("Events", {}).values()

    assert retries["MaximumRetryAttempts"] == 0
    for event in events:
        if event["Type"] == "SQS":
            queue, _ = event["Properties"]["Queue"]["Fn::GetAtt"]
            # The work of a quarter of an hour's outage comes again by itself.
            assert properties(queue)["RedrivePolicy"]["maxReceiveCount"] * properties(queue)["VisibilityTimeout"] == 900
            assert event["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
            assert "MaximumConcurrency" in event["Properties"]["ScalingConfig"]
        else:
            assert event["Properties"]["RetryPolicy"]["MaximumRetryAttempts"] == 0
    # A scheduled run that failed is made up for by the next.
    assert names(retries.get("DestinationConfig")) == ({"TasksDeadLetterQueue"} if name == "MigrateFunction" else set())


@every_function
def test_a_function_writes_to_a_log_of_its_own_that_is_kept_for_a_time(name: str) -> None:
    group = properties(name)["LoggingConfig"]["LogGroup"]["Ref"]

    assert properties(group)["RetentionInDays"] == {"Ref": "LogRetentionDays"}
    [writes] = [each for each in statements(role_of(name)) if set(listed(each["Action"])) == LOG]
    assert writes["Resource"] == {"Fn::GetAtt": [group, "Arn"]}
    assert (
        sum(other != name and properties(other)["LoggingConfig"]["LogGroup"]["Ref"] == group for other in FUNCTIONS)
        == 0
    )


def test_every_log_is_kept_for_a_time() -> None:
    groups = of_type("AWS::Logs::LogGroup")

    assert len(groups) == len(FUNCTIONS) + 1
    assert all("RetentionInDays" in group for group in groups.values())
    assert all(group["KmsKeyId"] == {"Ref": "KeyArn"} for group in groups.values())
    assert "RetentionInDays" in properties("FlowLogGroup", NETWORK)


@every_function
def test_a_function_has_a_role_of_its_own_with_these_rights_only(name: str) -> None:
    actions = {action for statement in allowed(role_of(name)) for action in listed(statement["Action"])}

    assert actions == RIGHTS[name]
    assert [role_of(other) for other in FUNCTIONS].count(role_of(name)) == 1


def test_no_right_has_a_wildcard_where_a_name_is_possible() -> None:
    wide = []
    assert [role for role in of_type("AWS::IAM::Role") if not properties(role)["Policies"]] == []
    for role in of_type("AWS::IAM::Role"):
        for statement in allowed(role):
            actions = set(listed(statement["Action"]))
            wide += [action for action in actions if "*" in action]
            if statement["Resource"] == "*" and not actions <= UNNAMED:
                wide.append(f"{role} {sorted(actions)}")

    assert wide == []
    assert [name for name, path in PATHS.items() if ":iam::aws:policy" in path.read_text(encoding="utf-8")] == []


@every_stack
def test_every_role_is_bounded_where_an_account_demands_it(stack: str) -> None:
    boundary = {"Fn::If": ["HasBoundary", {"Ref": "PermissionsBoundaryArn"}, {"Ref": "AWS::NoValue"}]}

    roles = of_type("AWS::IAM::Role", STACKS[stack])

    assert {name: role.get("PermissionsBoundary") for name, role in roles.items()} == dict.fromkeys(roles, boundary)


@every_function
def test_data_keys_are_made_and_opened_with_the_one_key_and_for_a_named_organization_only(name: str) -> None:
    own = [each for each in allowed(role_of(name)) if any("kms" in action for action in listed(each["Action"]))]
    through_a_service = [each for each in own if "kms:ViaService" in each["Condition"]["StringEquals"]]
    direct = [each for each in own if each not in through_a_service]

    for each in direct:
        assert names(each["Resource"]) == {"KeyArn"}
        assert each["Condition"]["StringEquals"] == {"kms:EncryptionContext:service": "remembrancer"}
        assert each["Condition"]["Null"] == {"kms:EncryptionContext:org_id": "false"}
    assert len(direct) == (name != "SideEffectsFunction")


def test_no_other_function_carries_the_mcp_sdk() -> None:
    """Importing it takes as long as all else of a start."""
    assert [name for name in FUNCTIONS if {"Ref": "McpLayer"} in properties(name)["Layers"]] == ["McpFunction"]


def test_the_code_of_a_function_may_not_touch_network_interfaces() -> None:
    [denied] = [each for each in statements("AssembleRole") if each["Effect"] == "Deny"]

    assert set(denied["Action"]) == {action for action in UNNAMED if action.startswith("ec2:")}
    assert "lambda:SourceFunctionArn" in denied["Condition"]["ArnLike"]


@pytest.mark.parametrize(
    ("function", "sends_to"),
    [
        ("AssembleFunction", {"SideEffectsQueue", "CaptureQueue"}),
        ("QueryFunction", {"SideEffectsQueue"}),
        ("MemoriesFunction", {"EmbedQueue", "CaptureQueue"}),
        ("McpFunction", {"SideEffectsQueue", "EmbedQueue", "CaptureQueue"}),
        ("MaintainFunction", {"EmbedQueue", "CaptureQueue"}),
        ("CaptureFunction", {"EmbedQueue"}),
    ],
)
def test_a_function_sends_only_to_the_queues_that_it_feeds(function: str, sends_to: set[str]) -> None:
    sends = [each["Resource"] for each in allowed(role_of(function)) if each["Action"] == "sqs:SendMessage"]

    assert names(sends) - {"TasksDeadLetterQueue"} == sends_to


def test_only_the_migration_knows_the_owners_password() -> None:
    owner = {"OwnerPolicy", "OwnerSecretArn", "OwnerDatabaseUrl"}
    using = {name for name, resource in RESOURCES.items() if names(resource) & owner}

    assert using == {"MigrateFunction", "MigrateRole"}
    assert not names(DOCUMENT["Globals"]) & owner


def test_functions_reach_only_the_stores_that_they_use() -> None:
    groups = {name: names(properties(name)["VpcConfig"]["SecurityGroupIds"]) for name in FUNCTIONS}

    # The migration's too: after a restore it empties the cache.
    assert set(map(frozenset, groups.values())) == {frozenset({"DatabaseGroup", "CacheGroup", "ServiceGroup"})}


@pytest.mark.parametrize(("group", "clients"), [("DatabaseGroup", "DatabaseClients"), ("CacheGroup", "CacheClients")])
def test_stores_accept_connections_from_functions_only(group: str, clients: str) -> None:
    rules = of_type("AWS::EC2::SecurityGroupIngress", DATA).values()

    sources = [rule["SourceSecurityGroupId"] for rule in rules if rule["GroupId"] == {"Ref": group}]

    assert sources == [{"Ref": clients}]
    assert "SecurityGroupIngress" not in properties(group, DATA)
    assert properties(group, DATA)["SecurityGroupEgress"][0]["CidrIp"] == "127.0.0.1/32"


def test_only_the_load_balancer_can_be_reached_by_address() -> None:
    open_groups = {
        name
        for document in STACKS.values()
        for name, group in of_type("AWS::EC2::SecurityGroup", document).items()
        if any("CidrIp" in rule for rule in group.get("SecurityGroupIngress", []))
    }

    assert open_groups == {"LoadBalancerGroup"}


def test_an_endpoint_serves_this_account_only_and_what_the_functions_do() -> None:
    for name, endpoint in of_type("AWS::EC2::VPCEndpoint", NETWORK).items():
        [statement] = endpoint["PolicyDocument"]["Statement"]
        assert "*" not in json.dumps(statement["Action"]), name
        if endpoint["VpcEndpointType"] == "Interface":
            assert statement["Condition"] == {"StringEquals": {"aws:PrincipalAccount": {"Ref": "AWS::AccountId"}}}


@pytest.mark.parametrize(
    ("endpoint", "service"),
    [("SqsEndpoint", "sqs"), ("SecretsManagerEndpoint", "secretsmanager"), ("KmsEndpoint", "kms"),
     ("BedrockEndpoint", "bedrock")],
)  # fmt: skip
def test_an_endpoint_lets_through_all_that_the_functions_do(endpoint: str, service: str) -> None:
    """A call that its policy lacks is refused in the VPC only, where no test runs."""
    done = {action for rights in RIGHTS.values() for action in rights}
    [statement] = properties(endpoint, NETWORK)["PolicyDocument"]["Statement"]

    assert set(statement["Action"]) == {action for action in done if action.startswith(f"{service}:")}


def test_databases_are_private_encrypted_backed_up_and_kept() -> None:
    for name in ("Database", "DatabaseCluster"):
        database = properties(name, DATA)
        # A restored one is as its source was, which is as this one.
        assert database["StorageEncrypted"]["Fn::If"] == ["IsRestored", {"Ref": "AWS::NoValue"}, True]
        assert names(database["KmsKeyId"]) == {"Key", "KeyId"}
        assert database["ManageMasterUserPassword"] is True
        assert database["EnableIAMDatabaseAuthentication"] is True
        assert database["DeletionProtection"]["Fn::If"] == ["IsProtected", True, False]
        assert database["BackupRetentionPeriod"] == {"Ref": "DatabaseBackupDays"}
        assert "postgresql" in database["EnableCloudwatchLogsExports"]
        assert DATA["Resources"][name]["DeletionPolicy"] == DATA["Resources"][name]["UpdateReplacePolicy"] == "Snapshot"
    for instance in of_type("AWS::RDS::DBInstance", DATA).values():
        assert instance["PubliclyAccessible"] is False
    for name in ("DatabaseParameters", "ClusterParameters"):
        assert properties(name, DATA)["Parameters"]["rds.force_ssl"] == "1"
    assert properties("Proxy", DATA)["RequireTLS"] is True


def test_a_major_version_is_upgraded_only_when_that_is_asked_for() -> None:
    instances = of_type("AWS::RDS::DBInstance", DATA)

    allowed_by = {name: one["AllowMajorVersionUpgrade"] for name, one in instances.items()}

    assert allowed_by == {key: {"Ref": "DatabaseMajorUpgrade"} for key in instances}
    assert DATA["Parameters"]["DatabaseMajorUpgrade"]["Default"] == "false"


def test_storage_grows_by_itself() -> None:
    assert properties("Database", DATA)["MaxAllocatedStorage"] == {"Ref": "DatabaseMaximumStorageGb"}


def test_nothing_is_given_to_a_restored_database_that_comes_with_its_data() -> None:
    """CloudFormation refuses these beside a snapshot or a source."""
    for name, keys in {
        "Database": ("DBName", "MasterUsername", "KmsKeyId", "StorageEncrypted"),
        "DatabaseCluster": ("DatabaseName", "MasterUsername", "KmsKeyId", "StorageEncrypted"),
    }.items():
        for key in keys:
            condition, restored, _ = properties(name, DATA)[key]["Fn::If"]
            assert (condition, restored) == ("IsRestored", {"Ref": "AWS::NoValue"})


def test_nothing_is_prepared_behind_the_proxy() -> None:
    """A prepared statement pins a session of RDS Proxy."""
    value = properties("DatabasePrepareThresholdParameter", DATA)["Value"]

    assert value == {"Fn::If": ["UseProxy", "0", "5"]}
    variables = DOCUMENT["Globals"]["Function"]["Environment"]["Variables"]
    assert variables["DATABASE_PREPARE_THRESHOLD"] == {"Ref": "DatabasePrepareThreshold"}


def test_caches_are_encrypted_on_the_way_and_at_rest_and_ask_for_a_password() -> None:
    cache = properties("Cache", DATA)

    assert cache["TransitEncryptionEnabled"] is cache["AtRestEncryptionEnabled"] is True
    assert names(cache["KmsKeyId"]) == names(properties("ServerlessCache", DATA)["KmsKeyId"]) == {"Key", "KeyId"}
    password = {"Fn::Sub": "{{resolve:secretsmanager:${CacheSecret}:SecretString:password}}"}
    assert cache["AuthToken"] == password
    assert properties("CacheUser", DATA)["AuthenticationMode"] == {"Type": "password", "Passwords": [password]}


def test_the_cache_is_in_cluster_mode_with_one_shard_too() -> None:
    """From one shard to two without it, the replication group would be replaced."""
    cache = properties("Cache", DATA)

    assert cache["CacheParameterGroupName"] == "default.valkey8.cluster.on"
    assert cache["AutomaticFailoverEnabled"] is True
    assert {"Condition": "CreateCache"} in DATA["Conditions"]["CacheSpeaksCluster"]["Fn::Or"]
    assert "ConfigurationEndPoint" in json.dumps(properties("CacheUrlParameter", DATA))


def test_the_key_turns_over_and_outlives_the_stack() -> None:
    key = DATA["Resources"]["Key"]

    assert key["Properties"]["EnableKeyRotation"] is True
    # A creation that fails leaves none behind.
    assert key["DeletionPolicy"] == "RetainExceptOnCreate"
    assert key["UpdateReplacePolicy"] == "Retain"
    assert properties("KeyAlias", DATA)["TargetKeyId"] == {"Ref": "Key"}


def test_the_stack_policy_protects_what_holds_data() -> None:
    policy = json.loads((ROOT / "stacks" / "data-policy.json").read_text(encoding="utf-8"))
    [refused] = [statement for statement in policy["Statement"] if statement["Effect"] == "Deny"]

    protected = {resource.removeprefix("LogicalResourceId/") for resource in refused["Resource"]}

    assert {"Key", "Database", "DatabaseCluster"} <= protected <= DATA["Resources"].keys()
    assert refused["Action"] == ["Update:Replace", "Update:Delete"]


@pytest.mark.parametrize("name", QUEUES)
def test_a_queue_is_encrypted_and_gives_up_into_a_dead_letter_queue(name: str) -> None:
    assert properties(name)["SqsManagedSseEnabled"] is True
    if name in DEAD_LETTER_QUEUES:
        assert properties(name)["MessageRetentionPeriod"] == 14 * 86400
    else:
        assert names(properties(name)["RedrivePolicy"]) == {name.replace("Queue", "DeadLetterQueue")}


def test_a_message_is_hidden_for_twice_as_long_as_its_function_may_run_at_least() -> None:
    application = read(TEMPLATE, values={**PARAMETERS, **dict.fromkeys(QUEUES, "url")})
    hidden = {queue.name: queue.visibility_timeout_s for queue in application.queues}

    pairs = [(hidden[trigger.queue], f.timeout_s) for f in application.functions for trigger in f.queue_triggers]

    assert len(pairs) == 3
    assert all(seconds >= 2 * timeout for seconds, timeout in pairs)
    assert {queue.name for queue in read_queues(TEMPLATE, values=PARAMETERS)} == set(QUEUES)


def looks_random(text: str) -> bool:
    """As keys and passwords do: a long run with several capitals, small letters and digits."""
    runs = re.findall(r"[A-Za-z0-9+_]{20,}", text)
    return any(all(len(re.findall(kind, run)) > 3 for kind in ("[a-z]", "[A-Z]", "[0-9]")) for run in runs)


def test_no_secret_stands_in_the_template() -> None:
    takes_a_secret = {"AuthToken", "MasterUserPassword", "Password", "Passwords", "SecretString"}
    environments = json.dumps([DOCUMENT["Globals"], *(properties(name).get("Environment") for name in FUNCTIONS)])
    everything = [text for document in STACKS.values() for text in texts(document)]

    written = [text for path, text in everything if takes_a_secret & set(path.split("/"))]

    assert len(written) == 2
    assert all(text.startswith("{{resolve:secretsmanager:${CacheSecret}") for text in written)
    assert [text for _, text in everything if looks_random(text)] == []
    assert looks_random("vJ8cQ2mZp7RtX4kLw9Yb1NdF")
    assert "{{resolve" not in environments
    assert re.findall(r"//[^@/\"]*:[^@/\"]*@", environments) == []


def rule_of(path: str) -> str:
    """The function that the load balancer's first matching rule sends a path to, else its default."""
    rules = of_type("AWS::ElasticLoadBalancingV2::ListenerRule", BALANCER).values()
    for rule in sorted(rules, key=lambda rule: int(rule["Priority"])):
        [condition] = rule["Conditions"]
        if any(fnmatch.fnmatchcase(path, pattern) for pattern in condition["PathPatternConfig"]["Values"]):
            target = str(rule["Actions"][0]["TargetGroupArn"]["Ref"]).removesuffix("Targets")
            return f"{target}Function"
    [default] = properties("Listener", BALANCER)["DefaultActions"]
    return f"{default['TargetGroupArn']['Ref'].removesuffix('Targets')}Function"


def test_both_front_doors_send_every_route_of_the_handlers_to_the_same_function() -> None:
    by_api = {route: function_of(route) for route in (*ROUTES, *PROTOCOL_ROUTES)}

    by_balancer = {route: rule_of(re.sub(r"\{\w+\}", "7f9c", route.partition(" ")[2])) for route in by_api}

    assert len(by_api) > 25
    assert by_balancer == by_api
    for path in (
        "/v1/context/assemble/",
        "/memory/query/",
        "/v1/memories/query/",
        "/mcp/",
        "/v1/memories/",
        "/v2",
        "/",
    ):
        assert function_of(f"POST {path}") == rule_of(path) == by_api.get(f"POST {path[:-1]}", "MemoriesFunction"), path
    assert set(by_api.values()) == {f"{name}Function" for name in DOORS}


def test_a_few_routes_of_the_template_serve_all_of_them() -> None:
    keys = [route["RouteKey"] for route in of_type("AWS::ApiGatewayV2::Route").values()]

    assert len(keys) == len(set(keys)) == 15
    # A route that an HTTP API does not have is refused by the function, in the shape of its errors.
    assert table().match("POST", "/v1/nothing/of/the/kind") is not None
    assert table().match("POST", "/v2/memories") is not None
    # An HTTP API takes no route that ends in a slash.
    assert [key for key in keys if key.endswith("/")] == []


def test_every_route_with_anything_to_protect_waits_for_the_authorizer_where_there_is_one() -> None:
    routes = of_type("AWS::ApiGatewayV2::Route").values()
    guarded = {"Fn::If": ["UseJwt", "JWT", "NONE"]}

    open_routes = {route["RouteKey"] for route in routes if route.get("AuthorizationType") != guarded}

    assert open_routes == {"GET /v1/health", "GET /v1/ready", "$default"}
    for route in routes:
        if route["RouteKey"] not in open_routes:
            assert route["AuthorizerId"] == {"Fn::If": ["UseJwt", {"Ref": "JwtAuthorizer"}, {"Ref": "AWS::NoValue"}]}


def test_claims_of_events_are_believed_only_where_the_authorizer_is_made() -> None:
    variables = DOCUMENT["Globals"]["Function"]["Environment"]["Variables"]

    assert variables["JWT_FROM_GATEWAY"] == {"Fn::If": ["UseJwt", "true", "false"]}
    assert RESOURCES["JwtAuthorizer"]["Condition"] == "UseJwt"
    assert {"Condition": "UseHttpApi"} in DOCUMENT["Conditions"]["UseJwt"]["Fn::And"]


def test_no_rule_of_the_load_balancer_is_without_a_route() -> None:
    paths = {re.sub(r"\{\w+\}", "7f9c", route.partition(" ")[2]) for route in (*ROUTES, *PROTOCOL_ROUTES)}
    rules = of_type("AWS::ElasticLoadBalancingV2::ListenerRule", BALANCER).values()
    patterns = [rule["Conditions"][0]["PathPatternConfig"]["Values"] for rule in rules]

    slashed = paths | {f"{path}/" for path in paths}
    assert [pattern for values in patterns for pattern in values if not fnmatch.filter(slashed, pattern)] == []
    # AWS takes five in a rule.
    assert all(len(values) <= 5 for values in patterns)


@pytest.mark.parametrize("name", DOORS)
def test_both_front_doors_call_the_alias_and_each_may(name: str) -> None:
    alias = {"Ref": f"{name}Function.Alias"}

    assert properties(f"{name}Function")["AutoPublishAlias"] == "live"
    assert properties(f"{name}Integration")["IntegrationUri"]["Fn::Sub"][1]["Alias"] == alias
    assert properties(f"{name}Alias")["Value"] == alias
    assert properties(f"{name}Targets", BALANCER)["Targets"] == [{"Id": {"Ref": f"{name}Alias"}}]
    assert properties(f"{name}HttpApiPermission")["FunctionName"] == alias
    assert properties(f"{name}AlbPermission", BALANCER)["FunctionName"] == {"Ref": f"{name}Alias"}
    assert "SourceArn" in properties(f"{name}HttpApiPermission")
    assert "SourceArn" in properties(f"{name}AlbPermission", BALANCER)


@pytest.mark.parametrize("name", DOORS)
def test_a_deployment_is_watched_and_taken_back_by_alarms(name: str) -> None:
    preference = properties(f"{name}Function")["DeploymentPreference"]

    condition, alarms, ignored = preference["Alarms"]["Fn::If"]
    assert preference["Type"] == {"Ref": "DeploymentType"}
    assert (condition, ignored) == ("UseDeploymentAlarms", [])
    assert {"Ref": f"{name}ErrorsAlarm"} in alarms
    assert ({"Ref": "AssemblyLatencyAlarm"} in alarms) == (name == "Assemble")
    version = {"Fn::GetAtt": [f"{name}Function.Version", "Version"]}
    assert properties(f"{name}VersionAlarm")["AlarmName"]["Fn::Sub"][1] == {"Version": version}


@pytest.mark.parametrize("name", DOORS)
def test_the_version_before_stays_when_a_parameter_replaces_it(name: str) -> None:
    """SAM hands the policy of a function down to its version."""
    assert RESOURCES[f"{name}Function"]["UpdateReplacePolicy"] == "Retain"
    # A deletion policy would be handed down too, and delete the version before with the next code.
    assert "DeletionPolicy" not in RESOURCES[f"{name}Function"]


@pytest.mark.parametrize("name", DOORS)
def test_a_request_has_time_for_the_work_after_its_response(name: str) -> None:
    """8 s of it were seen with a slow queue service, and a time-out ends the warm instance."""
    assert setting(name + "Function", "Timeout") == 15


def parameters_behind(value: Any) -> set[str]:
    """Every parameter that a value comes from, through conditions too."""
    found = set()
    if isinstance(value, list):
        found = {name for item in value for name in parameters_behind(item)}
    elif isinstance(value, dict):
        for key, argument in value.items():
            match key, argument:
                case "Ref", _:
                    found |= {argument} & DOCUMENT["Parameters"].keys()
                case ("Condition", str(name)) | ("Fn::If", [str(name), *_]):
                    found |= parameters_behind(DOCUMENT["Conditions"][name])
                case "Fn::Sub", str(text) | [str(text), _]:
                    found |= set(re.findall(r"\$\{(\w+)\}", text)) & DOCUMENT["Parameters"].keys()
            found |= parameters_behind(argument)
    return found


def test_every_parameter_behind_a_variable_or_the_network_publishes_a_new_version() -> None:
    everywhere = DOCUMENT["Globals"]["Function"]
    own = [properties(f"{name}Function").get(part, {}) for name in DOORS for part in ("Environment", "VpcConfig")]

    listed = parameters_behind(properties("Migration")["Parameters"])
    behind = parameters_behind([everywhere["Environment"], everywhere["VpcConfig"], *own])

    assert len(behind) > 25
    assert behind | {"Release"} <= listed
    for name in DOORS:
        assert properties(f"{name}Function")["VersionDescription"] == {
            "Fn::Sub": "${Release} ${Migration.Configuration}"
        }


def test_everything_that_fails_quietly_has_an_alarm() -> None:
    stores = of_type("AWS::CloudWatch::Alarm", DATA) | of_type("AWS::CloudWatch::Alarm", BALANCER)
    alarms = of_type("AWS::CloudWatch::Alarm") | stores
    watched = {(alarm["MetricName"], *names(alarm["Dimensions"])) for alarm in alarms.values() if "MetricName" in alarm}

    assert {("ApproximateNumberOfMessagesVisible", queue) for queue in DEAD_LETTER_QUEUES} <= watched
    assert {("ApproximateAgeOfOldestMessage", queue) for queue in set(QUEUES) - set(DEAD_LETTER_QUEUES)} <= watched
    assert {"AssemblyLatency", "InternalError", "AfterResponseFailed", "MessagesFailed", "UsageCountedHere"} <= {
        name for name, *_ in watched
    }
    for alarm in alarms.values():
        assert alarm["AlarmActions"] == [{"Ref": "AlarmTopic"}]
        assert alarm["TreatMissingData"] == "notBreaching"
        assert alarm["AlarmDescription"]
        assert alarm["DatapointsToAlarm"] <= alarm["EvaluationPeriods"]


def test_the_stages_of_one_account_are_told_apart_in_metrics() -> None:
    service = {"Fn::Sub": "remembrancer-${Stage}"}
    text = properties("Dashboard")["DashboardBody"]["Fn::Sub"]
    alarms = str(of_type("AWS::CloudWatch::Alarm"))

    asked = re.findall(r"\{'Name': 'service', 'Value': (\{.*?\})\}", alarms)

    assert DOCUMENT["Globals"]["Function"]["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"] == service
    assert len(asked) >= 6
    assert set(asked) == {str(service)}
    assert len(re.findall(r"\bremembrancer\b", text)) == text.count("remembrancer-${Stage}") > 0


def test_the_dashboard_is_json_that_shows_every_metric_of_ours() -> None:
    text = properties("Dashboard")["DashboardBody"]["Fn::Sub"]

    widgets = json.loads(re.sub(r"\$\{[\w.:]+\}", "1", text))["widgets"]

    shown = json.dumps(widgets)
    ours = (
        "AssemblyLatency",
        "StageLatency",
        "Fallback",
        "Tier",
        "QueryLatency",
        "InternalError",
        "AddressLimited",
        "RateLimited",
        "RateLimitUnavailable",
        "AfterResponseFailed",
        "UsageCountedHere",
        "UsageLost",
    )
    assert [metric for metric in (*ours, "MessagesFailed") if metric not in shown] == []
    places = [(widget["x"], widget["y"]) for widget in widgets]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("stack", ["service", "data"])
def test_a_dashboard_is_named_by_its_region(stack: str) -> None:
    """Dashboards belong to the account: those of two regions would be one."""
    assert properties("Dashboard", STACKS[stack])["DashboardName"] == {"Fn::Sub": "${AWS::StackName}-${AWS::Region}"}


def test_the_load_balancer_speaks_tls_of_today_and_takes_a_firewall_where_there_is_one() -> None:
    listener = properties("Listener", BALANCER)
    firewall = BALANCER["Resources"]["Firewall"]

    assert listener["SslPolicy"] == "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09"
    assert firewall["Condition"] == "HasWebAcl"
    assert of_type("AWS::WAFv2::WebACLAssociation") == {}


def test_metrics_of_each_route_are_not_paid_for() -> None:
    assert not properties("HttpApiStage")["DefaultRouteSettings"].get("DetailedMetricsEnabled", False)


@every_stack
def test_every_parameter_is_described_grouped_and_used(stack: str) -> None:
    parameters = STACKS[stack]["Parameters"]
    groups = STACKS[stack]["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    grouped = [name for group in groups for name in group["Parameters"]]
    text = PATHS[stack].read_text(encoding="utf-8")

    assert sorted(grouped) == sorted(parameters)
    for name, parameter in parameters.items():
        assert parameter["Description"].endswith(".") or "(" in parameter["Description"], name
        assert "Default" in parameter or name == "CertificateArn", name
        assert re.search(rf"!Ref {name}\b|\$\{{{name}\}}", text), name


# What CloudFormation takes there; it refuses the rest when the change set is made, and no linter here says so.
ALLOWED_FUNCTIONS = {
    "Rules": {
        "Ref",
        "Fn::And",
        "Fn::Contains",
        "Fn::EachMemberEquals",
        "Fn::EachMemberIn",
        "Fn::Equals",
        "Fn::Not",
        "Fn::Or",
    },
    "Conditions": {"Ref", "Condition", "Fn::And", "Fn::Equals", "Fn::FindInMap", "Fn::If", "Fn::Not", "Fn::Or"},
    "Parameters": set(),
}


def functions_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {key for key in value if key in ("Ref", "Condition") or key.startswith("Fn::")}
        return own.union(*map(functions_in, value.values()))
    return set().union(*map(functions_in, value)) if isinstance(value, list) else set()


@every_stack
@pytest.mark.parametrize("section", ALLOWED_FUNCTIONS)
def test_only_functions_that_cloudformation_takes_are_used_before_resources(stack: str, section: str) -> None:
    used = functions_in(STACKS[stack].get(section, {}))

    assert used <= ALLOWED_FUNCTIONS[section]


def is_stored(parameter: dict[str, Any]) -> bool:
    return str(parameter["Type"]).startswith("AWS::SSM::Parameter::Value<")


@every_stack
def test_no_rule_and_no_condition_decides_by_what_is_read_from_ssm(stack: str) -> None:
    stored = {name for name, parameter in STACKS[stack]["Parameters"].items() if is_stored(parameter)}

    assert names([STACKS[stack].get("Rules", {}), STACKS[stack].get("Conditions", {})]) & stored == set()


def written(stage: str) -> dict[str, str]:
    """Name and type of every SSM parameter that the stacks of a stage write."""
    found = {}
    for document in STACKS.values():
        for parameter in of_type("AWS::SSM::Parameter", document).values():
            name = re.sub(r"\$\{(Stage|Name)\}", stage, parameter["Name"]["Fn::Sub"])
            assert name not in found
            found[name] = "List<String>" if parameter["Type"] == "StringList" else "String"
    return found


@every_stack
def test_every_ssm_parameter_that_is_read_is_written_by_another_stack(stack: str) -> None:
    read_here = {p["Default"]: p["Type"] for p in STACKS[stack]["Parameters"].values() if is_stored(p)}

    assert {
        name: f"AWS::SSM::Parameter::Value<{kind}>" for name, kind in written("dev").items() if name in read_here
    } == (read_here)


def test_every_ssm_parameter_that_is_written_is_read() -> None:
    parameters = [parameter for document in STACKS.values() for parameter in document["Parameters"].values()]

    assert {parameter["Default"] for parameter in parameters if is_stored(parameter)} == written("dev").keys()


CONFIGURATION = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
ENVIRONMENTS = ("dev", "staging", "prod")


def stack_of(environment: str) -> str:
    template = CONFIGURATION[environment]["deploy"]["parameters"].get("template_file", "template.yaml")
    return next(name for name, path in PATHS.items() if path == ROOT / template)


def overrides() -> Iterator[tuple[str, str, str]]:
    for environment, commands in CONFIGURATION.items():
        if isinstance(commands, dict):
            for override in commands.get("deploy", {}).get("parameters", {}).get("parameter_overrides", []):
                name, _, value = override.partition("=")
                yield environment, name, value


def test_the_environments_name_parameters_that_exist_with_values_that_are_allowed() -> None:
    given = list(overrides())

    stacks = {f"{name}{part}" for name in ENVIRONMENTS for part in ("", "-network", "-data")}
    assert {environment for environment, _, _ in given} == stacks
    for environment, name, value in given:
        parameter = STACKS[stack_of(environment)]["Parameters"][name]
        assert value in list(map(str, parameter.get("AllowedValues", [value]))), name
        if parameter["Type"] == "Number":
            assert float(value) >= parameter.get("MinValue", 0), name


@pytest.mark.parametrize("stage", ENVIRONMENTS)
@pytest.mark.parametrize("part", ["-network", "-data", ""])
def test_a_stage_reads_and_writes_parameters_of_its_own_only(stage: str, part: str) -> None:
    given = {name: value for environment, name, value in overrides() if environment == f"{stage}{part}"}
    parameters = STACKS[stack_of(f"{stage}{part}")]["Parameters"]

    read_here = {given.get(name, p["Default"]) for name, p in parameters.items() if is_stored(p)}

    assert read_here <= written(stage).keys()
    assert given["Name" if part == "-data" else "Stage"] == stage
    assert CONFIGURATION[f"{stage}{part}"]["deploy"]["parameters"]["stack_name"] == f"remembrancer-{stage}{part}"


def test_a_new_account_takes_the_smallest_environment() -> None:
    """Of its ten concurrent executions none can be reserved, nor kept warm."""
    small = {name: value for environment, name, value in overrides() if environment == "dev"}

    for name in ("AssembleConcurrency", "QueryConcurrency", "AssembleReserved", "QueryReserved", "MemoriesReserved"):
        assert int(small.get(name, DOCUMENT["Parameters"][name]["Default"])) == 0


def test_production_has_a_second_database_a_second_cache_and_a_canary() -> None:
    production = {name: value for environment, name, value in overrides() if environment in ("prod", "prod-data")}

    assert production["Stage"] == "prod"
    assert production["Protection"] == "true"
    assert production["DatabaseMultiAz"] == "true"
    assert int(production["CacheReplicas"]) >= 1
    assert production["DeploymentType"].startswith("Canary")
    assert int(production["AssembleConcurrency"]) >= 2


@every_stack
def test_every_parameter_is_in_the_deployment_guide(stack: str) -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")

    assert [name for name in STACKS[stack]["Parameters"] if f"`{name}`" not in guide] == []


@pytest.mark.parametrize("chosen", ["true", "false"])
@pytest.mark.parametrize("warm", [0, 2])
def test_instances_start_from_snapshots_where_chosen_and_never_beside_provisioned_concurrency(
    chosen: str, warm: int
) -> None:
    parameters = {name: one.get("Default", "") for name, one in DOCUMENT["Parameters"].items()}
    values = parameters | {"SnapStart": chosen, "QueryConcurrency": warm}
    resolver = Resolver(values, DOCUMENT["Conditions"], {})

    snapped = {
        name
        for name in FUNCTIONS
        if resolver.resolve({"SnapStart": properties(name).get("SnapStart", {})}).get("SnapStart")
    }

    expected = {"MemoriesFunction"} if warm else {"MemoriesFunction", "QueryFunction"}
    assert snapped == (expected if chosen == "true" else set())


# Settings that no parameter chooses.
WITHOUT_PARAMETER = {
    **dict.fromkeys(("EMBED_QUEUE_URL", "CAPTURE_QUEUE_URL", "SIDE_EFFECTS_QUEUE_URL"), "the stack's own queues"),
    "DEAD_LETTER_QUEUE_URLS": "the stack's own queues",
    "MODELS_DIR": "where the stack's own layer is; on one machine, the checkout",
    "AWS_ENDPOINT_URL": "another AWS, on one machine",
    **dict.fromkeys((bound.name.upper() for bound in fields(Bounds)), "wider in evaluations and on slow machines"),
}
# Variables that others read: libraries, and Lambda, for which a new value makes a new version.
OF_OTHERS = {
    "OPENBLAS_NUM_THREADS",
    "TIKTOKEN_CACHE_DIR",
    "POWERTOOLS_SERVICE_NAME",
    "POWERTOOLS_METRICS_NAMESPACE",
    "CONFIGURATION",
}


def variables() -> dict[str, list[Any]]:
    """The values of each variable, in all functions."""
    found: dict[str, list[Any]] = {}
    for environment in (
        DOCUMENT["Globals"]["Function"]["Environment"],
        *(setting(name, "Environment") for name in FUNCTIONS),
    ):
        for name, value in environment["Variables"].items():
            found.setdefault(name, []).append(value)
    return found


def parameters_of(value: Any) -> set[str]:
    """The parameters that decide a value, through its condition too."""
    conditions = re.findall(r'"(?:Fn::If": \[|Condition": )"(\w+)"', json.dumps(value))
    through = [parameters_of(DOCUMENT["Conditions"][condition]) for condition in conditions]
    own: set[str] = names(value) & set(DOCUMENT["Parameters"])
    return own.union(*through)


def test_every_setting_is_a_parameter_or_has_a_reason_to_be_none() -> None:
    """Anything else that nobody chooses is a constant beside its code."""
    chosen = {name for name, values in variables().items() if any(map(parameters_of, values))}

    assert DEFAULTS.keys() - chosen == WITHOUT_PARAMETER.keys()


def test_every_variable_is_one_that_is_read() -> None:
    assert variables().keys() - OF_OTHERS <= DEFAULTS.keys()
    assert variables().keys() >= OF_OTHERS


def test_the_service_is_a_template_that_can_be_read() -> None:
    assert len(TEMPLATE.read_text(encoding="utf-8").splitlines()) < 1800


def test_every_output_is_described() -> None:
    outputs = [item for document in STACKS.values() for item in document["Outputs"].items()]

    assert {"ApiUrl", "Region", "AssembleFunctionArn", "KeyArn", "AlarmTopicArn"} <= dict(outputs).keys()
    assert [name for name, output in outputs if not output["Description"].endswith(".")] == []
