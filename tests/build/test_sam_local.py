"""`sam local invoke` as a developer types it: every function as built, on Python 3.13 in a container, for every event.

The servers are those of the local stack, in reach of containers; the containers have queues of their own, so that what
they send is delivered by hand here and by nobody else. SAM's status is 0 whatever a function does: its output tells.
"""

import asyncio
import json
import os
import platform
import re
import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from local import queues
from local.sam_image import image, template
from local.sam_image.engine import ContainerEngine
from local.sam_image.invocation import Invoker
from local.sam_image.relay import Relay
from local.sam_image.template import HOST
from local.servers.ports import free_port
from local.template import QueueSpec
from tests.e2e.conftest import Loop, SampleTenant, Tenant, loop, provider, sample_tenant, stack

__all__ = ["loop", "provider", "sample_tenant", "stack"]

ROOT = Path(__file__).parents[2]
EVENTS = sorted((ROOT / "events").glob("*.json"))
# The others have a test of their own, which listens for the response.
ANSWERED = [path for path in EVENTS if "ResponseURL" not in path.read_text(encoding="utf-8")]
ARCHITECTURE = {"x86_64": "x86_64", "aarch64": "arm64"}[platform.machine()]
QUEUES = {
    "EMBED_QUEUE_URL": "ContainerEmbedQueue",
    "CAPTURE_QUEUE_URL": "ContainerCaptureQueue",
    "SIDE_EFFECTS_QUEUE_URL": "ContainerSideEffectsQueue",
}
FRESH_DATABASE = "remembrancer_fresh"
INVOCATION_SECONDS = 180


@dataclass(frozen=True)
class Containers:
    """Functions in containers beside the stack whose servers they use."""

    invoker: Invoker
    bridge_address: str
    functions: dict[str, str]
    """Logical id by folder in functions/."""
    queue_urls: dict[str, str]
    sample: SampleTenant
    home: Path

    @property
    def tenant(self) -> Tenant:
        return self.sample.tenant

    def invoke(self, folder: str, event: Any) -> Any:
        """The answer; fails with everything that SAM said when the function failed."""
        path = self.home / "event.json"
        path.write_text(json.dumps(event), encoding="utf-8")
        done = subprocess.run(
            self.invoker.command(self.functions[folder], path),
            env={"PATH": os.environ["PATH"], "HOME": str(self.home), **self.invoker.environment},
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INVOCATION_SECONDS,
            check=False,
        )
        said = f"{done.stdout}\n{done.stderr}"
        assert done.returncode == 0, said
        assert "timed out" not in done.stderr, said
        lines = done.stdout.strip().splitlines()
        assert lines, said
        answer = json.loads(lines[-1])
        assert not (isinstance(answer, dict) and "errorType" in answer), said
        return answer

    def received(self, queue: str) -> list[str]:
        """What waits in one of the containers' queues; it is taken out of there."""
        client = queues.connect(self.tenant.stack.aws_endpoint_url)
        url = self.queue_urls[queue]
        messages = client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", [])
        for message in messages:
            client.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in messages]

    def event(self, name: str) -> Any:
        """A file of events/ with key and ids filled in; the memory is the newest one."""
        listed = self.tenant.client.get("/v1/memories", params={"agent_id": self.tenant.agent_id, "limit": 1})
        values = {
            "REMEMBRANCER_API_KEY": self.tenant.client.headers["X-API-Key"],
            "REMEMBRANCER_ORG_ID": self.tenant.org_id,
            "REMEMBRANCER_AGENT_ID": self.tenant.agent_id,
            "REMEMBRANCER_MEMORY_ID": listed.json()["memories"][0]["id"],
            "REMEMBRANCER_CONVERSATION_ID": str(uuid4()),
        }
        text = (ROOT / "events" / name).read_text(encoding="utf-8")
        return json.loads(re.sub(r"\$\{(\w+)\}", lambda match: values[match[1]], text))

    def request(self, name: str, **changes: Any) -> Any:
        """The HTTP event of that file, with another body."""
        event = self.event(name)
        return {**event, "body": json.dumps({**json.loads(event["body"]), **changes})}


@pytest.fixture(scope="session")
def engine() -> Iterator[ContainerEngine]:
    with ContainerEngine() as engine:
        yield engine


@pytest.fixture(scope="session")
def image_name(engine: ContainerEngine) -> str:
    """What SAM_IMAGE says: "local", "official" for the one that SAM pulls, or the name of one that the engine has."""
    wanted = os.environ["SAM_IMAGE"]
    if wanted == "local":
        return image.ensure(engine, platform.machine())
    return "" if wanted == "official" else wanted


@pytest.fixture(scope="package")
def containers(
    engine: ContainerEngine,
    image_name: str,
    sample_tenant: SampleTenant,
    loop: Loop,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Containers]:
    stack = sample_tenant.tenant.stack
    relay = Relay(engine.bridge_address, (stack.postgres.port, stack.valkey.port, stack.aws.port))
    loop.run(relay.start())
    client = queues.connect(stack.aws_endpoint_url)
    urls = queues.create(client, [QueueSpec(name, visibility_timeout_s=600) for name in QUEUES.values()])
    queue_settings = {name: urls[queue] for name, queue in QUEUES.items()}
    environments = {
        function: {**_without_tokens(pool.spec.environment), **queue_settings}
        for function, pool in stack.functions.items()
    }
    home = tmp_path_factory.mktemp("home")
    files = template.write(ROOT / ".aws-sam" / ARCHITECTURE, environments, home / "sam", architecture=ARCHITECTURE)
    functions = {pool.spec.folder.name: name for name, pool in stack.functions.items()}
    invoker = Invoker(files, engine.address, image_name)
    yield Containers(invoker, engine.bridge_address, functions, urls, sample_tenant, home)
    loop.run(relay.stop())


