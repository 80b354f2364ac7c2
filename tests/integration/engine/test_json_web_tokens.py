"""Tokens: the provider's own are taken, forged ones refused, and its keys are at hand without asking for each."""

import asyncio
import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remembrancer.adapters.clock import SystemClock
from remembrancer.adapters.identity.json_web_tokens import JwtTokens
from remembrancer.adapters.identity.jwks import COOLDOWN_SECONDS, LIFETIME_SECONDS, REFRESH_SECONDS, JsonWebKeys, usable
from remembrancer.errors import ConfigurationError, StoreTimeout, StoreUnavailable
from tests.builders import SetClock
from tests.identity_provider import AUDIENCE, IdentityProvider


@pytest.fixture(scope="module")
def shared_provider() -> Iterator[IdentityProvider]:
    provider = IdentityProvider()
    yield provider
    provider.close()


@pytest.fixture
def provider(shared_provider: IdentityProvider) -> Iterator[IdentityProvider]:
    kept = list(shared_provider.keys)
    shared_provider.requests = 0
    yield shared_provider
    shared_provider.keys = kept
    shared_provider.body, shared_provider.status = None, 200
    shared_provider.answering.set()


@pytest.fixture
def clock() -> SetClock:
    return SetClock(start=None)


@pytest.fixture
def tokens(provider: IdentityProvider, clock: SetClock) -> JwtTokens:
    return verifier(provider, clock)


def verifier(provider: IdentityProvider, clock: Any, **options: Any) -> JwtTokens:
    keys = JsonWebKeys(provider.url, clock, **options)
    return JwtTokens(keys, issuer=provider.issuer, audiences=[AUDIENCE])


def encoded(part: Any) -> str:
    text = part if isinstance(part, bytes) else json.dumps(part).encode()
    return base64.urlsafe_b64encode(text).rstrip(b"=").decode()


def signed_by_hmac(header: dict[str, Any], claims: dict[str, Any], secret: bytes) -> str:
    signed = f"{encoded(header)}.{encoded(claims)}"
    return f"{signed}.{encoded(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"


@pytest.mark.parametrize("kid", ["rsa-1", "ec-1"])
async def test_the_providers_own_tokens_are_taken(provider: IdentityProvider, tokens: JwtTokens, kid: str) -> None:
    claims = await tokens.verified(provider.token(kid, scope="query"))

    assert claims is not None
    assert (claims["sub"], claims["scope"]) == ("ada", "query")


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": 1_700_000_000},
        {"exp": ...},
        {"nbf": 32_000_000_000},
        {"iat": 32_000_000_000},
        {"aud": "another"},
        {"aud": []},
        {"aud": ...},
        {"iss": "https://another.example"},
        {"iss": ...},
        {"exp": "soon"},
        {"exp": 1e400},
        {"nbf": "soon"},
    ],
    ids=str,
)
async def test_a_token_that_is_not_for_us_or_not_valid_now_is_refused(
    provider: IdentityProvider, tokens: JwtTokens, changes: dict[str, Any]
) -> None:
    assert await tokens.verified(provider.token(**changes)) is None


@pytest.mark.parametrize("seconds", [-29, 29])
async def test_clocks_may_differ_by_half_a_minute(provider: IdentityProvider, tokens: JwtTokens, seconds: int) -> None:
    now = provider.claims()["iat"]

    assert await tokens.verified(provider.token(exp=now - 25 if seconds < 0 else now + 60, nbf=now + seconds))
    assert await tokens.verified(provider.token(exp=now - 40)) is None


async def test_a_token_for_several_audiences_is_for_us_too(provider: IdentityProvider, tokens: JwtTokens) -> None:
    assert await tokens.verified(provider.token(aud=["another", AUDIENCE]))


async def test_a_token_without_a_signature_is_refused(provider: IdentityProvider, tokens: JwtTokens) -> None:
    for algorithm in ("none", "None", "NONE", ""):
        header = {"alg": algorithm, "typ": "JWT", "kid": "rsa-1"}
        assert await tokens.verified(f"{encoded(header)}.{encoded(provider.claims())}.") is None


@pytest.mark.parametrize("algorithm", ["HS256", "RS256"])
async def test_a_token_signed_with_the_public_key_as_a_secret_is_refused(
    provider: IdentityProvider, tokens: JwtTokens, algorithm: str
) -> None:
    pem = provider.public_pem("rsa-1")
    for secret in (pem, pem.strip(), json.dumps(provider.keys[0]).encode()):
        forged = signed_by_hmac({"alg": algorithm, "kid": "rsa-1"}, provider.claims(), secret)
        assert await tokens.verified(forged) is None


