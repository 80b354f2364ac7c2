"""Settings from the environment."""

from dataclasses import fields
from pathlib import Path

import pytest

from remembrancer.errors import ConfigurationError
from remembrancer.settings import Bounds, Settings


def test_an_empty_environment_gives_the_defaults_of_the_specification() -> None:
    settings = Settings.from_env({})

    assert settings == Settings()
    assert (settings.bounds.assembly_ms, settings.bounds.retrieval_ms) == (48.0, 40.0)
    assert (settings.bounds.directive_ms, settings.bounds.hot_ms, settings.bounds.cold_ms) == (10.0, 10.0, 35.0)
    assert (settings.memory_tokens, settings.relevance_floor, settings.minimum_confidence) == (2000, 0.15, 0.3)
    assert (settings.cold_rows, settings.lexical_rows, settings.hot_rows) == (150, 100, 20)
    assert settings.exact_search_rows == 5000


def test_every_kind_of_value_is_read() -> None:
    settings = Settings.from_env(
        {
            "DATABASE_URL": "postgresql://db/one",
            "MODELS_DIR": "/tmp/models",
            "COLD_ROWS": "70",
            "RELEVANCE_FLOOR": "0.2",
            "REDIS_CLUSTER": "True",
            "ASSEMBLY_MS": "30",
            "PATH": "/bin",
        }
    )

    assert settings == Settings(
        database_url="postgresql://db/one",
        models_dir=Path("/tmp/models"),
        cold_rows=70,
        relevance_floor=0.2,
        redis_cluster=True,
        bounds=Bounds(assembly_ms=30.0),
    )


def test_every_setting_can_be_set() -> None:
    settings = [setting for kind in (Settings, Bounds) for setting in fields(kind) if setting.name != "bounds"]
    environment = {
        setting.name.upper(): str(not setting.default).lower() if setting.type is bool else "7" for setting in settings
    }

    changed = Settings.from_env(environment)

    for kind, values in ((Settings, changed), (Bounds, changed.bounds)):
        defaults = kind()
        unchanged = [
            setting.name for setting in fields(kind) if getattr(values, setting.name) == getattr(defaults, setting.name)
        ]
        assert unchanged == []


def test_an_empty_variable_is_an_unset_one() -> None:
    assert Settings.from_env({"COLD_ROWS": "", "REDIS_URL": "", "HOT_MS": ""}) == Settings()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("COLD_ROWS", "many"),
        ("COLD_ROWS", "5.5"),
        ("RELEVANCE_FLOOR", "low"),
        ("ASSEMBLY_MS", "48ms"),
        ("REDIS_CLUSTER", "yes"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=name) as refused:
        Settings.from_env({name: text})

    assert repr(text) in str(refused.value)