def _without_tokens(environment: Mapping[str, str]) -> dict[str, str]:
    """The tests' identity provider has no https, which is asked of every one beyond the function's own machine."""
    return {name: value for name, value in environment.items() if not name.startswith("JWT_")}


def folder_of(path: Path) -> str:
    """The function that events/README.md sends the event to."""
    table = (ROOT / "events" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", table, re.MULTILINE)
    (folder,) = (folder for folder, row in rows if f"({path.name})" in row)
    return str(folder)


@pytest.mark.parametrize("path", ANSWERED, ids=lambda path: path.stem)
def test_every_event_is_answered_in_a_container(containers: Containers, path: Path) -> None:
    event = containers.event(path.name)
    if event.get("rawPath", "").endswith("/restore"):
        containers.tenant.client.delete(event["rawPath"].removesuffix("/restore"))

    answer = containers.invoke(folder_of(path), event)

    if "Records" in event:
        assert answer == {"batchItemFailures": []}
    elif "requestContext" in event:
        assert answer["statusCode"] in {200, 201, 202, 207}, answer
        assert all(map(json.loads, documents_of(answer)))
    else:
        assert isinstance(answer, dict)


def documents_of(answer: Any) -> list[str]:
    """The body, or its lines where each is a document of its own."""
    body = str(answer["body"])
    assert body
    return body.strip().split("\n") if "ndjson" in answer["headers"]["content-type"] else [body]


def test_every_function_has_an_event(containers: Containers) -> None:
    assert {folder_of(path) for path in EVENTS} == containers.functions.keys()


def test_what_one_container_writes_another_embeds_and_others_find(containers: Containers) -> None:
    content = "The lighthouse keeper's lamp runs on rapeseed oil"
    question = "What fuels the light at the tower?"
    containers.received("ContainerEmbedQueue")

    written = containers.invoke("memories", containers.request("memories_create.json", content=content, tags=[]))
    (message,) = containers.received("ContainerEmbedQueue")
    embedded = containers.invoke("embed", delivered(containers.event("embed.json"), message))
    found = containers.invoke("query", containers.request("query.json", query=question))
    assembly = containers.request("assemble.json", messages=[{"role": "user", "content": question}])
    assembled = containers.invoke("assemble", assembly)

    assert written["statusCode"] == 202
    assert json.loads(message)["memory_id"] == json.loads(written["body"])["id"]
    assert embedded == {"batchItemFailures": []}
    assert content in [memory["content"] for memory in json.loads(found["body"])["memories"]]
    assert json.loads(assembled["body"])["metadata"]["fallback_reason"] == ""
    assert content in assembled["body"]


def test_what_was_used_is_counted(containers: Containers) -> None:
    containers.received("ContainerSideEffectsQueue")
    assembled = containers.invoke("assemble", containers.event("assemble.json"))

    messages = containers.received("ContainerSideEffectsQueue")
    counted = containers.invoke("side_effects", delivered(containers.event("side_effects.json"), *messages))

    assert json.loads(assembled["body"])["metadata"]["memories_injected"] > 0
    assert len(messages) == 1
    assert counted == {"batchItemFailures": []}


def delivered(event: Any, *bodies: str) -> Any:
    """The queue event with other messages."""
    (record,) = event["Records"]
    return {"Records": [{**record, "messageId": str(number), "body": body} for number, body in enumerate(bodies)]}


def test_a_deployment_migrates_and_hears_of_it(containers: Containers) -> None:
    heard: Queue[dict[str, Any]] = Queue()

    class Response(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            heard.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    port = free_port((containers.bridge_address,))
    server = HTTPServer((containers.bridge_address, port), Response)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        event = {**containers.event("migrate_custom_resource.json"), "ResponseURL": f"http://{HOST}:{port}/response"}
        containers.invoke("migrate", event)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

    assert heard.get_nowait()["Status"] == "SUCCESS"


def test_an_empty_database_is_migrated_from_the_layer(containers: Containers) -> None:
    files = containers.invoker.files
    original = files.variables.read_text(encoding="utf-8")
    variables = json.loads(original)
    migrate = variables[containers.functions["migrate"]]
    migrate["DATABASE_URL"] = urlunsplit(urlsplit(migrate["DATABASE_URL"])._replace(path=f"/{FRESH_DATABASE}"))
    asyncio.run(create_database(containers.tenant.stack.postgres.superuser_url))
    files.variables.write_text(json.dumps(variables), encoding="utf-8")

    try:
        answer = containers.invoke("migrate", {})
    finally:
        files.variables.write_text(original, encoding="utf-8")

    shipped = sorted((ROOT / "layers" / "engine").rglob("migrations/*.sql"))
    assert answer["applied"] == [int(path.name[:4]) for path in shipped]


async def create_database(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        create = sql.SQL("CREATE DATABASE {} OWNER remembrancer_owner").format(sql.Identifier(FRESH_DATABASE))
        await connection.execute(create)
