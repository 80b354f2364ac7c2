"""Embedders and language models on servers: a local HTTP server, and botocore's stub of Bedrock."""

import asyncio
import gzip
import io
import json
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import boto3
import numpy as np
import pytest
from aiohttp import web
from botocore.response import StreamingBody
from botocore.stub import Stubber

from remembrancer.adapters.aws.credentials import AwsCredentials
from remembrancer.adapters.aws.secrets import REFETCH_SECONDS, KeptSecret, SecretsManager
from remembrancer.adapters.models.bedrock import BedrockRuntime
from remembrancer.adapters.models.bedrock_embedder import BedrockEmbedder
from remembrancer.adapters.models.http_embedder import EMBED, EMBEDDINGS, HttpEmbedder
from remembrancer.adapters.models.http_json import ANSWER_BYTES, JsonServer
from remembrancer.adapters.models.llm_bedrock import BedrockLanguageModel
from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
from remembrancer.bootstrap import Instance
from remembrancer.bootstrap.process import SNAP_START
from remembrancer.bootstrap.snapshot import leave
from remembrancer.domain.capture.extraction import SCHEMA
from remembrancer.errors import ConfigurationError, StoreTimeout, StoreUnavailable
from remembrancer.ports.models import StructuredAnswer
from tests.builders import SetClock
from tests.integration.engine.chat_server import chat_server, completion

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]
KEY_ARN = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:key"


@asynccontextmanager
async def serving(path: str, answer: Answer) -> AsyncIterator[str]:
    application = web.Application()
    application.router.add_post(path, answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def embedder(
    path: str, answer: Answer, *, dimensions: int = 3, seconds: float = 20.0, key: str = ""
) -> AsyncIterator[HttpEmbedder]:
    async with serving(path, answer) as url:
        server = JsonServer(url, key=key, seconds=seconds)
        yield HttpEmbedder(server, in_batches=path == EMBEDDINGS, model="m", dimensions=dimensions)
        await server.close()


def body(value: Any) -> Answer:
    async def answer(_: web.Request) -> web.Response:
        return web.json_response(value)

    return answer


async def test_one_text_a_call_in_their_order_as_unit_rows() -> None:
    asked: list[Any] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append((await request.json(), request.headers.get("authorization")))
        return web.json_response({"embedding": [3.0 * len(asked), 4.0, 0.0]})

    async with embedder(EMBED, answer, key="secret") as own:
        vectors = await own.embed(["one", "two"])

    assert asked == [({"text": "one"}, "Bearer secret"), ({"text": "two"}, "Bearer secret")]
    assert vectors.dtype == np.float32
    assert vectors[0].tolist() == pytest.approx([0.6, 0.8, 0.0])
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1.0, 1.0])


async def test_the_openai_protocol_takes_all_texts_at_once_and_may_answer_in_any_order() -> None:
    asked: list[Any] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append((await request.json(), request.headers.get("authorization")))
        data = [{"index": 1, "embedding": [0, 2, 0]}, {"index": 0, "embedding": [5, 0, 0]}]
        return web.json_response({"data": data})

    async with embedder(EMBEDDINGS, answer) as own:
        vectors = await own.embed(["one", "two"])

    assert asked == [({"model": "m", "input": ["one", "two"]}, None)]
    assert vectors.tolist() == [[1, 0, 0], [0, 1, 0]]


@pytest.mark.parametrize("path", [EMBED, EMBEDDINGS])
async def test_requests_name_the_dimensions_where_the_deployment_does(path: str) -> None:
    asked: list[Any] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(await request.json())
        vector = [1.0] * asked[-1]["dimensions"]
        return web.json_response({"embedding": vector, "data": [{"embedding": vector}]})

    async with serving(path, answer) as url:
        server = JsonServer(url)
        own = HttpEmbedder(server, in_batches=path == EMBEDDINGS, model="m", dimensions=1536, named=True)
        vectors = await own.embed(["one"])
        await server.close()

    assert vectors.shape == (1, 1536)
    assert own.model == "m/1536d"


async def test_vectors_of_another_length_are_refused_at_start() -> None:
    async with embedder(EMBED, body({"embedding": [1.0, 0.0]})) as own:
        with pytest.raises(ConfigurationError, match="2 dimensions, but the database stores 3"):
            await own.warm()


