"""An assembly through the handler of a whole instance: what its log and its metrics say, and what they never do."""

import asyncio
import json
import logging
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import uuid4

import boto3
import pytest
from awslambdaric.lambda_context import LambdaContext
from awslambdaric.lambda_runtime_log_utils import JsonFormatter

from local.servers import AwsServer, Cache, PostgresServer
from local.stack import StackSettings
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.identity.directory import FirstKey, PostgresDirectory, create_organization
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.assembly import assembly_api
from remembrancer.bootstrap.mcp import mcp_api
from remembrancer.runtime.http import router
from remembrancer.runtime.http.router import LambdaHandler, http_handler
from tests.integration.engine.tenant import ENVIRONMENT, PROJECT_ID, Tenant

MEMORY = "The zebrafinch likes marzipan"
QUESTION = "What does the quagmire zebrafinch like?"
DIRECTIVE = "Speak like a clavichord."
API_KEY = "rk_hippocampus"
USER = "user-of-the-caller"
HIDDEN = ("zebrafinch", "marzipan", "quagmire", "clavichord", "hippocampus", USER)


@dataclass(frozen=True, slots=True)
class Caller:
    """An agent with a directive and a memory, and the text of the key that may ask for them."""

    tenant: Tenant
    api_key: str

    def event(self, **changes: Any) -> dict[str, Any]:
        body = {
            "org_id": str(self.tenant.org_id),
            "agent_id": str(self.tenant.agent_id),
            "model": "gpt-4o",
            "request_id": "request-1",
            "user_id": USER,
            "messages": [{"role": "user", "content": QUESTION}],
            "options": {"relevance_floor": 0},
        }
        return {
            "rawPath": "/v1/context/assemble",
            "headers": {"x-api-key": self.api_key},
            "requestContext": {"http": {"method": "POST", "path": "/v1/context/assemble"}},
            "body": json.dumps({**body, **changes}),
        }

    def tool_event(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """A call of a tool at the MCP endpoint."""
        return {
            "rawPath": "/mcp",
            "headers": {
                "x-api-key": self.api_key,
                "x-agent-id": str(self.tenant.agent_id),
                "x-end-user-id": USER,
                "accept": "application/json",
                "content-type": "application/json",
            },
            "requestContext": {"http": {"method": "POST", "path": "/mcp", "sourceIp": "192.0.2.1"}},
            "body": json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}),
        }


@pytest.fixture
async def caller(migrated: PostgresServer, database: Database) -> Caller:
    api_key = f"{API_KEY}_{uuid4()}"
    key = FirstKey("tests", sha256(api_key.encode()).digest(), ("assemble", "query"))
    principal = await create_organization(
        migrated.owner_url, name="Organization", project_id=PROJECT_ID, environment=ENVIRONMENT, key=key
    )
    directory = PostgresDirectory(database)
    organization = await directory.organization(principal.org_id)
    agent = await directory.create(principal, uuid4(), "agent")
    assert organization is not None
    assert agent is not None
    await directory.put_directive(principal.org_id, agent.agent_id, DIRECTIVE, "system_first")
    tenant = Tenant(principal, agent.agent_id, organization.term_key, key.key_sha256, database)
    await tenant.remember_texts(MEMORY)
    return Caller(tenant, api_key)


