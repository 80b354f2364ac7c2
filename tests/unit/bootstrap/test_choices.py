"""What an instance makes of its settings."""

import pytest

from remembrancer.bootstrap import Instance
from remembrancer.errors import ConfigurationError

STORES = {
    "DATABASE_URL": "postgresql://127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
}
SECRET = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:key-AbCdEf"


def instance(**environment: str) -> Instance:
    return Instance({**STORES, **environment})


@pytest.mark.parametrize(("key", "from_secret"), [("sk-own", False), ("", False), (SECRET, True)])
def test_the_key_of_a_model_is_itself_or_in_the_secret_that_it_names(key: str, from_secret: bool) -> None:
    server = instance().json_server("https://models.example", key)

    assert (server._secret is not None) == from_secret


@pytest.mark.parametrize("embedder", ["http", "openai"])
def test_a_server_of_either_protocol_needs_its_url_and_model(embedder: str) -> None:
    complete = {"EMBEDDER": embedder, "EMBEDDER_URL": "https://models.example", "EMBEDDER_MODEL": "m"}

    assert instance(**complete).embedder.model == "m"
    for missing in ("EMBEDDER_URL", "EMBEDDER_MODEL"):
        with pytest.raises(ConfigurationError, match=f"EMBEDDER={embedder} needs EMBEDDER_URL and EMBEDDER_MODEL"):
            _ = instance(**{**complete, missing: ""}).embedder


def test_a_kind_of_embedder_that_there_is_not_is_named() -> None:
    with pytest.raises(ConfigurationError, match="EMBEDDER='word2vec' is not one of onnx, http, openai and bedrock"):
        _ = instance(EMBEDDER="word2vec").embedder


@pytest.mark.parametrize(
    ("urls", "read"),
    [
        ("", ()),
        ("https://sqs/a", ("https://sqs/a",)),
        ("https://sqs/a, https://sqs/b,", ("https://sqs/a", "https://sqs/b")),
    ],
)
def test_erasures_read_the_dead_letter_queues_that_are_named(urls: str, read: tuple[str, ...]) -> None:
    eraser = instance(DEAD_LETTER_QUEUE_URLS=urls).eraser

    assert tuple(eraser.dead_letters._queue_urls) == read  # type: ignore[attr-defined]
