"""Nothing before the credential: what an assembly instance does and says for who has not been accepted.

Through the function's handler, on real servers; only the check of a credential can be made slow.
"""

import asyncio
import gzip
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import pytest
from awslambdaric.lambda_context import LambdaContext

from local.servers import Cache, PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
from remembrancer.adapters.postgres.identity.api_keys import PostgresApiKeys
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api, connect
from remembrancer.domain.identity.key_request import KeyRequest
from remembrancer.domain.identity.scope import Principal, RateLimit
from remembrancer.keys import fingerprint, new_api_key
from remembrancer.ports.identity import Credentials
from remembrancer.runtime.http import messages
from remembrancer.runtime.http.router import http_handler
from remembrancer.usecases.assembly.retriever import Retriever
from remembrancer.usecases.identity import authorise
from tests.integration.engine.tenant import Tenant

JSON = "/v1/context/assemble"
CONNECT = "/remembrancer.context.v1.ContextAssemblyService/AssembleContext"
REFUSALS = 5
WORD = "leukemia"


@dataclass
class Slowed:
    """The Credentials port over another, which can be made slow."""

    real: Credentials
    seconds: float = 0.0
    asked: int = 0
    answered: int = 0

    async def resolve(self, key_sha256: bytes) -> Principal | None:
        self.asked += 1
        try:
            await asyncio.sleep(self.seconds)
            return await self.real.resolve(key_sha256)
        finally:
            self.answered += 1

    async def limit(self, org_id: UUID) -> RateLimit | None:
        return await self.real.limit(org_id)


@dataclass
class Rig:
    """One warm assembly function, and what it was asked to retrieve and to read."""

    instance: Instance
    credentials: Slowed
    handle: Callable[[dict[str, Any], Any], dict[str, Any]]
    retrieved: list[UUID] = field(default_factory=list)
    parsed: list[int] = field(default_factory=list)

    async def ask(
        self,
        tenant: Tenant,
        key: str | None,
        *,
        path: str = JSON,
        deadline_ms: float | None = None,
        address: str = "203.0.113.7",
        agent_id: UUID | None = None,
        body: str | None = None,
        through_alb: bool = False,
    ) -> tuple[int, dict[str, Any], dict[str, str]]:
        """Status, body without the request's id, headers."""
        asked = {
            "org_id": str(tenant.org_id),
            "agent_id": str(agent_id or tenant.agent_id),
            "model": "gpt-4o",
            "request_id": "r",
            "messages": [{"role": "user", "content": f"Who has {WORD}?"}],
        }
        headers = {"content-type": "application/json", "x-request-id": "r"}
        headers |= {"x-api-key": key} if key else {}
        headers |= {"x-deadline-ms": str(deadline_ms)} if deadline_ms else {}
        event = {
            "version": "2.0",
            "rawPath": path,
            "headers": headers,
            "requestContext": {"http": {"method": "POST", "path": path, "sourceIp": address}},
            "body": json.dumps(asked) if body is None else body,
            "isBase64Encoded": False,
        }
        if through_alb:
            event = {
                "requestContext": {"elb": {"targetGroupArn": "arn:aws:elasticloadbalancing:::targetgroup/t/1"}},
                "httpMethod": "POST",
                "path": path,
                "headers": {**headers, "X-Forwarded-For": f"{uuid4()}, {address}"},
                "body": event["body"],
            }
        context = LambdaContext("invocation-1", {}, {}, int((time.time() + 60) * 1000))
        answer = await asyncio.to_thread(self.handle, event, context)
        return answer["statusCode"], json.loads(answer["body"]), answer["headers"]


