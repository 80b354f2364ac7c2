"""The one place that knows which adapter serves which port.

Each function makes one Instance at import, which is Lambda's init phase, and takes what it serves from it. Adapters are
made when first asked for, and heavy ones imported then, so that a function loads only what it needs.
"""

import asyncio
import gc
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from remembrancer.adapters.aws import AwsCredentials, JsonService
from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.keyring import KeyRing
from remembrancer.adapters.kms import Kms
from remembrancer.adapters.postgres.data_keys import PostgresDataKeys
from remembrancer.adapters.postgres.database import Database
from remembrancer.adapters.postgres.identity import PostgresCredentials, PostgresDirectory
from remembrancer.adapters.postgres.login import IamLogin, Login, SecretLogin, UrlLogin, conninfo, verified
from remembrancer.adapters.secrets import KeptSecret, SecretsManager
from remembrancer.domain.formatter import NONCE_DIGITS
from remembrancer.domain.organization_request import NewOrganization
from remembrancer.domain.scope import RateLimit
from remembrancer.errors import ConfigurationError, StoreError
from remembrancer.keys import fingerprint, new_api_key
from remembrancer.ports.identity import Directory
from remembrancer.runtime.after_response import AfterResponse, Work
from remembrancer.runtime.loop import LoopThread
from remembrancer.settings import Settings

if TYPE_CHECKING:
    from remembrancer.adapters.bedrock import BedrockRuntime
    from remembrancer.adapters.bedrock_embedder import BedrockEmbedder
    from remembrancer.adapters.http_embedder import HttpEmbedder
    from remembrancer.adapters.model_catalogue import ModelCatalogue
    from remembrancer.adapters.onnx_embedder import OnnxEmbedder
    from remembrancer.adapters.postgres.background import PostgresEmbeddingStore
    from remembrancer.adapters.postgres.lexical_index import PostgresLexicalIndex
    from remembrancer.adapters.postgres.map_source import PostgresMapSource
    from remembrancer.adapters.postgres.migrations import MigrationReport
    from remembrancer.adapters.postgres.search import PostgresSearch
    from remembrancer.adapters.redis.agent_cache import RedisAgentCache
    from remembrancer.adapters.redis.client import RedisClient
    from remembrancer.adapters.redis.identity_cache import CachedCredentials
    from remembrancer.adapters.redis.vector_cache import RedisVectorCache
    from remembrancer.adapters.snowball import SnowballStemmer
    from remembrancer.adapters.sqs_queue import SqsQueue
    from remembrancer.adapters.tiktoken_counter import TiktokenCounter
    from remembrancer.adapters.tokens import JwtTokens
    from remembrancer.ports.language import LanguageModel
    from remembrancer.runtime.assembly_api import AssemblyApi
    from remembrancer.runtime.connect import Connect
    from remembrancer.runtime.encryption_tasks import EncryptionTasks
    from remembrancer.runtime.erasure_task import ErasureTask
    from remembrancer.runtime.http import Endpoint, HttpRequest
    from remembrancer.runtime.keys_api import KeysApi
    from remembrancer.runtime.memories_api import MemoriesApi
    from remembrancer.runtime.query_api import QueryApi
    from remembrancer.runtime.upkeep import MaintenanceTask
    from remembrancer.runtime.workers import EmbedWorker, SideEffectsWorker
    from remembrancer.usecases.authorise import Authenticator
    from remembrancer.usecases.encrypt import Encryption
    from remembrancer.usecases.erase import Eraser
    from remembrancer.usecases.maps import MemoryMaps
    from remembrancer.usecases.prefetch import Prefetcher
    from remembrancer.usecases.query_steps.embedding import QueryEmbedding
    from remembrancer.usecases.query_steps.hypotheses import Hypothesiser

DIMENSIONS = 384
"""Of the database's columns, hence of every embedder."""


