"""What template.yaml promises: limits, rights, encryption, retention, and one set of routes for both front doors."""

import fnmatch
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local.intrinsics import load
from local.stack import PARAMETERS
from local.template import read, read_queues

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "template.yaml"
DOCUMENT = load(TEMPLATE.read_text(encoding="utf-8"))
RESOURCES: dict[str, dict[str, Any]] = DOCUMENT["Resources"]
FUNCTIONS = [name for name, resource in RESOURCES.items() if resource["Type"] == "AWS::Serverless::Function"]
QUEUES = [name for name, resource in RESOURCES.items() if resource["Type"] == "AWS::SQS::Queue"]
DEAD_LETTER_QUEUES = [name for name in QUEUES if name.endswith("DeadLetterQueue")]
DOORS = ("Assemble", "Query", "Memories")

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
SWEEP = {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility"}
# Everything that each function may do; a right that is added without need is seen here.
RIGHTS = {
    "AssembleFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | {"sqs:SendMessage"},
    "QueryFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | {"sqs:SendMessage"},
    "MemoriesFunction": LOG | UNNAMED | DATABASE_AND_CACHE | SWEEP | {"sqs:SendMessage"},
    "EmbedFunction": LOG | UNNAMED | DATABASE_AND_CACHE | MODELS | CONSUME,
    "SideEffectsFunction": LOG | UNNAMED | DATABASE_AND_CACHE | CONSUME,
    "MaintainFunction": LOG | UNNAMED | DATABASE_AND_CACHE | SWEEP | {"sqs:SendMessage"},
    "MigrateFunction": LOG
    | UNNAMED
    | {"secretsmanager:GetSecretValue", "kms:GenerateDataKey", "kms:Encrypt", "kms:Decrypt", "sqs:SendMessage"},
}

every_function = pytest.mark.parametrize("name", FUNCTIONS)


def properties(name: str) -> dict[str, Any]:
    found: dict[str, Any] = RESOURCES[name].get("Properties", {})
    return found


def of_type(kind: str) -> dict[str, dict[str, Any]]:
    return {name: properties(name) for name, resource in RESOURCES.items() if resource["Type"] == kind}


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
    """A statement, or both of those that a condition chooses from."""
    return statement["Fn::If"][1:] if "Fn::If" in statement else [statement]


def statements_of(policy: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for statement in policy["PolicyDocument"]["Statement"] for each in branches(statement)]


def statements(role: str) -> list[dict[str, Any]]:
    own = [each for policy in properties(role)["Policies"] for each in statements_of(policy)]
    shared = names(properties(role).get("ManagedPolicyArns", [])) & of_type("AWS::IAM::ManagedPolicy").keys()
    return own + [each for name in sorted(shared) for each in statements_of(properties(name))]


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
            assert properties(queue)["RedrivePolicy"]["maxReceiveCount"] == 5
            assert event["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
            assert "MaximumConcurrency" in event["Properties"]["ScalingConfig"]
        else:
            assert event["Properties"]["RetryPolicy"]["MaximumRetryAttempts"] == 0
    if name in ("MaintainFunction", "MigrateFunction"):
        assert names(retries["DestinationConfig"]) == {"TasksDeadLetterQueue"}


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


@every_function
def test_a_function_has_a_role_of_its_own_with_these_rights_only(name: str) -> None:
    actions = {action for statement in allowed(role_of(name)) for action in listed(statement["Action"])}

    assert actions == RIGHTS[name]
    assert [role_of(other) for other in FUNCTIONS].count(role_of(name)) == 1


def test_no_right_has_a_wildcard_where_a_name_is_possible() -> None:
    wide = []
    for role in of_type("AWS::IAM::Role"):
        for statement in allowed(role):
            actions = set(listed(statement["Action"]))
            wide += [action for action in actions if "*" in action]
            if statement["Resource"] == "*" and not actions <= UNNAMED:
                wide.append(f"{role} {sorted(actions)}")

    assert wide == []
    assert "arn:aws:iam::aws:policy" not in TEMPLATE.read_text(encoding="utf-8")


@every_function
def test_data_keys_are_made_and_opened_with_the_one_key_and_for_a_named_organization_only(name: str) -> None:
    own = [each for each in allowed(role_of(name)) if any("kms" in action for action in listed(each["Action"]))]
    through_a_service = [each for each in own if "kms:ViaService" in each["Condition"]["StringEquals"]]
    direct = [each for each in own if each not in through_a_service]

    for each in direct:
        assert names(each["Resource"]) == {"Key"}
        assert each["Condition"]["StringEquals"] == {"kms:EncryptionContext:service": "remembrancer"}
        assert each["Condition"]["Null"] == {"kms:EncryptionContext:org_id": "false"}
    assert len(direct) == (name != "SideEffectsFunction")


def test_the_code_of_a_function_may_not_touch_network_interfaces() -> None:
    [denied] = [each for each in statements("AssembleRole") if each["Effect"] == "Deny"]

    assert set(denied["Action"]) == {action for action in UNNAMED if action.startswith("ec2:")}
    assert "lambda:SourceFunctionArn" in denied["Condition"]["ArnLike"]


@pytest.mark.parametrize(
    ("function", "sends_to"),
    [
        ("AssembleFunction", "SideEffectsQueue"),
        ("QueryFunction", "SideEffectsQueue"),
        ("MemoriesFunction", "EmbedQueue"),
        ("MaintainFunction", "EmbedQueue"),
    ],
)
def test_a_function_sends_only_to_the_queue_that_it_feeds(function: str, sends_to: str) -> None:
    sends = [each["Resource"] for each in allowed(role_of(function)) if each["Action"] == "sqs:SendMessage"]

    assert names(sends) - {"TasksDeadLetterQueue"} == {sends_to}


def test_only_the_migration_knows_the_owners_password() -> None:
    owner = ("Database", "MasterUserSecret.SecretArn")
    using = {
        name for name, resource in RESOURCES.items() if json.dumps({"Fn::GetAtt": list(owner)}) in json.dumps(resource)
    }

    assert using == {"MigrateFunction", "MigrateRole"}


def test_functions_reach_only_the_stores_that_they_use() -> None:
    groups = {name: names(properties(name)["VpcConfig"]["SecurityGroupIds"]) for name in FUNCTIONS}

    assert groups.pop("MigrateFunction") == {"DatabaseClients", "ServiceClients"}
    assert set(map(frozenset, groups.values())) == {frozenset({"DatabaseClients", "CacheClients", "ServiceClients"})}


@pytest.mark.parametrize(("group", "clients"), [("DatabaseGroup", "DatabaseClients"), ("CacheGroup", "CacheClients")])
def test_stores_accept_connections_from_functions_only(group: str, clients: str) -> None:
    rules = [rule for rule in of_type("AWS::EC2::SecurityGroupIngress").values() if rule["GroupId"] == {"Ref": group}]

    assert [rule["SourceSecurityGroupId"] for rule in rules] == [{"Ref": clients}]
    assert "SecurityGroupIngress" not in properties(group)
    assert properties(group)["SecurityGroupEgress"][0]["CidrIp"] == "127.0.0.1/32"


def test_only_the_load_balancer_can_be_reached_by_address() -> None:
    open_groups = {
        name
        for name, group in of_type("AWS::EC2::SecurityGroup").items()
        if any("CidrIp" in rule for rule in group.get("SecurityGroupIngress", []))
    }

    assert open_groups == {"LoadBalancerGroup"}


def test_databases_are_private_encrypted_backed_up_and_kept() -> None:
    for name in ("Database", "DatabaseCluster"):
        database = properties(name)
        assert database["StorageEncrypted"] is True
        assert names(database["KmsKeyId"]) == {"Key"}
        assert database["ManageMasterUserPassword"] is True
        assert database["EnableIAMDatabaseAuthentication"] is True
        assert database["DeletionProtection"]["Fn::If"] == ["IsProduction", True, False]
        assert database["BackupRetentionPeriod"] == {"Ref": "DatabaseBackupDays"}
        assert RESOURCES[name]["DeletionPolicy"] == RESOURCES[name]["UpdateReplacePolicy"] == "Snapshot"
    for instance in of_type("AWS::RDS::DBInstance").values():
        assert instance["PubliclyAccessible"] is False
    for name in ("DatabaseParameters", "ClusterParameters"):
        assert properties(name)["Parameters"]["rds.force_ssl"] == "1"
    assert properties("Proxy")["RequireTLS"] is True


def test_caches_are_encrypted_on_the_way_and_at_rest_and_ask_for_a_password() -> None:
    cache = properties("Cache")

    assert cache["TransitEncryptionEnabled"] is cache["AtRestEncryptionEnabled"] is True
    assert names(cache["KmsKeyId"]) == names(properties("ServerlessCache")["KmsKeyId"]) == {"Key"}
    password = {"Fn::Sub": "{{resolve:secretsmanager:${CacheSecret}:SecretString:password}}"}
    assert cache["AuthToken"] == password
    assert properties("CacheUser")["AuthenticationMode"] == {"Type": "password", "Passwords": [password]}


def test_the_key_turns_over_and_outlives_the_stack() -> None:
    assert properties("Key")["EnableKeyRotation"] is True
    assert RESOURCES["Key"]["DeletionPolicy"] == RESOURCES["Key"]["UpdateReplacePolicy"] == "Retain"
    assert properties("KeyAlias")["TargetKeyId"] == {"Ref": "Key"}


@pytest.mark.parametrize("name", QUEUES)
def test_a_queue_is_encrypted_and_gives_up_into_a_dead_letter_queue(name: str) -> None:
    assert properties(name)["SqsManagedSseEnabled"] is True
    if name in DEAD_LETTER_QUEUES:
        assert properties(name)["MessageRetentionPeriod"] == 14 * 86400
    else:
        assert names(properties(name)["RedrivePolicy"]) == {name.replace("Queue", "DeadLetterQueue")}


def test_a_message_is_hidden_six_times_as_long_as_its_function_may_run() -> None:
    application = read(TEMPLATE, values={**PARAMETERS, **dict.fromkeys(QUEUES, "url")})
    hidden = {queue.name: queue.visibility_timeout_s for queue in application.queues}

    pairs = [(hidden[trigger.queue], f.timeout_s) for f in application.functions for trigger in f.queue_triggers]

    assert len(pairs) == 2
    assert all(seconds == 6 * timeout for seconds, timeout in pairs)
    assert {queue.name for queue in read_queues(TEMPLATE, values=PARAMETERS)} == set(QUEUES)


def looks_random(text: str) -> bool:
    """As keys and passwords do: a long run with several capitals, small letters and digits."""
    runs = re.findall(r"[A-Za-z0-9+_]{20,}", text)
    return any(all(len(re.findall(kind, run)) > 3 for kind in ("[a-z]", "[A-Z]", "[0-9]")) for run in runs)


def test_no_secret_stands_in_the_template() -> None:
    takes_a_secret = {"AuthToken", "MasterUserPassword", "Password", "Passwords", "SecretString"}
    environments = json.dumps([DOCUMENT["Globals"], *(properties(name).get("Environment") for name in FUNCTIONS)])
    everything = list(texts(DOCUMENT))

    written = [text for path, text in everything if takes_a_secret & set(path.split("/"))]

    assert len(written) == 2
    assert all(text.startswith("{{resolve:secretsmanager:${CacheSecret}") for text in written)
    assert [text for _, text in everything if looks_random(text)] == []
    assert looks_random("vJ8cQ2mZp7RtX4kLw9Yb1NdF")
    assert "{{resolve" not in environments
    assert re.findall(r"//[^@/\"]*:[^@/\"]*@", environments) == []


def routes() -> dict[str, str]:
    """Function by route of the HTTP API."""
    found = {}
    for route in of_type("AWS::ApiGatewayV2::Route").values():
        [function] = re.findall(r"\$\{(\w+)Integration\}", route["Target"]["Fn::Sub"])
        found[route["RouteKey"]] = function
    return found


def rule_of(path: str) -> str | None:
    """The function that the load balancer's first matching rule sends a path to."""
    rules = sorted(
        of_type("AWS::ElasticLoadBalancingV2::ListenerRule").values(), key=lambda rule: int(rule["Priority"])
    )
    for rule in rules:
        [condition] = rule["Conditions"]
        if any(fnmatch.fnmatchcase(path, pattern) for pattern in condition["PathPatternConfig"]["Values"]):
            return str(rule["Actions"][0]["TargetGroupArn"]["Ref"]).removesuffix("Targets")
    return None


def test_both_front_doors_send_the_same_paths_to_the_same_functions() -> None:
    by_api = routes()

    by_balancer = {route: rule_of(re.sub(r"\{\w+\}", "7f9c", route.partition(" ")[2])) for route in by_api}

    assert by_balancer == by_api
    assert rule_of("/") is rule_of("/v1/context/assemble/more") is rule_of("/v2/memories") is None


def test_every_route_with_anything_to_protect_waits_for_the_authorizer_where_there_is_one() -> None:
    routes = of_type("AWS::ApiGatewayV2::Route").values()
    guarded = {"Fn::If": ["UseJwt", "JWT", "NONE"]}

    open_routes = {route["RouteKey"] for route in routes if route.get("AuthorizationType") != guarded}

    assert open_routes == {"GET /v1/health", "GET /v1/ready", "GET /openapi.json"}
    for route in routes:
        if route["RouteKey"] not in open_routes:
            assert route["AuthorizerId"] == {"Fn::If": ["UseJwt", {"Ref": "JwtAuthorizer"}, {"Ref": "AWS::NoValue"}]}


def test_claims_of_events_are_believed_only_where_the_authorizer_is_made() -> None:
    variables = DOCUMENT["Globals"]["Function"]["Environment"]["Variables"]

    assert variables["JWT_FROM_GATEWAY"] == {"Fn::If": ["UseJwt", "true", "false"]}
    assert RESOURCES["JwtAuthorizer"]["Condition"] == "UseJwt"
    assert {"Condition": "UseHttpApi"} in DOCUMENT["Conditions"]["UseJwt"]["Fn::And"]


def test_no_rule_of_the_load_balancer_is_without_a_route() -> None:
    paths = {re.sub(r"\{\w+\}", "7f9c", route.partition(" ")[2]) for route in routes()}
    patterns = [
        pattern
        for rule in of_type("AWS::ElasticLoadBalancingV2::ListenerRule").values()
        for pattern in rule["Conditions"][0]["PathPatternConfig"]["Values"]
    ]

    assert [pattern for pattern in patterns if not fnmatch.filter(paths, pattern)] == []
    # AWS takes five in a rule.
    assert all(
        len(rule["Conditions"][0]["PathPatternConfig"]["Values"]) <= 5
        for rule in of_type("AWS::ElasticLoadBalancingV2::ListenerRule").values()
    )


@pytest.mark.parametrize("name", DOORS)
def test_both_front_doors_call_the_alias_and_each_may(name: str) -> None:
    alias = {"Ref": f"{name}Function.Alias"}

    assert properties(f"{name}Function")["AutoPublishAlias"] == "live"
    assert properties(f"{name}Integration")["IntegrationUri"]["Fn::Sub"][1]["Alias"] == alias
    assert properties(f"{name}Targets")["Targets"] == [{"Id": alias}]
    assert properties(f"{name}HttpApiPermission")["FunctionName"] == alias
    assert properties(f"{name}AlbPermission")["FunctionName"] == alias
    assert "SourceArn" in properties(f"{name}HttpApiPermission")
    assert "SourceArn" in properties(f"{name}AlbPermission")


@pytest.mark.parametrize("name", DOORS)
def test_a_deployment_is_watched_and_taken_back_by_alarms(name: str) -> None:
    preference = properties(f"{name}Function")["DeploymentPreference"]

    assert preference["Type"] == {"Ref": "DeploymentType"}
    assert {"Ref": f"{name}ErrorsAlarm"} in preference["Alarms"]
    assert ({"Ref": "AssemblyLatencyAlarm"} in preference["Alarms"]) == (name == "Assemble")


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


def test_every_parameter_behind_a_variable_publishes_a_new_version() -> None:
    listed = properties("Migration")["Parameters"]
    environments = [properties(f"{name}Function").get("Environment", {}) for name in DOORS]

    behind = parameters_behind([DOCUMENT["Globals"]["Function"]["Environment"], *environments])

    assert len(behind) > 30
    assert [{"Ref": name} for name in behind | {"Release"} if {"Ref": name} not in listed] == []
    for name in DOORS:
        assert properties(f"{name}Function")["VersionDescription"] == {
            "Fn::Sub": "${Release} ${Migration.Configuration}"
        }


def test_everything_that_fails_quietly_has_an_alarm() -> None:
    alarms = of_type("AWS::CloudWatch::Alarm")
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
    text, _ = properties("Dashboard")["DashboardBody"]["Fn::Sub"]
    alarms = str(of_type("AWS::CloudWatch::Alarm"))

    asked = re.findall(r"\{'Name': 'service', 'Value': (\{.*?\})\}", alarms)

    assert DOCUMENT["Globals"]["Function"]["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"] == service
    assert len(asked) >= 6
    assert set(asked) == {str(service)}
    assert len(re.findall(r"\bremembrancer\b", text)) == text.count("remembrancer-${Stage}") > 0


def test_the_dashboard_is_json_that_shows_every_metric_of_ours() -> None:
    text, _ = properties("Dashboard")["DashboardBody"]["Fn::Sub"]

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


def test_every_parameter_is_described_grouped_and_used() -> None:
    parameters = DOCUMENT["Parameters"]
    groups = DOCUMENT["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    grouped = [name for group in groups for name in group["Parameters"]]
    text = TEMPLATE.read_text(encoding="utf-8")

    assert sorted(grouped) == sorted(parameters)
    for name, parameter in parameters.items():
        assert parameter["Description"].endswith(".") or "(" in parameter["Description"], name
        assert "Default" in parameter, name
        assert re.search(rf"!Ref {name}\b|\$\{{{name}\}}", text), name


def overrides() -> Iterator[tuple[str, str, str]]:
    configuration = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    for environment, commands in configuration.items():
        if isinstance(commands, dict):
            for override in commands.get("deploy", {}).get("parameters", {}).get("parameter_overrides", []):
                name, _, value = override.partition("=")
                yield environment, name, value


def test_the_environments_name_parameters_that_exist_with_values_that_are_allowed() -> None:
    given = list(overrides())

    assert {environment for environment, _, _ in given} == {"dev", "staging", "prod"}
    for _, name, value in given:
        parameter = DOCUMENT["Parameters"][name]
        assert value in list(map(str, parameter.get("AllowedValues", [value]))), name
        if parameter["Type"] == "Number":
            assert float(value) >= parameter.get("MinValue", 0), name


def test_production_has_a_second_database_a_second_cache_and_a_canary() -> None:
    production = {name: value for environment, name, value in overrides() if environment == "prod"}

    assert production["Stage"] == "prod"
    assert production["DatabaseMultiAz"] == "true"
    assert int(production["CacheReplicas"]) >= 1
    assert production["DeploymentType"].startswith("Canary")
    assert int(production["AssembleConcurrency"]) >= 2


def test_every_parameter_is_in_the_deployment_guide() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")

    assert [name for name in DOCUMENT["Parameters"] if f"`{name}`" not in guide] == []


def test_every_output_is_described() -> None:
    outputs = DOCUMENT["Outputs"]

    assert {"ApiUrl", "Region", "AssembleFunctionArn", "KeyArn", "AlarmTopicArn"} <= outputs.keys()
    assert all(output["Description"].endswith(".") for output in outputs.values())
