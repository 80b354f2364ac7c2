"""The image as a folder, and the services of compose.yaml on it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.containers.collector import Collector
from tests.containers.compose import Compose
from tests.containers.image import ASSEMBLED


@pytest.fixture(scope="session")
def image() -> dict[str, Any]:
    """Made by `make .cache/image/image.json`, as `make test-all` does."""
    description = ASSEMBLED / "image.json"
    if not description.exists():
        pytest.skip("make .cache/image/image.json assembles the image's files")
    loaded: dict[str, Any] = json.loads(description.read_text(encoding="utf-8"))
    return loaded


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with Collector() as collector:
        yield collector


@pytest.fixture(scope="module")
def compose(image: dict[str, Any], collector: Collector, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Compose]:
    """One host for the tests of a module; each starts what it needs."""
    compose = Compose(image, tmp_path_factory.mktemp("containers") / "host")
    compose.environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.url
    yield compose
    compose.down()
