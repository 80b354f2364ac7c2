"""The whole product on one machine: servers, queues, functions and gateway, connected as in template.yaml."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from local import log_files, queues
from local import template as sam
from local.faults import http as faults_page
from local.faults.switches import FaultSwitches
from local.gateway import Gateway
from local.lambda_.instance import Sandbox
from local.lambda_.pool import FunctionPool
from local.queues import DrainTimeoutError, QueuePoller
from local.schedules import Rate
from local.servers import AwsServer, Cache, PostgresServer, cache_of
from local.servers.aws import BACKGROUND
from local.servers.ports import require_free
from local.servers.server import Server
from local.template import QueueSpec, QueueTrigger
from remembrancer.settings import DEFAULTS

ROOT = Path(__file__).resolve().parent.parent
PREWARMED = (
    "MemoriesFunction",
    "AssembleFunction",
    "QueryFunction",
    "EmbedFunction",
    "CaptureFunction",
    "SideEffectsFunction",
)
MIGRATION = "MigrateFunction"
_DRAIN_SECONDS = 10.0
# How long stopping waits for the work of schedules and queues; then functions are stopped, and their work is lost.
_WORK_SECONDS = 30.0
_SILENT_SECONDS = 2.0
_PAUSE_SECONDS = 0.02
_LOG_SECONDS = 1.0

# Variables with addresses of local servers are set in the functions' environment.
# A developer sees each request at once.
PARAMETERS = {"Stage": "local", "Inspector": "true", "LogEvery": "1"}

Step = Callable[[str], None]


class StackError(Exception):
    """The stack could not start; the message says what to do."""


@dataclass(frozen=True, slots=True)
class StackSettings:
    """`port` 0 takes a free one; servers in `existing` are used instead of embedded ones.

    For functions in `without`, queues are not read and schedules do not run. `start_seconds` is how long a
    function may take to start: on Lambda ten seconds, but here all processes share the processors.
    `visibility_seconds` is how long a failed message stays away, if not as long as in the template. `durable` is as for
    PostgresServer, `cache` one of `valkey_cluster.KINDS`.
    With `faults` the inspector has switches that break what the functions use: started stores are behind proxies.
    """

    directory: Path = ROOT / ".local"
    port: int = 3000
    models: Path = ROOT / "layers" / "models" / "build"
    instances: int = 4
    start_seconds: float = 60.0
    visibility_seconds: int | None = None
    durable: bool = True
    cache: str = "server"
    existing: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    faults: bool = False
    echo: Callable[[str], None] | None = None


class Stack:
    """Starts servers, functions, queues and the gateway; stops those that it started."""

    def __init__(self, settings: StackSettings) -> None:
        folder = settings.directory
        self._settings = settings
        self.postgres = PostgresServer(folder / "postgres", durable=settings.durable)
        self.valkey = cache_of(settings.cache, folder / "valkey")
        self.aws = AwsServer(folder / "aws")
        self.functions: dict[str, FunctionPool] = {}
        self._pollers: list[QueuePoller] = []
        self._schedules: list[Rate] = []
        self.faults = FaultSwitches(folder / "faults") if settings.faults else None
        self._gateway: Gateway | None = None
        self._logs: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """The base URL of the gateway, without a slash at its end."""
        if self._gateway is None:
            raise StackError("the stack has not started")
        return self._gateway.url

    @property
    def database_url(self) -> str:
        """Postgres as the role of the functions, to which row-level security applies."""
        return self._settings.existing.get("DATABASE_URL") or self.postgres.app_url

    @property
    def owner_database_url(self) -> str:
        """Postgres as the role that runs migrations and creates organizations."""
        existing = self._settings.existing
        return existing.get("OWNER_DATABASE_URL") or existing.get("DATABASE_URL") or self.postgres.owner_url

    @property
    def redis_url(self) -> str:
        """Redis, the embedded one or the one in `existing`; contains its password."""
        return self._settings.existing.get("REDIS_URL") or self.valkey.url

    @property
    def redis_cluster(self) -> str:
        """The setting REDIS_CLUSTER: whether Redis is in cluster mode."""
        existing = self._settings.existing
        return existing.get("REDIS_CLUSTER", "false") if "REDIS_URL" in existing else str(self.valkey.is_cluster)

    @property
    def aws_endpoint_url(self) -> str:
        """The endpoint of SQS and KMS: moto, unless `existing` has another."""
        return self._settings.existing.get("AWS_ENDPOINT_URL") or self.aws.endpoint_url

    @property
    def kms_key_id(self) -> str:
        """The KMS key that encrypts data keys; an existing AWS without it in `existing` has no encryption."""
        existing = self._settings.existing
        return "" if existing.get("AWS_ENDPOINT_URL") else self.aws.kms_key_id

    async def start(self, step: Step = lambda _: None) -> None:
        """Returns when requests are answered; after a failure, it stops what it had started."""
        try:
            await self._start(step)
        except BaseException as failure:
            try:
                await self.stop()
            except StackError as error:
                failure.add_note(str(error))
            raise

    async def stop(self) -> None:
        """Stops the gateway first, then queues, functions and servers; a second call does nothing.

        A part that fails or hangs does not prevent the others from being stopped; at the end a StackError names it.
        """
        gateway, self._gateway = self._gateway, None
        schedules, self._schedules = self._schedules, []
        pollers, self._pollers = self._pollers, []
        functions, self.functions = self.functions, {}
        logs, self._logs = self._logs, None
        stopping = _Stopping()
        if self.faults is not None:
            await stopping.step("the faults", self.faults.repair(), _WORK_SECONDS)
        if gateway is not None:
            await stopping.step("the front door", gateway.stop(), _WORK_SECONDS)
        await stopping.step("the schedules", _each(schedules, lambda schedule: schedule.stop()), _WORK_SECONDS)
        answered = await stopping.step("the queues", _drain(pollers), _DRAIN_SECONDS + _SILENT_SECONDS)
        await stopping.step(
            "the work of the queues",
            _each(pollers, lambda poller: poller.stop()),
            _WORK_SECONDS if answered else _SILENT_SECONDS,
        )
        await stopping.step("the functions", _each(functions.values(), lambda pool: pool.stop()))
        if self.faults is not None:
            await stopping.step("the proxies of the stores", self.faults.stop(), _WORK_SECONDS)
        await stopping.step("the servers", _each(self._servers(), lambda server: asyncio.to_thread(server.stop)))
        if logs is not None:
            logs.cancel()
        if stopping.failures:
            raise StackError(f"everything has stopped, but not as it should: {'; '.join(stopping.failures)}")

    async def invoke(self, function: str, event: Mapping[str, Any]) -> Any:
        """The function's answer to one event, invoked without the gateway; StackError when it failed."""
        result = await self.functions[function].invoke(json.dumps(event).encode())
        if result.error is not None:
            raise StackError(f"{function} failed: {result.error}")
        return json.loads(result.payload)

    async def drain(self, seconds: float = 60.0) -> None:
        """Returns when every queued message is done, and no function has work left to do after its response."""
        end = asyncio.get_running_loop().time() + seconds
        quiet = False
        while not quiet:
            await self._until_idle(end)
            await queues.drain(self._pollers, max(end - asyncio.get_running_loop().time(), 0.0))
            quiet = self._is_idle()

    async def _until_idle(self, end: float) -> None:
        while not self._is_idle():
            if asyncio.get_running_loop().time() > end:
                raise DrainTimeoutError("functions are still busy")
            await asyncio.sleep(_PAUSE_SECONDS)

    def _is_idle(self) -> bool:
        return all(pool.idle == pool.size for pool in self.functions.values())

    def _servers(self) -> list[Server | Cache]:
        existing = self._settings.existing
        servers: dict[str, Server | Cache] = {
            "DATABASE_URL": self.postgres,
            "REDIS_URL": self.valkey,
            "AWS_ENDPOINT_URL": self.aws,
        }
        return [server for name, server in servers.items() if not existing.get(name)]

    def _breakable(self) -> dict[str, Sequence[int]]:
        """The ports of the stores that this stack started."""
        existing = self._settings.existing
        ports: dict[str, Sequence[int]] = {}
        if not existing.get("DATABASE_URL"):
            ports["postgres"] = [self.postgres.port]
        return ports if existing.get("REDIS_URL") else {**ports, "redis": self.valkey.ports}

    async def _start(self, step: Step) -> None:
        if self._settings.port:
            require_free(self._settings.port, ("127.0.0.1",), wanted_by="The front door")
        self._logs = asyncio.get_running_loop().create_task(self._bound_logs())
        step("Starting Postgres, Valkey and local AWS")
        await _each(self._servers(), lambda server: asyncio.to_thread(server.start))
        if self.faults is not None:
            proxies = await self.faults.start(self._breakable())
            if "redis" in proxies:
                await asyncio.to_thread(self.valkey.announce, proxies["redis"])
        application = await self._wire()
        log_folder = self._settings.directory / "logs"
        for function in application.functions:
            sandbox = Sandbox(
                # The layers' source folders that contain packages; in a deployment these are in /opt/python.
                python_path=tuple(folder for folder in function.layers if any(folder.glob("*/__init__.py"))),
                init_limit_s=self._settings.start_seconds,
                provisioned=bool(function.provisioned_concurrency),
                # As on Lambda: code that relies on running between events fails here too.
                freeze=True,
                # Clients wait for the functions behind the gateway, but not for the others.
                niceness=0 if function.routes else BACKGROUND,
                runtime="awslambdaric" if self.faults is None else "local.faults.runtime",
            )
            self.functions[function.name] = FunctionPool(
                function, sandbox, log_folder=log_folder, maximum=self._settings.instances, echo=self._settings.echo
            )
        step("Migrating the database")
        await self.invoke(MIGRATION, {})
        step("Warming the functions")
        await _each(PREWARMED, lambda name: self.functions[name].prewarm(1))
        await self._open(application)

    async def _bound_logs(self) -> None:
        while True:
            await asyncio.to_thread(log_files.bound_all, self._settings.directory)
            await asyncio.sleep(_LOG_SECONDS)

    async def _wire(self) -> sam.Application:
        """Creates the queues and gives each function its environment."""
        path = ROOT / "template.yaml"
        client = queues.connect(self.aws_endpoint_url)
        urls = await asyncio.to_thread(queues.create, client, self._queue_specs(path))
        self._queues = (client, urls)
        models = self._settings.models
        environment = {
            "DATABASE_URL": self.database_url,
            "DATABASE_AUTH": "password",
            "DATABASE_CA_FILE": "",
            "REDIS_URL": self.redis_url,
            "REDIS_CLUSTER": self.redis_cluster,
            "AWS_ENDPOINT_URL": self.aws_endpoint_url,
            "KMS_KEY_ID": self.kms_key_id,
            "MODELS_DIR": str(models),
            "TIKTOKEN_CACHE_DIR": str(models / "tiktoken"),
            **self._settings.environment,
        }
        if self.faults is not None:
            environment |= {
                "DATABASE_URL": self.faults.through("postgres", self.database_url),
                "REDIS_URL": self.faults.through("redis", self.redis_url),
                "EMBEDDER_SWITCH": str(self.faults.embedder_file),
            }
        return sam.read(
            path,
            values={**PARAMETERS, **urls},
            environment=environment,
            function_environment={MIGRATION: {"DATABASE_URL": self.owner_database_url}},
        )

    def _queue_specs(self, path: Path) -> Sequence[QueueSpec]:
        seconds = self._settings.visibility_seconds
        specs = sam.read_queues(path, values=PARAMETERS)
        return specs if seconds is None else [replace(spec, visibility_timeout_s=seconds) for spec in specs]

    async def _open(self, application: sam.Application) -> None:
        client, urls = self._queues
        for function in application.functions:
            if function.name in self._settings.without:
                continue
            pool = self.functions[function.name]
            for trigger in function.queue_triggers:
                self._pollers.append(QueuePoller(client, urls[trigger.queue], _within_cores(trigger), pool))
            self._schedules += [Rate(schedule, pool) for schedule in function.schedules]
        await _each(self._pollers, lambda poller: poller.start())
        await _each(self._schedules, lambda schedule: schedule.start())
        routes = [
            (route, self.functions[function.name]) for function in application.functions for route in function.routes
        ]
        own = {}
        if self.faults is not None:
            page = faults_page.FaultsPage(self.faults)
            own = {f"{method} {faults_page.PATH}": page.answer for method in ("GET", "POST")}
        gateway = Gateway(routes, port=self._settings.port, own=own)
        await gateway.start()
        self._gateway = gateway