class Instance:
    """One warm function instance: its settings, its event loop, and its adapters."""

    def __init__(self, env: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if env is None else env
        self.settings = Settings.from_env(self._environment)
        self.loop = LoopThread()
        self.after_response = AfterResponse(self.loop, self._environment.get("AWS_LAMBDA_RUNTIME_API"))
        self.clock = SystemClock()

    # What the functions serve.

    def assembly_api(self) -> "AssemblyApi":
        """Warm: model, vocabulary, database connections and the cache's are ready before the first request."""
        from remembrancer.runtime.assembly_api import AssemblyApi
        from remembrancer.usecases.assemble import Assembler
        from remembrancer.usecases.compose import Composer
        from remembrancer.usecases.retriever import Retriever

        settings = self.settings
        retriever = Retriever(
            cache=self.agent_cache,
            directives=self.stored_directory,
            states=self.stored_directory,
            directory=self.directory,
            embedder=self.embedder,
            search=self.search,
            stemmer=self.stemmer,
            source=self.map_source,
            maps=self.maps,
            bounds=settings.bounds,
            hot_rows=settings.hot_rows,
            minimum_confidence=settings.minimum_confidence,
            prefetcher=self.prefetcher,
        )
        assembler = Assembler(
            retriever=retriever,
            directory=self.directory,
            cache=self.agent_cache,
            embeddings=self.embedding_store,
            maps=self.maps,
            usage=self.queue(settings.side_effects_queue_url),
            composer=Composer(self.directory, self.key_ring, self.counter, settings, new_nonce),
            catalogue=self.catalogue,
            clock=self.clock,
            settings=settings,
            new_id=uuid4,
        )
        self.warm(self._warm_counter, assembler.warm)
        return AssemblyApi(assembler, self.authenticator, self.clock, settings.bounds.assembly_ms)

    def connect(self) -> "Connect":
        """Context assembly as a Connect call; protobuf is loaded after the first response, or ahead of all."""
        from remembrancer.adapters.protobuf import ContextMessages
        from remembrancer.runtime.connect import Connect
        from remembrancer.runtime.connect_messages import AssembleContext

        messages = ContextMessages()
        if self._started_ahead():
            self.loop.run(messages.warm())
        else:
            self.after_response.once("protobuf", messages.warm)
        return Connect(AssembleContext(messages))

    def query_api(self) -> "QueryApi":
        """Warm, as for assembly."""
        from remembrancer.adapters.postgres.graph import PostgresGraph
        from remembrancer.adapters.postgres.recall import PostgresRecall
        from remembrancer.adapters.redis.result_cache import RedisPopularResults
        from remembrancer.runtime.query_api import QueryApi
        from remembrancer.usecases.query import QueryMemories
        from remembrancer.usecases.query_steps.popular import PopularQueries
        from remembrancer.usecases.query_steps.search import CandidateSearch

        recall = PostgresRecall(self.database)
        queries = QueryMemories(
            directory=self.directory,
            opener=self.key_ring,
            search=CandidateSearch(
                directory=self.directory,
                embedding=self.query_embedding,
                search=self.search,
                stemmer=self.stemmer,
                cache=self.agent_cache,
                hypothesiser=self.hypothesiser,
                maps=self.maps,
            ),
            store=recall,
            graph=PostgresGraph(self.database),
            popular=PopularQueries(RedisPopularResults(self.redis), recall),
            usage=self.queue(self.settings.side_effects_queue_url),
            clock=self.clock,
            new_id=uuid4,
            hops=self.settings.hyde_hops,
        )
        self.warm(queries.warm)
        return QueryApi(queries, self.authenticator, self.clock)

    def memories_api(self) -> "MemoriesApi":
        """Loads no model."""
        from remembrancer.adapters.postgres.erasures import PostgresErasures
        from remembrancer.adapters.postgres.exports import PostgresExports
        from remembrancer.adapters.postgres.memories import PostgresMemories
        from remembrancer.adapters.postgres.memory_life import PostgresMemoryLife
        from remembrancer.adapters.postgres.relations import PostgresRelations
        from remembrancer.runtime.agents_api import AgentsApi
        from remembrancer.runtime.memories_api import MemoriesApi
        from remembrancer.runtime.records_api import RecordsApi
        from remembrancer.usecases.announce import Announcer
        from remembrancer.usecases.derive import Deriver
        from remembrancer.usecases.remember import Rememberer
        from remembrancer.usecases.revise import Reviser
        from remembrancer.usecases.sealing import MemoryReader

        memories = PostgresMemories(self.database)
        reader = MemoryReader(memories, self.key_ring)
        deriver = Deriver(self.counter, self.stemmer, self.key_ring)
        announcer = Announcer(self.agent_cache, self.queue(self.settings.embed_queue_url))
        return MemoriesApi(
            rememberer=Rememberer(
                memories=memories,
                directory=self.directory,
                deriver=deriver,
                announcer=announcer,
                clock=self.clock,
                new_id=uuid4,
            ),
            reviser=Reviser(
                memories=reader,
                life=PostgresMemoryLife(self.database),
                relations=PostgresRelations(self.database),
                directory=self.directory,
                deriver=deriver,
                announcer=announcer,
                clock=self.clock,
                new_id=uuid4,
            ),
            reader=reader,
            agents=AgentsApi(
                agents=self.stored_directory,
                directives=self.stored_directory,
                directory=self.directory,
                cache=self.agent_cache,
                authenticator=self.authenticator,
                new_id=uuid4,
            ),
            records=RecordsApi(
                eraser=self.eraser,
                erasures=PostgresErasures(self.database),
                exports=PostgresExports(self.database),
                reader=reader,
                directory=self.directory,
                authenticator=self.authenticator,
            ),
            directory=self.directory,
            authenticator=self.authenticator,
            probes={"postgres": self.database, "redis": self.redis},
            new_id=uuid4,
        )

    def keys_api(self) -> "KeysApi":
        """Administration of API keys."""
        from remembrancer.adapters.postgres.api_keys import PostgresApiKeys
        from remembrancer.runtime.keys_api import KeysApi
        from remembrancer.usecases.key_keeper import KeyKeeper

        return KeysApi(KeyKeeper(PostgresApiKeys(self.database), self.credentials, uuid4), self.authenticator)

    def openapi(self) -> "Endpoint":
        """`GET /openapi.json`; the document is made when it is first asked for."""
        from remembrancer.runtime.http import HttpResponse

        async def openapi(request: "HttpRequest", work: Work) -> HttpResponse:
            from remembrancer.runtime.openapi import document

            return HttpResponse(200, document(), {"cache-control": "public, max-age=300"})

        return openapi

    def embed_worker(self) -> "EmbedWorker":
        """Consumes the embedding queue."""
        from remembrancer.adapters.postgres.consolidation import PostgresConsolidation
        from remembrancer.runtime.workers import EmbedWorker
        from remembrancer.usecases.embed import MemoryEmbedder

        return EmbedWorker(
            MemoryEmbedder(
                store=self.embedding_store,
                consolidation=PostgresConsolidation(
                    self.database, new_id=uuid4, exact_rows=self.settings.exact_search_rows
                ),
                index=self.lexical_index,
                cache=self.agent_cache,
                embedder=self.embedder,
                opener=self.key_ring,
                clock=self.clock,
            )
        )

    def side_effects_worker(self) -> "SideEffectsWorker":
        """Consumes the side-effects queue."""
        from remembrancer.adapters.postgres.usage import PostgresUsage
        from remembrancer.adapters.redis.result_cache import RedisPopularResults
        from remembrancer.runtime.workers import SideEffectsWorker
        from remembrancer.usecases.apply_side_effects import SideEffects

        popular = RedisPopularResults(self.redis)
        return SideEffectsWorker(SideEffects(PostgresUsage(self.database), self.agent_cache, popular, self.clock))

    def maintenance(self) -> "MaintenanceTask":
        """The scheduled run."""
        from remembrancer.adapters.postgres.ageing import PostgresAgeing
        from remembrancer.adapters.postgres.upkeep import PostgresBacklog
        from remembrancer.runtime.upkeep import MaintenanceTask
        from remembrancer.usecases.maintain import Maintenance

        return MaintenanceTask(
            Maintenance(
                backlog=PostgresBacklog(self.database),
                ageing=PostgresAgeing(self.database),
                index=self.lexical_index,
                cache=self.agent_cache,
                embed_queue=self.queue(self.settings.embed_queue_url),
                clock=self.clock,
            ),
            self.encryption,
            self.eraser,
            self.clock,
        )

    def erasure_task(self) -> "ErasureTask":
        """What an operator asks for."""
        from remembrancer.runtime.erasure_task import ErasureTask

        return ErasureTask(self.eraser)

    def encryption_tasks(self) -> "EncryptionTasks":
        """What an operator asks for."""
        from remembrancer.runtime.encryption_tasks import EncryptionTasks

        return EncryptionTasks(self.encryption, self.settings.kms_key_id)

    @cached_property
    def encryption(self) -> "Encryption":
        """Turning it on, rotation, and going on with both."""
        from remembrancer.usecases.encrypt import Encryption

        keys = PostgresDataKeys(self.database)
        return Encryption(keys, self.kms, self.key_ring, self.key_ring, self.stored_directory, self.clock)

    async def migrate(self) -> "MigrationReport":
        """Brings the schema to this version, and the vector index to the kind that the settings choose."""
        from remembrancer.adapters.postgres.migrations import migrate, packaged
        from remembrancer.adapters.postgres.vector_index import use_vector_index

        url = await self._owner_url()
        report = await migrate(url, packaged())
        await use_vector_index(url, self.settings.vector_index)
        return report

    async def create_organization(self, request: NewOrganization) -> dict[str, str]:
        """Founds an organization with its first key, whose text is in this answer and nowhere else."""
        from remembrancer.adapters.postgres.identity import NewKey, create_organization

        text = new_api_key()
        principal = await create_organization(
            await self._owner_url(),
            name=request.name,
            project_id=request.project_id,
            environment=request.environment,
            key=NewKey(request.key_name, fingerprint(text), request.scopes),
        )
        return {"org_id": str(principal.org_id), "key_id": str(principal.key_id), "api_key": text}

    async def _owner_url(self) -> str:
        """The database URL is the owner's in the function that migrates."""
        login = await self.database_login.parameters()
        return conninfo(verified(self.settings.database_url, self.settings.database_ca_file), login)

    def warm(self, *steps: Callable[[], Awaitable[object]]) -> None:
        """What the first request would otherwise wait for; a server that does not answer yet is no reason to fail.

        Without the garbage collector, which would look through everything that is being made, again and again. What
        was made lives as long as the instance: no later collection looks at it either, in the middle of a request.
        """
        gc.disable()
        try:
            self.loop.run(self._warm(steps))
        finally:
            gc.freeze()
            gc.enable()

    async def _warm(self, steps: Sequence[Callable[[], Awaitable[object]]]) -> None:
        # Waits for the network while the model loads, in its thread.
        model = asyncio.ensure_future(self.embedder.warm())
        await _unless_unavailable(self.database.warm)
        await _unless_unavailable(self.redis.ping)
        # One on a server may be away for a while; what it gives is checked when it is back.
        await _unless_unavailable(lambda: model)
        # Each of them holds the interpreter for longer than a server is waited for.
        for step in steps:
            await _unless_unavailable(step)

    async def _warm_counter(self) -> None:
        """The vocabulary of most requests; the others at once only where that delays nobody.

        An instance that is started for a request loads them after its first response.
        """
        family = self.catalogue.lookup(self.settings.default_model).tokenizer_family
        await self.counter.warm([family])
        if self._started_ahead():
            await self.counter.warm()
        else:
            self.after_response.once("vocabularies", self.counter.warm)

    def _started_ahead(self) -> bool:
        """Whether nobody waits for this start, or nothing could be done later."""
        provisioned = self._environment.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "provisioned-concurrency"
        return provisioned or not self.after_response.registered

    # Adapters.

    @cached_property
    def database(self) -> Database:
        """The functions' own role."""
        settings = self.settings
        return Database(
            verified(settings.database_url, settings.database_ca_file),
            connections=settings.database_connections,
            prepare_threshold=settings.database_prepare_threshold,
            login=self.database_login,
        )

    @cached_property
    def database_login(self) -> Login:
        """As DATABASE_AUTH says."""
        settings = self.settings
        match settings.database_auth:
            case "password":
                return UrlLogin()
            case "iam":
                return IamLogin(settings.database_url, settings.aws_region, self.aws_credentials, self.clock)
            case "secret":
                return SecretLogin(self.secret(settings.database_secret_arn))
        raise ConfigurationError(f"DATABASE_AUTH={settings.database_auth!r} is none of password, iam and secret")

    @cached_property
    def aws_credentials(self) -> AwsCredentials:
        """Of the function's role."""
        return AwsCredentials.from_env(self._environment)

    def secret(self, arn: str) -> KeptSecret:
        """One secret of Secrets Manager."""
        manager = SecretsManager(self.aws_credentials, self.clock, endpoint_url=self.settings.aws_endpoint_url)
        return KeptSecret(manager, arn)

    @cached_property
    def eraser(self) -> "Eraser":
        """For requests, and for the scheduled run that goes on with them."""
        from remembrancer.adapters.postgres.erasures import PostgresErasures
        from remembrancer.adapters.postgres.upkeep import PostgresBacklog
        from remembrancer.adapters.redis.sweep import RedisSweep
        from remembrancer.usecases.erase import Eraser

        return Eraser(
            erasures=PostgresErasures(self.database),
            backlog=PostgresBacklog(self.database),
            cache=self.agent_cache,
            sweep=RedisSweep(self.redis),
            clock=self.clock,
            new_id=uuid4,
        )

    @cached_property
    def redis(self) -> "RedisClient":
        """One client for everything."""
        from remembrancer.adapters.redis.client import RedisClient

        settings = self.settings
        return RedisClient(
            settings.redis_url,
            ca_file=settings.redis_ca_file,
            secret=self.secret(settings.redis_secret_arn) if settings.redis_secret_arn else None,
            cluster=settings.redis_cluster,
        )

    @cached_property
    def agent_cache(self) -> "RedisAgentCache":
        """Directive, version counter and hot set."""
        from remembrancer.adapters.redis.agent_cache import RedisAgentCache

        return RedisAgentCache(self.redis)

    @cached_property
    def stored_directory(self) -> PostgresDirectory:
        """Organizations, agents and directives, past the caches."""
        return PostgresDirectory(self.database, self.key_ring)

    @cached_property
    def key_ring(self) -> KeyRing:
        """The organizations' data keys; KMS is asked when the first of them is needed."""
        keys = PostgresDataKeys(self.database)
        return KeyRing(keys, self.kms, self.clock, seconds=self.settings.data_key_seconds)

    @cached_property
    def kms(self) -> Kms:
        """What wraps data keys."""
        endpoint_url = self.settings.aws_endpoint_url
        return Kms(JsonService("KMS", "kms", "TrentService", self.aws_credentials, self.clock, endpoint_url))

    @cached_property
    def directory(self) -> Directory:
        """Organizations and agents, near at hand."""
        from remembrancer.adapters.redis.identity_cache import CachedDirectory

        return CachedDirectory(self.stored_directory, self.redis, self.clock)

    @cached_property
    def authenticator(self) -> "Authenticator":
        """API keys, and tokens where an issuer is named."""
        from remembrancer.adapters.redis.rate_limits import RedisRateLimits
        from remembrancer.domain.claims import ClaimNames
        from remembrancer.runtime.telemetry import count, emit
        from remembrancer.usecases.authorise import Authenticator

        settings = self.settings
        try:
            claim_names = ClaimNames.parse(settings.jwt_claims)
        except ValueError as error:
            raise ConfigurationError(f"JWT_CLAIMS={settings.jwt_claims!r} is not a valid value: {error}") from error
        return Authenticator(
            credentials=self.credentials,
            limits=RedisRateLimits(self.redis),
            default_limit=RateLimit(settings.rate_limit_per_second, settings.rate_limit_burst),
            note=lambda name: emit(count(name)),
            tokens=self.tokens,
            trusts_gateway=settings.jwt_from_gateway,
            claim_names=claim_names,
            user_required=not settings.jwt_user_optional,
        )

    @cached_property
    def tokens(self) -> "JwtTokens | None":
        """None where no token is a credential, or where API Gateway alone checks them.

        What is slow to import is imported now and the keys are fetched, so that no request waits for that.
        """
        settings = self.settings
        if not settings.jwt_issuer or settings.jwt_from_gateway:
            return None
        from remembrancer.adapters.jwks import JsonWebKeys
        from remembrancer.adapters.tokens import JwtTokens

        audiences = [audience.strip() for audience in settings.jwt_audience.split(",") if audience.strip()]
        if not audiences:
            raise ConfigurationError("JWT_ISSUER needs JWT_AUDIENCE: a token for somebody else must not open this door")
        url = settings.jwt_jwks_url or f"{settings.jwt_issuer.rstrip('/')}/.well-known/jwks.json"
        keys = JsonWebKeys(url, self.clock)
        tokens = JwtTokens(keys, issuer=settings.jwt_issuer, audiences=audiences, leeway_s=settings.jwt_leeway_s)
        self.loop.run(_unless_unavailable(tokens.warm))
        return tokens

    @cached_property
    def credentials(self) -> "CachedCredentials":
        """API keys, near at hand."""
        from remembrancer.adapters.redis.identity_cache import CachedCredentials

        return CachedCredentials(PostgresCredentials(self.database), self.redis, self.clock)

    @cached_property
    def search(self) -> "PostgresSearch":
        """Cold search."""
        from remembrancer.adapters.postgres.search import PostgresSearch

        return PostgresSearch(
            self.database,
            model=self.embedder.model,
            exact_rows=self.settings.exact_search_rows,
            vector_index=self.settings.vector_index,
        )

    @cached_property
    def map_source(self) -> "PostgresMapSource":
        """What memory maps are read from."""
        from remembrancer.adapters.postgres.map_source import PostgresMapSource

        return PostgresMapSource(self.database, model=self.embedder.model, dimensions=self.embedder.dimensions)

    @cached_property
    def maps(self) -> "MemoryMaps":
        """The instance's own."""
        from remembrancer.usecases.maps import MemoryMaps

        settings = self.settings
        return MemoryMaps(
            self.map_source,
            self.agent_cache,
            self.clock,
            dimensions=self.embedder.dimensions,
            most_memories=settings.map_memories,
            most_bytes=settings.map_bytes,
            slice_ms=settings.map_slice_ms,
        )

    @cached_property
    def embedding_store(self) -> "PostgresEmbeddingStore":
        """Vectors of new memories, and the hot set's refill."""
        from remembrancer.adapters.postgres.background import PostgresEmbeddingStore

        return PostgresEmbeddingStore(self.database)

    @cached_property
    def lexical_index(self) -> "PostgresLexicalIndex":
        """The upkeep of search by words."""
        from remembrancer.adapters.postgres.lexical_index import PostgresLexicalIndex

        return PostgresLexicalIndex(self.database)

    @cached_property
    def embedder(self) -> "OnnxEmbedder | HttpEmbedder | BedrockEmbedder":
        """As EMBEDDER says."""
        settings = self.settings
        match settings.embedder:
            case "onnx":
                return self.packaged_embedder
            case "http":
                return self._http_embedder()
            case "bedrock":
                from remembrancer.adapters.bedrock_embedder import BedrockEmbedder

                if not settings.embedder_model:
                    raise ConfigurationError("EMBEDDER=bedrock needs EMBEDDER_MODEL")
                return BedrockEmbedder(
                    self.bedrock(settings.embedder_url), model=settings.embedder_model, dimensions=DIMENSIONS
                )
        raise ConfigurationError(f"EMBEDDER={settings.embedder!r} is none of onnx, http and bedrock")

    def _http_embedder(self) -> "HttpEmbedder":
        from remembrancer.adapters.http_embedder import PATHS, HttpEmbedder
        from remembrancer.adapters.http_json import JsonServer

        settings = self.settings
        if not settings.embedder_url or not settings.embedder_model:
            raise ConfigurationError("EMBEDDER=http needs EMBEDDER_URL and EMBEDDER_MODEL")
        if settings.embedder_path not in PATHS:
            raise ConfigurationError(f"EMBEDDER_PATH={settings.embedder_path!r} is none of {', '.join(PATHS)}")
        key = self.api_key(settings.embedder_secret_arn, settings.embedder_api_key)
        return HttpEmbedder(
            JsonServer(settings.embedder_url, key=key),
            path=settings.embedder_path,
            model=settings.embedder_model,
            dimensions=DIMENSIONS,
        )

    @cached_property
    def packaged_embedder(self) -> "OnnxEmbedder":
        """The model of the layer."""
        from remembrancer.adapters.onnx_embedder import OnnxEmbedder

        return OnnxEmbedder(self.settings.models_dir)

    @cached_property
    def vector_cache(self) -> "RedisVectorCache":
        """Vectors of queries and of turns."""
        from remembrancer.adapters.redis.vector_cache import RedisVectorCache

        return RedisVectorCache(self.redis, DIMENSIONS)

    @cached_property
    def query_embedding(self) -> "QueryEmbedding":
        """With all that steps in for the embedder."""
        from remembrancer.adapters.hash_embedder import HashEmbedder
        from remembrancer.usecases.query_steps.embedding import QueryEmbedding

        packaged = None if self.settings.embedder == "onnx" else self.packaged_embedder
        return QueryEmbedding(self.embedder, packaged, HashEmbedder(DIMENSIONS), self.vector_cache)

    @cached_property
    def hypothesiser(self) -> "Hypothesiser | None":
        """None without a language model."""
        language_model = self.language_model
        if language_model is None:
            return None
        from remembrancer.usecases.query_steps.hypotheses import Hypothesiser

        return Hypothesiser(language_model, self.embedder, self.vector_cache, self._hypotheses)

    @cached_property
    def prefetcher(self) -> "Prefetcher | None":
        """None unless HYDE_PREFETCH is on and there is a language model."""
        if not self.settings.hyde_prefetch or self.language_model is None:
            return None
        from remembrancer.usecases.prefetch import Prefetcher

        return Prefetcher(self.language_model, self.embedder, self.vector_cache, self._hypotheses)

    @property
    def _hypotheses(self) -> int:
        from remembrancer.domain import hypotheses

        return min(max(self.settings.hyde_hypotheses, 1), hypotheses.MOST)

    @cached_property
    def language_model(self) -> "LanguageModel | None":
        """As LLM says."""
        settings = self.settings
        if settings.llm and not settings.llm_model:
            raise ConfigurationError(f"LLM={settings.llm} needs LLM_MODEL")
        match settings.llm:
            case "":
                return None
            case "openai":
                from remembrancer.adapters.http_json import JsonServer
                from remembrancer.adapters.llm_openai import OpenAiLanguageModel

                if not settings.llm_url:
                    raise ConfigurationError("LLM=openai needs LLM_URL")
                key = self.api_key(settings.llm_secret_arn, settings.llm_api_key)
                return OpenAiLanguageModel(JsonServer(settings.llm_url, key=key), settings.llm_model)
            case "bedrock":
                from remembrancer.adapters.llm_bedrock import BedrockLanguageModel

                return BedrockLanguageModel(self.bedrock(settings.llm_url), settings.llm_model)
        raise ConfigurationError(f"LLM={settings.llm!r} is none of openai and bedrock")

    def bedrock(self, endpoint_url: str) -> "BedrockRuntime":
        """In the function's own region."""
        from remembrancer.adapters.bedrock import BedrockRuntime

        return BedrockRuntime(region=self.settings.aws_region, endpoint_url=endpoint_url)

    def api_key(self, secret_arn: str, text: str) -> Callable[[], Awaitable[str]]:
        """The key in a secret, else the one in the environment."""
        kept = self.secret(secret_arn) if secret_arn else None

        async def key() -> str:
            return text if kept is None else (await kept.login())["password"]

        return key

    @cached_property
    def counter(self) -> "TiktokenCounter":
        """The packaged vocabularies."""
        from remembrancer.adapters.tiktoken_counter import TiktokenCounter

        return TiktokenCounter(self.settings.models_dir)

    @cached_property
    def catalogue(self) -> "ModelCatalogue":
        """Windows and tokenizers of chat models."""
        from remembrancer.adapters.model_catalogue import ModelCatalogue

        return ModelCatalogue(self.settings.models_dir)

    @cached_property
    def stemmer(self) -> "SnowballStemmer":
        """English."""
        from remembrancer.adapters.snowball import SnowballStemmer

        return SnowballStemmer()

    def queue(self, url: str) -> "SqsQueue":
        """The queue at `url`."""
        from remembrancer.adapters.sqs_queue import SqsQueue

        return SqsQueue(url, endpoint_url=self.settings.aws_endpoint_url)


def new_nonce() -> str:
    """For the tags of one injected text."""
    return f"{secrets.randbelow(10**NONCE_DIGITS):0{NONCE_DIGITS}d}"


async def _unless_unavailable(step: Callable[[], Awaitable[object]]) -> None:
    try:
        await step()
    except StoreError:
        return
