"""Calls Amazon Bedrock's runtime on a thread; the one place where boto3's errors for it are translated."""

import asyncio
import threading
from typing import Any

from remembrancer.errors import StoreTimeout, StoreUnavailable


class BedrockRuntime:
    """Created with its first call: boto3 takes longer to import than most functions to start."""

    def __init__(self, *, region: str = "", endpoint_url: str = "", seconds: float = 2.0, client: Any = None) -> None:
        """Without `client`, the first call creates a client of boto3."""
        self._options: dict[str, Any] = {"region_name": region or None, "endpoint_url": endpoint_url or None}
        self._seconds = seconds
        self._client = client
        self._making = threading.Lock()

    async def call(self, operation: str, **arguments: Any) -> Any:
        """One attempt at `operation`. Raises StoreTimeout or StoreUnavailable when it fails."""
        return await asyncio.to_thread(self._call, operation, arguments)

    async def close(self) -> None:
        """Drops the client and closes its connections; the next call creates a client of boto3."""
        with self._making:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _call(self, operation: str, arguments: dict[str, Any]) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError, ConnectTimeoutError, ReadTimeoutError

        try:
            return getattr(self._made(), operation)(**arguments)
        except (ConnectTimeoutError, ReadTimeoutError) as error:
            raise StoreTimeout("Bedrock did not answer in time", cause=type(error).__name__) from error
        except ClientError as error:
            raise StoreUnavailable("Bedrock refused", cause=error.response["Error"]["Code"]) from error
        except BotoCoreError as error:
            raise StoreUnavailable("Bedrock is unavailable", cause=type(error).__name__) from error

    def _made(self) -> Any:
        with self._making:
            if self._client is None:
                import boto3
                from botocore.config import Config

                config = Config(
                    connect_timeout=self._seconds, read_timeout=self._seconds, retries={"total_max_attempts": 1}
                )
                self._client = boto3.session.Session().client("bedrock-runtime", config=config, **self._options)
            return self._client
