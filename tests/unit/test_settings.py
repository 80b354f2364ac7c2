"""Settings from the environment."""

from dataclasses import fields
from pathlib import Path

import pytest

from remembrancer.adapters.postgres.search.vector_tables import EXACT_ROWS
from remembrancer.bootstrap.process import Process
from remembrancer.domain.context import budget
from remembrancer.domain.ranking import assembly_score
from remembrancer.errors import ConfigurationError
from remembrancer.settings import DEFAULTS, Bounds, Settings


def test_an_empty_environment_gives_the_defaults_of_the_specification() -> None:
    settings = Settings.from_env({})

    assert settings == Settings()
    assert (settings.bounds.assembly_ms, settings.bounds.retrieval_ms) == (48.0, 40.0)
    assert (settings.bounds.directive_ms, settings.bounds.hot_ms, settings.bounds.cold_ms) == (10.0, 10.0, 35.0)
    assert (budget.MEMORY_TOKENS, assembly_score.RELEVANCE_FLOOR, assembly_score.MINIMUM_CONFIDENCE) == (
        2000,
        0.15,
        0.3,
    )
    assert (budget.MOST_ROWS, budget.LEXICAL_ROWS, budget.HOT_ROWS) == (150, 100, 20)
    assert EXACT_ROWS == 5000


def test_every_kind_of_value_is_read() -> None:
    settings = Settings.from_env(
        {
            "DATABASE_URL": "postgresql://db/one",
            "MODELS_DIR": "/tmp/models",
            "LOG_EVERY": "70",
            "RATE_LIMIT_PER_SECOND": "0.2",
            "REDIS_CLUSTER": "True",
            "ASSEMBLY_MS": "30",
            "PATH": "/bin",
        }
    )

    assert settings == Settings(
        database_url="postgresql://db/one",
        models_dir=Path("/tmp/models"),
        log_every=70,
        rate_limit_per_second=0.2,
        redis_cluster=True,
        bounds=Bounds(assembly_ms=30.0),
    )


def test_every_setting_can_be_set() -> None:
    environment = {
        name: str(not default).lower() if isinstance(default, bool) else "7" for name, default in DEFAULTS.items()
    }

    changed = Settings.from_env(environment)

    for kind, values in ((Settings, changed), (Bounds, changed.bounds)):
        defaults = kind()
        unchanged = [
            setting.name for setting in fields(kind) if getattr(values, setting.name) == getattr(defaults, setting.name)
        ]
        assert unchanged == []


def test_an_empty_variable_is_an_unset_one() -> None:
    assert Settings.from_env({"LOG_EVERY": "", "REDIS_URL": "", "HOT_MS": ""}) == Settings()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("LOG_EVERY", "many"),
        ("LOG_EVERY", "5.5"),
        ("RATE_LIMIT_PER_SECOND", "low"),
        ("ASSEMBLY_MS", "48ms"),
        ("REDIS_CLUSTER", "yes"),
    ],
)
def test_a_value_that_makes_no_sense_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=name) as refused:
        Settings.from_env({name: text})

    assert repr(text) in str(refused.value)


def test_what_is_inside_a_source_keeps_its_share_of_it() -> None:
    usual, wide = Bounds(), Bounds(hot_ms=1000.0, cold_ms=2000.0)

    assert (usual.cache_wait_ms, usual.additions_ms, usual.segment_ms) == (3.0, 10.0, 17.5)
    assert (wide.cache_wait_ms, wide.additions_ms, wide.segment_ms) == (300.0, 1000.0, 1000.0)


@pytest.mark.parametrize("end_ms", [0.0, 20.0, 48.0])
def test_a_deadline_that_is_not_longer_leaves_the_bounds_as_they_are(end_ms: float) -> None:
    assert Bounds().reaching(end_ms) == Bounds()


def test_bounds_grow_with_a_longer_deadline() -> None:
    long = Bounds().reaching(4_800.0)

    assert long == Bounds(4_800.0, 4_000.0, 1_000.0, 1_000.0, 3_500.0, 3_500.0)
    assert (long.cache_wait_ms, long.names_ms, long.segment_ms) == (300.0, 500.0, 1_750.0)


def test_the_stage_of_one_machine_is_the_one_that_shows_everything_at_once() -> None:
    assert [Process({"STAGE": stage}).is_local for stage in ("local", "dev", "prod")] == [True, False, False]
    assert Process({}).is_local


def test_no_key_is_shown_with_the_settings() -> None:
    keys = [name for name in DEFAULTS if name.endswith("_API_KEY")]

    shown = repr(Settings.from_env(dict.fromkeys(keys, "sk-secret")))

    assert len(keys) == 4
    assert "sk-secret" not in shown