@pytest.fixture
async def rig(
    migrated: PostgresServer, valkey_server: Cache, counter: TiktokenCounter, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Rig]:
    environment = {
        "DATABASE_URL": migrated.app_url,
        **valkey_server.environment,
        "MODELS_DIR": str(StackSettings().models),
        "AWS_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "REFUSAL_LIMIT_PER_SECOND": "0.001",
        "REFUSAL_LIMIT_BURST": str(REFUSALS),
        # A busy machine does not turn a test of content into a test of speed.
        **dict.fromkeys(("DIRECTIVE_MS", "HOT_MS", "COLD_MS", "LEXICAL_MS", "RETRIEVAL_MS"), "2000"),
        "ASSEMBLY_MS": "2500",
    }
    monkeypatch.setattr(authorise, "RATE_SECONDS", 2.0)
    instance = await asyncio.to_thread(Instance, environment)
    # To read the vocabularies takes longer than most of these tests.
    instance.__dict__["counter"] = counter
    slowed = instance.__dict__["credentials"] = Slowed(instance.credentials)
    api = await asyncio.to_thread(assembly_api, instance)
    handle = http_handler(
        {f"POST {JSON}": api.assemble, f"POST {CONNECT}": api.assemble},
        dialects={f"POST {CONNECT}": connect(instance)},
        loop=instance.loop,
        after_response=instance.after_response,
        last_resort=api.last_resort,
        within_ms=api.within_ms,
    )
    made = Rig(instance, slowed, handle)
    retrieve, parse = Retriever.retrieve, messages.parse_json

    async def noted(self: Retriever, plan: Any, *arguments: Any, **options: Any) -> Any:
        made.retrieved.append(plan.request.agent_id)
        return await retrieve(self, plan, *arguments, **options)

    def read(body: bytes) -> Any:
        made.parsed.append(len(body))
        return parse(body)

    monkeypatch.setattr(Retriever, "retrieve", noted)
    monkeypatch.setattr(messages, "parse_json", read)
    monkeypatch.setattr("remembrancer.runtime.http.connect.parse_json", read)
    yield made
    while slowed.answered < slowed.asked:
        await asyncio.sleep(0.02)
    for end in (instance.database.close, instance.redis.close):
        await asyncio.to_thread(instance.loop.run, end())
    instance.packaged_embedder.close()


async def new_key(tenant: Tenant) -> str:
    text = new_api_key()
    await PostgresApiKeys(tenant.database).create(
        tenant.principal, uuid4(), fingerprint(text), KeyRequest("test", ("assemble",))
    )
    return text


@pytest.fixture
async def remembering(tenant: Tenant) -> Tenant:
    await tenant.remember_texts(f"Somebody here has {WORD}.")
    return tenant


@pytest.fixture
async def key(tenant: Tenant) -> str:
    """A key of the tenant's."""
    return await new_key(tenant)


def told(answer: tuple[int, dict[str, Any], dict[str, str]]) -> tuple[int, dict[str, Any], dict[str, str]]:
    """All of an answer but the time that it took."""
    status, body, headers = answer
    kept = json.loads(json.dumps(body))
    metadata = kept.get("metadata", {})
    for place, name in ((metadata, "timings_ms"), (metadata, "timingsMs")):
        if name in place:
            assert place[name].keys() == {"total"}
            del place[name]
    shown = dict(headers)
    if timing := shown.pop("server-timing", ""):
        assert [entry.partition(";")[0] for entry in timing.split(", ")] == ["total"]
    return status, kept, shown


@pytest.mark.parametrize("path", [JSON, CONNECT])
@pytest.mark.parametrize("deadline_ms", [5, 17, 40, 300])
async def test_a_key_that_cannot_be_checked_in_time_learns_nothing_and_starts_nothing(
    rig: Rig, remembering: Tenant, key: str, path: str, deadline_ms: int
) -> None:
    rig.credentials.seconds = 0.5

    answers = [
        told(await rig.ask(remembering, text, path=path, deadline_ms=deadline_ms, agent_id=agent_id))
        for text, agent_id in (("made-up", None), ("made-up-too", uuid4()), (key, None))
    ]
    retrieved = list(rig.retrieved)

    status, body, _ = answers[0]
    assert status == 200
    assert body["metadata"]["fallback_reason"] in {"credential_timeout", "assembly_timeout"}
    assert not body["metadata"]["sources"]
    assert body["messages"] == [{"role": "user", "content": f"Who has {WORD}?"}]
    assert retrieved == []
    for status, body, _ in answers:
        assert (status, body["metadata"]["sources"]) == (200, {})


