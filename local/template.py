"""Reads functions, routes, queues and schedules from template.yaml, for the local stack."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from local.intrinsics import NO_VALUE, Resolver, UnresolvedValue, is_intrinsic, load
from local.servers.aws import ACCOUNT_ID, REGION

NOT_STORED = "none"
"""The value of parameters read from SSM, since nothing is stored there locally; the engine treats it as unset."""

_RATE = re.compile(r"rate\((\d+) (second|minute|hour|day)s?\)")
_UNIT_SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_FUNCTION_OF_ARN = re.compile(r":function:([^:/]+)")


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the HTTP API: method in capitals or ANY, path with `{name}` and `{name+}`, or `$default`."""

    method: str
    path: str


@dataclass(frozen=True, slots=True)
class QueueTrigger:
    """An SQS event source mapping; `queue` is the queue's logical id."""

    queue: str
    batch_size: int = 10
    window_s: int = 0
    report_failures: bool = False
    maximum_concurrency: int | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """A rate rule of EventBridge: invokes its function once in each interval."""

    name: str
    every_s: int


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """The configuration of one Lambda function; `name` is its logical id, `folder` contains its code.

    `layers` are the source folders of its layers.
    """

    name: str
    folder: Path
    handler: str
    runtime: str = "python3.13"
    timeout_s: int = 3
    memory_mb: int = 128
    environment: Mapping[str, str] = field(default_factory=dict)
    json_logs: bool = False
    provisioned_concurrency: int = 0
    layers: tuple[Path, ...] = ()
    routes: tuple[Route, ...] = ()
    queue_triggers: tuple[QueueTrigger, ...] = ()
    schedules: tuple[Schedule, ...] = ()

    @property
    def arn(self) -> str:
        """The function's ARN in the local account."""
        return f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:{self.name}"


@dataclass(frozen=True, slots=True)
class QueueSpec:
    """A queue; `dead_letter_queue` is the logical id of the queue for messages received `max_receive_count` times."""

    name: str
    visibility_timeout_s: int = 30
    max_receive_count: int | None = None
    dead_letter_queue: str | None = None

    @property
    def arn(self) -> str:
        """The queue's ARN in the local account."""
        return f"arn:aws:sqs:{REGION}:{ACCOUNT_ID}:{self.name}"


@dataclass(frozen=True, slots=True)
class Application:
    """The functions, queues and triggers that the local stack runs."""

    functions: tuple[FunctionSpec, ...]
    queues: tuple[QueueSpec, ...]

    def function(self, name: str) -> FunctionSpec:
        """The function with this logical id; KeyError when there is none."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)


def read(
    path: Path,
    *,
    values: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
    function_environment: Mapping[str, Mapping[str, str]] | None = None,
) -> Application:
    """The application in a SAM template.

    `values` has the results of `Ref` by name and of `GetAtt` by `Name.Attribute`; it overrides template defaults.
    `environment` is set for every function and overrides the template's; `function_environment`, by logical id,
    overrides both. `Ref` of a queue is its URL, only if `values` has it (see `read_queues`); ARNs of queues and
    functions are known. Raises UnresolvedValue, with function and variable, for values that only AWS knows.
    """
    document = load(path.read_text(encoding="utf-8"))
    resolver = _resolver(document, values or {})
    defaults = document.get("Globals", {}).get("Function", {})
    routes = _explicit_routes(document, resolver)
    functions = []
    for name, properties in _resources(document, resolver, "AWS::Serverless::Function"):
        overrides = {**(environment or {}), **(function_environment or {}).get(name, {})}
        function = _function(name, _merged(defaults, properties), resolver, overrides, path.parent)
        functions.append(replace(function, routes=(*function.routes, *routes.get(name, ()))))
    return Application(tuple(functions), _queues(document, resolver))


def read_queues(path: Path, *, values: Mapping[str, str] | None = None) -> tuple[QueueSpec, ...]:
    """Reads only the queues: they must be created before `read`, which needs their URLs in `values`."""
    document = load(path.read_text(encoding="utf-8"))
    return _queues(document, _resolver(document, values or {}))


def _resolver(document: Mapping[str, Any], values: Mapping[str, str]) -> Resolver:
    return Resolver(
        values=_known_values(document) | dict(values),
        conditions=document.get("Conditions", {}),
        mappings=document.get("Mappings", {}),
    )


def _resources(
    document: Mapping[str, Any], resolver: Resolver, resource_type: str
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Logical id and unresolved properties of each resource of a type whose condition holds."""
    for name, resource in document.get("Resources", {}).items():
        if resource["Type"] == resource_type and ("Condition" not in resource or resolver.holds(resource["Condition"])):
            yield name, resource.get("Properties", {})