class _Stopping:
    """Runs the steps of stopping; a failed step does not prevent the next ones."""

    def __init__(self) -> None:
        self.failures: list[str] = []

    async def step(self, name: str, work: Awaitable[None], seconds: float | None = None) -> bool:
        """Whether the step succeeded within its time; if not, `failures` names it."""
        try:
            async with asyncio.timeout(seconds):
                await work
        except Exception as error:
            reason = "no answer in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
            self.failures.append(f"{name} ({reason})")
            return False
        return True


async def _drain(pollers: list[QueuePoller]) -> None:
    try:
        await queues.drain(pollers, _DRAIN_SECONDS)
    except DrainTimeoutError:
        # No embedding is lost: maintenance queues memories without a vector again.
        return


def chosen_settings(env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The engine's settings in the environment, except servers, queues and models, which the stack sets itself."""
    queue_urls = {name for name in DEFAULTS if name.endswith(("_QUEUE_URL", "_QUEUE_URLS"))}
    wired = {"DATABASE_URL", "REDIS_URL", "REDIS_CLUSTER", "AWS_ENDPOINT_URL", "MODELS_DIR"} | queue_urls
    return {name: env[name] for name in sorted(DEFAULTS.keys() - wired) if env.get(name)}


def existing_servers(env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The addresses of servers in the environment; these servers are used instead of embedded ones."""
    names = ("DATABASE_URL", "OWNER_DATABASE_URL", "REDIS_URL", "REDIS_CLUSTER", "AWS_ENDPOINT_URL")
    return {name: env[name] for name in names if env.get(name)}


def _within_cores(trigger: QueueTrigger) -> QueueTrigger:
    """The trigger with at most as many concurrent batches as cores: more would only make each batch slower."""
    cores = os.cpu_count() or 1
    return replace(trigger, maximum_concurrency=min(trigger.maximum_concurrency or cores, cores))


async def _each(items: Any, start: Callable[[Any], Awaitable[Any]]) -> None:
    """Starts all items concurrently and waits for all of them, then raises the first failure."""
    results = await asyncio.gather(*(start(item) for item in items), return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException):
            raise result
