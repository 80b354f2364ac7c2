"""Check everything that the service depends on, and say how to fix problems.

Then it asks the agent for one assembly with a client's deadline (`--deadline-ms`). If that is incomplete, it says what
was late, and which deadline would be long enough.
"""

import platform
import sys
import warnings
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from importlib import metadata

import httpx
import psycopg
from redis import exceptions
from redis.asyncio import Redis

from local.cli.command import CommandError
from local.cli.connection import Service, add_service_arguments, database_url, redis_url, service
from local.cli.terminal import Terminal
from local.refusals import json_object
from local.stack import ROOT
from remembrancer.adapters.postgres import migrations
from remembrancer.adapters.postgres.migrations import packaged
from remembrancer.errors import ConfigurationError
from remembrancer_client import Assembled, AsyncClient
from remembrancer_client.async_client import DEADLINE_MS
from remembrancer_client.explanations import missing

_OLDEST_PYTHON = (3, 11)
_OLDEST_POSTGRES = 160_000
_OLDEST_VECTOR = (0, 8)
_OLDEST_REDIS = (7, 0)
_SECONDS = 5
_MODELS = ("embedding/model.onnx", "embedding/model.json", "embedding/tokenizer.json", "tiktoken")
_QUESTION = ({"role": "user", "content": "What should I know?"},)
_MODEL = "gpt-4o"
_PATIENT_MS = 5000.0
_STEP_MS = 50.0
_START = "start it, or run `make run`"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check, and how to fix it."""

    name: str
    ok: bool
    found: str
    advice: str = ""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--deadline-ms",
        type=positive,
        default=DEADLINE_MS,
        help=f"the deadline that your clients send; {DEADLINE_MS:.0f} is their default",
    )
    add_service_arguments(parser)


async def run(arguments: Namespace, terminal: Terminal) -> bool:
    """Returns True when every check passed."""
    checks = [_python(), *_packages(), _models()]
    remote: tuple[Callable[[Namespace], Awaitable[list[Check]]], ...] = (_postgres, _redis, _api)
    with terminal.waiting("Asking Postgres, Redis and the API"):
        for look in remote:
            checks += await look(arguments)
    healthy = all(check.ok for check in checks)
    if not terminal.as_json:
        rows = [("ok" if check.ok else "no", check.name, check.found, check.advice) for check in checks]
        terminal.table(("", "checked", "found", "do"), rows)
    terminal.result({"healthy": healthy, "checks": [asdict(check) for check in checks]})
    return healthy


def positive(text: str) -> float:
    """A number of milliseconds above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ArgumentTypeError("must be above 0")
    return value


def _python() -> Check:
    ok = sys.version_info >= _OLDEST_PYTHON
    return Check(
        "Python", ok, platform.python_version(), "" if ok else "use Python 3.11 or newer: make PYTHON=python3.12"
    )


def _packages() -> list[Check]:
    """Checks that the functions' packages have the versions that the project names."""
    wrong = []
    for text in metadata.requires("remembrancer") or []:
        requirement, _, condition = text.partition(";")
        name, _, wanted = requirement.strip().partition("==")
        if condition or not wanted:
            continue
        try:
            found = metadata.version(name.partition("[")[0])
        except metadata.PackageNotFoundError:
            found = "nothing"
        if found != wanted:
            wrong.append(f"{name} {found} instead of {wanted}")
    advice = "run `make run` or `make test`, which install them" if wrong else ""
    return [Check("packages", not wrong, "; ".join(wrong) or "as pinned", advice)]


def _models() -> Check:
    folder = ROOT / "layers" / "models" / "build"
    missing = [name for name in _MODELS if not (folder / name).exists()]
    found = f"missing: {', '.join(missing)}" if missing else "built"
    return Check("models layer", not missing, found, "run `make models`" if missing else "")


