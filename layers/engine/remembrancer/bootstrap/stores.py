"""Connections to Postgres, Redis, queues and KMS, with their credentials."""

from functools import cached_property
from typing import TYPE_CHECKING

from remembrancer.adapters.aws import credentials
from remembrancer.adapters.aws.credentials import CredentialSource
from remembrancer.adapters.aws.kms import Kms
from remembrancer.adapters.aws.secrets import KeptSecret, SecretsManager
from remembrancer.adapters.aws.signed_calls import JsonService
from remembrancer.adapters.encryption.keyring import KeyRing
from remembrancer.adapters.postgres.connection.database import Database
from remembrancer.adapters.postgres.connection.login import IamLogin, Login, SecretLogin, UrlLogin, verified
from remembrancer.adapters.postgres.encryption.data_keys import PostgresDataKeys
from remembrancer.adapters.postgres.identity.directory import PostgresDirectory
from remembrancer.bootstrap.process import Process
from remembrancer.domain.memories.quotas import Quotas
from remembrancer.errors import ConfigurationError
from remembrancer.ports.system import CAPTURE_HIDDEN_SECONDS, CAPTURE_RECEIVES, DelayedQueue

if TYPE_CHECKING:
    from remembrancer.adapters.redis.agent_cache import RedisAgentCache, WritersAgentCache
    from remembrancer.adapters.redis.client import RedisClient
    from remembrancer.ports.erasure import DeadLetters
    from remembrancer.usecases.upkeep.recorded_queue import RecordedQueue


CONNECTIONS = 2
"""To Postgres, of one instance: the second is opened after a response, if a request had to wait."""
POSTGRES = "postgres:"
"""Begins the URL of a queue in Postgres; its name follows."""
CONFIRMED_SECONDS = 1.0
"""Seconds for which a request may go by what Postgres told an earlier one of the agent's counters. The same for all
functions: a write that Redis did not take is acknowledged only after this time.
"""


class Stores(Process):
    """Clients of the stores, each created on first use."""

    confirmed_seconds = CONFIRMED_SECONDS
    connections = CONNECTIONS

    @cached_property
    def database(self) -> Database:
        """The database, as the functions' role."""
        settings = self.settings
        database = Database(
            verified(settings.database_url, settings.database_ca_file),
            connections=self.connections,
            at_first=1,
            prepare_threshold=settings.database_prepare_threshold,
            login=self.database_login,
        )
        self.after_response.always("connections", database.renew, when=database.is_worn)
        return database

    @cached_property
    def database_login(self) -> Login:
        """The login of the setting DATABASE_AUTH."""
        settings = self.settings
        match settings.database_auth:
            case "password":
                return UrlLogin()
            case "iam":
                return IamLogin(settings.database_url, self.aws_region, self.aws_credentials, self.clock)
            case "secret":
                return SecretLogin(self.secret(settings.database_secret_arn))
        raise ConfigurationError(f"DATABASE_AUTH={settings.database_auth!r} is not one of password, iam and secret")

    @property
    def aws_region(self) -> str:
        """The function's own region, which Lambda sets."""
        return self.environment.get("AWS_REGION", "")

    @cached_property
    def aws_credentials(self) -> CredentialSource:
        """Credentials of the function's role, from its environment."""
        return credentials.from_env(self.environment, self.clock)

    def secret(self, arn: str) -> KeptSecret:
        """The secret with this ARN, read from Secrets Manager when it is first needed."""
        manager = SecretsManager(self.aws_credentials, self.clock, endpoint_url=self.settings.aws_endpoint_url)
        return KeptSecret(manager, arn)

    @cached_property
    def kms(self) -> Kms:
        """The KMS client that wraps and unwraps data keys."""
        endpoint_url = self.settings.aws_endpoint_url
        return Kms(JsonService("KMS", "kms", "TrentService", self.aws_credentials, self.clock, endpoint_url))

    @cached_property
    def key_ring(self) -> KeyRing:
        """The organizations' data keys; KMS is called for the first of them."""
        return KeyRing(PostgresDataKeys(self.database).of, self.kms, self.clock)

    @cached_property
    def quotas(self) -> Quotas:
        """Quotas for organizations without their own."""
        settings = self.settings
        return Quotas(
            memories=settings.quota_memories,
            agents=settings.quota_agents,
            directives=settings.quota_directives,
            keys=settings.quota_keys,
            turns=settings.quota_turns,
        )

    @cached_property
    def stored_directory(self) -> PostgresDirectory:
        """Organizations, agents and directives from Postgres, without caches."""
        return PostgresDirectory(self.database, self.key_ring, self.quotas)

    @cached_property
    def redis(self) -> "RedisClient":
        """The Redis client that all caches share."""
        from remembrancer.adapters.redis.client import RedisClient

        settings = self.settings
        return RedisClient(
            settings.redis_url,
            secret=self.secret(settings.redis_secret_arn) if settings.redis_secret_arn else None,
            cluster=settings.redis_cluster,
        )

    @cached_property
    def agent_cache(self) -> "RedisAgentCache":
        """Cache of directives, change counters and hot sets."""
        from remembrancer.adapters.redis.agent_cache import RedisAgentCache

        return RedisAgentCache(self.redis)

    @cached_property
    def writers_cache(self) -> "WritersAgentCache":
        """The same for writes that are acknowledged to a caller."""
        from remembrancer.adapters.redis.agent_cache import WritersAgentCache

        return WritersAgentCache(self.redis, confirmed_seconds=self.confirmed_seconds)

    def queue(self, url: str) -> DelayedQueue:
        """Sends messages to the queue at `url`: one of SQS, or one in Postgres, as `postgres:embed`."""
        if url.startswith(POSTGRES):
            from remembrancer.adapters.postgres.queues import PostgresQueue

            name = url.removeprefix(POSTGRES)
            if url == self.settings.capture_queue_url:
                return PostgresQueue(
                    self.database, name, hidden_seconds=CAPTURE_HIDDEN_SECONDS, most_receives=CAPTURE_RECEIVES
                )
            return PostgresQueue(self.database, name)
        from remembrancer.adapters.aws.sqs_queue import SqsQueue

        return SqsQueue(url, endpoint_url=self.settings.aws_endpoint_url)

    @cached_property
    def dead_letters(self) -> "DeadLetters":
        """The dead letters of all queues, which are all of one kind."""
        urls = [url.strip() for url in self.settings.dead_letter_queue_urls.split(",")]
        if any(url.startswith(POSTGRES) for url in urls):
            from remembrancer.adapters.postgres.queues import PostgresDeadLetters

            return PostgresDeadLetters(self.database, [url.removeprefix(POSTGRES) for url in urls])
        from remembrancer.adapters.aws.sqs_dead_letters import SqsDeadLetters

        return SqsDeadLetters(urls, endpoint_url=self.settings.aws_endpoint_url)

    def work_queue(self, url: str) -> "RecordedQueue":
        """The queue at `url`; what it does not take is noted in Postgres, for maintenance to send."""
        from remembrancer.adapters.postgres.unsent_work import PostgresUnsentWork
        from remembrancer.usecases.upkeep.recorded_queue import RecordedQueue

        return RecordedQueue(self.queue(url), PostgresUnsentWork(self.database))
