"""Windows, limits and tokenizers of chat models, from the models layer's catalogue."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from remembrancer.domain.context.model_profile import ModelProfile
from remembrancer.errors import ConfigurationError

SAFETY_FRACTIONS = {"o200k_base": 0.02, "cl100k_base": 0.02, "claude": 0.05, "claude_4_7": 0.05}
SAFETY_UNKNOWN = 0.10
UNKNOWN_WINDOW = 8192
UNKNOWN_FAMILY = "cl100k_base"
# Used where the catalogue has no largest output. The budget never reserves more than this for an answer.
UNSTATED_OUTPUT = 4096

_PROVIDER = re.compile(r"^[^/]*/")
_REGION = re.compile(
    r"^(?:[a-z]{2,6}(?:-gov)?\.)?(?:amazon|anthropic|deepseek|meta|mistral|moonshotai|openai|xai|zai)\."
)
# Suffixes that providers append to a model's name: a date, a revision, `latest`, the name of a fine-tuned model.
_SNAPSHOT = re.compile(r"(?::.*|[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|\d{4}|\d{3}|latest|preview|default))$")


class ModelCatalogue:
    """Serves the Catalogue port from a models folder."""

    def __init__(self, models: Path) -> None:
        """Raises ConfigurationError when the folder has no catalogue."""
        path = models / "model_catalogue.json"
        try:
            content = json.loads(path.read_text())
        except FileNotFoundError as error:
            raise ConfigurationError(f"no model catalogue at {path}: build the models layer") from error
        self._models: dict[str, tuple[int, int | None, str]] = content["models"]
        self.source: str = content["source"]
        # Callers use few names; the limit is for callers that send a new name each time.
        self._find = lru_cache(maxsize=1024)(self._find_uncached)

    def lookup(self, model: str) -> ModelProfile:
        """The profile of `model`, of the model that its name is a variant of, or of an unknown model; never raises."""
        return self._find(model)

    def _find_uncached(self, model: str) -> ModelProfile:
        for name in _variants(model):
            if name in self._models:
                window, output, family = self._models[name]
                safety = SAFETY_FRACTIONS.get(family, SAFETY_UNKNOWN)
                return ModelProfile(model, window, output or UNSTATED_OUTPUT, family, safety, known=True)
        return ModelProfile(model, UNKNOWN_WINDOW, UNSTATED_OUTPUT, UNKNOWN_FAMILY, SAFETY_UNKNOWN, known=False)


def _variants(model: str) -> Iterator[str]:
    """Names under which the catalogue may have the model, most specific first.

    `MyProxy/OpenAI/gpt-4o-2031-01-01` gives itself in lower case, then without its snapshot, then the same without one
    provider and without both.
    """
    name = model.strip().lower()
    while name:
        yield from _snapshots(name)
        yield from _snapshots(name.removeprefix("ft:"))
        yield from _snapshots(_REGION.sub("", name))
        shorter = _PROVIDER.sub("", name)
        if shorter == name:
            return
        name = shorter


def _snapshots(name: str) -> Iterator[str]:
    """The name, then without its last suffix, and so on."""
    while name:
        yield name
        shorter = _SNAPSHOT.sub("", name)
        if shorter == name:
            return
        name = shorter
