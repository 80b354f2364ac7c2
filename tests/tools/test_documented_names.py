"""Every name that a page uses exists, and what exists and concerns readers is named."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from remembrancer.settings import DEFAULTS
from remembrancer.usecases.assembly import compose
from tests.unit.documents import ENGINE, PAGES, ROOT, all_blocks, inline, names, prose, sections, trees, whole

SOURCES = (
    "layers",
    "functions",
    "local",
    "benchmarks",
    "proto",
    "events",
    "scripts",
    "stacks",
    "clients/python",
    "clients/typescript/src",
    "containers",
)
FILES = ("template.yaml", "compose.yaml", "Makefile", "pyproject.toml", "samconfig.toml")
# Of others: AWS, Postgres, coding agents, frameworks, gateways, the web server, the reader's own; and what containers
# make of metrics' names.
FOREIGN = {
    "FORWARDED_ALLOW_IPS",
    "remembrancer_assembly_latency_seconds",
    "remembrancer_fallback_total",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "CLAUDE_CODE",
    "count_tokens",
    "hook_results",
    "http_headers",
    "invoke_async",
    "run_stream",
    "run_sync",
    "stream_async",
    "INIT_REPORT",
    "REPORT",
    "CREATE_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_ROLLBACK_COMPLETE",
    "UPDATE_ROLLBACK_FAILED",
    "ApproximateAgeOfOldestMessageInQuietGroups",
    "ApproximateNumberOfNoisyGroups",
    "pg_stat_statements",
    "DatabaseConnectionsCurrentlySessionPinned",
    "WAIT_MS",
    "ThrottlingException",
    "StatusCode",
}
# Degraded sources are named by what became of them.
OUTCOMES = ("_timeout", "_error")


@cache
def known() -> frozenset[str]:
    """Every word of the code; settings also as their variables."""
    paths = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    readable = {".py", ".yaml", ".sql", ".proto", ".toml", ".json", ".lua", ".txt"}
    texts = [
        path.read_text(encoding="utf-8")
        for path in (*paths, *(ROOT / name for name in FILES))
        if (path.suffix in readable or path.name in FILES) and "build" not in path.parts
    ]
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return frozenset(words | DEFAULTS.keys() | FOREIGN)


def is_known(name: str) -> bool:
    stems = [name, name.strip("_"), *(name.removesuffix(outcome) for outcome in OUTCOMES)]
    return any(stem in known() for stem in stems)


@cache
def files() -> frozenset[str]:
    """Names of all files, and of those that are made."""
    tracked = [path for folder in (*SOURCES, "tests", "docs") for path in (ROOT / folder).rglob("*")]
    return frozenset(path.name for path in (*tracked, *ROOT.iterdir()))


def is_name(text: str) -> bool:
    """A name with an underscore, or of several capitalised words."""
    return "_" in text.strip("_") or re.fullmatch(r"(?:[A-Z][a-z0-9]+){2,}", text) is not None


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_name_between_backticks_is_one_of_the_code(page: Path) -> None:
    unknown = [
        f"`{name}` (in `{code}`)"
        for code in inline(page)
        if not re.search(r"\.(py|json|md|log|toml|txt|yaml)\b", code)
        for name in re.findall(r"[A-Za-z_]\w*", code)
        if is_name(name) and not is_known(name)
    ]

    assert unknown == [], "no code has these names: say what it is called now"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_every_source_file_that_is_named_exists(page: Path) -> None:
    paths = [code for code in inline(page) if re.fullmatch(r"[\w./-]+\.(py|sql|toml|yaml|txt|proto|md)", code)]

    missing = [
        path
        for path in paths
        if not any((base / path).exists() for base in (ROOT, ENGINE, ENGINE / "usecases", page.parent))
        and ("/" in path or path not in files())
    ]

    assert missing == [], "there are no such files"


def test_every_metric_of_the_code_is_in_the_table_and_no_other() -> None:
    table = whole(ROOT / "docs" / "operations.md").partition("### Metrics")[2].partition("### Logs")[0]
    documented = {
        name: set(re.findall(r"`(\w+)`", dimensions))
        for name, dimensions in re.findall(r"^\| `(\w+)` \| [^|]+\| ([^|]*)\|", table, re.MULTILINE)
    }

    counted: dict[Any, set[str]] = {}
    for tree in trees().values():
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and _called(node) in {"count", "duration", "size", "note", "_note"}
                and node.args
            ):
                name = getattr(node.args[0], "value", None)
                if _is_metric(name):
                    counted.setdefault(name, set()).update(
                        keyword.arg.removeprefix("by_") for keyword in node.keywords if keyword.arg
                    )

    assert counted.keys() - documented.keys() == set(), "docs/operations.md, Metrics, does not name these"
    assert documented.keys() - counted.keys() == set(), "docs/operations.md, Metrics: no code counts these"
    for name, dimensions in counted.items():
        assert dimensions <= documented[name], name


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_metric(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[A-Z][A-Za-z]+", value) is not None


def test_every_log_message_of_the_runtime_is_in_the_operators_guide() -> None:
    logs = whole(ROOT / "docs" / "operations.md").partition("### Logs")[2].partition("\n## ")[0]
    documented = set(re.findall(r"`(\w+)`", logs))

    written = {
        node.args[0].value
        for path, tree in trees().items()
        if "runtime" in path.parts
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in {"info", "warning", "error", "exception"}
        if node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    }

    assert len(written) > 5
    assert written - documented == set(), "docs/operations.md, Logs, does not name these messages"


def test_every_table_of_the_schema_is_described_and_no_other() -> None:
    migrations = "".join(
        path.read_text(encoding="utf-8") for path in sorted((ENGINE / "adapters/postgres/migrations").glob("*.sql"))
    )
    created = set(re.findall(r"^CREATE TABLE (?:IF NOT EXISTS )?(\w+)(?! PARTITION)", migrations, re.MULTILINE))
    dropped = set(re.findall(r"^DROP TABLE (?:IF EXISTS )?(\w+)", migrations, re.MULTILINE))
    tables = sections(ROOT / "docs" / "architecture.md")["Tables"]
    described = set(re.findall(r"^\| `(\w+)` \|", tables, re.MULTILINE))

    assert described == {table for table in created - dropped if "PARTITION" not in table} | {"schema_migrations"}


def test_the_list_of_decisions_is_complete_and_in_order() -> None:
    page = ROOT / "docs" / "README.md"
    listed = re.findall(r"^(\d+)\. \[([^\]]+)\]\((adr/[^)]+)\)$", sections(page)["Decisions"], re.MULTILINE)

    decisions = []
    for path in sorted((ROOT / "docs" / "adr").glob("*.md")):
        number, _, _ = whole(path).partition("\n")[0].removeprefix("# ").partition(". ")
        assert int(path.name[:4]) == int(number), f"{path.name} calls itself {number}"
        decisions.append((number, f"adr/{path.name}"))

    assert [(number, link) for number, _, link in listed] == decisions


def test_every_page_is_in_the_table_of_contents() -> None:
    contents = whole(ROOT / "docs" / "README.md").partition("## Words")[0]

    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}

    assert set(re.findall(r"^\| \[[^\]]+\]\((\w[\w-]*\.md)\)", contents, re.MULTILINE)) == pages


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_nothing_is_called_missing_or_unused_without_a_reader_having_looked_again(page: Path) -> None:
    # Each is a promise that code keeps breaking silently: name the thing as it is, or add it here with its reason.
    allowed = {
        "docs/README.md": 1,  # what is planned is named as not there
    }

    found = re.findall(
        r"[Nn]ot there yet|as not there|not used in this version|depends on it yet|do(?:es)? not \w+ them yet",
        prose(page),
    )

    assert len(found) == allowed.get(str(page.relative_to(ROOT)), 0), found


def test_settings_that_are_called_unused_are_unused() -> None:
    table = whole(ROOT / "docs" / "deadlines.md")
    unused = set(re.findall(r"^\| `([A-Z_]+)` \|[^|]*\|[^|]*not used in this version", table, re.MULTILINE))
    read = {node.attr for tree in trees().values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}

    assert {name for name in DEFAULTS if name.lower() not in read} == unused


def test_every_python_block_is_python() -> None:
    for block in all_blocks("python"):
        compile(block.text, block.place, "exec")


def test_every_reason_of_a_fallback_is_in_the_table() -> None:
    table = sections(ROOT / "docs" / "deadlines.md")["Fallback reasons"]
    told = {code.partition(":")[0] for code in re.findall(r"`([\w:]+)`", table)}

    written = {
        node.value
        for path, tree in trees().items()
        if path.name in {"assemble.py", "compose.py", "assembly_api.py"}
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"[a-z]+_(?:timeout|error)", node.value)
    }
    sources = {f"{source}_{outcome}" for source in compose.SOURCES for outcome in ("timeout", "error")}

    assert (written | sources) - told == set(), "docs/deadlines.md, Fallback reasons, does not name these"


def test_every_disposition_of_a_candidate_is_named() -> None:
    section = sections(ROOT / "docs" / "api.md")["POST /v1/context/assemble"]
    [row] = re.findall(r"^\| `candidates` \|(.*)\|$", section, re.MULTILINE)
    code = "".join(
        (ENGINE / name).read_text(encoding="utf-8")
        for name in ("usecases/assembly/compose.py", "usecases/assembly/scoring.py", "domain/context/packer.py")
    )

    told = set(re.findall(r"\w+", row[row.index("disposition") :].partition("(")[2].partition(")")[0]))

    assert {"included", "floor", "budget", "duplicate", "filtered", "redacted", "silence", "told", "pinned"} == told
    assert {one for one in told if f'"{one}"' not in code} == set()


def test_every_key_of_redis_is_in_the_table_and_no_other() -> None:
    table = sections(ROOT / "docs" / "architecture.md")["Redis keys"]
    told = set(re.findall(r"^\| `(?:\{org_id\}:)?([a-z_]+):?[^`]*` \|", table, re.MULTILINE))
    code = "".join(path.read_text(encoding="utf-8") for path in (ENGINE / "adapters" / "redis").glob("*.py"))

    literal = r'f"(?:\{org_id\}:)?([a-z_]+)(?::[^"]*)?\{'
    made = set(re.findall(r'f"\{org_id\}:([a-z_]+)', code)) | set(re.findall(r'_key\(org_id, f?"([a-z_]+)', code))
    made |= {name for name in re.findall(literal, code) if f'f"{name}:{{' in code}

    assert made - told == set(), "docs/architecture.md, Redis keys, does not name these"
    assert {name for name in told if not re.search(rf"\b{name}\b", code)} == set(), "no code makes these"