async def test_a_key_verifies_its_own_algorithm_only(provider: IdentityProvider, tokens: JwtTokens) -> None:
    stronger = jwt.encode(provider.claims(), provider.private["rsa-1"], "RS512", {"kid": "rsa-1"})
    padded_otherwise = jwt.encode(provider.claims(), provider.private["rsa-1"], "PS256", {"kid": "rsa-1"})
    crossed = jwt.encode(provider.claims(), provider.private["rsa-1"], "RS256", {"kid": "ec-1"})

    assert [await tokens.verified(token) for token in (stronger, padded_otherwise, crossed)] == [None] * 3


async def test_a_token_of_another_hand_is_refused(provider: IdentityProvider, tokens: JwtTokens) -> None:
    stranger = rsa.generate_private_key(65537, 2048)
    own_key = {"jwk": json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(stranger.public_key())), "jku": "http://127.0.0.1"}

    for headers in ({"kid": "rsa-1"}, {"kid": "rsa-1", **own_key}, {"kid": "stranger"}, {}):
        forged = jwt.encode(provider.claims(), stranger, "RS256", headers)
        assert await tokens.verified(forged) is None


async def test_a_token_that_was_changed_is_refused(provider: IdentityProvider, tokens: JwtTokens) -> None:
    header, _, signature = provider.token().split(".")

    assert await tokens.verified(f"{header}.{encoded(provider.claims(sub='ben'))}.{signature}") is None


@pytest.mark.parametrize(
    "headers", [{"crit": ["exp"]}, {"crit": []}, {"b64": False}, {"typ": "logout+jwt"}, {"typ": 7}, {"kid": 7}]
)
async def test_a_header_that_is_not_understood_is_refused(
    provider: IdentityProvider, tokens: JwtTokens, headers: dict[str, Any]
) -> None:
    signed = {"alg": "RS256", "typ": "JWT", "kid": "rsa-1"} | headers
    text = f"{encoded(signed)}.{encoded(provider.claims())}"
    signature = jwt.get_algorithm_by_name("RS256").sign(text.encode(), provider.private["rsa-1"])

    assert await tokens.verified(f"{text}.{encoded(signature)}") is None


async def test_a_token_that_names_no_key_is_verified_by_the_only_one(
    provider: IdentityProvider, tokens: JwtTokens
) -> None:
    unnamed = jwt.encode(provider.claims(), provider.private["rsa-1"], "RS256")

    assert await tokens.verified(unnamed)

    provider.add("rsa-2", rsa.generate_private_key(65537, 2048))
    assert await verifier(provider, SystemClock()).verified(unnamed) is None


