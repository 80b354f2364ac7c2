"""AWS clients by service name, created on first use."""

import os
from collections.abc import Callable
from typing import Any, cast

import boto3


class Aws:
    """`aws.rds.describe_db_instances(...)`; tests check each such call against botocore's models."""

    def __init__(self, make: Callable[[str], Any] | None = None, *, region: str | None = None) -> None:
        # boto3 reads AWS_DEFAULT_REGION alone, the AWS CLI both.
        self._session = cast("Any", boto3.Session(region_name=region or os.environ.get("AWS_REGION")))
        self._make = make or self._session.client
        self._clients: dict[str, Any] = {}

    @property
    def region(self) -> str:
        """The region of the credentials' configuration, unless another was given; empty without one."""
        return str(self._session.region_name or "")

    def __getattr__(self, service: str) -> Any:
        """Underscores in the name stand for hyphens: `service_quotas`; a final one is dropped: `lambda_`."""
        name = service.rstrip("_").replace("_", "-")
        if name not in self._clients:
            self._clients[name] = self._make(name)
        return self._clients[name]
