"""The LiteLLM proxy's configuration: which provider serves which models, and our hook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

HOOK = "remembrancer_client.litellm.hook"


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider of LiteLLM, with the environment variable of its key and patterns of its models' names."""

    name: str
    key: str
    models: tuple[str, ...]


KNOWN = (
    Provider("openai", "OPENAI_API_KEY", ("gpt-*", "chatgpt-*", "o1*", "o3*", "o4*")),
    Provider("anthropic", "ANTHROPIC_API_KEY", ("claude-*",)),
    Provider("gemini", "GEMINI_API_KEY", ("gemini-*",)),
    Provider("mistral", "MISTRAL_API_KEY", ("mistral-*", "magistral-*", "codestral-*")),
    Provider("groq", "GROQ_API_KEY", ()),
    Provider("openrouter", "OPENROUTER_API_KEY", ()),
)


def providers(environment: Mapping[str, str]) -> tuple[Provider, ...]:
    """The providers whose keys are in the environment, in the order of `KNOWN`."""
    return tuple(provider for provider in KNOWN if environment.get(provider.key))


def configuration(chosen: Sequence[Provider], *, stand_in_url: str = "") -> dict[str, Any]:
    """Routes models by name or as `provider/model`, others to the first provider; without any, all to the stand-in."""
    if chosen:
        models = [route for provider in chosen for route in _routes(provider)]
        models.append(_route("*", f"{chosen[0].name}/*", api_key=f"os.environ/{chosen[0].key}"))
    else:
        models = [_route("*", "openai/*", api_key="none", api_base=f"{stand_in_url}/v1")]
    return {"model_list": models, "litellm_settings": {"callbacks": HOOK}}


def _routes(provider: Provider) -> list[dict[str, Any]]:
    own = f"{provider.name}/*"
    key = f"os.environ/{provider.key}"
    return [_route(own, own, api_key=key), *(_route(n, f"{provider.name}/{n}", api_key=key) for n in provider.models)]


def _route(name: str, model: str, **parameters: str) -> dict[str, Any]:
    return {"model_name": name, "litellm_params": {"model": model, **parameters}}
