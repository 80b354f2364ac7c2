"""What readers are told agrees with the code: links, routes, settings, commands and events."""

import json
import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from local import template as sam
from local.dev_env import DevEnv
from local.intrinsics import load
from remembrancer.domain.context import assembly
from remembrancer.domain.context.placement import DEFAULT_PLACEMENT, PLACEMENTS
from remembrancer.domain.erasure import erasure_request
from remembrancer.domain.memories import edit_request, write_request
from remembrancer.domain.ranking.assembly_score import DEFAULT_WEIGHTS as ASSEMBLY_WEIGHTS
from remembrancer.domain.ranking.hybrid_ranking import DEFAULT_WEIGHTS as QUERY_WEIGHTS
from remembrancer.domain.retrieval import query
from remembrancer.errors import InvalidRequest
from remembrancer.settings import DEFAULTS
from tests.served_routes import PROTOCOL_ROUTES, ROUTES
from tests.unit.documents import PAGES, ROOT, names, prose, sections

EVENTS = sorted((ROOT / "events").glob("*.json"))
VARIABLES = {
    "REMEMBRANCER_API_KEY": "rk_example",
    "REMEMBRANCER_ORG_ID": "6c0e2e0a-0d4b-4a57-8a55-5d4ec8a5b1f1",
    "REMEMBRANCER_AGENT_ID": "1f7f2f64-6f4e-4f0a-9d0c-0c2b1a3d4e5f",
    "REMEMBRANCER_MEMORY_ID": "27ce1d2f-9208-43b8-8bbe-4002162b3253",
    "REMEMBRANCER_CONVERSATION_ID": "b4a3c1ce-1b0a-4a5f-8a39-0b6f9a5fb7a1",
}

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# A place on somebody's machine, whoever's it is.
_MACHINE = re.compile(r"(?<![\w.])/(?:home|root|Users|work|tmp|mnt|workspace)/")


def anchors(path: Path) -> set[str]:
    """As GitHub makes them: lower case, marks dropped, blanks to hyphens."""
    kept = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(prose(path)))
    return {heading.strip().replace(" ", "-") for heading in kept}


def routes() -> set[str]:
    return set(ROUTES)


def queues() -> set[str]:
    return {queue.name for queue in sam.read_queues(ROOT / "template.yaml")}


def filled(path: Path) -> dict[str, Any]:
    text = string.Template(path.read_text(encoding="utf-8")).safe_substitute(VARIABLES)
    assert "${" not in text
    event: dict[str, Any] = json.loads(text)
    return event


class Asked(Mapping[str, Any]):
    """A request body without a field that remembers which were looked for, those of its objects included."""

    def __init__(self, objects: tuple[str, ...] = ("options", "filters")) -> None:
        self.names: set[str] = set()
        self._objects = objects

    def __contains__(self, name: object) -> bool:
        # Each name is looked for in camelCase too.
        self.names |= {name} if isinstance(name, str) and name.islower() else set()
        return name in self._objects

    def __getitem__(self, name: str) -> Any:
        inner = Asked(())
        inner.names = self.names
        return inner

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def http_events() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in EVENTS:
        event = filled(path)
        if "requestContext" in event:
            yield path.name, event


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_relative_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    links = [link for link in _LINK.findall(prose(page)) if "://" not in link]

    broken = []
    for link in links:
        place, _, anchor = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)

    assert broken == []


def test_every_page_is_reachable_from_the_readme() -> None:
    seen: set[Path] = set()
    waiting = [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen:
            continue
        seen.add(page)
        places = (link.partition("#")[0] for link in _LINK.findall(prose(page)) if "://" not in link)
        waiting += [(page.parent / place).resolve() for place in places if place.endswith(".md")]

    assert set(PAGES) <= seen


def test_every_test_that_the_threat_model_names_exists_and_every_category_has_one() -> None:
    section = sections(ROOT / "docs" / "security.md")["OWASP's categories"]
    rows = [line for line in section.splitlines() if re.match(r"\| (LLM|\*?\*?ASI)", line)]
    written = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))

    named = [re.findall(r"`(test_\w+)`", row) for row in rows]

    assert all(named)
    assert {name for names in named for name in names if f"def {name}(" not in written} == set()
    assert {f"LLM{number:02}" for number in range(1, 11)} <= set(re.findall(r"LLM\d\d", section))
    assert {f"ASI{number:02}" for number in range(1, 11)} <= set(re.findall(r"ASI\d\d", section))


def test_every_route_of_the_template_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"^\| \[`([A-Z]+ /[^`]*)`\]", prose(ROOT / "docs" / "api.md"), re.MULTILINE))

    assert documented == routes()


def test_every_setting_is_documented_with_its_default() -> None:
    table = (ROOT / "docs" / "deadlines.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", table, re.MULTILINE))

    assert rows.keys() == DEFAULTS.keys()
    for name, default in DEFAULTS.items():
        shown = rows[name].strip().strip("`")
        expected = f"{default:g}" if isinstance(default, float) else str(default)
        assert shown.startswith(expected or "empty"), name


