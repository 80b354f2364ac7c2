"""Which provider of models a request goes to, by the keys that are there."""

from typing import Any

import pytest

from local.proxy import configuration, providers
from local.proxy.stand_in import NOTHING_ADDED, shown

KEYS = {"OPENAI_API_KEY": "sk-a", "ANTHROPIC_API_KEY": "sk-b", "MISTRAL_API_KEY": ""}


def test_a_provider_is_chosen_by_its_key() -> None:
    assert [provider.name for provider in providers(KEYS)] == ["openai", "anthropic"]
    assert providers({}) == ()


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("openai/*", "openai/*"),
        ("gpt-*", "openai/gpt-*"),
        ("claude-*", "anthropic/claude-*"),
        ("anthropic/*", "anthropic/*"),
        ("*", "openai/*"),
    ],
)
def test_a_model_goes_to_whom_its_name_says_and_any_other_to_the_first(name: str, model: str) -> None:
    routes = models(configuration(providers(KEYS)))

    assert routes[name]["model"] == model


def test_keys_stay_in_the_environment() -> None:
    text = str(configuration(providers(KEYS)))

    assert "sk-" not in text
    assert "os.environ/ANTHROPIC_API_KEY" in text


def test_without_a_key_every_model_is_the_stand_in() -> None:
    told = configuration((), stand_in_url="http://127.0.0.1:1")

    assert models(told) == {"*": {"model": "openai/*", "api_key": "none", "api_base": "http://127.0.0.1:1/v1"}}
    assert told["litellm_settings"] == {"callbacks": "remembrancer_client.litellm.hook"}


def models(told: dict[str, Any]) -> dict[str, Any]:
    return {route["model_name"]: route["litellm_params"] for route in told["model_list"]}


@pytest.mark.parametrize("tag", ["directive", "pinned", "memories"])
def test_the_stand_in_says_where_nothing_was_added(tag: str) -> None:
    asked = {"role": "user", "content": [{"type": "text", "text": "Is <memories> a tag?"}]}
    added = {"role": "system", "content": f"<{tag}-123456789>\nBe brief.\n</{tag}-123456789>"}

    assert shown([asked]).endswith(NOTHING_ADDED)
    assert NOTHING_ADDED not in shown([added, asked])
