"""AWS KMS: makes, wraps and unwraps data keys; its own key never leaves it."""

import base64
from collections.abc import Mapping
from typing import Any

from remembrancer.adapters.aws.signed_calls import JsonService
from remembrancer.domain.encryption.data_key import NewKey
from remembrancer.errors import StoreUnavailable


class Kms:
    """Serves the KeyService port; keys are named by ARN."""

    def __init__(self, service: JsonService, *, seconds: float = 1.0) -> None:
        """`seconds` bounds each of two attempts."""
        self._service = service
        self._seconds = seconds

    async def generate(self, kms_key_id: str, context: Mapping[str, str]) -> NewKey:
        body = {"KeyId": kms_key_id, "KeySpec": "AES_256", "EncryptionContext": dict(context)}
        answer = await self._call("GenerateDataKey", body, kms_key_id)
        return NewKey(_bytes(answer, "Plaintext"), _bytes(answer, "CiphertextBlob"), kms_key_id)

    async def unwrap(self, kms_key_id: str, wrapped: bytes, context: Mapping[str, str]) -> bytes:
        """Names the key, so that a blob wrapped by a stranger's is refused."""
        body = {"KeyId": kms_key_id, "CiphertextBlob": _text(wrapped), "EncryptionContext": dict(context)}
        return _bytes(await self._call("Decrypt", body, kms_key_id), "Plaintext")

    async def wrap(self, kms_key_id: str, plain: bytes, context: Mapping[str, str]) -> NewKey:
        body = {"KeyId": kms_key_id, "Plaintext": _text(plain), "EncryptionContext": dict(context)}
        answer = await self._call("Encrypt", body, kms_key_id)
        return NewKey(plain, _bytes(answer, "CiphertextBlob"), kms_key_id)

    async def _call(self, action: str, body: Mapping[str, Any], kms_key_id: str) -> dict[str, Any]:
        return await self._service.call(action, body, arn=kms_key_id, seconds=self._seconds)


def _text(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _bytes(answer: Mapping[str, Any], name: str) -> bytes:
    try:
        return base64.b64decode(answer[name])
    except (LookupError, ValueError, TypeError) as error:
        raise StoreUnavailable("KMS gave no key", cause="NoKey") from error