def _known_values(document: Mapping[str, Any]) -> dict[str, Any]:
    known: dict[str, Any] = {
        "AWS::Region": REGION,
        "AWS::AccountId": ACCOUNT_ID,
        "AWS::Partition": "aws",
        "AWS::URLSuffix": "amazonaws.com",
        "AWS::StackName": "local",
        "Migration.Configuration": "local",
    }
    for name, parameter in document.get("Parameters", {}).items():
        if parameter["Type"].startswith("AWS::SSM::Parameter::Value<"):
            known[name] = NOT_STORED
        elif "Default" in parameter:
            listed = parameter["Type"] == "CommaDelimitedList" or parameter["Type"].startswith("List<")
            known[name] = parameter["Default"].split(",") if listed else parameter["Default"]
    for name, resource in document.get("Resources", {}).items():
        if resource["Type"] == "AWS::SQS::Queue":
            known[f"{name}.Arn"] = QueueSpec(name).arn
            known[f"{name}.QueueName"] = name
        elif resource["Type"] == "AWS::Serverless::Function":
            known[name] = name
            known[f"{name}.Arn"] = FunctionSpec(name, Path(), "").arn
            known[f"{name}.Alias"] = f"{known[f'{name}.Arn']}:{resource.get('Properties', {}).get('AutoPublishAlias')}"
        elif resource["Type"] == "AWS::Serverless::LayerVersion":
            known[name] = resource["Properties"]["ContentUri"]
        elif resource["Type"] == "AWS::ApiGatewayV2::Integration":
            known[name] = name
    return known


def _merged(defaults: Any, own: Any) -> Any:
    """A function's own properties merged with Globals, as in SAM.

    Mappings are merged and lists concatenated; other values, including intrinsics, are replaced.
    """
    if is_intrinsic(defaults) or is_intrinsic(own):
        return own
    if isinstance(defaults, dict) and isinstance(own, dict):
        return {**defaults, **{key: _merged(defaults[key], own[key]) if key in defaults else own[key] for key in own}}
    if isinstance(defaults, list) and isinstance(own, list):
        return [*defaults, *own]
    return own


def _function(
    name: str, properties: Mapping[str, Any], resolver: Resolver, overrides: Mapping[str, str], root: Path
) -> FunctionSpec:
    def value(key: str, default: Any) -> Any:
        return resolver.resolve(properties[key]) if key in properties else default

    # Resolved individually: values that the caller overrides, or that are not used locally, may be unknown.
    environment = {
        key: _variable(name, key, raw, resolver)
        for key, raw in properties.get("Environment", {}).get("Variables", {}).items()
        if key not in overrides
    }
    events = properties.get("Events", {})
    # Resolved in a list, because a configuration that is AWS::NoValue is removed from it.
    provisioned = resolver.resolve([properties.get("ProvisionedConcurrencyConfig", {})]) or [{}]
    return FunctionSpec(
        name=name,
        folder=(root / value("CodeUri", ".")).resolve(),
        handler=value("Handler", "app.handler"),
        runtime=value("Runtime", "python3.13"),
        timeout_s=int(value("Timeout", 3)),
        memory_mb=int(value("MemorySize", 128)),
        environment={key: text for key, text in environment.items() if text is not None} | dict(overrides),
        json_logs=resolver.resolve(properties.get("LoggingConfig", {}).get("LogFormat")) == "JSON",
        provisioned_concurrency=int(provisioned[0].get("ProvisionedConcurrentExecutions", 0)),
        layers=tuple((root / layer).resolve() for layer in value("Layers", [])),
        routes=tuple(_route(event, resolver) for event in events.values() if event["Type"] == "HttpApi"),
        queue_triggers=tuple(_queue_trigger(event, resolver) for event in events.values() if event["Type"] == "SQS"),
        schedules=tuple(
            _schedule(f"{name}{key}", event, resolver) for key, event in events.items() if event["Type"] == "Schedule"
        ),
    )


