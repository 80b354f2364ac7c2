"""Builds embedders, language models, tokenizers and the model catalogue."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from remembrancer.bootstrap.stores import Stores
from remembrancer.errors import ConfigurationError
from remembrancer.ports.identity import Directory

if TYPE_CHECKING:
    from remembrancer.adapters.models.bedrock import BedrockRuntime
    from remembrancer.adapters.models.bedrock_embedder import BedrockEmbedder
    from remembrancer.adapters.models.http_embedder import HttpEmbedder
    from remembrancer.adapters.models.http_json import JsonServer
    from remembrancer.adapters.models.llm_bedrock import BedrockLanguageModel
    from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel
    from remembrancer.adapters.models.model_catalogue import ModelCatalogue
    from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder
    from remembrancer.adapters.models.onnx_reader import OnnxReader
    from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter
    from remembrancer.adapters.redis.query_cache import RedisQueryCache
    from remembrancer.adapters.text.snowball import SnowballStemmer
    from remembrancer.ports.models import LanguageModel
    from remembrancer.usecases.retrieval.hypothesiser import Hypothesiser
    from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding

DIMENSIONS = 384
"""Dimensions of the packaged model, of hashed words, and of a remote model for which the settings name none."""
CAPTURE_SECONDS = 10.0
"""For one call of the capture model; two have to fit into the function's 30 s."""
FEWEST_DIMENSIONS, MOST_DIMENSIONS = 32, 3072
"""With more, a vector does not fit into one page of the database beside the columns for filters."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """The settings of one embedder; `setting` begins their names. `api_key` is as for `json_server`."""

    setting: str
    kind: str
    url: str
    model: str
    dimensions: int
    api_key: str = field(repr=False)

    @property
    def named(self) -> bool:
        """Whether requests name the number of dimensions."""
        return bool(self.dimensions)

    @property
    def length(self) -> int:
        """The number of dimensions. Raises ConfigurationError for one that the database cannot store."""
        if self.named and not FEWEST_DIMENSIONS <= self.dimensions <= MOST_DIMENSIONS:
            raise ConfigurationError(
                f"{self.setting}_DIMENSIONS={self.dimensions} is not between {FEWEST_DIMENSIONS} and {MOST_DIMENSIONS}"
            )
        return self.dimensions or DIMENSIONS


class Models(Stores):
    """The models that the settings choose."""

    @cached_property
    def embedder(self) -> "OnnxEmbedder | HttpEmbedder | BedrockEmbedder":
        """The embedder of the setting EMBEDDER."""
        settings = self.settings
        return self._embedder(
            EmbedderChoice(
                "EMBEDDER",
                settings.embedder,
                settings.embedder_url,
                settings.embedder_model,
                settings.embedder_dimensions,
                settings.embedder_api_key,
            )
        )

    @cached_property
    def previous_embedder(self) -> "OnnxEmbedder | HttpEmbedder | BedrockEmbedder | None":
        """The embedder before a change; None when it is the same, or when there is none."""
        settings = self.settings
        if not settings.previous_embedder and (settings.embedder == "onnx" or not self.has_packaged_model):
            return None
        same_server = settings.previous_embedder == settings.embedder
        previous = self._embedder(
            EmbedderChoice(
                "PREVIOUS_EMBEDDER",
                settings.previous_embedder or "onnx",
                settings.previous_embedder_url or (settings.embedder_url if same_server else ""),
                settings.previous_embedder_model or (settings.embedder_model if same_server else ""),
                settings.previous_embedder_dimensions,
                settings.previous_embedder_api_key or (settings.embedder_api_key if same_server else ""),
            )
        )
        return None if previous.model == self.embedder.model else previous

    def _embedder(self, choice: EmbedderChoice) -> "OnnxEmbedder | HttpEmbedder | BedrockEmbedder":
        match choice.kind:
            case "onnx":
                return self.packaged_embedder
            case "http" | "openai":
                return self._http_embedder(choice)
            case "bedrock":
                from remembrancer.adapters.models.bedrock_embedder import BedrockEmbedder

                if not choice.model:
                    raise ConfigurationError(f"{choice.setting}=bedrock needs {choice.setting}_MODEL")
                return BedrockEmbedder(
                    self.bedrock(choice.url), model=choice.model, dimensions=choice.length, named=choice.named
                )
        raise ConfigurationError(f"{choice.setting}={choice.kind!r} is not one of onnx, http, openai and bedrock")

    def _http_embedder(self, choice: EmbedderChoice) -> "HttpEmbedder":
        from remembrancer.adapters.models.http_embedder import HttpEmbedder

        setting = choice.setting
        if not choice.url or not choice.model:
            raise ConfigurationError(f"{setting}={choice.kind} needs {setting}_URL and {setting}_MODEL")
        return HttpEmbedder(
            self.json_server(choice.url, choice.api_key),
            in_batches=choice.kind == "openai",
            model=choice.model,
            dimensions=choice.length,
            named=choice.named,
        )

    @property
    def has_packaged_model(self) -> bool:
        """Whether the models layer is there."""
        return (self.settings.models_dir / "embedding" / "model.json").exists()

    @cached_property
    def packaged_embedder(self) -> "OnnxEmbedder":
        """The embedding model of the layer."""
        from remembrancer.adapters.models.onnx_embedder import OnnxEmbedder

        return OnnxEmbedder(self.settings.models_dir)

    @cached_property
    def wish_reader(self) -> "OnnxReader | None":
        """The reader of wishes, beside the embedding model of the layer; None without that."""
        from remembrancer.adapters.models.onnx_reader import OnnxReader

        return OnnxReader(self.packaged_embedder) if self.has_packaged_model else None

    @cached_property
    def query_cache(self) -> "RedisQueryCache":
        """Cache of what came of queries and turns."""
        from remembrancer.adapters.redis.query_cache import RedisQueryCache

        return RedisQueryCache(self.redis)

    def query_embedding(self, directory: Directory) -> "QueryEmbedding":
        """The query's embedding, with its fallbacks; cached where it takes a call of another server: the packaged
        model takes little longer than Redis.
        """
        from remembrancer.adapters.models.hash_embedder import HashEmbedder
        from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding

        last = HashEmbedder(DIMENSIONS)
        if self.settings.embedder == "onnx" and self.previous_embedder is None:
            return QueryEmbedding(self.embedder, last=last)
        packaged = None if self.settings.embedder == "onnx" else self.packaged_embedder
        return QueryEmbedding(self.embedder, directory, self.query_cache, packaged, last)

    def assembly_embedding(self, directory: Directory) -> "QueryEmbedding":
        """The embedding of assembly's queries: one attempt; cached where it takes a call of another server."""
        from remembrancer.usecases.retrieval.query_embedding import QueryEmbedding

        if self.settings.embedder == "onnx":
            return QueryEmbedding(self.embedder, most_attempts=1)
        return QueryEmbedding(self.embedder, directory, self.query_cache, most_attempts=1)

    @cached_property
    def hypothesiser(self) -> "Hypothesiser | None":
        """The hypothesiser; None without a language model."""
        language_model = self.language_model
        if language_model is None:
            return None
        from remembrancer.usecases.retrieval.hypothesiser import Hypothesiser

        return Hypothesiser(
            language_model,
            self.embedder,
            self.query_cache,
        )

    @cached_property
    def language_model(self) -> "LanguageModel | None":
        """The language model of the setting LLM."""
        settings = self.settings
        name = ("LLM_MODEL", settings.llm_model)
        return self._model("LLM", settings.llm, settings.llm_url, name, settings.llm_api_key)

    @cached_property
    def capture_model(self) -> "LanguageModel | None":
        """The language model of the setting CAPTURE_MODEL."""
        settings = self.settings
        name = ("CAPTURE_MODEL_NAME", settings.capture_model_name)
        key, seconds = settings.capture_model_api_key, CAPTURE_SECONDS
        return self._model(
            "CAPTURE_MODEL", settings.capture_model, settings.capture_model_url, name, key, seconds=seconds
        )

    def _model(
        self,
        setting: str,
        provider: str,
        url: str,
        name: tuple[str, str],
        key: str,
        *,
        seconds: float = 2.0,
    ) -> "OpenAiLanguageModel | BedrockLanguageModel | None":
        """None without a provider; `name` is the setting of the model's name, and its value; `key` is as for
        `json_server`.
        """
        name_setting, model = name
        if provider and not model:
            raise ConfigurationError(f"{setting}={provider} needs {name_setting}")
        match provider:
            case "":
                return None
            case "openai":
                from remembrancer.adapters.models.llm_openai import OpenAiLanguageModel

                if not url:
                    raise ConfigurationError(f"{setting}=openai needs {setting}_URL")
                return OpenAiLanguageModel(self.json_server(url, key, seconds=seconds), model)
            case "bedrock":
                from remembrancer.adapters.models.llm_bedrock import BedrockLanguageModel

                return BedrockLanguageModel(self.bedrock(url, seconds=seconds), model)
        raise ConfigurationError(f"{setting}={provider!r} is not one of openai and bedrock")

    def bedrock(self, endpoint_url: str, *, seconds: float = 2.0) -> "BedrockRuntime":
        """Bedrock in the function's own region."""
        from remembrancer.adapters.models.bedrock import BedrockRuntime

        runtime = BedrockRuntime(region=self.aws_region, endpoint_url=endpoint_url, seconds=seconds)
        self.model_servers.append(runtime)
        return runtime

    def json_server(self, url: str, api_key: str, *, seconds: float = 2.0) -> "JsonServer":
        """A server; `api_key` is its key, or the ARN of the secret that has it."""
        from remembrancer.adapters.models.http_json import JsonServer

        secret = self.secret(api_key) if api_key.startswith("arn:") else None
        server = JsonServer(url, key=api_key, secret=secret, seconds=seconds)
        self.model_servers.append(server)
        return server

    @cached_property
    def model_servers(self) -> "list[JsonServer | BedrockRuntime]":
        """The servers of all models that this instance has built so far."""
        return []

    @cached_property
    def counter(self) -> "TiktokenCounter":
        """The token counter, with packaged vocabularies."""
        from remembrancer.adapters.models.tiktoken_counter import TiktokenCounter

        return TiktokenCounter(self.settings.models_dir)

    @cached_property
    def catalogue(self) -> "ModelCatalogue":
        """Windows and tokenizers of chat models."""
        from remembrancer.adapters.models.model_catalogue import ModelCatalogue

        return ModelCatalogue(self.settings.models_dir)

    @cached_property
    def stemmer(self) -> "SnowballStemmer":
        """The stemmers of queries and memories."""
        from remembrancer.adapters.text.snowball import SnowballStemmer

        return SnowballStemmer()
