"""Settings of a container: secrets from files, defaults of queues."""

from pathlib import Path

import pytest

from containers.environment import read
from remembrancer.errors import ConfigurationError
from remembrancer.settings import DEFAULTS, Settings

URL = "postgresql://remembrancer_app@postgres/remembrancer"


def test_a_setting_is_read_from_the_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "url").write_text(f"{URL}\n", encoding="utf-8")

    values = read({"DATABASE_URL_FILE": str(tmp_path / "url")})

    assert Settings.from_env(values).database_url == URL


def test_queues_are_in_postgres_unless_they_are_named() -> None:
    settings = Settings.from_env(read({"DATABASE_URL": URL, "EMBED_QUEUE_URL": "postgres:other"}))

    assert settings.embed_queue_url == "postgres:other"
    assert settings.capture_queue_url == "postgres:capture"
    assert settings.stage != "local"


def test_a_file_that_is_missing_and_a_setting_that_is_there_twice_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"REDIS_URL_FILE=.*/nothing cannot be read: FileNotFoundError"):
        read({"DATABASE_URL": URL, "REDIS_URL_FILE": str(tmp_path / "nothing")})
    with pytest.raises(ConfigurationError, match="DATABASE_URL and DATABASE_URL_FILE"):
        read({"DATABASE_URL": URL, "DATABASE_URL_FILE": "/dev/null"})
    with pytest.raises(ConfigurationError, match="DATABASE_URL_FILE is required"):
        read({})


def test_migrations_and_tasks_use_the_owners_database(tmp_path: Path) -> None:
    (tmp_path / "owner").write_text("postgresql://owner", encoding="utf-8")
    environment = {"DATABASE_URL": URL, "OWNER_DATABASE_URL_FILE": str(tmp_path / "owner")}

    assert read(environment, as_owner=True)["DATABASE_URL"] == "postgresql://owner"
    assert read(environment)["DATABASE_URL"] == URL


def test_no_setting_is_mistaken_for_the_file_of_another() -> None:
    assert not [name for name in DEFAULTS if name.removesuffix("_FILE") in DEFAULTS and name.endswith("_FILE")]
