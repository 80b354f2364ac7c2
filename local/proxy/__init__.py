"""Runs the LiteLLM proxy with our hook for a provider or a stand-in model; any client with a base URL can use it."""

from local.proxy.configuration import Provider, configuration, providers
from local.proxy.litellm import LiteLLM, LiteLLMError
from local.proxy.stand_in import StandIn

__all__ = ["LiteLLM", "LiteLLMError", "Provider", "StandIn", "configuration", "providers"]
