"""The LiteLLM proxy with our hook, in front of a provider or of a stand-in model, for any client with a base URL."""

from local.proxy.configuration import Provider, configuration, providers
from local.proxy.litellm import LiteLLM, LiteLLMError
from local.proxy.stand_in import StandIn

__all__ = ["LiteLLM", "LiteLLMError", "Provider", "StandIn", "configuration", "providers"]