async def _postgres(arguments: Namespace) -> list[Check]:
    try:
        url = database_url(arguments.directory)
        connection = await psycopg.AsyncConnection.connect(url, connect_timeout=_SECONDS, autocommit=True)
    except CommandError as error:
        return [Check("Postgres", False, "no address", str(error))]
    except psycopg.OperationalError as error:
        return [Check("Postgres", False, str(error).splitlines()[0], _START)]
    async with connection:
        version = connection.info.server_version
        old = version < _OLDEST_POSTGRES
        checks = [Check("Postgres", not old, str(version // 10_000), "use Postgres 16 or newer" if old else "")]
        cursor = await connection.execute(
            "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector'), "
            "rolsuper OR rolbypassrls, rolname, to_regclass('public.agents') IS NOT NULL "
            "FROM pg_roles WHERE rolname = current_user"
        )
        row = await cursor.fetchone()
    assert row is not None
    vector, unbound, role, migrated = row
    fine = vector is not None and _numbers(vector) >= _OLDEST_VECTOR
    checks.append(Check("pgvector", fine, vector or "none", "" if fine else "install pgvector 0.8 or newer"))
    advice = "use a role without SUPERUSER and BYPASSRLS: it sees every organization" if unbound else ""
    checks.append(Check("database role", not unbound, role, advice))
    return [*checks, await _schema(arguments, migrated=migrated)]


async def _schema(arguments: Namespace, *, migrated: bool) -> Check:
    """Only the owner may read the ledger. A schema that newer code has migrated serves this version too."""
    newest = len(packaged())
    if not migrated:
        return Check("schema", False, "none", "run the migrate function, or `make run`")
    try:
        current = await migrations.check(database_url(arguments.directory, owner=True), packaged())
    except ConfigurationError as error:
        return Check("schema", False, str(error), "use the version that migrated it, or a newer one")
    except (CommandError, psycopg.Error):
        return Check("schema", True, "there; its number is for the owner to read: set OWNER_DATABASE_URL")
    if current > newest:
        return Check("schema", True, f"{current}, newer than this version's {newest}, and good for it")
    advice = "run the migrate function, or `make run`" if current < newest else ""
    return Check("schema", current == newest, f"{current} of {newest}", advice)


async def _redis(arguments: Namespace) -> list[Check]:
    try:
        url = redis_url(arguments.directory)
    except CommandError as error:
        return [Check("Redis", False, "no address", str(error))]
    try:
        async with Redis.from_url(url, socket_timeout=_SECONDS, socket_connect_timeout=_SECONDS) as client:
            about = await client.info("server")
    except (exceptions.RedisError, OSError) as error:
        return [Check("Redis", False, type(error).__name__, f"{_START}; without it everything is slower and right")]
    version = str(about.get("valkey_version") or about["redis_version"])
    fine = _numbers(version) >= _OLDEST_REDIS
    return [Check("Redis", fine, version, "" if fine else "use Redis 7 or Valkey")]


async def _api(arguments: Namespace) -> list[Check]:
    """Checks that the API is ready and accepts the key."""
    try:
        api = service(arguments)
    except CommandError as error:
        return [Check("API", False, "no address", str(error))]
    async with api.client() as client:
        try:
            ready = await client.get("/v1/ready")
            known = await client.get("/v1/agents")
        except httpx.HTTPError as error:
            return [Check("API", False, f"{api.url}: {type(error).__name__}", _START)]
    found = ", ".join(f"{name} {state}" for name, state in (json_object(ready) or {}).get("checks", {}).items())
    advice = "" if ready.status_code == 200 else "look at the checks above, and at the function's log"
    checks = [Check("API", ready.status_code == 200, found or str(ready.status_code), advice)]
    accepted = known.status_code in {200, 403}
    advice = "" if accepted else "set REMEMBRANCER_API_KEY to a key of this deployment"
    checks.append(Check("API key", accepted, "known" if accepted else f"answer {known.status_code}", advice))
    return [*checks, await _assembly(api, arguments.deadline_ms)] if accepted else checks


async def _assembly(api: Service, deadline_ms: float) -> Check:
    """Asks as a client does, on a connection that is open."""
    name = "assembly"
    if not api.agent_id:
        return Check(name, True, "not asked", "set REMEMBRANCER_AGENT_ID to try one")
    refusals: list[str] = []
    client = AsyncClient(
        api.url,
        api.api_key,
        org_id=api.org_id or None,
        agent_id=api.agent_id,
        on_refused=lambda code, message: refusals.append(f"{code}: {message}"),
    )

    async def answer(within_ms: float) -> Assembled:
        return await client.assemble(
            _QUESTION, model=_MODEL, user_id=api.end_user or api.user_id or None, deadline_ms=within_ms
        )

    async with client:
        with warnings.catch_warnings():
            # The client warns of refusals, which are told below.
            warnings.simplefilter("ignore")
            # An instance that starts, and caches that are empty, are not what clients meet.
            await answer(_PATIENT_MS)
            found = await answer(deadline_ms)
            if not found.reason:
                return Check(name, True, f"complete after {found.elapsed_ms:.0f} of {deadline_ms:.0f} ms")
            said = f"within {deadline_ms:.0f} ms: {' '.join(refusals) or missing(found.reason.split(','))}"
            if refusals:
                return Check(name, False, said, "mend what it names: key, scope `assemble`, REMEMBRANCER_AGENT_ID")
            patient = await answer(_PATIENT_MS)
    if patient.reason:
        return Check(
            name, False, f"{said} Within {_PATIENT_MS:.0f} ms too: {missing(patient.reason.split(','))}",
            "look at the checks above, and at the function's log",
        )  # fmt: skip
    wanted = max(2 * deadline_ms, -(-2 * patient.elapsed_ms // _STEP_MS) * _STEP_MS)
    return Check(
        name, False, f"{said} With a longer deadline complete after {patient.elapsed_ms:.0f} ms.",
        f"send a deadline of {wanted:.0f} ms: `deadline_ms`, X-Deadline-Ms, REMEMBRANCER_DEADLINE_MS of the hook",
    )  # fmt: skip


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