@pytest.mark.parametrize(
    ("page", "weights"), [("assembly.md", ASSEMBLY_WEIGHTS), ("query.md", QUERY_WEIGHTS)], ids=["assembly", "query"]
)
def test_the_weights_of_the_factors_are_those_of_the_code(page: str, weights: dict[str, float]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    cells = re.findall(r"^\| `([a-z]+)` \|(.*)\|$", text, re.MULTILINE)

    shown = {
        factor: float(number)
        for factor, row in cells
        if factor in weights
        for number in [next(cell.strip() for cell in row.split("|") if re.fullmatch(r"[\d.]+", cell.strip()))]
    }

    assert shown == pytest.approx(dict(weights))


def test_the_default_placement_is_said_once() -> None:
    said = [
        (page.name, name)
        for page in PAGES
        for name in re.findall(rf"`({'|'.join(PLACEMENTS)})` \(default\)", page.read_text(encoding="utf-8"))
    ]

    assert said == [("assembly.md", DEFAULT_PLACEMENT)]


@pytest.mark.parametrize(
    ("section", "parse"),
    [
        ("POST /v1/context/assemble", assembly.parse),
        ("POST /memory/query", query.parse),
        ("POST /v1/memories", lambda body: write_request.parse(body, now=datetime.now(UTC))),
        ("PATCH /v1/memories/{memory_id}", edit_request.parse),
        ("POST /v1/memories/{memory_id}/feedback", write_request.FEEDBACK.parse),
        ("POST /v1/erasures", erasure_request.parse),
        ("POST /v1/memories/{memory_id}/relations", write_request.NEW_RELATION.parse),
        ("PUT /v1/agents/{agent_id}/directive", write_request.NEW_DIRECTIVE.parse),
    ],
)
def test_every_field_that_a_route_reads_is_documented(section: str, parse: Any) -> None:
    body = Asked()

    with pytest.raises(InvalidRequest):
        parse(body)

    text = prose(ROOT / "docs" / "api.md").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    documented = {part for name in re.findall(r"`([a-z_.]+)`", text) for part in name.split(".")}
    assert body.names
    assert body.names - documented == set()


@pytest.mark.parametrize("path", [*PAGES, *EVENTS], ids=names([*PAGES, *EVENTS]))
def test_no_page_and_no_event_names_a_place_on_one_machine(path: Path) -> None:
    assert _MACHINE.findall(path.read_text(encoding="utf-8")) == []


def test_the_readme_stays_with_the_variables_of_the_client_file() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    written = {f"REMEMBRANCER_{name}" for name in ("URL", "API_KEY", "ORG_ID", "AGENT_ID")}

    used = set(re.findall(r"\$(REMEMBRANCER_\w+)", text))

    assert {field.name.upper() for field in fields(DevEnv)} == {name.removeprefix("REMEMBRANCER_") for name in written}
    assert used <= written


def test_every_alarm_is_in_the_runbook_and_no_other() -> None:
    documents = [
        load(path.read_text(encoding="utf-8")) for path in (ROOT / "template.yaml", *ROOT.glob("stacks/*.yaml"))
    ]
    alarms = {
        name
        for document in documents
        for name, resource in document["Resources"].items()
        if resource["Type"] == "AWS::CloudWatch::Alarm"
    }
    runbook = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    _, _, table = runbook.partition("## Alarms")
    table, _, _ = table.partition("### Slow assembly")

    explained = set(re.findall(r"`(\w+Alarm\w*)`", table)) - {"LatencyAlarmMs", "AlarmTopicArn"}

    assert len(alarms) > 20
    assert explained == alarms


@pytest.mark.parametrize("path", EVENTS, ids=names(EVENTS))
def test_every_event_is_listed_with_a_function_that_exists(path: Path) -> None:
    rows = re.findall(
        r"^\| `(\w+)` \|(.*)\|$", (ROOT / "events" / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )

    functions = [function for function, row in rows if f"({path.name})" in row]

    assert len(functions) == 1
    assert (ROOT / "functions" / functions[0] / "app.py").is_file()


def test_every_function_has_an_event() -> None:
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "events" / "README.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert set(rows) == {path.parent.name for path in (ROOT / "functions").glob("*/app.py")}


@pytest.mark.parametrize(("name", "event"), list(http_events()), ids=[name for name, _ in http_events()])
def test_the_route_of_every_http_event_is_in_the_template(name: str, event: dict[str, Any]) -> None:
    gateway = event["requestContext"].get("http")
    method, path = (gateway["method"], event["rawPath"]) if gateway else (event["httpMethod"], event["path"])
    served = {*routes(), *PROTOCOL_ROUTES}
    patterns = {route: re.compile(re.sub(r"\{\w+\}", "[^/]+", route)) for route in served}

    matching = [route for route, pattern in patterns.items() if pattern.fullmatch(f"{method} {path}")]

    assert matching, name
    assert event.get("routeKey", matching[0]) in matching
    if event.get("body"):
        json.loads(event["body"])


def test_the_bodies_of_the_events_are_accepted() -> None:
    bodies = {name: json.loads(event["body"]) for name, event in http_events() if event.get("body")}

    assembled = [assembly.parse(bodies[name]) for name in ("assemble.json", "assemble_alb.json")]
    asked = query.parse(bodies["query.json"])
    batch = write_request.NEW_MEMORIES.parse(bodies["memories_batch.json"])["memories"]

    assert str(assembled[0].agent_id) == VARIABLES["REMEMBRANCER_AGENT_ID"]
    assert assembled[0] == assembled[1]
    assert asked.k == 3
    assert len(batch) == 2


def test_queue_events_come_from_the_queues_of_the_template() -> None:
    events = [event for path in EVENTS if "Records" in (event := filled(path))]

    records = [record for event in events for record in event["Records"]]

    assert {record["eventSourceARN"].rsplit(":", 1)[1] for record in records} == {
        "EmbedQueue",
        "CaptureQueue",
        "SideEffectsQueue",
    }
    assert {record["eventSourceARN"].rsplit(":", 1)[1] for record in records} <= queues()
    for record in records:
        assert set(json.loads(record["body"])) >= {"org_id"}
