"""Windows and tokenizers of models. Needs the built models."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.adapters.models.model_catalogue import ModelCatalogue
from remembrancer.adapters.models.tiktoken_counter import FAMILIES
from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.errors import ConfigurationError
from tests.builders import MODELS

CATALOGUE = ModelCatalogue(MODELS)


def test_gpt_4o_has_its_published_limits() -> None:
    profile = CATALOGUE.lookup("gpt-4o")

    assert profile == ModelProfile("gpt-4o", 128_000, 16_384, "o200k_base", 0.02, known=True)


@pytest.mark.parametrize(
    ("model", "window", "family", "safety"),
    [
        ("gpt-4", 8_192, "cl100k_base", 0.02),
        ("gpt-3.5-turbo", 16_385, "cl100k_base", 0.02),
        ("o3-mini", 200_000, "o200k_base", 0.02),
        ("gpt-oss-120b", 128_000, "o200k_base", 0.02),
        ("claude-3-5-sonnet-20241022", 200_000, "claude", 0.05),
        ("claude-opus-4-1", 200_000, "claude", 0.05),
        ("claude-opus-4-7", 1_000_000, "claude_4_7", 0.05),
        ("claude-sonnet-5", 1_000_000, "claude_4_7", 0.05),
        ("gemini-2.5-pro", 1_048_576, "other", 0.10),
    ],
)
def test_models_have_their_window_tokenizer_and_safety(model: str, window: int, family: str, safety: float) -> None:
    profile = CATALOGUE.lookup(model)

    assert (profile.window, profile.tokenizer_family, profile.safety_fraction) == (window, family, safety)
    assert profile.known


@pytest.mark.parametrize(
    "variant",
    [
        "GPT-4o",
        " gpt-4o ",
        "openai/gpt-4o",
        "azure/gpt-4o",
        "openrouter/openai/gpt-4o",
        "some-proxy/openai/gpt-4o",
        "gpt-4o-2024-08-06",
        "gpt-4o-2031-12-31",
        "gpt-4o-latest",
        "ft:gpt-4o:our-company:support:abc123",
    ],
)
def test_variants_of_a_name_are_the_model(variant: str) -> None:
    profile = CATALOGUE.lookup(variant)

    assert (profile.name, profile.window, profile.tokenizer_family) == (variant, 128_000, "o200k_base")


@pytest.mark.parametrize("name", ["us.anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1-20250805"])
def test_a_model_is_found_with_and_without_what_a_provider_adds(name: str) -> None:
    assert CATALOGUE.lookup(name).window == CATALOGUE.lookup("claude-opus-4-1").window


@pytest.mark.parametrize("model", ["our-own-model", "", " ", "/", "::", "gpt", "gpt-99", "text-embedding-3-small"])
def test_an_unknown_model_gets_a_small_window(model: str) -> None:
    profile = CATALOGUE.lookup(model)

    assert profile == ModelProfile(model, 8_192, 4_096, "cl100k_base", 0.10, known=False)


@given(st.text(max_size=60))
def test_any_name_has_a_usable_profile(model: str) -> None:
    profile = CATALOGUE.lookup(model)

    assert profile.window > 0
    assert profile.max_output_tokens > 0
    assert profile.tokenizer_family in FAMILIES


def test_a_folder_without_a_catalogue_is_a_configuration_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="build the models layer"):
        ModelCatalogue(tmp_path)
