"""The inspector's page: an operator sees why an answer is as it is, and corrects what is remembered."""

from dataclasses import dataclass

from remembrancer.runtime.after_response import Work
from remembrancer.runtime.http.messages import HttpRequest, HttpResponse
from remembrancer.runtime.http.operations import Operation


@dataclass(frozen=True, slots=True)
class InspectorApi:
    """Serves the page, which has no data: it asks the API with the credential that its user enters."""

    stage: str

    async def page(self, request: HttpRequest, work: Work) -> HttpResponse:
        """The page; its files are read with the first request for it."""
        from remembrancer.runtime.inspector import page  # noqa: PLC0415 import time is start-up time

        made = page(self.stage)
        return HttpResponse(200, made.html, made.headers)


OPERATIONS = (
    Operation(
        "GET /inspector",
        "inspector",
        "The inspector, a page for operators, where the deployment serves it",
        InspectorApi.page,
        {200: ("The page.", "text/html Page")},
        refusals=(404,),
    ),
)
