"""The wiring that is read from SAM templates: the tests' own small one, and the real one."""

from pathlib import Path

import pytest

from local.intrinsics import UnresolvedValue
from local.stack import PARAMETERS
from local.template import QueueSpec, QueueTrigger, Route, Schedule, read, read_queues

ROOT = Path(__file__).parents[3]
SMALL = ROOT / "tests" / "functions_for_tests" / "template.yaml"
KNOWN = {"Queue": "http://sqs/queue", "DatabaseHost": "db.example"}


def write_template(folder: Path, text: str) -> Path:
    path = folder / "template.yaml"
    path.write_text(text)
    return path


def test_globals_are_merged_under_the_functions_own_properties() -> None:
    application = read(SMALL, values=KNOWN)

    function = application.function("ActionsFunction")

    assert function.folder == SMALL.parent / "actions"
    assert (function.handler, function.runtime, function.timeout_s, function.memory_mb) == (
        "app.handler",
        "python3.13",
        5,
        256,
    )
    assert function.environment == {
        "STAGE": "dev",
        "QUEUE_URL": "http://sqs/queue",
        "DATABASE_URL": "postgresql://app@db.example/app",
        "GREETING": "hello-two",
        "LITERAL": "${not} dev in us-east-1",
        "QUEUE_ARN": "arn:aws:sqs:us-east-1:123456789012:Queue",
    }


def test_conditions_and_mappings_follow_the_parameters() -> None:
    application = read(SMALL, values={**KNOWN, "Stage": "prod"})

    assert application.function("ActionsFunction").environment["ONLY_IN_PRODUCTION"] == "yes"
    assert application.function("ActionsFunction").memory_mb == 1769
    assert "ProductionQueue" in {queue.name for queue in application.queues}
    assert "ProductionQueue" not in {queue.name for queue in read_queues(SMALL)}


def test_events_become_routes_triggers_and_schedules() -> None:
    application = read(SMALL, values=KNOWN)

    actions, batches = application.function("ActionsFunction"), application.function("BatchesFunction")

    assert actions.routes == (
        Route("POST", "/actions"),
        Route("ANY", "/any/{proxy+}"),
        Route("GET", "/things/{thing_id}"),
        Route("GET", "/things/special"),
    )
    assert actions.schedules == (Schedule("ActionsFunctionEveryHour", 3600),)
    assert batches.queue_triggers == (
        QueueTrigger("Queue", batch_size=3, window_s=0, report_failures=True, maximum_concurrency=2),
        QueueTrigger("WindowQueue", batch_size=25, window_s=1, report_failures=False, maximum_concurrency=None),
    )
    assert batches.provisioned_concurrency == 1
    assert application.function("ExtendedFunction").json_logs is True


def test_queues_have_their_redrive_policy() -> None:
    queues = read_queues(SMALL)

    assert queues == (
        QueueSpec("Queue", visibility_timeout_s=2, max_receive_count=2, dead_letter_queue="DeadLetterQueue"),
        QueueSpec("DeadLetterQueue"),
        QueueSpec("WindowQueue"),
    )


def test_a_value_that_only_aws_knows_is_named_in_the_error() -> None:
    with pytest.raises(UnresolvedValue, match="ActionsFunction: environment variable DATABASE_URL: DatabaseHost"):
        read(SMALL, values={"Queue": "http://sqs/queue"})


def test_the_callers_environment_wins_and_makes_unknown_values_unnecessary() -> None:
    application = read(
        SMALL,
        environment={
            "DATABASE_URL": "postgresql://local",
            "QUEUE_URL": "http://local",
            "AWS_ENDPOINT_URL": "http://aws",
        },
        function_environment={"BatchesFunction": {"DATABASE_URL": "postgresql://owner"}},
    )

    actions = application.function("ActionsFunction").environment
    assert actions["DATABASE_URL"] == "postgresql://local"
    assert actions["AWS_ENDPOINT_URL"] == "http://aws"
    assert application.function("BatchesFunction").environment["DATABASE_URL"] == "postgresql://owner"