parts = st.binary(max_size=30) | st.dictionaries(
    st.sampled_from(["alg", "kid", "typ"]), st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text())
)
texts = st.text(max_size=60) | st.lists(parts.map(encoded), min_size=3, max_size=3).map(".".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(text=texts)
async def test_text_from_anybody_is_refused(tokens: JwtTokens, text: str) -> None:
    assert await tokens.verified(text) is None


async def test_an_endless_token_is_not_even_read(provider: IdentityProvider, tokens: JwtTokens) -> None:
    assert await tokens.verified(provider.token(padding="x" * 9000)) is None


async def test_keys_are_fetched_once_for_many_tokens(provider: IdentityProvider, tokens: JwtTokens) -> None:
    for _ in range(5):
        assert await tokens.verified(provider.token())

    assert provider.requests == 1


async def test_a_new_key_of_the_provider_is_found_and_a_forged_name_does_not_ask_again(
    provider: IdentityProvider, tokens: JwtTokens, clock: SetClock
) -> None:
    await tokens.verified(provider.token())
    provider.add("rsa-new", rsa.generate_private_key(65537, 2048))
    clock.seconds += COOLDOWN_SECONDS + 1

    assert await tokens.verified(provider.token("rsa-new"))
    assert provider.requests == 2

    for number in range(5):
        assert await tokens.verified(provider.token(headers={"kid": f"forged-{number}"})) is None
    assert provider.requests == 2


async def test_tokens_that_come_together_share_one_fetch(provider: IdentityProvider, tokens: JwtTokens) -> None:
    found = await asyncio.gather(*(tokens.verified(provider.token()) for _ in range(20)))

    assert None not in found
    assert provider.requests == 1


async def test_forged_names_do_not_make_a_provider_that_fails_be_asked_each_time(
    provider: IdentityProvider, tokens: JwtTokens, clock: SetClock
) -> None:
    await tokens.verified(provider.token())
    provider.status = 500
    clock.seconds += COOLDOWN_SECONDS + 1

    for number in range(5):
        forged = provider.token(headers={"kid": f"forged-{number}"})
        if number == 0:
            with pytest.raises(StoreUnavailable):
                await tokens.verified(forged)
        else:
            assert await tokens.verified(forged) is None

    assert provider.requests == 2
    assert await tokens.verified(provider.token())


async def test_a_withdrawn_key_is_not_believed_for_longer_than_the_keys_live(
    provider: IdentityProvider, tokens: JwtTokens, clock: SetClock
) -> None:
    token = provider.token("ec-1", exp=32_000_000_000)
    assert await tokens.verified(token)
    provider.keys = [key for key in provider.keys if key["kid"] != "ec-1"]
    clock.seconds += LIFETIME_SECONDS + 1

    assert await tokens.verified(token) is None


async def test_old_keys_are_fetched_again_while_requests_go_on_with_them(
    provider: IdentityProvider, tokens: JwtTokens, clock: SetClock
) -> None:
    await tokens.verified(provider.token())
    provider.answering.clear()
    clock.seconds += REFRESH_SECONDS + 1

    assert await tokens.verified(provider.token())

    provider.answering.set()
    await tokens._keys.refresh()
    assert provider.requests == 2


async def test_a_provider_that_fails_is_no_reason_to_forget_its_keys(
    provider: IdentityProvider, tokens: JwtTokens, clock: SetClock
) -> None:
    await tokens.verified(provider.token())
    provider.status = 500
    clock.seconds += REFRESH_SECONDS + 1

    assert await tokens.verified(provider.token())
    clock.seconds += COOLDOWN_SECONDS + 1
    assert await tokens.verified(provider.token())


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"{}"),
        (302, b""),
        (200, b"no json"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"keys": 7}'),
        (200, b"[" * 200_000),
        (200, b" " * (1 << 21)),
    ],
)
async def test_without_keys_nobody_is_taken_or_refused_and_the_provider_is_not_asked_each_time(
    provider: IdentityProvider, tokens: JwtTokens, clock: SetClock, status: int, body: bytes
) -> None:
    provider.status, provider.body = status, body

    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await tokens.verified(provider.token())
    assert provider.requests == 1

    provider.status, provider.body = 200, None
    clock.seconds += COOLDOWN_SECONDS + 1
    assert await tokens.verified(provider.token())


async def test_a_provider_that_hangs_is_given_up(provider: IdentityProvider) -> None:
    provider.answering.clear()

    with pytest.raises(StoreTimeout):
        await verifier(provider, SystemClock(), timeout_ms=50).verified(provider.token())


def test_keys_that_are_not_for_this_are_left_out(provider: IdentityProvider) -> None:
    good = provider.keys[0]
    weak = provider.add("weak", rsa.generate_private_key(65537, 1024))
    curve = provider.add("curve", ec.generate_private_key(ec.SECP384R1()))
    others = [
        {**good, "use": "enc"},
        {**good, "key_ops": ["sign"]},
        {**good, "alg": "RS512"},
        {**good, "alg": "HS256"},
        {**good, **jwt.algorithms.RSAAlgorithm.to_jwk(provider.private["rsa-1"], as_dict=True), "key_ops": ["verify"]},
        {**good, "n": "!"},
        {"kty": "oct", "k": "c2VjcmV0", "kid": "secret", "alg": "HS256"},
        {"kty": "RSA"},
        {"kty": "EC", "crv": ["P-256"]},
        {"kty": ["RSA"]},
        {**good, "key_ops": None},
        {**good, "n": "A" + "_" * 400_000, "kid": "endless"},
        {**curve, "alg": "ES256"},
        weak,
        "text",
        None,
    ]

    found = usable({"keys": [*others, good]})

    assert [(key.kid, key.algorithm) for key in found] == [("rsa-1", "RS256")]


@pytest.mark.parametrize("url", ["http://issuer.example/keys", "file:///etc/passwd", "", "ftp://127.0.0.1/keys"])
def test_keys_come_encrypted_or_from_this_machine(url: str) -> None:
    with pytest.raises(ConfigurationError, match="https"):
        JsonWebKeys(url, SystemClock())
