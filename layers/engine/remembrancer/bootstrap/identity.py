"""Builds authentication: credentials, organizations and agents, each with a cache in Redis."""

from functools import cached_property
from typing import TYPE_CHECKING

from remembrancer.adapters.postgres.identity.directory import PostgresCredentials
from remembrancer.bootstrap.stores import Stores
from remembrancer.domain.identity.scope import RateLimit
from remembrancer.errors import ConfigurationError

if TYPE_CHECKING:
    from remembrancer.adapters.identity.json_web_tokens import JwtTokens
    from remembrancer.adapters.redis.identity_cache import CachedCredentials, CachedDirectory
    from remembrancer.usecases.identity.authorise import Authenticator


class Identity(Stores):
    """Credentials, organizations and agents, with their caches."""

    @cached_property
    def directory(self) -> "CachedDirectory":
        """Organizations and agents, from Redis and then from Postgres."""
        from remembrancer.adapters.redis.identity_cache import CachedDirectory

        return CachedDirectory(
            self.stored_directory, self.redis, self.clock, wait_seconds=self.settings.bounds.directive_ms / 2000
        )

    @cached_property
    def credentials(self) -> "CachedCredentials":
        """API keys, from Redis and then from Postgres."""
        from remembrancer.adapters.redis.identity_cache import CachedCredentials

        return CachedCredentials(
            PostgresCredentials(self.database),
            self.redis,
            self.clock,
            wait_seconds=self.settings.bounds.directive_ms / 2000,
        )

    @cached_property
    def authenticator(self) -> "Authenticator":
        """Authenticates API keys, and tokens where an issuer is configured."""
        from remembrancer.adapters.redis.rate_limits import RedisRateLimits
        from remembrancer.domain.identity.token_claims import ClaimNames
        from remembrancer.runtime.telemetry import count, emit
        from remembrancer.usecases.identity.admission import Admission
        from remembrancer.usecases.identity.authorise import Authenticator

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
            clock=self.clock,
            admission=Admission(self.clock, RateLimit(settings.refusal_limit_per_second, settings.refusal_limit_burst)),
            tokens=self.tokens,
            trusts_gateway=settings.jwt_from_gateway,
            claim_names=claim_names,
        )

    @cached_property
    def tokens(self) -> "JwtTokens | None":
        """The token verifier; None where tokens are not accepted, or only API Gateway checks them.

        Imports slow modules and starts fetching keys now, so that neither requests nor the rest of the start wait for
        them.
        """
        settings = self.settings
        if not settings.jwt_issuer or settings.jwt_from_gateway:
            return None
        from remembrancer.adapters.identity.json_web_tokens import JwtTokens
        from remembrancer.adapters.identity.jwks import JsonWebKeys

        audiences = [audience.strip() for audience in settings.jwt_audience.split(",") if audience.strip()]
        if not audiences:
            raise ConfigurationError("JWT_ISSUER needs JWT_AUDIENCE: tokens issued for other services must be refused")
        url = settings.jwt_jwks_url or f"{settings.jwt_issuer.rstrip('/')}/.well-known/jwks.json"
        keys = JsonWebKeys(url, self.clock)
        tokens = JwtTokens(keys, issuer=settings.jwt_issuer, audiences=audiences)
        self.begin(tokens.warm)
        return tokens