@pytest.fixture
def instance(
    request: pytest.FixtureRequest,
    migrated: PostgresServer,
    valkey_server: Cache,
    aws_server: AwsServer,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Instance]:
    """With the settings that a test gives as its parameter."""
    for name, value in aws_server.environment.items():
        monkeypatch.setenv(name, value)
    client = boto3.client("sqs", endpoint_url=aws_server.endpoint_url)
    queue_url = client.create_queue(QueueName=f"usage-{uuid4()}")["QueueUrl"]
    client.close()
    instance = Instance(
        {
            **aws_server.environment,
            "DATABASE_URL": migrated.app_url,
            **valkey_server.environment,
            "SIDE_EFFECTS_QUEUE_URL": queue_url,
            "MODELS_DIR": str(StackSettings().models),
            # A busy machine does not turn a test of content into a test of speed.
            "ASSEMBLY_MS": "20000",
            "RETRIEVAL_MS": "19000",
            "DIRECTIVE_MS": "18000",
            "HOT_MS": "18000",
            "COLD_MS": "18000",
            "LEXICAL_MS": "18000",
            **getattr(request, "param", {}),
        }
    )
    yield instance
    for end in (instance.database.close, instance.redis.close):
        instance.loop.run(end())
    instance.packaged_embedder.close()
    instance.counter.close()


@pytest.fixture
def handler(instance: Instance) -> LambdaHandler:
    """Assembly's."""
    api = assembly_api(instance)
    return http_handler(
        {"POST /v1/context/assemble": api.assemble},
        loop=instance.loop,
        after_response=instance.after_response,
        last_resort=api.last_resort,
        within_ms=api.within_ms,
    )


async def call(handler: LambdaHandler, event: dict[str, Any]) -> dict[str, Any]:
    """On a thread, as the handler waits for its own event loop."""
    context = LambdaContext("invocation-1", {}, {}, int((time.time() + 60) * 1000))
    answer: dict[str, Any] = await asyncio.to_thread(handler, event, context)
    return {**answer, "body": json.loads(answer["body"])}


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """As Lambda's JSON format writes them."""
    return [json.loads(JsonFormatter().format(record)) for record in caplog.records]


