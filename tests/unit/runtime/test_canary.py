"""A new version that answers wrongly is seen while it gets a part of the traffic; Lambda takes its answers for good.

The alarms of a deployment compare figures of one version of one function, as CloudWatch sums them up.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import pytest
from awslambdaric.lambda_context import LambdaContext

from remembrancer.domain.context.assembly import AssembleRequest
from remembrancer.errors import StoreUnavailable, Unauthenticated
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.endpoints import assembly_api
from remembrancer.runtime.event_loop import LoopThread
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.router import http_handler
from remembrancer.usecases.assembly.assemble import unchanged
from tests.unit.documents import template
from tests.unit.runtime.embedded_metrics import published

Answer = Callable[[], HttpResponse]


def alarm(function: str) -> dict[str, Any]:
    """Of the template, by which a deployment of this function is taken back."""
    properties: dict[str, Any] = template()["Resources"][f"{function}VersionAlarm"]["Properties"]
    return properties


@dataclass(frozen=True)
class Figures:
    """Of one version, in sum."""

    sums: Counter[str]

    @property
    def breach(self) -> bool:
        """Whether the template's alarm rings, its expression worked out as CloudWatch does: all of one minute."""
        watched = alarm("Query")
        values: dict[str, Any] = {
            metric["Id"]: self.sums[metric["MetricStat"]["Metric"]["MetricName"]]
            for metric in watched["Metrics"]
            if "MetricStat" in metric
        }
        functions = {"IF": lambda condition, one, other: one if condition else other, "FILL": lambda value, _: value}
        expression = watched["Metrics"][0]["Expression"].replace(" AND ", " and ")
        return bool(eval(expression, functions | values) > watched["Threshold"])


@dataclass(frozen=True)
class Deployment:
    """One function whose versions run in instances of their own, and what CloudWatch hears of them."""

    patch: pytest.MonkeyPatch
    output: pytest.CaptureFixture[str]

    def serve(self, version: str, answer: Answer, *, last_resort: bool = False, requests: int = 20) -> None:
        """Requests that the alias sends to this version."""
        self.patch.setenv("AWS_LAMBDA_FUNCTION_NAME", "assemble")
        self.patch.setenv("AWS_LAMBDA_FUNCTION_VERSION", version)
        loop = LoopThread()

        async def endpoint(request: HttpRequest, work: Work) -> HttpResponse:
            return answer()

        handler = http_handler(
            {"POST /": endpoint},
            loop=loop,
            after_response=AfterResponse(loop, None),
            last_resort=(lambda request, reason: without_memories(reason)) if last_resort else None,
        )
        context = LambdaContext("invocation", {}, {}, int((time.time() + 30) * 1000))
        for _ in range(requests):
            handler({"rawPath": "/", "requestContext": {"http": {"method": "POST"}}, "body": "{}"}, context)

    def figures(self) -> dict[str, Figures]:
        """By version, of the metrics with exactly the dimensions service, function and version."""
        sums: dict[str, Counter[str]] = {}
        for name, dimensions, value, _ in published(self.output.readouterr().out):
            if [key for key, _ in dimensions] == ["service", "function", "version"]:
                assert dict(dimensions)["function"] == "assemble"
                sums.setdefault(dict(dimensions)["version"], Counter())[name] += int(value)
        return {version: Figures(counted) for version, counted in sums.items()}


@pytest.fixture
def deployment(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Deployment:
    return Deployment(monkeypatch, capsys)


def without_memories(reason: str) -> HttpResponse:
    """As assembly's own last resort answers: 200, with the client's messages."""
    request = AssembleRequest(UUID(int=0), UUID(int=1), "gpt-4o", "request", [])
    return assembly_api._response(
        replace(unchanged(request, reason), timings_ms={"total": 50.0}, deadline_ms=48.0), request
    )


def good() -> HttpResponse:
    return HttpResponse(200, {})


def bug() -> HttpResponse:
    raise KeyError("a new version")


def outage() -> HttpResponse:
    raise StoreUnavailable("hidden", cause="InvalidPassword")


def refusal() -> HttpResponse:
    raise Unauthenticated("a version that knows no key")


def late() -> HttpResponse:
    return without_memories("assembly_timeout")


@pytest.mark.parametrize(
    ("answer", "last_resort", "figure"),
    [
        (bug, False, "Failed"),
        (bug, False, "InternalError"),
        (bug, True, "Degraded"),
        (bug, True, "InternalError"),
        (outage, False, "Failed"),
        (outage, True, "Degraded"),
        (late, True, "Degraded"),
        (refusal, False, "Refused"),
    ],
)
def test_a_version_that_fails_every_request_is_seen_among_good_answers_of_the_old_one(
    deployment: Deployment, answer: Answer, last_resort: bool, figure: str
) -> None:
    deployment.serve("7", good, requests=90)
    deployment.serve("8", answer, last_resort=last_resort)

    figures = deployment.figures()

    assert not figures["7"].breach
    assert figures["8"].breach
    assert figures["8"].sums[figure] == 20


def test_an_old_version_that_fails_does_not_take_back_a_new_one_that_mends_it(deployment: Deployment) -> None:
    deployment.serve("7", bug)
    deployment.serve("8", good)

    assert not deployment.figures()["8"].breach


def test_a_few_failures_among_many_good_answers_do_not_take_a_version_back(deployment: Deployment) -> None:
    deployment.serve("8", good, requests=90)
    deployment.serve("8", bug, requests=10)

    assert not deployment.figures()["8"].breach


@pytest.mark.parametrize("function", ["Assemble", "Query", "Memories"])
def test_every_deployment_is_watched_by_the_figures_of_its_new_version(function: str) -> None:
    resource = template()["Resources"][f"{function}Function"]["Properties"]
    watched = alarm(function)
    figures = [metric["MetricStat"]["Metric"] for metric in watched["Metrics"] if "MetricStat" in metric]

    condition, watching, unwatched = resource["DeploymentPreference"]["Alarms"]["Fn::If"]

    assert (condition, unwatched) == ("UseDeploymentAlarms", [])
    assert {"Ref": f"{function}VersionAlarm"} in watching
    assert {figure["MetricName"] for figure in figures} == {"Requests", "Failed", "Degraded", "Refused"}
    for figure in figures:
        dimensions = {one["Name"]: one["Value"] for one in figure["Dimensions"]}
        assert list(dimensions) == ["service", "function", "version"]
        assert dimensions["function"] == {"Ref": f"{function}Function"}
        assert dimensions["version"] == {"Fn::GetAtt": [f"{function}Function.Version", "Version"]}
    expressions = {alarm(name)["Metrics"][0]["Expression"] for name in ("Assemble", "Query", "Memories")}
    assert len(expressions) == 1


def test_what_was_never_published_has_no_figures_by_version(deployment: Deployment) -> None:
    deployment.serve("$LATEST", bug)

    assert deployment.figures() == {}


def test_late_answers_are_told_by_version(deployment: Deployment) -> None:
    deployment.serve("8", late)

    assert deployment.figures()["8"].sums["DeadlineMissed"] == 20
