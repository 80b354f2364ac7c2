"""All settings of a function, read once from its environment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from remembrancer.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Bounds:
    """Deadlines of assembly in milliseconds; caller > assembly > retrieval > source (docs/deadlines.md).

    A deployment has these; evaluations and tests that need every answer to be complete set wider ones.
    """

    assembly_ms: float = 48.0
    retrieval_ms: float = 40.0
    directive_ms: float = 10.0
    hot_ms: float = 10.0
    cold_ms: float = 35.0
    lexical_ms: float = 35.0

    @property
    def cache_wait_ms(self) -> float:
        """How long the search waits for the turn cache, or for a change counter."""
        return 0.3 * self.hot_ms

    @property
    def additions_ms(self) -> float:
        """The end of the read of new memories for a map."""
        return self.hot_ms

    @property
    def segment_ms(self) -> float:
        """The end of the wait for another instance's map."""
        return self.cold_ms / 2

    @property
    def names_ms(self) -> float:
        """How long to wait for the names an agent knows; after that the query is embedded with all its names."""
        return self.hot_ms / 2

    def reaching(self, end_ms: float) -> "Bounds":
        """These, or longer in proportion where an answer may take longer than `assembly_ms`."""
        factor = end_ms / self.assembly_ms
        if factor <= 1:
            return self
        return replace(self, **{bound.name: factor * getattr(self, bound.name) for bound in fields(self)})


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a deployment; every field is an environment variable of the same name in capitals.

    Each is a parameter of template.yaml, or is set by the stack itself; what nobody chooses is a constant beside its
    code.
    """

    database_url: str = ""
    database_auth: str = "password"
    """`password` (in the URL), `iam` or `secret`."""
    database_secret_arn: str = ""
    database_ca_file: str = ""
    database_prepare_threshold: int = 5
    redis_url: str = ""
    redis_secret_arn: str = ""
    redis_cluster: bool = False
    embed_queue_url: str = ""
    capture_queue_url: str = ""
    side_effects_queue_url: str = ""
    dead_letter_queue_urls: str = ""
    """Of these three queues, separated by commas; erasures delete messages there."""
    aws_endpoint_url: str = ""
    kms_key_id: str = ""
    """ARN of the KMS key that wraps new data keys."""
    models_dir: Path = Path("/opt/models")
    embedder: str = "onnx"
    """`onnx` (packaged), `http`, `openai` (any server of the embeddings protocol) or `bedrock`."""
    embedder_url: str = ""
    embedder_model: str = ""
    embedder_api_key: str = field(default="", repr=False)
    """The key, or the ARN of the secret that has it; so are the other keys of models."""
    embedder_dimensions: int = 0
    """Dimensions of the vectors, named in each request; 0: 384, and requests name none."""
    previous_embedder: str = ""
    """The embedder before a change, until all memories are embedded again. Empty: the packaged model. What is not set
    below is as for the embedder.
    """
    previous_embedder_url: str = ""
    previous_embedder_model: str = ""
    previous_embedder_api_key: str = field(default="", repr=False)
    previous_embedder_dimensions: int = 0
    llm: str = ""
    """Empty for none, `openai` (any server of the chat-completions protocol) or `bedrock`."""
    llm_url: str = ""
    llm_model: str = ""
    llm_api_key: str = field(default="", repr=False)
    capture_model: str = ""
    """The language model of capture: empty for none, `openai` or `bedrock`, as `llm`."""
    capture_model_url: str = ""
    capture_model_name: str = ""
    capture_model_api_key: str = field(default="", repr=False)
    capture_idle_seconds: float = 300.0
    """Silence after which a window with fewer turns than a whole one is read."""
    capture_tokens: int = 2_000_000
    """Tokens of the capture model for each organization and day (UTC); 0 is no limit."""
    vector_index: str = "hnsw"
    """`hnsw` or `ivfflat`: the index for search in large scopes."""
    memory_enabled: bool = True
    """False: assembly injects no memories, the directive alone."""
    unconfirmed_seconds: float = 300.0
    """Seconds that caches may answer after Postgres last confirmed them while it is silent, at most 300; 0 disables
    this.
    """
    jwt_issuer: str = ""
    """With `jwt_audience`, tokens (JWT) of this issuer are credentials."""
    jwt_audience: str = ""
    jwt_jwks_url: str = ""
    """Empty: the issuer's `/.well-known/jwks.json`."""
    jwt_from_gateway: bool = False
    """API Gateway's authorizer checks tokens; its claims in the event are trusted."""
    jwt_claims: str = ""
    """Names of claims that differ from the usual ones, as `org_id=…,user=…`."""
    rate_limit_per_second: float = 1000.0
    """For each organization; 0 is no limit."""
    rate_limit_burst: int = 2000
    refusal_limit_per_second: float = 5.0
    """Rate limit of refused credentials for each address, in each instance; 0 is no limit."""
    refusal_limit_burst: int = 50
    quota_memories: int = 5_000_000
    """Texts of an organization, earlier ones of a memory too; this and the others: 0 is no limit."""
    quota_agents: int = 10_000
    quota_directives: int = 50_000
    """Versions of an organization's directives."""
    quota_keys: int = 10_000
    quota_turns: int = 20_000_000
    """Stored turns of an organization's conversations, also those whose text is gone."""
    inspector: bool = False
    """Serves the inspector at `GET /inspector`."""
    log_every: int = 1
    """One line in the log for so many requests without error, missing part or delay."""
    stage: str = "local"
    """In `local`, metrics and usage are written with each request."""
    bounds: Bounds = field(default_factory=Bounds)

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "Settings":
        """Unset variables keep their defaults; one that does not parse raises ConfigurationError naming it.

        A variable that is `none` counts as unset: a deployment has it from an SSM parameter, which cannot be empty.
        """
        bounds = Bounds(**_read(Bounds, env))
        return cls(**_read(cls, env), bounds=bounds)


DEFAULTS: Mapping[str, Any] = {
    setting.name.upper(): setting.default
    for kind in (Settings, Bounds)
    for setting in fields(kind)
    if setting.name != "bounds"
}
"""Every variable that is a setting, and its value where it is not set."""


def _read(kind: type, env: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for setting in fields(kind):
        text = env.get(setting.name.upper(), "")
        convert = _CONVERTERS.get(setting.type if isinstance(setting.type, str) else setting.type.__name__)
        if text in _UNSET or convert is None:
            continue
        try:
            values[setting.name] = convert(text)
        except ValueError as error:
            raise ConfigurationError(f"{setting.name.upper()}={text!r} is not a valid value: {error}") from error
    return values


_UNSET = ("", "none")


def _truth(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        raise ValueError("must be true or false")
    return text.lower() == "true"


_CONVERTERS: Mapping[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "Path": Path,
    "bool": _truth,
}