@pytest.mark.parametrize("instance", [{"MEMORY_ENABLED": "false"}], indirect=True)
async def test_a_deployment_without_memories_answers_with_the_directive_and_counts_no_fallback(
    handler: LambdaHandler, caller: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = await call(handler, caller.event())

    metadata = answer["body"]["metadata"]
    assert metadata["directive_injected"]
    assert (metadata["memory_ids"], metadata["fallback_reason"]) == ([], "")
    sources = {name: report["status"] for name, report in metadata["sources"].items()}
    assert sources.pop("directive") == "ok"
    assert set(sources.values()) == {"skipped"}
    figures = capsys.readouterr().out
    assert "AssemblyLatency" in figures
    assert "Fallback" not in figures


async def test_an_assembly_is_one_line_of_ids_counts_and_timings_and_its_figures(
    handler: LambdaHandler, caller: Caller, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.INFO, logger="remembrancer"):
        answer = await call(handler, caller.event())

    (line,) = [line for line in lines(caplog) if line["message"] == "request"]
    metadata = answer["body"]["metadata"]
    assert metadata["memories_injected"] == 1
    assert metadata["fallback_reason"] == ""
    assert line["request_id"] == "request-1"
    assert (line["org_id"], line["agent_id"]) == (str(caller.tenant.org_id), str(caller.tenant.agent_id))
    assert (line["memories_injected"], line["tokens"]) == (1, metadata["total_tokens_injected"])
    assert line["total_ms"] == pytest.approx(metadata["timings_ms"]["total"], abs=0.01)
    assert {"directive", "hot", "embed", "lexical", "credential", "score", "pack", "format"} <= line["stages_ms"].keys()
    blobs = [json.loads(blob) for blob in capsys.readouterr().out.splitlines() if blob.startswith('{"_aws"')]
    assert blobs[0]["AssemblyLatency"] == [pytest.approx(metadata["timings_ms"]["total"], abs=0.01)]
    assert [blob["tier"] for blob in blobs if "Tier" in blob] == [metadata["tier"]]
    stages = {blob["stage"]: blob["StageLatency"] for blob in blobs if "stage" in blob}
    assert stages.keys() == {"directive", "hot", "embed", "cold", "lexical", "credential", "compose"}
    assert not any("Fallback" in blob for blob in blobs)


async def test_what_is_kept_of_a_sessions_last_prompt_is_counted_and_what_broke_it(
    handler: LambdaHandler, caller: Caller, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [
        await call(handler, caller.event(session_id="s", messages=[{"role": "user", "content": text}]))
        for text in ("Where is the coffee machine?", "Where is the coffee machine?", "And the tea?")
    ]

    prefixes = [answer["body"]["metadata"]["prefix"] for answer in answers]
    blobs = [json.loads(blob) for blob in capsys.readouterr().out.splitlines() if blob.startswith('{"_aws"')]
    figures = {name: [blob[name] for blob in blobs if name in blob] for name in ("PrefixTokens", "PrefixTokensReused")}
    assert prefixes[0] is None
    assert prefixes[1]["tokens"] == prefixes[1]["of"] > 0
    assert (prefixes[1]["broken_by"], prefixes[2]["broken_by"]) == (None, "history")
    assert figures["PrefixTokens"] == [[one["of"]] for one in prefixes[1:]]
    assert figures["PrefixTokensReused"] == [[one["tokens"]] for one in prefixes[1:]]
    assert [blob["reason"] for blob in blobs if "PrefixBroken" in blob and "reason" in blob] == ["history"]


async def test_no_text_and_no_key_is_in_the_log_or_the_metrics(
    handler: LambdaHandler,
    caller: Caller,
    stoppable_valkey: Cache,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with caplog.at_level(logging.INFO):
        answers = [
            await call(handler, caller.event()),
            await call(handler, caller.event(messages=[{"role": QUESTION, "content": 7}])),
            await call(handler, {**caller.event(), "headers": {"x-api-key": API_KEY}}),
            await call(handler, {**caller.event(), "rawPath": f"/v1/{MEMORY}"}),
        ]
        stoppable_valkey.stop()
        answers.append(await call(handler, caller.event()))

    assert [answer["statusCode"] for answer in answers] == [200, 400, 401, 404, 200]
    assert MEMORY in json.dumps(answers[0])
    assert "hot_error" in answers[-1]["body"]["metadata"]["fallback_reason"]
    output = capsys.readouterr().out
    assert '"reason":"hot_error"' in output
    told = json.dumps(lines(caplog)) + output
    assert len([line for line in lines(caplog) if line["message"] == "request"]) == len(answers)
    assert [word for word in HIDDEN if word in told] == []


TOOL_CALLS = {
    "POST /v1/context/assemble": {"name": "assemble_context", "arguments": {"question": QUESTION}},
    "POST /v1/memories/query": {"name": "search_memories", "arguments": {"query": QUESTION}},
}


@pytest.mark.parametrize("instance", [{"LOG_EVERY": "1000"}], indirect=True)
async def test_the_calls_of_tools_share_log_lines_and_are_no_requests_of_their_own(
    instance: Instance,
    caller: Caller,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A slow call has a line of its own; here none is slow, whatever else the machine does.
    monkeypatch.setattr(router, "SLOW_MS", math.inf)
    api = await asyncio.to_thread(mcp_api, instance)
    handler = http_handler(api.routes(), loop=instance.loop, after_response=instance.after_response)
    calls = [call_of_tool for call_of_tool in TOOL_CALLS.values() for _ in range(10)]

    with caplog.at_level(logging.INFO, logger="remembrancer"):
        answers = [await call(handler, caller.tool_event(params)) for params in calls]

    assert [answer["body"]["result"]["isError"] for answer in answers] == [False] * len(calls)
    shared = {line["route"]: line["one_in"] for line in lines(caplog) if "one_in" in line}
    assert shared == dict.fromkeys(TOOL_CALLS, 1000)
    blobs = [json.loads(blob) for blob in capsys.readouterr().out.splitlines() if blob.startswith('{"_aws"')]
    assert sum(sum(blob.get("Requests", ())) for blob in blobs) == len(calls)
    assert sum("AssemblyLatency" in blob for blob in blobs) == 10