async def test_an_unknown_key_is_refused_before_its_body_is_read(rig: Rig, remembering: Tenant) -> None:
    bodies = [None, "{", gzip.compress(b"{}").decode("latin-1"), "[" * 1000]

    answers = [
        await rig.ask(remembering, f"made-up-{n}", body=body, path=path)
        for n, (body, path) in enumerate(zip(bodies, (JSON, JSON, CONNECT, CONNECT), strict=True))
    ]

    assert [answer[0] for answer in answers] == [401] * 4
    assert (rig.parsed, rig.retrieved) == ([], [])


async def test_a_key_of_another_organization_is_refused_without_a_search(
    rig: Rig, remembering: Tenant, stranger: Tenant
) -> None:
    foreign = await new_key(stranger)

    first = await rig.ask(remembering, foreign)
    known = await rig.ask(remembering, foreign)
    absent = await rig.ask(remembering, foreign, agent_id=uuid4())

    assert [answer[0] for answer in (first, known, absent)] == [403] * 3
    assert told(first) == told(known) == told(absent)
    assert rig.retrieved == []


async def test_a_key_that_was_accepted_lately_is_checked_beside_retrieval_and_shows_nothing_before(
    rig: Rig, remembering: Tenant, key: str
) -> None:
    first = await rig.ask(remembering, key)
    rig.credentials.seconds = 0.5
    late = await rig.ask(remembering, key, deadline_ms=100)

    assert first[1]["metadata"]["sources"]["directive"]["status"] == "ok"
    assert rig.retrieved == [remembering.agent_id] * 2
    _, body, headers = late
    assert body["metadata"]["fallback_reason"] in {"credential_timeout", "assembly_timeout"}
    assert body["metadata"]["sources"] == {}
    assert body["metadata"]["timings_ms"].keys() == {"total"}
    assert headers["server-timing"].partition(";")[0] == "total"


async def test_a_key_that_had_no_time_is_known_the_next_time(rig: Rig, remembering: Tenant) -> None:
    rig.credentials.seconds = 0.05
    early = await rig.ask(remembering, "made-up", deadline_ms=12)
    await asyncio.sleep(0.3)
    # A busy machine may have no time even to recognise it.
    for _ in range(20):
        later = await rig.ask(remembering, "made-up", deadline_ms=12)
        if later[0] != 200:
            break

    assert (early[0], later[0]) == (200, 401)
    assert rig.credentials.asked == 1


@pytest.mark.parametrize("through_alb", [False, True])
@pytest.mark.parametrize("deadline_ms", [None, 6])
async def test_made_up_keys_of_one_address_end_in_429_without_any_work(
    rig: Rig, remembering: Tenant, key: str, deadline_ms: int | None, through_alb: bool
) -> None:
    good = await rig.ask(remembering, key, through_alb=through_alb)
    for number in range(REFUSALS):
        await rig.ask(remembering, f"made-up-{number}", deadline_ms=deadline_ms, through_alb=through_alb)
        await asyncio.sleep(0.05)
    asked, parsed = rig.credentials.asked, len(rig.parsed)

    limited = [
        await rig.ask(
            remembering, text, path=path, deadline_ms=deadline_ms, body="x" * 1_000_000, through_alb=through_alb
        )
        for path in (JSON, CONNECT)
        for text in ("made-up", "made-up-0", "two words")
    ]
    work = (rig.credentials.asked - asked, len(rig.parsed) - parsed)
    beside = await rig.ask(remembering, key, through_alb=through_alb)
    elsewhere = await rig.ask(remembering, "made-up", address="203.0.113.8", through_alb=through_alb)

    assert good[0] == beside[0] == 200
    assert [answer[0] for answer in limited] == [429] * 6
    assert all(int(headers["retry-after"]) > 0 for _, _, headers in limited)
    assert work == (0, 0)
    assert elsewhere[0] == 401


async def test_who_asks_too_often_starts_no_search(rig: Rig, remembering: Tenant) -> None:
    text = new_api_key()
    limited = KeyRequest("test", ("assemble",), limit=RateLimit(0.001, 2))
    await PostgresApiKeys(remembering.database).create(remembering.principal, uuid4(), fingerprint(text), limited)

    answers = [await rig.ask(remembering, text) for _ in range(6)]

    assert [status for status, _, _ in answers] == [200] * 2 + [429] * 4
    # The first that was refused was still recognised.
    assert (len(rig.retrieved), len(rig.parsed)) == (3, 3)
