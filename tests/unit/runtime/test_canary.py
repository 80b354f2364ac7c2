"""A new version that answers wrongly is seen while it gets a part of the traffic; Lambda takes its answers for good.

The alarms of a deployment compare figures of one version of one function, as CloudWatch sums them up.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import UUID

import pytest
from awslambdaric.lambda_context import LambdaContext

from remembrancer.domain.assembly import AssembleRequest
from remembrancer.errors import StoreUnavailable, Unauthenticated
from remembrancer.runtime import assembly_api
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.http import HttpRequest, HttpResponse
from remembrancer.runtime.loop import LoopThread
from remembrancer.runtime.router import http_handler
from remembrancer.usecases.assemble import unchanged
from tests.unit.runtime.test_telemetry import published

WRONG_PERCENT = 20
REFUSED_PERCENT = 80

Answer = Callable[[], HttpResponse]


@dataclass(frozen=True)
class Figures:
    """Of one version, in sum."""

    sums: Counter[str]

    @property
    def wrong_percent(self) -> float:
        """As an alarm's expression: 100 * (FILL(failed, 0) + FILL(degraded, 0)) / requests."""
        return 100 * (self.sums["Failed"] + self.sums["Degraded"]) / self.sums["Requests"]

    @property
    def refused_percent(self) -> float:
        """As an alarm's expression: 100 * FILL(refused, 0) / requests."""
        return 100 * self.sums["Refused"] / self.sums["Requests"]

    @property
    def breach(self) -> bool:
        return self.wrong_percent > WRONG_PERCENT or self.refused_percent > REFUSED_PERCENT


@dataclass(frozen=True)
class Deployment:
    """One function whose versions run in instances of their own, and what CloudWatch hears of them."""

    patch: pytest.MonkeyPatch
    output: pytest.CaptureFixture[str]

    def serve(self, version: str, answer: Answer, *, last_resort: bool = False, requests: int = 10) -> None:
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
    assert figures["8"].sums[figure] == 10


def test_an_old_version_that_fails_does_not_take_back_a_new_one_that_mends_it(deployment: Deployment) -> None:
    deployment.serve("7", bug)
    deployment.serve("8", good)

    assert not deployment.figures()["8"].breach


def test_what_was_never_published_has_no_figures_by_version(deployment: Deployment) -> None:
    deployment.serve("$LATEST", bug)

    assert deployment.figures() == {}


def test_late_answers_are_told_by_version(deployment: Deployment) -> None:
    deployment.serve("8", late)

    assert deployment.figures()["8"].sums["DeadlineMissed"] == 10