@pytest.mark.parametrize(
    "answered",
    [
        {},
        [],
        {"embedding": None},
        {"embedding": "vector"},
        {"embedding": ["a", "b", "c"]},
        {"embedding": [[1, 0, 0]]},
        {"embedding": [0, 0, 0]},
        {"embedding": [1e400, 0, 0]},
    ],
    ids=str,
)
async def test_what_holds_no_vector_is_an_error_of_the_server(answered: Any) -> None:
    async with embedder(EMBED, body(answered)) as own:
        with pytest.raises(StoreUnavailable):
            await own.embed(["text"])


@pytest.mark.parametrize(
    "answered",
    [{}, {"data": None}, {"data": [{"embedding": [1, 0, 0]}]}, {"data": [{}, {}]}, {"data": ["x", "y"]}],
    ids=str,
)
async def test_of_two_texts_two_vectors_are_expected(answered: Any) -> None:
    async with embedder(EMBEDDINGS, body(answered)) as own:
        with pytest.raises(StoreUnavailable):
            await own.embed(["one", "two"])


async def test_a_server_that_hangs_fails_in_time_and_one_that_never_ends_is_cut_off() -> None:
    async def hang(_: web.Request) -> web.Response:
        await asyncio.Event().wait()
        raise AssertionError

    async def pour(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(2 + ANSWER_BYTES // 65536):
            await response.write(b" " * 65536)
        return response

    async with embedder(EMBED, hang, seconds=0.05) as own:
        with pytest.raises(StoreTimeout):
            await own.embed(["text"])
    async with embedder(EMBED, pour) as own:
        with pytest.raises(StoreUnavailable):
            await own.embed(["text"])


def raw(*pieces: bytes, pause: float = 0, **headers: str) -> Answer:
    """An answer of these pieces, as they are, with a pause before each."""

    async def answer(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={name.replace("_", "-"): value for name, value in headers.items()})
        await response.prepare(request)
        for piece in pieces:
            await asyncio.sleep(pause)
            await response.write(piece)
        return response

    return answer


def bomb(encodings: int = 1) -> bytes:
    """Blanks of 16 answers, in one piece of a few kilobytes: compressed so many times."""
    packed = b" " * (16 * ANSWER_BYTES)
    for _ in range(encodings):
        packed = gzip.compress(packed)
    return packed


DEEP = b"[" * 200_000
HOSTILE: dict[str, Callable[[], Answer]] = {
    "compressed bomb": lambda: raw(bomb(), content_encoding="gzip"),
    "compressed twice": lambda: raw(bomb(2), content_encoding="gzip, gzip"),
    "another encoding": lambda: raw(b"{}", content_encoding="br"),
    "no gzip": lambda: raw(b"{}", content_encoding="gzip"),
    "cut gzip": lambda: raw(gzip.compress(b'{"embedding": [1, 0, 0]}')[:-12], content_encoding="gzip"),
    "too deep": lambda: raw(DEEP),
    "no UTF-8": lambda: raw(b'{"embedding": "\xff"}'),
    "huge number": lambda: raw(b'{"embedding": [' + b"9" * 100_000 + b", 0, 0]}"),
    "number beyond floats": lambda: raw(b'{"embedding": [' + b"9" * 400 + b", 0, 0]}"),
    "infinite index": lambda: raw(b'{"data": [{"index": Infinity, "embedding": [1, 0, 0]}]}'),
    "not a number": lambda: raw(b'{"embedding": [NaN, 0, 0], "data": [{"embedding": [NaN, 0, 0]}]}'),
    "lists in lists": lambda: raw(b'{"embedding": [[[[]]], 0, {}], "data": [{"embedding": [[[[]]], 0, {}]}]}'),
}


@pytest.mark.parametrize("path", [EMBED, EMBEDDINGS])
@pytest.mark.parametrize("kind", HOSTILE)
async def test_a_hostile_answer_is_an_error_of_the_server_and_costs_little(kind: str, path: str) -> None:
    async with embedder(path, HOSTILE[kind]()) as own:
        tracemalloc.start()
        with pytest.raises(StoreUnavailable):
            await own.embed(["text"])
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()

    assert most < 10 * ANSWER_BYTES


async def test_a_server_that_writes_a_byte_now_and_then_fails_in_time() -> None:
    async with embedder(EMBED, raw(*[b" "] * 100, pause=0.1), seconds=0.5) as own:
        with pytest.raises(StoreTimeout):
            await own.embed(["text"])


async def test_a_redirection_is_refused_and_not_followed() -> None:
    asked: list[str] = []

    async def elsewhere(request: web.Request) -> web.Response:
        asked.append(request.headers.get("authorization", ""))
        return web.json_response({"embedding": [1, 0, 0]})

    async with serving("/v1/elsewhere", elsewhere) as url:

        async def redirect(_: web.Request) -> web.Response:
            return web.Response(status=307, headers={"Location": f"{url}/v1/elsewhere"})

        async with embedder(EMBED, redirect, key="secret") as own:
            with pytest.raises(StoreUnavailable) as raised:
                await own.embed(["text"])

    assert (raised.value.cause, asked) == ("Status307", [])


async def test_a_compressed_answer_is_read() -> None:
    packed = gzip.compress(b'{"embedding": [0, 2, 0]}')

    async with embedder(EMBED, raw(packed[:9], packed[9:], content_encoding="gzip")) as own:
        vectors = await own.embed(["text"])

    assert vectors.tolist() == [[0, 1, 0]]


@pytest.mark.parametrize(
    "answered",
    [
        b"[]",
        b"null",
        b'{"choices": {"0": 1}}',
        b'{"choices": [{"message": {"content": 7}}]}',
        DEEP,
        b'{"choices": [[]]}',
    ],
    ids=range(6),
)
async def test_what_is_no_completion_is_an_error_of_the_server(answered: bytes) -> None:
    async with chat_server() as chat:
        chat.instead = (200, answered)
        server = JsonServer(chat.url, seconds=20)
        with pytest.raises(StoreUnavailable):
            await OpenAiLanguageModel(server, "small").complete("Be brief.", "Who?", most_tokens=60)
        await server.close()


@pytest.mark.parametrize("said", [-5, 1 << 80, "many", 1.5, True, None])
async def test_tokens_that_a_server_invents_can_be_counted(said: Any) -> None:
    async with chat_server(["{}"]) as chat:
        chat.usage = {"prompt_tokens": said, "completion_tokens": said}
        server = JsonServer(chat.url, seconds=20)
        answer = await OpenAiLanguageModel(server, "small").answer("Be brief.", "Who?", SCHEMA, most_tokens=60)
        await server.close()

    assert 0 <= answer.prompt_tokens + answer.answer_tokens < 1 << 32


async def test_a_completion_is_its_first_choices_text() -> None:
    async with chat_server(["Ada likes tea."]) as chat:
        server = JsonServer(chat.url, key="secret", seconds=20)
        model = OpenAiLanguageModel(server, "small")
        plain = await model.complete("Be brief.", "Who?", most_tokens=60)
        chat.instead = (200, completion([{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}, 3]))
        parts = await model.complete("Be brief.", "Who?", most_tokens=60)
        await server.close()

    assert (plain, parts) == ("Ada likes tea.", "One.\nTwo.")
    assert chat.authorizations == ["Bearer secret"] * 2
    assert chat.asked[0]["max_tokens"] == 60


class KeyedServer:
    """A model server that takes one key only, and the secret in which its clients find theirs."""

    def __init__(self) -> None:
        self.accepted = self.stored = "first"
        self.status = 401
        self.read = 0
        self.asked: list[str] = []

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.headers["authorization"].removeprefix("Bearer "))
        if self.asked[-1] != self.accepted:
            return web.Response(status=self.status)
        return web.json_response({"embedding": [1.0, 0.0, 0.0]})

    async def secret(self, _: web.Request) -> web.Response:
        self.read += 1
        return web.json_response({"SecretString": json.dumps({"username": "app", "password": self.stored})})


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def keyed() -> KeyedServer:
    return KeyedServer()


@pytest.fixture
async def model_server(keyed: KeyedServer, clock: SetClock) -> AsyncIterator[JsonServer]:
    async with serving(EMBED, keyed.answer) as url, serving("/", keyed.secret) as secrets_url:
        manager = SecretsManager(AwsCredentials("local", "local", ""), clock, secrets_url, seconds=20)
        server = JsonServer(url, secret=KeptSecret(manager, KEY_ARN), seconds=20)
        yield server
        await server.close()


@pytest.mark.parametrize("status", [401, 403])
async def test_a_key_that_was_rotated_is_read_again_when_the_server_refuses_the_old_one(
    keyed: KeyedServer, model_server: JsonServer, clock: SetClock, status: int
) -> None:
    keyed.status = status
    await model_server.post(EMBED, {})
    keyed.accepted = keyed.stored = "second"
    clock.seconds += REFETCH_SECONDS

    answers = await asyncio.gather(*(model_server.post(EMBED, {}) for _ in range(3)))

    assert answers == [{"embedding": [1.0, 0.0, 0.0]}] * 3
    assert keyed.read == 2
    assert sorted(keyed.asked) == ["first"] * 4 + ["second"] * 3


async def test_a_key_that_was_not_rotated_is_sent_once_and_read_only_now_and_then(
    keyed: KeyedServer, model_server: JsonServer, clock: SetClock
) -> None:
    keyed.accepted = "another"

    for _ in range(3):
        with pytest.raises(StoreUnavailable) as raised:
            await model_server.post(EMBED, {})
        assert raised.value.cause == "Status401"
    read = keyed.read
    clock.seconds += REFETCH_SECONDS
    with pytest.raises(StoreUnavailable):
        await model_server.post(EMBED, {})

    assert (read, keyed.read) == (1, 2)
    assert keyed.asked == ["first"] * 4


async def test_a_request_is_repeated_once_when_the_new_key_is_refused_too(
    keyed: KeyedServer, model_server: JsonServer, clock: SetClock
) -> None:
    await model_server.post(EMBED, {})
    keyed.accepted, keyed.stored = "third", "second"
    clock.seconds += REFETCH_SECONDS

    with pytest.raises(StoreUnavailable) as raised:
        await model_server.post(EMBED, {})

    assert raised.value.cause == "Status401"
    assert keyed.asked == ["first", "first", "second"]


async def test_other_failures_do_not_cost_a_read_of_the_secret(
    keyed: KeyedServer, model_server: JsonServer, clock: SetClock
) -> None:
    await model_server.post(EMBED, {})
    keyed.accepted, keyed.status = "second", 429
    clock.seconds += REFETCH_SECONDS

    with pytest.raises(StoreUnavailable):
        await model_server.post(EMBED, {})

    assert (keyed.read, keyed.asked) == (1, ["first", "first"])


async def test_a_snapshot_has_no_connection_to_a_model_server_and_the_next_request_opens_one() -> None:
    connections: list[asyncio.Transport] = []

    async def answer(request: web.Request) -> web.Response:
        if request.transport is not None and request.transport not in connections:
            connections.append(request.transport)
        return web.json_response({"embedding": [1.0] * 384})

    async with serving(EMBED, answer) as url:
        instance = Instance(
            {
                "AWS_LAMBDA_INITIALIZATION_TYPE": SNAP_START,
                "DATABASE_URL": "postgresql://127.0.0.1:1/none",
                "REDIS_URL": "redis://127.0.0.1:1/0",
                "EMBEDDER": "http",
                "EMBEDDER_URL": url,
                "EMBEDDER_MODEL": "m",
            }
        )
        for step in (instance.embedder.warm, instance.embedder.warm, lambda: leave(instance)):
            await asyncio.wrap_future(instance.loop.submit(step()))
        (kept,) = connections
        async with asyncio.timeout(20):
            while not kept.is_closing():
                await asyncio.sleep(0.01)
        await asyncio.wrap_future(instance.loop.submit(instance.embedder.warm()))
        await asyncio.wrap_future(instance.loop.submit(leave(instance)))

    assert len(connections) == 2


async def test_bedrock_is_called_by_a_new_client_after_it_was_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    instance = Instance(
        {"AWS_REGION": "eu-west-1", "LLM": "bedrock", "LLM_MODEL": "m", "LLM_URL": "http://127.0.0.1:1"}
    )
    model = instance.language_model
    (server,) = instance.model_servers
    assert model is not None
    assert isinstance(server, BedrockRuntime)
    clients = []

    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await model.complete("Be brief.", "Who?", most_tokens=60)
        clients.append(server._client)
        await server.close()

    assert clients[0] is not clients[1]
    assert server._client is None


def bedrock() -> tuple[BedrockRuntime, Stubber]:
    client = boto3.client(
        "bedrock-runtime", region_name="eu-west-1", aws_access_key_id="none", aws_secret_access_key="none"
    )
    return BedrockRuntime(client=client), Stubber(client)


def spoken(value: Any) -> dict[str, Any]:
    """Bedrock's answer with this JSON as its body."""
    data = json.dumps(value).encode()
    return {"body": StreamingBody(io.BytesIO(data), len(data)), "contentType": "application/json"}


def invoked(model: str, asked: Any) -> dict[str, Any]:
    return {
        "modelId": model,
        "body": json.dumps(asked),
        "contentType": "application/json",
        "accept": "application/json",
    }


async def test_converse_gives_the_text_of_its_blocks() -> None:
    runtime, stub = bedrock()
    answer = {
        "output": {"message": {"role": "assistant", "content": [{"text": "Ada likes tea."}, {"text": "Bo too."}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
        "metrics": {"latencyMs": 1},
    }
    asked = {
        "modelId": "amazon.nova-micro-v1:0",
        "system": [{"text": "Be brief."}],
        "messages": [{"role": "user", "content": [{"text": "Who?"}]}],
        "inferenceConfig": {"maxTokens": 60, "temperature": 0.7},
    }
    stub.add_response("converse", answer, asked)

    with stub:
        said = await BedrockLanguageModel(runtime, "amazon.nova-micro-v1:0").complete(
            "Be brief.", "Who?", most_tokens=60
        )

    assert said == "Ada likes tea.\nBo too."


async def test_converse_answers_by_schema_with_the_input_of_a_tool() -> None:
    runtime, stub = bedrock()
    tool = {"toolUse": {"toolUseId": "1", "name": "propose", "input": {"memories": []}}}
    answer = {
        "output": {"message": {"role": "assistant", "content": [{"text": "Let me see."}, tool]}},
        "stopReason": "tool_use",
        "usage": {"inputTokens": 70, "outputTokens": 5, "totalTokens": 75},
        "metrics": {"latencyMs": 1},
    }
    asked = {
        "modelId": "m",
        "system": [{"text": "Propose."}],
        "messages": [{"role": "user", "content": [{"text": "Who?"}]}],
        "inferenceConfig": {"maxTokens": 60, "temperature": 0.0},
        "toolConfig": {
            "tools": [{"toolSpec": {"name": "propose", "inputSchema": {"json": SCHEMA}}}],
            "toolChoice": {"tool": {"name": "propose"}},
        },
    }
    stub.add_response("converse", answer, asked)
    stub.add_response("converse", {**answer, "output": {"message": {"role": "assistant", "content": []}}}, asked)

    with stub:
        model = BedrockLanguageModel(runtime, "m")
        said = await model.answer("Propose.", "Who?", SCHEMA, most_tokens=60)
        silent = await model.answer("Propose.", "Who?", SCHEMA, most_tokens=60)

    assert said == StructuredAnswer('{"memories": []}', 70, 5)
    assert silent == StructuredAnswer("", 70, 5)


async def test_what_bedrock_refuses_is_our_error_with_its_code() -> None:
    runtime, stub = bedrock()
    stub.add_client_error("converse", "ThrottlingException", http_status_code=429)
    stub.add_client_error("invoke_model", "ValidationException", http_status_code=400)

    with stub:
        with pytest.raises(StoreUnavailable) as throttled:
            await BedrockLanguageModel(runtime, "m").complete("Be brief.", "Who?", most_tokens=60)
        with pytest.raises(StoreUnavailable) as invalid:
            await BedrockEmbedder(runtime, model="amazon.titan-embed-text-v2:0", dimensions=384).embed(["text"])

    assert (throttled.value.cause, invalid.value.cause) == ("ThrottlingException", "ValidationException")


async def test_bedrock_that_is_not_there_is_our_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    runtime = BedrockRuntime(region="eu-west-1", endpoint_url="http://127.0.0.1:1")

    with pytest.raises(StoreUnavailable) as raised:
        await BedrockLanguageModel(runtime, "m").complete("Be brief.", "Who?", most_tokens=60)

    assert raised.value.cause == "EndpointConnectionError"


async def test_titan_is_asked_for_a_size_that_it_has_and_filled_up_with_zeros() -> None:
    runtime, stub = bedrock()
    model = "amazon.titan-embed-text-v2:0"
    rng = np.random.default_rng(1)
    rows = rng.standard_normal((2, 256))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    asked = {"inputText": "one", "dimensions": 256, "normalize": True}
    stub.add_response("invoke_model", spoken({"embedding": rows[0].tolist()}), invoked(model, asked))
    stub.add_response(
        "invoke_model", spoken({"embedding": rows[1].tolist()}), invoked(model, {**asked, "inputText": "two"})
    )
    own = BedrockEmbedder(runtime, model=model, dimensions=384)

    with stub:
        first = await own.embed(["one"])
        second = await own.embed(["two"])

    assert own.model == f"{model}/256"
    assert first.shape == (1, 384)
    assert float(first[0] @ second[0]) == pytest.approx(float(rows[0] @ rows[1]), abs=1e-6)


async def test_cohere_takes_many_texts_and_its_own_length() -> None:
    runtime, stub = bedrock()
    model = "cohere.embed-english-light-v3"
    asked = {"texts": ["one", "two"], "input_type": "search_document", "truncate": "END"}
    stub.add_response("invoke_model", spoken({"embeddings": [[2, 0, 0], [0, 0, 3]]}), invoked(model, asked))
    own = BedrockEmbedder(runtime, model=model, dimensions=3)

    with stub:
        vectors = await own.embed(["one", "two"])

    assert vectors.tolist() == [[1, 0, 0], [0, 0, 1]]
    assert own.model == model


@pytest.mark.parametrize(
    ("model", "dimensions", "asked", "answer"),
    [
        (
            "amazon.titan-embed-text-v2:0",
            1024,
            {"inputText": "one", "dimensions": 1024, "normalize": True},
            lambda vector: {"embedding": vector},
        ),
        ("amazon.titan-embed-text-v1", 1536, {"inputText": "one"}, lambda vector: {"embedding": vector}),
        (
            "eu.cohere.embed-v4:0",
            1536,
            {
                "texts": ["one"],
                "input_type": "search_document",
                "truncate": "RIGHT",
                "embedding_types": ["float"],
                "output_dimension": 1536,
            },
            lambda vector: {"embeddings": {"float": [vector]}},
        ),
        (
            "cohere.embed-multilingual-v3",
            1024,
            {"texts": ["one"], "input_type": "search_document", "truncate": "END"},
            lambda vector: {"embeddings": [vector]},
        ),
    ],
)
async def test_bedrock_is_asked_for_the_dimensions_that_the_deployment_names(
    model: str, dimensions: int, asked: dict[str, Any], answer: Callable[[list[float]], Any]
) -> None:
    runtime, stub = bedrock()
    stub.add_response("invoke_model", spoken(answer([1.0] * dimensions)), invoked(model, asked))
    own = BedrockEmbedder(runtime, model=model, dimensions=dimensions, named=True)

    with stub:
        vectors = await own.embed(["one"])

    assert vectors.shape == (1, dimensions)
    assert own.model == f"{model}/{dimensions}d"


@pytest.mark.parametrize(
    ("model", "answered", "error"),
    [
        ("cohere.embed-english-v3", {"embeddings": [[1.0] * 1024]}, ConfigurationError),
        ("amazon.titan-embed-text-v1", {"embedding": [1.0] * 1536}, ConfigurationError),
        ("amazon.titan-embed-text-v2:0", {"embedding": None}, StoreUnavailable),
        ("amazon.titan-embed-text-v2:0", {}, StoreUnavailable),
        ("cohere.embed-english-light-v3", {"embeddings": []}, StoreUnavailable),
    ],
)
async def test_vectors_that_do_not_fit_are_refused(model: str, answered: Any, error: type[Exception]) -> None:
    runtime, stub = bedrock()
    stub.add_response("invoke_model", spoken(answered))

    with stub, pytest.raises(error):
        await BedrockEmbedder(runtime, model=model, dimensions=384).warm()