def test_short_and_long_forms_mean_the_same(tmp_path: Path) -> None:
    path = write_template(
        tmp_path,
        """
        Conditions: {Yes: !Equals [a, a]}
        Resources:
          F:
            Type: AWS::Serverless::Function
            Properties:
              Environment:
                Variables:
                  A: !If [Yes, !Sub "${AWS::Region}", no]
                  B: {"Fn::If": [Yes, {"Fn::Sub": "${AWS::Region}"}, no]}
                  C: !If [Yes, !Select [0, !Split [",", "x,y"]], no]
        """,
    )

    [function] = read(path).functions

    assert function.environment == {"A": "us-east-1", "B": "us-east-1", "C": "x"}


@pytest.mark.parametrize("schedule", ["cron(0 12 * * ? *)", "rate(5 fortnights)"])
def test_a_schedule_that_is_not_served_is_an_error(tmp_path: Path, schedule: str) -> None:
    path = write_template(
        tmp_path,
        f"""
        Resources:
          F:
            Type: AWS::Serverless::Function
            Properties:
              Events: {{Tick: {{Type: Schedule, Properties: {{Schedule: '{schedule}'}}}}}}
        """,
    )

    with pytest.raises(ValueError, match="only rate"):
        read(path)


def test_intrinsics_of_globals_are_replaced_as_a_whole(tmp_path: Path) -> None:
    path = write_template(
        tmp_path,
        """
        Globals:
          Function:
            Environment: {Variables: {A: !Join ["", [x, y]], B: kept}}
        Resources:
          F:
            Type: AWS::Serverless::Function
            Properties:
              Environment: {Variables: {A: !Join ["-", [own]]}}
        """,
    )

    [function] = read(path).functions

    assert function.environment == {"A": "own", "B": "kept"}


@pytest.mark.parametrize(
    ("door", "routes"), [("Http", (Route("GET", "/things/{id}"), Route("ANY", "$default"))), ("", ())]
)
def test_routes_may_be_resources_with_a_condition(tmp_path: Path, door: str, routes: tuple[Route, ...]) -> None:
    path = write_template(
        tmp_path,
        """
        Parameters: {Door: {Type: String}}
        Conditions: {UseHttp: !Equals [!Ref Door, Http]}
        Resources:
          F:
            Type: AWS::Serverless::Function
            Properties:
              AutoPublishAlias: live
              ProvisionedConcurrencyConfig: !If [UseHttp, {ProvisionedConcurrentExecutions: 2}, !Ref AWS::NoValue]
          I:
            Type: AWS::ApiGatewayV2::Integration
            Condition: UseHttp
            Properties: {IntegrationUri: !Sub "lambda:path/functions/${F.Alias}/invocations"}
          Things:
            Type: AWS::ApiGatewayV2::Route
            Condition: UseHttp
            Properties: {RouteKey: "GET /things/{id}", Target: !Sub "integrations/${I}"}
          Rest:
            Type: AWS::ApiGatewayV2::Route
            Condition: UseHttp
            Properties: {RouteKey: $default, Target: !Sub "integrations/${I}"}
        """,
    )

    [function] = read(path, values={"Door": door}).functions

    assert function.routes == routes
    assert function.provisioned_concurrency == (2 if door else 0)


def test_the_real_template_needs_only_what_the_local_stack_gives() -> None:
    path = ROOT / "template.yaml"
    urls = {queue.name: f"http://sqs/{queue.name}" for queue in read_queues(path, values=PARAMETERS)}

    application = read(
        path, values={**PARAMETERS, **urls}, environment={"DATABASE_URL": "postgresql://x", "REDIS_URL": "redis://x"}
    )

    assert {function.folder.name for function in application.functions} >= {"assemble", "query", "memories", "embed"}
    assert application.function("EmbedFunction").queue_triggers[0].queue == "EmbedQueue"
    assert Route("POST", "/v1/context/assemble") in application.function("AssembleFunction").routes
    assert application.function("AssembleFunction").environment["EMBED_QUEUE_URL"] == "http://sqs/EmbedQueue"