def _variable(function: str, key: str, raw: Any, resolver: Resolver) -> str | None:
    try:
        resolved = resolver.resolve(raw)
    except UnresolvedValue as error:
        raise UnresolvedValue(f"{function}: environment variable {key}: {error}") from None
    return None if resolved is NO_VALUE else str(resolved)


def _route(event: Mapping[str, Any], resolver: Resolver) -> Route:
    properties = event.get("Properties", {})
    if "Path" not in properties:
        return Route("ANY", "$default")
    method = str(resolver.resolve(properties.get("Method", "ANY"))).upper()
    return Route("ANY" if method == "X-AMAZON-APIGATEWAY-ANY-METHOD" else method, resolver.resolve(properties["Path"]))


def _explicit_routes(document: Mapping[str, Any], resolver: Resolver) -> dict[str, list[Route]]:
    """By function, the routes declared as separate resources instead of events, since events have no conditions."""
    functions = {}
    for name, properties in _resources(document, resolver, "AWS::ApiGatewayV2::Integration"):
        match = _FUNCTION_OF_ARN.search(str(resolver.resolve(properties["IntegrationUri"])))
        if match is None:
            raise ValueError(f"{name}: only functions are served here")
        functions[f"integrations/{name}"] = match[1]
    routes: dict[str, list[Route]] = {}
    for _, properties in _resources(document, resolver, "AWS::ApiGatewayV2::Route"):
        method, _, path = str(resolver.resolve(properties["RouteKey"])).rpartition(" ")
        function = functions[str(resolver.resolve(properties["Target"]))]
        routes.setdefault(function, []).append(Route(method or "ANY", path))
    return routes


def _queue_trigger(event: Mapping[str, Any], resolver: Resolver) -> QueueTrigger:
    properties = {key: value for key, value in event["Properties"].items() if key != "Queue"}
    properties = resolver.resolve(properties)
    maximum = properties.get("ScalingConfig", {}).get("MaximumConcurrency")
    return QueueTrigger(
        queue=str(resolver.resolve(event["Properties"]["Queue"])).rsplit(":", 1)[-1],
        batch_size=int(properties.get("BatchSize", 10)),
        window_s=int(properties.get("MaximumBatchingWindowInSeconds", 0)),
        report_failures="ReportBatchItemFailures" in properties.get("FunctionResponseTypes", []),
        maximum_concurrency=None if maximum is None else int(maximum),
    )


def _schedule(name: str, event: Mapping[str, Any], resolver: Resolver) -> Schedule:
    expression = str(resolver.resolve(event["Properties"]["Schedule"]))
    match = _RATE.fullmatch(expression)
    if match is None:
        raise ValueError(f"{name}: only rate(...) schedules are served here, not {expression}")
    return Schedule(name, int(match[1]) * _UNIT_SECONDS[match[2]])


def _queues(document: Mapping[str, Any], resolver: Resolver) -> tuple[QueueSpec, ...]:
    resources = _resources(document, resolver, "AWS::SQS::Queue")
    return tuple(_queue(name, properties, resolver) for name, properties in resources)


def _queue(name: str, properties: Mapping[str, Any], resolver: Resolver) -> QueueSpec:
    redrive = resolver.resolve(properties.get("RedrivePolicy", {}))
    return QueueSpec(
        name=name,
        visibility_timeout_s=int(resolver.resolve(properties.get("VisibilityTimeout", 30))),
        max_receive_count=int(redrive["maxReceiveCount"]) if redrive else None,
        dead_letter_queue=str(redrive["deadLetterTargetArn"]).rsplit(":", 1)[-1] if redrive else None,
    )
